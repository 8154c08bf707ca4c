package lab

import (
	"slices"
	"strings"
	"testing"

	"retrylab.example/core/lesson"
	"retrylab.example/wasm/effect"
)

// edited opens the page of a lesson that was edited.
func (p *person) edited(l *lesson.Lesson) *person {
	p.t.Helper()
	m, effects := p.Revised(l, p.place)
	return &person{t: p.t, Model: m, effects: effects}
}

// An edit of the texts changes nothing of the place: every position, what is explained, and what was set up stay.
func TestRevisedStays(t *testing.T) {
	for _, l := range []*lesson.Lesson{course(t)[0], small(t)} {
		again := *l
		again.Steps = slices.Clone(l.Steps)
		for i := range l.Steps {
			st := &l.Steps[i]
			if !st.Plays() {
				continue
			}
			p := at(t, l, st.ID).play(st.Wrong[0].Answer).send(Restart{}).play(st.Solution).send(Hint{}, SetAdvance{"7s"})
			for p.send(Start{}); ; p.send(Next{}, Next{}, Next{}, Next{}) {
				p.send(SelectDecision{-1})
				n := p.edited(&again)
				if got, want := n.View().HTML(), p.View().HTML(); got != want || n.pos != p.pos || !n.Is(&again) {
					t.Fatalf("%s/%s: after %d events the page comes back as another", l.ID, st.ID, p.pos.Count)
				}
				if p.pos.Count == len(p.played.Events) {
					break
				}
			}
		}
	}
}

// The inputs are played on the scenario as it now is, at the same clock.
func TestRevisedPlaysAnew(t *testing.T) {
	l, other := small(t), small(t)
	st := &l.Steps[stepIndex(t, l, "total")]
	p := at(t, l, "total").play(st.Solution)
	p.pos = p.played.End(p.pos)
	other.Steps[stepIndex(t, l, "total")].Scenario.Clients[0].Policy.Attempts = 1
	n := p.edited(other)
	want, err := other.Steps[stepIndex(t, l, "total")].Scenario.Play(p.tree.Path())
	if err != nil {
		t.Fatal(err)
	}
	if n.pos.Now != p.pos.Now || len(n.played.Events) != len(want.Events) || len(n.tree.Path()) != len(p.tree.Path()) {
		t.Errorf("got %d events at %v, want %d at %v", len(n.played.Events), n.pos.Now, len(want.Events), p.pos.Now)
	}
	if !n.did(effect.SetValue{ID: "key", Value: n.form.key}) {
		t.Error("the fields are not told what they hold")
	}
}

// A step that is gone gives way to the one in its place, or to the last; what its inputs were is nothing there.
func TestRevisedWithoutTheStep(t *testing.T) {
	l := small(t)
	for i := range l.Steps {
		other := small(t)
		other.Steps = slices.Delete(other.Steps, i, i+1)
		p := at(t, l, l.Steps[i].ID)
		if st := p.current(); st.Plays() {
			p.play(st.Solution)
		}
		n := p.edited(other)
		want := other.Steps[min(i, len(other.Steps)-1)].ID
		if n.StepID() != want || n.Hash() != "#/lesson/"+l.ID+"/"+want || len(n.tree.Path()) != 0 || n.notice != "" {
			t.Errorf("without %s: got %s with %d inputs, want %s", l.Steps[i].ID, n.Hash(), len(n.tree.Path()), want)
		}
	}
	if n := at(t, l, End).edited(small(t)); n.StepID() != End {
		t.Errorf("the last page becomes %s", n.StepID())
	}
}

// Inputs that the edited scenario does not take are left aside, and the page says so.
func TestRevisedScenarioOfOthers(t *testing.T) {
	l, other := small(t), small(t)
	i := stepIndex(t, l, "total")
	p := at(t, l, "total").play(l.Steps[i].Solution)
	sc := &other.Steps[i].Scenario
	sc.Clients, sc.Requests = append(sc.Clients, sc.Clients[0]), append(sc.Requests, sc.Requests[0])
	sc.Clients[0].Name, sc.Clients[1].Name = "somebody-else", "nobody" // two others, so none is the old one by another name
	if n := p.edited(other); n.notice == "" || len(n.tree.Path()) != 0 || n.pos.Count != 0 {
		t.Errorf("got notice %q, %d inputs", n.notice, len(n.tree.Path()))
	}
	p.Move(Place{Number: 3, Count: 4})
	if p.place.Count != 4 {
		t.Error("the place is not told")
	}
}

// TestOnlyTheImpossibleIsSetAside: where an edit takes away who did something, that input alone is set aside and named; it
// comes back with the edit, unless something else was done since.
func TestOnlyTheImpossibleIsSetAside(t *testing.T) {
	l := small(t)
	step := stepIndex(t, l, "total")
	two := func() *lesson.Lesson {
		c := *l
		c.Steps = slices.Clone(l.Steps)
		sc := &c.Steps[step].Scenario
		sc.Clients = append(slices.Clone(sc.Clients), sc.Clients[0])
		sc.Clients[1].Name = "till"
		sc.Requests = append(slices.Clone(sc.Requests), sc.Requests[0])
		return &c
	}()
	p := at(t, two, "total").send(Fire{}, Run{}, SetClient{1}, Fire{}, Run{}, SetClient{0}, Fire{}, Run{})
	whole := p.done()
	n := p.edited(l)
	if len(n.tree.Path()) != 2 || len(n.played.Events) == 0 {
		t.Fatalf("%d inputs are left, want 2", len(n.tree.Path()))
	}
	if html := n.View().HTML(); !strings.Contains(html, "till") || !strings.Contains(html, n.notice) {
		t.Errorf("it says %q", n.notice)
	}
	other := *two
	other.Steps = slices.Clone(two.Steps)
	other.Steps[step].Scenario.Clients = slices.Clone(two.Steps[step].Scenario.Clients)
	other.Steps[step].Scenario.Clients[1].Name = "desk"
	if r := p.edited(&other); len(r.tree.Path()) != 3 || r.notice != "" {
		t.Errorf("after a client got another name %d inputs are left: %s", len(r.tree.Path()), r.notice)
	}
	n.send(Start{}, Next{})
	back := n.edited(two)
	if back.done() != whole || back.pos.Now != n.pos.Now {
		t.Error("with the edit undone the input does not come back, or the clock has moved")
	}
	more := p.edited(l).send(Run{}, Fire{})
	if again := more.edited(two); again.done() != more.done() {
		t.Errorf("what was done since is lost: %s", again.done())
	}
}
