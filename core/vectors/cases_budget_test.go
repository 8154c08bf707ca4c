package vectors

import (
	"testing"
	"time"

	"retrylab.example/core/budget"
	"retrylab.example/core/call"
	"retrylab.example/core/clock"
	"retrylab.example/core/decision"
	"retrylab.example/core/event"
	"retrylab.example/core/measure"
	"retrylab.example/core/retry"
	"retrylab.example/core/rng"
	"retrylab.example/core/sim"
)

// Public bug reports on budgets that calls share, and the figures of real ones.

// caller is a client whose outcomes are given: it decides and settles its budget as the engine does.
type caller struct {
	policy retry.Policy
	state  budget.State
}

// attempt tells an outcome of a call that holds h; it returns what the call holds then, and the decision.
func (c *caller) attempt(n int, h budget.Hold, o call.Outcome) (budget.Hold, decision.Decision) {
	in := retry.Input{Deadline: clock.Max, Request: of("GET"), Outcome: o, Budget: c.state, Held: h}
	in.Request.Attempt = n
	d := c.policy.Decide(in)
	c.state, h = c.policy.Spend(&in, &d)
	return h, d
}

// fail makes a call that fails at once, and reports whether a retry was allowed.
func (c *caller) fail() bool {
	_, d := c.attempt(1, 0, status(503))
	return d.Verdict == decision.Retry
}

func (c *caller) succeed() { c.attempt(1, 0, status(200)) }

func sharing(b budget.Config) *caller {
	return &caller{policy: retry.Policy{Attempts: 9, Statuses: []int{429, 503}, Budget: b}}
}

func quota() budget.Config {
	return budget.Config{
		Kind: budget.Quota, Tokens: 500 * budget.Token, Cost: 14 * budget.Token, ThrottledCost: 5 * budget.Token, Refill: budget.Token,
	}
}

// aws/aws-sdk-go-v2 v1.48: from full, 35 retries at cost 14 leave 10 tokens, and the 36th is refused; 100 at cost 5.
// awslabs/aws-sdk-rust#1234 (55e): the quota is enforced.
func TestCase55eTheQuotaIsEnforced(t *testing.T) {
	c := sharing(quota())
	for i := range 35 {
		if !c.fail() {
			t.Fatalf("retry %d is refused", i+1)
		}
	}
	same(t, "tokens lacking", c.state.Spent, 490*budget.Token)
	_, d := c.attempt(1, 0, status(503))
	same(t, "the 36th", d.Reason, decision.RetryBudgetSpent)
	same(t, "what lacks after a refusal", c.state.Spent, 490*budget.Token)
	c = sharing(quota())
	for i := range 101 {
		_, d := c.attempt(1, 0, status(429))
		same(t, "a throttled retry is allowed", d.Verdict == decision.Retry, i < 100)
	}
}

// aws/aws-sdk-go-v2#3550, aws/aws-sdk-js-v3#4754 (55a, 55d): a success gives one token, until the bucket is full.
func TestCase55aAnd55dSuccessesRefill(t *testing.T) {
	c := sharing(quota())
	for c.fail() {
	}
	for range 4 {
		c.succeed()
	}
	same(t, "14 tokens are one retry", c.fail(), true)
	same(t, "and no more", c.fail(), false)
	for range 1000 {
		c.succeed()
	}
	same(t, "no more than full", c.state.Spent, 0)
}

// aws/aws-sdk-go-v2#3186, #1413 (55b): a retry that ends in a 404, or in a success, gives back what it took, once.
func TestCase55bADefinitiveAnswerGivesBack(t *testing.T) {
	for _, code := range []int{404, 200} {
		c := sharing(quota())
		for range 3 {
			c.fail() // others have taken some too
		}
		before := c.state.Spent
		h, _ := c.attempt(1, 0, status(503))
		same(t, "taken when decided", c.state.Spent, before+14*budget.Token)
		h, _ = c.attempt(2, h, status(code))
		same(t, "given back", c.state.Spent, before)
		same(t, "held", h, 0)
	}
}

// A retry that fails again has spent what it took, and the next one takes anew.
func TestAFailedRetryHasSpentItsTokens(t *testing.T) {
	c := sharing(quota())
	h, _ := c.attempt(1, 0, status(503))
	h, _ = c.attempt(2, h, status(429))
	same(t, "after two retries", c.state.Spent, 19*budget.Token)
	same(t, "held", h, budget.Hold(5*budget.Token))
	c.attempt(3, h, status(200))
	same(t, "after the success", c.state.Spent, 14*budget.Token)
}

