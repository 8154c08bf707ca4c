package text_test

import (
	"flag"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"retrylab.example/core/backoff"
	"retrylab.example/core/breaker"
	"retrylab.example/core/budget"
	"retrylab.example/core/bulkhead"
	"retrylab.example/core/call"
	"retrylab.example/core/decision"
	"retrylab.example/core/event"
	"retrylab.example/core/ledger"
	"retrylab.example/core/limit"
	"retrylab.example/core/partner"
	"retrylab.example/core/retry"
	"retrylab.example/core/retryafter"
	"retrylab.example/core/rng"
	"retrylab.example/core/sim"
	"retrylab.example/core/text"
)

var textSeed = flag.Uint64("textseed", 1, "the first seed of the random worlds")

// TestRandomWorldsCanBeTold says everything about every event of random worlds, and about decisions of the mechanisms
// that no world holds: nothing panics, no parameter is left open, and all reasons and kinds of events occur.
func TestRandomWorldsCanBeTold(t *testing.T) {
	seen := map[string]bool{}
	for seed := *textSeed; seed < *textSeed+300; seed++ {
		c, actions := randomWorld(rand.New(rand.NewPCG(seed, 0)))
		guard(rand.New(rand.NewPCG(seed, 3)), &c)
		events, names := run(t, c, actions)
		for i := range events {
			seen[events[i].Kind.String()] = true
			seen[events[i].Decision.Reason.String()] = true
			for _, l := range text.Langs() {
				checkTold(t, seed, l, everything(l, events, i, names))
			}
		}
	}
	for seed := *textSeed; seed < *textSeed+50; seed++ {
		for _, e := range mechanismEvents(rand.New(rand.NewPCG(seed, 2))) {
			seen[e.Decision.Reason.String()] = true
			for _, l := range text.Langs() {
				checkTold(t, seed, l, everything(l, []event.Event{e}, 0, nil))
			}
		}
	}
	for _, k := range event.Kinds() {
		if !seen[k.String()] {
			t.Errorf("no world has the event %s", k)
		}
	}
	for _, r := range decision.Reasons() {
		if !seen[r.String()] {
			t.Errorf("no world has the reason %s", r)
		}
	}
}

func checkTold(t *testing.T, seed uint64, l text.Lang, sentences []string) {
	t.Helper()
	for _, s := range sentences {
		if strings.ContainsAny(s, "{}") || strings.Count(s, "**")%2 != 0 {
			t.Fatalf("-textseed %d, %s: %q", seed, l, s)
		}
	}
}

// everything returns all that is said about an event.
func everything(l text.Lang, events []event.Event, i int, names text.Names) []string {
	e := &events[i]
	all := []string{
		l.Event(e, names), l.Event(e, nil), l.Who(e, names), l.Announce(e, 1, 1, names), l.Announce(e, 2, 3, names), l.Due(e, names), l.Timer(e, names),
		l.Verdict(e, names), l.VerdictLabel(e),
	}
	groups, total := l.Receipt(e)
	rows := []text.Row{total}
	for _, g := range groups {
		all = append(all, g.Question, g.Answer)
		rows = append(rows, g.Rows...)
	}
	for _, r := range rows {
		all = append(all, r.Label, r.Note, r.Value)
	}
	for _, r := range l.State(events, i) {
		all = append(all, r.Label, r.Before, r.After)
	}
	return append(all, l.Flips(e)...)
}

func pick[T any](r *rand.Rand, list ...T) T { return list[r.IntN(len(list))] }

