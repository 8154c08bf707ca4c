package retry

import (
	"slices"
	"strconv"
	"time"

	"retrylab.example/core/call"
	"retrylab.example/core/clock"
	"retrylab.example/core/decision"
	"retrylab.example/core/retryafter"
)

// Explain is Decide with the nearest changes that would have led to another decision. Each change is tried with Decide
// itself, so a flip never claims what the policy would not do.
func (p *Policy) Explain(in Input) decision.Decision {
	d := p.Decide(in)
	switch d.Reason {
	case decision.NotReplaySafe:
		p.tryKey(&d, in)
	case decision.NotRetryable:
		p.tryReply(&d, in)
	case decision.AttemptsSpent:
		p.tryAttempts(&d, in, in.Request.Attempt+1, decision.AtLeast)
	case decision.BudgetTooShort:
		p.tryRetryAfter(&d, in, belowSeconds(budgetLeft(&d)), decision.AtMost)
		p.tryDeadline(&d, in, d.Wait, decision.MoreThan)
	case decision.BackoffDecides:
		p.tryRetryAfter(&d, in, p.decidingSeconds(d.Wait), decision.AtLeast)
		p.tryRetryAfter(&d, in, ceilSeconds(budgetLeft(&d)), decision.AtLeast)
		p.tryDeadline(&d, in, d.Wait, decision.AtMost)
		p.tryAttempts(&d, in, in.Request.Attempt, decision.AtMost)
	case decision.RetryAfterDecides:
		p.tryRetryAfter(&d, in, p.localSeconds(&d), decision.AtMost)
		p.tryRetryAfter(&d, in, ceilSeconds(budgetLeft(&d)), decision.AtLeast)
		p.tryDeadline(&d, in, d.Wait, decision.AtMost)
		p.tryAttempts(&d, in, in.Request.Attempt, decision.AtMost)
	}
	return d
}

// try adds a flip if the changed input under the changed policy leads to another decision.
func try(d *decision.Decision, p *Policy, in Input, name decision.Name, bound decision.Bound, value int64) {
	other := p.Decide(in)
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
	try(d, p, in, decision.Key, decision.Exactly, 1)
}

func (p *Policy) tryReply(d *decision.Decision, in Input) {
	if len(p.Statuses) == 0 {
		return
	}
	in.Outcome = call.Outcome{Response: call.Response{Status: p.Statuses[len(p.Statuses)-1]}}
	try(d, p, in, decision.Reply, decision.Exactly, int64(in.Outcome.Response.Status))
}

func (p *Policy) tryAttempts(d *decision.Decision, in Input, attempts int, bound decision.Bound) {
	if attempts < 1 {
		return
	}
	other := *p
	other.Attempts = attempts
	try(d, &other, in, decision.AttemptsLeft, bound, int64(attempts))
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
	try(d, p, in, decision.DeadlineLeft, bound, int64(left))
}

// tryRetryAfter tries a Retry-After of whole seconds; 0 stands for none. Only responses can carry the header.
func (p *Policy) tryRetryAfter(d *decision.Decision, in Input, seconds int64, bound decision.Bound) {
	if seconds < 0 || seconds > maxFlipSeconds || in.Outcome.Failure != call.None {
		return
	}
	in.Outcome.Response.HasRetryAfter = seconds > 0
	in.Outcome.Response.RetryAfter = strconv.FormatInt(seconds, 10)
	try(d, p, in, decision.RetryAfter, bound, seconds*int64(time.Second))
}

// maxFlipSeconds bounds the Retry-After that is worth telling: a year.
const maxFlipSeconds = 366 * 24 * 3600

// decidingSeconds returns the least Retry-After that would decide instead of the local wait: any if it replaces.
func (p *Policy) decidingSeconds(local time.Duration) int64 {
	if p.RetryAfter == retryafter.Replace {
		return 1
	}
	return aboveSeconds(local)
}

// localSeconds returns the largest Retry-After under which the local wait would decide: a replacing one only at 0.
func (p *Policy) localSeconds(d *decision.Decision) int64 {
	if p.RetryAfter == retryafter.Replace {
		return 0
	}
	local, _ := d.Term(decision.Jitter)
	return local.Value / int64(time.Second)
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
