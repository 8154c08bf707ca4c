package golden

import (
	"time"

	"retrylab.example/core/call"
	"retrylab.example/core/event"
	"retrylab.example/core/retry"
	"retrylab.example/core/retryafter"
	"retrylab.example/core/sim"
)

// wire goes through what a caller learns beside status and Retry-After: that nothing was sent, and what further fields say.
func wire() []event.Event {
	p := wide()
	p.Failures, p.Deadline = []call.Failure{call.NeverSent}, 20*time.Second
	careful := p
	careful.Safety = retry.LessonE
	w := world(sim.Config{
		Latency: 40 * ms, Script: []sim.Mishap{{Fault: event.NeverSent}, {}, {Fault: event.NeverSent}, {Fault: event.NeverSent}},
		Clients: []sim.Client{{Name: "app", Policy: p}, {Name: "careful", Policy: careful}},
	})
	for client := range 2 {
		w.fire(client, add("", 10))
		w.advance(10 * time.Second)
	}
	w.fire(1, add("k-1", 10))
	w.advance(time.Minute)
	for _, m := range []retryafter.Mode{retryafter.Standard, retryafter.Wild} {
		p.RetryAfterMode = m
		w.do(sim.Action{Kind: sim.SetPolicy, Policy: p})
		for _, fields := range []string{
			"Date: Mon, 30 Nov 2026 12:00:37 GMT\n", "RateLimit: \"a\";r=0;t=3\n", "x-ms-retry-after-ms: 1250.5\n",
			"X-RateLimit-Reset: 1796040200\nAge: 0\n", "RateLimit: \"a\";r=0;t=3\nAge: 4\n",
			"grpc-retry-pushback-ms: 1500\n", "grpc-retry-pushback-ms: -1\n",
		} {
			ordered := reply(429, "", 0)
			if ordered.Response.Fields = fields; fields[0] == 'D' {
				ordered.Response.RetryAfter, ordered.Response.HasRetryAfter = "Mon, 30 Nov 2026 12:00:40 GMT", true
			}
			w.inject(ordered)
			w.fire(0, call.Request{Method: "PATCH", Path: "/add", IfMatch: `"v1"`, Amount: 1})
			w.advance(5 * time.Second)
		}
	}
	return w.keep.Events
}
