package lab

import (
	"strconv"

	"retrylab.example/wasm/effect"
	"retrylab.example/wasm/view"
)

// Messages of a crowd, whose clients are drawn together.
type (
	// Open draws the lane of one client as well, by its index; −1 closes it.
	Open struct{ Client int }
	// OpenSelected opens the client of the selected event, or closes it.
	OpenSelected struct{}
)

// open does a message of a crowd, and reports whether it was one.
func (m *Model) open(msg any) ([]effect.Effect, bool) {
	was := m.opened
	switch msg := msg.(type) {
	case Open:
		m.opened = min(max(msg.Client+1, 0), len(m.names()))
	case OpenSelected:
		if m.openSelected(); m.opened == was {
			m.opened = 0
		}
	default:
		return nil, false
	}
	if !m.drawing().Crowded() {
		m.opened = 0
		return nil, true
	}
	said := m.lang().Say("lab.crowd-none")
	if m.opened > 0 {
		said = m.names()[m.opened-1]
	}
	return append(m.keep(), effect.Announce{Text: m.lang().Say("lab.crowd") + ": " + said}), true
}

// openSelected opens the client of the selected event.
func (m *Model) openSelected() {
	if e, _ := m.selectedEvent(); e != nil && e.Request.Call > 0 && m.drawing().Crowded() {
		m.opened = e.Request.Client + 1
	}
}

// crowdBar lets one client of a crowd be chosen; nil where every client has a lane.
func (m *Model) crowdBar() any {
	if !m.drawing().Crowded() {
		return nil
	}
	l := m.lang()
	values, labels := []string{"-1"}, []string{l.Say("lab.crowd-none")}
	for i, name := range m.names() {
		values, labels = append(values, strconv.Itoa(i)), append(labels, name)
	}
	return view.El("label", view.Class("crowd"), view.El("span", l.Say("lab.crowd")),
		selectOf(values, labels, strconv.Itoa(m.opened-1), func(v string) any {
			i, err := strconv.Atoi(v)
			if err != nil {
				i = -1
			}
			return Open{i}
		}))
}
