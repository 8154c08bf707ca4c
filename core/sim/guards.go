package sim

import (
	"errors"
	"fmt"
	"time"

	"retrylab.example/core/breaker"
	"retrylab.example/core/bulkhead"
	"retrylab.example/core/call"
	"retrylab.example/core/clock"
	"retrylab.example/core/event"
	"retrylab.example/core/limit"
)

// Guards are what wraps a client's calls, with its policy, from the outside in:
//
//	fallback( bulkhead( retry( breaker( limiter( attempt timeout )))))
//
// A call asks the bulkhead once and keeps its place through all attempts and waits. Every attempt tests the deadline,
// then asks the breaker, then the limiter, all at the instant at which it is sent: no permit and no token is held over a
// wait, so that nothing is sent while the circuit is open. An attempt that the breaker or the limiter refuses ends the
// call; it is not retried. docs/adr/0008 says why.
//
// The zero value wraps nothing.
type Guards struct {
	// Pool is the bulkhead in which the calls run, counted from 1 in Config.Pools; 0: none. Clients that name the same one
	// share it.
	Pool int
	// Breaker is the client's own circuit breaker, its zero value none. It is told of every attempt's outcome.
	Breaker breaker.Config
	// Limiter is the client's own token bucket; capacity 0: none.
	Limiter limit.BucketConfig
	// Poll is how often an attempt without a token asks again, counted from when it first asked. 0: it does not wait, and
	// an empty bucket refuses it.
	Poll time.Duration
	// Fallback is what the caller of a call that gave up gets instead; status 0: nothing. A caller whose request the
	// partner refused for good (call.Permanent) gets that answer and no fallback.
	Fallback call.Response
}

// Pool is a bulkhead by its name.
type Pool struct {
	Name string
	bulkhead.Config
}

// guards are the state of what wraps one client's calls, nil where nothing does.
type guards struct {
	*Guards
	breaker breaker.Breaker // generation 0: none
	bucket  limit.Bucket
	calls   []wrapped // by call, from the first on
	// changed says that others wrapped the client before these, spent how many generations their breakers had.
	changed bool
	spent   int64
}

// wrapped is what a call holds of its guards.
type wrapped struct {
	task   uint64 // in its pool; 0: none
	pool   int32  // from 1; 0: none
	left   bool   // its caller has gone
	permit breaker.Permit
}

// pool is the state of one bulkhead.
type pool struct {
	bulkhead bulkhead.Bulkhead
	waiting  []call.Request // the calls in its queue, in their order
}

// vacated is a place whose task has ended.
type vacated struct {
	pool int
	task uint64
}

func newPools(list []Pool) ([]pool, error) {
	var pools []pool
	for _, c := range list {
		b, err := bulkhead.New(c.Config)
		if err != nil {
			return nil, fmt.Errorf("pool %s: %w", c.Name, err)
		}
		pools = append(pools, pool{bulkhead: b})
	}
	return pools, nil
}

// newGuards returns the state of what wraps a client's calls, nil for nothing.
func newGuards(c *Guards, pools int) (*guards, error) {
	if c == nil {
		return nil, nil
	}
	if c.Pool < 0 || c.Pool > pools {
		return nil, fmt.Errorf("there is no pool %d", c.Pool)
	}
	if c.Poll < 0 {
		return nil, errors.New("a limiter is polled every so often, not less than 0 s")
	}
	g := guards{Guards: c}
	var err error
	wraps := c.Pool > 0 || c.Fallback.Status > 0
	if c.Breaker != (breaker.Config{}) {
		if g.breaker, err = breaker.New(c.Breaker); err != nil {
			return nil, err
		}
		wraps = true
	}
	if c.Limiter != (limit.BucketConfig{}) {
		if g.bucket, err = limit.NewBucket(c.Limiter); err != nil {
			return nil, err
		}
		wraps = true
	}
	if !wraps {
		return nil, nil
	}
	return &g, nil
}

// setGuards replaces what wraps a client's calls. The generations of a breaker go on from those of the ones before it, so
// that their permits are stale.
func (s *State) setGuards(a Action, sink Sink) {
	c := &s.clients[a.Client]
	g, err := newGuards(a.Guards, len(s.pools))
	if err != nil {
		return
	}
	if g == nil {
		g = &guards{Guards: new(Guards)} // calls under way may hold a place
	}
	g.changed, g.calls = true, make([]wrapped, c.started())
	if old := c.guards; old != nil {
		g.calls, g.spent = old.calls, max(old.spent, old.breaker.Generation())
	}
	g.breaker = g.breaker.After(g.spent)
	c.guards = g
	s.emit(sink, event.Event{Kind: event.GuardsChanged, Who: event.Person, Request: call.Request{Client: a.Client}, Pool: g.Pool})
}

func (g *guards) clone() *guards {
	if g == nil {
		return nil
	}
	c := *g
	c.bucket = g.bucket.Clone()
	c.calls = append([]wrapped(nil), g.calls...)
	return &c
}

func clonePools(pools []pool) []pool {
	list := append([]pool(nil), pools...)
	for i := range list {
		list[i].bulkhead = list[i].bulkhead.Clone()
		list[i].waiting = append([]call.Request(nil), list[i].waiting...)
	}
	return list
}

// wrapped returns what a call holds of its guards; its client has some.
func (s *State) wrapped(r *call.Request) *wrapped { return &s.clients[r.Client].guards.calls[r.Call-1] }

// Running returns how many tasks run in a pool and how many wait there.
func (s State) Running(pool int) (running, queued int) {
	b := &s.pools[pool-1].bulkhead
	return b.Running(), b.Queued()
}

// nextPoll returns when an attempt that was refused a token at the instant now asks again: at the first poll at which
// there is one if nobody else comes, because no earlier poll can succeed; and at its deadline, if that is before.
func nextPoll(now, passes, deadline clock.Instant, poll time.Duration) clock.Instant {
	wait := passes.Sub(now)
	at := now.Add(clock.Times(poll, uint64((wait-1)/poll+1)))
	if deadline > now {
		at = min(at, deadline)
	}
	return at
}
