package text

import (
	"slices"
	"strconv"
	"strings"

	"retrylab.example/core/event"
	"retrylab.example/core/retry"
	"retrylab.example/core/scenario"
	"retrylab.example/core/sim"
)

// Departure says in a few words what a run does first that another did not: "from 1.750 s: next reply 503". Both are
// inputs of one scenario.
func (l Lang) Departure(sc *scenario.Scenario, other, run []scenario.Input) string {
	i := 0
	for i < len(run) && i < len(other) && scenario.SameInput(run[i], other[i]) {
		i++
	}
	if i == len(run) {
		return l.Say("input.no-more", "n", strconv.Itoa(len(run)))
	}
	in := &run[i]
	return l.Say("input.from", "at", instant(in.At), "what", l.Input(sc, run[:i], in))
}

// InputAt is Input with its instant before it.
func (l Lang) InputAt(sc *scenario.Scenario, before []scenario.Input, in *scenario.Input) string {
	return instant(in.At) + " " + l.Input(sc, before, in)
}

// Input says in a few words what a person did, after what was done before.
func (l Lang) Input(sc *scenario.Scenario, before []scenario.Input, in *scenario.Input) string {
	a := &in.Action
	name, several := literal(sc.Names()[a.Client]), len(sc.Clients) > 1
	what := ""
	switch a.Kind {
	case sim.Fire:
		what = l.request(a.Request)
		if a.Times > 1 {
			what += l.Say("input.times", "n", strconv.Itoa(a.Times))
		}
	case sim.SetPolicy:
		what = l.Turned(policyBefore(sc, before, a.Client), a.Policy)
	case sim.SetGuards:
		what = l.Say("input.guards")
	case sim.SetLimit:
		return l.Say("input.limit", "n", literal(a.Limit.Count), "window", literal(a.Limit.Window))
	default:
		e := event.Event{Kind: event.FaultInjected, Fault: a.Mishap.Fault, Response: a.Mishap.Response}
		return l.Say("input.inject", "fault", l.fault(&e))
	}
	if several {
		return l.owned([]string{name}, what)
	}
	return what
}

// policyBefore returns the policy of a client after some inputs.
func policyBefore(sc *scenario.Scenario, inputs []scenario.Input, client int) retry.Policy {
	p := sc.Clients[client].Policy
	for i := range inputs {
		if a := &inputs[i].Action; a.Kind == sim.SetPolicy && a.Client == client {
			p = a.Policy
		}
	}
	return p
}

// mostTurned is how many settings of a policy are named; the rest are counted.
const mostTurned = 2

// Turned names what differs between two policies, with the new values: "Base 1.000 s, Jitter none".
func (l Lang) Turned(before, after retry.Policy) string {
	old := l.PolicyRows(before)
	var parts []string
	for _, r := range l.PolicyRows(after) {
		same := func(o Row) bool { return o.Label == r.Label && o.Value == r.Value }
		if !slices.ContainsFunc(old, same) {
			parts = append(parts, r.Label+" "+r.Value)
		}
	}
	more := len(parts) - mostTurned
	if more > 0 {
		parts = append(parts[:mostTurned], l.Say("input.more", "n", strconv.Itoa(more)))
	}
	if len(parts) == 0 {
		return l.Say("input.policy")
	}
	return strings.Join(parts, l.Say("part.list"))
}
