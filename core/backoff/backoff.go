// Package backoff computes how long a client would wait by itself: an exponential with a cap, then jitter inside it.
package backoff

import (
	"errors"
	"time"

	"retrylab.example/core/clock"
	"retrylab.example/core/rng"
)

// Config is the exponential part. The wait after failure n (from 1) is min(Cap, Base·2^(n−1)).
//
//	Base 500 ms, Cap 4 s: 0.5, 1, 2, 4, 4, 4, … s
//
// The zero value never waits.
type Config struct {
	// Base is the wait after the first failure, ≥ 0. 0 means no wait at all.
	Base time.Duration
	// Cap is the longest wait before jitter, ≥ 0. It applies to the exponential, and jitter never leaves [0, Cap].
	Cap time.Duration
}

// Raw returns Base·2^exponent without the cap, saturated; exponent ≥ 0.
func (c Config) Raw(exponent int) time.Duration {
	if exponent > 62 {
		if c.Base == 0 {
			return 0
		}
		return clock.MaxDuration
	}
	return clock.Times(c.Base, 1<<exponent)
}

// MaxExponent is the largest exponent that contract A accepts.
const MaxExponent = 30

// ErrArgument is returned for an argument outside the range that contract A gives.
var ErrArgument = errors.New("argument out of range")

// Delay is contract A's backoff(attempt, base, cap) = min(cap, base·2^attempt), where attempt 0 is the wait after the
// first failure. It wants 0 ≤ attempt ≤ 30, base ≥ 0, cap ≥ 0.
func Delay(attempt int, base, maximum time.Duration) (time.Duration, error) {
	if attempt < 0 || attempt > MaxExponent || base < 0 || maximum < 0 {
		return 0, ErrArgument
	}
	return min(maximum, Config{base, maximum}.Raw(attempt)), nil
}

// Jitter says how a wait is spread. With d the capped exponential and f the fraction:
//
//	none      d
//	fraction  d·f          f is given by the scenario, in [0, 1]      contract A
//	full      d·f          f is drawn from [0, 1)                     contract E
//	equal     d/2 + d/2·f  f is drawn from [0, 1)
type Jitter uint8

const (
	// NoJitter waits the exponential itself.
	NoJitter Jitter = iota
	// Fraction scales by a given fraction, so that both ends and the middle can be seen.
	Fraction
	// Full draws from the whole of [0, d).
	Full
	// Equal keeps half of the wait and draws the other half.
	Equal
)

var jitterNames = [...]string{"none", "fraction", "full", "equal"}

// String returns the name used in scenarios.
func (j Jitter) String() string { return jitterNames[j] }

// ParseJitter returns the jitter of that name.
func ParseJitter(name string) (Jitter, bool) {
	for i, n := range jitterNames {
		if n == name {
			return Jitter(i), true
		}
	}
	return NoJitter, false
}

// JitterNames returns the names in their order.
func JitterNames() []string { return jitterNames[:] }

// Apply returns the jittered wait and the longest that it could have been. d ≥ 0.
func (j Jitter) Apply(d time.Duration, f rng.Ratio) (wait, longest time.Duration) {
	switch j {
	case Fraction, Full:
		return f.Scale(d), d
	case Equal:
		half := d / 2
		return half + f.Scale(d-half), d
	}
	return d, d
}

// Scale is contract A's jitter(delay, fraction) = delay·fraction, for delay ≥ 0 and 0 ≤ fraction ≤ 1.
func Scale(delay time.Duration, fraction rng.Ratio) (time.Duration, error) {
	if delay < 0 || !fraction.Valid() {
		return 0, ErrArgument
	}
	return fraction.Scale(delay), nil
}
