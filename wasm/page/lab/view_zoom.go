package lab

import (
	"strconv"
	"strings"
	"time"

	"retrylab.example/core/clock"
	"retrylab.example/wasm/view"
	"retrylab.example/wasm/view/timeline"
)

// PartID is the id of the control that moves the part of the axis that is drawn.
const PartID = "part"

// zoomButtons draws the controls of the axis, which stand beside it.
func (m *Model) zoomButtons() view.Node {
	o := m.part.Of(timeline.AxisEnd(m.drawing()))
	whole := m.part.Whole()
	return view.El("div", view.Class("zoom", ifName(!whole, "zoom--part")), view.A("role", "group"), view.A("data-keys", "clock"),
		view.A("aria-label", m.lang().Say("zoom.axis")),
		m.zoomButton(Zoom{further}, "minus", "zoom.out", "−", whole),
		m.zoomButton(Zoom{nearer}, "plus", "zoom.in", "+", o.To-o.From <= clock.Start.Add(time.Millisecond)))
}

func (m *Model) zoomButton(msg any, icon, word, key string, off bool) view.Node {
	label := m.lang().Say(word)
	return button("zoom__b", msg, view.A("aria-label", label), view.A("title", label+" ("+key+")"), idle(off), view.Icon(icon))
}

// overview draws the whole axis as a strip, and on it the part that is drawn, which can be moved there. Nil where all of it
// is drawn.
func (m *Model) overview() any {
	if m.part.Whole() {
		return nil
	}
	end := timeline.AxisEnd(m.drawing())
	o := m.part.Of(end)
	x := func(t clock.Instant) string { return strconv.FormatFloat(1000*float64(t)/float64(end), 'f', 1, 64) }
	box := "M" + x(o.From) + " 1H" + x(o.To) + "V19H" + x(o.From) + "Z"
	ms := func(t clock.Instant) string { return strconv.FormatFloat(float64(t)/1e6, 'f', -1, 64) }
	return view.El("div", view.Class("part"), view.A("role", "group"), view.A("data-keys", "clock"), view.A("aria-label", m.lang().Say("zoom.shown")),
		m.zoomButton(ShowAll{}, "whole", "zoom.all", "0", false), m.zoomButton(AroundNow{}, "around", "zoom.now", "C", false),
		view.El("div", view.Class("part__rail"), view.El("svg", view.Class("part__all"), view.A("viewBox", "0 0 1000 20"), view.A("preserveAspectRatio", "none"),
			view.A("aria-hidden", "true"),
			view.El("path", view.Class("part__ticks"), view.A("d", m.partTicks(end))),
			view.El("path", view.Class("part__box"), view.A("d", box)),
			view.El("path", view.Class("part__now"), view.A("d", "M"+x(m.pos.Now)+" 0V20"))),
			view.El("input", view.Class("part__range"), view.A("id", PartID), view.A("type", "range"), view.A("min", "0"),
				view.A("max", ms(end-(o.To-o.From))), view.A("step", ms(max((o.To-o.From)/4/1e3*1e3, 1e3))), view.A("value", m.PartValue()),
				view.A("aria-label", m.lang().Say("zoom.shown")), view.A("aria-valuetext", m.partText()),
				view.Input(func(v string) any {
					from, _ := strconv.ParseFloat(v, 64)
					return ShowFrom{from}
				}))))
}

// Zoomed reports whether only a part of the axis is drawn, Down whether time runs down.
func (m *Model) Zoomed() bool { return m.PartValue() != "" }
func (m *Model) Down() bool {
	st := m.current()
	return st != nil && st.Plays() && m.drawing().Down()
}

// PartValue is where the part that is drawn begins, as the value of its control; empty where all is drawn.
func (m *Model) PartValue() string {
	if st := m.current(); st == nil || !st.Plays() || m.part.Whole() {
		return ""
	}
	return strconv.FormatFloat(float64(m.part.Of(timeline.AxisEnd(m.drawing())).From)/1e6, 'f', -1, 64)
}

// partTicks marks where on the whole axis something has happened.
func (m *Model) partTicks(end clock.Instant) string {
	var b strings.Builder
	last := int64(-1)
	for i := range m.seen() {
		if at := int64(float64(m.played.Events[i].At) / float64(end) * 1000); at != last {
			b.WriteString("M" + strconv.FormatInt(at, 10) + " 6V14")
			last = at
		}
	}
	if b.Len() == 0 {
		return "M0 0"
	}
	return b.String()
}
