package golden

import (
	"time"

	"retrylab.example/core/backoff"
	"retrylab.example/core/budget"
	"retrylab.example/core/call"
	"retrylab.example/core/event"
	"retrylab.example/core/retry"
	"retrylab.example/core/retryafter"
	"retrylab.example/core/rng"
	"retrylab.example/core/sim"
)

// wide is a policy that reads and repeats all that can be read and repeated.
func wide() retry.Policy {
	p := patient(6)
	p.Safety, p.KeysDocumented, p.Envelope = retry.Standard, true, true
	p.RetryAfter, p.RetryAfterMode = retryafter.Floor, retryafter.Standard
	p.MaxRetryAfter, p.AboveRetryAfter = 30*time.Second, 2*time.Second
	return p
}

// policies goes through the shapes of backoff, the jitters that cross the cap, shared budgets, and what contracts D and E
// read and repeat.
func policies() []event.Event {
	tokens := func(n int64) int64 { return n * budget.Token }
	budgets := []budget.Config{
		{Kind: budget.Quota, Tokens: tokens(30), Cost: tokens(7), ThrottledCost: tokens(3), Refill: tokens(1)},
		{Kind: budget.Throttle, Tokens: tokens(8), Refill: budget.Token / 3},
		{Kind: budget.Share, Share: rng.Ratio{Num: 1, Den: 5}, Minimum: 1},
		{},
	}
	c := sim.Config{Seed: 5, Latency: 3 * ms}
	for i, b := range budgets {
		p := wide()
		p.Budget = b
		p.Backoff = backoff.Config{
			Base: 300 * ms, Cap: 3 * time.Second, Shape: backoff.Shape(i % 3), Factor: backoff.Factor{Num: 7, Den: 3},
		}
		p.Jitter, p.Share, p.KeepAtCap = backoff.PlusMinus, rng.Ratio{Num: 1, Den: 3}, i%2 == 0
		if i == 3 {
			p.Jitter, p.Deadline, p.DeadlineTest = backoff.Decorrelated, 4*time.Second, budget.Greater
		}
		c.Clients = append(c.Clients, sim.Client{Name: b.Kind.String(), Policy: p})
	}
	p := world(c)
	order := func(status int, after string, flag call.Flag) {
		m := reply(status, after, 10*ms)
		m.Response.Body.Flag = flag
		p.inject(m)
	}
	for n := range 14 {
		for i := range c.Clients {
			order([]int{503, 429, 502, 408}[n%4], []string{"", "2", "1.5", "Mon, 30 Nov 2026 12:00:40 GMT", "60"}[(n+i)%5], call.Flag((n+i)%4%3))
			p.fire(i, call.Request{Method: []string{"POST", "QUERY", "PATCH"}[n%3], Path: "/add", IfMatch: `"v1"`, Amount: 1})
		}
		p.advance(700 * ms)
	}
	p.advance(time.Minute)
	return p.keep.Events
}
