// Package retry composes backoff, Retry-After and budgets into one policy, and explains each of its decisions.
package retry

import (
	"slices"
	"time"

	"retrylab.example/core/backoff"
	"retrylab.example/core/budget"
	"retrylab.example/core/call"
	"retrylab.example/core/retryafter"
	"retrylab.example/core/rng"
)

// Policy is when a client sends again, how long it waits before that, and when it stops.
// The zero value is not usable: Attempts must be at least 1. A fleet holds one for each client, so small fields stand together.
type Policy struct {
	// Attempts is how many times a call is sent at most, the first included; 1 to MaxAttempts.
	Attempts int
	// Deadline is the total time of a call from its start, waits included. 0 means none.
	Deadline time.Duration
	// AttemptTimeout is how long one attempt waits for its reply. 0 means for ever.
	AttemptTimeout time.Duration
	// DeadlineTest says when the deadline has passed, and whether a wait that would reach it is begun.
	DeadlineTest budget.DeadlineTest
	// FreshDeadline starts the deadline anew at every attempt. It is the mistake of contract A: the whole stretches
	// to as many deadlines as there are attempts.
	FreshDeadline bool
	// CutTimeout cuts an attempt's timeout to what is left of the deadline.
	CutTimeout bool
	// Backoff and Jitter make the local wait. Share is the share of backoff.PlusMinus, and KeepAtCap keeps the waits apart
	// at the cap (backoff.Spread).
	Backoff   backoff.Config
	Jitter    backoff.Jitter
	KeepAtCap bool
	Share     rng.Ratio
	// Fractions are the jitter fractions of backoff.Fraction, in [0, 1]: retry 1 uses the first, and after the last
	// comes the first again. Empty means that each is drawn.
	Fractions []rng.Ratio
	// RetryAfter says how the partner's wish meets the local wait, and RetryAfterMode which wishes can be read.
	RetryAfter     retryafter.Rule
	RetryAfterMode retryafter.Mode
	// MaxRetryAfter is the longest wish that is waited for: the call ends at once at a longer one, because to come back
	// earlier would be too early. 0 means that there is no such limit.
	MaxRetryAfter time.Duration
	// AboveRetryAfter spreads what the partner asked for: a draw from [0, AboveRetryAfter) is added to it, so that clients
	// that were told the same do not come back together, and none earlier than asked. 0 adds nothing.
	AboveRetryAfter time.Duration
	// Safety says which requests may be repeated.
	Safety Safety
	// KeysDocumented says that the partner documents Idempotency-Keys: without that Standard does not count on one.
	KeysDocumented bool
	// Unchanging are the paths to which a POST is documented to change nothing: LessonE and Standard repeat it.
	Unchanging []string
	// Unprocessed are the statuses that this partner documents to mean that nothing was done: Standard then repeats any
	// method, as it does after 408, 421 and 425.
	Unprocessed []int
	// Statuses are the retried statuses, Codes the error codes that are retried whatever the status, and Failures the
	// retried failures without a response.
	Statuses []int
	Codes    []string
	Failures []call.Failure
	// Envelope lets the member retryable of the error's envelope decide, where there is one: contract E.
	Envelope bool
	// Budget is what the retries of all calls of the client share.
	Budget budget.Config
	// Exhausted says what the caller gets at the end: the last response, or an error that keeps it as the cause.
	Exhausted Exhausted
}

// MaxAttempts bounds Policy.Attempts: more would only lengthen a run that is bounded anyway.
const MaxAttempts = 1000

// Exhausted says what a caller gets when the retries end without a success.
type Exhausted uint8

const (
	// LastResponse returns the last response, or the failure where there is none: contracts A and E.
	LastResponse Exhausted = iota
	// LastError returns an error that keeps the last cause: contracts C and D.
	LastError
)

var exhaustedNames = [...]string{"response", "error"}

// String returns the name used in scenarios.
func (e Exhausted) String() string { return exhaustedNames[e] }

// ExhaustedNames returns the names in their order.
func ExhaustedNames() []string { return exhaustedNames[:] }

// ParseExhausted returns the value of that name.
func ParseExhausted(name string) (Exhausted, bool) {
	i := slices.Index(exhaustedNames[:], name)
	return Exhausted(max(i, 0)), i >= 0
}

// LessonStatuses are the statuses that contract A retries. It is that lesson's policy, not every service's answer.
func LessonStatuses() []int { return []int{429, 502, 503, 504} }

// Retryable reports whether the policy retries an outcome. A 413 is permanent unless it says when to come back (RFC 9110
// section 15.5.14), so it is retried with a Retry-After only.
func (p *Policy) Retryable(o call.Outcome) bool { return p.retryable(&o) }

func (p *Policy) retryable(o *call.Outcome) bool {
	if o.Failure != call.None {
		return slices.Contains(p.Failures, o.Failure)
	}
	body := &o.Response.Body
	if p.Envelope && body.Flag != call.NoFlag {
		return body.Flag == call.FlagTrue
	}
	if o.Response.Status == 413 && !o.Response.HasRetryAfter {
		return false
	}
	return slices.Contains(p.Statuses, o.Response.Status) || body.Code != "" && slices.Contains(p.Codes, body.Code)
}

// spread returns the jitter with its settings.
func (p *Policy) spread() backoff.Spread {
	return backoff.Spread{Kind: p.Jitter, Share: p.Share, KeepAtCap: p.KeepAtCap}
}

// NeedsDraw reports whether a wait of this policy uses a random draw.
func (p *Policy) NeedsDraw() bool {
	switch p.Jitter {
	case backoff.NoJitter:
		return false
	case backoff.Fraction:
		return len(p.Fractions) == 0
	}
	return true
}

// FractionOf returns the jitter fraction of retry n (from 1): the given one, or the draw.
func (p *Policy) FractionOf(n int, draw uint64) rng.Ratio {
	if p.Jitter == backoff.Fraction && len(p.Fractions) > 0 {
		return p.Fractions[(n-1)%len(p.Fractions)]
	}
	return rng.OfDraw(draw)
}
