package lab

import (
	"slices"
	"strings"
	"testing"

	"retrylab.example/core/event"
	"retrylab.example/core/lesson"
	"retrylab.example/core/scenario"
	"retrylab.example/wasm/effect"
	"retrylab.example/wasm/progress"
	"retrylab.example/wasm/view"
)

// Firing at an instant comes after all that is due at it, and shows all that it does at once.
func TestFiringComesAfterWhatIsDue(t *testing.T) {
	p := sent(t)
	arrives := p.played.At(ms(50))
	p.send(Scrub{50}, Back{}, Back{}) // in the middle of the arrival: more is due at this instant
	if p.pos.Count >= arrives.Count-1 || p.pos.Now != ms(50) {
		t.Fatalf("at %+v, the arrival ends at %+v", p.pos, arrives)
	}
	seen := slices.Clone(p.seen())
	p.use(Fire{})
	if p.pos.Now != ms(50) || p.played.Begins[1] != arrives.Count || p.pos.Count != p.played.Ends[1] {
		t.Errorf("the second request began after %d events and came to %+v, want it after %d", p.played.Begins[1], p.pos, arrives.Count)
	}
	for i := range seen {
		if p.played.Events[i].Kind != seen[i].Kind {
			t.Errorf("event %d has become %s", i+1, p.played.Events[i].Kind)
		}
	}
}

// Undo and redo change what is done, not what the clock shows; what had happened without the input stays as it was.
func TestUndoAndRedo(t *testing.T) {
	p := sent(t)
	first := p.pos
	p.send(Advance{1e9})
	p.use(Fire{})
	second := p.pos
	p.use(Undo{})
	if want := p.played.At(ms(1000)); p.pos != want || len(p.tree.Path()) != 1 {
		t.Errorf("undo came to %+v with %d inputs, want %+v", p.pos, len(p.tree.Path()), want)
	}
	p.use(Redo{})
	if p.pos != second || len(p.tree.Path()) != 2 {
		t.Errorf("redo came to %+v, want %+v", p.pos, second)
	}
	// Undoing what has not happened yet, after going back into the middle of an instant, moves nothing.
	p.send(Start{}, Next{})
	if p.use(Undo{}); p.pos != (scenario.Position{Count: 1}) {
		t.Errorf("undo in the middle of an instant came to %+v", p.pos)
	}
	p.use(Undo{})
	if p.pos.Count != 0 || offers(p.View(), Undo{}) {
		t.Errorf("with nothing done, there are %d events", p.pos.Count)
	}
	p.send(Undo{}).use(Redo{})
	if p.pos != first {
		t.Errorf("redo from the start came to %+v, want %+v", p.pos, first)
	}
}

// Acting after a rewind keeps the old future as a run of its own, which can be shown again.
func TestBranches(t *testing.T) {
	p := sent(t).send(Run{}, Run{}, Run{}, Run{}, Run{}, Run{}, Run{})
	old := p.tree.Branches()[0]
	end := p.pos
	p.send(Start{}, SetAmount{20}).use(Fire{})
	if got := p.tree.Branches(); len(got) != 2 || got[1] != old {
		t.Fatalf("the runs are %v", got)
	}
	p.use(ShowBranch{old})
	if p.pos != end || !p.tree.Shown(old) {
		t.Errorf("the old run is shown at %+v, want %+v", p.pos, end)
	}
	page := plain(p.View())
	if !strings.Contains(page, "Run 2: inputs 1") || !strings.Contains(page, "Run 1: inputs 1") {
		t.Error("the runs are not listed")
	}
}

