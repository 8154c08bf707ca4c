// Package clock models simulated time: instants counted from the start of a run.
//
// Nothing in core reads the machine's clock. An instant is an argument, so that the same run can be stepped, rewound
// and repeated to the nanosecond on every platform.
package clock

import (
	"math/bits"
	"time"
)

// Instant is a point in simulated time: nanoseconds since the run began. The zero value is the start.
// Arithmetic saturates: a sum that does not fit stays at Max or Min and never wraps into the past.
type Instant int64

const (
	// Start is the instant at which every run begins.
	Start Instant = 0
	// Max is the last instant; it also stands for "never".
	Max Instant = 1<<63 - 1
	// Min is the earliest instant.
	Min Instant = -1 << 63
)

// MaxDuration is the longest duration, about 292 years.
const MaxDuration time.Duration = 1<<63 - 1

// MinDuration is the most negative duration.
const MinDuration time.Duration = -1 << 63

// Add returns the instant d later, saturated.
func (i Instant) Add(d time.Duration) Instant { return Instant(Sum(time.Duration(i), d)) }

// Sub returns the duration from j to i, saturated.
func (i Instant) Sub(j Instant) time.Duration {
	diff := int64(i) - int64(j)
	// The difference overflowed if the operands have different signs and the result lost the sign of i.
	if (int64(i) < 0) != (int64(j) < 0) && (diff < 0) != (int64(i) < 0) {
		if i < 0 {
			return MinDuration
		}
		return MaxDuration
	}
	return time.Duration(diff)
}

// Sum returns a + b, saturated.
func Sum(a, b time.Duration) time.Duration {
	s := a + b
	switch {
	case a > 0 && b > 0 && s < 0:
		return MaxDuration
	case a < 0 && b < 0 && s >= 0:
		return MinDuration
	}
	return s
}

// Times returns d·n for d, n ≥ 0, saturated.
func Times(d time.Duration, n uint64) time.Duration {
	hi, lo := bits.Mul64(uint64(d), n)
	if hi != 0 || lo > uint64(MaxDuration) {
		return MaxDuration
	}
	return time.Duration(lo)
}
