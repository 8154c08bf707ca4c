package budget

import (
	"time"

	"retrylab.example/core/clock"
)

// DeadlineTest says when a deadline has passed.
type DeadlineTest uint8

const (
	// GreaterOrEqual: reaching the deadline exactly is too late, and a wait that would reach it is not begun (contract A,
	// the strict contract's rules 4 and 7).
	GreaterOrEqual DeadlineTest = iota
	// Greater: contract D's. It is tested just before each attempt only, so that a call may wait in vain, and an attempt
	// may start at exactly the deadline.
	Greater
)

var testNames = [...]string{"greater-or-equal", "greater"}

// String returns the name used in scenarios.
func (t DeadlineTest) String() string { return testNames[t] }

// DeadlineTestNames returns the names in their order.
func DeadlineTestNames() []string { return testNames[:] }

// ParseDeadlineTest returns the test of that name.
func ParseDeadlineTest(name string) (DeadlineTest, bool) {
	for i, n := range testNames {
		if n == name {
			return DeadlineTest(i), true
		}
	}
	return GreaterOrEqual, false
}

// Passed reports whether it is too late to start an attempt. clock.Max is no deadline.
//
//	deadline 5 s, now     4.999999999 s   5 s   5.000000001 s
//	greater-or-equal      –               yes   yes
//	greater               –               –     yes
func (t DeadlineTest) Passed(deadline, now clock.Instant) bool {
	return deadline != clock.Max && (now > deadline || t == GreaterOrEqual && now == deadline)
}

// TooLong reports whether a wait is not begun because of what is left of the deadline.
func (t DeadlineTest) TooLong(wait, left time.Duration) bool {
	return t == GreaterOrEqual && left <= wait
}
