package lab

import (
	"slices"
	"strconv"
	"strings"

	"retrylab.example/core/codelab"
	"retrylab.example/wasm/view"
	"retrylab.example/wasm/view/timeline"
)

// runBlock draws the learner's run above the core's, on one axis with one clock, and the case that they are of.
func (m *Model) runBlock() any {
	c := m.code
	if !c.function.Runs() {
		return nil
	}
	l, t := m.lang(), &c.trial
	parts := []any{view.Class("block coderun"), view.A("id", runID), view.A("aria-labelledby", "code-run-h"),
		view.El("div", view.Class("block__head"), view.El("h2", view.A("id", "code-run-h"), l.Say("code.run")),
			view.El("span", view.Class("note"), l.Say("lab.simulated")))}
	if t.of == nil {
		parts = append(parts, view.El("p", view.Class("note"), l.Say("code.run-note")))
	} else {
		parts = append(parts, m.twoRuns()...)
	}
	row := []any{view.Class("row"), button("btn", ShowRun{}, view.A("id", "code-see"), idle(!m.Settings.Python || c.doing != idling), l.Say("code.run-see"))}
	if v := c.verdict; v != nil && !v.Passed() {
		row = append(row, button("btn btn--quiet", ShowCounter{}, view.A("id", "code-counter"), idle(c.doing != idling), l.Say("code.run-counter")))
	}
	return view.El("section", append(parts, m.caseForm(), view.El("p", row...))...)
}

// twoRuns draws the last trial.
func (m *Model) twoRuns() []any {
	l, t := m.lang(), &m.code.trial
	said := view.El("p", view.Class("codeverdict__s is-pass"), view.Icon("check"), view.El("span", l.Say("code.run-same")))
	if v := &t.of.Verdict; !v.Passed() {
		said = view.El("p", view.Class("codeverdict__s is-fail"), view.Icon("cross"), view.El("span", m.sentence(v)))
	}
	parts := []any{python(slices.Concat(t.of.Setup, t.of.Calls)...), said}
	if len(m.played.Events) > 0 {
		parts = append(parts,
			view.El("div", view.Class("tlbox"), view.A("id", "timeline"), view.A("tabindex", "0"), view.A("role", "group"),
				view.A("data-keys", "clock"), view.A("aria-label", l.Say("lab.timeline-keys")), timeline.Draw(m.drawing())),
			m.clock())
	}
	return append(parts, m.traceTable())
}

// traceTable lists both runs call by call: the same as the drawing. The first difference is marked.
func (m *Model) traceTable() view.Node {
	l, t := m.lang(), m.code.trial.of
	sides := [2][]string{outcomeLines(l.Say("code.returns"), l.Say("code.raises"), t.Yours), outcomeLines(l.Say("code.returns"), l.Say("code.raises"), t.Wanted)}
	first := 0
	for first < len(sides[0]) && first < len(sides[1]) && sides[0][first] == sides[1][first] {
		first++
	}
	body := []any{}
	for i := range max(len(sides[0]), len(sides[1])) {
		cells := []any{view.If(i == first, view.Class("is-first")), view.El("th", view.A("scope", "row"), strconv.Itoa(i+1),
			view.If(i == first, view.El("span", view.Class("vh"), " "+l.Say("code.first-difference"))))}
		for _, side := range sides {
			text := "–"
			if i < len(side) {
				text = side[i]
			}
			cells = append(cells, view.El("td", inline(text)))
		}
		body = append(body, view.El("tr", cells...))
	}
	return view.El("div", view.Class("cmp__box"), view.A("tabindex", "0"), view.A("role", "region"), view.A("aria-label", l.Say("code.trace")),
		view.El("table", view.Class("ends codetrace"), view.El("caption", view.Class("vh"), l.Say("code.trace")),
			view.El("thead", view.El("tr", view.El("td"), view.El("th", view.A("scope", "col"), l.Say("code.run-yours")), view.El("th", view.A("scope", "col"), l.Say("code.run-core")))),
			view.El("tbody", body...)))
}

// outcomeLines writes what was done to the world, call by call with its instant, and how it ended.
func outcomeLines(returns, raises string, outcomes []codelab.Outcome) []string {
	var lines []string
	for i := range outcomes {
		o := &outcomes[i]
		for _, did := range o.Trace {
			lines = append(lines, did.String()+"  # "+codelab.Decimal(int64(did.At)))
		}
		switch {
		case o.Limit != "":
		case o.Raised != "":
			lines = append(lines, raises+" "+o.Raised)
		default:
			lines = append(lines, returns+" "+o.Result.String())
		}
	}
	return lines
}

// caseForm lets a person set the case: replies, limits, draws; or take another by its number.
func (m *Model) caseForm() view.Node {
	l, c := m.lang(), m.code
	made, err := c.function.Make(c.trial.spec)
	if err != nil {
		made, _ = c.function.Make(codelab.Spec{})
	}
	fields := []any{view.Class("codecase")}
	for _, p := range c.function.Parts(&made) {
		fields = append(fields, m.partField(&p))
	}
	parts := []any{view.Class("fold"), view.A("id", "code-case"), view.El("summary", l.Say("code.case")),
		view.El("p", view.Class("note"), l.Say("code.case-note")), view.El("div", fields...),
		view.El("p", view.Class("row"), view.El("label", view.Class("field"), view.El("span", view.Class("field__l"), l.Say("code.seed", "most", strconv.Itoa(codelab.Generated))),
			view.El("input", view.Class("input input--s"), view.A("id", "case-seed"), view.A("type", "number"), view.A("min", "1"), view.A("max", strconv.Itoa(codelab.Generated)),
				view.Change(func(v string) any { return SeedCase{v} }))))}
	if c.trial.trouble != "" {
		parts = append(parts, problem(c.trial.trouble))
	}
	return view.El("details", parts...)
}

// partLabel names a part of a case: a parameter of the function, or something of the world.
func (m *Model) partLabel(name string) string {
	l := m.lang()
	if of, number, ok := strings.Cut(name, "-"); ok {
		return l.Say("code.part-"+of, "n", number)
	}
	switch name {
	case "replies", "draws", "oversleep":
		return l.Say("code.part-" + name)
	}
	return name
}

func (m *Model) partField(p *codelab.Part) view.Node {
	set := func(v string) any { return SetCase{p.Name, v} }
	id := "case-" + p.Name
	var control view.Node
	if p.Kind == codelab.Choice {
		options := withOwn(p.Options, p.Text)
		control = selectOf(options, options, p.Text, set)
		control.Attrs = append(control.Attrs, *view.A("id", id), *view.A("lang", "en"), *view.A("translate", "no"))
	} else {
		control = view.El("input", view.Class("input"), view.A("id", id), view.A("type", "text"), view.A("value", p.Text),
			view.A("maxlength", "200"), view.A("autocomplete", "off"), view.A("spellcheck", "false"), view.Change(set))
	}
	return view.El("label", view.Class("field"), view.El("span", view.Class("field__l"), m.partLabel(p.Name)), control)
}
