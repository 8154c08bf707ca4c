package lab

import (
	"strings"
	"testing"

	"retrylab.example/core/call"
	"retrylab.example/core/lesson"
	"retrylab.example/core/sim"
	"retrylab.example/wasm/progress"
	"retrylab.example/wasm/view"
	"retrylab.example/wasm/view/frame"
)

// offering is the small lesson with whole requests and bursts in its step "total".
func offering(t testing.TB) *lesson.Lesson {
	t.Helper()
	l := small(t)
	a := &l.Steps[stepIndex(t, l, "total")].Allow
	label := func(en, ko string) lesson.Text { return lesson.Text{{Lang: "en", Text: en}, {Lang: "ko", Text: ko}} }
	a.Methods, a.Keys, a.Amounts, a.Times = nil, nil, nil, []int{1, 3}
	a.Requests = []lesson.Offer{
		{ID: "read", Label: label("Read the total", "합계 읽기"), Request: call.Request{Method: "GET", Path: "/total"}},
		{ID: "add", Label: label("Add 10", "10 더하기"), Request: call.Request{Method: "POST", Path: "/add", Amount: 10}, Keys: []string{"r-1", ""}},
		{ID: "again", Label: label("Add 20", "20 더하기"), Request: call.Request{Method: "POST", Path: "/add", Amount: 20, ClientID: "bad key!"}, Keys: []string{"r-2", "r-1"}},
	}
	return l
}

// The request that is chosen goes out as it is on offer, as often as was chosen, and undo takes it all back.
func TestFireSendsTheChosenRequest(t *testing.T) {
	p := at(t, offering(t), "total")
	fired := func() sim.Action { return p.tree.Path()[len(p.tree.Path())-1].Action }
	p.send(Key{Name: "f"})
	if a := fired(); a.Request != (call.Request{Method: "GET", Path: "/total"}) || a.Times != 0 {
		t.Errorf("first %+v went out", a)
	}
	p.use(SetOffer{"add"}, SetTimes{3}).send(Key{Name: "F"})
	if a := fired(); a.Request != (call.Request{Method: "POST", Path: "/add", Amount: 10, Key: "r-1", Keyed: true}) || a.Times != 3 {
		t.Errorf("then %+v went out", a)
	}
	if got := p.totals().Calls; got != 4 {
		t.Errorf("%d calls were started, want 4", got)
	}
	if p.use(Undo{}); len(p.tree.Path()) != 1 || p.totals().Calls != 1 {
		t.Errorf("after undo there are %d inputs and %d calls", len(p.tree.Path()), p.totals().Calls)
	}
	p.use(SetKey{""}, SetTimes{1}, Fire{})
	if a := fired(); a.Request.Keyed || a.Times != 0 {
		t.Errorf("without a key %+v went out", a)
	}
	if bad := p.current().Forbidden(lesson.Answer{Inputs: p.tree.Path()}); len(bad) > 0 {
		t.Errorf("the page offers what is forbidden: %q", bad)
	}
}

// A key stays where the next request offers it too; else the first of its keys is taken.
func TestKeysFollowTheRequest(t *testing.T) {
	p := at(t, offering(t), "total")
	if p.form.keyed || offers(p.View(), SetKey{"r-1"}) {
		t.Error("a request without keys offers one")
	}
	for _, c := range []struct{ offer, key string }{{"add", "r-1"}, {"again", "r-1"}, {"read", ""}, {"again", "r-2"}, {"add", "r-1"}} {
		if p.use(SetOffer{c.offer}); p.form.key != c.key || p.form.keyed != (c.key != "") {
			t.Errorf("%s has the key %q, want %q", c.offer, p.form.key, c.key)
		}
	}
	if p.send(SetOffer{"gone"}); p.offer().ID != "add" {
		t.Errorf("an unknown request chose %s", p.offer().ID)
	}
}

// Whoever comes back finds the request that was sent last, and how many of it.
func TestTheFormRemembersTheRequest(t *testing.T) {
	l := offering(t)
	p := at(t, l, "total").use(SetOffer{"again"}, SetKey{"r-1"}, SetTimes{3}, Fire{})
	m := New(frame.Settings{Lang: p.lang()}, Size{Stage: 640}, Place{Number: 1, Count: 1}, l, p.step, &progress.Book{}, p.History())
	if m.offer().ID != "again" || m.form.key != "r-1" || m.form.times != 3 {
		t.Errorf("it shows %s with the key %q, %d at once", m.offer().ID, m.form.key, m.form.times)
	}
	if len(m.played.Events) != len(p.played.Events) {
		t.Errorf("there are %d events, want %d", len(m.played.Events), len(p.played.Events))
	}
}

// Each select has its label, and what cannot be chosen is no select.
func TestRequestFieldsAreLabelled(t *testing.T) {
	l := offering(t)
	page := view.El("div", at(t, l, "total").use(SetOffer{"add"}).sendBar()).HTML()
	for _, label := range []string{"Request", "Key", "How many at once"} {
		if !strings.Contains(page, ">"+label+"</span><select") {
			t.Errorf("no select is labelled %q: %s", label, page)
		}
	}
	a := &l.Steps[stepIndex(t, l, "total")].Allow
	a.Times = []int{3}
	p := at(t, l, "total")
	if page := view.El("div", p.sendBar()).HTML(); !strings.Contains(page, "3 at once") || strings.Contains(page, "How many") {
		t.Errorf("one number only: %s", page)
	}
	if p.use(Fire{}); p.tree.Path()[0].Action.Times != 3 {
		t.Errorf("%d were fired, want 3", p.tree.Path()[0].Action.Times)
	}
}