func randomWorld(r *rand.Rand) (sim.Config, []sim.Action) {
	c := sim.Config{
		Seed: r.Uint64(), Latency: time.Duration(r.IntN(200)) * time.Millisecond, RepeatLast: r.IntN(4) == 0,
		Partner: partner.Config{IgnoreKeys: r.IntN(3) == 0},
		MaxTime: pick(r, 0, time.Minute), MaxEvents: pick(r, 200, 1000),
	}
	if r.IntN(2) == 0 {
		c.Partner.Limit = limit.Config{Limit: 1 + r.IntN(3), Window: time.Duration(1+r.IntN(5000)) * time.Millisecond}
	}
	if r.IntN(2) == 0 {
		busyPartner(r, &c.Partner)
		c.Script = append(c.Script, sim.Mishap{Fault: event.CrashBetween})
	}
	for range r.IntN(4) {
		c.Script = append(c.Script, randomMishap(r))
	}
	for range 1 + r.IntN(3) {
		c.Clients = append(c.Clients, sim.Client{
			OnNotice: &call.Request{Method: "POST", Path: "/reservations", Slot: 1, Amount: 1},
			Name:     pick(r, "alice", "bob", "", "not valid", "**"), Policy: randomPolicy(r), Oversleep: pick(r, 0, time.Second),
		})
	}
	var actions []sim.Action
	if r.IntN(4) == 0 { // the same reservation, cancelled twice, and one who waits for its place
		gone := call.Request{Method: "DELETE", Path: "/reservations/1"}
		actions = append(actions, fire(0, call.Request{Method: "POST", Path: "/reservations", Amount: 1, Slot: 1}),
			fire(0, call.Request{Method: "POST", Path: "/waitlist", Amount: 1, Slot: 1}), until(3000), fire(0, gone), until(9000), fire(0, gone))
	}
	if r.IntN(4) == 0 { // a pushback to a client that obeys it
		obeys := retry.Policy{Attempts: 2, Statuses: []int{503}, RetryAfter: retryafter.Replace, RetryAfterMode: retryafter.Wild}
		refused := call.Response{Status: 503, Fields: pick(r, "grpc-retry-pushback-ms: -1\n", "grpc-retry-pushback-ms: 90\n")}
		actions = append(actions, sim.Action{Kind: sim.SetPolicy, Policy: obeys},
			sim.Action{Kind: sim.Inject, Mishap: sim.Mishap{Fault: event.Reply, Response: refused}},
			fire(0, call.Request{Method: "GET", Path: "/total"}), until(9000))
	}
	for range 1 + r.IntN(12) {
		actions = append(actions, randomAction(r, len(c.Clients)))
	}
	return c, actions
}

// randomBooking is a request about reservations, or to /rate.
func randomBooking(r *rand.Rand) call.Request {
	req := call.Request{
		Method: "POST", Path: pick(r, "/reservations", "/reservations", "/estimate", "/waitlist"), Key: "k",
		Keyed: r.IntN(2) == 0, Amount: pick(r, int64(1), 1, 10, 13), Slot: pick(r, int64(1), 1, 2, 3),
	}
	if r.IntN(2) == 0 {
		req.Method, req.Amount, req.Slot = pick(r, "DELETE", "DELETE", "GET"), 0, 0
		req.Path = pick(r, "/reservations/1", "/reservations/1", "/reservations/9", "/reservations", "/rate")
	}
	return req
}

// busyPartner gives a partner work that takes time, places, slots and leases.
func busyPartner(r *rand.Rand, c *partner.Config) {
	c.Work = pick(r, partner.Work{Least: 200 * time.Millisecond}, partner.Work{Least: time.Second, PerBusy: time.Second})
	c.Capacity = pick(r, bulkhead.Config{}, bulkhead.Config{Running: 1}, bulkhead.Config{Running: 1, Queue: 2})
	c.Ledger.Lease = pick(r, 500*time.Millisecond, time.Minute)
	c.Ledger.Errors = pick(r, ledger.All, ledger.NoErrors)
	c.SplitRecord, c.RequireKeys = r.IntN(2) == 0, r.IntN(4) == 0
	c.Slots = partner.Slots{Count: 2, Places: 12}
	if c.Limit.Limit == 0 {
		c.Fixed = pick(r, limit.FixedConfig{}, limit.FixedConfig{Limit: 2, Period: time.Second})
	}
}

func randomPolicy(r *rand.Rand) retry.Policy {
	p := plainPolicy(r)
	if r.IntN(2) == 0 {
		return p
	}
	p.DeadlineTest = budget.DeadlineTest(r.IntN(2))
	p.Backoff.Shape = backoff.Shape(r.IntN(3))
	p.Backoff.Factor = pick(r, backoff.Factor{}, backoff.Factor{Num: 3, Den: 2}, backoff.Factor{Num: 7, Den: 3})
	p.Jitter = pick(r, p.Jitter, backoff.Decorrelated, backoff.PlusMinus)
	p.Share, p.KeepAtCap = pick(r, rng.One, rng.Ratio{Num: 1, Den: 3}), r.IntN(2) == 0
	p.RetryAfterMode = min(retryafter.Mode(r.IntN(10)), retryafter.Wild) // which has the most to read
	p.MaxRetryAfter, p.AboveRetryAfter = pick(r, 0, 500*time.Millisecond, 3*time.Second), pick(r, 0, time.Second)
	p.Safety, p.KeysDocumented = pick(r, p.Safety, retry.LessonE, retry.Standard), r.IntN(2) == 0
	p.Unchanging, p.Unprocessed = pick(r, nil, []string{"/work"}), pick(r, nil, []int{503})
	p.Envelope, p.Codes = r.IntN(2) == 0, pick(r, nil, []string{"conflict"})
	p.Failures = pick(r, nil, call.Failures())
	p.Budget = pick(r, budget.Config{},
		budget.Config{Kind: budget.Quota, Tokens: 20 * budget.Token, Cost: 7 * budget.Token, ThrottledCost: 3 * budget.Token},
		budget.Config{Kind: budget.Throttle, Tokens: 4 * budget.Token, Refill: budget.Token / 3},
		budget.Config{Kind: budget.Share, Share: rng.Ratio{Num: 1, Den: 5}, Minimum: r.IntN(2)})
	return p
}

