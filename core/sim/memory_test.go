package sim

import (
	"testing"
	"time"

	"retrylab.example/core/backoff"
	"retrylab.example/core/call"
	"retrylab.example/core/clock"
	"retrylab.example/core/event"
	"retrylab.example/core/retry"
)

// counts is a sink that keeps nothing.
type counts struct{ events int }

func (c *counts) Event(*event.Event) { c.events++ }

// A world that is warm allocates nothing for an event, however many calls its clients have made, and what it keeps of
// calls does not grow with them.
func TestAWarmWorldAllocatesNothing(t *testing.T) {
	policy, err := retry.NewLessonA(8*time.Second, 4)
	if err != nil {
		t.Fatal(err)
	}
	policy.Jitter, policy.AttemptTimeout = backoff.Full, time.Second
	s, err := New(Config{
		Latency: 17 * time.Millisecond, MaxEvents: 1 << 40, MaxTime: clock.MaxDuration,
		Clients: []Client{{Name: "shop", Policy: policy}},
	})
	if err != nil {
		t.Fatal(err)
	}
	var sink counts
	busy := Mishap{Fault: event.Reply, Response: call.Response{Status: 503}}
	allocations := testing.AllocsPerRun(1000, func() {
		s = Step(s, Action{Kind: Inject, Mishap: busy}, &sink)
		for range 3 {
			s = Step(s, Action{Kind: Fire, Request: call.Request{Method: "GET", Path: "/total"}}, &sink)
		}
		s = Step(s, Action{Kind: Advance, To: s.Now().Add(10 * time.Second)}, &sink)
	})
	c := &s.clients[0]
	if allocations != 0 || sink.events < 20_000 || c.started() != 3*1001 || cap(c.calls) > 8 {
		t.Errorf("%g allocations a round, %d events, %d calls started and room for %d",
			allocations, sink.events, c.started(), cap(c.calls))
	}
	if err := Check(s); err != nil {
		t.Error(err)
	}
	forgotten := call.Request{Call: 1, Attempt: 1}
	if s.call(&forgotten) != nil || s.awaits(&forgotten) || !s.stale(&item{kind: attemptTimesOut, request: forgotten}) {
		t.Error("a call that is forgotten is waited for")
	}
}
