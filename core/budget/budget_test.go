package budget

import (
	"testing"
	"time"

	"retrylab.example/core/clock"
	"retrylab.example/core/decision"
)

func TestAllows(t *testing.T) {
	for _, c := range []struct {
		attempts, maximum int
		wait, left        time.Duration
		want              decision.Reason
	}{
		{1, 2, 0, 1, decision.NoReason},
		{2, 2, 0, 1, decision.AttemptsSpent}, {3, 2, 0, 1, decision.AttemptsSpent},
		{1, 2, 0, 0, decision.BudgetTooShort}, {1, 2, 5, 5, decision.BudgetTooShort}, {1, 2, 5, 6, decision.NoReason},
		{1, 2, -1, 6, decision.BudgetTooShort},
		{2, 2, 5, 5, decision.AttemptsSpent}, // both: attempts are counted first
	} {
		if got := Allows(c.attempts, c.maximum, c.wait, c.left); got != c.want {
			t.Errorf("%+v: got %s", c, got)
		}
	}
}

func TestRemainingIsNeverNegative(t *testing.T) {
	for _, c := range []struct{ deadline, now clock.Instant }{{0, 1}, {clock.Min, clock.Max}, {5, 5}} {
		if got := Remaining(c.deadline, c.now); got != 0 {
			t.Errorf("%+v: got %d", c, got)
		}
	}
	if got := Remaining(clock.Max, -1); got != clock.MaxDuration {
		t.Errorf("got %d", got)
	}
}
