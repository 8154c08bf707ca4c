// Package retry composes backoff, Retry-After and budgets into one policy, and explains each of its decisions.
package retry

import (
	"slices"
	"strings"
	"time"

	"retrylab.example/core/backoff"
	"retrylab.example/core/call"
	"retrylab.example/core/retryafter"
	"retrylab.example/core/rng"
)

// Policy is when a client sends again, how long it waits before that, and when it stops.
// The zero value is not usable: Attempts must be at least 1.
type Policy struct {
	// Attempts is how many times a call is sent at most, the first included; 1 to MaxAttempts.
	Attempts int
	// Deadline is the total time of a call from its start, waits included. 0 means none.
	Deadline time.Duration
	// FreshDeadline starts the deadline anew at every attempt. It is the mistake of contract A: the whole stretches
	// to as many deadlines as there are attempts.
	FreshDeadline bool
	// AttemptTimeout is how long one attempt waits for its reply. 0 means for ever.
	AttemptTimeout time.Duration
	// CutTimeout cuts an attempt's timeout to what is left of the deadline.
	CutTimeout bool
	// Backoff and Jitter make the local wait.
	Backoff backoff.Config
	Jitter  backoff.Jitter
	// Fractions are the jitter fractions of backoff.Fraction, in [0, 1]: retry 1 uses the first, and after the last
	// comes the first again. Empty means that each is drawn.
	Fractions []rng.Ratio
	// RetryAfter says how the partner's wish meets the local wait.
	RetryAfter retryafter.Rule
	// Safety says which requests may be repeated.
	Safety Safety
	// Statuses are the retried statuses, and Failures the retried failures without a response.
	Statuses []int
	Failures []call.Failure
	// Exhausted says what the caller gets at the end: the last response, or an error that keeps it as the cause.
	Exhausted Exhausted
}

// MaxAttempts bounds Policy.Attempts: more would only lengthen a run that is bounded anyway.
const MaxAttempts = 1000

// Safety says which requests may be sent again.
type Safety uint8

const (
	// AnyMethod repeats everything: contract C's caller, and a common mistake.
	AnyMethod Safety = iota
	// LessonA repeats GET, HEAD, PUT and DELETE in any letter case, POST only with a key that is not blank, PATCH and
	// anything else never. A key helps only where the partner deduplicates.
	LessonA
)

var safetyNames = [...]string{"any", "lesson-a"}

// String returns the name used in scenarios.
func (s Safety) String() string { return safetyNames[s] }

// SafetyNames returns the names in their order.
func SafetyNames() []string { return safetyNames[:] }

// ParseSafety returns the safety of that name.
func ParseSafety(name string) (Safety, bool) {
	i := slices.Index(safetyNames[:], name)
	return Safety(max(i, 0)), i >= 0
}

// ReplaySafe reports whether r may be sent again, and whether its method alone already says so.
func (s Safety) ReplaySafe(r call.Request) (safe, byMethod bool) {
	if s == AnyMethod {
		return true, true
	}
	switch strings.ToUpper(r.Method) {
	case "GET", "HEAD", "PUT", "DELETE":
		return true, true
	case "POST":
		return r.HasKey(), false
	}
	return false, false
}

// Exhausted says what a caller gets when the retries end without a success.
type Exhausted uint8

const (
	// LastResponse returns the last response: contract A.
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

// Retryable reports whether the policy retries an outcome.
func (p *Policy) Retryable(o call.Outcome) bool {
	if o.Failure != call.None {
		return slices.Contains(p.Failures, o.Failure)
	}
	return slices.Contains(p.Statuses, o.Response.Status)
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
