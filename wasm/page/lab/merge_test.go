package lab

import (
	"slices"
	"strings"
	"testing"

	"retrylab.example/core/text"
	"retrylab.example/wasm/effect"
	"retrylab.example/wasm/progress"
)

// amounts are what the runs of a page send, sorted.
func (p *person) amounts() []int64 {
	var all []int64
	for _, id := range p.tree.Branches() {
		path := p.tree.PathOf(id)
		all = append(all, path[len(path)-1].Action.Request.Amount)
	}
	slices.Sort(all)
	return all
}

// tell gives a page what another tab has kept, and returns what that makes it keep, empty if nothing.
func (p *person) tell(history string) (kept string) {
	for _, e := range p.Update(Elsewhere{history}) {
		if s, ok := e.(effect.Store); ok {
			kept = s.Value
		}
	}
	return kept
}

// Two tabs that play one step come to the same runs, whoever keeps last, and then tell each other nothing more. What a
// person sees in a tab stays where it is.
func TestTwoTabsKeepTheRunsOfBoth(t *testing.T) {
	l := small(t)
	a := at(t, l, "total").use(SetAmount{20}, Fire{}).send(Next{})
	b := at(t, l, "total").use(SetAmount{10}, Fire{}).send(Restart{}).use(SetAmount{20}, Fire{}).send(Run{}).use(Hint{})
	pos, why := a.pos, a.why().HTML()
	toB := a.tell(b.History())
	if a.pos != pos || a.why().HTML() != why || a.hints != 1 {
		t.Errorf("another place is shown: %+v, was %+v, %d hints", a.pos, pos, a.hints)
	}
	if !strings.Contains(plain(a.View()), text.English.Say("lab.elsewhere")) {
		t.Error("the page does not say that runs were added")
	}
	if got := a.amounts(); !slices.Equal(got, []int64{10, 20}) {
		t.Errorf("one tab has the runs %v", got)
	}
	if toB != "" {
		t.Errorf("it keeps again what the other has: %s", toB)
	}
	a.use(SetAmount{20}, Fire{}) // after what both have
	back := b.tell(a.History())
	if back != "" || !slices.Equal(a.amounts(), b.amounts()) {
		t.Errorf("the other has %v, want %v; it keeps %q", b.amounts(), a.amounts(), back)
	}
	c := at(t, l, "total").use(Inject{"503"}, Fire{})
	if kept := b.tell(c.History()); kept == "" || c.tell(kept) != "" || !slices.Equal(b.amounts(), c.amounts()) {
		t.Errorf("a third tab has %v, want %v", c.amounts(), b.amounts())
	}
}

// A history that cannot be read takes nothing away, nor does one that is told where nothing is played or kept.
func TestJoinBrokenHistories(t *testing.T) {
	l := small(t)
	st := &l.Steps[1]
	good := at(t, l, "total").use(Fire{}).History()
	for _, bad := range []string{"", "null", "{", "[]", `{"tree":null}`, strings.Replace(good, `"format":1`, `"format":9`, 1), strings.Repeat("[", 100_000)} {
		if got := Join(st, good, bad); got != good {
			t.Errorf("%.40s: mine becomes %s", bad, got)
		}
		if got := Join(st, bad, good); got != good {
			t.Errorf("%.40s: theirs becomes %s", bad, got)
		}
		p := at(t, l, "total").use(Fire{})
		if p.tell(bad) != "" || len(p.tree.Branches()) != 1 {
			t.Errorf("%.40s: the page keeps something, or has %d runs", bad, len(p.tree.Branches()))
		}
	}
	if got := Join(st, good, good); got != good {
		t.Errorf("joined with itself it is %s, was %s", got, good)
	}
	if p := at(t, l, "read"); p.tell(good) != "" {
		t.Error("a page to read keeps a history")
	}
	p := follow(t, l, at(t, l, "total").use(Inject{"503"}, Fire{}).sharedLink(), "")
	if p.tell(good) != "" || len(p.tree.Branches()) != 1 {
		t.Error("a shared run takes up what is the learner's own")
	}
}

// Whatever two tabs have kept: joining ends, and a page opens with the result.
func FuzzJoin(f *testing.F) {
	l := small(f)
	a, b := at(f, l, "total").use(Fire{}), at(f, l, "total").use(Inject{"503"}, Fire{}).use(Hint{})
	f.Add(a.History(), b.History())
	f.Add(b.History(), `{"tree":{"format":1,"at":1,"now":"0s","parents":[0],"next":[0],"inputs":[{"fire":{}}]},"tabs":[[9,9]]}`)
	f.Fuzz(func(t *testing.T, mine, theirs string) {
		joined := Join(&l.Steps[1], mine, theirs)
		p := &person{t: t, Model: New(at(t, l, "total").Settings, Size{Stage: 320}, Place{}, l, 1, &progress.Book{}, joined)}
		p.Update(Elsewhere{theirs})
		p.View()
		if kept := p.History(); Join(&l.Steps[1], kept, kept) != kept {
			t.Fatalf("joined with itself %s is another", kept)
		}
	})
}
