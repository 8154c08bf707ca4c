package retry

import (
	"time"

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
	// LateKey says that the request had no key at its first attempt, so that the key cannot tell the two to be one.
	LateKey bool
	Outcome call.Outcome
	// Fraction is the jitter fraction of this wait, and Above that of what is added to the partner's wish.
	Fraction, Above rng.Ratio
	// Previous is the local wait before this one in the same call (LocalWait), 0 if there was none.
	Previous time.Duration
	// Renewed is how many attempts were made when a pushback last let the backoff begin anew (Renews), 0 if none did.
	Renewed int
	// Budget is how the client's shared budget stands, and Held what the attempt that just ended has taken from it.
	Budget budget.State
	Held   budget.Hold
}

// Decide answers the three questions in their order: may it be repeated, does waiting heal it, how long.
//
// After a success, or a request that may not be repeated, or an outcome that the policy does not retry, the call ends.
// Otherwise the wait is the rule of Retry-After over the jittered, capped backoff, and it is taken if an attempt is left,
// no pushback forbids it, the partner asks for no longer than the policy waits, the deadline leaves more than the wait, and the budget that the
// client's calls share allows one more: the first of these that does not hold is the reason.
func (p *Policy) Decide(in Input) (d decision.Decision) {
	p.decide(&d, &in)
	return d
}

func (p *Policy) decide(d *decision.Decision, in *Input) {
	safe := p.explainSafety(d, in)
	class, retryable := p.explainReply(d, &in.Outcome)
	switch {
	case class == call.Success:
		end(d, decision.Return, decision.Succeeded, decision.Reply)
		return
	case !safe:
		end(d, decision.GiveUp, decision.NotReplaySafe, p.unsafeTerm(&in.Request))
		return
	case !retryable:
		end(d, decision.GiveUp, decision.NotRetryable, p.replyTerm(&in.Outcome))
		return
	}
	w := p.explainWait(d, in)
	left := p.explainLimits(d, in)
	allowed := p.Budget.Allows(d, in.Budget, in.Held, class)
	switch {
	case in.Request.Attempt >= p.Attempts:
		end(d, decision.GiveUp, decision.AttemptsSpent, decision.AttemptsLeft)
		return
	case w.never:
		end(d, decision.GiveUp, decision.PushbackRefuses, decision.RetryAfter)
		return
	case w.tooLong:
		d.Wait = w.asked
		end(d, decision.GiveUp, decision.RetryAfterTooLong, decision.RetryAfter)
		return
	}
	d.Wait = w.wait
	switch {
	case in.Deadline != clock.Max && p.DeadlineTest.TooLong(w.wait, left): // without a deadline no wait is too long
		end(d, decision.GiveUp, decision.BudgetTooShort, decision.DeadlineLeft)
	case !allowed:
		end(d, decision.GiveUp, decision.RetryBudgetSpent, p.budgetTerm())
	case w.byPartner:
		end(d, decision.Retry, decision.RetryAfterDecides, decision.RetryAfter)
	default:
		end(d, decision.Retry, decision.BackoffDecides, w.local)
	}
}

func end(d *decision.Decision, v decision.Verdict, r decision.Reason, by decision.Name) {
	d.Verdict, d.Reason = v, r
	d.Mark(by, decision.Decided)
}

// unsafeTerm names the row that forbids a repeat: a key would have made it safe, or nothing makes the method so.
func (p *Policy) unsafeTerm(r *call.Request) decision.Name {
	if p.keyWouldHelp(r) {
		return decision.Key
	}
	return decision.Method
}

// replyTerm names the row that says that waiting does not heal it: the envelope's flag wins where there is one.
func (p *Policy) replyTerm(o *call.Outcome) decision.Name {
	if p.flagged(o) {
		return decision.Flag
	}
	return decision.Reply
}

func (p *Policy) flagged(o *call.Outcome) bool {
	return p.Envelope && o.Failure == call.None && o.Response.Body.Flag != call.NoFlag
}

// budgetTerm names the row of the budget that the client's calls share.
func (p *Policy) budgetTerm() decision.Name {
	if p.Budget.Kind == budget.Share {
		return decision.RetryShare
	}
	return decision.RetryTokens
}

