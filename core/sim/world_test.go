package sim

import (
	"flag"
	"math/rand/v2"
	"path"
	"testing"
	"time"

	"retrylab.example/core/backoff"
	"retrylab.example/core/budget"
	"retrylab.example/core/bulkhead"
	"retrylab.example/core/call"
	"retrylab.example/core/clock"
	"retrylab.example/core/event"
	"retrylab.example/core/ledger"
	"retrylab.example/core/limit"
	"retrylab.example/core/partner"
	"retrylab.example/core/retry"
	"retrylab.example/core/retryafter"
	"retrylab.example/core/rng"
)

var (
	firstSeed = flag.Uint64("seed", 1, "the seed of the first random world")
	worlds    = flag.Int("worlds", 500, "how many random worlds to try")
)

// eachWorld tries random worlds, one for each seed, and prints the command that plays a failing one again.
func eachWorld(t *testing.T, try func(t *testing.T, c *choices)) {
	t.Helper()
	for i := range *worlds {
		seed := *firstSeed + uint64(i)
		r := rand.New(rand.NewPCG(seed, 0))
		try(t, &choices{byte: func() byte { return byte(r.Uint32()) }})
		if t.Failed() {
			t.Fatalf("play it again: go test ./core/sim -run '^%s$' -seed=%d -worlds=1", path.Base(t.Name()), seed)
		}
	}
}

// choices makes a world out of bytes, which are random or a fuzzer's. When a fuzzer's have run out, it chooses first
// things for ever.
type choices struct{ byte func() byte }

func fromBytes(data []byte) *choices {
	return &choices{byte: func() byte {
		if len(data) == 0 {
			return 0
		}
		b := data[0]
		data = data[1:]
		return b
	}}
}

func (c *choices) below(n int) int { return int(c.byte()) % n }
func (c *choices) coin() bool      { return c.below(2) == 1 }

func choose[T any](c *choices, from ...T) T { return from[c.below(len(from))] }

// some returns a random part of a list.
func some[T any](c *choices, from ...T) []T {
	var list []T
	for _, v := range from {
		if c.coin() {
			list = append(list, v)
		}
	}
	return list
}

const ms = time.Millisecond

func (c *choices) config() Config {
	conf := Config{
		Seed:       uint64(c.byte()),
		Latency:    choose(c, 0, ms, 100*ms, 500*ms),
		RepeatLast: c.coin(),
		MaxEvents:  choose(c, 0, 0, 0, 30),
		MaxTime:    choose(c, 0, 0, 0, 10*time.Second),
	}
	conf.Partner.Limit = choose(c, limit.Config{}, limit.Config{Limit: 1, Window: time.Second},
		limit.Config{Limit: 2, Window: 10 * time.Second})
	conf.Partner.IgnoreKeys = c.below(4) == 3
	conf.Partner.Ledger.Lifetime = choose(c, 0, 0, 0, time.Second)
	for range c.below(6) {
		conf.Script = append(conf.Script, c.mishap())
	}
	for range c.below(3) {
		conf.Pools = append(conf.Pools, c.pool())
	}
	for _, name := range choose(c, []string{"a"}, []string{"a", "b"}, []string{"a", "b", "not_valid"}) {
		oversleep := choose(c, 0, 0, ms, 10*time.Second)
		cl := Client{Name: name, Policy: c.policy(), Oversleep: oversleep}
		if c.coin() {
			cl.Guards = c.guards(len(conf.Pools))
		}
		if c.coin() {
			cl.OnNotice = &call.Request{Method: choose(c, "POST", "DELETE"), Path: choose(c, "/reservations", "/reservations/2"), Amount: 1, Slot: 1}
		}
		conf.Clients = append(conf.Clients, cl)
	}
	return conf
}

