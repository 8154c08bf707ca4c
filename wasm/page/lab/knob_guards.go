package lab

import (
	"slices"
	"strconv"

	"retrylab.example/core/breaker"
	"retrylab.example/core/clock"
	"retrylab.example/core/decision"
	"retrylab.example/core/lesson"
	"retrylab.example/core/limit"
	"retrylab.example/core/scenario"
	"retrylab.example/core/sim"
)

// latest returns the last action that holds at the instant that the clock shows, of those in the scenario and in the run
// that counts accepts; nil if there is none. At one instant a person's come last.
func (m *Model) latest(counts func(a *sim.Action) bool) (last *sim.Action) {
	set := clock.Start
	for _, list := range [][]scenario.Input{m.current().Scenario.Inputs, m.played.Inputs} {
		for i := range list {
			if in := &list[i]; counts(&in.Action) && in.At <= m.pos.Now && in.At >= set {
				last, set = &in.Action, in.At
			}
		}
	}
	return last
}

// own returns what wraps the calls of the client of the form in the scenario, nil for nothing.
func (m *Model) own() *sim.Guards { return m.current().Scenario.Clients[m.form.client].Guards }

// guardsNow returns what wraps the calls of the client of the form now.
func (m *Model) guardsNow() sim.Guards {
	g := m.own()
	if a := m.latest(func(a *sim.Action) bool { return a.Kind == sim.SetGuards && a.Client == m.form.client }); a != nil {
		g = a.Guards
	}
	if g == nil {
		return sim.Guards{}
	}
	return *g
}

// limitNow returns the partner's limit now: a setting that was refused is none.
func (m *Model) limitNow() limit.Setting {
	a := m.latest(func(a *sim.Action) bool {
		if a.Kind != sim.SetLimit {
			return false
		}
		_, d := a.Limit.Decide()
		return d.Verdict == decision.Admit
	})
	if a == nil {
		return m.current().Scenario.LimitSetting()
	}
	return a.Limit
}

// typed returns what was typed into a knob and is not in the run yet.
func (m *Model) typed(name string) (string, bool) {
	s, ok := m.form.knobs[knob{m.form.client, name}]
	return s, ok
}

// knobGuards returns the guards that the knobs say, and those of the knobs that cannot be read.
func (m *Model) knobGuards() (g sim.Guards, bad []string) {
	g = m.guardsNow()
	for _, name := range scenario.GuardKnobs() {
		if s, typed := m.typed(name); typed && !m.current().Scenario.TurnGuard(&g, m.own(), name, withUnit(name, s)) {
			bad = append(bad, name)
		}
	}
	return g, bad
}

// withUnit reads a bare number in a field for a time as seconds, as most people type it.
func withUnit(name, s string) string {
	if d, ok := knobDuration(s); ok && name == "breaker.open" {
		return strconv.FormatInt(int64(d), 10) + "ns"
	}
	return s
}

// knobLimit returns the setting of the limit that the knobs say, right or wrong.
func (m *Model) knobLimit() limit.Setting {
	now := m.limitNow()
	s := scenario.ReadSetting(m.knobText("limit.count"), m.knobText("limit.window"))
	if _, typed := m.typed("limit.count"); !typed {
		s.Count = now.Count
	}
	if _, typed := m.typed("limit.window"); !typed {
		s.Window = now.Window
	}
	return s
}

// guardText returns what a knob of the guards or of the limit shows where nothing was typed.
func (m *Model) guardText(name string) string {
	switch name {
	case "limit.count":
		return m.limitNow().Count
	case "limit.window":
		return m.limitNow().Window + " s"
	}
	g, _ := m.knobGuards()
	s := m.current().Scenario.GuardText(g, name)
	if d, ok := knobDuration(s); ok && name == "breaker.open" {
		return spaced(d)
	}
	return s
}

// guardChoices returns the values of a knob of the guards that is chosen, nil for one that is typed.
func (m *Model) guardChoices(name string) []string {
	values := []string{scenario.None}
	switch name {
	case "breaker.window":
		return append(values, breaker.InARow.String(), breaker.Count.String(), breaker.Time.String())
	case "limiter":
		return append(values, limit.Continuous.String(), limit.Batch.String())
	case "pool":
		for _, p := range m.current().Scenario.Pools {
			values = append(values, p.Name)
		}
		return values
	case "fallback":
		status := "200"
		if own := m.own(); own != nil && own.Fallback.Status > 0 {
			status = strconv.Itoa(own.Fallback.Status)
		}
		return append(values, status)
	}
	return nil
}

// guardChoice returns the label of one value of such a knob: a name or a status is its own.
func (m *Model) guardChoice(name, value string) string {
	if value != scenario.None && (name == "pool" || name == "fallback") {
		return value
	}
	return m.lang().Choice(name, value)
}

// isPolicyKnob reports whether a knob turns a part of the policy.
func isPolicyKnob(name string) bool { return slices.Contains(lesson.PolicyKnobs(), name) }

// allows reports whether the step opens a knob of these.
func (m *Model) allows(names []string) bool {
	return slices.ContainsFunc(m.current().Allow.Knobs, func(name string) bool { return slices.Contains(names, name) })
}

// changes returns what the knobs would set: what differs from what holds now, or all that the step opens if nothing
// does. ok is false if one of the knobs cannot be read.
func (m *Model) changes(all bool) (list []sim.Action, ok bool) {
	client := m.form.client
	p, ok := m.knobPolicy()
	g, bad := m.knobGuards()
	now, limitNow := m.guardsNow(), m.knobLimit()
	if all && m.allows(lesson.PolicyKnobs()) || len(lesson.Turned(m.policyNow(), p)) > 0 {
		list = append(list, sim.Action{Kind: sim.SetPolicy, Client: client, Policy: p})
	}
	if all && m.allows(scenario.GuardKnobs()) || g != now {
		a := sim.Action{Kind: sim.SetGuards, Client: client}
		if g != (sim.Guards{}) {
			a.Guards = &g
		}
		list = append(list, a)
	}
	if all && m.allows(lesson.LimitKnobs()) || limitNow != m.limitNow() {
		list = append(list, sim.Action{Kind: sim.SetLimit, Limit: limitNow})
	}
	return list, ok && len(bad) == 0
}

// sets reports whether an input sets the same thing at the start of the run as an action does.
func sets(in *scenario.Input, a *sim.Action) bool {
	return in.At == clock.Start && in.Action.Kind == a.Kind && (a.Kind == sim.SetLimit || in.Action.Client == a.Client)
}
