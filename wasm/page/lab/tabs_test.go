package lab

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"retrylab.example/core/text"
	"retrylab.example/wasm/effect"
	"retrylab.example/wasm/view"
)

// letters returns the letters of the tabs that the page shows, and the one that is selected.
func (p *person) letters() (all, selected string) {
	visit(p.View(), func(n view.Node) {
		if role, _ := n.Get("role"); role != "tab" {
			return
		}
		id, _ := n.Get("id")
		letter := strings.ToUpper(strings.TrimPrefix(id, "tab-"))
		all += letter
		if on, _ := n.Get("aria-selected"); on == "true" {
			selected += letter
		}
	})
	return all, selected
}

// branch acts after a rewind to the start: another request, of this amount.
func (p *person) branch(amount int) *person { return p.send(Start{}, SetAmount{amount}).use(Fire{}) }

// Acting after a rewind keeps the old future in a tab beside the new run; a tab shows its run at the same instant.
func TestWhatIfTabs(t *testing.T) {
	p := sent(t).send(Run{}, Run{}, Run{}, Run{})
	if all, _ := p.letters(); all != "" {
		t.Fatalf("one run has the tabs %s", all)
	}
	p.branch(100)
	if all, on := p.letters(); all != "AB" || on != "B" {
		t.Fatalf("the tabs are %s, shown is %s", all, on)
	}
	p.use(Fire{})
	if all, on := p.letters(); all != "AB" || on != "B" {
		t.Errorf("going on in a run gives the tabs %s, shown is %s", all, on)
	}
	now := p.pos.Now
	p.use(ShowTab{'A'})
	if _, on := p.letters(); on != "A" || p.pos.Now != now || len(p.tree.Path()) != 1 {
		t.Errorf("tab A shows %s at %v with %d inputs", on, p.pos.Now, len(p.tree.Path()))
	}
	if s := p.spoken(); len(s) != 1 || !strings.HasSuffix(s[0], "Run A, from 0.000\u00a0s: POST /add, 10.") {
		t.Errorf("spoken %q", s)
	}
	if got := plain(find(t, p.View(), "tab-b")); !strings.Contains(got, "from 0.000 s: POST /add, 100") {
		t.Errorf("tab B says %q", got)
	}
	p.use(Undo{}, Redo{})
	if all, on := p.letters(); all != "AB" || on != "A" {
		t.Errorf("undo and redo give the tabs %s, shown is %s", all, on)
	}
}

// A fifth run takes the place of the one that was left the longest ago, and the page says which goes.
func TestAtMostFourTabs(t *testing.T) {
	p := sent(t).branch(20).branch(30).branch(40)
	if all, on := p.letters(); all != "ABCD" || on != "D" {
		t.Fatalf("the tabs are %s, shown is %s", all, on)
	}
	runs := len(p.tree.Branches())
	p.use(ShowTab{'A'}).branch(50)
	if all, on := p.letters(); all != "ABCD" || on != "A" && on != "B" || !strings.Contains(plain(p.View()), "its tab is closed") {
		t.Errorf("a fifth run gives the tabs %s and says %q", all, p.notice)
	}
	if len(p.tree.Branches()) != runs+1 {
		t.Errorf("there are %d runs, want %d: the run of the closed tab stays", len(p.tree.Branches()), runs+1)
	}
}

// A tab can be closed; its run stays in the list, from which it comes back.
func TestCloseTab(t *testing.T) {
	p := sent(t).branch(100)
	closed := p.tree.End()
	p.use(CloseTab{'B'})
	if all, _ := p.letters(); all != "" || !p.did(effect.Focus{ID: nextID}) || p.tree.End() == closed {
		t.Errorf("after closing the second of two there are the tabs %q", all)
	}
	p.use(ShowBranch{closed})
	if all, on := p.letters(); all != "AB" || on != "B" {
		t.Errorf("the run comes back with the tabs %s, shown is %s", all, on)
	}
}

