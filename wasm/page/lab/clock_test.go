package lab

import (
	"strings"
	"testing"
	"time"

	"retrylab.example/core/lesson"
	"retrylab.example/core/scenario"
	"retrylab.example/wasm/effect"
)

// sent is the small lesson's step "total" with one request sent: 0 s sent, its reply lost, again at 2.5 s.
func sent(t *testing.T) *person { return at(t, small(t), "total").use(Fire{}) }

// A step forward and a step back give the same page, at every position of every solution. What is on the page is
// everything: the text, the checks, the clock and the counts.
func TestBackIsExact(t *testing.T) {
	for _, l := range append(course(t), small(t)) {
		for i := range l.Steps {
			st := &l.Steps[i]
			if !st.Plays() {
				continue
			}
			p := at(t, l, st.ID).play(st.Solution).send(Start{})
			for {
				before := p.View().HTML()
				if p.pos.Count == len(p.played.Events) {
					break
				}
				p.send(Next{}, Back{})
				if got := p.View().HTML(); got != before {
					t.Fatalf("%s/%s: after %d events, next and back give another page", l.ID, st.ID, p.pos.Count)
				}
				for range stride(len(p.played.Events), 15) {
					p.send(Next{})
				}
			}
		}
	}
}

// The whole of the clock, by what it does to the number of events and the time.
func TestClock(t *testing.T) {
	p := sent(t)
	end := scenario.Position{Count: len(p.played.Events), Now: p.played.Events[len(p.played.Events)-1].At}
	for _, c := range []struct {
		does  string
		msgs  []any
		count int
		now   int64 // ms
	}{
		{"start", []any{Start{}}, 0, 0},
		{"next", []any{Next{}}, 1, 0},
		{"back at the start", []any{Start{}, Back{}}, 0, 0},
		{"10 ms are less than the way", []any{Start{}, Advance{10 * time.Millisecond}}, 2, 10},
		{"100 ms", []any{Advance{100 * time.Millisecond}}, p.played.At(ms(110)).Count, 110},
		{"back from between two events", []any{Back{}}, p.played.At(ms(110)).Count - 1, 50},
		{"to the timeout", []any{Start{}, Next{}, Next{}, NextTimer{}}, p.played.At(ms(1500)).Count, 1500},
		{"to the end of the wait", []any{NextTimer{}}, p.played.At(ms(2500)).Count, 2500},
		{"scrub", []any{Scrub{60}}, p.played.At(ms(60)).Count, 60},
		{"scrub to before the start", []any{Scrub{-5}}, 2, 0}, // all of the first instant
		{"end", []any{Run{}, Run{}, Run{}, Run{}, Run{}, Run{}, Run{}, Run{}}, end.Count, int64(end.Now) / 1e6},
		{"next at the end", []any{Next{}, NextDecision{}, NextTimer{}, Run{}}, end.Count, int64(end.Now) / 1e6},
		{"advance past the end", []any{Advance{time.Second}}, end.Count, int64(end.Now)/1e6 + 1000},
	} {
		p.send(c.msgs...)
		if p.pos != (scenario.Position{Count: c.count, Now: ms(c.now)}) {
			t.Errorf("%s: at %+v, want %d events at %d ms", c.does, p.pos, c.count, c.now)
		}
	}
}

// The clock stays within the scenario's time, so that what is kept can be read again.
func TestTheClockStaysInTheScenariosTime(t *testing.T) {
	l := small(t)
	st := &l.Steps[stepIndex(t, l, "total")]
	st.Scenario.MaxTime = time.Second
	p := at(t, l, "total").use(Fire{})
	for _, msg := range []any{NextTimer{}, Scrub{5_000_000}, Advance{time.Hour}, SetAdvance{"9h"}, AdvanceTyped{}} {
		if p.send(msg); p.pos.Now > ms(1000) {
			t.Errorf("after %T the clock shows %v", msg, p.pos.Now)
		}
	}
	again := New(p.Settings, p.Size, p.place, l, p.step, p.book, p.History())
	if again.notice != "" || again.pos != p.pos {
		t.Errorf("what was kept came back as %+v %q, want %+v", again.pos, again.notice, p.pos)
	}
}

// The labels say what comes and when.
func TestTransportSaysWhatComes(t *testing.T) {
	p := sent(t)
	label := func(id string) string { return plain(find(t, p.View(), id)) }
	if got := label("next-timer"); !strings.Contains(got, "in 1.500") {
		t.Errorf("the timer says %q, want the attempt's timeout in 1.5 s", got)
	}
	if got := label("next-decision"); !strings.Contains(got, "in 0.050") {
		t.Errorf("the next decision says %q, want the partner's in 0.05 s", got)
	}
	p.send(NextDecision{})
	if e := p.played.Events[p.pos.Count-1]; !e.Decides() {
		t.Errorf("the next decision came to %s", e.Kind)
	}
	p.send(Scrub{1500})
	if got := label("next-timer"); !strings.Contains(got, "in 1.000") {
		t.Errorf("the timer says %q, want the wait of 1 s", got)
	}
	for p.pos.Count < len(p.played.Events) {
		p.send(Next{})
	}
	for _, id := range []string{"next", "next-decision", "next-timer", "run"} {
		if _, off := find(t, p.View(), id).Get("aria-disabled"); !off {
			t.Errorf("at the end, %s is not off", id)
		}
	}
}

