package lesson

import (
	"slices"
	"strings"

	"retrylab.example/core/breaker"
	"retrylab.example/core/decision"
	"retrylab.example/core/document"
	"retrylab.example/core/event"
)

// readMoment reads which events are meant: {"event": "send-refused", "client": "site", "reason": "circuit-open"}.
func readMoment(r *document.Reader, s *Step) Moment {
	var m Moment
	if f := r.Need("event"); f != nil {
		m.Kind = document.OneOf(f, namesOf(event.Kinds()), event.ParseKind)
	}
	if f := r.Field("client"); f != nil {
		m.Client = s.Scenario.ReadClient(f) + 1
	}
	m.Call, m.Attempt = int(r.Int("call", 0, 1, 1000)), int(r.Int("attempt", 0, 1, 1000))
	m.Status = int(r.Int("status", 0, 100, 599))
	if f := r.Field("reason"); f != nil {
		m.Reason = document.OneOf(f, reasonNames(), decision.ParseReason)
	}
	return m
}

// readMomentOf reads a moment that is an object of its own.
func readMomentOf(n *document.Node, s *Step) Moment {
	r := n.Object()
	m := readMoment(r, s)
	r.Done()
	return m
}

func readOrder(r *document.Reader, c *Check, s *Step) {
	first, then := r.Need("first"), r.Need("then")
	if first != nil {
		c.First = readMomentOf(first, s)
	}
	if then != nil {
		c.Then = readMomentOf(then, s)
	}
	if first != nil && then != nil && c.First == c.Then && c.Then.Kind != 0 {
		then.Fault("this is the event that should come first", "describe another event")
	}
}

// readState reads what state is wanted of a client's breaker, or of a pool.
func readState(r *document.Reader, c *Check, s *Step) {
	f := r.Need("of")
	if f == nil {
		r.Open() // which fields it should have is not known
		return
	}
	c.Of = document.OneOf(f, stateNames, func(s string) (string, bool) { return s, slices.Contains(stateNames, s) })
	switch {
	case !slices.Contains(stateNames, f.Text):
		r.Open()
	case c.Of == circuitState:
		if f := r.Field("client"); f != nil {
			c.Client = s.Scenario.ReadClient(f)
		}
		if f := r.Need("is"); f != nil {
			c.Circuit = document.OneOf(f, namesOf(circuitStates[:]), parseCircuit)
		}
	default:
		if f := r.Need("pool"); f != nil {
			readPool(f, c, s)
		}
		readNumber(r, c)
	}
}

var circuitStates = [...]breaker.State{breaker.Closed, breaker.Open, breaker.HalfOpen}

func parseCircuit(name string) (breaker.State, bool) {
	for _, s := range circuitStates {
		if s.String() == name {
			return s, true
		}
	}
	return breaker.Closed, false
}

// readPool reads the name of a pool.
func readPool(n *document.Node, c *Check, s *Step) {
	var names []string
	for _, p := range s.Scenario.Pools {
		names = append(names, p.Name)
	}
	if len(names) == 0 {
		n.Fault("the scenario has no pool", `add one to its "pools"`)
		return
	}
	name, ok := n.Match(func(name string) bool { return slices.Contains(names, name) },
		"use one of: "+strings.Join(names, ", "), "there is no pool named %q")
	if !ok {
		return
	}
	c.Pool = slices.Index(names, name) + 1
	for i, cl := range s.Scenario.Clients {
		if cl.Guards != nil && cl.Guards.Pool == c.Pool {
			c.members = append(c.members, i)
		}
	}
}
