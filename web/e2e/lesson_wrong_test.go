//go:build e2e

package e2e

import (
	"fmt"
	"testing"

	"retrylab.example/core/clock"
	"retrylab.example/core/lesson"
	"retrylab.example/core/text"
)

// TestWrongAnswers: a wrong answer does not solve the step. The check that it breaks says what was expected and what is,
// and leads to the event that broke it. After that the step can still be solved.
func TestWrongAnswers(t *testing.T) {
	for _, w := range []struct{ lesson, step, answer string }{
		{"lost-replies", "third-attempt", "one-too-many"},
		{"lost-replies", "without-a-key", "two-replies-lost"},
		{"retry-budget", "statuses", "counts-500-in"},
		{"retry-budget", "one-deadline", "as-it-is"},
	} {
		t.Run(w.answer, func(t *testing.T) {
			st := stepOf(t, w.lesson, w.step)
			wrong := wrongAnswer(t, st, w.answer)
			p := newPlayer(open(t, hashOf(w.lesson, w.step)), mouse{}, st)
			p.answer(wrong.Answer)
			p.finish()
			p.drawn()
			if p.count("#solved") > 0 {
				t.Error("a wrong answer solves the step")
			}
			for i := range st.Checks {
				if st.Checks[i].ID == wrong.Fails {
					p.fails(t, i)
				}
			}
			p.h.press(p.tab, by(".undo button", text.English.Say("lab.restart")))
			p.waitRows(0)
			again := newPlayer(p.tab, mouse{}, st)
			again.answer(st.Solution)
			again.finish()
			again.solved()
		})
	}
}

func wrongAnswer(t *testing.T, st *lesson.Step, id string) lesson.WrongAnswer {
	t.Helper()
	for _, w := range st.Wrong {
		if w.ID == id {
			return w
		}
	}
	t.Fatalf("%s has no wrong answer %s", st.ID, id)
	return lesson.WrongAnswer{}
}

// fails checks that a check is shown as broken, and that it leads to the event that broke it.
func (p *player) fails(t *testing.T, check int) {
	t.Helper()
	r := p.step.Checks[check].Evaluate(p.played.Events)
	if r.State != lesson.Fails || r.Seq == 0 {
		t.Fatalf("the check %s is not broken by an event: choose another answer", p.step.Checks[check].ID)
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
			t.Errorf("the ring of the timeline stays at %v", after)
		}
	}
	p.shot("wrong-" + p.step.ID)
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
