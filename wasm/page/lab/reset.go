package lab

import (
	"strconv"

	"retrylab.example/wasm/progress"
	"retrylab.example/wasm/view"
	"retrylab.example/wasm/view/frame"
)

// resettable reports whether the page keeps something of the course that can be reset from here.
func (m *Model) resettable() bool {
	return m.shared == nil && m.place.Base == "" && m.current() != nil
}

// resetRow leads to the dialog that resets the step or the lesson.
func (m *Model) resetRow() any {
	if !m.resettable() {
		return nil
	}
	return view.El("p", view.Class("row resetrow"), button("btn btn--s btn--quiet", frame.Open{ID: frame.ResetID}, m.lang().Say("reset.open")))
}

// resetDialog names what goes with the step, and with the lesson.
func (m *Model) resetDialog() []view.Node {
	if !m.resettable() {
		return nil
	}
	l := m.lang()
	step := frame.Scope{Reset: frame.Reset{Lesson: m.lesson.ID, Step: m.StepID()}}
	lesson := frame.Scope{Reset: frame.Reset{Lesson: m.lesson.ID}}
	for i := range m.lesson.Steps {
		solved, seen := 0, 0
		switch m.book.Of(m.lesson.ID, m.lesson.Steps[i].ID) {
		case progress.Solved:
			solved = 1
		case progress.Seen:
			seen = 1
		}
		lesson.Solved, lesson.Seen = lesson.Solved+solved, lesson.Seen+seen
		if i == m.step {
			step.Solved, step.Seen = solved, seen
		}
	}
	step.Title = view.El("span", l.Say("reset.step")+": ", strconv.Itoa(m.step+1)+". ", m.written(m.current().Title))
	lesson.Title = view.El("span", l.Say("reset.lesson")+": ", m.written(m.lesson.Title))
	return []view.Node{frame.ResetDialog(l, []frame.Scope{step, lesson})}
}
