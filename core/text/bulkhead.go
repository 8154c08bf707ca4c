package text

import (
	"time"

	"retrylab.example/core/clock"
	"retrylab.example/core/decision"
)

// bulkheadArgs returns the numbers of one row of a bulkhead.
func bulkheadArgs(t decision.Term) []string {
	switch t.Name {
	case decision.Running:
		return []string{"running", number(t.Value), "places", number(t.A)}
	case decision.Queued:
		return []string{"queued", number(t.Value), "queue", number(t.A)}
	case decision.CallerWaits:
		return []string{
			"leaves", instant(clock.Instant(t.Value)), "submitted", instant(clock.Instant(t.A)),
			"patience", short(time.Duration(t.B)),
		}
	case decision.Started:
		return []string{"started", instant(clock.Instant(t.Value)), "queued-for", seconds(time.Duration(t.A))}
	}
	return nil
}