func (p *Policy) explainSafety(d *decision.Decision, in *Input) (safe bool) {
	grounds, r := p.Grounds(in), &in.Request
	method, key := d.Row(decision.Method), d.Row(decision.Key)
	method.Text, method.Value = r.Method, bit(grounds == ByMethod)
	has := r.HasKey()
	key.Text, key.Value = r.Key, bit(has)
	switch {
	case !r.Keyed:
		key.Mark = decision.Off
	case p.Safety >= LessonE && has && (grounds == NoGrounds || grounds == ByOutcome || grounds == ByCondition):
		key.Mark = decision.Ignored
	}
	if p.Safety >= LessonE && grounds > ByMethod && (grounds != ByKey || r.Method != "POST") {
		method.A = int64(grounds - ByMethod) // a POST with a key says it in the row of the key
	}
	return grounds != NoGrounds
}

func (p *Policy) explainReply(d *decision.Decision, o *call.Outcome) (class call.Class, retryable bool) {
	class, retryable = o.Class(), p.retryable(o)
	t := d.Row(decision.Reply)
	t.A, t.B = bit(retryable), int64(class)
	if o.Failure == call.None {
		t.Value = int64(o.Response.Status)
	} else {
		t.Text = o.Failure.String()
	}
	if class != call.Success && p.flagged(o) {
		d.Row(decision.Flag).Value = bit(o.Response.Body.Flag == call.FlagTrue)
	}
	return class, retryable
}

func (p *Policy) explainLimits(d *decision.Decision, in *Input) (left time.Duration) {
	t := d.Row(decision.DeadlineLeft)
	t.A, t.B = int64(in.Deadline), int64(in.Now)
	if left = budget.Remaining(in.Deadline, in.Now); in.Deadline == clock.Max {
		t.Mark, left = decision.Off, clock.MaxDuration
	}
	t.Value = int64(left)
	made := in.Request.Attempt
	attempts := d.Row(decision.AttemptsLeft)
	attempts.Value, attempts.A, attempts.B = int64(max(p.Attempts-made, 0)), int64(made), int64(p.Attempts)
	return left
}

// BeforeSend is the guard just before attempt n ≥ 1 is sent: once the deadline has passed, nothing is sent.
func (p *Policy) BeforeSend(now, deadline clock.Instant, r call.Request) decision.Decision {
	if !p.DeadlineTest.Passed(deadline, now) {
		return decision.Decision{Verdict: decision.Admit}
	}
	var d decision.Decision
	p.explainLimits(&d, &Input{Now: now, Deadline: deadline, Request: r})
	end(&d, decision.GiveUp, decision.DeadlinePassed, decision.DeadlineLeft)
	return d
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

// Spend returns the client's shared budget and what the call holds of it after a decision of this policy: what the
// attempt that ended held comes back or is spent, and a retry takes what it costs. The caller counts calls that begin
// and end.
func (p *Policy) Spend(in *Input, d *decision.Decision) (budget.State, budget.Hold) {
	c, s := &p.Budget, in.Budget
	switch {
	case c.Kind == budget.Unlimited:
		return s, 0
	case d.Reason == decision.DeadlinePassed: // the retry was not sent after all
		return c.GiveBack(s, in.Held), 0
	case d.Verdict == decision.Return:
		return c.Succeeded(s, in.Held), 0
	case in.Outcome.Failure == call.None && !p.retryable(&in.Outcome):
		return c.GiveBack(s, in.Held), 0
	}
	s = c.Failed(s, in.Held)
	if d.Verdict != decision.Retry {
		return s, 0
	}
	return c.Take(s, in.Outcome.Class())
}

// LocalWait returns the local wait of a decision, 0 if it computed none: the Previous of the next one.
func LocalWait(d *decision.Decision) time.Duration {
	local, _ := d.Term(decision.Jitter)
	return time.Duration(local.Value)
}

// Renews reports whether a decision waits what a pushback says: then the backoff begins anew (gRFC A6), as if the
// attempt before the next one were the first.
func Renews(d *decision.Decision) bool {
	t, _ := d.Term(decision.RetryAfter)
	return d.Reason == decision.RetryAfterDecides && t.B == int64(retryafter.Pushback)
}

func bit(b bool) int64 {
	if b {
		return 1
	}
	return 0
}
