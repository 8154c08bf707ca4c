package retry

import (
	"slices"
	"strconv"
	"time"

	"retrylab.example/core/budget"
	"retrylab.example/core/call"
	"retrylab.example/core/clock"
	"retrylab.example/core/decision"
	"retrylab.example/core/retryafter"
)

// Explain is Decide with the nearest changes that would have led to another decision. Each change is tried with Decide
// itself, so a flip never claims what the policy would not do.
func (p *Policy) Explain(in Input) (d decision.Decision) {
	p.decide(&d, &in)
	switch d.Reason {
	case decision.NotReplaySafe:
		p.tryKey(&d, in)
	case decision.NotRetryable:
		p.tryFlag(&d, in)
		p.tryReply(&d, in)
	case decision.AttemptsSpent:
		p.tryAttempts(&d, in, in.Request.Attempt+1, decision.AtLeast)
	case decision.PushbackRefuses:
		in.Outcome.Response.Fields = retryafter.PushbackName + ": 0\n" // it alone counts where it is sent
		try(&d, p, &in, decision.RetryAfter, decision.AtLeast, 0)
	case decision.RetryAfterTooLong:
		p.tryShorter(&d, in)
	case decision.BudgetTooShort:
		p.tryRetryAfter(&d, in, p.fittingSeconds(&d, &in), decision.AtMost)
		p.tryDeadline(&d, in, d.Wait, decision.MoreThan)
	case decision.RetryBudgetSpent:
		p.tryBudget(&d, in)
	case decision.BackoffDecides:
		p.tryRetryAfter(&d, in, p.decidingSeconds(d.Wait), decision.AtLeast)
		p.tryTooLong(&d, in)
		p.tryDeadline(&d, in, d.Wait, decision.AtMost)
		p.tryAttempts(&d, in, in.Request.Attempt, decision.AtMost)
	case decision.RetryAfterDecides:
		p.tryRetryAfter(&d, in, p.localSeconds(&d), decision.AtMost)
		p.tryTooLong(&d, in)
		p.tryDeadline(&d, in, d.Wait, decision.AtMost)
		p.tryAttempts(&d, in, in.Request.Attempt, decision.AtMost)
	}
	return d
}

// try adds a flip if the changed input under the changed policy leads to another decision.
func try(d *decision.Decision, p *Policy, in *Input, name decision.Name, bound decision.Bound, value int64) {
	var other decision.Decision
	p.decide(&other, in)
	if other.Verdict == d.Verdict && other.Reason == d.Reason {
		return
	}
	flip := decision.Flip{
		Name: name, Bound: bound, Value: value, Verdict: other.Verdict, Reason: other.Reason, Wait: other.Wait,
	}
	if !slices.Contains(d.Flips(), flip) { // the least Retry-After that decides may already be too long
		d.AddFlip(flip)
	}
}

func (p *Policy) tryKey(d *decision.Decision, in Input) {
	in.Request.Key, in.Request.Keyed = "key", true
	try(d, p, &in, decision.Key, decision.Exactly, 1)
}

// tryFlag tries an envelope that says that the request may be sent again.
func (p *Policy) tryFlag(d *decision.Decision, in Input) {
	if p.flagged(&in.Outcome) {
		in.Outcome.Response.Body.Flag = call.FlagTrue
		try(d, p, &in, decision.Flag, decision.Exactly, 1)
	}
}

// tryBudget tries the nearest state of the shared budget that would allow a retry.
func (p *Policy) tryBudget(d *decision.Decision, in Input) {
	row, _ := d.Term(p.budgetTerm())
	switch p.Budget.Kind {
	case budget.Quota:
		in.Budget.Spent = p.Budget.Tokens - row.A
		try(d, p, &in, row.Name, decision.AtLeast, row.A)
	case budget.Throttle:
		in.Budget.Spent = p.Budget.Tokens - budget.Token - (row.A + 1)
		try(d, p, &in, row.Name, decision.MoreThan, row.A)
	case budget.Share:
		in.Budget.Retries, in.Held = max(int(row.A-1), 0), 0
		try(d, p, &in, row.Name, decision.AtMost, row.A-1)
	}
}

func (p *Policy) tryReply(d *decision.Decision, in Input) {
	if len(p.Statuses) == 0 {
		return
	}
	in.Outcome = call.Outcome{Response: call.Response{Status: p.Statuses[len(p.Statuses)-1]}}
	try(d, p, &in, decision.Reply, decision.Exactly, int64(in.Outcome.Response.Status))
}

func (p *Policy) tryAttempts(d *decision.Decision, in Input, attempts int, bound decision.Bound) {
	if attempts < 1 {
		return
	}
	other := *p
	other.Attempts = attempts
	try(d, &other, &in, decision.AttemptsLeft, bound, int64(attempts))
}

