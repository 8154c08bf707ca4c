package compare_test

import (
	"fmt"
	"time"

	"retrylab.example/core/backoff"
	"retrylab.example/core/call"
	"retrylab.example/core/clock"
	"retrylab.example/core/compare"
	"retrylab.example/core/event"
	"retrylab.example/core/retry"
	"retrylab.example/core/sim"
	"retrylab.example/core/trace"
)

// play runs one call against a partner that fails twice.
func play(p retry.Policy) []event.Event {
	broken := sim.Mishap{Fault: event.Reply, Response: call.Response{Status: 503}}
	st, err := sim.New(sim.Config{
		Seed: 7, Script: []sim.Mishap{broken, broken}, Clients: []sim.Client{{Name: "alice", Policy: p}},
	})
	if err != nil {
		panic(err)
	}
	var k trace.Keep
	st = sim.Step(st, sim.Action{Kind: sim.Fire, Request: call.Request{Method: "GET", Path: "/total"}}, &k)
	sim.Step(st, sim.Action{Kind: sim.Advance, To: clock.Start.Add(time.Minute)}, &k)
	return k.Events
}

func Example() {
	p := retry.Policy{Attempts: 3, Statuses: []int{503}, Backoff: backoff.Config{Base: time.Second, Cap: 8 * time.Second}}
	slower := p
	slower.Backoff.Base = 2 * time.Second
	c := compare.Of(play(p), play(slower))
	fmt.Printf("same until %v, then another %v\n", time.Duration(c.Parting.At), c.Parting.Field)
	for _, a := range c.Attempts {
		apart, _ := a.Apart()
		fmt.Printf("attempt %d: waits %v and %v, sent %v apart\n", a.Number, a.Sides[0].Wait, a.Sides[1].Wait, apart)
	}
	// Output:
	// same until 0s, then another wait
	// attempt 1: waits 1s and 2s, sent 0s apart
	// attempt 2: waits 2s and 4s, sent 1s apart
	// attempt 3: waits 0s and 0s, sent 3s apart
}
