package retry

import (
	"errors"
	"time"

	"retrylab.example/core/backoff"
	"retrylab.example/core/retryafter"
)

// ErrArgument is returned for settings that contract A refuses.
var ErrArgument = errors.New("a timeout must be longer than 0 s, and attempts at least 1")

// NewLessonA returns the policy of contract A's execute(timeout, maximum): one deadline for all attempts, waits of
// 0.5, 1, 2, 4, 4, … s scaled by a fraction, Retry-After as a floor, the last response at the end. Without Fractions
// each fraction is drawn.
func NewLessonA(timeout time.Duration, attempts int) (Policy, error) {
	if timeout <= 0 || attempts < 1 {
		return Policy{}, ErrArgument
	}
	return Policy{
		Attempts:   attempts,
		Deadline:   timeout,
		Backoff:    backoff.Config{Base: 500 * time.Millisecond, Cap: 4 * time.Second},
		Jitter:     backoff.Fraction,
		RetryAfter: retryafter.Floor,
		Safety:     LessonA,
		Statuses:   LessonStatuses(),
		Exhausted:  LastResponse,
	}, nil
}