// busy gives a partner what makes its clients meet each other: work that takes time, places, slots and other limiters.
func (c *choices) busy(p *partner.Config) {
	if c.coin() {
		return
	}
	p.Work = choose(c, partner.Work{}, partner.Work{Least: 200 * ms}, partner.Work{Least: 1, Most: time.Second},
		partner.Work{PerBusy: 300 * ms})
	p.Paths = some(c, partner.PathWork{Path: "/reservations", Work: partner.Work{Least: 300 * ms}}, partner.PathWork{Path: "/total"})
	p.Capacity = choose(c, bulkhead.Config{}, bulkhead.Config{}, bulkhead.Config{Running: 1}, bulkhead.Config{Running: 1, Queue: 2})
	p.Slots = choose(c, partner.Slots{}, partner.Slots{Count: 2, Places: 6})
	p.Ledger.Lease = choose(c, 0, 500*ms, time.Minute)
	p.Ledger.Errors = choose(c, ledger.All, ledger.Not5xx, ledger.NoErrors)
	p.RequireKeys = c.below(4) == 3
	p.SplitRecord = c.below(4) == 3
	if p.Limit.Limit > 0 || c.coin() {
		return
	}
	switch c.below(4) {
	case 0:
		p.Fixed = limit.FixedConfig{Limit: 1, Period: time.Second}
	case 1:
		p.Bucket = limit.BucketConfig{Capacity: 2, Refill: 1, Period: 700 * ms, Mode: choose(c, limit.Batch, limit.Continuous)}
	case 2:
		p.GCRA = limit.GCRAConfig{Limit: 3, Period: time.Second, Burst: 2}
	case 3:
		p.Concurrency = limit.ConcurrencyConfig{Limit: 1 + c.below(2)}
	}
}

func (c *choices) policy() retry.Policy {
	p := c.plainPolicy()
	if c.coin() {
		return p
	}
	p.DeadlineTest = choose(c, budget.GreaterOrEqual, budget.Greater)
	p.Backoff.Shape = choose(c, backoff.Exponential, backoff.Linear, backoff.Constant)
	p.Backoff.Factor = choose(c, backoff.Factor{}, backoff.Factor{Num: 3, Den: 2}, backoff.Factor{Num: 1, Den: 3})
	p.Jitter = choose(c, p.Jitter, backoff.Decorrelated, backoff.PlusMinus)
	p.Share, p.KeepAtCap = choose(c, rng.Ratio{}, rng.One, rng.Ratio{Num: 1, Den: 4}), c.coin()
	p.RetryAfterMode = choose(c, retryafter.Integer, retryafter.Decimal, retryafter.Standard, retryafter.Wild)
	p.MaxRetryAfter, p.AboveRetryAfter = choose(c, 0, 500*ms, 5*time.Second), choose(c, 0, time.Second)
	p.Safety, p.KeysDocumented = choose(c, p.Safety, retry.LessonE, retry.Standard), c.coin()
	p.Unchanging, p.Unprocessed = some(c, "/work"), some(c, 503)
	p.Envelope, p.Codes = c.coin(), some(c, "conflict")
	p.Budget = choose(c, budget.Config{},
		budget.Config{Kind: budget.Quota, Tokens: 20 * budget.Token, Cost: 7 * budget.Token, ThrottledCost: 3 * budget.Token, Refill: budget.Token},
		budget.Config{Kind: budget.Throttle, Tokens: 6 * budget.Token, Refill: budget.Token / 10},
		budget.Config{Kind: budget.Share, Share: rng.Ratio{Num: 1, Den: 5}, Minimum: 1})
	return p
}

func (c *choices) plainPolicy() retry.Policy {
	return retry.Policy{
		Attempts:       1 + c.below(5),
		Deadline:       choose(c, 0, 500*ms, 2*time.Second, 5*time.Second, time.Minute),
		FreshDeadline:  c.below(4) == 3,
		AttemptTimeout: choose(c, 0, 100*ms, time.Second, time.Second),
		CutTimeout:     c.coin(),
		Backoff: backoff.Config{
			Base: choose(c, 0, ms, 500*ms, time.Second), Cap: choose(c, 0, time.Second, 4*time.Second),
		},
		Jitter:     choose(c, backoff.NoJitter, backoff.Fraction, backoff.Full, backoff.Equal),
		Fractions:  some(c, rng.Ratio{}, rng.One, rng.Ratio{Num: 1, Den: 3}),
		RetryAfter: choose(c, retryafter.Ignore, retryafter.Floor, retryafter.Replace),
		Safety:     choose(c, retry.AnyMethod, retry.LessonA),
		Statuses:   some(c, 429, 500, 502, 503),
		Failures:   some(c, call.TimedOut, call.Reset, call.Garbled),
	}
}

