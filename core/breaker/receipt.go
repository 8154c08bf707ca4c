package breaker

import (
	"retrylab.example/core/call"
	"retrylab.example/core/clock"
	"retrylab.example/core/decision"
)

func (b *Breaker) explainCircuit(d *decision.Decision) {
	d.Add(decision.Term{
		Name: decision.Circuit, Mark: decision.Decided, Text: b.state.String(), Value: b.generation, A: int64(b.since),
	})
}

func (b *Breaker) explainOpen(d *decision.Decision) {
	from := b.halfOpens()
	d.Wait = from.Sub(b.last)
	d.Add(decision.Term{Name: decision.ProbesFrom, Value: int64(from), A: int64(b.config.Open)})
	d.AddFlip(decision.Flip{
		Name: decision.ProbesFrom, Bound: decision.AtLeast, Value: int64(from),
		Verdict: decision.Admit, Reason: decision.ProbeAdmitted,
	})
}

// explainProbes writes the probes that run, those that succeeded, and how many of each there may or must be.
func (b *Breaker) explainProbes(d *decision.Decision) (running int, first clock.Instant) {
	running, _, first = b.probes.look(b.last)
	d.Add(decision.Term{Name: decision.Probes, Value: int64(running), A: int64(b.config.Probes)})
	d.Add(decision.Term{Name: decision.Proved, Value: int64(b.probes.succeeded), A: int64(b.config.Successes)})
	return running, first
}

// explainRunning says why no further probe passes, and when one will at the latest.
func (b *Breaker) explainRunning(d *decision.Decision) {
	running, first := b.explainProbes(d)
	d.Wait = first.Sub(b.last)
	d.Mark(decision.Circuit, decision.Plain)
	d.Mark(decision.Probes, decision.Decided)
	d.Add(decision.Term{Name: decision.Lease, Value: int64(first)})
	d.AddFlip(decision.Flip{
		Name: decision.Lease, Bound: decision.AtLeast, Value: int64(first),
		Verdict: decision.Admit, Reason: decision.ProbeAdmitted,
	})
	d.AddFlip(decision.Flip{
		Name: decision.Probes, Bound: decision.AtMost, Value: int64(running - 1),
		Verdict: decision.Admit, Reason: decision.ProbeAdmitted,
	})
}

// explainRecord is called on a copy of the breaker as it was before the result, and changes it.
func (b *Breaker) explainRecord(d *decision.Decision, p Permit, class call.Class) {
	b.explainCircuit(d)
	d.Mark(decision.Circuit, decision.Plain)
	counts, failed := b.config.result(class)
	result := decision.Term{Name: decision.Result, Text: class.String()}
	if failed {
		result.Value = 1
	}
	if !counts || d.Reason == decision.PermitStale {
		result.Mark, result.A = decision.Ignored, 1
	}
	d.Add(result)
	switch {
	case d.Reason == decision.PermitStale:
		d.Add(decision.Term{
			Name: decision.Permit, Mark: decision.Decided, Value: p.generation, A: b.generation, B: int64(p.until),
		})
	case !counts:
		d.Mark(decision.Result, decision.Decided)
	case b.state == HalfOpen:
		b.explainProbe(d, p, failed)
	default:
		b.explainCount(d, failed)
	}
}

func (b *Breaker) explainProbe(d *decision.Decision, p Permit, failed bool) {
	b.probes.running[p.place] = probe{}
	instead := decision.Flip{
		Name: decision.Result, Bound: decision.Exactly, Value: 1, Verdict: decision.Trip, Reason: decision.ProbeFailed,
	}
	succeeded := b.probes.succeeded + 1
	if !failed {
		b.probes.succeeded = succeeded
	} else {
		instead.Value, instead.Verdict, instead.Reason = 0, decision.Keep, decision.ProbeSucceeded
		if succeeded >= b.config.Successes {
			instead.Verdict, instead.Reason = decision.Close, decision.ProbesSucceeded
		}
	}
	b.explainProbes(d)
	d.Mark(decision.Result, decision.Decided)
	d.AddFlip(instead)
}

// explainCount writes the results with this one among them, and what the opposite result would have led to.
func (b *Breaker) explainCount(d *decision.Decision, failed bool) {
	other := b.tally
	other.count(&b.config, b.last, !failed)
	b.tally.count(&b.config, b.last, failed)
	b.tally.explain(&b.config, d)
	d.Mark(decision.Failures, decision.Decided)
	opposite := int64(1)
	if failed {
		opposite = 0
	}
	switch trips := other.reached(&b.config); {
	case trips == (d.Verdict == decision.Trip):
		b.explainFailures(d, failed)
	case trips:
		d.AddFlip(decision.Flip{
			Name: decision.Result, Bound: decision.Exactly, Value: opposite,
			Verdict: decision.Trip, Reason: decision.ThresholdReached,
		})
	default:
		d.AddFlip(decision.Flip{
			Name: decision.Result, Bound: decision.Exactly, Value: opposite,
			Verdict: decision.Keep, Reason: decision.BelowThreshold,
		})
	}
}

// explainFailures says with how many failures among as many results the circuit would have opened, or stayed closed, where
// the other result alone would have changed nothing.
func (b *Breaker) explainFailures(d *decision.Decision, failed bool) {
	c, t := &b.config, &b.tally
	flip := decision.Flip{
		Name: decision.Failures, Bound: decision.AtLeast, Value: (int64(c.Percent)*t.known + 99) / 100,
		Verdict: decision.Trip, Reason: decision.ThresholdReached,
	}
	if c.Window == InARow {
		flip.Value = int64(c.Failures)
	}
	most := t.known // of these results can have failed: this one is as it is
	if !failed {
		most--
	}
	switch {
	case d.Verdict == decision.Trip && failed && flip.Value == 1:
		return // this failure alone is enough
	case d.Verdict == decision.Trip:
		flip.Bound, flip.Value = decision.AtMost, flip.Value-1
		flip.Verdict, flip.Reason = decision.Keep, decision.BelowThreshold
	case c.Window == InARow && !failed, c.Window != InARow && (t.known < int64(c.Minimum) || flip.Value > most):
		return // a success ends the row, or too few results are known
	}
	d.AddFlip(flip)
}
