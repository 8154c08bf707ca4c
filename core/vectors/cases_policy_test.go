package vectors

import (
	"slices"
	"testing"
	"time"

	"retrylab.example/core/backoff"
	"retrylab.example/core/call"
	"retrylab.example/core/clock"
	"retrylab.example/core/decision"
	"retrylab.example/core/event"
	"retrylab.example/core/measure"
	"retrylab.example/core/partner"
	"retrylab.example/core/retry"
	"retrylab.example/core/retryafter"
	"retrylab.example/core/rng"
	"retrylab.example/core/sim"
)

// Public bug reports on waits, deadlines and attempts, by their number in the list of cases: each has one right
// answer under the strict contract.

const ms = time.Millisecond

// draws are fractions over the whole of [0, 1), both ends among them.
func draws() (list []rng.Ratio) {
	for i := range uint64(1001) {
		list = append(list, rng.OfDraw(i*((1<<64-1)/1000)))
	}
	return append(list, rng.OfDraw(1<<64-1))
}

// spreadOf returns the least and the greatest wait after n failures, and how many different ones there are.
func spreadOf(c backoff.Config, s backoff.Spread, n int) (least, most time.Duration, different int) {
	var waits []time.Duration
	for _, f := range draws() {
		waits = append(waits, c.After(n, s, 0, f).Wait)
	}
	slices.Sort(waits)
	least, most = waits[0], waits[len(waits)-1]
	return least, most, len(slices.Compact(waits))
}

// hashicorp/go-retryablehttp#247: 3600 s, or an epoch value read as seconds, where the client waits 30 s at most.
func TestCase1AStatedMaximumGivesUp(t *testing.T) {
	for _, value := range []string{"3600", "1796040120", "99999999999999999999"} {
		p := retry.Policy{Attempts: 3, RetryAfter: retryafter.Floor, MaxRetryAfter: 30 * time.Second, Statuses: []int{429}}
		in := retry.Input{Deadline: clock.Max, Request: of("GET"), Outcome: waitFor(status(429), value)}
		in.Request.Attempt = 1
		if d := p.Decide(in); d.Verdict != decision.GiveUp || d.Reason != decision.RetryAfterTooLong {
			t.Errorf("Retry-After: %s: got %s, %s", value, d.Verdict, d.Reason)
		}
	}
}

// electric-sql/electric#4322: 1000 clients that are all told 60 s come back spread over what is added, and none early.
func TestCase11WhatAllAreToldIsSpread(t *testing.T) {
	const clients, added = 1000, 10 * time.Second
	p := retry.Policy{
		Attempts: 2, RetryAfter: retryafter.Floor, AboveRetryAfter: added, Statuses: []int{429},
		Backoff: backoff.Config{Base: time.Second, Cap: 32 * time.Second}, Jitter: backoff.Full,
	}
	c := sim.Config{Seed: 11, RepeatLast: true, Script: []sim.Mishap{exchange{Status: 429, RetryAfter: header{"60", true}}.mishap()}}
	for range clients {
		c.Clients = append(c.Clients, sim.Client{Name: "a", Policy: p})
	}
	s, err := sim.New(c)
	if err != nil {
		t.Fatal(err)
	}
	buckets := map[clock.Instant]int{}
	peak := 0
	sink := sinkFunc(func(e *event.Event) {
		if e.Kind == event.RetryScheduled {
			if e.Until < clock.Instant(time.Minute) || e.Until >= clock.Instant(time.Minute+added) {
				t.Errorf("a client comes back at %d", e.Until)
			}
			bucket := e.Until / clock.Instant(100*ms)
			buckets[bucket]++
			peak = max(peak, buckets[bucket])
		}
	})
	for i := range clients {
		s = sim.Step(s, sim.Action{Kind: sim.Fire, Client: i, Request: of("GET")}, sink)
	}
	sim.Step(s, sim.Action{Kind: sim.Advance, To: 1}, sink)
	if peak == 0 || peak > 30 { // 10 would be even
		t.Errorf("%d of %d clients come back in the same 100 ms", peak, clients)
	}
}

type sinkFunc func(e *event.Event)

func (f sinkFunc) Event(e *event.Event) { f(e) }

// jpillora/backoff#11 (min 100 ms, factor 2, attempt ≥ 37), onosproject/onos-lib-go PR#127 (40 retries),
// ethereum-optimism/optimism PR#7690 (the minimum at a high attempt), cloudflare/daphne PR#360 (a power beyond u32).
func TestCases21To29AHighAttemptWaitsTheCap(t *testing.T) {
	const limit = 30 * time.Second
	for _, factor := range []backoff.Factor{{}, {Num: 2, Den: 1}, {Num: 3, Den: 2}, {Num: 1000, Den: 1}} {
		c := backoff.Config{Base: 100 * ms, Cap: limit, Factor: factor}
		for _, n := range []int{37, 38, 40, 64, 65, 1000} {
			same(t, "wait", c.After(n, backoff.Spread{}, 0, rng.One).Wait, limit)
		}
		// 25: and with jitter inside it
		least, most, different := spreadOf(c, backoff.Spread{Kind: backoff.Equal}, 1000)
		if least != limit/2 || most > limit || different < 1000 {
			t.Errorf("factor %v: %v to %v, %d different waits", factor, least, most, different)
		}
	}
}

