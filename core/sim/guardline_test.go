package sim_test

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/cockroachdb/datadriven"

	"retrylab.example/core/breaker"
	"retrylab.example/core/limit"
	"retrylab.example/core/sim"
)

// guardLine reads a line of a world that sets up guards: "pool NAME running= …", or "breaker", "limiter", "in" and
// "fallback" with the name of a client that stands before it.
func guardLine(c *sim.Config, cmd string, a arguments) error {
	set := setter{arguments: a}
	if cmd == "pool" {
		p := sim.Pool{Name: a.word(0)}
		set.integer("running", &p.Running)
		set.integer("queue", &p.Queue)
		set.duration("timeout", &p.CallerTimeout)
		c.Pools = append(c.Pools, p)
		return set.err
	}
	for i := range c.Clients {
		if c.Clients[i].Name == a.word(0) {
			if c.Clients[i].Guards == nil {
				c.Clients[i].Guards = new(sim.Guards)
			}
			return guardOf(c, c.Clients[i].Guards, cmd, set)
		}
	}
	return fmt.Errorf("no client %q", a.word(0))
}

// guards changes what wraps a client's calls to what the lines say.
func (p *play) guards(a arguments, input string) error {
	client, err := p.client(a)
	if err != nil {
		return err
	}
	c := sim.Config{Clients: []sim.Client{{Name: p.clients[client].Name}}, Pools: p.pools}
	for line := range strings.Lines(input) {
		cmd, args, err := datadriven.ParseLine(line)
		if err != nil {
			return err
		}
		if err := guardLine(&c, cmd, arguments{args}); err != nil {
			return fmt.Errorf("line %q: %w", line, err)
		}
	}
	p.state = sim.Step(p.state, sim.Action{Kind: sim.SetGuards, Client: client, Guards: c.Clients[0].Guards}, &p.keep)
	return nil
}

func guardOf(c *sim.Config, g *sim.Guards, cmd string, set setter) error {
	switch cmd {
	case "in":
		for i, p := range c.Pools {
			if p.Name == set.word(1) {
				g.Pool = i + 1
			}
		}
	case "breaker":
		b := &g.Breaker
		named(&set, "window", &b.Window, breaker.ParseWindow)
		set.integer("failures", &b.Failures)
		set.integer("size", &b.Size)
		set.integer("percent", &b.Percent)
		set.integer("probes", &b.Probes)
		set.integer("successes", &b.Successes)
		set.duration("open", &b.Open)
		set.duration("lease", &b.Lease)
	case "limiter":
		capacity := 0
		set.integer("capacity", &capacity)
		g.Limiter.Capacity = int64(capacity)
		set.duration("period", &g.Limiter.Period)
		set.duration("poll", &g.Poll)
		named(&set, "mode", &g.Limiter.Mode, limit.ParseMode)
	case "fallback":
		var err error
		g.Fallback.Status, err = strconv.Atoi(set.word(1))
		return err
	default:
		return fmt.Errorf("unknown")
	}
	return set.err
}
