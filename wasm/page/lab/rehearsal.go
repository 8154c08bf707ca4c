package lab

import "retrylab.example/wasm/progress"

// Rehearsal returns a page of the same step on which its solution is being played, for whoever wants to draw steps that
// nobody sees; nil where nothing is played. What it does is kept nowhere.
func (m *Model) Rehearsal() *Model {
	st := m.current()
	if st == nil || !st.Plays() {
		return nil
	}
	r := New(m.Settings, m.Size, m.place, m.lesson, m.step, &progress.Book{}, "")
	if len(st.Solution.Inputs) > 0 && r.tree.Replace(st.Solution.Inputs) {
		r.replay()
	}
	return r
}
