package progress

import (
	"reflect"
	"strings"
	"testing"
)

func sample() Backup {
	b := Backup{Book: Book{Last: "l/a", Era: 3}}
	b.Book.Set("l", "a", Solved)
	b.Book.Set("l", "b", Seen)
	b.Keep("l/a", `{"tree":{"format":1},"count":7,"prediction":"한<>&"}`)
	b.Keep("l/b", `{broken`)
	return b
}

func TestBackupReadsBack(t *testing.T) {
	b := sample()
	got, err := ReadBackup(b.Write())
	if err != nil || got.Write() != b.Write() || !reflect.DeepEqual(got.Book, b.Book) || len(got.Histories) != 1 {
		t.Errorf("%v: got  %s\nwant %s", err, got.Write(), b.Write())
	}
	if n, m := got.Book.Count(Solved), got.Book.Count(Seen); n != 1 || m != 1 {
		t.Errorf("%d solved, %d seen", n, m)
	}
	empty := Backup{}
	if got, err := ReadBackup(empty.Write()); err != nil || len(got.Book.Steps)+len(got.Histories) != 0 {
		t.Errorf("%v: an empty backup holds %+v", err, got)
	}
}

// A file that is none, or a part of one, or another kind of file, says which of them it is; nothing of it is taken.
func TestHostileBackups(t *testing.T) {
	whole := sample()
	good := whole.Write()
	for text, want := range map[string]Problem{
		"": NoBackup, "null": NoBackup, "[]": NoBackup, "{}": NoBackup, `{"format":1,"steps":{}}`: NoBackup, "\xff\x00": NoBackup,
		`{"id":"lost-replies","steps":[]}`: NoBackup, strings.Repeat("[", 100_000): NoBackup,
		good[:len(good)-1]: BrokenBackup, good[:60]: BrokenBackup, good + "x": BrokenBackup,
		`{"kind":"retry-lab-progress"}`: BrokenBackup, `{"kind":"retry-lab-progress","format":1}`: BrokenBackup,
		`{"kind":"retry-lab-progress","format":1,"book":{"format":1,"steps":7}}`:               BrokenBackup,
		`{"kind":"retry-lab-progress","format":1,"book":{"format":9}}`:                         BrokenBackup,
		`{"kind":"retry-lab-progress","format":1,"book":{"format":1},"histories":7}`:           BrokenBackup,
		`{"kind":"retry-lab-progress","format":2}`:                                             NewerBackup,
		strings.Repeat(" ", MaxBytes) + good:                                                   LargeBackup,
		`{"kind":"retry-lab-progress","format":1,"book":{"format":1},"histories":{` + places(): LargeBackup,
	} {
		if b, err := ReadBackup(text); err != any(want) || !reflect.DeepEqual(b, Backup{}) {
			t.Errorf("%.60s: got %v %+v, want %s", text, err, b, want)
		}
	}
	b, err := ReadBackup(`{"kind":"retry-lab-progress","format":1,"book":{"format":1,"last":"<b>/x",
		"steps":{"a/b":"solved","<b>/x":"solved","a/b/c":"seen","a/":"seen"}},"histories":{"a/b":{},"../x":{},"x":1,"":2}}`)
	if err != nil || len(b.Book.Steps) != 1 || b.Book.Last != "" || len(b.Histories) != 1 {
		t.Errorf("%v: of what nobody can mean this is left: %+v", err, b)
	}
}

// places are more steps than a backup may have, and its end.
func places() string {
	var b strings.Builder
	for i := range MaxPlaces + 1 {
		b.WriteString(`"l/s` + strings.Repeat("x", i%7) + `-` + string(rune('a'+i%26)) + strings.Repeat("y", i/26) + `":1,`)
	}
	return b.String() + `"l/s":1}}`
}

func FuzzReadBackup(f *testing.F) {
	whole := sample()
	f.Add(whole.Write())
	f.Fuzz(func(t *testing.T, text string) {
		b, err := ReadBackup(text)
		if err != nil {
			if _, ok := err.(Problem); !ok {
				t.Fatalf("%v is no problem with a sentence", err)
			}
			return
		}
		if again, err := ReadBackup(b.Write()); err != nil || again.Write() != b.Write() {
			t.Fatalf("%v: %s reads back as %s", err, b.Write(), again.Write())
		}
	})
}

// Saved scenarios go along; of a stranger's file only those with a possible name and text are taken.
func TestBackupHasSavedScenarios(t *testing.T) {
	good := Bench{Name: "mine", Text: "{}"}
	b := Backup{Saved: []Bench{good, {Name: " edge ", Text: "{}"}, {Name: strings.Repeat("n", MaxName+1), Text: "{}"}, {Name: "none"}, {Name: "a\xff", Text: "{}"}}}
	got, err := ReadBackup(b.Write())
	if err != nil || len(got.Saved) == 0 || got.Saved[0] != good {
		t.Fatalf("got %v, %v", got.Saved, err)
	}
	for _, s := range got.Saved {
		if !s.Valid() {
			t.Errorf("%q is taken", s.Name)
		}
	}
	many := Backup{}
	for range MaxSaved + 5 {
		many.Saved = append(many.Saved, good)
	}
	if got, _ := ReadBackup(many.Write()); len(got.Saved) != MaxSaved {
		t.Errorf("%d are taken", len(got.Saved))
	}
}

// A name that is taken gets a number, unless the very same is saved.
func TestFree(t *testing.T) {
	long := strings.Repeat("é", MaxName)
	var saved []Bench
	for _, b := range []Bench{{Name: "a", Text: "1"}, {Name: "a 2", Text: "2"}, {Name: long, Text: "1"}} {
		saved = Put(saved, b)
	}
	for _, c := range []struct{ name, text, want string }{
		{"a", "1", "a"}, {"a", "2", "a 2"}, {"a", "3", "a 3"}, {"b", "1", "b"}, {long, "2", strings.Repeat("é", MaxName-2) + " 2"},
	} {
		if got := Free(saved, Bench{Name: c.name, Text: c.text}); got != c.want {
			t.Errorf("%q with %q is called %q, want %q", c.name, c.text, got, c.want)
		}
	}
	if left := Drop(saved, "a"); len(left) != 2 || len(saved) != 3 {
		t.Errorf("%v are left of %v", left, saved)
	}
}
