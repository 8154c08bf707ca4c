package lab

import (
	"strconv"
	"strings"
	"time"

	"retrylab.example/core/clock"
	"retrylab.example/wasm/progress"
	"retrylab.example/wasm/view"
	"retrylab.example/wasm/view/timeline"
)

// The one filled button of the screen is what moves the run on.
type primary uint8

const (
	primaryNone primary = iota
	primaryFire
	primaryNext
	primaryOnward
)

func (m *Model) primary() primary {
	switch {
	case m.pos.Count < len(m.played.Events):
		return primaryNext
	case m.versus != nil:
		return primaryNone
	case m.current().Allow.Fire && !m.grade.Solved:
		return primaryFire
	case m.book.Of(m.lesson.ID, m.StepID()) != progress.Open:
		return primaryOnward
	}
	return primaryNone
}

// clock draws the scrubber, the transport and the ways to advance.
func (m *Model) clock() view.Node {
	l := m.lang()
	return view.El("section", view.Class("clock"), view.A("id", "clock"), view.A("aria-label", l.Say("lab.clock")), view.A("data-keys", "clock"),
		m.scrubber(), m.transport(), m.advanceRow())
}

func (m *Model) scrubber() view.Node {
	l := m.lang()
	now := m.lang().Seconds(m.pos.Now.Sub(clock.Start))
	low, high, step := m.scrubRange()
	return view.El("div", view.Class("scrub"),
		view.El("p", view.Class("readout"), view.El("output", view.A("id", "now"), now), m.nthReadout()),
		view.El("div", view.Class("scrub__rail"),
			view.El("svg", view.Class("scrub__ticks"), view.A("viewBox", m.ticksBox()),
				view.A("preserveAspectRatio", "none"), view.A("aria-hidden", "true"), view.El("path", view.A("d", m.ticks()))),
			view.El("input", view.Class("range"), view.A("id", ScrubID), view.A("type", "range"), view.A("min", low),
				view.A("max", high), view.A("step", step),
				view.A("value", m.ScrubValue()),
				view.A("aria-label", l.Say("lab.time")), view.A("aria-valuetext", now),
				view.Input(func(v string) any {
					ms, _ := strconv.ParseFloat(v, 64)
					return Scrub{ms}
				}))))
}

// nthReadout says below the clock that its time is simulated; where several events are at that instant, it numbers the one
// that has just happened. It is one line either way, so that no button moves.
func (m *Model) nthReadout() view.Node {
	if s := m.nthNow(); s != "" {
		return view.El("span", view.Class("readout__n"), view.A("id", "nth"), s)
	}
	return view.El("span", m.lang().Say("lab.simulated"))
}

// ScrubID is the id of the scrubber.
const ScrubID = "scrub"

// ScrubValue is what the clock shows, as the scrubber's value.
func (m *Model) ScrubValue() string {
	if st := m.current(); st == nil || !st.Plays() && m.versus == nil {
		return "0"
	}
	return inMs(m.pos.Now)
}

// inMs writes an instant in milliseconds, with as many decimals as it needs.
func inMs(t clock.Instant) string { return strconv.FormatFloat(float64(t)/1e6, 'f', -1, 64) }

// scrubRange returns what the scrubber goes over, in milliseconds: what is drawn of the axis, so that its thumb continues
// the line of now. An arrow key moves it about a hundredth of that, in steps that end on round instants.
func (m *Model) scrubRange() (low, high, step string) {
	o := m.part.Of(timeline.AxisEnd(m.drawing()))
	by, next := clock.Instant(1000), clock.Instant(5)
	if m.part.Whole() {
		by = 1e6
	}
	for by*250 < o.To-o.From { // 1, 5, 10, 50, 100 …
		by *= next
		next = 7 - next
	}
	return inMs(o.From / by * by), inMs((o.To + by - 1) / by * by), inMs(by)
}

// ticksBox returns the part of ticks that lies over the scrubber.
func (m *Model) ticksBox() string {
	o := m.part.Of(timeline.AxisEnd(m.drawing()))
	return inMs(o.From) + " 0 " + inMs(max(o.To-o.From, 1e6)) + " 10"
}

func (m *Model) ticks() string {
	var b strings.Builder
	o := m.part.Of(timeline.AxisEnd(m.drawing()))
	last, apart := clock.Min/2, max((o.To-o.From)/1000, 1)
	for i := range m.seen() {
		if at := m.played.Events[i].At; at >= o.From && at <= o.To && at-last >= apart {
			b.WriteString("M" + inMs(at) + " 0V10")
			last = at
		}
	}
	if b.Len() == 0 {
		return "M0 0"
	}
	return b.String()
}

