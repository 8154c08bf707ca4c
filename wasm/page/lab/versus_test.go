package lab

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"retrylab.example/core/text"
	"retrylab.example/wasm/effect"
	"retrylab.example/wasm/view/timeline"
)

// two is a person with two runs in tabs that part at the start: another amount was sent.
func two(t *testing.T) *person { return sent(t).branch(20).send(Run{}) }

// Two runs stand above each other under one clock, with the difference as words, as a table, and both totals.
func TestComparison(t *testing.T) {
	p := two(t).use(Compare{})
	if p.versus == nil || !p.did(effect.Focus{ID: titleID}) {
		t.Fatal("it does not compare")
	}
	p.send(Run{})
	page := plain(p.View())
	for _, words := range []string{"Two runs, the same draws", "Same until 0.000 s.", "POST /add, 20", "What differs", "A alice", "B alice"} {
		if !strings.Contains(page, words) {
			t.Errorf("the page does not say %q", words)
		}
	}
	if a, b := plain(find(t, p.View(), "actual-1")), plain(find(t, p.View(), "actual-2")); a == b {
		t.Errorf("both totals are %s", a)
	}
	checkPage(t, "comparison", p.View())
	for i := range p.played.Events {
		s, seq := p.versus.side(i)
		e, own := p.played.Events[i], p.versus.runs[s].Events[seq-1]
		if e.At != own.At || e.Kind != own.Kind || e.Seq != i+1 || i > 0 && e.At < p.played.Events[i-1].At {
			t.Errorf("event %d of both is %v at %v, of run %d it is %v at %v", i+1, e.Kind, e.At, s, own.Kind, own.At)
		}
	}
	if p.use(CloseCompare{}); p.versus != nil || !p.did(effect.Focus{ID: compareID}) {
		t.Error("it compares on")
	}
}

// The clock steps both runs: each event of either is one step, and back is exact.
func TestOneClockForTwoRuns(t *testing.T) {
	p := two(t).use(Compare{}).send(Start{})
	for n := range len(p.played.Events) {
		before := p.View().HTML()
		p.send(Next{}, Back{})
		if p.View().HTML() != before {
			t.Fatalf("after %d events, next and back give another page", n)
		}
		p.send(Next{})
		if len(p.seenOf(0))+len(p.seenOf(1)) != n+1 || len(p.spoken()) != 1 {
			t.Errorf("after %d steps there are %d and %d events, spoken %q", n+1, len(p.seenOf(0)), len(p.seenOf(1)), p.spoken())
		}
	}
	if p.send(Start{}, Play{}).frames(100_000, 40*time.Millisecond, false); p.pos.Count != len(p.played.Events) {
		t.Errorf("playing both ends at %+v", p.pos)
	}
}

// Each difference opens its event in its own run.
func TestOpenADifference(t *testing.T) {
	for s := range 2 {
		p := two(t).use(Compare{})
		seq := p.versus.found.Parting.Index[s] + 1
		p.use(OpenSide{s, seq})
		if p.versus != nil || p.selected != seq || p.pos.Count != seq || p.shownTab() != "AB"[s] {
			t.Errorf("side %d shows event %d of run %c, want %d", s, p.selected, p.shownTab(), seq)
		}
	}
	// A row of the table leads to the decision that differs, in either run.
	p := knobbed(t).use(Fire{}).send(Run{}, Run{}).use(ComparePolicy{"contract-e"})
	for _, d := range p.lang().Differences(&p.versus.found, p.current().Scenario.Names()) {
		for s, seq := range d.Seqs {
			if seq > 0 && !offers(p.View(), OpenSide{s, seq}) {
				t.Errorf("nothing opens %s in run %d", d.Label, s)
			}
		}
	}
}

// A ready policy is a run of its own beside the one that is shown, with the same requests; a step takes of it what its
// knobs allow.
func TestCompareWithAPolicy(t *testing.T) {
	p := knobbed(t).use(Fire{}).send(Run{}, Run{}, Run{})
	inputs := len(p.tree.Path())
	p.use(ComparePolicy{"contract-e"})
	if p.versus == nil || len(p.tabs) != 2 || len(p.tree.Path()) != inputs+len(p.current().Scenario.Clients) {
		t.Fatalf("tabs %v, inputs %d, it says %q", p.tabs, len(p.tree.Path()), p.notice+p.problem)
	}
	if wrong := p.current().Forbidden(p.Answer()); len(wrong) > 0 {
		t.Errorf("the step does not allow the run: %v", wrong)
	}
	if p.send(CloseCompare{}, ComparePolicy{"contract-e"}); p.versus != nil || p.notice == "" {
		t.Error("a policy is compared with itself")
	}
	if p := at(t, small(t), "total").use(Fire{}); offers(p.View(), ComparePolicy{"contract-e"}) {
		t.Error("a step without knobs offers another policy")
	}
}

