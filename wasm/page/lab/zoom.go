package lab

import (
	"time"

	"retrylab.example/core/clock"
	"retrylab.example/wasm/effect"
	"retrylab.example/wasm/view/timeline"
)

// Messages of the part of the time axis that is drawn.
type (
	// Zoom makes the part so many per cent as long as it is, about the clock; ZoomAt about a place of the timeline, in px
	// from its corner.
	Zoom   struct{ Percent int }
	ZoomAt struct {
		X, Y    float64
		Percent int
	}
	// ShowAll draws the whole axis, AroundNow puts the clock into the middle.
	ShowAll   struct{}
	AroundNow struct{}
	// Shift moves the part by so many quarters of its length, Drag by so many px of the timeline; later if positive.
	Shift struct{ Quarters int }
	Drag  struct{ Px float64 }
	// ShowFrom moves the part to where it begins, in milliseconds.
	ShowFrom struct{ Ms float64 }
	// KeepPart keeps what a gesture has led to.
	KeepPart struct{}
)

// How much nearer, and how much further, a press of a button or a key brings the axis, and what it shows of the whole when
// it puts the clock into the middle.
const (
	nearer  = 50
	further = 200
	around  = 20
)

// zoom does a message of the part that is drawn, and reports whether it was one. A gesture sends many, so they keep and
// say nothing by themselves.
func (m *Model) zoom(msg any) ([]effect.Effect, bool) {
	if open, ok := m.open(msg); ok {
		return open, true
	}
	switch msg.(type) {
	case Zoom, ZoomAt, ShowAll, AroundNow, Shift, Drag, ShowFrom, KeepPart:
	default:
		return nil, false
	}
	in := m.drawing()
	end := timeline.AxisEnd(in)
	part := m.part
	switch msg := msg.(type) {
	case Zoom:
		part = part.Zoom(end, m.pos.Now, msg.Percent)
	case ShowAll:
		part = timeline.Span{}
	case AroundNow:
		if part.Whole() {
			part = part.Zoom(end, m.pos.Now, around)
		}
		part = part.Around(end, m.pos.Now)
	case Shift:
		o := part.Of(end)
		part = part.Move(end, time.Duration(msg.Quarters)*o.To.Sub(o.From)/4)
	case ZoomAt:
		m.part = part.Zoom(end, timeline.InstantAt(in, msg.X, msg.Y), msg.Percent)
		return nil, true
	case Drag:
		m.part = part.Move(end, timeline.TimeOf(in, msg.Px))
		return nil, true
	case ShowFrom:
		m.part = part.Move(end, milliseconds(msg.Ms).Sub(part.Of(end).From))
		return m.keep(), true
	case KeepPart:
		return m.keep(), true
	}
	m.part = part
	return append(m.keep(), effect.Announce{Text: m.partText()}), true
}

// keep stores the learner's history of the step. A shared run leaves it as it is.
func (m *Model) keep() []effect.Effect {
	if m.shared != nil {
		return nil
	}
	return []effect.Effect{effect.Store{Key: m.HistoryKey(), Value: m.History()}}
}

// milliseconds returns the instant so many milliseconds after the start, within what a run may last.
func milliseconds(ms float64) clock.Instant {
	return clock.Instant(min(max(ms, 0), 1e12) * 1e6)
}

// followClock keeps the clock in the part that is drawn, where it is followed.
func (m *Model) followClock() {
	if m.follow {
		m.reach(m.pos.Now)
	}
}

// reach moves the part that is drawn to an instant which it does not show.
func (m *Model) reach(at clock.Instant) {
	if !m.part.Whole() {
		m.part = m.part.Reach(timeline.AxisEnd(m.drawing()), at)
	}
}

// partText says which part of the axis is drawn.
func (m *Model) partText() string {
	l := m.lang()
	end := timeline.AxisEnd(m.drawing())
	at := func(t clock.Instant) string { return l.Seconds(t.Sub(clock.Start)) }
	if m.part.Whole() {
		return l.Say("zoom.whole", "end", at(end))
	}
	o := m.part.Of(end)
	return l.Say("zoom.part", "from", at(o.From), "to", at(o.To), "end", at(end))
}
