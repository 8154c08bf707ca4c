package sim

import (
	"errors"
	"fmt"

	"retrylab.example/core/breaker"
)

// checkPools checks that each bulkhead keeps its bounds and holds exactly the calls that hold a place in it.
func (s *State) checkPools() error {
	if len(s.vacated) > 0 {
		return errors.New("a place was vacated and not given on")
	}
	for i := range s.pools {
		p := &s.pools[i]
		c, running, queuing := p.bulkhead.Config(), p.bulkhead.Running(), p.bulkhead.Queued()
		if running > c.Running || queuing > c.Queue || queuing > 0 && running < c.Running {
			return fmt.Errorf("pool %d runs %d of %d and queues %d of %d", i+1, running, c.Running, queuing, c.Queue)
		}
		tasks, waits := 0, 0
		for j := range s.clients {
			if cl := &s.clients[j]; cl.guards != nil {
				t, w := cl.tasks(int32(i + 1))
				tasks, waits = tasks+t, waits+w
			}
		}
		if tasks != running+queuing || waits != queuing || len(p.waiting) != queuing {
			return fmt.Errorf("pool %d runs %d and queues %d, %d waiting; %d calls hold a place, %d of them wait",
				i+1, running, queuing, len(p.waiting), tasks, waits)
		}
	}
	return nil
}

// tasks counts the client's calls that hold a place in a pool, and those of them that wait in its queue.
func (c *client) tasks(pool int32) (all, waits int) {
	for i := range c.calls {
		if w := &c.guards.calls[c.over+i]; w.task == 0 || w.pool != pool || c.calls[i].phase == ended {
			continue
		}
		all++
		if c.calls[i].phase == queued {
			waits++
		}
	}
	return all, waits
}

// checkBreaker checks that exactly the attempts in flight hold a permit, and that no more probes run than may. An attempt
// that was sent before the guards were changed may hold none, or one of an earlier breaker.
func (s *State) checkBreaker(c *client) error {
	if c.guards == nil {
		return nil
	}
	if len(c.guards.calls) != c.started() {
		return fmt.Errorf("client %s has %d calls and wraps %d", c.Name, c.started(), len(c.guards.calls))
	}
	b := &c.guards.breaker
	if n := b.RunningProbes(s.now); n > b.Config().Probes {
		return fmt.Errorf("client %s has %d probes running", c.Name, n)
	}
	for i := range c.calls {
		p := c.guards.calls[c.over+i].permit
		permitted, needed := p != breaker.Permit{}, c.calls[i].phase == inFlight
		if permitted && !needed || needed && !permitted && b.Generation() > 0 && !c.guards.changed {
			return fmt.Errorf("call %s %d is in phase %d, permit %t", c.Name, c.over+i+1, c.calls[i].phase, permitted)
		}
		if p.Generation() > max(b.Generation(), c.guards.spent) {
			return fmt.Errorf("call %s %d has a permit of generation %d, which is to come", c.Name, c.over+i+1, p.Generation())
		}
	}
	return nil
}

// needsPatience reports whether a caller waits for the call who will leave at some instant.
func (s *State) needsPatience(st *callState) bool {
	c := &s.clients[st.request.Client]
	if c.guards == nil || st.phase == ended {
		return false
	}
	w := s.wrapped(&st.request)
	return w.task != 0 && !w.left && s.config.Pools[w.pool-1].CallerTimeout > 0
}
