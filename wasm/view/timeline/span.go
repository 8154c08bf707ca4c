package timeline

import (
	"time"

	"retrylab.example/core/clock"
)

// Span is the part of the time axis that is drawn. The zero value, and any span that does not end after it begins, is
// all of it. Its methods take the end of the whole axis, see AxisEnd, and never leave it.
type Span struct{ From, To clock.Instant }

// leastSpan is how much time is drawn at least: below that, nothing in a run is to be told apart.
const leastSpan = clock.Instant(time.Millisecond)

// Whole reports whether all of the axis is drawn.
func (s Span) Whole() bool { return s.To <= s.From }

// Of returns the span as it lies on an axis with that end: from where to where is drawn.
func (s Span) Of(end clock.Instant) Span {
	s.From = max(s.From, clock.Start)
	if s.Whole() || s.To-s.From >= end {
		return Span{clock.Start, end}
	}
	length := max(s.To-s.From, leastSpan)
	from := min(s.From, max(end-length, clock.Start))
	return Span{from, from + length}
}

// normal returns the zero value for a span that covers the axis.
func (s Span) normal(end clock.Instant) Span {
	if s = s.Of(end); s.From <= clock.Start && s.To >= end {
		return Span{}
	}
	return s
}

// Sees reports whether an instant is drawn.
func (s Span) Sees(end, at clock.Instant) bool {
	o := s.Of(end)
	return o.From <= at && at <= o.To
}

// Zoom makes the span longer or shorter, to so many per cent of what it is. The instant about stays at its place in the
// drawing; one that is not drawn gives way to the middle.
func (s Span) Zoom(end, about clock.Instant, percent int) Span {
	o := s.Of(end)
	if about < o.From || about > o.To {
		about = o.From + (o.To-o.From)/2
	}
	length := max(scaled(o.To-o.From, percent), leastSpan)
	if length >= end {
		return Span{}
	}
	from := about - scaled(about-o.From, percent)
	if length == leastSpan {
		from = about - length/2
	}
	from = max(from, clock.Start)
	return Span{from, from + length}.normal(end)
}

// scaled returns so many per cent of a stretch of time.
func scaled(t clock.Instant, percent int) clock.Instant {
	p := clock.Instant(min(max(percent, 1), 10_000))
	return t/100*p + t%100*p/100
}

// Move moves the span along the axis, later for a positive duration.
func (s Span) Move(end clock.Instant, by time.Duration) Span {
	if s.Whole() {
		return Span{}
	}
	o := s.Of(end)
	from := max(o.From.Add(min(by, time.Duration(end))), clock.Start)
	return Span{from, from + (o.To - o.From)}.normal(end)
}

// Reach moves the span by as little as shows an instant with some room on both sides; one that is drawn already moves
// nothing.
func (s Span) Reach(end, at clock.Instant) Span {
	o := s.Of(end)
	if s.Whole() || o.From <= at && at <= o.To {
		return s
	}
	return s.Around(end, at)
}

// Around moves the span so that an instant is in its middle.
func (s Span) Around(end, at clock.Instant) Span {
	o := s.Of(end)
	return s.Move(end, at.Sub(o.From+(o.To-o.From)/2))
}
