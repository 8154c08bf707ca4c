package lab

import (
	"reflect"
	"strconv"
	"strings"

	"retrylab.example/core/clock"
	"retrylab.example/core/lesson"
	"retrylab.example/core/scenario"
	"retrylab.example/wasm/effect"
)

// Revised returns the page for a lesson that was edited while it is open: at the same step and clock, with the learner's
// inputs played on the new scenario. Where the step is gone it is the one that took its place, or the last.
func (m *Model) Revised(l *lesson.Lesson, place Place) (*Model, []effect.Effect) {
	step, same := m.stepIn(l)
	history, before := "", m
	if same {
		before = m.beforeLoss()
		history = before.History()
		if is, was := stepAt(l, step), before.current(); is != nil && was != nil && is.Plays() && was.Plays() && renamed(&was.Scenario, &is.Scenario) {
			history = before.historyIn(&is.Scenario)
		}
	}
	n := New(m.Settings, m.Size, place, l, step, m.book, history)
	if len(n.lost) > 0 {
		before.whole = nil // one is enough
		n.whole = &whole{before, n.done()}
		n.notice = n.lang().Say("lab.set-aside", "inputs", before.inputsAt(n.lost))
	}
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

// done is all that was done in the step, as a text.
func (m *Model) done() string { return string(m.current().Scenario.WriteTree(&m.tree, clock.Start)) }

func stepAt(l *lesson.Lesson, i int) *lesson.Step {
	if i < len(l.Steps) {
		return &l.Steps[i]
	}
	return nil // the last page
}

// renamed reports whether one scenario has the clients and pools of another, and one of them under another name.
func renamed(was, is *scenario.Scenario) bool {
	if len(was.Clients) != len(is.Clients) || len(was.Pools) != len(is.Pools) {
		return false
	}
	others := 0
	for i := range was.Clients {
		if was.Clients[i].Name != is.Clients[i].Name {
			others++
		}
	}
	for i := range was.Pools {
		if was.Pools[i].Name != is.Pools[i].Name {
			others++
		}
	}
	return others == 1
}

// whole is a page before inputs of its history were set aside, and what was left of them. As long as nothing is done
// after that, they come back when the scenario takes them again.
type whole struct {
	page *Model
	left string
}

// beforeLoss returns the page as it was before inputs were set aside, if nothing was done since.
func (m *Model) beforeLoss() *Model {
	w := m.whole
	if w == nil || w.left != m.done() {
		return m
	}
	w.page.pos = w.page.played.At(m.pos.Now)
	return w.page
}

// mostLost is how many inputs that were set aside are named.
const mostLost = 5

// inputsAt says in words what some inputs of the tree are, given by their numbers.
func (m *Model) inputsAt(numbers []int) string {
	var list []string
	for _, id := range numbers[:min(len(numbers), mostLost)] {
		path := m.tree.PathOf(id)
		in := &path[len(path)-1]
		list = append(list, m.lang().InputAt(&m.current().Scenario, path[:len(path)-1], in))
	}
	if more := len(numbers) - mostLost; more > 0 {
		list = append(list, m.lang().Say("input.more", "n", strconv.Itoa(more)))
	}
	return strings.Join(list, m.lang().Say("part.list"))
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