func plainPolicy(r *rand.Rand) retry.Policy {
	return retry.Policy{
		Attempts: 1 + r.IntN(5), Deadline: pick(r, 0, time.Second, 5*time.Second), FreshDeadline: r.IntN(4) == 0,
		AttemptTimeout: pick(r, 0, 300*time.Millisecond, 1500*time.Millisecond), CutTimeout: r.IntN(2) == 0,
		Backoff: backoff.Config{
			Base: time.Duration(r.IntN(2_000_000_000)), Cap: pick(r, 0, time.Second, 4*time.Second, 1<<63-1),
		},
		Jitter:     pick(r, backoff.NoJitter, backoff.Fraction, backoff.Full, backoff.Equal),
		Fractions:  pick(r, nil, []rng.Ratio{{Num: 1, Den: 4}, rng.One, {Num: 0, Den: 1}}),
		RetryAfter: pick(r, retryafter.Ignore, retryafter.Floor, retryafter.Replace),
		Safety:     pick(r, retry.AnyMethod, retry.LessonA),
		Statuses:   pick(r, nil, retry.LessonStatuses()),
		Failures:   pick(r, nil, []call.Failure{call.TimedOut}, []call.Failure{call.TimedOut, call.Reset, call.Garbled}, call.Failures()),
	}
}

func randomMishap(r *rand.Rand) sim.Mishap {
	m := sim.Mishap{Fault: pick(r, append(event.Faults(), event.NoFault)...)}
	if m.Fault == event.Fail {
		m.Response = call.Response{Status: pick(r, 422, 502), Body: call.Body{Code: "rejected"}}
	}
	if m.Fault == event.Reply {
		m.Response = call.Response{Status: pick(r, 200, 409, 429, 500, 503), HasRetryAfter: r.IntN(2) == 0}
		if m.Response.HasRetryAfter {
			m.Response.RetryAfter = pick(r, "0", "1", "4", " 7 ", "soon", "-1", "", "99999999999999999999", "1.5",
				"Mon, 30 Nov 2026 12:00:07 GMT", "Mon, 30 Nov 2026 11:59:07 GMT")
		}
		m.Response.Body.Flag = call.Flag(r.IntN(3))
		m.Response.Fields = pick(r, "", "", "grpc-retry-pushback-ms: 250\n", "grpc-retry-pushback-ms: -1\n", "grpc-retry-pushback-ms: \n", "RateLimit: \"a\";r=0;t=2\n")
	}
	return m
}

// randomChange sets a limit, right or wrong, or what wraps a client's calls.
func randomChange(r *rand.Rand, clients int) sim.Action {
	if r.IntN(2) == 0 {
		return sim.Action{Kind: sim.SetLimit, Limit: limit.Setting{
			Count: pick(r, "1", "3", "0", "1.5"), Window: pick(r, "1", "0.25", "0", "1e999", `"1"`),
		}}
	}
	return sim.Action{Kind: sim.SetGuards, Client: r.IntN(clients), Guards: pick(r, nil, &sim.Guards{
		Breaker: breaker.Config{Window: breaker.InARow, Failures: 1, Open: time.Second}, Fallback: call.Response{Status: 200},
	})}
}

func randomAction(r *rand.Rand, clients int) sim.Action {
	switch r.IntN(12) {
	case 8:
		return randomChange(r, clients)
	case 6, 7:
		return fire(r.IntN(clients), randomBooking(r))
	case 0:
		return sim.Action{Kind: sim.Inject, Mishap: randomMishap(r)}
	case 1:
		return until(r.IntN(20_000))
	case 2, 3, 4:
		return fire(r.IntN(clients), add("k", pick(r, int64(10), 10, 20)))
	case 5:
		return sim.Action{Kind: sim.SetPolicy, Client: r.IntN(clients), Policy: randomPolicy(r)}
	}
	key := pick(r, "", " ", "k", "a**b")
	return fire(r.IntN(clients), call.Request{
		Method: pick(r, "POST", "POST", "GET", "PUT", "DELETE", "PATCH", "head", "BREW"),
		Path:   pick(r, "/add", "/add", "/total", "/work"),
		Key:    key, Keyed: key != "" || r.IntN(2) == 0, Amount: pick(r, int64(0), 1, 10, -1, 2_000_000_000),
	})
}
