package text

import (
	"strconv"
	"strings"

	"retrylab.example/core/call"
	"retrylab.example/core/decision"
	"retrylab.example/core/event"
	"retrylab.example/core/retryafter"
)

// mechanism is what decided: it titles a receipt.
type mechanism string

const (
	byRetry   mechanism = "retry"
	byGuard   mechanism = "guard"
	byLimiter mechanism = "limiter"
	byCaller  mechanism = "client-key"
	byLedger  mechanism = "ledger"
	byScript  mechanism = "script"
	byRoute   mechanism = "route"
	byBreaker mechanism = "breaker"
	byResult  mechanism = "result"
	byBulk    mechanism = "bulkhead"
	bySlot    mechanism = "slot"
	bySetting mechanism = "setting"
	byNothing mechanism = "none"
)

func mechanismOf(d *decision.Decision) mechanism {
	switch d.Reason {
	case decision.Succeeded, decision.NotRetryable, decision.NotReplaySafe, decision.AttemptsSpent,
		decision.BudgetTooShort, decision.BackoffDecides, decision.RetryAfterDecides, decision.RetryAfterTooLong,
		decision.RetryBudgetSpent, decision.PushbackRefuses:
		return byRetry
	case decision.DeadlinePassed:
		return byGuard
	case decision.WindowHasRoom, decision.WindowFull, decision.PeriodHasRoom, decision.PeriodFull,
		decision.TokensTaken, decision.TokensMissing, decision.CostTooLarge, decision.OnSchedule,
		decision.AheadOfSchedule, decision.SlotFree, decision.SlotsTaken:
		return byLimiter
	case decision.CircuitClosed, decision.CircuitOpen, decision.ProbeAdmitted, decision.ProbesRunning:
		return byBreaker
	case decision.BelowThreshold, decision.ThresholdReached, decision.ProbeSucceeded, decision.ProbesSucceeded,
		decision.ProbeFailed, decision.PermitStale, decision.ResultIgnored:
		return byResult
	case decision.PlaceFree, decision.PlaceQueued, decision.BulkheadFull, decision.TurnCame, decision.CallerLeft:
		return byBulk
	case decision.ClientKeyInvalid:
		return byCaller
	case decision.KeyAbsent, decision.KeyNew, decision.KeyKnown, decision.KeyMismatch, decision.KeysIgnored,
		decision.KeyMissing, decision.KeyInFlight, decision.LeaseOver, decision.RecordLost:
		return byLedger
	case decision.Scripted, decision.WorkFailed:
		return byScript
	case decision.Unroutable, decision.AmountInvalid, decision.ReadOnly, decision.SlotUnknown,
		decision.ReservationUnknown, decision.AlreadyCancelled:
		return byRoute
	case decision.SlotFull:
		return bySlot
	case decision.LimitValid, decision.LimitNotWhole, decision.LimitBelowOne, decision.WindowNotNumber,
		decision.WindowNotPositive, decision.WindowNotFinite:
		return bySetting
	}
	return byNothing
}

// Verdict returns a decision in one or two sentences, with **marks** around the numbers that matter. It is empty for
// an event that decides nothing.
func (l Lang) Verdict(e *event.Event, names Names) string {
	if !e.Decides() {
		return ""
	}
	args := l.args(e, names)
	s := l.Say(verdictName(e), args...)
	if after := afterName(&e.Decision); after != "" {
		s += l.Say(after, args...)
	}
	return s
}

// VerdictLabel returns which decision it is: "decision after attempt 2".
func (l Lang) VerdictLabel(e *event.Event) string {
	m := mechanismOf(&e.Decision)
	name := "label." + string(m)
	switch {
	case m == byCaller:
		name = "label.limiter"
	case m == byLedger && !e.Request.HasKey():
		name = "label.keyless"
	}
	label := l.Say(name, "attempt", strconv.Itoa(e.Request.Attempt), "key", literal(e.Request.Key))
	if e.Request.Call > 1 {
		return l.Say("part.call", "call", strconv.Itoa(e.Request.Call)) + l.Say("part.list") + label
	}
	return label
}