func (m *Model) transport() view.Node {
	l := m.lang()
	nextClass := "btn btn--two btn--nextev"
	if m.primary() == primaryNext {
		nextClass += " btn--primary"
	}
	atStart, atEnd := m.pos.Count == 0 && m.pos.Now == clock.Start, m.pos.Count == len(m.played.Events)
	due, decision, timer := l.Say("lab.nothing-due"), l.Say("lab.nothing-due"), l.Say("lab.no-timer")
	if !atEnd {
		e := &m.played.Events[m.pos.Count]
		due = l.DueIn(l.Due(e, m.names()), e.At.Sub(m.pos.Now))
	}
	i := m.nextDecision()
	if i >= 0 {
		decision = l.Say("lab.in", "wait", m.lang().Seconds(m.played.Events[i].At.Sub(m.pos.Now)))
	}
	t, until := m.timer()
	if t != nil {
		timer = l.TimerIn(l.Timer(t, m.names()), until.Sub(m.pos.Now))
	}
	fireClass := "btn btn--phone"
	if m.primary() == primaryFire {
		fireClass += " btn--primary"
	}
	return view.El("div", view.Class("transport"), view.A("role", "group"), view.A("aria-label", l.Say("lab.clock")),
		button("btn btn--icon", Start{}, view.A("aria-label", l.Say("key.start")), view.A("title", l.Say("key.start")+" (Home)"), idle(atStart), view.Icon("start")),
		button("btn btn--icon", Back{}, view.A("id", "back"), view.A("aria-label", l.Say("key.back")), view.A("title", l.Say("key.back")+" (←)"), idle(atStart), view.Icon("back")),
		twoLines(nextClass, Next{}, nextID, l.Say("lab.next-event"), due, "→", atEnd),
		twoLines("btn btn--two", NextDecision{}, "next-decision", l.Say("lab.next-decision"), decision, "⇧→", i < 0),
		twoLines("btn btn--two btn--timer", NextTimer{}, "next-timer", l.Say("lab.next-timer"), timer, "N", t == nil),
		view.If(m.current().Allow.Fire && m.versus == nil, button(fireClass, Fire{}, l.Say("lab.fire"))), m.onwardByPhone(), m.moreByPhone())
}

// moreByPhone opens the rest of the clock. There is no room for it beside what leads on, and nothing left for it to do.
func (m *Model) moreByPhone() any {
	if m.onwardByPhone() != nil && !m.clockOpen {
		return nil
	}
	return button("btn btn--phone btn--icon btn--more", More{}, view.A("aria-label", m.lang().Say("lab.more-clock")),
		view.A("aria-expanded", strconv.FormatBool(m.clockOpen)), view.Icon("dots"))
}

// onwardByPhone leads on from the clock, where the lesson is out of sight.
func (m *Model) onwardByPhone() any {
	if m.primary() != primaryOnward || m.pane == "lesson" {
		return nil
	}
	return m.nextStep("btn btn--phone btn--primary")
}

func twoLines(class string, msg any, id, title, note, key string, off bool) view.Node {
	return button(class, msg, view.A("id", id), idle(off),
		view.El("span", view.Class("btn__t"), view.El("b", title), view.El("small", note)), view.El("kbd", key))
}

func (m *Model) advanceRow() view.Node {
	l := m.lang()
	steps := []any{view.Class("advance__g")}
	for _, ms := range []int{10, 100, 1000} {
		by := time.Duration(ms) * time.Millisecond
		steps = append(steps, button("btn btn--s", Advance{by}, l.Say("lab.plus-"+strconv.Itoa(ms))))
	}
	steps = append(steps, view.El("span", view.Class("typed"),
		view.El("label", view.Class("vh"), view.A("for", "amount"), l.Say("lab.advance-amount")),
		view.El("input", view.Class("input"), view.A("id", "amount"), view.A("type", "text"), view.A("value", m.form.advance),
			view.A("autocomplete", "off"), view.Input(func(v string) any { return SetAdvance{v} }),
			&view.Handler{Event: "change", With: func(v string) any { return SetAdvance{v} }}),
		button("btn btn--s", AdvanceTyped{}, l.Say("lab.go"))))
	return view.El("div", view.Class("advance"), view.A("role", "group"), view.A("aria-label", l.Say("lab.advance")),
		view.El("span", steps...),
		button("btn btn--s", Run{}, view.A("id", "run"), idle(m.pos.Count == len(m.played.Events)), l.Say("lab.run"), view.El("kbd", "R")),
		m.playButtons())
}
