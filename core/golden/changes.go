package golden

import (
	"time"

	"retrylab.example/core/breaker"
	"retrylab.example/core/bulkhead"
	"retrylab.example/core/call"
	"retrylab.example/core/event"
	"retrylab.example/core/limit"
	"retrylab.example/core/sim"
)

// changes turns what can be turned while calls are under way: what wraps a client's calls.
func changes() []event.Event {
	c := sim.Config{
		Seed: 9, Latency: 40 * ms,
		Pools: []sim.Pool{
			{Config: bulkhead.Config{Running: 1, Queue: 2, CallerTimeout: 900 * ms}}, {Config: bulkhead.Config{Running: 2}},
		},
		Clients: []sim.Client{{Name: "a", Policy: patient(3)}, {Name: "b", Policy: patient(2), Guards: &sim.Guards{Pool: 1}}},
	}
	wraps := []*sim.Guards{
		{Pool: 1, Breaker: breaker.Config{Window: breaker.InARow, Failures: 1, Open: 300 * ms}}, nil,
		{Pool: 2, Limiter: limit.BucketConfig{Capacity: 1, Period: 500 * ms}, Poll: 50 * ms, Fallback: call.Response{Status: 200}},
		{Breaker: breaker.Config{Window: breaker.Count, Size: 2, Percent: 50, Open: 200 * ms}},
	}
	p := world(c)
	for n := range 40 {
		if n%3 == 0 {
			p.inject(reply(503, "", time.Duration(n%5)*90*ms))
		}
		if n%4 == 2 {
			p.do(sim.Action{Kind: sim.SetGuards, Client: n / 4 % 2, Guards: wraps[n/4%len(wraps)]})
		}
		p.fire(n%2, add("", int64(1+n)))
		p.advance(time.Duration(n%6) * 70 * ms)
	}
	p.advance(time.Minute)
	return p.keep.Events
}
