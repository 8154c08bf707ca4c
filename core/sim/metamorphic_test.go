package sim

import (
	"slices"
	"testing"
	"time"

	"retrylab.example/core/breaker"
	"retrylab.example/core/call"
	"retrylab.example/core/clock"
	"retrylab.example/core/decision"
	"retrylab.example/core/event"
	"retrylab.example/core/limit"
	"retrylab.example/core/trace"
)

// fact is what one client can tell of an event: everything but numbers of the run and sums over all clients.
type fact struct {
	after   time.Duration // since the run's first event
	kind    event.Kind
	who     event.Actor
	request call.Request
	status  int
	failure call.Failure
	verdict decision.Verdict
	reason  decision.Reason
	wait    time.Duration
}

func facts(events []event.Event, client int, start clock.Instant) []fact {
	var list []fact
	for _, e := range events {
		if e.Request.Call > 0 && e.Request.Client == client {
			list = append(list, fact{
				e.At.Sub(start), e.Kind, e.Who, e.Request, e.Response.Status, e.Failure,
				e.Decision.Verdict, e.Decision.Reason, e.Decision.Wait,
			})
		}
	}
	return list
}

// planned is a call at an instant.
type planned struct {
	at     clock.Instant
	client int
	call.Request
}

func (c *choices) plan(client int) []planned {
	var list []planned
	at := clock.Start
	for range 1 + c.below(6) {
		at = c.instantAfter(at)
		list = append(list, planned{at, client, c.request()})
	}
	return list
}

// played plays calls in a world that starts after a shift.
func played(t *testing.T, conf Config, shift time.Duration, plan []planned) []event.Event {
	t.Helper()
	s, err := New(conf)
	if err != nil {
		t.Fatal(err)
	}
	var keep trace.Keep
	slices.SortStableFunc(plan, func(a, b planned) int { return int(a.at.Sub(b.at)) })
	for _, p := range plan {
		s = Step(s, Action{Kind: Advance, To: p.at.Add(shift)}, &keep)
		s = Step(s, Action{Kind: Fire, Client: p.client, Request: p.Request}, &keep)
	}
	Step(s, Action{Kind: Advance, To: s.now.Add(time.Hour)}, &keep)
	return keep.Events
}

// calm returns a world in which all goes by the partner's rules: a script would be shared by the clients.
func (c *choices) calm() Config {
	conf := c.config()
	conf.Script, conf.MaxEvents, conf.MaxTime = nil, 0, 0
	conf.Partner.Limit.Limit, conf.Partner.Limit.Window = 1+c.below(2), choose(c, time.Second, 10*time.Second)
	return conf
}

func same(t *testing.T, got, want []fact) {
	t.Helper()
	if !slices.Equal(got, want) {
		for i := range max(len(got), len(want)) {
			if i >= len(got) || i >= len(want) || got[i] != want[i] {
				t.Fatalf("fact %d of %d and %d differs:\ngot  %+v\nwant %+v", i, len(got), len(want),
					got[min(i, len(got)-1)], want[min(i, len(want)-1)])
			}
		}
	}
}

func TestAnUnrelatedClientChangesNothingForOthers(t *testing.T) {
	retries := 0
	eachWorld(t, func(t *testing.T, c *choices) {
		conf := c.calm()
		conf.Pools = []Pool{c.pool(), c.pool()}
		conf.Clients = []Client{{Name: "a", Policy: c.policy()}, {Name: "b", Policy: c.policy()}}
		for i := range conf.Clients { // each with a pool of its own
			conf.Clients[i].Guards = c.guards(0)
			conf.Clients[i].Guards.Pool = c.below(2) * (i + 1)
		}
		plan := c.plan(0)
		alone := played(t, conf, 0, slices.Clone(plan))
		together := played(t, conf, 0, append(slices.Clone(plan), c.plan(1)...))
		same(t, facts(together, 0, 0), facts(alone, 0, 0))
		for _, e := range alone {
			if e.Kind == event.RetryScheduled {
				retries++
			}
		}
	})
	if *worlds >= 100 && retries == 0 {
		t.Error("nothing was ever retried")
	}
}

func TestATimeShiftChangesNoDecision(t *testing.T) {
	eachWorld(t, func(t *testing.T, c *choices) {
		conf, plan, shift := c.config(), c.plan(0), choose(c, 1, 777*ms, 24*time.Hour)
		conf.MaxTime = 0
		for i := range conf.Clients { // batches and the slices of a time window begin at fixed instants
			g := conf.Clients[i].Guards
			if g == nil {
				continue
			}
			g.Limiter.Mode = limit.Continuous * limit.Mode(min(g.Limiter.Capacity, 1))
			if g.Breaker.Window == breaker.Time {
				g.Breaker = breaker.Config{}
			}
		}
		at0, later := played(t, conf, 0, slices.Clone(plan)), played(t, conf, shift, slices.Clone(plan))
		same(t, facts(later, 0, clock.Start.Add(shift)), facts(at0, 0, 0))
	})
}

func TestAnUnlimitedBudgetEqualsNone(t *testing.T) {
	eachWorld(t, func(t *testing.T, c *choices) {
		conf, plan := c.config(), c.plan(0)
		conf.MaxTime = 0
		conf.Clients = conf.Clients[:1]
		for i := range conf.Script { // only a wait without end tells the two apart
			if r := &conf.Script[i].Response; len(r.RetryAfter) > 1 {
				r.RetryAfter = "30"
			}
		}
		p := &conf.Clients[0].Policy
		p.Deadline = 0
		without := played(t, conf, 0, slices.Clone(plan))
		p.Deadline = 1000 * 24 * time.Hour
		same(t, facts(played(t, conf, 0, slices.Clone(plan)), 0, 0), facts(without, 0, 0))
	})
}