// Run stops where a check changes, and gets to the end.
func TestRunStopsWhereACheckChanges(t *testing.T) {
	p := sent(t).send(Start{})
	for range 100 {
		states := checkStates(p.grade)
		p.send(Run{})
		if p.pos.Count == len(p.played.Events) {
			return
		}
		if checkStates(p.grade) == states {
			t.Fatalf("it stopped after %d events, where no check changed", p.pos.Count)
		}
		before := p.current().Judge(p.played.Events[:p.pos.Count-1], false, "")
		if checkStates(before) != states {
			t.Fatalf("after %d events the checks had changed already", p.pos.Count-1)
		}
	}
	t.Error("it does not come to the end")
}

func TestTypedAdvance(t *testing.T) {
	for text, want := range map[string]int64{
		"250 ms": 250, "250ms": 250, " 1.5 s ": 1500, "0.001s": 1, "1h": 3_600_000,
		"": -1, "5": -1, "-1s": -1, "0s": -1, "soon": -1, "1e3s": -1, "999999999999h": -1, "१s": -1,
	} {
		p := at(t, small(t), "total").send(SetAdvance{text}, AdvanceTyped{})
		if want < 0 {
			if p.pos.Now != 0 || p.problem == "" || !strings.Contains(p.View().HTML(), p.problem) {
				t.Errorf("%q moved the clock to %d and says %q", text, p.pos.Now, p.problem)
			}
			if p.send(Next{}); p.problem != "" {
				t.Errorf("%q: the problem stays", text)
			}
			continue
		}
		if p.pos.Now != ms(want) || p.problem != "" {
			t.Errorf("%q moved the clock to %d and says %q, want %d ms", text, p.pos.Now, p.problem, want)
		}
	}
}

// Each key does what the help says, and nothing else acts.
func TestKeys(t *testing.T) {
	for _, c := range []struct {
		key  Key
		want any
	}{
		{Key{Name: "ArrowRight"}, Next{}}, {Key{Name: "ArrowLeft"}, Back{}}, {Key{Name: "ArrowRight", Shift: true}, NextDecision{}},
		{Key{Name: "n"}, NextTimer{}}, {Key{Name: "N", Shift: true}, NextTimer{}}, {Key{Name: "r"}, Run{}}, {Key{Name: "R"}, Run{}},
		{Key{Name: "End"}, Run{}}, {Key{Name: "Home"}, Start{}}, {Key{Name: "f"}, Fire{}}, {Key{Name: "F"}, Fire{}},
		{Key{Name: "i"}, ToInject{}}, {Key{Name: "I"}, ToInject{}},
		{Key{Name: "z", Ctrl: true}, Undo{}}, {Key{Name: "Z", Ctrl: true, Shift: true}, Redo{}}, {Key{Name: "z", Ctrl: true, Shift: true}, Redo{}},
		{Key{Name: "z"}, nil}, {Key{Name: "f", Ctrl: true}, nil}, {Key{Name: "r", Ctrl: true}, nil}, {Key{Name: "ArrowRight", Ctrl: true}, nil},
		{Key{Name: "Enter"}, nil}, {Key{Name: " "}, Play{}}, {Key{Name: "x"}, nil}, {Key{Name: "Tab"}, nil}, {Key{}, nil},
	} {
		if got := keyMessage(c.key); got != c.want || c.key.Acts() != (c.want != nil) {
			t.Errorf("%+v: got %T, want %T", c.key, got, c.want)
		}
	}
	p := at(t, small(t), "total").send(Key{Name: "f"}, Key{Name: "ArrowRight"})
	if p.pos.Count != 3 {
		t.Errorf("F and → came to %d events, want 3", p.pos.Count)
	}
	p.send(Key{Name: "z", Ctrl: true})
	if len(p.tree.Path()) != 0 || p.pos.Now != ms(50) {
		t.Errorf("Ctrl+Z left %d inputs at %d", len(p.tree.Path()), p.pos.Now)
	}
	if p.send(Key{Name: "x"}); p.effects != nil {
		t.Errorf("a key without a meaning has the effects %v", p.effects)
	}
	if p.send(Key{Name: "i"}); !p.did(effect.Focus{ID: injectID}) {
		t.Errorf("I has the effects %v", p.effects)
	}
}

// What is spoken at a step is one sentence, and the table follows the clock if it is asked to.
func TestEachStepSpeaksOnce(t *testing.T) {
	p := at(t, small(t), "total")
	st := p.current()
	for p.play(lesson.Answer{Inputs: st.Solution.Inputs}).send(Start{}); p.pos.Count < len(p.played.Events); {
		p.send(Next{})
		last := &p.played.Events[p.pos.Count-1]
		n, count := p.nthAt(p.pos.Count - 1)
		if got := p.spoken(); len(got) != 1 || !strings.HasPrefix(got[0], p.lang().Announce(last, n, count, p.names())) {
			t.Errorf("event %d: spoken %q", p.pos.Count, got)
		}
		if !p.did(effect.Reveal{ID: rowID(last.Seq)}) {
			t.Errorf("event %d is not brought into view", p.pos.Count)
		}
	}
	p.send(Follow{false}, Back{})
	if p.did(effect.Reveal{ID: rowID(p.pos.Count)}) {
		t.Error("the table follows the clock although it should not")
	}
}

// checkStates returns the states of all checks in one comparable value.
func checkStates(g lesson.Grade) string {
	b := make([]byte, len(g.Results))
	for i, r := range g.Results {
		b[i] = '0' + byte(r.State)
	}
	return string(b)
}
