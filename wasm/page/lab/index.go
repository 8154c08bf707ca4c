package lab

import (
	"sort"

	"retrylab.example/core/clock"
	"retrylab.example/core/event"
	"retrylab.example/core/measure"
	"retrylab.example/wasm/view/timeline"
)

// index holds of a run what each step asks for: a run of thousands of events is not searched at every key press. It is
// made anew when there is another run.
type index struct {
	of []event.Event
	// The places of events: changes of the limit, orders, starts of calls that have a deadline, and what a timer began with.
	limits, orders, calls, timers []int
	// totals are those of the first so many events.
	totals  measure.Totals
	counted int
	drawn   timeline.Kept
}

// index returns the index of the run.
func (m *Model) index() *index {
	events := m.played.Events
	if x := m.indexed; x != nil && len(x.of) == len(events) && (len(events) == 0 || &x.of[0] == &events[0]) {
		return x
	}
	x := &index{of: events, counted: -1}
	m.indexed = x
	for i := range events {
		e := &events[i]
		switch e.Kind {
		case event.LimitChanged:
			x.limits = append(x.limits, i)
		case event.FaultInjected:
			x.orders = append(x.orders, i)
		case event.CallStarted:
			if e.Until != clock.Max {
				x.calls = append(x.calls, i)
			}
		case event.AttemptSent, event.RetryScheduled:
			if e.Until != clock.Max {
				x.timers = append(x.timers, i)
			}
		}
	}
	return x
}

// before returns those places that are among the first so many events.
func before(places []int, count int) []int { return places[:sort.SearchInts(places, count)] }

// totals measures what has happened, once for each position.
func (m *Model) totals() measure.Totals {
	x := m.index()
	if x.counted != m.pos.Count {
		x.totals, x.counted = measure.Of(m.seen()), m.pos.Count
	}
	return x.totals
}
