package golden

import (
	"strconv"
	"time"

	"retrylab.example/core/breaker"
	"retrylab.example/core/bulkhead"
	"retrylab.example/core/call"
	"retrylab.example/core/event"
	"retrylab.example/core/limit"
	"retrylab.example/core/sim"
)

// guards wraps calls in all that can wrap them: pools shared and not, breakers of each window, buckets of both modes
// with and without polls, fallbacks, callers who leave, and results that come late.
func guards() []event.Event {
	c := sim.Config{
		Seed: 5, Latency: 70 * ms, MaxEvents: 15_000,
		Pools: []sim.Pool{
			{Config: bulkhead.Config{Running: 2, Queue: 2, CallerTimeout: 1700 * ms}},
			{Config: bulkhead.Config{Running: 1, Queue: 3}},
		},
	}
	breakers := []breaker.Config{
		{}, {Window: breaker.InARow, Failures: 2, Open: 900 * ms, Probes: 2, Successes: 3, Lease: 300 * ms},
		{Window: breaker.Count, Size: 4, Percent: 50, Open: 1300 * ms},
		{Window: breaker.Time, Span: 3 * time.Second, Minimum: 3, Percent: 34, Open: 700 * ms, Ignoring: breaker.ClassesOf(call.Throttled)},
	}
	buckets := []limit.BucketConfig{
		{}, {Capacity: 2, Period: 700 * ms}, {Capacity: 3, Refill: 2, Period: 1100 * ms, Mode: limit.Continuous},
	}
	for i := range 12 {
		g := &sim.Guards{Pool: i % 3, Breaker: breakers[i%4], Limiter: buckets[i/2%3], Poll: time.Duration(i%2) * 50 * ms}
		if i%5 > 0 {
			g.Fallback = call.Response{Status: 200 + i%5}
		}
		policy := patient(3)
		policy.Deadline, policy.Backoff.Base = time.Duration(i%4)*2*time.Second, 300*ms
		c.Clients = append(c.Clients, sim.Client{Name: "client-" + strconv.Itoa(i), Policy: policy, Guards: g})
	}
	faults := [...]event.Fault{event.Slow, event.LostRequest, event.LostReply, event.CrashBefore, event.CrashAfter}
	p := world(c)
	for n := range 60 {
		for i := range c.Clients {
			switch (i + n) % 6 {
			case 0:
				p.inject(reply(503, "", time.Duration(i)*100*ms))
			case 3:
				p.inject(sim.Mishap{Fault: faults[(i+n/6)%len(faults)], Delay: time.Duration(n) * 40 * ms})
			}
			p.fire(i, add("k-"+strconv.Itoa(n/2), int64(1+i)))
		}
		p.advance(time.Duration(n%7) * 130 * ms)
	}
	p.advance(time.Minute)
	return p.keep.Events
}
