// Package timeline draws a run as SVG: simulated time on one axis, a lane for every client, the partner, its ledger and
// the effects. It reads events and nothing else, and it is pure: the same input gives the same tree.
//
// The drawing is made at its real width, so that text keeps its size. Nothing that has not happened yet is drawn right
// of now; what is already settled is (a deadline, a wait that was chosen, a place that was taken).
package timeline

import (
	"sort"
	"time"

	"retrylab.example/core/clock"
	"retrylab.example/core/event"
	"retrylab.example/core/measure"
	"retrylab.example/core/text"
	"retrylab.example/wasm/view"
)

// Input is all that a drawing depends on.
type Input struct {
	// Events are those that have happened, a prefix of the run, in order.
	Events []event.Event
	// Run is the whole run that Events begin, nil if no more is known. Nothing of it is drawn; it spares telling the events
	// anew at each step.
	Run []event.Event
	// Kept takes what the next drawing of the same run has in common with this one; nil keeps nothing.
	Kept *Kept
	// Totals are those of the events, nil if nobody has counted them.
	Totals *measure.Totals
	// Now is what the clock shows.
	Now clock.Instant
	// End is how far the axis should reach at least; AxisEnd says how far it does.
	End clock.Instant
	// Span is the part of the axis that is drawn, the zero value for all of it.
	Span Span
	// Clients are the names by index.
	Clients []string
	// PartnerNote stands under the partner's name, as in "1 per 3 s". It may be empty.
	PartnerNote string
	// HasLimit and HasLedger say which lanes the partner has. Other mechanisms have one as soon as something happens there.
	HasLimit, HasLedger bool
	// Pools are the names of the bulkheads, and InPool the one of each client, counted from 1; 0 is none.
	Pools  []string
	InPool []int
	// KeyLifetime is how long the ledger keeps a record, 0 for ever, and KeyLease how long a key may be in flight, 0 where
	// the ledger does not know of keys in flight.
	KeyLifetime, KeyLease time.Duration
	// Width is the width of the drawing in CSS pixels.
	Width int
	// Vertical lets time run down, for phones, and shows the one client with the index Client.
	Vertical bool
	Client   int
	// Opened is the client whose lane is drawn where the clients are drawn together, counted from 1; 0 is none.
	Opened int
	// Places is how many requests the partner works on at once, 0 for any number, and Work how long it works on one at least.
	Places int
	Work   time.Duration
	// Peak is the least that the scale of a crowd's arrivals reaches, so that two crowds have the same; Below says that the
	// drawing stands below another one, whose axis and now it shares.
	Peak  int64
	Below bool
	// Due says that something is due in a run of which nothing has happened yet.
	Due bool
	// Versus says that two runs are drawn above each other; nil for one run.
	Versus *Versus
	// Selected is the Seq of the selected event, 0 for none.
	Selected int
	Lang     text.Lang
	// Select makes the message that a click on a mark sends. Nil makes a drawing without clicks.
	Select func(seq int) any
}

// denseAbove is how many events are drawn one by one. Above it a path of each kind holds all of them: one element for
// each event would cost more than a frame.
const denseAbove = 300

// Down reports whether time runs down: on a phone, unless there are too many events to step aside for each other.
func (in Input) Down() bool {
	return in.Vertical && in.Versus == nil && !in.many() && !in.Crowded()
}

// many reports whether more events are in the part that is drawn than can be drawn one by one.
func (in Input) many() bool { return len(in.Events) > denseAbove && in.seen() > denseAbove }

// seen returns how many events are in the part that is drawn.
func (in Input) seen() int {
	s := in.Span.Of(AxisEnd(in))
	before := func(t clock.Instant) int {
		return sort.Search(len(in.Events), func(i int) bool { return in.Events[i].At >= t })
	}
	return before(s.To+1) - before(s.From)
}

// Draw returns the drawing as an svg element whose label tells the run in words.
func Draw(in Input) view.Node {
	s := lay(in, false)
	parts := []any{
		view.Class("tl", s.class), view.A("viewBox", "0 0 "+num(s.width)+" "+num(s.height)),
		view.A("width", num(s.width)), view.A("height", num(s.height)),
		view.A("role", "img"), view.A("aria-label", spoken(in, s.story)),
	}
	for l := layer(0); l < numLayers; l++ {
		parts = append(parts, s.layers[l])
	}
	return view.El("svg", parts...)
}

// headHeight is how high the axis is above the lanes.
const headHeight = 26

// Head returns the axis of the drawing once more, with what now is, to stay in sight above a drawing that is scrolled; nil
// where time runs down. It lies exactly on the drawing's own.
func Head(in Input) any {
	if in.Down() {
		return nil
	}
	s := newSheet(in)
	w := &wide{sheet: s, top: wideTop}
	w.now, w.height = s.axis.in(in.Now), headHeight
	parts := []any{view.Class("tl tl-head", s.class), view.A("viewBox", "0 0 "+num(s.width)+" "+num(headHeight)),
		view.A("width", num(s.width)), view.A("height", num(headHeight)), view.A("aria-hidden", "true")}
	parts = append(parts, w.ticks())
	if s.axis.sees(in.Now) {
		var p path
		parts = append(parts, p.move(w.now, 20).v(headHeight).node("tl-now"), plate(w.pillX(), 12, 66, 20, in.seconds(in.Now)))
	}
	return view.El("svg", parts...)
}

// plan lays the drawing out with a place for every event. Drawing and pointing use the same plan, so that what is seen is
// what is hit.
func plan(in Input) *sheet { return lay(in, true) }

// lay is plan; for who only draws, places that nothing is drawn at may be left out.
func lay(in Input, all bool) *sheet {
	s := newSheet(in)
	s.all = all
	switch {
	case in.Crowded():
		drawCrowd(s)
	case in.Down():
		drawTall(s)
	case in.many():
		drawDense(s)
	case in.Versus != nil:
		drawVersus(s)
	default:
		drawWide(s)
	}
	s.finish()
	return s
}
