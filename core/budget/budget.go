// Package budget holds what limits the retries of one call: attempts and time.
package budget

import (
	"time"

	"retrylab.example/core/clock"
	"retrylab.example/core/decision"
)

// Remaining is contract A's remaining(deadline, now) = max(deadline − now, 0).
func Remaining(deadline, now clock.Instant) time.Duration { return max(deadline.Sub(now), 0) }

// Allows is contract A's can_attempt: attempts < maximum and wait ≥ 0 and left > wait, where attempts counts the calls
// made so far. A wait that leaves exactly nothing starts nothing. The reason is NoReason if another attempt is allowed.
func Allows(attempts, maximum int, wait, left time.Duration) decision.Reason {
	switch {
	case attempts >= maximum:
		return decision.AttemptsSpent
	case wait < 0 || left <= wait:
		return decision.BudgetTooShort
	}
	return decision.NoReason
}
