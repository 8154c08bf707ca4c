package sim

import (
	"fmt"
	"strconv"
	"time"

	"retrylab.example/core/breaker"
	"retrylab.example/core/budget"
	"retrylab.example/core/clock"
	"retrylab.example/core/decision"
	"retrylab.example/core/event"
	"retrylab.example/core/measure"
	"retrylab.example/core/retry"
	"retrylab.example/core/retryafter"
)

// audit is a sink that checks what must hold over time. It believes nothing but the events and the policies.
type audit struct {
	err      error
	policies []retry.Policy
	pending  retry.Policy // what the next policy-changed event sets

	last    event.Event
	calls   map[[2]int]*audited
	measure measure.Fold
	guard   guardAudit

	stopped                       bool
	total                         int64
	recorded, keyless, unrecorded int
	answered, lost, cut           int
	inside                        map[[3]int]bool // attempts that arrived and have no answer yet
}

type audited struct {
	deadline clock.Instant
	attempts int
	open     bool // an attempt has no outcome yet
	ended    bool // for the caller
	started  clock.Instant
	task     bool // it has a place in its bulkhead
	left     bool // its caller has gone, and the work goes on
	pool     int  // the bulkhead that it is in, from 1
	permit   bool // its attempt was admitted by a breaker
	era      int  // of the guards that its attempt passed
	admitted admitted
	// heldAttempt is the latest attempt that its limiter held: its deadline counts from then.
	heldAttempt int
}

func newAudit(c Config) *audit {
	a := &audit{calls: map[[2]int]*audited{}, inside: map[[3]int]bool{}, guard: newGuardAudit(c)}
	for _, cl := range c.Clients {
		a.policies = append(a.policies, cl.Policy)
	}
	return a
}

func (a *audit) fail(e *event.Event, format string, args ...any) {
	if a.err == nil {
		a.err = fmt.Errorf("event %d, %s at %d: %s", e.Seq, e.Kind, e.At, fmt.Sprintf(format, args...))
	}
}

func (a *audit) Event(e *event.Event) {
	switch {
	case e.Seq != a.last.Seq+1:
		a.fail(e, "follows event %d", a.last.Seq)
	case e.At < a.last.At:
		a.fail(e, "time went back from %d", a.last.At)
	case a.stopped:
		a.fail(e, "after the run stopped")
	}
	a.last = *e
	a.measure.Event(e)
	switch e.Kind {
	case event.RunStopped:
		a.stopped = true
	case event.PolicyChanged:
		a.policies[e.Request.Client] = a.pending
	case event.GuardsChanged:
		a.guard.change(e.Request.Client)
	case event.RequestLost:
		a.lost++
	case event.RequestAnswered:
		a.answered++
	case event.EffectApplied:
		a.effect(e)
	}
	a.arrival(e)
	if e.Who == event.Client {
		a.call(e)
	}
}

// arrival holds every request that arrived to one answer: an effect, a replay, a refusal, an answer to one that reads, or
// a crash that came before.
func (a *audit) arrival(e *event.Event) {
	id := [3]int{e.Request.Client, e.Request.Call, e.Request.Attempt}
	switch e.Kind {
	case event.RequestArrived:
		if a.inside[id] {
			a.fail(e, "arrived twice")
		}
		a.inside[id] = true
	case event.RequestRefused, event.RequestAnswered, event.EffectApplied, event.ReplyReplayed:
		if !a.inside[id] {
			a.fail(e, "answered twice, or never arrived")
		}
		delete(a.inside, id)
	case event.PartnerCrashed:
		if a.inside[id] {
			a.cut++
		} else if e.Fault == event.CrashBefore {
			a.fail(e, "a crash before the effect, after the answer")
		}
		delete(a.inside, id)
	}
}

func (a *audit) effect(e *event.Event) {
	if a.total += e.Delta; a.total != e.Total {
		a.fail(e, "total %d, the effects so far make %d", e.Total, a.total)
	}
	switch e.Decision.Reason {
	case decision.KeyNew, decision.LeaseOver:
		a.recorded++
	case decision.RecordLost:
		a.unrecorded++
	default:
		a.keyless++
	}
}