// What a status or fault does next is ordered by a chip; it is pressed until a request takes it.
func TestInject(t *testing.T) {
	p := at(t, small(t), "total")
	pressed := func(name string) string {
		n, _ := lookup(p.View(), func(n view.Node) bool { return len(n.On) == 1 && n.On[0].Msg == any(Inject{name}) })
		v, _ := n.Get("aria-pressed")
		return v
	}
	p.use(SetRetryAfter{" 7 "}, Inject{"503"})
	if e := p.played.Events[0]; e.Kind != event.FaultInjected || e.Response.Status != 503 || e.Response.RetryAfter != "7" {
		t.Fatalf("the order is %+v", e.Response)
	}
	if pressed("503") != "true" || pressed("lost-reply") != "false" {
		t.Error("the chips do not show what is ordered")
	}
	p.use(Inject{"lost-reply"}, Fire{})
	if pressed("503") != "false" || pressed("lost-reply") != "true" {
		t.Error("the request did not take the first order only")
	}
	for _, bad := range []string{"lost-request", "429", "none", "reply", "999999", "", "-1"} {
		if p.send(Inject{bad}); len(p.tree.Path()) != 3 {
			t.Errorf("%q, which is not offered, was ordered", bad)
		}
	}
	// A header that cannot be sent is refused: it could not be kept either.
	for _, bad := range []string{"７", "soon…", "7\x00", strings.Repeat("1", 101)} {
		if p.send(SetRetryAfter{bad}, Inject{"503"}); len(p.tree.Path()) != 3 || p.problem == "" {
			t.Errorf("the Retry-After %q was taken", bad)
		}
	}
}

// A key that no header takes is refused with a reason, and everything that is taken can be kept.
func TestKeysThatNoHeaderTakes(t *testing.T) {
	all := course(t)
	p := at(t, all[0], "with-a-key")
	for _, bad := range []string{"주문-1", "注文", "a\x00", "é"} {
		if p.send(SetKey{bad}, Fire{}); len(p.tree.Path()) != 0 || !strings.Contains(p.View().HTML(), p.problem) || p.problem == "" {
			t.Errorf("the key %q was sent", bad)
		}
	}
	p.send(SetKey{"  "}, Fire{})
	if again := reload(p); again.notice != "" || len(again.tree.Path()) != 1 {
		t.Errorf("a blank key did not come back: %q", again.notice)
	}
}

// A prediction comes before any request, whatever else was done before.
func TestPredictionsComeFirst(t *testing.T) {
	p := at(t, small(t), "guess")
	p.Size.Narrow, p.pane = true, "timeline"
	p.use(Fire{})
	if len(p.tree.Path()) != 0 || p.notice == "" || p.pane != "lesson" || !p.did(effect.Focus{ID: predictID}) {
		t.Errorf("without an answer: %d inputs, notice %q, pane %s, effects %v", len(p.tree.Path()), p.notice, p.pane, p.effects)
	}
	if got := p.spoken(); len(got) != 1 || got[0] != p.notice {
		t.Errorf("spoken %q", got)
	}
	p.use(Inject{"503"}).send(Fire{})
	if len(p.tree.Path()) != 1 {
		t.Error("an order opens the way around the question")
	}
	if offers(p.View(), KeepPrediction{}) {
		t.Error("an empty answer can be kept")
	}
	p.use(Predict{"two"}, Predict{"three"}, KeepPrediction{})
	if !p.did(effect.Focus{ID: predictID}) {
		t.Error("the focus stays on a button that is gone")
	}
	if p.send(Predict{"two"}); p.prediction != "three" || offers(p.View(), KeepPrediction{}) {
		t.Error("a kept answer can be changed")
	}
	if page := plain(find(t, p.View(), predictID)); strings.Contains(page, "happened") || strings.Contains(page, "As you said") {
		t.Errorf("the answer is judged before anything was sent: %s", page)
	}
	p.use(Restart{})
	if p.kept || p.prediction != "" {
		t.Error("starting over keeps the answer")
	}
	p.play(lesson.Answer{Prediction: "two", Inputs: p.current().Solution.Inputs})
	if page := plain(find(t, p.View(), predictID)); !strings.Contains(page, "differently") || p.state() != progress.Open {
		t.Errorf("a wrong answer says %q, state %q", page, p.state())
	}
	p.use(Restart{}).play(lesson.Answer{Prediction: "three", Inputs: p.current().Solution.Inputs})
	if page := plain(find(t, p.View(), predictID)); !strings.Contains(page, "As you said") || p.state() != progress.Solved {
		t.Errorf("a right answer says %q, state %q", page, p.state())
	}
	if !p.judgedBranch(p.tree.Branches()[0]).holds || !strings.Contains(plain(p.View()), "all checks hold") {
		t.Error("the same run is listed as one that failed, as it was with the other answer")
	}
}

