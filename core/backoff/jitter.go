package backoff

import (
	"math/bits"
	"time"

	"retrylab.example/core/clock"
	"retrylab.example/core/rng"
)

// Jitter says how a wait is spread. With d the capped wait, f the fraction and j the share:
//
//	none          d
//	fraction      d·f                        f is given by the scenario, in [0, 1]      contract A
//	full          d·f                        f is drawn from [0, 1)                     contract E
//	equal         d/2 + d/2·f                f is drawn from [0, 1)
//	decorrelated  Base + (3·p − Base)·f      p is the local wait before, Base at first  Brooker 2015; resilience C.1
//	plus-minus    d·(1 − j) + 2·d·j·f        j is a setting, in [0, 1]                  resilience A.1 (cenkalti, gRPC)
//
// The cap applies to all of them: a wait that jitter would lift above it is cut to it. Decorrelated takes the place of
// the wait that grows.
type Jitter uint8

const (
	// NoJitter waits the capped wait itself.
	NoJitter Jitter = iota
	// Fraction scales by a given fraction, so that both ends and the middle can be seen.
	Fraction
	// Full draws from the whole of [0, d).
	Full
	// Equal keeps half of the wait and draws the other half.
	Equal
	// Decorrelated draws between the base and three times the wait before.
	Decorrelated
	// PlusMinus draws from d less a share of it to d and that share more.
	PlusMinus
)

var jitterNames = [...]string{"none", "fraction", "full", "equal", "decorrelated", "plus-minus"}

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

// CrossesCap reports whether the jitter can lift a wait above the cap, so that many waits are cut to one and the same.
func (j Jitter) CrossesCap() bool { return j >= Decorrelated }

// Apply returns the jittered wait and the longest that it could have been, for a jitter that needs d and f only: none,
// fraction, full or equal. d ≥ 0.
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

// Spread is a jitter with its settings.
type Spread struct {
	Kind Jitter
	// Share is j of PlusMinus, in [0, 1].
	Share rng.Ratio
	// KeepAtCap keeps the waits apart at the cap, where PlusMinus and Decorrelated would cut many to one: PlusMinus caps
	// the raw wait at Cap/(1 + j) already, so that the longest wait is Cap, and Decorrelated draws below the cap.
	//
	//	Cap 60 s, j = 1/4, raw 64 s:  cut to 60 s, then 45 … 75 s, cut to 60 s: two in five wait exactly 60 s
	//	                    kept:     cut to 48 s, then 36 … 60 s: all differ
	KeepAtCap bool
}

// Local is one local wait and how it came about.
type Local struct {
	// Raw is the wait before the cap; of Decorrelated, the upper end of its range.
	Raw time.Duration
	// Cap is what Raw was capped at: less than the configured one where a part of it is kept for the jitter.
	Cap time.Duration
	// Wait is the local wait and Longest the longest that it could have been, both in [0, the configured cap].
	Wait, Longest time.Duration
}

// After returns the local wait after n ≥ 1 failures. previous is the local wait before this one in the same call, 0 if
// there was none; only Decorrelated looks at it. f is the fraction.
func (c Config) After(n int, s Spread, previous time.Duration, f rng.Ratio) Local {
	switch s.Kind {
	case Decorrelated:
		return c.decorrelated(s, previous, f)
	case PlusMinus:
		return c.plusMinus(c.Raw(n-1), s, f)
	}
	l := Local{Raw: c.Raw(n - 1), Cap: c.Cap}
	l.Wait, l.Longest = s.Kind.Apply(min(l.Raw, c.Cap), f)
	return l
}

func (c Config) decorrelated(s Spread, previous time.Duration, f rng.Ratio) Local {
	upper := clock.Times(max(previous, c.Base), 3)
	l := Local{Raw: upper, Cap: c.Cap, Longest: min(upper, c.Cap)}
	if s.KeepAtCap {
		upper = l.Longest
	}
	low := min(c.Base, upper)
	l.Wait = min(c.Cap, low+f.Scale(upper-low))
	return l
}

func (c Config) plusMinus(raw time.Duration, s Spread, f rng.Ratio) Local {
	l := Local{Raw: raw, Cap: c.Cap}
	if s.KeepAtCap {
		l.Cap = overOnePlus(c.Cap, s.Share)
	}
	d := min(raw, l.Cap)
	part := s.Share.Scale(d)
	high := clock.Sum(d, part)
	l.Longest = min(c.Cap, high)
	l.Wait = min(c.Cap, d-part+f.Scale(high-(d-part)))
	return l
}

// overOnePlus returns ⌊d/(1 + j)⌋ = ⌊d·Den/(Den + Num)⌋.
func overOnePlus(d time.Duration, j rng.Ratio) time.Duration {
	num, den := j.Num, j.Den
	if den>>63 != 0 || den == 0 { // halve both, so that the sum fits
		num, den = num/2, den/2
	}
	if den == 0 {
		den = 1 << 63 // half of the 2^64 that 0 stands for
	}
	hi, lo := bits.Mul64(uint64(d), den)
	q, _ := bits.Div64(hi, lo, den+num) // hi < den, because d fits 63 bits
	return time.Duration(q)
}

// Scale is contract A's jitter(delay, fraction) = delay·fraction, for delay ≥ 0 and 0 ≤ fraction ≤ 1.
func Scale(delay time.Duration, fraction rng.Ratio) (time.Duration, error) {
	if delay < 0 || !fraction.Valid() {
		return 0, ErrArgument
	}
	return fraction.Scale(delay), nil
}
