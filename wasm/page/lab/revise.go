package lab

import (
	"reflect"

	"retrylab.example/core/lesson"
	"retrylab.example/wasm/effect"
)

// Revised returns the page for a lesson that was edited while it is open: at the same step and clock, with the learner's
// inputs played on the new scenario. Where the step is gone it is the one that took its place, or the last.
func (m *Model) Revised(l *lesson.Lesson, place Place) (*Model, []effect.Effect) {
	step, same := m.stepIn(l)
	history := ""
	if same {
		history = m.History()
	}
	n := New(m.Settings, m.Size, place, l, step, m.book, history)
	n.follow, n.pane, n.sheetOpen, n.clockOpen = m.follow, m.pane, m.sheetOpen, m.clockOpen
	n.trials = m.trials
	was, is := m.current(), n.current()
	if !same || was == nil || !was.Plays() || !is.Plays() {
		return n, append(m.stopSeeds(), n.fieldsOf(is)...)
	}
	if reflect.DeepEqual(was.Allow, is.Allow) && reflect.DeepEqual(was.Scenario.Requests, is.Scenario.Requests) &&
		len(was.Scenario.Clients) == len(is.Scenario.Clients) {
		n.form = m.form // what was set up and typed fits still
	}
	if e, _ := m.selectedEvent(); e != nil && e.Seq <= n.pos.Count && n.played.Events[e.Seq-1].Kind == e.Kind {
		n.selected = e.Seq
	}
	return n, append(m.stopSeeds(), n.fieldsOf(is)...)
}

// stepIn returns the place of the step that is shown in another version of the lesson, and whether it is there.
func (m *Model) stepIn(l *lesson.Lesson) (step int, same bool) {
	if m.current() == nil {
		return len(l.Steps), true // the last page
	}
	for i := range l.Steps {
		if l.Steps[i].ID == m.StepID() {
			return i, true
		}
	}
	return min(m.step, len(l.Steps)-1), false
}

func (m *Model) fieldsOf(st *lesson.Step) []effect.Effect {
	if st == nil || !st.Plays() {
		return nil
	}
	return m.fields()
}

// Hash is the address of the step that is shown.
func (m *Model) Hash() string { return m.hash(m.step) }

// Move tells the page where its lesson now stands in the course.
func (m *Model) Move(place Place) { m.place = place }

// Is reports whether the page shows this very reading of a lesson.
func (m *Model) Is(l *lesson.Lesson) bool { return m.lesson == l }