// Solving is recorded once, spoken once, and kept.
func TestSolvedOnce(t *testing.T) {
	p := at(t, small(t), "total")
	p.use(SetKey{"order-1"}, Fire{})
	solved := 0
	for p.pos.Count < len(p.played.Events) {
		p.send(Next{})
		book, ok := p.stored(progress.Key)
		if !ok {
			continue
		}
		solved++
		if got := p.spoken(); len(got) != 1 || !strings.Contains(got[0], "Solved") {
			t.Errorf("spoken %q", got)
		}
		if b, err := progress.Read(book); err != nil || b.Of("base", "total") != progress.Solved {
			t.Errorf("kept %s: %v", book, err)
		}
	}
	p.send(Back{}, Next{}, Start{}, Run{}, Run{}, Run{}, Run{}, Run{}, Run{}, Run{}, Run{}, Run{})
	if _, again := p.stored(progress.Key); again || solved != 1 {
		t.Errorf("it was recorded %d times, then again: %t", solved, again)
	}
	if !has(p.View(), "solved") {
		t.Error("the page does not say so")
	}
}

// A step whose solution was opened first is seen, not solved; after that, playing it oneself changes nothing.
func TestTheSolutionIsSeen(t *testing.T) {
	for _, id := range []string{"total", "guess", "tune"} {
		p := at(t, small(t), id).use(ShowSolution{})
		if p.pos != (scenario.Position{}) || p.state() != progress.Open || p.notice == "" || !p.did(effect.Focus{ID: nextID}) {
			t.Errorf("%s: at %+v, %q, notice %q", id, p.pos, p.state(), p.notice)
		}
		if again := reload(p); again.pos != p.pos || !again.shown {
			t.Errorf("%s: after a reload at %+v", id, again.pos)
		}
		for p.pos.Count < len(p.played.Events) {
			p.use(Next{})
		}
		if p.state() != progress.Seen || !slices.ContainsFunc(p.spoken(), func(s string) bool { return strings.Contains(s, "Seen") }) {
			t.Errorf("%s: played to its end it is %q, spoken %q", id, p.state(), p.spoken())
		}
		if p.use(Restart{}).play(p.current().Solution); p.state() != progress.Seen {
			t.Errorf("%s: played anew it is %q", id, p.state())
		}
	}
	p := at(t, small(t), "total").play(small(t).Steps[1].Solution).use(ShowSolution{})
	if p.send(Run{}, Run{}, Run{}); p.state() != progress.Solved {
		t.Errorf("a step that was solved before has become %q", p.state())
	}
}

func TestHints(t *testing.T) {
	p := at(t, small(t), "total").use(Hint{})
	if !p.did(effect.Focus{ID: "hint-1"}) || !has(p.View(), "hint-1") || offers(p.View(), Hint{}) {
		t.Errorf("the only hint: effects %v", p.effects)
	}
	if p.send(Hint{}); p.hints != 1 {
		t.Errorf("%d hints of one were opened", p.hints)
	}
}

// Where a tree is full the page says so and stays as it was.
func TestAFullTree(t *testing.T) {
	p := at(t, small(t), "total")
	for i := range scenario.MaxNodes {
		p.tree.Act(0, scenario.Input{At: ms(int64(i)), Action: p.current().Solution.Inputs[0].Action})
	}
	p.tree.Restart()
	p.replay()
	p.send(Advance{1e9}, SetKey{"order-1"}, SetAmount{20}, Fire{})
	if p.problem == "" || len(p.tree.Path()) != 0 || len(p.played.Events) != 0 {
		t.Errorf("problem %q, %d inputs", p.problem, len(p.tree.Path()))
	}
	p.form.amount = 10
	if p.send(Start{}, ShowSolution{}); p.problem != "" {
		t.Errorf("a run that is kept is not shown: %s", p.problem)
	}
}

// A run that has reached its bound takes nothing at its end, and everything before it.
func TestAStoppedRun(t *testing.T) {
	l := small(t)
	l.Steps[stepIndex(t, l, "total")].Scenario.MaxEvents = 6
	p := at(t, l, "total").use(Fire{}).send(Run{}, Run{}, Run{}, Run{}, Run{}, Run{}, Run{}, Run{})
	if !p.played.Stopped || p.grade.Settled {
		t.Fatalf("stopped %t, settled %t", p.played.Stopped, p.grade.Settled)
	}
	if p.send(Fire{}); p.problem == "" || len(p.tree.Path()) != 1 {
		t.Errorf("at the end: problem %q, %d inputs", p.problem, len(p.tree.Path()))
	}
	if p.send(Start{}, SetAmount{20}, Fire{}); p.problem != "" || len(p.tree.Path()) != 1 || p.tree.Path()[0].Action.Request.Amount != 20 {
		t.Errorf("from the start: problem %q, inputs %v", p.problem, p.tree.Path())
	}
}

