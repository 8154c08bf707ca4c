package lab

import (
	"strconv"

	"retrylab.example/core/backoff"
	"retrylab.example/core/clock"
	"retrylab.example/core/lesson"
	"retrylab.example/core/retry"
	"retrylab.example/core/retryafter"
	"retrylab.example/core/text"
	"retrylab.example/wasm/view"
)

// policy lists every limit that can stop a call, and opens the knobs that the step allows.
func (m *Model) policy() view.Node {
	l := m.lang()
	st := m.current()
	parts := []any{view.Class("block"), view.A("aria-labelledby", "pol-h"),
		view.El("div", view.Class("block__head"), view.El("h2", view.A("id", policyID), view.A("tabindex", "-1"), l.Say("lab.policy")),
			view.El("span", view.Class("note"), l.Say("lab.policy-note")))}
	if len(st.Allow.Knobs) > 0 {
		knobs := []any{view.Class("knobs")}
		for _, name := range st.Allow.Knobs {
			if isPolicyKnob(name) || m.guardText(name) != "" { // a breaker has not every part
				knobs = append(knobs, m.knob(name))
			}
		}
		parts = append(parts, view.El("div", knobs...), m.askFrom(), m.policyComparer())
		switch {
		case m.knobTrouble != "":
			parts = append(parts, problem(m.knobTrouble))
		case m.turned() && !m.fired():
			parts = append(parts, view.El("p", view.Class("note"), l.Say("lab.knobs-fire")))
		}
	}
	limits := []any{view.Class("limits")}
	for _, r := range append(l.PolicyRows(m.policyNow()), l.GuardRows(m.guardsNow(), st.Scenario.Pools)...) {
		limits = append(limits, view.El("div", view.El("dt", r.Label), view.El("dd", r.Value)))
	}
	return view.El("section", append(parts, view.El("dl", limits...))...)
}

func (m *Model) knob(name string) view.Node {
	l := m.lang()
	set := func(v string) any { return SetKnob{name, v} }
	var control view.Node
	switch name {
	case "jitter":
		control = m.knobSelect(name, backoff.JitterNames(), set)
	case "retryAfter":
		control = m.knobSelect(name, retryafter.RuleNames(), set)
	case "methods":
		control = m.knobSelect(name, retry.SafetyNames(), set)
	case "freshDeadline":
		control = m.knobSelect(name, []string{"false", "true"}, set)
	case "breaker.window", "limiter", "pool", "fallback":
		control = m.knobSelect(name, m.guardChoices(name), set)
	default:
		control = view.El("span", view.Class("knob__in"),
			view.El("input", view.Class("input"), view.A("id", "knob-"+name), view.A("type", "text"), view.A("value", m.knobText(name)),
				view.A("autocomplete", "off"), view.If(!m.knobOK(name), view.A("aria-invalid", "true")), view.Input(set)))
	}
	label := l.Knob(text.Dashed(name))
	return view.El("label", view.Class("knob", ifName(!m.knobOK(name), "is-bad")), view.El("span", label), control)
}

func (m *Model) knobSelect(name string, values []string, set func(string) any) view.Node {
	labels := make([]string, len(values))
	for i, v := range values {
		labels[i] = m.choice(name, v)
	}
	n := selectOf(values, labels, m.knobText(name), set)
	n.Attrs = append(n.Attrs, *view.A("id", "knob-"+name))
	return n
}

// tries lists the runs that the learner has made in this step, the latest first, and how each ended.
func (m *Model) tries() any {
	branches := m.tree.Branches()
	if len(branches) == 0 {
		return nil
	}
	l := m.lang()
	const most = 12
	items := []any{view.Class("tries")}
	for i, id := range branches[:min(len(branches), most)] {
		items = append(items, m.try(len(branches)-i, id))
	}
	return view.El("section", view.Class("block"), view.A("aria-labelledby", "tries-h"),
		view.El("div", view.Class("block__head"), view.El("h2", view.A("id", "tries-h"), l.Say("lab.tries")),
			view.If(m.shared == nil, view.El("span", view.Class("note"), l.Say("lab.tries-note")))),
		view.El("ol", items...),
		view.If(!m.place.Alone, m.commandLine()))
}

func (m *Model) try(n, id int) view.Node {
	l := m.lang()
	path, g := m.tree.PathOf(id), m.judgedBranch(id)
	word := "lab.try-open"
	if g.holds {
		word = "lab.try-holds"
	}
	line := l.Say("lab.try", "n", strconv.Itoa(n), "inputs", strconv.Itoa(len(path)), "end", l.Seconds(g.end.Sub(clock.Start)))
	if len(m.current().Checks) > 0 {
		line += " · " + l.Say(word)
	}
	return view.El("li", button("btn btn--quiet btn--s try__b", ShowBranch{id},
		view.If(m.tree.Shown(id), view.A("aria-current", "true")), line))
}

func (m *Model) judgedBranch(id int) judged {
	if g, known := m.judged[id]; known {
		return g
	}
	g, events := m.current().Grade(lesson.Answer{Inputs: m.tree.PathOf(id)})
	j := judged{holds: g.Settled && held(g) == len(g.Results) && g.FailedSeed == 0}
	if n := len(events); n > 0 {
		j.end = events[n-1].At
	}
	m.judged[id] = j
	return j
}

// commandLine shows how the learner's run is judged outside of the page, and the file that it takes.
func (m *Model) commandLine() view.Node {
	l := m.lang()
	file := string(m.current().WritePlay(lesson.Answer{Inputs: m.tree.Path(), Prediction: m.said()}))
	return view.El("details", view.Class("fold"), view.A("id", "command"), view.El("summary", l.Say("lab.command")),
		view.El("p", view.Class("note"), l.Say("lab.command-note")),
		view.El("pre", view.Class("http"), view.A("lang", "en"), view.A("translate", "no"), view.A("tabindex", "0"),
			"retrylab check "+m.lesson.ID+" "+m.StepID()+" inputs.json"),
		view.El("pre", view.Class("http"), view.A("lang", "en"), view.A("translate", "no"), view.A("tabindex", "0"), file))
}

// choice returns the label of one value of a knob that has names.
func (m *Model) choice(knob, value string) string {
	switch {
	case knob == "freshDeadline":
		return m.lang().Say("lab.switch-" + value)
	case !isPolicyKnob(knob):
		return m.guardChoice(knob, value)
	}
	return m.lang().Choice(text.Dashed(knob), value)
}
