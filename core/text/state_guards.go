package text

import (
	"retrylab.example/core/clock"
	"retrylab.example/core/decision"
	"retrylab.example/core/event"
)

// mechanismState returns what the mechanism that decided event i knew before and after; none for any other.
func (l Lang) mechanismState(events []event.Event, i int) []StateRow {
	e := &events[i]
	switch mechanismOf(&e.Decision) {
	case byBreaker, byResult:
		return l.breakerState(events, i)
	case byBulk:
		return l.bulkheadState(e)
	case byLimiter:
		return l.limiterState(events, i)
	}
	return nil
}

// circuitState is what a client's breaker knows.
type circuitState struct {
	state string
	until clock.Instant // open: from when probes may pass
	// failures, threshold and results are of a closed circuit, or of the one that has opened; probes and proved of one
	// that is half-open. Those that no receipt has named are zero.
	failures, threshold, probes, proved decision.Term
	results                             string
}

// circuitAt folds the receipts of a client's breaker.
func circuitAt(events []event.Event, client int) circuitState {
	s := circuitState{state: "closed", results: none}
	for i := range events {
		e := &events[i]
		if e.Request.Client != client {
			continue
		}
		if e.Kind == event.GuardsChanged {
			s = circuitState{state: "closed", results: none}
		}
		if e.Who != event.Client {
			continue
		}
		if t, ok := e.Decision.Term(decision.Circuit); ok && e.Decision.Reason != decision.PermitStale {
			s.read(e, t.Text)
		}
	}
	return s
}

// read takes the numbers of a receipt, and the state that the circuit is in after it.
func (s *circuitState) read(e *event.Event, state string) {
	d := &e.Decision
	if t, ok := d.Term(decision.Failures); ok {
		s.failures, s.results = t, none
		s.threshold, _ = d.Term(decision.Threshold)
		if c, ok := d.Term(decision.Cells); ok {
			s.results = cells(c)
		}
	}
	if t, ok := d.Term(decision.Probes); ok {
		s.probes = t
		s.proved, _ = d.Term(decision.Proved)
	}
	s.state = state
	switch e.Kind {
	case event.CircuitOpened:
		s.state, s.until = "open", e.Until
	case event.CircuitHalfOpened:
		s.failures, s.results = decision.Term{}, none
	case event.CircuitClosed:
		*s = circuitState{state: "closed", results: none}
	}
}

func (l Lang) breakerState(events []event.Event, i int) []StateRow {
	client := events[i].Request.Client
	before, after := circuitAt(events[:i], client), circuitAt(events[:i+1], client)
	rows := []StateRow{{l.Say("state.circuit"), l.circuit(&before), l.circuit(&after)}}
	if before.results != none || after.results != none {
		rows = append(rows, StateRow{l.Say("state.results"), before.results, after.results})
	}
	if before.failures.Name != 0 || after.failures.Name != 0 {
		rows = append(rows, StateRow{l.Say("state.failures"), l.failed(&before), l.failed(&after)})
	}
	if before.state == "half-open" || after.state == "half-open" {
		rows = append(rows,
			StateRow{l.Say("state.probes"), l.portion(before.probes), l.portion(after.probes)},
			StateRow{l.Say("state.proved"), l.portion(before.proved), l.portion(after.proved)})
	}
	return rows
}

func (l Lang) circuit(s *circuitState) string {
	if s.state == "open" {
		return l.Say("state.circuit-open", "until", instant(s.until))
	}
	return l.Say("circuit." + s.state)
}

// failed says how many of the results failed; in a row, how many of those that open the circuit.
func (l Lang) failed(s *circuitState) string {
	switch {
	case s.failures.Name == 0:
		return none
	case s.failures.B == 0:
		return l.countedOf(s.failures.Value, s.threshold.Value)
	}
	return l.countedOf(s.failures.Value, s.failures.A)
}

// portion writes Value of A; a row that no receipt has named is none.
func (l Lang) portion(t decision.Term) string {
	if t.Name == 0 {
		return none
	}
	return l.countedOf(t.Value, t.A)
}

