package text_test

import (
	"strings"
	"testing"
	"time"

	"retrylab.example/core/call"
	"retrylab.example/core/clock"
	"retrylab.example/core/event"
	"retrylab.example/core/limit"
	"retrylab.example/core/scenario"
	"retrylab.example/core/sim"
	"retrylab.example/core/text"
)

// What sets two runs apart is said in a few words, with the instant from which on they differ.
func TestDeparture(t *testing.T) {
	p := lessonPolicy()
	one := scenario.Scenario{Config: sim.Config{Clients: []sim.Client{{Name: "alice", Policy: p}}}}
	two := scenario.Scenario{Config: sim.Config{Clients: []sim.Client{{Name: "alice", Policy: p}, {Name: "bob", Policy: p}}}}
	at := func(ms int64, a sim.Action) scenario.Input {
		return scenario.Input{At: clock.Instant(ms * int64(time.Millisecond)), Action: a}
	}
	fire := at(0, sim.Action{Kind: sim.Fire, Request: add("k", 10)})
	other := p
	other.Attempts, other.Deadline, other.Backoff.Base = 5, 0, time.Second
	for _, c := range []struct {
		sc   *scenario.Scenario
		run  []scenario.Input
		want string
	}{
		{&one, []scenario.Input{fire, at(1750, sim.Action{Kind: sim.Fire, Request: add("", 20), Times: 3})}, "from 1.750 s: POST /add, 20, 3 at once"},
		{&one, []scenario.Input{fire}, "the first 1 inputs alone"},
		{&two, []scenario.Input{at(0, sim.Action{Kind: sim.Fire, Client: 1, Request: call.Request{Method: "GET", Path: "/total"}})}, "from 0.000 s: bob · GET /total"},
		{&one, []scenario.Input{at(0, sim.Action{Kind: sim.Inject, Mishap: sim.Mishap{Fault: event.LostReply}})}, "from 0.000 s: next reply: lost reply"},
		{&one, []scenario.Input{at(0, sim.Action{Kind: sim.Inject, Mishap: sim.Mishap{Fault: event.Reply, Response: call.Response{Status: 503}}})}, "from 0.000 s: next reply: 503"},
		{&one, []scenario.Input{at(0, sim.Action{Kind: sim.SetPolicy, Policy: other})}, "from 0.000 s: Attempts 5, Total deadline off, 1 more"},
		{&one, []scenario.Input{at(0, sim.Action{Kind: sim.SetPolicy, Policy: p})}, "from 0.000 s: the same policy again"},
		{&one, []scenario.Input{at(0, sim.Action{Kind: sim.SetLimit, Limit: limit.Setting{Count: "2", Window: "10"}})}, "from 0.000 s: limit 2 per 10 s"},
		{&two, []scenario.Input{at(0, sim.Action{Kind: sim.SetGuards, Client: 1})}, "from 0.000 s: bob · other guards"},
	} {
		got := strings.ReplaceAll(text.English.Departure(c.sc, []scenario.Input{fire, fire}, c.run), "\u00a0", " ")
		if got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
		for _, l := range text.Langs() {
			if l.Departure(c.sc, nil, c.run) == "" {
				t.Errorf("%s says nothing", l)
			}
		}
	}
}