func (c *choices) mishap() Mishap {
	m := Mishap{Fault: event.Fault(c.below(len(event.Faults()) + 1)), Delay: choose(c, 0, 0, ms, 500*ms, time.Second)}
	if m.Fault == event.Fail {
		m.Response.Status = choose(c, 500, 502, 422, 0)
	}
	if m.Fault == event.Reply {
		m.Response = call.Response{Status: choose(c, 200, 400, 429, 500, 503)}
		m.Response.RetryAfter, m.Response.HasRetryAfter = choose(c, "", "", "1", "7", "-1", "99999999999999999999", "1.5"), c.coin()
		m.Response.Body.Flag = choose(c, call.NoFlag, call.FlagFalse, call.FlagTrue)
	}
	return m
}

func (c *choices) request() call.Request {
	if c.coin() { // often the same one, so that keys and windows meet
		return call.Request{Method: "POST", Path: "/add", Key: "k", Keyed: c.coin(), Amount: 5}
	}
	r := call.Request{
		Method: choose(c, "GET", "POST", "post", "PUT", "DELETE", "PATCH", "OPTIONS"),
		Path:   choose(c, "/total", "/add", "/work"),
		Key:    choose(c, "", " ", "k", "k", "l"),
		Amount: choose[int64](c, 0, 1, 5, 1_000_000_001),
	}
	r.Keyed = c.coin()
	return r
}

// anyRequest is a request to any route.
func (c *choices) anyRequest() call.Request {
	if c.coin() {
		return c.request()
	}
	r := call.Request{
		Method: choose(c, "POST", "POST", "GET", "DELETE"),
		Path:   choose(c, "/reservations", "/reservations", "/reservations/1", "/reservations/2", "/waitlist", "/estimate", "/rate"),
		Key:    choose(c, "k", "k", "l"), Keyed: c.coin(),
		Amount: choose[int64](c, 1, 1, 2, 0), Slot: choose[int64](c, 1, 1, 2, 4),
	}
	return r
}

func (c *choices) instantAfter(now clock.Instant) clock.Instant {
	return now.Add(choose(c, 0, 1, ms, 99*ms, 500*ms, time.Second, 10*time.Second))
}

// action returns something that can be done to s.
func (c *choices) action(s State) Action {
	switch c.below(8) {
	case 0, 1, 2:
		return Action{Kind: Next}
	case 3, 4:
		if c.below(3) == 2 { // one client waits for a place that it gives back itself, so that it is told at times
			r := call.Request{Method: "POST", Path: choose(c, "/reservations", "/waitlist"), Slot: 1, Amount: 1}
			if c.coin() {
				r = call.Request{Method: "DELETE", Path: "/reservations/1"}
			}
			return Action{Kind: Fire, Request: r}
		}
		return Action{Kind: Fire, Client: c.below(len(s.clients)), Request: c.anyRequest()}
	case 5:
		return Action{Kind: Inject, Mishap: c.mishap()}
	case 6:
		return c.change(s)
	}
	return Action{Kind: Advance, To: c.instantAfter(s.now)}
}

// change returns one of what is set for others than the next request.
func (c *choices) change(s State) Action {
	client := c.below(len(s.clients))
	switch c.below(4) {
	case 0:
		return Action{Kind: SetLimit, Limit: limit.Setting{
			Count: choose(c, "1", "2", "0", "true", `"2"`), Window: choose(c, "1", "10", "0", `"NaN"`, "0.5", "true"),
		}}
	case 1:
		if c.below(4) == 3 {
			return Action{Kind: SetGuards, Client: client}
		}
		return Action{Kind: SetGuards, Client: client, Guards: c.guards(len(s.pools))}
	}
	return Action{Kind: SetPolicy, Client: client, Policy: c.policy()}
}