// bulkheadState returns the places and the queue. A receipt has them as they are after the decision.
func (l Lang) bulkheadState(e *event.Event) []StateRow {
	running, _ := e.Decision.Term(decision.Running)
	queued, _ := e.Decision.Term(decision.Queued)
	if running.Mark == decision.Off {
		return nil
	}
	r, q := running.Value, queued.Value
	switch e.Decision.Reason {
	case decision.PlaceFree:
		r--
	case decision.PlaceQueued:
		q--
	case decision.TurnCame: // one task has ended, and the first in the queue has its place
		r, q = r-1, q+1
	}
	return []StateRow{
		{l.Say("state.running"), l.countedOf(r, running.A), l.countedOf(running.Value, running.A)},
		{l.Say("state.queued"), l.countedOf(q, queued.A), l.countedOf(queued.Value, queued.A)},
	}
}

// otherLimiterState returns what a bucket, a schedule or a limit of requests in flight holds.
func (l Lang) otherLimiterState(events []event.Event, i int) []StateRow {
	e := &events[i]
	d := &e.Decision
	admitted := d.Verdict == decision.Admit
	var rows []StateRow
	if t, ok := d.Term(decision.Tokens); ok {
		before := t.Value
		if admitted {
			before += t.B
		}
		of := func(n int64) string {
			return l.Say("value.counted", "counted", tokens(n), "limit", tokens(t.A))
		}
		rows = append(rows, StateRow{l.Say("state.tokens"), of(before), of(t.Value)})
	}
	if t, ok := d.Term(decision.Schedule); ok {
		paid, after := clock.Instant(paidBefore(events[:i], d)), clock.Instant(t.B)
		rows = append(rows, StateRow{l.Say("state.paid"), l.instantOrNone(max(paid, e.At)), l.instantOrNone(after)})
	}
	if t, ok := d.Term(decision.InFlight); ok {
		before := t.Value
		if admitted {
			before--
		}
		rows = append(rows, StateRow{l.Say("state.in-flight"), l.countedOf(before, t.A), l.countedOf(t.Value, t.A)})
	}
	if t, ok := d.Term(decision.Passes); ok && !admitted {
		passes := l.instantOrNone(clock.Instant(t.Value))
		rows = append(rows, StateRow{l.Say("state.passes"), passes, passes})
	}
	return rows
}

// paidBefore returns up to when the requests under the key of d are paid for.
func paidBefore(events []event.Event, d *decision.Decision) int64 {
	key, _ := d.Term(decision.ClientKey)
	for i := len(events) - 1; i >= 0; i-- {
		t, ok := events[i].Decision.Term(decision.Schedule)
		if under, _ := events[i].Decision.Term(decision.ClientKey); ok && under.Text == key.Text {
			return t.B
		}
	}
	return 0
}

// keyState returns what the ledger knew of a key before and after: what was asked for first, and how far that is.
func (l Lang) keyState(e *event.Event) []StateRow {
	d := &e.Decision
	payload, _ := d.Term(decision.Payload)
	slot, _ := d.Term(decision.Slot)
	first := fingerprint(e, payload.A, slot.A)
	state, kept := l.Say("state.key.saved"), l.Say("state.key.saved")
	switch d.Reason {
	case decision.KeyNew, decision.LeaseOver:
		before := l.Say("state.none")
		if d.Reason == decision.LeaseOver {
			before = l.Say("state.key.lease-over")
		}
		return []StateRow{
			{l.Say("state.fingerprint"), l.Say("state.none"), fingerprint(e, e.Request.Amount, e.Request.Slot)},
			{l.Say("state.key"), before, kept},
		}
	case decision.KeyInFlight:
		state, kept = l.Say("state.key.in-flight"), l.Say("state.key.in-flight")
	case decision.KeyKnown:
	case decision.KeyMismatch:
		if t, _ := d.Term(decision.Saved); t.Mark == decision.Off {
			state, kept = l.Say("state.key.in-flight"), l.Say("state.key.in-flight")
		}
	default:
		return nil
	}
	return []StateRow{{l.Say("state.fingerprint"), first, first}, {l.Say("state.key"), state, kept}}
}

// fingerprint writes what a key stands for, as code.
func fingerprint(e *event.Event, amount, slot int64) string {
	s := e.Request.Method + " " + e.Request.Path + ", " + number(amount)
	if slot != 0 {
		s += ", slot " + number(slot)
	}
	return literal(s)
}

// branch says which way the ledger went.
func (l Lang) branch(e *event.Event) []StateRow {
	switch e.Decision.Reason {
	case decision.KeyNew, decision.KeyKnown, decision.KeyInFlight, decision.KeyMismatch, decision.LeaseOver:
		return []StateRow{{l.Say("state.branch"), none, l.Say("state.branch." + e.Decision.Reason.String())}}
	}
	return nil
}
