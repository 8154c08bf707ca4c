package lab

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"retrylab.example/wasm/progress"
)

// reload opens the page anew with what it has kept.
func reload(p *person) *person {
	return &person{t: p.t, Model: New(p.Settings, p.Size, p.place, p.lesson, p.step, p.book, p.History())}
}

// After a reload everything is where it was, at positions all over the run: place, form, prediction, hints, runs.
func TestHistoryBringsEverythingBack(t *testing.T) {
	for _, l := range append(course(t), small(t)) {
		for i := range l.Steps {
			st := &l.Steps[i]
			if !st.Plays() {
				continue
			}
			p := at(t, l, st.ID).play(st.Wrong[0].Answer).send(Restart{}).play(st.Solution).send(Hint{}, SelectDecision{1})
			key := p.book.HistoryKey(l.ID, st.ID)
			if kept, ok := p.stored(key); !ok || kept != p.History() {
				t.Errorf("%s/%s: what is kept is not what was done", l.ID, st.ID)
			}
			on := slices.Repeat([]any{Next{}}, 2+stride(len(p.played.Events), 15))
			for p.send(Start{}); ; p.send(on...) {
				p.selectLatest()
				again := reload(p)
				again.form.advance, again.form.retryAfter = p.form.advance, p.form.retryAfter
				if p.pos.Count == 0 {
					again.form = p.form // nothing was fired yet as far as the page shows; what is set up comes from the run
				}
				if got, want := again.View().HTML(), p.View().HTML(); got != want {
					t.Fatalf("%s/%s: after %d events the page comes back as another", l.ID, st.ID, p.pos.Count)
				}
				if p.pos.Count == len(p.played.Events) {
					break
				}
			}
		}
	}
}

// A history that cannot be read begins anew, and says so where something was lost; nothing makes it panic.
func TestBrokenHistories(t *testing.T) {
	l := small(t)
	good := at(t, l, "guess").play(l.Steps[2].Solution).History()
	for _, c := range []struct {
		history string
		says    bool
	}{
		{"", false}, {"null", true}, {"{", false}, {"[]", false}, {`"x"`, false}, {"{}", true}, {good[:len(good)-1], false},
		{strings.Replace(good, `"format":1`, `"format":9`, 1), true}, {strings.Replace(good, "alice", "nobody", 1), true},
		{`{"tree":null,"hints":-5,"shown":true}`, true}, {`{"tree":{},"hints":99}`, false},
		{strings.Repeat("[", 100_000), false},
	} {
		p := &person{t: t, Model: New(at(t, l, "guess").Settings, Size{Stage: 640}, Place{}, l, 2, &progress.Book{}, c.history)}
		// An input that the step no longer has goes alone: what was predicted stays.
		said := strings.Contains(c.history, "nobody")
		if (p.notice != "") != c.says || len(p.tree.Path()) != 0 || p.kept != said {
			t.Errorf("%.40s: notice %q, %d inputs, kept %t", c.history, p.notice, len(p.tree.Path()), p.kept)
		}
		p.View()
		answer := l.Steps[2].Solution
		if said {
			answer.Prediction = ""
		}
		if p.play(answer); !p.grade.Solved {
			t.Errorf("%.40s: the step cannot be played any more", c.history)
		}
	}
}

// An answer that the edited question does not offer any more is asked for again; a place outside of the run is not one.
func TestHistoryOfAnEditedStep(t *testing.T) {
	l := small(t)
	p := at(t, l, "guess").play(l.Steps[2].Solution)
	good := p.History()
	gone := New(p.Settings, p.Size, p.place, l, 2, p.book, strings.Replace(good, `"prediction":"three"`, `"prediction":"seven"`, 1))
	if gone.kept || gone.prediction != "" {
		t.Errorf("the answer %q is kept", gone.prediction)
	}
	for _, count := range []string{"-1", "0", "99999", "1"} {
		broken := strings.Replace(good, `"count":`+strconv.Itoa(p.pos.Count), `"count":`+count, 1)
		m := New(p.Settings, p.Size, p.place, l, 2, p.book, broken)
		if m.pos != p.played.At(p.pos.Now) && m.pos.Count != len(p.played.Events) {
			t.Errorf("the count %s puts the page at %+v", count, m.pos)
		}
		m.View()
	}
	if len(good) > 2000 {
		t.Errorf("one request takes %d bytes to keep", len(good))
	}
}

func FuzzHistory(f *testing.F) {
	l := small(f)
	f.Add(at(f, l, "total").play(l.Steps[1].Solution).History())
	f.Add(`{"tree":{"format":1,"at":0,"now":"0s"},"count":7,"hints":3,"shown":true,"prediction":"x","kept":true}`)
	f.Fuzz(func(t *testing.T, history string) {
		for _, step := range []int{1, 2, 3} {
			p := &person{t: t, Model: New(at(t, l, "total").Settings, Size{Stage: 320, Narrow: true}, Place{}, l, step, &progress.Book{}, history)}
			p.View()
			p.send(Next{}, Fire{}, Undo{}, Redo{}, Back{})
			p.View()
			if again := reload(p); again.pos != p.pos {
				t.Fatalf("at %+v, after a reload at %+v", p.pos, again.pos)
			}
		}
	})
}
