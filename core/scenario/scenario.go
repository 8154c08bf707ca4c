// Package scenario reads and writes what a run starts from and what is done to it, and runs it.
package scenario

import (
	"cmp"
	"reflect"
	"slices"
	"time"

	"retrylab.example/core/call"
	"retrylab.example/core/clock"
	"retrylab.example/core/partner"
	"retrylab.example/core/sim"
)

// Format is the version of the file format.
const Format = 1

// Bounds of a scenario. They keep every run in milliseconds and every file readable.
const (
	MaxClients = 1000
	MaxScript  = 200
	MaxInputs  = 500
	MaxTimes   = 100
	MaxWait    = 24 * time.Hour
)

// Scenario is a world before its first step, with the inputs that belong to it.
type Scenario struct {
	sim.Config
	// Requests holds for each client what it fires unless something else is said.
	Requests []call.Request
	// Inputs are done in every run of the scenario.
	Inputs []Input
}

// Input is something that a person does at an instant: a Fire, an Inject, a SetPolicy, a SetGuards or a SetLimit. At that instant
// everything that is due comes first.
type Input struct {
	At     clock.Instant
	Action sim.Action
}

// Names returns the names of the clients by index.
func (s *Scenario) Names() []string {
	names := make([]string, len(s.Clients))
	for i, c := range s.Clients {
		names[i] = c.Name
	}
	return names
}

// Client returns the index of the client of that name, -1 if there is none.
func (s *Scenario) Client(name string) int {
	for i, c := range s.Clients {
		if c.Name == name {
			return i
		}
	}
	return -1
}

// Run plays the scenario with its own inputs and further ones, to the end. At one instant its own come first. The error
// is the world's: a scenario that was read has none.
func (s *Scenario) Run(inputs []Input, sink sim.Sink) (sim.State, error) {
	st, err := sim.New(s.Config)
	if err != nil {
		return st, err
	}
	for _, in := range merge(s.Inputs, inputs) {
		st = do(st, in, sink)
	}
	for {
		if _, due := st.Due(); !due {
			return st, nil
		}
		st = sim.Step(st, sim.Action{Kind: sim.Next}, sink)
	}
}

// do advances to an input and does it.
func do(st sim.State, in Input, sink sim.Sink) sim.State {
	st = sim.Step(st, sim.Action{Kind: sim.Advance, To: in.At}, sink)
	return sim.Step(st, in.Action, sink)
}

// merge puts two lists in the order of time; at one instant those of a come first.
func merge(a, b []Input) []Input {
	if len(a) == 0 {
		return b
	}
	all := append(append([]Input{}, a...), b...)
	slices.SortStableFunc(all, func(x, y Input) int { return cmp.Compare(x.At, y.At) })
	return all
}

// With returns the scenario with further inputs among its own, in the order in which a run does them: playing it without
// any gives the same run.
func (s *Scenario) With(inputs []Input) Scenario {
	all := *s
	all.Inputs = merge(s.Inputs, inputs)
	return all
}

// NeedsDraw reports whether anything is drawn at random: the partner's work, or a wait of any policy of the scenario or
// of one that an input sets. Without a draw every seed gives the same run.
func (s *Scenario) NeedsDraw(inputs []Input) bool {
	if s.Partner.Work.Draws() || slices.ContainsFunc(s.Partner.Paths, func(p partner.PathWork) bool { return p.Work.Draws() }) {
		return true
	}
	for i := range s.Clients {
		if s.Clients[i].Policy.NeedsDraw() {
			return true
		}
	}
	for _, list := range [2][]Input{s.Inputs, inputs} {
		for i := range list {
			if list[i].Action.Kind == sim.SetPolicy && list[i].Action.Policy.NeedsDraw() {
				return true
			}
		}
	}
	return false
}

// SameInput reports whether two inputs do the same at the same instant.
func SameInput(a, b Input) bool {
	return a.At == b.At && a.Action.Kind == b.Action.Kind && a.Action.Client == b.Action.Client &&
		a.Action.Times == b.Action.Times &&
		a.Action.Request == b.Action.Request && a.Action.Mishap == b.Action.Mishap &&
		reflect.DeepEqual(a.Action.Policy, b.Action.Policy) &&
		reflect.DeepEqual(a.Action.Guards, b.Action.Guards) && a.Action.Limit == b.Action.Limit
}