// tryDeadline tries what is left of the deadline at this instant.
func (p *Policy) tryDeadline(d *decision.Decision, in Input, left time.Duration, bound decision.Bound) {
	if in.Deadline == clock.Max || left < 0 {
		return
	}
	in.Deadline = in.Now.Add(left)
	if bound == decision.MoreThan {
		in.Deadline = in.Deadline.Add(1)
	}
	if in.Deadline == clock.Max {
		return // that long is not a deadline but none
	}
	try(d, p, &in, decision.DeadlineLeft, bound, int64(left))
}

// tryRetryAfter tries a Retry-After of whole seconds; 0 stands for none, except where other fields would then speak. Only
// responses can carry the header.
func (p *Policy) tryRetryAfter(d *decision.Decision, in Input, seconds int64, bound decision.Bound) {
	if seconds < 0 || seconds > maxFlipSeconds || in.Outcome.Failure != call.None {
		return
	}
	in.Outcome.Response.HasRetryAfter = seconds > 0 || p.RetryAfterMode == retryafter.Wild
	in.Outcome.Response.RetryAfter = strconv.FormatInt(seconds, 10)
	try(d, p, &in, decision.RetryAfter, bound, seconds*int64(time.Second))
}

// tryShorter tries the largest Retry-After that would be waited for. A shorter one under which the call would end for
// another reason is not worth telling.
func (p *Policy) tryShorter(d *decision.Decision, in Input) {
	var other decision.Decision
	other.Verdict, other.Reason = d.Verdict, d.Reason
	p.tryRetryAfter(&other, in, p.fittingSeconds(d, &in), decision.AtMost)
	for _, f := range other.Flips() {
		if f.Verdict == decision.Retry {
			d.AddFlip(f)
		}
	}
}

// maxFlipSeconds bounds the Retry-After that is worth telling: a year.
const maxFlipSeconds = 366 * 24 * 3600

// decidingSeconds returns the least Retry-After that would decide instead of the local wait, any if it replaces; −1 if
// that would be too long already.
func (p *Policy) decidingSeconds(local time.Duration) int64 {
	least := aboveSeconds(local)
	if p.RetryAfter == retryafter.Replace {
		least = 1
	}
	if least > p.longestSeconds() {
		return -1
	}
	return least
}

// longestSeconds returns the largest Retry-After that the policy waits for.
func (p *Policy) longestSeconds() int64 {
	if p.MaxRetryAfter == 0 {
		return maxInt64
	}
	return int64(p.MaxRetryAfter / time.Second)
}

const maxInt64 = 1<<63 - 1

// tryTooLong tries the least Retry-After at which the call would end: longer than the policy waits, or than is left.
func (p *Policy) tryTooLong(d *decision.Decision, in Input) {
	least := int64(maxInt64)
	if p.MaxRetryAfter > 0 {
		least = p.longestSeconds() + 1
	}
	if p.DeadlineTest == budget.GreaterOrEqual {
		least = min(least, ceilSeconds(budgetLeft(d)-in.Above.Scale(p.AboveRetryAfter)))
	}
	p.tryRetryAfter(d, in, least, decision.AtLeast)
}

// fittingSeconds returns the largest Retry-After that would leave something of the deadline: with what is added to it,
// or under the local wait if that would.
func (p *Policy) fittingSeconds(d *decision.Decision, in *Input) int64 {
	left := budgetLeft(d)
	if p.DeadlineTest == budget.Greater {
		left = clock.MaxDuration
	}
	most := belowSeconds(left - in.Above.Scale(p.AboveRetryAfter))
	if local := LocalWait(d); p.RetryAfter == retryafter.Floor && local < left {
		most = max(most, int64(local/time.Second))
	}
	return min(most, p.longestSeconds())
}

// localSeconds returns the largest Retry-After under which the local wait would decide: a replacing one only at 0.
func (p *Policy) localSeconds(d *decision.Decision) int64 {
	if p.RetryAfter == retryafter.Replace {
		return 0
	}
	return int64(LocalWait(d) / time.Second)
}

func budgetLeft(d *decision.Decision) time.Duration {
	left, _ := d.Term(decision.DeadlineLeft)
	if left.Mark == decision.Off {
		return clock.MaxDuration
	}
	return time.Duration(left.Value)
}

// ceilSeconds returns the least whole seconds ≥ d, belowSeconds the most < d, aboveSeconds the least > d.
func ceilSeconds(d time.Duration) int64  { return int64(d/time.Second) + bit(d%time.Second > 0) }
func belowSeconds(d time.Duration) int64 { return ceilSeconds(d) - 1 }
func aboveSeconds(d time.Duration) int64 { return int64(d/time.Second) + 1 }
