package lab

import (
	"strconv"

	"retrylab.example/core/scenario"
	"retrylab.example/wasm/view"
	"retrylab.example/wasm/view/timeline"
)

// compareID is the button that compares; the focus comes back to it.
const compareID = "compare"

// comparison draws two runs above each other on one axis, what differs as a table, the clock of both, and both totals.
func (m *Model) comparison() []view.Node {
	l := m.lang()
	return []view.Node{
		view.El("main", view.Class("cmp"), view.A("id", stageID), view.A("tabindex", "-1"),
			view.El("section", view.Class("cmp__ab"), view.A("aria-labelledby", titleID),
				m.versusSay(),
				view.El("div", view.Class("cmp__tl"),
					view.El("p", view.Class("note cmp__note"), l.Say("lab.seed", "seed", strconv.FormatUint(m.current().Scenario.Seed, 10))+" · "+l.Say("lab.simulated")),
					view.El("div", view.Class("tlbox"), view.A("id", "timeline"), view.A("tabindex", "0"), view.A("role", "group"),
						view.A("data-keys", "clock"), view.A("aria-label", l.Say("lab.timeline-keys")), m.versusDrawing(), timeline.Head(m.drawing())),
					m.versusSelected())),
			m.versusTable()),
		view.El("div", view.Class("cmp__foot"), m.clock(), m.versusTotals()),
	}
}

// crowds returns the drawings of two crowds, in which every client of a run is drawn together with the others, on one
// axis and one scale; ok is false where the clients have lanes.
func (m *Model) crowds() (in [2]timeline.Input, ok bool) {
	if m.versus == nil {
		return in, false
	}
	both, sc := m.drawing(), &m.current().Scenario
	for s := range in {
		one := both
		one.Versus, one.Run, one.Kept, one.Totals, one.Selected = nil, nil, nil, nil, 0
		one.Clients, one.Events, one.Below = sc.Names(), m.seenOf(s), s > 0
		in[s] = one
	}
	peak := max(timeline.Peak(in[0]), timeline.Peak(in[1]))
	in[0].Peak, in[1].Peak = peak, peak
	return in, in[0].Crowded()
}

// versusDrawing draws two runs in one drawing, two crowds in one each.
func (m *Model) versusDrawing() view.Node {
	in, crowds := m.crowds()
	if !crowds {
		return timeline.Draw(m.drawing())
	}
	v := m.versus
	return view.El("div", view.Class("tl-crowds"), timeline.Draw(in[0]),
		view.El("p", view.Class("tl-crowds__say"), sideMark(v.letters[0]), " ↑ ", m.lang().Parting(v.found.Parting), " ", sideMark(v.letters[1]), " ↓"),
		timeline.Draw(in[1]))
}

// versusSay says which runs are compared, where they part and what happens there in each.
func (m *Model) versusSay() view.Node {
	l, v := m.lang(), m.versus
	p := v.found.Parting
	parts := []any{view.Class("cmp__say"),
		view.El("p", view.Class("row"), button("btn", CloseCompare{}, view.A("id", "close-compare"), view.Icon("back"), l.Say("lab.compare-close"))),
		view.El("h2", view.Class("cmp__h"), view.A("id", titleID), view.A("tabindex", "-1"), l.Say("lab.compare-title")),
		m.sidePicker(0), m.sidePicker(1),
		view.El("p", view.Class("verdict"), l.Parting(p))}
	if !p.Differs {
		return view.El("div", parts...)
	}
	names := m.current().Scenario.Names()
	list := []any{view.Class("cmp__first")}
	for s := range v.runs {
		at := []any{sideMark(v.letters[s]), " ", l.Moment(v.runs[s].Events, p.Index[s], names)}
		if p.Index[s] < len(v.runs[s].Events) {
			at = append(at, " ", button("jump", OpenSide{s, p.Index[s] + 1},
				l.Say("lab.compare-open", "letter", string(v.letters[s])), view.Icon("right")))
		}
		list = append(list, view.El("li", at...))
	}
	return view.El("div", append(parts, view.El("ul", list...))...)
}

func sideMark(letter byte) view.Node { return view.El("b", view.Class("ab-k"), string(letter)) }

