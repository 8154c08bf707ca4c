// Package backoff computes how long a client would wait by itself: a wait that grows with the failures, with a cap, then
// jitter inside it.
package backoff

import (
	"errors"
	"math/bits"
	"time"

	"retrylab.example/core/clock"
)

// Config is the part that grows. The raw wait after failure n (from 1) is by its Shape
//
//	                                  Base 500 ms, Cap 4 s, after the cap
//	exponential  Base·Factor^(n−1)    Factor 2: 0.5, 1, 2, 4, 4, … s;  Factor 3/2: 0.5, 0.75, 1.125, 1.6875, … s
//	linear       Base·n               0.5, 1, 1.5, …, 4, 4, … s
//	constant     Base                 0.5, 0.5, 0.5, … s
//
// and the capped one min(Cap, raw). Everything saturates: the strict contract's rules 1 and 2 (resilience A.7). The zero
// value never waits.
type Config struct {
	// Base is the wait after the first failure, ≥ 0. 0 means no wait at all.
	Base time.Duration
	// Cap is the longest wait, ≥ 0. It applies to the raw wait, and jitter never leaves [0, Cap].
	Cap   time.Duration
	Shape Shape
	// Factor is by how much an exponential grows from wait to wait.
	Factor Factor
}

// Shape says how the raw wait grows.
type Shape uint8

const (
	// Exponential multiplies by the factor.
	Exponential Shape = iota
	// Linear adds the base.
	Linear
	// Constant stays.
	Constant
)

var shapeNames = [...]string{"exponential", "linear", "constant"}

// String returns the name used in scenarios.
func (s Shape) String() string { return shapeNames[s] }

// ShapeNames returns the names in their order.
func ShapeNames() []string { return shapeNames[:] }

// ParseShape returns the shape of that name.
func ParseShape(name string) (Shape, bool) {
	for i, n := range shapeNames {
		if n == name {
			return Shape(i), true
		}
	}
	return Exponential, false
}

// Factor is the rational number Num/Den > 0. The zero value stands for 2.
type Factor struct{ Num, Den uint64 }

// Doubles reports whether the factor is 2.
func (f Factor) Doubles() bool { return f.Den == 0 || f.Num/2 == f.Den && f.Num%2 == 0 }

// grows reports whether the factor is at least 1.
func (f Factor) grows() bool { return f.Num >= f.Den }

// times returns ⌊d·f⌋, saturated.
func (f Factor) times(d time.Duration) time.Duration {
	hi, lo := bits.Mul64(uint64(d), f.Num)
	if hi >= f.Den {
		return clock.MaxDuration
	}
	q, _ := bits.Div64(hi, lo, f.Den)
	return time.Duration(min(q, uint64(clock.MaxDuration)))
}

// Classic reports whether the wait is Base·2^n, as contracts A, C and E have it.
func (c Config) Classic() bool { return c.Shape == Exponential && c.Factor.Doubles() }

// Raw returns the raw wait after exponent+1 failures, before the cap, saturated; exponent ≥ 0. With a factor other than
// 2 the multiplication, which rounds down at each step, stops as soon as the cap is reached: the raw wait is then the
// first one that is not below it.
//
//	Base 500 ms, Factor 3/2, Cap 60 s: …, 19.221679687, 28.83251953, 43.248779295, 64.873168942 s, and stays there
func (c Config) Raw(exponent int) time.Duration {
	switch {
	case c.Shape == Constant:
		return c.Base
	case c.Shape == Linear:
		return clock.Times(c.Base, uint64(exponent)+1)
	case !c.Factor.Doubles():
		return c.multiplied(exponent)
	case exponent <= 62:
		return clock.Times(c.Base, 1<<exponent)
	case c.Base == 0:
		return 0
	}
	return clock.MaxDuration
}

func (c Config) multiplied(exponent int) time.Duration {
	d := c.Base
	for range exponent {
		next := c.Factor.times(d)
		if next == d || c.Factor.grows() && d >= c.Cap {
			break
		}
		d = next
	}
	return d
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
	return min(maximum, Config{Base: base, Cap: maximum}.Raw(attempt)), nil
}
