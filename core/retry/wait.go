package retry

import (
	"time"

	"retrylab.example/core/backoff"
	"retrylab.example/core/call"
	"retrylab.example/core/clock"
	"retrylab.example/core/decision"
	"retrylab.example/core/field"
	"retrylab.example/core/retryafter"
)

// waiting is the wait before attempt n+1 after n attempts.
type waiting struct {
	// wait is the wait, and asked what the partner asked for.
	wait, asked time.Duration
	// byPartner says that Retry-After decided, tooLong that it asks for more than the policy waits, and never that a
	// pushback wants no retry.
	byPartner, tooLong, never bool
	// local is the row that made the local wait: the last one that changed it.
	local decision.Name
}

// explainWait computes
//
//	local = the jittered, capped backoff
//	wait  = asked + Above·f where Retry-After decides (floor: asked > local; replace: asked > 0), else local
//
// That is rule 4 of the strict contract (resilience A.7). What is added keeps clients apart that were all told the same;
// the local wait has its own jitter. A pushback is waited for exactly.
func (p *Policy) explainWait(d *decision.Decision, in *Input) (w waiting) {
	local, by := p.explainBackoff(d, in)
	w.local = by
	wish := p.explainRetryAfter(d, in)
	w.asked, w.never = wish.Delay, wish.Never
	w.tooLong = p.MaxRetryAfter > 0 && w.asked > p.MaxRetryAfter
	if wish.Kind == retryafter.Pushback {
		w.wait, w.byPartner = w.asked, true
		return w
	}
	if w.wait, w.byPartner = p.RetryAfter.Wait(local, w.asked); w.byPartner && p.AboveRetryAfter > 0 {
		added := in.Above.Scale(p.AboveRetryAfter)
		t := d.Row(decision.Above)
		t.Value, t.A, t.B = int64(added), int64(p.AboveRetryAfter), in.Above.Thousandths()
		w.wait = clock.Sum(w.wait, added)
	}
	return w
}

func (p *Policy) explainBackoff(d *decision.Decision, in *Input) (wait time.Duration, by decision.Name) {
	l := p.Backoff.After(in.Request.Attempt-in.Renewed, p.spread(), in.Previous, in.Fraction)
	by = p.explainRaw(d, in, l.Raw)
	limit := d.Row(decision.Cap)
	limit.Value, limit.A = int64(l.Cap), bit(l.Raw > l.Cap)
	if l.Cap != p.Backoff.Cap {
		limit.B = int64(p.Backoff.Cap)
	}
	jitter := d.Row(decision.Jitter)
	jitter.Value, jitter.A = int64(l.Wait), int64(l.Longest)
	if p.Jitter == backoff.NoJitter {
		if jitter.Mark = decision.Off; l.Raw > l.Cap {
			by = decision.Cap
		}
		return l.Wait, by
	}
	jitter.B = in.Fraction.Thousandths()
	if p.Jitter.CrossesCap() {
		jitter.Text = p.Jitter.String()
	}
	return l.Wait, decision.Jitter
}

// explainRaw adds the rows of the wait before its cap, and returns the name of the first.
func (p *Policy) explainRaw(d *decision.Decision, in *Input, raw time.Duration) decision.Name {
	n := int64(in.Request.Attempt - in.Renewed)
	if p.Jitter != backoff.Decorrelated && p.Backoff.Classic() {
		t := d.Row(decision.Exponential)
		t.Value, t.A, t.B = int64(raw), int64(p.Backoff.Base), n-1
		return decision.Exponential
	}
	t := d.Row(decision.Raw)
	t.Value, t.A, t.Text = int64(raw), int64(p.Backoff.Base), p.Backoff.Shape.String()
	switch {
	case p.Jitter == backoff.Decorrelated:
		t.Text, t.B = p.Jitter.String(), int64(max(in.Previous, p.Backoff.Base))
	case p.Backoff.Shape == backoff.Exponential:
		t.B = n - 1
		factor := d.Row(decision.Factor)
		factor.Value, factor.A = int64(p.Backoff.Factor.Num), int64(p.Backoff.Factor.Den)
	case p.Backoff.Shape == backoff.Linear:
		t.B = n
	}
	return decision.Raw
}

// explainRetryAfter returns what the partner asks for, nothing if the policy does not look or cannot read it.
func (p *Policy) explainRetryAfter(d *decision.Decision, in *Input) (asked retryafter.Reading) {
	r := &in.Outcome.Response
	t := d.Row(decision.RetryAfter)
	t.Text, t.A = r.RetryAfter, int64(p.MaxRetryAfter)
	switch {
	case p.RetryAfterMode != retryafter.Integer:
		asked = p.read(t, in)
	case r.HasRetryAfter:
		asked.Delay, asked.Valid = retryafter.Parse(r.RetryAfter)
	}
	t.Value = int64(asked.Delay)
	switch {
	case !r.HasRetryAfter && !asked.Valid:
		t.Mark = decision.Off
	case !asked.Valid:
		t.Mark = decision.Ignored
	case p.RetryAfter == retryafter.Ignore:
		t.Mark, asked = decision.Ignored, retryafter.Reading{}
	}
	return asked
}

// read reads the field, and what stands beside it, in a mode other than Integer.
func (p *Policy) read(t *decision.Term, in *Input) retryafter.Reading {
	r, lines := &in.Outcome.Response, [1]string{in.Outcome.Response.RetryAfter}
	var sent []string
	if r.HasRetryAfter {
		sent = lines[:]
	}
	if in.Outcome.Failure != call.None {
		return retryafter.Reading{}
	}
	reading := retryafter.Read(p.RetryAfterMode, sent, retryafter.Context{Now: wall(in.Now), Fields: field.Split(r.Fields)})
	if !reading.Valid {
		t.B = -1
		return retryafter.Reading{}
	}
	t.Text, t.B = reading.Text, int64(reading.Kind)
	return reading
}

// Epoch is the date at the start of every run: Mon, 30 Nov 2026 12:00:00 GMT. Dates in a Retry-After count from there.
const Epoch field.Time = 1_796_040_000

// wall returns the moment at which a client's own clock shows now ≥ 0.
func wall(now clock.Instant) field.Moment {
	const second = clock.Instant(time.Second)
	return field.Moment{Time: Epoch + field.Time(now/second), Nanos: int64(now % second)}
}
