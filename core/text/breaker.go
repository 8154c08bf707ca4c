package text

import (
	"strings"
	"time"

	"retrylab.example/core/clock"
	"retrylab.example/core/decision"
	"retrylab.example/core/event"
)

// breakerArgs returns the numbers of one row of a breaker.
func breakerArgs(e *event.Event, t decision.Term) []string {
	value := number(t.Value)
	switch t.Name {
	case decision.Circuit:
		return []string{"generation", value, "since", instant(clock.Instant(t.A))}
	case decision.Failures:
		return []string{"failures", value, "known", number(t.A), "minimum", number(t.B)}
	case decision.Threshold:
		return []string{"threshold", value}
	case decision.ProbesFrom:
		from := clock.Instant(t.Value)
		return []string{"from", instant(from), "open", short(time.Duration(t.A)), "in", seconds(from.Sub(e.At))}
	case decision.Probes:
		return []string{"probes", value, "allowed", number(t.A)}
	case decision.Proved:
		return []string{"proved", value, "needed", number(t.A)}
	case decision.Lease:
		return []string{"lease", instant(clock.Instant(t.Value))}
	case decision.Permit:
		return []string{"permit", value, "generation", number(t.A), "lease", instant(clock.Instant(t.B))}
	}
	return nil
}

// cells returns the last results from the oldest to the latest, × for a failure and · for a success.
func cells(t decision.Term) string {
	var b strings.Builder
	for i := int(t.B) - 1; i >= 0; i-- {
		word, bit := uint64(t.Value), i
		if i >= 64 {
			word, bit = uint64(t.A), i-64
		}
		if word>>bit&1 == 1 {
			b.WriteString("×")
		} else {
			b.WriteString("·")
		}
	}
	if b.Len() == 0 {
		return none
	}
	return b.String()
}

// tenths returns the slices of one row as failures/results.
func tenths(t decision.Term) string {
	var parts []string
	for _, packed := range [...]int64{t.Value, t.A, t.B} {
		if packed >= 0 {
			parts = append(parts, number(packed>>32)+"/"+number(packed&(1<<32-1)))
		}
	}
	return strings.Join(parts, " ")
}
