package sim

import (
	"testing"
	"time"

	"retrylab.example/core/call"
	"retrylab.example/core/event"
	"retrylab.example/core/limit"
	"retrylab.example/core/partner"
	"retrylab.example/core/retry"
	"retrylab.example/core/trace"
)

// A Fire of many is that many Fires, and a request goes out under its own key where it has one.
func TestFireManyUnderAnotherKey(t *testing.T) {
	c := Config{
		Latency: 50 * time.Millisecond, Clients: []Client{{Name: "alice", Policy: retry.Policy{Attempts: 1}}},
		Partner: partner.Config{Limit: limit.Config{Limit: 2, Window: time.Second}},
	}
	fire := func(times int, id string) Action {
		return Action{Kind: Fire, Times: times, Request: call.Request{Method: "GET", Path: "/work", ClientID: id}}
	}
	play := func(actions ...Action) []event.Event {
		s, err := New(c)
		if err != nil {
			t.Fatal(err)
		}
		var k trace.Keep
		for _, a := range append(actions, Action{Kind: Advance, To: 1e9}) {
			s = Step(s, a, &k)
		}
		return k.Events
	}
	many, single := play(fire(3, "")), play(fire(0, ""), fire(1, ""), fire(0, ""))
	if len(many) != len(single) || len(many) == 0 {
		t.Fatalf("three at once are %d events, one after the other %d", len(many), len(single))
	}
	for i := range many {
		if many[i] != single[i] {
			t.Errorf("event %d is %+v, one after the other %+v", i, many[i], single[i])
		}
	}
	for id, want := range map[string]int{"": 200, "bob": 200, "bad key!": 400} {
		e := play(fire(0, id))
		if last := e[len(e)-1]; last.Response.Status != want || last.Request.ClientID != map[bool]string{true: "alice", false: id}[id == ""] {
			t.Errorf("the key %q: %s ended with %d, want %d", id, last.Request.ClientID, last.Response.Status, want)
		}
	}
}
