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

// changes turns what can be turned while calls are under way: what wraps a client's calls, and the partner's limit, which
// refuses what is none. In the end a client waits for a place and is told.
func changes() []event.Event {
	c := sim.Config{
		Seed: 9, Latency: 40 * ms,
		Pools: []sim.Pool{
			{Config: bulkhead.Config{Running: 1, Queue: 2, CallerTimeout: 900 * ms}}, {Config: bulkhead.Config{Running: 2}},
		},
		Clients: []sim.Client{{Name: "a", Policy: patient(3)}, {Name: "b", Policy: patient(2), Guards: &sim.Guards{Pool: 1}}},
	}
	c.Clients = append(c.Clients, sim.Client{
		Name: "waits", Policy: patient(1), OnNotice: &call.Request{Method: "POST", Path: "/reservations", Slot: 1, Amount: 1},
	})
	wraps := []*sim.Guards{
		{Pool: 1, Breaker: breaker.Config{Window: breaker.InARow, Failures: 1, Open: 300 * ms}}, nil,
		{Pool: 2, Limiter: limit.BucketConfig{Capacity: 1, Period: 500 * ms}, Poll: 50 * ms, Fallback: call.Response{Status: 200}},
		{Breaker: breaker.Config{Window: breaker.Count, Size: 2, Percent: 50, Open: 200 * ms}},
	}
	settings := [...]limit.Setting{
		{Count: "1", Window: "1"}, {Count: "2.5", Window: "1"}, {Count: "2", Window: "1e400"}, {Count: "0", Window: "1"},
		{Count: "3", Window: "0.25"}, {Count: "1", Window: `"1"`}, {Count: "1", Window: "-1"}, {Count: "9", Window: "10"},
	}
	p := world(c)
	for n := range 40 {
		if n%3 == 0 {
			p.inject(reply(503, "", time.Duration(n%5)*90*ms))
		}
		if n%4 == 2 {
			p.do(sim.Action{Kind: sim.SetGuards, Client: n / 4 % 2, Guards: wraps[n/4%len(wraps)]})
		}
		if n%5 == 3 {
			p.do(sim.Action{Kind: sim.SetLimit, Limit: settings[n/5]})
		}
		p.fire(n%2, add("", int64(1+n)))
		p.advance(time.Duration(n%6) * 70 * ms)
	}
	for _, r := range []call.Request{
		{Method: "POST", Path: "/reservations", Slot: 1, Amount: 1}, {Method: "POST", Path: "/waitlist", Slot: 1, Amount: 1},
		{Method: "POST", Path: "/waitlist", Slot: 1, Amount: 2}, {Method: "DELETE", Path: "/reservations/1"},
		{Method: "GET", Path: "/reservations"}, {Method: "DELETE", Path: "/reservations/2"},
	} {
		p.advance(time.Minute)
		p.fire(2, r)
	}
	p.advance(time.Minute)
	return p.keep.Events
}
