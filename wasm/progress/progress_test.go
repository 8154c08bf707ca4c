package progress

import (
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func drawBook(t *rapid.T) Book {
	var b Book
	for range rapid.IntRange(0, 4).Draw(t, "steps") {
		b.Set(rapid.SampledFrom([]string{"a", "b"}).Draw(t, "lesson"), rapid.SampledFrom([]string{"x", "y", "z"}).Draw(t, "step"),
			rapid.SampledFrom([]State{Seen, Solved}).Draw(t, "state"))
	}
	b.Last = rapid.SampledFrom([]string{"", "a/x", "b/end"}).Draw(t, "last")
	return b
}

// What was written reads back; merging keeps what is known, adds the rest, and does the same twice as once.
func TestBooksReadBackAndMerge(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := drawBook(t), drawBook(t)
		got, err := Read(a.Write())
		if err != nil || !reflect.DeepEqual(got, a) {
			t.Fatalf("%v: got %+v, want %+v", err, got, a)
		}
		got.Merge(b)
		for _, l := range []string{"a", "b"} {
			for _, s := range []string{"x", "y", "z"} {
				want := a.Of(l, s)
				if want == Open {
					want = b.Of(l, s)
				}
				if got.Of(l, s) != want {
					t.Fatalf("%s/%s is %q, want %q", l, s, got.Of(l, s), want)
				}
			}
		}
		once := got.Write()
		got.Merge(b)
		if got.Write() != once || got.Last != a.Last {
			t.Fatalf("merged twice: %s, once: %s", got.Write(), once)
		}
	})
}

// The first state of a step counts: one whose solution was opened first is never solved, and a solved one stays so.
func TestTheFirstStateCounts(t *testing.T) {
	var b Book
	if !b.Set("l", "s", Seen) || b.Set("l", "s", Solved) || b.Of("l", "s") != Seen {
		t.Errorf("a seen step is %q", b.Of("l", "s"))
	}
	if !b.Set("l", "t", Solved) || b.Set("l", "t", Seen) || b.Set("l", "t", Solved) || b.Of("l", "t") != Solved {
		t.Errorf("a solved step is %q", b.Of("l", "t"))
	}
	if b.Of("l", "other") != Open || new(Book).Of("l", "s") != Open {
		t.Error("a step that was never begun is not open")
	}
}

// What was reset stays so when another tab, which does not know of it, keeps its book; what it solves afterwards counts.
func TestResetIsNotUndoneByAnotherTab(t *testing.T) {
	for _, c := range []struct{ lesson, step, left string }{
		{"a", "x", "a/y ab/x b/x"}, {"a", "", "ab/x b/x"}, {"", "", ""},
	} {
		var b, other Book
		for _, place := range []string{"a/x", "a/y", "ab/x", "b/x"} {
			l, s, _ := strings.Cut(place, "/")
			b.Set(l, s, Solved)
			other.Set(l, s, Solved)
		}
		b.Last = "a/y"
		b.Reset(c.lesson, c.step)
		b.Merge(other)
		other.Merge(b)
		for name, got := range map[string]Book{"the one": b, "the other": other} {
			if left := strings.Join(slices.Sorted(maps.Keys(got.Steps)), " "); left != c.left || (got.Last == "") != (c.lesson == "") {
				t.Errorf("%q/%q: %s tab has %q, last %q, want %q", c.lesson, c.step, name, left, got.Last, c.left)
			}
		}
		other.Steps = maps.Clone(other.Steps) // a book of its own, as a tab has it
		other.Set("a", "x", Seen)
		if b.Merge(other); b.Of("a", "x") != Seen {
			t.Errorf("%q/%q: what came afterwards is lost", c.lesson, c.step)
		}
	}
}

// Whatever the browser kept: it is read, or refused with a reason; what nobody can mean is left out.
func TestHostileBooks(t *testing.T) {
	for text, want := range map[string]string{
		"":                          `{"format":1,"steps":null}`,
		`{"format":1}`:              `{"format":1,"steps":null}`,
		`{"format":1,"steps":null}`: `{"format":1,"steps":null}`,
		`{"format":1,"steps":{"a/b":"solved","a":"solved","a/b/c":"seen","c/d":"done","":"seen","e/f":""},"more":1}`: `{"format":1,"steps":{"a/b":"solved"}}`,
		"null": "", "[]": "", "7": "", "{": "", `"x"`: "", `{"format":2,"steps":{}}`: "", `{"format":"1"}`: "",
		`{"format":1,"steps":[]}`: "", `{"format":1,"steps":{"a/b":1}}`: "", strings.Repeat("[", 100_000): "", "\xff": "",
	} {
		b, err := Read(text)
		if want == "" {
			if err == nil || !reflect.DeepEqual(b, Book{}) {
				t.Errorf("%.40s: read as %+v", text, b)
			}
			continue
		}
		if err != nil || b.Write() != want {
			t.Errorf("%.80s: got %s %v, want %s", text, b.Write(), err, want)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add(`{"format":1,"last":"a/b","steps":{"a/b":"solved","a/c":"seen"}}`)
	f.Fuzz(func(t *testing.T, text string) {
		b, err := Read(text)
		if err != nil {
			return
		}
		again, err := Read(b.Write())
		if err != nil || again.Write() != b.Write() {
			t.Fatalf("%v: %s is read back as %s", err, b.Write(), again.Write())
		}
		b.Set("l", "s", Solved)
		b.Merge(again)
	})
}

func TestKeysDiffer(t *testing.T) {
	var b Book
	if k := b.HistoryKey("l", "s"); k == b.Key() || k == Broken || k == b.HistoryKey("l", "t") || k == b.HistoryKey("m", "s") {
		t.Errorf("the key %s is not its own", k)
	}
}