// The tabs are the same after a reload; what does not fit is left aside.
func TestTabsAreKept(t *testing.T) {
	p := sent(t).branch(100).use(ShowTab{'A'})
	q := at(t, small(t), "total")
	q.Model = New(q.Settings, q.Size, q.place, q.lesson, q.step, q.book, p.History())
	if all, on := q.letters(); all != "AB" || on != "A" || !slices.Equal(q.tabs, p.tabs) {
		t.Errorf("after a reload the tabs are %s, shown is %s: %v", all, on, q.tabs)
	}
	for _, bad := range []string{`"tabs":[[999,0],[-1,1]]`, `"tabs":[[1,77]]`, `"tabs":[[2,0],[2,1],[2,2],[2,3],[2,4]]`} {
		h := p.History()
		i := strings.Index(h, `"tabs"`)
		q.Model = New(q.Settings, q.Size, q.place, q.lesson, q.step, q.book, h[:i]+bad+"}")
		if _, on := q.letters(); len(q.tabs) == 0 || len(q.tabs) > 1 && on == "" {
			t.Errorf("%s gives the tabs %v", bad, q.tabs)
		}
	}
}

// Whatever is done, each tab is a run of the tree, no two are the same, and the run that is shown has one.
func TestTabsFollowTheTree(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 1))
	p := knobbed(t)
	for i := range 600 {
		do := []any{
			Fire{}, Fire{}, SetAmount{10 * r.IntN(4)}, Next{}, Back{}, Start{}, Run{}, Undo{}, Redo{}, Restart{}, Advance{time.Duration(r.IntN(300)) * time.Millisecond},
			SetKnob{"attempts", []string{"4", "5", "6"}[r.IntN(3)]}, ApplyPolicy{}, ReplayPolicy{}, LeaveKnobs{},
			ShowTab{'A' + byte(r.IntN(5))}, CloseTab{'A' + byte(r.IntN(5))}, Play{},
		}
		msg := do[r.IntN(len(do))]
		p.send(msg)
		checkTabs(t, p)
		if i%60 == 0 {
			p.Settings.Lang = text.Langs()[i/60%3]
			checkPage(t, "tune", p.View())
		}
		if t.Failed() {
			t.Fatalf("after %d messages, the last %T%+v", i+1, msg, msg)
		}
	}
}

func checkTabs(t *testing.T, p *person) {
	t.Helper()
	ends := p.tree.Branches()
	var letters []byte
	var runs []int
	for _, tab := range p.tabs {
		if !slices.Contains(ends, tab.end) || slices.Contains(runs, tab.end) || slices.Contains(letters, tab.letter) {
			t.Errorf("the tabs are %v of the runs %v", p.tabs, ends)
		}
		letters, runs = append(letters, tab.letter), append(runs, tab.end)
	}
	if len(p.tabs) > mostTabs || !slices.IsSorted(letters) {
		t.Errorf("the tabs are %v", p.tabs)
	}
	if end := p.tree.End(); end > 0 && !slices.Contains(runs, end) {
		t.Errorf("the run %d that is shown is in none of %v", end, p.tabs)
	}
}

// A knob that is turned in the middle of a run asks from when on it shall hold; each answer is one button, and the focus
// goes on from there.
func TestAKnobInTheMiddleOfARunAsks(t *testing.T) {
	turned := func() *person {
		return knobbed(t).use(Fire{}).send(Run{}, Run{}).use(SetKnob{"attempts", "7"})
	}
	p := turned()
	if s := p.spoken(); len(s) != 1 || !strings.Contains(s[0], "From when on") {
		t.Errorf("spoken %q", s)
	}
	if !strings.Contains(plain(p.View()), "From when on shall your change hold?") {
		t.Error("the page does not ask")
	}
	if p.use(SetKnob{"attempts", "75"}); len(p.spoken()) != 0 {
		t.Errorf("it asks aloud at each letter: %q", p.spoken())
	}
	for _, answer := range []any{ApplyPolicy{}, ReplayPolicy{}, LeaveKnobs{}} {
		p := turned()
		inputs := len(p.tree.Path())
		p.use(answer)
		if p.asks() || !p.did(effect.Focus{ID: policyID}) {
			t.Errorf("%T leaves the question, or the focus: %v", answer, p.effects)
		}
		want := inputs + 1
		if answer == (LeaveKnobs{}) {
			want = inputs
			if !p.did(effect.SetValue{ID: "knob-attempts", Value: p.knobText("attempts")}) {
				t.Errorf("the field keeps what was typed: %v", p.effects)
			}
		}
		if len(p.tree.Path()) != want {
			t.Errorf("%T gives a run of %d inputs, want %d", answer, len(p.tree.Path()), want)
		}
	}
	if p := turned().use(ReplayPolicy{}); len(p.tabs) != 2 {
		t.Errorf("the run before it has no tab: %v", p.tabs)
	}
}
