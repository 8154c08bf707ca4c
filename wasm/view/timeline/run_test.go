package timeline

import (
	"fmt"
	"maps"
	"testing"
	"time"

	"retrylab.example/core/backoff"
	"retrylab.example/core/call"
	"retrylab.example/core/clock"
	"retrylab.example/core/event"
	"retrylab.example/core/limit"
	"retrylab.example/core/partner"
	"retrylab.example/core/retry"
	"retrylab.example/core/retryafter"
	"retrylab.example/core/rng"
	"retrylab.example/core/sim"
	"retrylab.example/core/text"
	"retrylab.example/core/trace"
)

const ms = time.Millisecond

// lessonPolicy is the policy of the lesson on the lost reply.
func lessonPolicy() retry.Policy {
	return retry.Policy{
		Attempts: 3, Deadline: 5 * time.Second, AttemptTimeout: 1500 * ms, CutTimeout: true,
		Backoff: backoff.Config{Base: 500 * ms, Cap: 4 * time.Second}, Jitter: backoff.Fraction,
		Fractions:  []rng.Ratio{{Num: 1, Den: 2}, {Num: 1, Den: 4}},
		RetryAfter: retryafter.Floor, Safety: retry.LessonA, Statuses: retry.LessonStatuses(),
		Failures: []call.Failure{call.TimedOut, call.Reset},
	}
}

// step is something that a person does at an instant.
type step struct {
	at     time.Duration
	action sim.Action
}

func fire(at time.Duration, client int, key string) step {
	r := call.Request{Method: "POST", Path: "/add", Key: key, Keyed: key != "", Amount: 10}
	return step{at, sim.Action{Kind: sim.Fire, Client: client, Request: r}}
}

func ordered(at time.Duration, m sim.Mishap) step {
	return step{at, sim.Action{Kind: sim.Inject, Mishap: m}}
}

func status(code int, after string) sim.Mishap {
	return sim.Mishap{Fault: event.Reply, Response: call.Response{
		Status: code, RetryAfter: after, HasRetryAfter: after != "", Body: call.Body{Code: "unavailable"},
	}}
}

// draw simulates a run up to an instant and returns the input of its drawing.
func simulate(t testing.TB, c sim.Config, to time.Duration, steps ...step) Input {
	t.Helper()
	s, err := sim.New(c)
	if err != nil {
		t.Fatal(err)
	}
	var k trace.Keep
	for _, st := range steps {
		s = sim.Step(s, sim.Action{Kind: sim.Advance, To: clock.Instant(st.at)}, &k)
		s = sim.Step(s, st.action, &k)
	}
	s = sim.Step(s, sim.Action{Kind: sim.Advance, To: clock.Instant(to)}, &k)
	in := Input{
		Events: k.Events, Now: s.Now(), End: clock.Instant(5 * time.Second), Width: 640, Lang: text.English,
		HasLimit: c.Partner.Limit.Limit > 0, HasLedger: !c.Partner.IgnoreKeys,
		Select: func(seq int) any { return seq },
	}
	for _, cl := range c.Clients {
		in.Clients = append(in.Clients, cl.Name)
		pool := 0
		if cl.Guards != nil {
			pool = cl.Guards.Pool
		}
		in.InPool = append(in.InPool, pool)
	}
	for _, p := range c.Pools {
		in.Pools = append(in.Pools, p.Name)
	}
	return in
}

func lesson() sim.Config {
	return sim.Config{
		Latency: 50 * ms, Script: []sim.Mishap{{Fault: event.LostReply}},
		Partner: partner.Config{Limit: limit.Config{Limit: 1, Window: 3 * time.Second}},
		Clients: []sim.Client{{Name: "alice", Policy: lessonPolicy()}},
	}
}

