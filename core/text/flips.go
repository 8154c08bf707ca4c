package text

import (
	"time"

	"retrylab.example/core/decision"
	"retrylab.example/core/event"
)

// Flips returns one sentence for each flip of a decision, in their order: the change with **marks**, then what would
// have followed. After them may come one about the draw, if no other draw would have changed anything. A decision without a
// flip has a sentence that says that nothing near would change it.
func (l Lang) Flips(e *event.Event) []string {
	args := l.args(e, nil)
	var out []string
	for _, f := range e.Decision.Flips() {
		args := append(flipArgs(e, f), args...)
		out = append(out, "**"+l.Say(flipName(e, f), args...)+"** "+l.Say(thenName(e, f), args...))
	}
	if drawIsIdle(&e.Decision) {
		out = append(out, l.Say("flip.draw", args...))
	}
	if len(out) == 0 && e.Decides() {
		out = append(out, l.Say(pick("flip.nothing."+aloof(e.Decision.Reason), "flip.nothing")))
	}
	return out
}

// aloof names why nothing near would change a decision: reasons of which the same can be said share a name.
func aloof(r decision.Reason) string {
	switch r {
	case decision.CircuitClosed, decision.BelowThreshold, decision.ThresholdReached:
		return "circuit"
	case decision.PermitStale, decision.ResultIgnored:
		return "late"
	case decision.KeyAbsent:
		return decision.KeysIgnored.String() // by others, a key would have been looked at
	case decision.LimitValid, decision.LimitNotWhole, decision.LimitBelowOne, decision.WindowNotNumber,
		decision.WindowNotPositive, decision.WindowNotFinite:
		return "typed"
	}
	return r.String()
}

// drawIsIdle reports whether every draw would have lost against Retry-After.
func drawIsIdle(d *decision.Decision) bool {
	jitter, drawn := d.Term(decision.Jitter)
	asked, _ := d.Term(decision.RetryAfter)
	return d.Reason == decision.RetryAfterDecides && drawn && jitter.Mark != decision.Off && jitter.A <= asked.Value
}

// flipArgs returns the numbers of a flip. They come before those of the decision, so that its wait is the one used.
func flipArgs(e *event.Event, f decision.Flip) []string {
	value := number(f.Value)
	switch f.Name {
	case decision.RetryAfter:
		from, to, _ := asks(&e.Decision, f)
		return []string{"value", number(from), "upper", number(to), "wait", seconds(f.Wait)}
	case decision.Tokens, decision.RetryTokens:
		value = tokens(f.Value)
	case decision.DeadlineLeft, decision.Opens, decision.Passes, decision.ProbesFrom, decision.Lease,
		decision.WorkLease, decision.Schedule:
		value = seconds(time.Duration(f.Value))
	}
	return []string{"value", value, "wait", seconds(f.Wait)}
}

// asks returns the values of Retry-After for which a flip holds, and the message that says so. One ends where the
// next begins; and where no Retry-After at all would lead to a wait that is too long, 0 is none of them.
func asks(d *decision.Decision, f decision.Flip) (from, to int64, message string) {
	value := f.Value / int64(time.Second)
	if f.Bound == decision.AtMost {
		local, _ := d.Term(decision.Jitter)
		left, limited := d.Term(decision.DeadlineLeft)
		switch {
		case value == 0:
			return 0, 0, "none"
		case f.Verdict == decision.Retry && limited && left.Mark != decision.Off && local.Value >= left.Value:
			return between(1, value)
		}
		return value, value, "at-most"
	}
	for _, g := range d.Flips() {
		if g.Name == f.Name && g.Bound == f.Bound && g.Value > f.Value {
			return between(value, g.Value/int64(time.Second)-1)
		}
	}
	return value, value, f.Bound.String()
}

func between(from, to int64) (int64, int64, string) {
	if from == to {
		return from, to, "exactly"
	}
	return from, to, "range"
}

// flipName returns the message for the change.
func flipName(e *event.Event, f decision.Flip) string {
	switch f.Name {
	case decision.Method, decision.Reply:
		return "flip." + f.Name.String()
	case decision.Key:
		return variant("flip.key", e.Request.HasKey(), "other")
	case decision.RetryAfter:
		if e.Decision.Reason == decision.PushbackRefuses {
			return "flip.retry-after.pushback"
		}
		_, _, message := asks(&e.Decision, f)
		return "flip.retry-after." + message
	case decision.AttemptsLeft:
		if f.Bound == decision.AtMost && f.Value == 1 {
			return "flip.attempts-left.only"
		}
	case decision.Failures:
		if t, _ := e.Decision.Term(decision.Threshold); t.A == 0 {
			return "flip.failures.row"
		}
	case decision.Counted, decision.InPeriod, decision.InFlight, decision.Probes, decision.Running, decision.Queued, decision.RetryShare,
		decision.Places:
		if f.Value == 0 && f.Bound == decision.AtMost {
			return "flip." + f.Name.String() + ".none"
		}
	case decision.Result:
		return variant("flip.result.success", f.Value == 1, "not")
	}
	return pick("flip."+f.Name.String()+"."+f.Bound.String(), "flip.other")
}

// thenName returns the message for what would follow.
func thenName(e *event.Event, f decision.Flip) string {
	name := "then." + f.Reason.String()
	return pick(name+"."+thenVariant(&e.Decision, f), name, "then."+f.Verdict.String())
}

func thenVariant(d *decision.Decision, f decision.Flip) string {
	left, _ := d.Term(decision.DeadlineLeft)
	switch f.Name {
	case decision.AttemptsLeft, decision.Key, decision.Reply, decision.Flag, decision.RetryTokens, decision.RetryShare:
		return "again"
	case decision.DeadlineLeft:
		return "fits"
	case decision.Tokens:
		if f.Reason == decision.TokensMissing && f.Wait > 0 {
			return "held"
		}
	case decision.RetryAfter:
		switch {
		case d.Reason == decision.RetryAfterTooLong:
			return "within"
		case d.Reason == decision.PushbackRefuses:
			return "again"
		case f.Reason == decision.BackoffDecides:
			return "wins"
		case d.Reason == decision.BudgetTooShort:
			return "fits"
		case f.Bound == decision.AtMost || int64(f.Wait) != f.Value:
			return ""
		case f.Value == left.Value:
			return "equal"
		}
		return "longer"
	}
	return ""
}
