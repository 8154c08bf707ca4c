package lab

import (
	"retrylab.example/core/event"
	"retrylab.example/core/measure"
	"retrylab.example/wasm/view"
	"retrylab.example/wasm/view/timeline"
)

// totalsStrip draws the counts, and the two totals beside the partner's own.
func (m *Model) totalsStrip() view.Node {
	parts := []any{view.Class("totals"), view.A("id", "totals"), view.A("aria-label", m.lang().Say("lab.totals"))}
	return view.El("section", append(parts, m.totalsOf(m.seen(), "")...)...)
}

// totalsOf draws the counts and the totals of events.
func (m *Model) totalsOf(events []event.Event, ending string) []any {
	return timeline.Totals(m.lang(), measure.Of(events), events, ending)
}