// call checks the life of one call: attempts one after the other, each with one outcome, until one end.
func (a *audit) call(e *event.Event) {
	id := [2]int{e.Request.Client, e.Request.Call}
	policy := &a.policies[e.Request.Client]
	c := a.calls[id]
	if e.Kind == event.Notified {
		if c == nil || e.Request.Path != "/waitlist" {
			a.fail(e, "it waits for nothing")
		}
		return
	}
	if e.Kind == event.CallStarted {
		if c != nil {
			a.fail(e, "started twice")
		}
		a.calls[id] = &audited{deadline: e.Until, started: e.At}
		return
	}
	if c.ended && !c.left && e.Kind != event.ReplyIgnored && e.Kind != event.TaskEnded && e.Kind != event.FallbackUsed {
		a.fail(e, "the call had ended")
	}
	a.guards(e, c)
	switch e.Kind {
	case event.AttemptHeld:
		if c.heldAttempt != e.Request.Attempt && policy.FreshDeadline {
			if c.deadline = clock.Max; policy.Deadline > 0 {
				c.deadline = e.At.Add(policy.Deadline)
			}
		}
		c.heldAttempt = e.Request.Attempt
	case event.AttemptSent:
		a.sent(e, c, policy)
	case event.SendRefused:
		if e.Decides() {
			return
		}
		if c.attempts++; !late(policy, e.At, c.deadline) || policy.FreshDeadline && c.heldAttempt != e.Request.Attempt {
			a.fail(e, "refused although the deadline is %d", c.deadline)
		}
	case event.ReplyArrived, event.AttemptFailed:
		if !c.open || e.Request.Attempt != c.attempts {
			a.fail(e, "no such attempt under way")
		}
		c.open = false
		if c.permit && a.guard.of(e.Request.Client).Breaker == (breaker.Config{}) {
			a.guard.returned++ // to a breaker that is gone
		}
	case event.RetryScheduled:
		left := c.deadline.Sub(e.At)
		tooLong := policy.DeadlineTest == budget.GreaterOrEqual && c.deadline != clock.Max && e.Decision.Wait >= left
		if e.Decision.Wait < 0 || tooLong || c.attempts >= policy.Attempts {
			a.fail(e, "wait %d of %d, attempt %d of %d", e.Decision.Wait, left, c.attempts, policy.Attempts)
		}
		a.wait(e, policy)
		if e.Until != e.At.Add(e.Decision.Wait) {
			a.fail(e, "until %d", e.Until)
		}
	case event.CallSucceeded, event.CallGaveUp:
		if c.ended {
			a.fail(e, "ended twice")
		}
		c.ended, c.left = true, e.Decision.Reason == decision.CallerLeft
		left := c.deadline.Sub(e.At)
		if e.Decision.Reason == decision.BudgetTooShort && (c.deadline == clock.Max || e.Decision.Wait < left) {
			a.fail(e, "wait %d of %d", e.Decision.Wait, left)
		}
	}
}

// late reports whether nothing may be sent any more: at the deadline, or after it under contract D's test.
func late(p *retry.Policy, now, deadline clock.Instant) bool {
	if p.DeadlineTest == budget.Greater {
		return now > deadline
	}
	return deadline != clock.Max && now >= deadline
}

// wait checks that a wait of the client's own stays inside its cap, and that no other is shorter than the partner asked.
func (a *audit) wait(e *event.Event, p *retry.Policy) {
	if e.Decision.Reason == decision.BackoffDecides && e.Decision.Wait > p.Backoff.Cap {
		a.fail(e, "wait %d with a cap of %d", e.Decision.Wait, p.Backoff.Cap)
	}
	asked, err := strconv.Atoi(e.Response.RetryAfter)
	if err == nil && e.Response.HasRetryAfter && p.RetryAfter != retryafter.Ignore && e.Decision.Wait < time.Duration(asked)*time.Second {
		a.fail(e, "wait %d after a Retry-After of %d", e.Decision.Wait, asked)
	}
}

func (a *audit) sent(e *event.Event, c *audited, p *retry.Policy) {
	if p.FreshDeadline && c.heldAttempt != e.Request.Attempt {
		if c.deadline = clock.Max; p.Deadline > 0 {
			c.deadline = e.At.Add(p.Deadline)
		}
	}
	if c.attempts++; e.Request.Attempt != c.attempts || c.open {
		a.fail(e, "attempt %d after %d", e.Request.Attempt, c.attempts-1)
	}
	if late(p, e.At, c.deadline) {
		a.fail(e, "the deadline was %d", c.deadline)
	}
	c.open = true
}

// check compares the sums of the events with the state.
func (a *audit) check(s State) error {
	if a.err != nil {
		return a.err
	}
	t := a.measure.Totals()
	recorded, keyless, unrecorded := s.partner.Effects()
	travelling, open := 0, 0
	for _, k := range s.queue.heap {
		if it := s.queue.items[k.slot]; it.kind == requestArrives {
			travelling++
		}
	}
	for _, c := range a.calls {
		if !c.ended {
			open++
		}
	}
	for _, sum := range []struct {
		name      string
		got, want int
	}{
		{"arrived", t.Arrived, t.Applied + t.Replayed + t.Refused + a.answered + a.cut + s.partner.Working()},
		{"inside", len(a.inside), s.partner.Working()},
		{"sent", t.Sent, t.Arrived + a.lost + travelling},
		{"calls", t.Calls, t.Succeeded + t.GaveUp + open},
		{"recorded", recorded, a.recorded},
		{"keyless", keyless, a.keyless},
		{"unrecorded", unrecorded, a.unrecorded},
		{"applied", t.Applied, recorded + keyless + unrecorded},
		{"total", int(s.Total()), int(a.total)},
		{"actual", int(t.Actual), int(a.total)},
		{"permits", a.guard.given, a.guard.returned + a.permits()},
	} {
		if sum.got != sum.want {
			return fmt.Errorf("%s: got %d, want %d", sum.name, sum.got, sum.want)
		}
	}
	return a.checkTotals(s, t)
}

// checkTotals: a partner that ignores keys is the naive one; one that never forgets a key is the deduped one.
func (a *audit) checkTotals(s State, t measure.Totals) error {
	switch p := s.config.Partner; {
	case p.SplitRecord, p.Ledger.Lease == 0 && p.WorkTakes():
		return nil // effects under one key may be more than one
	case p.IgnoreKeys && t.Actual != t.Naive:
		return fmt.Errorf("keys are ignored: actual %d, naive %d", t.Actual, t.Naive)
	case !p.IgnoreKeys && p.Ledger.Lifetime == 0 && s.now < clock.Instant(24*3600*1e9) && t.Actual != t.Deduped:
		return fmt.Errorf("keys are kept: actual %d, deduped %d", t.Actual, t.Deduped)
	}
	return nil
}