// sidePicker chooses the run of one side among those in tabs, by letter and by what sets it apart.
func (m *Model) sidePicker(s int) view.Node {
	var values, labels []string
	for _, t := range m.tabs {
		values = append(values, string(t.letter))
		labels = append(labels, string(t.letter)+": "+m.tabWords(t.letter))
	}
	pick := selectOf(values, labels, string(m.versus.letters[s]), func(v string) any {
		if len(v) != 1 {
			return nil
		}
		return PickSide{s, v[0]}
	})
	word := [2]string{"lab.compare-above", "lab.compare-below"}[s]
	return view.El("label", view.Class("cmp__pick"), view.El("span", m.lang().Say(word)), pick)
}

// versusSelected says what the event is that was chosen in the drawing, and opens it.
func (m *Model) versusSelected() any {
	e, i := m.selectedEvent()
	if e == nil {
		return nil
	}
	l := m.lang()
	s, seq := m.versus.side(i)
	return view.El("p", view.Class("cmp__sel"), l.Seconds(e.At.Sub(0)), " ", view.El("b", l.Who(e, m.names())), " ", l.Event(e, m.names()), " ",
		button("jump", OpenSide{s, seq}, l.Say("lab.compare-open", "letter", string(m.versus.letters[s])), view.Icon("right")))
}

// versusTable lists all that differs: the same facts as the drawing, and those of the ends of both runs.
func (m *Model) versusTable() view.Node {
	l, v := m.lang(), m.versus
	rows := l.Differences(&v.found, m.current().Scenario.Names())
	const most = 60
	body := []any{}
	for _, r := range rows[:min(len(rows), most)] {
		cells := []any{view.El("th", view.A("scope", "row"), r.Label)}
		for s, words := range [2]string{r.A, r.B} {
			cell := []any{words}
			if r.Seqs[s] > 0 {
				name := l.Say("lab.compare-open", "letter", string(v.letters[s])) + ": " + r.Label
				cell = append(cell, " ", button("btn btn--s btn--icon btn--quiet", OpenSide{s, r.Seqs[s]}, view.A("aria-label", name), view.A("title", name), view.Icon("right")))
			}
			cells = append(cells, view.El("td", cell...))
		}
		body = append(body, view.El("tr", cells...))
	}
	parts := []any{view.Class("cmp__diffs"), // no landmark: the box inside is one
		view.El("h2", view.A("id", "diffs-h"), l.Say("lab.compare-differs"))}
	if len(rows) == 0 {
		return view.El("div", append(parts, view.El("p", l.Say("lab.compare-nothing")))...)
	}
	if left := len(rows) - most; left > 0 {
		parts = append(parts, view.El("p", view.Class("note"), l.Say("lab.compare-more", "n", strconv.Itoa(left))))
	}
	head := view.El("tr", view.El("td"), view.El("th", view.A("scope", "col"), sideMark(v.letters[0])),
		view.El("th", view.A("scope", "col"), sideMark(v.letters[1])))
	return view.El("div", append(parts, view.El("div", view.Class("cmp__box"), view.A("tabindex", "0"), view.A("role", "region"), view.A("aria-labelledby", "diffs-h"),
		view.El("table", view.Class("ends"), view.El("thead", head), view.El("tbody", body...))))...)
}

// versusTotals draws the counts and amounts of both runs so far.
func (m *Model) versusTotals() view.Node {
	l, v := m.lang(), m.versus
	parts := []any{view.Class("totals totals--ab"), view.A("id", "totals"), view.A("aria-label", l.Say("lab.totals"))}
	for s := range v.runs {
		parts = append(parts, view.El("div", append([]any{view.Class("ab-t"), sideMark(v.letters[s])}, m.totalsOf(m.seenOf(s), "-"+strconv.Itoa(s+1))...)...))
	}
	return view.El("section", parts...)
}

// compareButton compares the runs that stand in tabs.
func (m *Model) compareButton() any {
	return view.If(len(m.tabs) > 1 && m.canCompare(), button("btn btn--s", Compare{}, view.A("id", compareID), m.lang().Say("lab.compare")))
}

// policyComparer compares the run with a ready policy.
func (m *Model) policyComparer() any {
	if !m.comparesPolicies() || !m.canCompare() {
		return nil
	}
	l := m.lang()
	values, labels := []string{""}, []string{l.Say("lab.compare-choose")}
	for _, name := range scenario.Presets() {
		if name != "once" {
			values, labels = append(values, name), append(labels, l.Say("lab.preset-"+name))
		}
	}
	pick := selectOf(values, labels, "", func(v string) any { return ComparePolicy{v} })
	return view.El("label", view.Class("cmp__pick"), view.El("span", l.Say("lab.compare-policy")), pick)
}