// The comparison is there again after a reload, and in another language.
func TestComparisonIsKept(t *testing.T) {
	p := two(t).use(Compare{}).send(Start{}, Next{}, Next{}, Next{})
	q := New(p.Settings, p.Size, p.place, p.lesson, p.step, p.book, p.History())
	if q.versus == nil || q.versus.letters != p.versus.letters || q.pos.Now != p.pos.Now {
		t.Fatalf("after a reload: %+v", q.versus)
	}
	p.speak(text.Korean)
	if page := plain(p.View()); !strings.Contains(page, "두 실행, 같은 난수") {
		t.Error("the comparison does not follow the language")
	}
	if p.use(PickSide{0, p.versus.letters[1]}); p.versus.letters != [2]byte{'B', 'A'} {
		t.Errorf("choosing the run below for above gives %q", p.versus.letters[:])
	}
}

// Whatever is done to a comparison, it can be drawn, wide and narrow, and what it stands on stays sound.
func TestRandomComparison(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 3))
	p := two(t)
	for i := range 400 {
		do := []any{
			Compare{}, Compare{}, CloseCompare{}, Next{}, Back{}, Start{}, Run{}, NextTimer{}, NextDecision{}, Play{}, Fire{}, Undo{}, Restart{},
			PickSide{r.IntN(3), 'A' + byte(r.IntN(4))}, OpenSide{r.IntN(2), r.IntN(20)}, Select{r.IntN(20)}, Point{50, 60},
			Advance{time.Duration(r.IntN(900)) * time.Millisecond}, ShowTab{'A' + byte(r.IntN(3))}, Zoom{50}, ShowAll{}, SelectDecision{1},
			SetAmount{10 * r.IntN(4)}, Resize{Size{Stage: 640}}, Resize{Size{Stage: 328, Narrow: true}},
		}
		msg := do[r.IntN(len(do))]
		p.send(msg)
		checkTabs(t, p)
		p.View()
		if p.pos.Count > len(p.played.Events) || p.versus != nil && !slices.Equal(p.versus.places[0], slices.Compact(slices.Clone(p.versus.places[0]))) {
			t.Fatalf("message %d, %T%+v: %+v", i, msg, msg, p.pos)
		}
	}
}

// Two crowds are drawn one below the other on one scale, each with its arrivals and its amplification.
func TestTwoCrowds(t *testing.T) {
	l := small(t)
	st := &l.Steps[stepIndex(t, l, "total")]
	for i := range 14 {
		c := st.Scenario.Clients[0]
		c.Name = "more-" + strconv.Itoa(i)
		st.Scenario.Clients, st.Scenario.Requests = append(st.Scenario.Clients, c), append(st.Scenario.Requests, st.Scenario.Requests[0])
	}
	p := at(t, l, "total").send(Fire{}, SetClient{3}, Fire{}, Run{}, Restart{}, SetAmount{20}, Fire{}, Run{}, Compare{})
	if p.versus == nil {
		t.Fatal("it does not compare")
	}
	p.send(Run{}, Run{}, Run{})
	in, crowds := p.crowds()
	html := p.View().HTML()
	if !crowds || in[0].Peak != in[1].Peak || in[0].Peak < 2 {
		t.Errorf("crowds %v with the peaks %d and %d", crowds, in[0].Peak, in[1].Peak)
	}
	if n := strings.Count(html, p.lang().Say("timeline.crowd.amplification")); n != 2 {
		t.Errorf("the amplification is said %d times", n)
	}
	if n := strings.Count(html, `id="`+timeline.NowID+`"`); n != 1 {
		t.Errorf("now has %d marks of its name", n)
	}
	if was := p.selected; p.send(Point{300, 400}).selected != was {
		t.Error("a click selects an event that has no mark")
	}
	checkPage(t, "two crowds", p.View())
}
