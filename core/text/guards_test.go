package text_test

import (
	"math/rand/v2"
	"time"

	"retrylab.example/core/breaker"
	"retrylab.example/core/bulkhead"
	"retrylab.example/core/call"
	"retrylab.example/core/limit"
	"retrylab.example/core/sim"
)

// guard wraps the calls of a third of the clients of a world in random guards.
func guard(r *rand.Rand, c *sim.Config) {
	c.Pools = []sim.Pool{{Config: bulkhead.Config{
		Running: 1 + r.IntN(2), Queue: r.IntN(3), CallerTimeout: pick(r, 0, 200*time.Millisecond, 2*time.Second),
	}}}
	for i := range c.Clients {
		if r.IntN(3) > 0 {
			continue
		}
		g := new(sim.Guards)
		c.Clients[i].Guards = g
		g.Pool = r.IntN(2)
		if r.IntN(2) == 0 {
			g.Breaker = breaker.Config{
				Window: pick(r, breaker.InARow, breaker.Count), Failures: 1 + r.IntN(2), Size: 1 + r.IntN(3), Percent: 50,
				Open: pick(r, 100*time.Millisecond, time.Second), Lease: pick(r, 0, 50*time.Millisecond),
				Successes: 1 + r.IntN(2),
			}
		}
		if r.IntN(2) == 0 {
			g.Limiter = limit.BucketConfig{Capacity: int64(1 + r.IntN(2)), Period: time.Second, Mode: pick(r, limit.Batch, limit.Continuous)}
			g.Poll = pick(r, 0, 50*time.Millisecond)
		}
		g.Fallback = pick(r, call.Response{}, call.Response{Status: 200})
	}
}
