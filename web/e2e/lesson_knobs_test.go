//go:build e2e

package e2e

import (
	"slices"
	"strconv"
	"strings"

	"retrylab.example/core/clock"
	"retrylab.example/core/document"
	"retrylab.example/core/lesson"
	"retrylab.example/core/retry"
	"retrylab.example/core/scenario"
	"retrylab.example/core/sim"
)

// turn sets the knobs to what an action says, and replays the run with it at its start, or applies it from now on.
func (p *player) turn(a sim.Action) {
	p.t.Helper()
	if a.Kind != sim.SetLimit {
		p.setClient(a.Client)
	}
	for _, k := range p.knobs(a) {
		p.turnKnob(k.name, k.value)
	}
	in := scenario.Input{At: clock.Start, Action: a}
	if p.pos.Count > 0 {
		p.h.press(p.tab, one("#apply-policy"))
		done := p.played.Done(p.pos)
		in.At = p.pos.Now
		p.inputs = append(slices.Clone(p.inputs[:done]), in)
		p.replay()
		p.arrive(scenario.Position{Count: p.played.Ends[done], Now: p.pos.Now})
		return
	}
	p.h.press(p.tab, one("#replay-policy"))
	p.inputs = append([]scenario.Input{in}, p.inputs...)
	p.replay()
	p.arrive(p.played.At(p.pos.Now))
}

// knobSetting is what a knob is to show.
type knobSetting struct{ name, value string }

// knobs returns what an action says of the knobs that the step opens, in an order in which they can be turned.
func (p *player) knobs(a sim.Action) []knobSetting {
	p.t.Helper()
	var list []knobSetting
	add := func(names []string, value func(name string) string) {
		for _, name := range names {
			if v := value(name); v != "" && slices.Contains(p.step.Allow.Knobs, name) {
				list = append(list, knobSetting{name, v})
			}
		}
	}
	switch a.Kind {
	case sim.SetPolicy:
		add(lesson.PolicyKnobs(), func(name string) string { return knobValue(&a.Policy, name) })
	case sim.SetGuards:
		var g sim.Guards
		if a.Guards != nil {
			g = *a.Guards
		}
		add(scenario.GuardKnobs(), func(name string) string { return p.step.Scenario.GuardText(g, name) })
	case sim.SetLimit:
		list = []knobSetting{{"limit.count", a.Limit.Count}, {"limit.window", a.Limit.Window}}
	default:
		p.t.Fatalf("no person does %v", a.Kind)
	}
	return list
}

// turnKnob sets one knob, unless it shows the value already.
func (p *player) turnKnob(name, value string) {
	p.t.Helper()
	what := "document.getElementById(" + quote("knob-"+name) + ")"
	p.waitFor(what)
	bare := func(s string) string { return strings.ReplaceAll(s, " ", "") }
	switch shown := eval[[]string](p.tab, `((e) => [e.value, ([...(e.options || [])].find((o) => o.value === `+quote(value)+`) || {label: ""}).label])(`+what+`)`); {
	case bare(shown[0]) == bare(value):
	case shown[1] != "":
		p.h.pick(p.tab, what, shown[1])
	default:
		p.h.write(p.tab, what, value)
	}
}

// knobValue writes a part of a policy as its knob shows it; the spaces do not matter.
func knobValue(p *retry.Policy, name string) string {
	switch name {
	case "attempts":
		return strconv.Itoa(p.Attempts)
	case "deadline":
		return document.FormatDuration(p.Deadline)
	case "attemptTimeout":
		return document.FormatDuration(p.AttemptTimeout)
	case "base":
		return document.FormatDuration(p.Backoff.Base)
	case "cap":
		return document.FormatDuration(p.Backoff.Cap)
	case "jitter":
		return p.Jitter.String()
	case "retryAfter":
		return p.RetryAfter.String()
	case "methods":
		return p.Safety.String()
	case "freshDeadline":
		return strconv.FormatBool(p.FreshDeadline)
	}
	statuses := make([]string, len(p.Statuses))
	for i, s := range p.Statuses {
		statuses[i] = strconv.Itoa(s)
	}
	return strings.Join(statuses, " ")
}
