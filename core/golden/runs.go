package golden

import (
	"time"

	"retrylab.example/core/backoff"
	"retrylab.example/core/call"
	"retrylab.example/core/event"
	"retrylab.example/core/limit"
	"retrylab.example/core/partner"
	"retrylab.example/core/retry"
	"retrylab.example/core/retryafter"
	"retrylab.example/core/rng"
	"retrylab.example/core/sim"
	"retrylab.example/core/trace"
)

const ms = time.Millisecond

// player plays one run and keeps its events.
type player struct {
	state sim.State
	keep  trace.Keep
}

// world starts a run. It panics on a bad setting: the runs are fixed.
func world(c sim.Config) *player {
	s, err := sim.New(c)
	if err != nil {
		panic("golden: " + err.Error())
	}
	return &player{state: s}
}

func (p *player) do(a sim.Action) { p.state = sim.Step(p.state, a, &p.keep) }

func (p *player) advance(d time.Duration) {
	p.do(sim.Action{Kind: sim.Advance, To: p.state.Now().Add(d)})
}

func (p *player) inject(m sim.Mishap) { p.do(sim.Action{Kind: sim.Inject, Mishap: m}) }

func (p *player) fire(client int, r call.Request) {
	p.do(sim.Action{Kind: sim.Fire, Client: client, Request: r})
}

func add(key string, amount int64) call.Request {
	return call.Request{Method: "POST", Path: "/add", Key: key, Keyed: key != "", Amount: amount}
}

func reply(status int, retryAfter string, delay time.Duration) sim.Mishap {
	r := call.Response{Status: status, RetryAfter: retryAfter, HasRetryAfter: retryAfter != ""}
	return sim.Mishap{Fault: event.Reply, Response: r, Delay: delay}
}

// patient is contract C's caller: waits of 1, 2, 4, 4, … s, and failures without a response are retried.
func patient(attempts int) retry.Policy {
	return retry.Policy{
		Attempts: attempts, AttemptTimeout: time.Second,
		Backoff:  backoff.Config{Base: time.Second, Cap: 4 * time.Second},
		Statuses: retry.LessonStatuses(), Failures: []call.Failure{call.TimedOut, call.Reset},
		Exhausted: retry.LastError,
	}
}

// budgeted is contract A's caller.
func budgeted(deadline time.Duration, attempts int) retry.Policy {
	p, err := retry.NewLessonA(deadline, attempts)
	if err != nil {
		panic("golden: " + err.Error())
	}
	return p
}

// lostReplies goes through contract C: without a key, with one, another amount, another key, and after its lifetime.
func lostReplies() []event.Event {
	p := world(sim.Config{Latency: 100 * ms, Clients: []sim.Client{{Name: "app", Policy: patient(4)}}})
	for _, r := range []call.Request{add("", 10), add("order-1", 10), add("order-1", 11), add("order-2", 10)} {
		p.inject(sim.Mishap{Fault: event.LostReply})
		p.fire(0, r)
		p.advance(time.Minute)
	}
	p.advance(24 * time.Hour)
	p.fire(0, add("order-1", 10))
	p.advance(time.Minute)
	return p.keep.Events
}

// retryBudget goes through contract A: statuses, headers, both ends of jitter, and budgets that run out.
func retryBudget() []event.Event {
	policy := budgeted(5*time.Second, 6)
	policy.Fractions = []rng.Ratio{rng.One, {}, {Num: 1, Den: 3}}
	c := sim.Config{Clients: []sim.Client{{Name: "app", Policy: policy}, {Name: "late", Policy: policy, Oversleep: 9 * time.Second}}}
	c.Script = []sim.Mishap{
		reply(503, "", 100*ms), reply(429, "1", 0), reply(502, "soon", 0), reply(504, "7", 0), reply(503, "007", 50*ms),
		reply(409, "", 0), reply(503, "", time.Second), reply(503, "99999999999999999999", 0), reply(201, "", 0),
	}
	p := world(c)
	for _, method := range []string{"GET", "post", "PATCH", "PUT", "HEAD", "DELETE"} {
		p.fire(0, call.Request{Method: method, Path: "/total", Amount: 5})
		p.fire(1, call.Request{Method: method, Path: "/total", Amount: 5})
		p.advance(15 * time.Second)
	}
	return p.keep.Events
}

// jitterDraws draws for each kind of jitter, client, call and attempt.
func jitterDraws() []event.Event {
	c := sim.Config{Seed: 0x9e3779b97f4a7c15, RepeatLast: true, Script: []sim.Mishap{reply(503, "", 0)}}
	for _, j := range []backoff.Jitter{backoff.NoJitter, backoff.Fraction, backoff.Full, backoff.Equal} {
		policy := patient(6)
		policy.Jitter, policy.Backoff = j, backoff.Config{Base: 500 * ms, Cap: 8 * time.Second}
		c.Clients = append(c.Clients, sim.Client{Name: j.String(), Policy: policy})
	}
	p := world(c)
	for range 5 {
		for i := range c.Clients {
			p.fire(i, call.Request{Method: "GET", Path: "/total"})
		}
		p.advance(20 * time.Second)
	}
	return p.keep.Events
}

// slidingLog meets the limiter with three rules for its Retry-After, and with a bad client key.
func slidingLog() []event.Event {
	c := sim.Config{Latency: 3 * ms, Partner: partner.Config{Limit: limit.Config{Limit: 2, Window: 2500 * ms}}}
	for _, rule := range []retryafter.Rule{retryafter.Ignore, retryafter.Floor, retryafter.Replace} {
		policy := budgeted(20*time.Second, 5)
		policy.RetryAfter = rule
		c.Clients = append(c.Clients, sim.Client{Name: rule.String(), Policy: policy})
	}
	c.Clients = append(c.Clients, sim.Client{Name: "not_valid", Policy: patient(2)})
	p := world(c)
	for range 12 {
		for i := range c.Clients {
			p.fire(i, call.Request{Method: "GET", Path: "/work"})
		}
		p.advance(700 * ms)
	}
	p.advance(time.Minute)
	return p.keep.Events
}