// aws/aws-sdk-go-v2#3413 (55c): with everything failing and nothing left, each call ends at once, with one attempt.
// Pacing the calls is not the retry policy's.
func TestCase55cAnEmptyBudgetFailsFast(t *testing.T) {
	p := lessonC(5)
	p.Budget = budget.Config{Kind: budget.Quota, Tokens: 20 * budget.Token, Cost: 14 * budget.Token}
	c := sim.Config{RepeatLast: true, Script: []sim.Mishap{exchange{Status: 503}.mishap()}, Clients: []sim.Client{{Name: "a", Policy: p}}}
	s, err := sim.New(c)
	if err != nil {
		t.Fatal(err)
	}
	var m measure.Fold
	for range 256 {
		s = sim.Step(s, sim.Action{Kind: sim.Fire, Request: of("GET")}, &m)
	}
	sim.Step(s, sim.Action{Kind: sim.Advance, To: clock.Instant(time.Hour)}, &m)
	same(t, "sent", m.Totals().Sent, 257)
	same(t, "given up", m.Totals().GaveUp, 256)
}

// gRPC A6, max 10, ratio .1: failures 1 to 4 may retry, the 5th may not; from 5.0 it takes 11 successes before a failing
// call may retry, from 4.0 it takes 21.
func TestGoldenGRPCThrottle(t *testing.T) {
	throttle := budget.Config{Kind: budget.Throttle, Tokens: 10 * budget.Token, Refill: budget.Token / 10}
	for failures, successes := range map[int]int{5: 11, 6: 21} {
		start := sharing(throttle)
		for i := range failures {
			same(t, "may retry", start.fail(), i < 4)
		}
		needed := 0
		for ; needed < 100; needed++ {
			try := *start
			if try.fail() {
				break
			}
			start.succeed()
		}
		same(t, "successes", needed, successes)
	}
	c := sharing(throttle)
	for range 50 {
		c.fail()
	}
	same(t, "never below 0", c.state.Spent, 10*budget.Token)
}

func fifth(least int) budget.Config {
	return budget.Config{Kind: budget.Share, Share: rng.Ratio{Num: 1, Den: 5}, Minimum: least}
}

// envoyproxy/envoy#30205: 20 % of 1000 simultaneous failures: retries that wait count, so 200 are admitted and 800 refused.
func TestCase53aWaitingRetriesCount(t *testing.T) {
	p := lessonC(2)
	p.Budget = fifth(3)
	c := sim.Config{RepeatLast: true, Script: []sim.Mishap{exchange{Cost: seconds{time.Second}, Status: 503}.mishap()}}
	c.Clients = []sim.Client{{Name: "a", Policy: p}}
	s, err := sim.New(c)
	if err != nil {
		t.Fatal(err)
	}
	reasons := map[decision.Reason]int{}
	count := sinkFunc(func(e *event.Event) {
		if e.Kind == event.RetryScheduled || e.Kind == event.CallGaveUp {
			reasons[e.Decision.Reason]++
		}
	})
	for range 1000 {
		s = sim.Step(s, sim.Action{Kind: sim.Fire, Request: of("GET")}, count)
	}
	s = sim.Step(s, sim.Action{Kind: sim.Advance, To: clock.Instant(1500 * ms)}, count)
	same(t, "admitted", reasons[decision.BackoffDecides], 200)
	same(t, "refused", reasons[decision.RetryBudgetSpent], 800)
	if err := sim.Check(s); err != nil {
		t.Error(err)
	}
}

// envoy-mobile PR#811: the failing request counts, so six that fail at once may all be retried under a whole share.
func TestCase53bTheFailingRequestCounts(t *testing.T) {
	c := sharing(budget.Config{Kind: budget.Share, Share: rng.One})
	for range 6 {
		c.state = c.state.Begin()
	}
	for i := range 6 {
		same(t, "retry "+string(rune('1'+i)), c.fail(), true)
	}
	same(t, "a seventh", c.fail(), false)
}

// Envoy #9069: 25 active → 5, 2 active → 3.
func TestGoldenEnvoy(t *testing.T) {
	for active, want := range map[int]int{25: 5, 2: 3} {
		c, allowed := sharing(fifth(3)), 0
		for range active {
			c.state = c.state.Begin()
		}
		for c.fail() {
			allowed++
		}
		same(t, "retries", allowed, want)
	}
}