// Selecting: a row, a mark, the choices in turn. A phone shows what was asked for.
func TestSelecting(t *testing.T) {
	p := at(t, small(t), "total").play(small(t).Steps[1].Solution)
	var choices []int
	for i := range p.played.Events {
		if p.played.Events[i].Decides() {
			choices = append(choices, i+1)
		}
	}
	if p.selected != choices[len(choices)-1] {
		t.Errorf("at the end, event %d is explained, want the last choice %d", p.selected, choices[len(choices)-1])
	}
	for i := len(choices) - 2; i >= 0; i-- {
		if p.use(SelectDecision{-1}); p.selected != choices[i] {
			t.Errorf("the choice before is %d, want %d", p.selected, choices[i])
		}
	}
	if p.send(SelectDecision{-1}); p.selected != choices[0] || offers(p.View(), SelectDecision{-1}) {
		t.Errorf("before the first choice comes %d", p.selected)
	}
	for _, seq := range []int{0, -1, len(p.played.Events) + 1, 1 << 40} {
		if e, _ := p.send(Select{seq}).selectedEvent(); e != nil {
			t.Errorf("event %d is explained as %s", seq, e.Kind)
		}
		p.View()
	}
	p.send(Select{3}, Point{-100, -100}, Point{1e9, 1e9})
	if p.selected != 3 {
		t.Errorf("a click beside everything chose %d", p.selected)
	}
	p.send(Resize{Size{Stage: 328, Narrow: true}})
	for before, after := range map[string]string{"lesson": "timeline", "timeline": "timeline", "events": "events"} {
		if p.send(Pane{before}, Select{2}); p.pane != after {
			t.Errorf("from the pane %s it goes to %s, want %s", before, p.pane, after)
		}
		if p.send(Pane{before}, Fire{}, Undo{}); p.pane != after {
			t.Errorf("firing goes from the pane %s to %s, want %s", before, p.pane, after)
		}
	}
	p.use(Sheet{})
	if open, _ := p.View().Get("data-sheet"); open != "open" {
		t.Errorf("the sheet is %s", open)
	}
}

// A step to read is solved by going on from it, and not by opening it; nothing in it is played. The last page sums up.
func TestStepsToRead(t *testing.T) {
	p := at(t, small(t), "read")
	effects := p.Visit()
	if len(effects) != 1 || p.state() != progress.Open || p.book.Last != "base/read" {
		t.Errorf("effects %v, state %q, last %q", effects, p.state(), p.book.Last)
	}
	next := at(t, small(t), "total")
	next.book.Last = "base/read"
	if next.Visit(); next.book.Of("base", "read") != progress.Solved || next.state() != progress.Open {
		t.Errorf("after going on the step to read is %q, the next %q", next.book.Of("base", "read"), next.state())
	}
	elsewhere := at(t, small(t), "total")
	if elsewhere.Visit(); elsewhere.book.Of("base", "read") != progress.Open {
		t.Error("a step that nobody has opened is solved")
	}
	for _, msg := range []any{Fire{}, Next{}, Key{Name: "f"}, Undo{}, ShowSolution{}, Select{1}} {
		if p.send(msg); p.effects != nil {
			t.Errorf("%T has the effects %v", msg, p.effects)
		}
	}
	if p.ScrubValue() != "0" || has(p.View(), "clock") {
		t.Error("a step to read has a clock")
	}
	end := at(t, small(t), End)
	end.Visit()
	if page := plain(end.View()); !strings.Contains(page, "0 of 5 steps solved") || !strings.Contains(page, "Look twice.") ||
		strings.Contains(end.Title(), "·  ·") {
		t.Errorf("the last page: %s", page)
	}
	for i := range end.lesson.Steps {
		end.book.Set("base", end.lesson.Steps[i].ID, progress.Solved)
	}
	if page := plain(end.View()); !strings.Contains(page, "Lesson finished") || !strings.Contains(page, "5 of 5") {
		t.Errorf("the last page of a finished lesson: %s", page)
	}
	played := at(t, small(t), "total")
	if played.Visit(); played.state() != progress.Open {
		t.Errorf("a step to play is %q when it is opened", played.state())
	}
}
