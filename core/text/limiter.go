package text

import (
	"time"

	"retrylab.example/core/clock"
	"retrylab.example/core/decision"
)

// limiterArgs returns the numbers of one row of a limiter other than the sliding log.
func limiterArgs(t decision.Term) []string {
	switch t.Name {
	case decision.InPeriod:
		return []string{"counted", number(t.Value), "limit", number(t.A), "period", short(time.Duration(t.B))}
	case decision.Tokens:
		return []string{"tokens", tokens(t.Value), "capacity", tokens(t.A), "cost", tokens(t.B)}
	case decision.Refill:
		return []string{"refill", tokens(t.Value), "period", short(time.Duration(t.A))}
	case decision.Schedule:
		return []string{
			"ahead", seconds(time.Duration(t.Value)), "burst", seconds(time.Duration(t.A)),
			"paid", instant(clock.Instant(t.B)),
		}
	case decision.Passes:
		return []string{"passes", instant(clock.Instant(t.Value)), "in", seconds(time.Duration(t.A))}
	case decision.LimitCount:
		return []string{"written-count", literal(t.Text), "set-count", number(t.Value)}
	case decision.LimitWindow:
		return []string{"written-window", literal(t.Text), "set-window", short(time.Duration(t.Value))}
	case decision.InFlight:
		return []string{"in-flight", number(t.Value), "limit", number(t.A)}
	}
	return nil
}

// tokens returns nano-tokens as tokens: whole ones without decimals, others with three, rounded down.
func tokens(nano int64) string { return short(time.Duration(nano)) }
