package lab

import (
	"retrylab.example/core/lesson"
	"retrylab.example/wasm/effect"
)

// Elsewhere tells that another tab has kept a history of this very step.
type Elsewhere struct{ History string }

// Join returns two histories of one step as one: the runs of both, and of hints and solution what was opened in either.
// Position and prediction are those of the first. Where only one of them can be read, it is that one.
func Join(st *lesson.Step, mine, theirs string) string {
	if st.Kind == lesson.Code {
		joined, _ := joinCode(mine, theirs)
		return joined
	}
	joined, _ := join(st, mine, theirs)
	return joined
}

// join is Join, and says by how many inputs the joined history is larger than each.
func join(st *lesson.Step, mine, theirs string) (joined string, larger [2]int) {
	k, tree, now, failed := readKept(st, mine)
	other, their, _, err := readKept(st, theirs)
	switch {
	case err != nil:
		return mine, larger
	case failed != nil:
		return theirs, larger
	}
	before := tree.Len()
	tree.Merge(&their)
	k.Tree = st.Scenario.WriteTree(&tree, now)
	k.Hints, k.Shown = max(k.Hints, other.Hints), k.Shown || other.Shown
	if !k.Kept {
		k.Prediction, k.Kept = other.Prediction, other.Kept
	}
	return k.write(), [2]int{tree.Len() - before, tree.Len() - their.Len()}
}

// Take joins what is shown with a history that another tab has kept, and reports whether that lacks something of what is
// shown. The run, the clock and what is explained stay.
func (m *Model) Take(history string) (lacks bool) {
	if m.code != nil && m.shared == nil {
		return m.takeCodeOf(history, false)
	}
	st := m.current()
	if m.shared != nil || st == nil || !st.Plays() {
		return false
	}
	joined, larger := join(st, m.History(), history)
	k, tree, _, err := readKept(st, joined)
	if err != nil {
		return false
	}
	m.tree = tree
	m.hints, m.shown = min(max(k.Hints, 0), len(st.Hints)), k.Shown
	if st.Offers(k.Prediction) {
		m.prediction, m.kept = k.Prediction, k.Kept
	}
	m.judge()
	if larger[0] > 0 {
		m.notice = m.lang().Say("lab.elsewhere")
	}
	return larger[1] > 0
}

// elsewhere takes up what another tab has kept. What that lacks is kept again, so that both come to the same.
func (m *Model) elsewhere(msg Elsewhere) []effect.Effect {
	var lacks bool
	if m.code != nil && m.shared == nil {
		lacks = m.takeCodeOf(msg.History, true)
	} else {
		lacks = m.Take(msg.History)
	}
	var effects []effect.Effect
	if m.notice != "" {
		effects = append(effects, effect.Announce{Text: m.notice})
	}
	if lacks {
		effects = append(effects, effect.Store{Key: m.HistoryKey(), Value: m.History()})
	}
	return effects
}

// HistoryKey is where the browser keeps the history of the step that is shown.
func (m *Model) HistoryKey() string { return m.book.HistoryKey(m.lesson.ID, m.StepID()) }
