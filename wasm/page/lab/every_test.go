package lab

import (
	"strings"
	"testing"

	"retrylab.example/core/lesson"
	"retrylab.example/core/text"
	"retrylab.example/wasm/progress"
	"retrylab.example/wasm/view/frame"
)

// The positions of every answer that the lessons know, right or wrong, can be drawn: in each language, wide and narrow,
// forwards and backwards; the solutions' most closely.
func TestEveryPositionIsDrawn(t *testing.T) {
	for _, l := range course(t) {
		for i := range l.Steps {
			st := &l.Steps[i]
			if !st.Plays() {
				continue
			}
			answers := []lesson.Answer{st.Solution}
			for _, w := range st.Wrong {
				answers = append(answers, w.Answer)
			}
			for k, a := range answers {
				lang := text.Langs()[k%len(text.Langs())]
				if k == 0 {
					drawEach(t, l, i, a, lang, Size{Stage: 640}, 30)
				}
				if k < 2 {
					drawEach(t, l, i, a, lang, Size{Stage: 328, Narrow: true}, 10)
				} else {
					drawEach(t, l, i, a, lang, Size{Stage: 640}, 6)
				}
			}
		}
	}
}

// stride is how many events a test goes on at once, so that it stops at some so many places of a long run, and at every
// event of a short one.
func stride(events, places int) int { return max(1, events/places) }

// drawEach draws some so many positions of an answer, and the events there as the ones that are explained.
func drawEach(t *testing.T, l *lesson.Lesson, step int, a lesson.Answer, lang text.Lang, size Size, places int) {
	t.Helper()
	m := New(frame.Settings{Lang: lang}, size, Place{Number: 1, Count: 1}, l, step, &progress.Book{}, "")
	m.tree.Replace(a.Inputs)
	m.replay()
	draw := func() string { return m.stage().HTML() + m.why().HTML() + m.totalsStrip().HTML() }
	stops := stride(len(m.played.Events), places)
	at := map[int]string{} // by how many events have happened; looked up only
	for {
		if m.pos.Count%stops == 0 {
			at[m.pos.Count] = draw()
		}
		if m.pos.Count == len(m.played.Events) {
			break
		}
		m.Update(Next{})
	}
	for m.pos.Count > 0 {
		if m.Update(Back{}); m.pos.Count%stops != 0 {
			continue
		}
		if got, want := draw(), at[m.pos.Count]; got != want {
			t.Errorf("%s: after %d events and back the page is another:\n%s\nwant\n%s", m.StepID(), m.pos.Count, got, want)
			return
		}
		if m.pos.Count > 0 {
			m.Update(Select{m.pos.Count})
			if !strings.Contains(draw(), `aria-current="true"`) {
				t.Errorf("%s: event %d is not shown as the explained one", m.StepID(), m.pos.Count)
			}
		}
	}
}