// elennick/retry4j#36: the first wait is the base, the fifth 100·2^4, and very many saturate.
func TestCase27TheExponential(t *testing.T) {
	c := backoff.Config{Base: 100 * ms, Cap: clock.MaxDuration}
	same(t, "a: 1 try", c.After(1, backoff.Spread{}, 0, rng.Ratio{}).Wait, 100*ms)
	same(t, "b: 5 tries", c.After(5, backoff.Spread{}, 0, rng.Ratio{}).Wait, 1600*ms)
	same(t, "c: very many", c.After(1<<40, backoff.Spread{}, 0, rng.Ratio{}).Wait, clock.MaxDuration)
}

// avast/retry-go v4: full jitter without a cap at attempt 40, and no jitter at all, do not panic.
func TestCase31NoPanic(t *testing.T) {
	c := backoff.Config{Base: 100 * ms, Cap: clock.MaxDuration}
	for _, kind := range []backoff.Jitter{backoff.Full, backoff.Equal, backoff.PlusMinus, backoff.Decorrelated} {
		for _, f := range []rng.Ratio{{}, rng.OfDraw(1<<64 - 1), rng.One} {
			if got := c.After(40, backoff.Spread{Kind: kind, Share: rng.One}, clock.MaxDuration, f).Wait; got < 0 {
				t.Errorf("%s: %d", kind, got)
			}
		}
	}
	same(t, "b: a share of 0", c.After(1, backoff.Spread{Kind: backoff.PlusMinus}, 0, rng.One).Wait, 100*ms)
}

// openai/openai-agents-python PR#2676, langchain-ai/langchain#40259, NousResearch/hermes-agent PR#40606: jitter after the
// cap; failsafe-go (37) documents 7.488 ms for WithBackoff(4ms, 5ms) and a factor of .5.
func TestCases33And37JitterStaysInsideTheCap(t *testing.T) {
	constant := func(base, limit time.Duration) backoff.Config {
		return backoff.Config{Base: base, Cap: limit, Shape: backoff.Constant}
	}
	for _, c := range []struct {
		id     string
		config backoff.Config
		share  rng.Ratio
		n      int
	}{
		{"33a", backoff.Config{Base: time.Second, Cap: 8 * time.Second}, rng.Ratio{Num: 1, Den: 8}, 9},
		{"33b", constant(10*time.Second, 10*time.Second), rng.Ratio{Num: 1, Den: 4}, 1},
		{"33c", backoff.Config{Base: time.Second, Cap: time.Minute}, rng.Ratio{Num: 1, Den: 4}, 7},
		{"33d", constant(2*time.Minute, 2*time.Minute), rng.Ratio{Num: 1, Den: 2}, 1},
		{"37", backoff.Config{Base: 4 * ms, Cap: 5 * ms}, rng.Ratio{Num: 1, Den: 2}, 2},
	} {
		for _, keep := range []bool{false, true} {
			least, most, different := spreadOf(c.config, backoff.Spread{Kind: backoff.PlusMinus, Share: c.share, KeepAtCap: keep}, c.n)
			if least < 0 || most > c.config.Cap {
				t.Errorf("%s: %v to %v with a cap of %v", c.id, least, most, c.config.Cap)
			}
			if keep && different < 1000 {
				t.Errorf("%s: only %d different waits at the cap", c.id, different)
			}
		}
	}
}

// OriginTrail/dkg PR#2291: a cap after the jitter makes every job wait exactly 60 s; kept at the cap, the spread survives.
func TestCase35TheSpreadSurvivesAtTheCap(t *testing.T) {
	c := backoff.Config{Base: time.Second, Cap: time.Minute}
	for _, s := range []backoff.Spread{
		{Kind: backoff.Full}, {Kind: backoff.Equal}, {Kind: backoff.PlusMinus, Share: rng.Ratio{Num: 1, Den: 4}, KeepAtCap: true},
	} {
		least, most, different := spreadOf(c, s, 30)
		if most > time.Minute || most-least < 15*time.Second || different < 1000 {
			t.Errorf("%s: %v to %v, %d different waits", s.Kind, least, most, different)
		}
	}
	atCap := 0
	for _, f := range draws() {
		s := backoff.Spread{Kind: backoff.Decorrelated, KeepAtCap: true}
		if c.After(30, s, time.Minute, f).Wait == time.Minute {
			atCap++
		}
	}
	same(t, "decorrelated: waits of exactly the cap", atCap, 0)
	least, most, _ := spreadOf(c, backoff.Spread{Kind: backoff.PlusMinus, Share: rng.Ratio{Num: 1, Den: 4}}, 30)
	if least >= most {
		t.Error("without the option some of them still differ")
	}
}

