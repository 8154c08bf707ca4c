package lesson

import (
	"slices"
	"strings"

	"retrylab.example/core/limit"
	"retrylab.example/core/retry"
	"retrylab.example/core/sim"
)

// LimitKnobs are the parts of the partner's limit that a step may open to the learner. They are typed freely, so that
// settings which the partner refuses can be tried.
func LimitKnobs() []string { return []string{"limit.count", "limit.window"} }

// turning follows what an answer turns, from input to input: an input is held to what differs from the one before.
type turning struct {
	policies map[int]retry.Policy // by client; looked up only, as the next
	guards   map[int]*sim.Guards
	limit    limit.Setting
}

func (s *Step) newTurning() *turning {
	return &turning{map[int]retry.Policy{}, map[int]*sim.Guards{}, s.Scenario.LimitSetting()}
}

// forbiddenGuards returns what an input turns of the guards of a client that is not offered.
func (s *Step) forbiddenGuards(a *sim.Action, t *turning) finding {
	own := s.Scenario.Clients[a.Client].Guards
	before, set := t.guards[a.Client]
	if !set {
		before = own
	}
	t.guards[a.Client] = a.Guards
	return s.locked(s.Scenario.TurnedGuards(own, before, a.Guards))
}

// forbiddenLimit returns what an input turns of the limit that is not offered. A refused setting changes nothing, so the
// next one is held to the one before.
func (s *Step) forbiddenLimit(a *sim.Action, t *turning) finding {
	var turned []string
	if a.Limit.Count != t.limit.Count {
		turned = append(turned, "limit.count")
	}
	if a.Limit.Window != t.limit.Window {
		turned = append(turned, "limit.window")
	}
	if c, _ := a.Limit.Decide(); c.Limit > 0 {
		t.limit = a.Limit
	}
	return s.locked(turned)
}

// locked says which of the knobs that were turned are not offered, nothing if all are.
func (s *Step) locked(turned []string) finding {
	turned = slices.DeleteFunc(turned, func(knob string) bool { return slices.Contains(s.Allow.Knobs, knob) })
	if len(turned) == 0 {
		return finding{}
	}
	return finds("turns %s, which is not offered", strings.Join(turned, ", "))
}
