package lab

import (
	"strconv"

	"retrylab.example/core/clock"
	"retrylab.example/core/event"
	"retrylab.example/wasm/view"
	"retrylab.example/wasm/view/timeline"
)

const (
	// wholeTable is how many rows a table may have.
	wholeTable = 96
	// page is how many rows of a longer run come and go at once. Two or three pages of them stand in the table: the browser
	// lays all of it out at every step, and a table that moves by one row at each step would be written anew each time.
	page = 16
)

// events draws the table of what has happened, around the event that is explained.
func (m *Model) events() view.Node {
	l := m.lang()
	note := l.Say("lab.no-events")
	if n := m.pos.Count; n > 0 {
		note = l.Say("lab.so-far", "n", strconv.Itoa(n))
	}
	note += " · " + l.Say("lab.seed", "seed", strconv.FormatUint(m.current().Scenario.Seed, 10))
	parts := []any{view.Class("events"), view.A("id", "events"), view.A("open", ""),
		view.El("summary", view.El("h2", l.Say("lab.events")), view.El("span", view.Class("note"), note))}
	parts = append(parts, view.El("label", view.Class("tick events__opt"),
		view.El("input", view.A("type", "checkbox"), view.If(m.follow, view.A("checked", "")),
			view.Change(func(v string) any { return Follow{v == "true"} })), l.Say("lab.follow")))
	if m.pos.Count == 0 {
		return view.El("details", append(parts, view.El("p", view.Class("note events__none"), l.Say("lab.no-events-yet")))...)
	}
	from, to := m.rows()
	var bodies []view.Node
	for first := from; first < to; first += page {
		body := view.El("tbody", view.A("id", "rows-"+strconv.Itoa(first)))
		for i := first; i < min(first+page, to); i++ {
			body.Kids = append(body.Kids, m.eventRow(&m.played.Events[i]))
		}
		bodies = append(bodies, body)
	}
	head := view.El("tr")
	for _, word := range []string{"lab.col-number", "lab.col-time", "lab.col-who", "lab.col-what"} {
		head.Kids = append(head.Kids, view.El("th", view.A("scope", "col"), l.Say(word)))
	}
	return view.El("details", append(parts, view.El("div", view.Class("events__box"), view.A("tabindex", "0"), view.A("role", "region"),
		view.A("aria-label", l.Say("lab.events")), view.A("data-keys", "clock"), m.leftOut(from, to),
		view.El("table", view.Class("ev"), view.El("thead", head), bodies)))...)
}

// rows returns which events are in the table: all of a short run, of a long one the page of the explained event and those
// around it.
func (m *Model) rows() (from, to int) {
	to = m.pos.Count
	if to <= wholeTable {
		return 0, to
	}
	middle := to - 1
	if m.selected > 0 {
		middle = m.selected - 1
	}
	from = max(middle/page-1, 0) * page
	return from, min(from+3*page, to)
}

func (m *Model) leftOut(from, to int) any {
	if to-from == m.pos.Count {
		return nil
	}
	return view.El("p", view.Class("note events__none"),
		m.lang().Say("lab.rows-shown", "from", strconv.Itoa(from+1), "to", strconv.Itoa(to), "count", strconv.Itoa(m.pos.Count)))
}

// keptRow names a row that was drawn: an event does not change, so its row only depends on whether it is chosen.
type keptRow struct {
	seq    int
	chosen bool
}

// eventRow draws a row once for as long as the run and the language stay.
func (m *Model) eventRow(e *event.Event) view.Node {
	if m.rowsIn != m.lang() {
		m.keptRows, m.rowsIn = map[keptRow]view.Node{}, m.lang()
	}
	key := keptRow{e.Seq, e.Seq == m.selected}
	row, kept := m.keptRows[key]
	if !kept {
		row = m.drawRow(e)
		m.keptRows[key] = row
	}
	return row
}

func (m *Model) drawRow(e *event.Event) view.Node {
	at := m.lang().Seconds(e.At.Sub(clock.Start))
	chosen := e.Seq == m.selected
	nth := m.nthText(e.Seq - 1)
	return view.El("tr", view.A("id", rowID(e.Seq)), view.If(chosen, view.Class("is-sel")),
		view.El("td", view.Class("ev__n"), strconv.Itoa(e.Seq)),
		view.El("td", view.Class("ev__t"), button("ev__b", Select{e.Seq}, view.If(chosen, view.A("aria-current", "true")), at),
			view.If(nth != "", view.El("small", view.Class("ev__nth"), " ", nth))),
		view.El("td", view.Class("ev__w"), m.lang().Who(e, m.names())),
		view.El("td", view.El("span", view.Class("ev__m"), timeline.MarkIcon(m.markOf(e))), m.lang().Event(e, m.names())))
}

// markOf returns the shape of an event. An effect beyond the first of its call that changed the total is a duplicate.
func (m *Model) markOf(e *event.Event) string {
	if e.Kind == event.EffectApplied && e.Delta != 0 {
		for i := range m.played.Events[:e.Seq-1] {
			o := &m.played.Events[i]
			if o.Kind == event.EffectApplied && o.Request.Client == e.Request.Client && o.Request.Call == e.Request.Call {
				return "dup"
			}
		}
	}
	return timeline.MarkFor(e)
}