// cenkalti/backoff#159: 30 min asked, 15 min in all: an explicit reason, and one call.
func TestCase39AWaitBeyondTheDeadlineSaysSo(t *testing.T) {
	d := after("1800", 15*time.Minute)
	same(t, "reason", d.Reason, decision.BudgetTooShort)
	same(t, "wait", d.Wait, 30*time.Minute)
}

// cenkalti/backoff#68: over before its start, a call makes no attempt.
func TestCase41OverBeforeTheStart(t *testing.T) {
	p := retry.Policy{Attempts: 3, Deadline: time.Second}
	same(t, "reason", p.BeforeSend(5, 5, of("GET")).Reason, decision.DeadlinePassed)
}

// elastic/go-elasticsearch#233: attempts count the first: 1 retry is 2 requests, 0 retries are 1.
func TestCase43AttemptsCountTheFirst(t *testing.T) {
	for _, attempts := range []int{1, 2, 5} {
		c := sim.Config{RepeatLast: true, Script: []sim.Mishap{exchange{Status: 503}.mishap()}}
		c.Clients = []sim.Client{{Name: "a", Policy: lessonC(attempts)}}
		same(t, "requests", measure.Of(runCall(t, c, of("GET"))).Sent, attempts)
	}
}

// avast/retry-go PR#74: the last outcome is kept with the reason, also when the deadline ends the call.
func TestCase45aTheLastOutcomeIsKept(t *testing.T) {
	p := lessonC(5)
	p.Deadline = 1500 * ms
	c := sim.Config{RepeatLast: true, Script: []sim.Mishap{exchange{Status: 503}.mishap()}, Clients: []sim.Client{{Name: "a", Policy: p}}}
	events := runCall(t, c, of("GET"))
	last := events[len(events)-1]
	same(t, "reason", last.Decision.Reason, decision.BudgetTooShort)
	same(t, "cause", last.Response.Status, 503)
}

// avast/retry-go#110: what is not retried ends after one call, with the error.
func TestCase45bWhatIsNotRetriedEndsAtOnce(t *testing.T) {
	c := sim.Config{RepeatLast: true, Script: []sim.Mishap{exchange{Status: 400}.mishap()}, Clients: []sim.Client{{Name: "a", Policy: lessonC(9)}}}
	events := runCall(t, c, of("GET"))
	same(t, "requests", measure.Of(events).Sent, 1)
	same(t, "reason", events[len(events)-1].Decision.Reason, decision.NotRetryable)
}

// failsafe-go/failsafe-go#29 and #23: a total time works, and the waits grow: 1, 2, 4, … s.
func TestCase47TheWaitsGrowUntilTheDeadline(t *testing.T) {
	p := lessonC(9)
	p.Deadline, p.Backoff.Cap = 10*time.Second, time.Minute
	c := sim.Config{RepeatLast: true, Script: []sim.Mishap{exchange{Status: 503}.mishap()}, Clients: []sim.Client{{Name: "a", Policy: p}}}
	var starts []time.Duration
	for _, e := range runCall(t, c, of("GET")) {
		if e.Kind == event.AttemptSent {
			starts = append(starts, time.Duration(e.At))
		}
	}
	if want := []time.Duration{0, time.Second, 3 * time.Second, 7 * time.Second}; !slices.Equal(starts, want) {
		t.Errorf("got %v, want %v", starts, want)
	}
}

// apify/apify-client-python#990: a POST whose reply is lost is sent again only with a key, and then replayed.
// google/go-containerregistry#1004 (51) and square/square-mcp-server#31 (77): each attempt carries the same body and key.
func TestCases49And51And77APostIsRepeatedAsItWas(t *testing.T) {
	for _, key := range []string{"", "order-1"} {
		p := lessonC(3)
		p.Safety, p.AttemptTimeout, p.Failures = retry.LessonE, time.Second, call.Failures()
		c := sim.Config{Partner: partner.Config{}, Script: []sim.Mishap{{Fault: event.LostReply}}, Clients: []sim.Client{{Name: "a", Policy: p}}}
		r := call.Request{Method: "POST", Path: "/add", Amount: 257, Key: key, Keyed: key != ""}
		events := runCall(t, c, r)
		last, totals := events[len(events)-1], measure.Of(events)
		for _, e := range events {
			if e.Kind == event.AttemptSent && (e.Request.Amount != 257 || e.Request.Key != key) {
				t.Errorf("attempt %d sends %+v", e.Request.Attempt, e.Request)
			}
		}
		same(t, "effects", totals.Applied, 1)
		if key == "" {
			same(t, "without a key", last.Decision.Reason, decision.NotReplaySafe)
		} else {
			same(t, "with a key", last.Kind, event.CallSucceeded)
			same(t, "replayed", last.Response.Replayed, true)
		}
	}
}

