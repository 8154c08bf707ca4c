package retry

import (
	"strings"
	"time"

	"retrylab.example/core/backoff"
	"retrylab.example/core/budget"
	"retrylab.example/core/call"
	"retrylab.example/core/clock"
	"retrylab.example/core/decision"
	"retrylab.example/core/retryafter"
	"retrylab.example/core/rng"
)

// Input is what a decision rests on.
type Input struct {
	// Now is the instant of the decision; Deadline the end of the call, clock.Max if there is none.
	Now, Deadline clock.Instant
	// Request is the attempt that just ended: its Attempt counts the attempts made so far.
	Request call.Request
	Outcome call.Outcome
	// Fraction is the jitter fraction of this wait.
	Fraction rng.Ratio
}

// Decide answers the three questions in their order: may it be repeated, does waiting heal it, how long.
//
// After a success, or a request that may not be repeated, or an outcome that the policy does not retry, the call ends.
// Otherwise the wait is the rule of Retry-After over the jittered, capped exponential, and it is taken if an attempt
// is left and the budget is longer than the wait.
func (p *Policy) Decide(in Input) decision.Decision {
	var d decision.Decision
	safe := p.explainSafety(&d, in.Request)
	retryable := p.explainReply(&d, in.Outcome)
	switch {
	case in.Outcome.Class() == call.Success:
		return p.end(d, decision.Return, decision.Succeeded, decision.Reply)
	case !safe:
		return p.end(d, decision.GiveUp, decision.NotReplaySafe, unsafeTerm(in.Request))
	case !retryable:
		return p.end(d, decision.GiveUp, decision.NotRetryable, decision.Reply)
	}
	wait, byPartner := p.explainWait(&d, in)
	left := p.explainBudget(&d, in)
	switch reason := budget.Allows(in.Request.Attempt, p.Attempts, wait, left); {
	case reason == decision.AttemptsSpent:
		return p.end(d, decision.GiveUp, reason, decision.AttemptsLeft)
	case reason == decision.BudgetTooShort && in.Deadline != clock.Max: // without a deadline no wait is too long
		d.Wait = wait
		return p.end(d, decision.GiveUp, reason, decision.DeadlineLeft)
	}
	d.Wait = wait
	if byPartner {
		return p.end(d, decision.Retry, decision.RetryAfterDecides, decision.RetryAfter)
	}
	return p.end(d, decision.Retry, decision.BackoffDecides, p.localTerm(&d))
}

func (p *Policy) end(d decision.Decision, v decision.Verdict, r decision.Reason, by decision.Name) decision.Decision {
	d.Verdict, d.Reason = v, r
	d.Mark(by, decision.Decided)
	return d
}

// localTerm names the row that made the local wait: the last one that changed it.
func (p *Policy) localTerm(d *decision.Decision) decision.Name {
	if p.Jitter != backoff.NoJitter {
		return decision.Jitter
	}
	if t, _ := d.Term(decision.Cap); t.A == 1 {
		return decision.Cap
	}
	return decision.Exponential
}

// unsafeTerm names the row that forbids a repeat: a key would have made a POST safe, and nothing makes a PATCH so.
func unsafeTerm(r call.Request) decision.Name {
	if strings.EqualFold(r.Method, "POST") {
		return decision.Key
	}
	return decision.Method
}

func (p *Policy) explainSafety(d *decision.Decision, r call.Request) (safe bool) {
	safe, byMethod := p.Safety.ReplaySafe(r)
	d.Add(decision.Term{Name: decision.Method, Text: r.Method, Value: bit(byMethod)})
	key := decision.Term{Name: decision.Key, Text: r.Key, Value: bit(r.HasKey())}
	if !r.Keyed {
		key.Mark = decision.Off
	}
	d.Add(key)
	return safe
}

func (p *Policy) explainReply(d *decision.Decision, o call.Outcome) (retryable bool) {
	retryable = p.Retryable(o)
	t := decision.Term{Name: decision.Reply, Value: int64(o.Response.Status), A: bit(retryable), B: int64(o.Class())}
	if o.Failure != call.None {
		t.Value, t.Text = 0, o.Failure.String()
	}
	d.Add(t)
	return retryable
}

// explainWait computes the wait before attempt n+1 after n attempts.
func (p *Policy) explainWait(d *decision.Decision, in Input) (wait time.Duration, byPartner bool) {
	exponent := in.Request.Attempt - 1
	raw := p.Backoff.Raw(exponent)
	capped := min(raw, p.Backoff.Cap)
	local, longest := p.Jitter.Apply(capped, in.Fraction)
	d.Add(decision.Term{Name: decision.Exponential, Value: int64(raw), A: int64(p.Backoff.Base), B: int64(exponent)})
	d.Add(decision.Term{Name: decision.Cap, Value: int64(p.Backoff.Cap), A: bit(raw > p.Backoff.Cap)})
	jitter := decision.Term{Name: decision.Jitter, Value: int64(local), A: int64(longest), B: in.Fraction.Thousandths()}
	if p.Jitter == backoff.NoJitter {
		jitter.Mark, jitter.B = decision.Off, 0
	}
	d.Add(jitter)

	header := in.Outcome.Response.RetryAfter
	asked, valid := retryafter.Parse(header)
	after := decision.Term{Name: decision.RetryAfter, Value: int64(asked), Text: header}
	switch {
	case !in.Outcome.Response.HasRetryAfter:
		after.Mark = decision.Off
	case !valid || p.RetryAfter == retryafter.Ignore:
		after.Mark = decision.Ignored
	}
	d.Add(after)
	return p.RetryAfter.Wait(local, asked)
}

func (p *Policy) explainBudget(d *decision.Decision, in Input) (left time.Duration) {
	t := decision.Term{Name: decision.DeadlineLeft, A: int64(in.Deadline), B: int64(in.Now)}
	if left = budget.Remaining(in.Deadline, in.Now); in.Deadline == clock.Max {
		t.Mark, left = decision.Off, clock.MaxDuration
	}
	t.Value = int64(left)
	d.Add(t)
	made := in.Request.Attempt
	d.Add(decision.Term{
		Name: decision.AttemptsLeft, Value: int64(max(p.Attempts-made, 0)), A: int64(made), B: int64(p.Attempts),
	})
	return left
}

// BeforeSend is the guard just before attempt n ≥ 1 is sent: with nothing left of the deadline, nothing is sent.
func (p *Policy) BeforeSend(now, deadline clock.Instant, r call.Request) decision.Decision {
	if deadline == clock.Max || budget.Remaining(deadline, now) > 0 {
		return decision.Decision{Verdict: decision.Admit}
	}
	var d decision.Decision
	p.explainBudget(&d, Input{Now: now, Deadline: deadline, Request: r})
	return p.end(d, decision.GiveUp, decision.DeadlinePassed, decision.DeadlineLeft)
}

// TimeoutOf returns the instant at which an attempt sent now times out, clock.Max if never.
func (p *Policy) TimeoutOf(now, deadline clock.Instant) clock.Instant {
	at := clock.Max
	if p.AttemptTimeout > 0 {
		at = now.Add(p.AttemptTimeout)
	}
	if p.CutTimeout {
		at = min(at, deadline)
	}
	return at
}

func bit(b bool) int64 {
	if b {
		return 1
	}
	return 0
}
