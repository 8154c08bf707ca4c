package text

import (
	"retrylab.example/core/clock"
	"retrylab.example/core/decision"
)

// mechanismValue returns what stands at the end of a row of a limiter, a breaker or a bulkhead; ours is false for a row
// that is a time, which is written as any other.
func (l Lang) mechanismValue(t decision.Term) (value string, ours bool) {
	switch t.Name {
	case decision.InPeriod, decision.InFlight, decision.Failures, decision.Probes, decision.Proved:
		if t.Name == decision.Failures && t.B == 0 {
			return number(t.Value), true
		}
		return l.Say("value.counted", "counted", number(t.Value), "limit", number(t.A)), true
	case decision.Running, decision.Queued:
		if t.Mark == decision.Off {
			return none, true
		}
		return l.Say("value.places", "n", number(t.Value), "places", number(t.A)), true
	case decision.Tokens, decision.Refill:
		return tokens(t.Value), true
	case decision.Circuit:
		return l.Say("circuit." + t.Text), true
	case decision.Threshold:
		return l.Say(variant("value.in-a-row", t.A == 1, "percent"), "n", number(t.Value)), true
	case decision.Cells:
		return cells(t), true
	case decision.Slices:
		return tenths(t), true
	case decision.Result:
		return l.Say("class." + t.Text), true
	case decision.Permit:
		return number(t.Value), true
	case decision.CallerWaits, decision.Started:
		return none, t.Mark == decision.Off
	case decision.Passes:
		return none, clock.Instant(t.Value) == clock.Max
	}
	return "", false
}

// mechanismNote returns the message of the small note in a row of a limiter, a breaker or a bulkhead.
func mechanismNote(t decision.Term) string {
	name := "note." + t.Name.String()
	switch t.Name {
	case decision.Refill:
		return variant(name, t.B == 1, "batch")
	case decision.Passes:
		return variant(name, clock.Instant(t.Value) == clock.Max, "never")
	case decision.Failures:
		return variant(name, t.B == 0, "in-a-row")
	case decision.Result:
		switch {
		case t.A == 1:
			return name + ".ignored"
		case t.Value == 1:
			return name + ".failure"
		}
		return name + ".success"
	case decision.Permit:
		return variant(name, t.Value == t.A, "lease")
	case decision.Running, decision.Queued, decision.CallerWaits, decision.Started:
		return variant(name, t.Mark == decision.Off, "off")
	}
	return name
}