// Formulas of peers (resilience A.1).

func TestGoldenCenkalti(t *testing.T) {
	c := backoff.Config{Base: 500 * ms, Cap: time.Minute, Factor: backoff.Factor{Num: 3, Den: 2}}
	for n, want := range []time.Duration{
		500000000, 750000000, 1125000000, 1687500000, 2531250000, 3796875000, 5695312500, 8542968750, 12814453125,
		19221679687, 28832519530, 43248779295, 60000000000, 60000000000,
	} {
		same(t, "wait", c.After(n+1, backoff.Spread{Kind: backoff.PlusMinus}, 0, rng.Ratio{}).Wait, want)
	}
	half := backoff.Spread{Kind: backoff.PlusMinus, Share: rng.Ratio{Num: 1, Den: 2}}
	same(t, "at the lower end", c.After(1, half, 0, rng.Ratio{}).Wait, 250*ms)
	same(t, "at the upper end", c.After(1, half, 0, rng.One).Wait, 750*ms)
}

func TestGoldenShapes(t *testing.T) {
	for _, c := range []struct {
		name  string
		c     backoff.Config
		waits []time.Duration // in units of 1 ms
	}{
		{"go-retryablehttp", backoff.Config{Base: 1000, Cap: 30_000}, []time.Duration{1000, 2000, 4000, 8000, 16000, 30000, 30000}},
		{"failsafe-go", backoff.Config{Base: 1, Cap: 10}, []time.Duration{1, 2, 4, 8, 10, 10, 10, 10}},
		{"Polly, linear", backoff.Config{Base: 2000, Cap: 7000, Shape: backoff.Linear}, []time.Duration{2000, 4000, 6000, 7000, 7000}},
		{"resilience4j, constant", backoff.Config{Base: 500, Cap: 60_000, Shape: backoff.Constant}, []time.Duration{500, 500, 500}},
		{"client-go", backoff.Config{Base: 5, Cap: 1_000_000}, []time.Duration{5, 10, 20, 40, 80}},
		{"a base above the cap", backoff.Config{Base: 60_000, Cap: 30_000, Factor: backoff.Factor{Num: 3, Den: 2}}, []time.Duration{30000, 30000}},
		{"a factor below 1", backoff.Config{Base: 1000, Cap: 700, Factor: backoff.Factor{Num: 1, Den: 2}}, []time.Duration{700, 500, 250, 125}},
	} {
		c.c.Base, c.c.Cap = c.c.Base*ms, c.c.Cap*ms
		for i, want := range c.waits {
			same(t, c.name, c.c.After(i+1, backoff.Spread{}, 0, rng.Ratio{}).Wait, want*ms)
		}
	}
}

// gRPC A6: d = min(initial·mult^k, max)·(0.8 + 0.4 r); the connection backoff has the factor 1.6.
func TestGoldenGRPC(t *testing.T) {
	c := backoff.Config{Base: time.Second, Cap: 120 * time.Second, Factor: backoff.Factor{Num: 8, Den: 5}}
	s := backoff.Spread{Kind: backoff.PlusMinus, Share: rng.Ratio{Num: 1, Den: 5}}
	same(t, "k = 0, r = 0", c.After(1, s, 0, rng.Ratio{}).Wait, 800*ms)
	same(t, "k = 1, r = 1/2", c.After(2, s, 0, rng.Ratio{Num: 1, Den: 2}).Wait, 1600*ms)
	same(t, "k = 2, r = 1", c.After(3, s, 0, rng.One).Wait, 3072*ms)
}

// Resilience C.1: sleep := min(cap, U(base, 3·sleep)), sleep = base at first. Two wrong versions are common:
// random·base·2^n, and random(base, cap).
func TestGoldenDecorrelated(t *testing.T) {
	c := backoff.Config{Base: 5 * ms, Cap: 2000 * ms}
	s := backoff.Spread{Kind: backoff.Decorrelated}
	half := rng.Ratio{Num: 1, Den: 2}
	first := c.After(9, s, 0, half).Wait
	same(t, "first", first, 10*ms)
	same(t, "second", c.After(9, s, first, half).Wait, 17500*time.Microsecond)
	same(t, "at the lower end", c.After(1, s, 600*ms, rng.Ratio{}).Wait, 5*ms)
	same(t, "at the upper end", c.After(1, s, 600*ms, rng.One).Wait, 1800*ms)
	same(t, "at the cap", c.After(1, s, 1000*ms, rng.One).Wait, 2000*ms)
}
