package golden

import (
	"time"

	"retrylab.example/core/call"
	"retrylab.example/core/event"
	"retrylab.example/core/retry"
	"retrylab.example/core/sim"
)

// wire goes through what a caller learns from the connection itself: that nothing was sent.
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
	return w.keep.Events
}
