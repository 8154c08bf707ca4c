package lab

import (
	"time"

	"retrylab.example/core/clock"
	"retrylab.example/core/scenario"
	"retrylab.example/wasm/effect"
	"retrylab.example/wasm/view"
)

// Glide moves the clock as Scrub does, while the thumb is still moving: clock, timeline and totals follow it at once, and
// what takes longer to read and to draw follows when it has come to rest. Land says that it has; any other message does too.
type (
	Glide struct{ Ms float64 }
	Land  struct{}
)

// glide is a thumb that is moving. The zero value is none.
type glide struct {
	on   bool
	from scenario.Position // where the clock was
	to   Glide
	// What stays as it was.
	lesson, why, events view.Node
}

// glides does a message of a moving thumb, and reports whether it was one. Where a move changes what is compared or written
// beside, it does not glide.
func (m *Model) glides(msg any) bool {
	to, ok := msg.(Glide)
	if st := m.current(); !ok || m.versus != nil || m.code != nil || st == nil || !st.Plays() {
		return false
	}
	if !m.gliding.on {
		m.gliding.on, m.gliding.from = true, m.pos
		m.playing.on = false
	}
	m.gliding.to = to
	m.pos = m.at(clock.Start.Add(time.Duration(to.Ms * 1e6)))
	return true
}

// land ends a glide: from where it began, the clock is moved to where the thumb is.
func (m *Model) land() []effect.Effect {
	if !m.gliding.on {
		return nil
	}
	m.gliding.on, m.pos = false, m.gliding.from
	return m.update(Scrub(m.gliding.to))
}

// resting returns a part of the page as it was before the thumb began to move, else drawn anew.
func (m *Model) resting(part *view.Node, draw func() view.Node) view.Node {
	if !m.gliding.on || *part == nil {
		*part = draw()
	}
	return *part
}