// runs returns the runs that the tests draw, by name.
func runs(t testing.TB) map[string]Input {
	all := map[string]Input{}
	all["lost-reply"] = simulate(t, lesson(), 3900*ms, fire(0, 0, "req-1"))
	all["nothing-sent"] = simulate(t, lesson(), 0)

	ignoring := lesson()
	ignoring.Clients[0].Policy.RetryAfter = retryafter.Ignore
	all["retry-after-ignored"] = simulate(t, ignoring, 4*time.Second, fire(0, 0, "req-1"))

	five := sim.Config{
		Latency: 50 * ms, Script: []sim.Mishap{status(503, "")}, RepeatLast: true,
		Clients: []sim.Client{{Name: "alice", Policy: lessonPolicy()}},
	}
	p := &five.Clients[0].Policy
	p.Attempts, p.Deadline, p.Jitter = 5, 20*time.Second, backoff.NoJitter
	all["five-attempts"] = simulate(t, five, 9*time.Second, fire(0, 0, "req-1"))

	short := five
	short.Script = []sim.Mishap{status(429, "7")}
	short.Clients = []sim.Client{{Name: "alice", Policy: lessonPolicy()}}
	all["wait-too-long"] = simulate(t, short, time.Second, fire(0, 0, "req-1"))

	broken := lesson()
	broken.Partner = partner.Config{IgnoreKeys: true}
	broken.Script = []sim.Mishap{{Fault: event.CrashAfter}, {Fault: event.Slow, Delay: 1600 * ms}}
	all["duplicates"] = simulate(t, broken, 5*time.Second, fire(0, 0, "req-1"))

	refused := lesson()
	refused.Script, refused.Clients[0].Policy.Failures = nil, call.Failures()
	all["refused-connection"] = simulate(t, refused, 4*time.Second, ordered(0, sim.Mishap{Fault: event.NeverSent}), fire(0, 0, "req-1"))

	lost := lesson()
	lost.Script = nil
	m := sim.Mishap{Fault: event.LostRequest}
	all["lost-requests"] = simulate(t, lost, 4900*ms, ordered(0, m), fire(0, 0, "req-1"), ordered(200*ms, m))

	all["three-clients"] = simulate(t, threeClients(), 6*time.Second, fire(0, 0, "req-1"), fire(100*ms, 1, "b-1"),
		fire(200*ms, 2, ""), fire(1200*ms, 0, "req-2"), fire(1300*ms, 0, "req-3"), fire(5*time.Second, 1, "b-2"))
	maps.Copy(all, guardRuns(t))
	all["limit-set"] = limitSet(t)
	return all
}

// limitSet returns a run in which the partner's limit is set, once in vain, and in which it tells the client something.
func limitSet(t testing.TB) Input {
	set := func(at time.Duration, count string) step {
		return step{at, sim.Action{Kind: sim.SetLimit, Limit: limit.Setting{Count: count, Window: "5"}}}
	}
	in := simulate(t, lesson(), 3*time.Second, fire(0, 0, "req-1"), set(500*ms, "2"), set(2*time.Second, "none"))
	told := in.Events[0]
	told.Seq, told.At, told.Kind = len(in.Events)+1, in.Now, event.Notified
	in.Events = append(in.Events, told)
	return in
}

func threeClients() sim.Config {
	c := sim.Config{
		Seed: 7, Latency: 50 * ms, Script: []sim.Mishap{{}, {Fault: event.LostRequest}, status(503, "")},
		Partner: partner.Config{Limit: limit.Config{Limit: 2, Window: 2 * time.Second}},
	}
	for _, name := range []string{"alice", "bob", "carol"} {
		c.Clients = append(c.Clients, sim.Client{Name: name, Policy: lessonPolicy()})
	}
	return c
}

// manyEvents returns a run with at least n events.
func manyEvents(t testing.TB, n int) Input {
	var steps []step
	for i := range n / 6 {
		steps = append(steps, fire(time.Duration(i)*120*ms, i%3, fmt.Sprint("k-", i)))
	}
	in := simulate(t, threeClients(), time.Duration(n/6)*120*ms+5*time.Second, steps...)
	if len(in.Events) < n {
		t.Fatalf("got %d events, want at least %d", len(in.Events), n)
	}
	in.Events = in.Events[:n]
	in.Now = in.Events[n-1].At
	return in
}