// verdictName returns the name of the message for a decision: its reason, and what the numbers say beyond that.
func verdictName(e *event.Event) string {
	d := &e.Decision
	name := "verdict." + d.Reason.String()
	switch d.Reason {
	case decision.Succeeded:
		return variant(name, e.Response.Replayed, "replayed")
	case decision.NotRetryable:
		return notRetryableName(name, e)
	case decision.NotReplaySafe:
		key, _ := d.Term(decision.Key)
		switch {
		case key.Mark == decision.Decided && key.Value == 1:
			return name + ".key-unused"
		case key.Mark == decision.Decided:
			return name + ".key"
		}
		return name + ".method"
	case decision.AttemptsSpent:
		switch e.Failure {
		case call.None:
			return name + ".reply"
		case call.NeverSent:
			return name + ".never-sent"
		}
		return name + ".failure"
	case decision.RetryBudgetSpent:
		return name + "." + budgetName(d)
	case decision.BackoffDecides:
		return name + "." + decider(d).String()
	case decision.RetryAfterDecides:
		return name + "." + byPartner(d)
	case decision.KeyMismatch:
		return variant(name, otherSlot(d), "slot")
	case decision.WorkFailed:
		return name + failureKept(d)
	case decision.ReadOnly:
		return variant(name, e.Request.Op() == call.Add, "path")
	case decision.TokensMissing:
		switch {
		case e.Kind == event.AttemptHeld:
			return name + ".held"
		case e.Who == event.Client:
			return name + ".own"
		}
	case decision.PlaceFree:
		running, _ := d.Term(decision.Running)
		return variant(name, running.Mark == decision.Off, "off")
	case decision.BulkheadFull:
		queued, _ := d.Term(decision.Queued)
		return variant(name, queued.A == 0, "no-queue")
	case decision.PermitStale:
		permit, _ := d.Term(decision.Permit)
		return variant(name, permit.Value == permit.A, "lease")
	}
	return pick(name, "verdict."+d.Verdict.String())
}

func notRetryableName(name string, e *event.Event) string {
	flag, flagged := e.Decision.Term(decision.Flag)
	switch {
	case flagged && flag.Mark == decision.Decided:
		return name + ".flag"
	case e.Failure != call.None:
		return name + "." + e.Failure.String()
	}
	return variant(name, classOf(e) == call.Permanent, "permanent")
}

// budgetName returns which kind of budget a client's calls share.
func budgetName(d *decision.Decision) string {
	if t, ok := d.Term(decision.RetryTokens); ok {
		return t.Text
	}
	return "share"
}

// otherSlot reports whether a key belongs to another slot, and to the same amount.
func otherSlot(d *decision.Decision) bool {
	amount, _ := d.Term(decision.Payload)
	return d.Reason == decision.KeyMismatch && amount.Mark != decision.Decided
}

// failureKept says what became of the error of a keyed request: saved or forgotten. Without a key it is neither.
func failureKept(d *decision.Decision) string {
	switch saved, keyed := d.Term(decision.Saved); {
	case !keyed:
		return ""
	case saved.Mark == decision.Off:
		return ".forgotten"
	}
	return ".saved"
}

func classOf(e *event.Event) call.Class {
	return call.Outcome{Response: e.Response, Failure: e.Failure}.Class()
}

// decider returns the row that made the local wait.
func decider(d *decision.Decision) decision.Name {
	for _, t := range d.Terms() {
		if t.Mark == decision.Decided {
			return t.Name
		}
	}
	return decision.Exponential
}

// byPartner says how a Retry-After beat the local wait: as the longer one, or because it replaces any.
func byPartner(d *decision.Decision) string {
	asked, _ := d.Term(decision.RetryAfter)
	local, _ := d.Term(decision.Jitter)
	switch {
	case asked.Value <= local.Value:
		return "replaces"
	case local.Mark == decision.Off:
		return "computed"
	}
	return "drawn"
}

// afterName returns the message on a Retry-After that was sent and did not decide, or on what was added to one that did;
// "" if there is nothing to say.
func afterName(d *decision.Decision) string {
	switch _, above := d.Term(decision.Above); {
	case d.Reason == decision.RetryAfterDecides && above:
		return "verdict.after.above"
	case d.Reason != decision.BackoffDecides:
		return ""
	}
	t, _ := d.Term(decision.RetryAfter)
	switch {
	case t.Mark == decision.Off:
		return ""
	case t.B < 0:
		return "verdict.after.unreadable"
	case malformed(t):
		return "verdict.after.malformed"
	case t.Mark == decision.Ignored:
		return "verdict.after.ignored"
	case t.Value == 0 && retryafter.Kind(t.B) == retryafter.HTTPDate:
		return "verdict.after.past"
	case t.Value == 0:
		return "verdict.after.zero"
	}
	return "verdict.after.shorter"
}

// Span is a piece of a sentence; Strong was marked.
type Span struct {
	Text   string
	Strong bool
}

// Spans splits a sentence at its marks.
func Spans(s string) []Span {
	var spans []Span
	for i, part := range strings.Split(s, "**") {
		if part != "" {
			spans = append(spans, Span{Text: part, Strong: i%2 == 1})
		}
	}
	return spans
}

// Plain returns a sentence without its marks.
func Plain(s string) string { return strings.ReplaceAll(s, "**", "") }
