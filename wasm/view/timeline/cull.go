package timeline

import (
	"slices"

	"retrylab.example/core/clock"
	"retrylab.example/core/event"
)

// cull leaves out the attempts of which nothing lies in the part that is drawn. Rows are given before, so that nothing
// changes its row when the part is moved.
func (s *sheet) cull() {
	if s.in.Span.Whole() {
		return
	}
	s.story.attempts = slices.DeleteFunc(s.story.attempts, func(a *attemptStory) bool { return !s.shows(a) })
}

// shows reports whether some of an attempt lies in the part that is drawn.
func (s *sheet) shows(a *attemptStory) bool { return s.axis.meets(a.call.start.At, a.last()) }

// last returns the instant up to which something of an attempt is drawn, clock.Max as long as it goes on.
func (a *attemptStory) last() clock.Instant {
	until := a.busyUntil()
	for _, e := range []*event.Event{a.arrived, a.refused, a.applied, a.answered, a.replay, a.crash, a.replyLost, a.ignored, a.timedOut} {
		if e != nil {
			until = max(until, e.At)
		}
	}
	if takesPlace(a.admitted) {
		until = max(until, a.admitted.Until)
	}
	return until
}

// end is one end of a line: so many pixels after an instant along the axis, and where it is across.
type end struct {
	at            clock.Instant
	after, across float64
}

// link adds the straight line between two ends, as much of it as lies in the part that is drawn.
func (s *sheet) link(p *path, a, b end) {
	a1, b1 := s.axis.at(a.at)+a.after, s.axis.at(b.at)+b.after
	a2, b2 := a.across, b.across
	if !s.in.Span.Whole() {
		low, high := s.axis.from, s.axis.from+s.axis.span
		if max(a1, b1) < low || min(a1, b1) > high {
			return
		}
		slope := 0.0
		if a1 != b1 {
			slope = (b2 - a2) / (b1 - a1)
		}
		cutA, cutB := min(max(a1, low), high), min(max(b1, low), high)
		a1, a2, b1, b2 = cutA, a2+slope*(cutA-a1), cutB, b2+slope*(cutB-b1)
	}
	if s.in.Down() {
		a1, a2, b1, b2 = a2, a1, b2, b1
	}
	p.move(a1, a2).line(b1, b2)
}
