package budget

import (
	"time"

	"retrylab.example/core/call"
	"retrylab.example/core/decision"
	"retrylab.example/core/rng"
)

// Config is a budget that all calls of one client share, so that retries stay a part of its traffic when everything
// fails. The zero value is none: every retry is allowed.
//
//	kind      a retry is allowed if                 a failure        a retry takes  success gives    source
//	quota     tokens ≥ cost                         –                its cost       +Refill, or the  AWS SDK (A.1)
//	                                                                                cost back
//	throttle  2·tokens > Tokens after the failure   1                –              +Refill          gRFC A6
//	share     retries under way + 1 ≤               –                a place        the place back   Envoy (A.1, A.4)
//	          max(Minimum, ⌊Share·calls under way⌋)
//
// Tokens are taken when the retry is decided, before its wait: retries that wait count. What a retry holds comes back
// on a success and on a definitive answer that is not retried, and when the retry is not sent after all: exactly once
// (the strict contract's rule 10). After a failure that the policy would retry it is spent; a place ends with the retry.
//
//	quota of 500 at cost 14: 35 retries, 10 tokens are left, the 36th is refused; at cost 5: 100 retries
//	throttle of 10, refill 0.1: failures 1 to 4 leave 9, 8, 7, 6 and may retry, the 5th leaves 5 and may not;
//	  11 successes later a failing call may again
//	share of 20 %, minimum 3: 25 calls under way → 5 retries, 2 → 3; 1000 that fail at once → 200
type Config struct {
	Kind Kind
	// Tokens is how many the bucket of Quota or Throttle holds at most, in nano-tokens; it starts full.
	Tokens int64
	// Cost is what a retry of Quota takes, and ThrottledCost what it takes after a 429; in nano-tokens, ≥ 0.
	Cost, ThrottledCost int64
	// Refill is what a success gives, in nano-tokens, ≥ 0: with Quota a success at the first attempt.
	Refill int64
	// Share is the part of the calls under way that may be retries, and Minimum how many may be at any rate.
	Share   rng.Ratio
	Minimum int
}

// Token is one token in the unit that is counted in.
const Token = 1_000_000_000

// MaxTokens bounds Config.Tokens and the costs.
const MaxTokens = 1_000_000 * Token

// Kind says how the shared budget counts.
type Kind uint8

const (
	// Unlimited allows every retry.
	Unlimited Kind = iota
	// Quota pays for each retry with tokens.
	Quota
	// Throttle stops retries while more than half of the tokens were lost to failures.
	Throttle
	// Share lets a part of the calls under way be retries.
	Share
)

var kindNames = [...]string{"off", "quota", "throttle", "share"}

// String returns the name used in scenarios.
func (k Kind) String() string { return kindNames[k] }

// KindNames returns the names in their order.
func KindNames() []string { return kindNames[:] }

// ParseKind returns the kind of that name.
func ParseKind(name string) (Kind, bool) {
	for i, n := range kindNames {
		if n == name {
			return Kind(i), true
		}
	}
	return Unlimited, false
}

// State is how a shared budget stands. The zero value is a full bucket with nothing under way.
type State struct {
	// Spent is how many nano-tokens the bucket lacks, 0 to Config.Tokens.
	Spent int64
	// Calls are under way, waiting ones too; Retries of them hold a place.
	Calls, Retries int
}

// Hold is what the retry under way of one call has taken and not given back: nano-tokens, or 1 for a place. The zero
// value is nothing.
type Hold int64

// left returns the tokens in the bucket.
func (c Config) left(s State) int64 { return max(c.Tokens-s.Spent, 0) }

func (c Config) cost(failed call.Class) int64 {
	if failed == call.Throttled {
		return c.ThrottledCost
	}
	return c.Cost
}

// places returns how many retries may be under way. The call that asks is one of those under way, counted or not.
func (c Config) places(s State) int {
	return max(c.Minimum, int(c.Share.Scale(time.Duration(max(s.Calls, 1)))))
}

// others returns the retries under way but that of the call that asks, which has just failed.
func (s State) others(h Hold) int { return max(s.Retries-int(min(h, 1)), 0) }

// Allows reports whether a call whose attempt failed in that class, and whose retry under way holds h, may send another
// one, and adds the row that says so: nothing if there is no budget.
func (c *Config) Allows(d *decision.Decision, s State, h Hold, failed call.Class) bool {
	t := decision.Term{Name: decision.RetryTokens, Text: kindNames[c.Kind], B: c.Tokens}
	allowed := true
	switch c.Kind {
	case Unlimited:
		return true
	case Quota:
		t.Value, t.A = c.left(s), c.cost(failed)
		allowed = t.Value >= t.A
	case Throttle:
		t.Value, t.A = max(c.left(s)-Token, 0), c.Tokens/2
		allowed = t.Value > t.A
	case Share:
		t = decision.Term{
			Name: decision.RetryShare, Value: int64(s.others(h)), A: int64(c.places(s)), B: int64(max(s.Calls, 1)),
		}
		allowed = t.Value < t.A
	}
	d.Add(t)
	return allowed
}

// Begin counts a call that starts.
func (s State) Begin() State {
	s.Calls++
	return s
}

// End uncounts a call that is over.
func (s State) End() State {
	s.Calls = max(s.Calls-1, 0)
	return s
}

// Failed counts a failure that the policy would retry, whether it does or not: what the retry held is spent.
func (c *Config) Failed(s State, h Hold) State {
	switch c.Kind {
	case Throttle:
		s.Spent = min(s.Spent+Token, c.Tokens)
	case Share:
		s.Retries = s.others(h)
	}
	return s
}

// Take takes what a retry after a failure of that class costs. Allows must have allowed it.
func (c *Config) Take(s State, failed call.Class) (State, Hold) {
	switch c.Kind {
	case Quota:
		cost := c.cost(failed)
		s.Spent = min(s.Spent+cost, c.Tokens)
		return s, Hold(cost)
	case Share:
		s.Retries++
		return s, 1
	}
	return s, 0
}

// GiveBack returns what a retry held: after a definitive answer, or if the retry was not sent after all.
func (c *Config) GiveBack(s State, h Hold) State {
	switch c.Kind {
	case Quota:
		s.Spent = max(s.Spent-int64(h), 0)
	case Share:
		s.Retries = s.others(h)
	}
	return s
}

// Succeeded counts a success: what its retry held comes back, and what a success gives.
func (c *Config) Succeeded(s State, h Hold) State {
	if c.Kind == Throttle || c.Kind == Quota && h == 0 {
		s.Spent = max(s.Spent-c.Refill, 0)
		return s
	}
	return c.GiveBack(s, h)
}
