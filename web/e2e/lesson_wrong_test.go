//go:build e2e

package e2e

import (
	"fmt"

	"retrylab.example/core/clock"
	"retrylab.example/core/lesson"
	"retrylab.example/core/text"
)

// failOnPurpose gives the step's first wrong answer that an event breaks. It does not solve the step; the check that it
// breaks says what was expected and what is, and leads to the event. Then it begins anew. It reports whether the step has
// such an answer.
func failOnPurpose(p *tab, h hands, st *lesson.Step) bool {
	p.t.Helper()
	w, check := wrongAnswer(st)
	if w == nil {
		return false
	}
	play := newPlayer(p, h, st)
	play.answer(w.Answer)
	play.finish()
	p.drawn()
	if p.count("#solved") > 0 {
		p.t.Errorf("%s: the wrong answer %s solves the step", st.ID, w.ID)
	}
	play.fails(check)
	h.press(p, by(".undo button", text.English.Say("lab.restart")))
	p.waitRows(0)
	return true
}

// wrongAnswer returns the first wrong answer whose named check is broken by an event, and the check; nil if the step has
// none.
func wrongAnswer(st *lesson.Step) (*lesson.WrongAnswer, int) {
	for i := range st.Wrong {
		played, err := st.Scenario.Play(st.Wrong[i].Answer.Inputs)
		if err != nil {
			continue
		}
		for k := range st.Checks {
			c := &st.Checks[k]
			if r := c.Evaluate(played.Events); c.ID == st.Wrong[i].Fails && r.State == lesson.Fails && r.Seq > 0 {
				return &st.Wrong[i], k
			}
		}
	}
	return nil, 0
}

// fails checks that a check is shown as broken, and that it leads to the event that broke it.
func (p *player) fails(check int) {
	p.t.Helper()
	r := p.step.Checks[check].Evaluate(p.played.Events)
	if r.State != lesson.Fails || r.Seq == 0 {
		p.t.Fatalf("the check %s is not broken by an event: choose another answer", p.step.Checks[check].ID)
	}
	row := fmt.Sprintf(".checks > li:nth-child(%d)", check+1)
	want(p.tab, `document.querySelector(`+quote(row)+`).classList.contains("check--fail")`, true)
	want(p.tab, `document.querySelector(`+quote(row+" .check__mark")+`).getAttribute("aria-label")`, p.lang.Say("lab.check-fails"))
	want(p.tab, `[...document.querySelectorAll(`+quote(row+" dt, "+row+" dd")+`)].map((e) => e.textContent).join("|")`,
		p.lang.Say("lab.expected")+"|"+p.lang.CheckValue(r.Expected)+"|"+p.lang.Say("lab.actual")+"|"+p.lang.CheckValue(r.Actual))
	before := eval[[]int](p.tab, ringAt)
	p.h.press(p.tab, one(row+" .jump"))
	want(p.tab, `[...document.querySelectorAll("#events tr.is-sel")].map((e) => e.id).join()`, fmt.Sprintf("ev-%d", r.Seq))
	want(p.tab, `document.querySelector("#why .why__at b").textContent`, p.lang.Seconds(p.played.Events[r.Seq-1].At.Sub(clock.Start)))
	if selected := p.selectedBefore(); selected != r.Seq {
		if after := eval[[]int](p.tab, ringAt); len(after) != 2 || after[0] == before[0] && after[1] == before[1] {
			p.t.Errorf("the ring of the timeline stays at %v", after)
		}
	}
}

// selectedBefore is the event that was explained at the end of the run: its latest choice.
func (p *player) selectedBefore() int {
	for i := len(p.played.Events) - 1; i >= 0; i-- {
		if p.played.Events[i].Decides() {
			return p.played.Events[i].Seq
		}
	}
	return 0
}

// ringAt is where the timeline rings the selected event.
const ringAt = `((r) => r ? [Math.round(r.x), Math.round(r.y)] : [])(document.querySelector("#timeline .tl-sel")?.getBoundingClientRect())`
