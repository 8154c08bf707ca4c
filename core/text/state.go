package text

import (
	"time"

	"retrylab.example/core/clock"
	"retrylab.example/core/decision"
	"retrylab.example/core/event"
)

// StateRow is one value just before and just after an event.
type StateRow struct{ Label, Before, After string }

// State returns what event i changed, or what it rested on: for a client its attempts, its next send and its deadline;
// for a breaker the circuit and the results that decide, for a bulkhead its places and its queue, for a limiter what it
// counts or has left; for a ledger what the key stands for, its state, the record and the branch taken, the effects and
// the total. It reads events alone.
func (l Lang) State(events []event.Event, i int) []StateRow {
	if i < 0 || i >= len(events) {
		return nil
	}
	e := &events[i]
	switch {
	case e.Request.Call == 0:
		return nil
	case e.Who == event.Client:
		return append(l.mechanismState(events, i), l.clientState(events, i)...)
	case e.Who != event.Partner:
		return nil
	}
	if counted, ok := e.Decision.Term(decision.Counted); ok {
		return l.windowState(e, counted)
	}
	if mechanismOf(&e.Decision) == byLedger {
		return l.ledgerState(events, i)
	}
	if rows := l.mechanismState(events, i); rows != nil {
		return rows
	}
	return []StateRow{l.totalState(events, i)}
}

// callState is what a client knows about one call.
type callState struct {
	kind     event.Kind // of the call's last event
	made     int
	nextSend clock.Instant // clock.Max if none
	deadline clock.Instant // clock.Max if none
}

// callAt folds the client's events of one call.
func callAt(events []event.Event, client, call int) callState {
	s := callState{nextSend: clock.Max, deadline: clock.Max}
	for i := range events {
		e := &events[i]
		if e.Who != event.Client || e.Request.Client != client || e.Request.Call != call {
			continue
		}
		if e.Kind != event.ReplyIgnored && e.Kind != event.Notified && s.kind != event.CallSucceeded && s.kind != event.CallGaveUp {
			s.kind = e.Kind // a task may go on after its call has ended
		}
		switch e.Kind {
		case event.CallStarted:
			s.deadline = e.Until
		case event.AttemptSent:
			s.made, s.nextSend = e.Request.Attempt, clock.Max
		case event.RetryScheduled, event.AttemptHeld:
			s.nextSend = e.Until
		case event.SendRefused:
			s.nextSend = clock.Max
		}
		if t, ok := e.Decision.Term(decision.DeadlineLeft); ok && t.Mark != decision.Off {
			s.deadline = clock.Instant(t.A) // a fresh deadline moves with each attempt
		}
	}
	return s
}

func (l Lang) clientState(events []event.Event, i int) []StateRow {
	e := &events[i]
	before := callAt(events[:i], e.Request.Client, e.Request.Call)
	after := callAt(events[:i+1], e.Request.Client, e.Request.Call)
	if t, ok := e.Decision.Term(decision.DeadlineLeft); ok && t.Mark != decision.Off {
		before.deadline = after.deadline
	}
	rows := []StateRow{
		{l.Say("state.attempts-made"), number(int64(before.made)), number(int64(after.made))},
		{l.Say("state.next-send"), l.instantOrNone(before.nextSend), l.instantOrNone(after.nextSend)},
		{l.Say("state.deadline-left"), l.left(before.deadline, e.At), l.left(after.deadline, e.At)},
	}
	if from, to := l.phase(before.kind), l.phase(after.kind); from != to {
		rows = append(rows, StateRow{l.Say("state.call"), from, to})
	}
	return rows
}

func (l Lang) phase(k event.Kind) string {
	switch k {
	case 0:
		return l.Say("state.none")
	case event.CallSucceeded:
		return l.Say("state.call.succeeded")
	case event.CallGaveUp:
		return l.Say("state.call.gave-up")
	}
	return l.Say("state.call.running")
}

func (l Lang) instantOrNone(at clock.Instant) string {
	if at == clock.Max {
		return l.Say("state.none")
	}
	return l.Seconds(time.Duration(at))
}

func (l Lang) left(deadline, now clock.Instant) string {
	if deadline == clock.Max {
		return l.Say("state.none")
	}
	return l.Seconds(max(deadline.Sub(now), 0))
}

// windowState says what a sliding log counted before and after a request. A look-up changes nothing, nor does a refusal,
// unless the log counts that too.
func (l Lang) windowState(e *event.Event, counted decision.Term) []StateRow {
	before, row := counted.Value, l.Say("state.counted")
	if e.Kind == event.RequestAdmitted || e.Kind == event.RequestRefused && counted.Value > counted.A {
		before--
	}
	rows := []StateRow{{row, l.countedOf(before, counted.A), l.countedOf(counted.Value, counted.A)}}
	opens, ok := e.Decision.Term(decision.Opens)
	if !ok {
		return rows
	}
	then := opens.Value
	for _, f := range e.Decision.Flips() {
		if f.Name == decision.Opens {
			then = f.Value
		}
	}
	return append(rows, StateRow{
		l.Say("state.next-place"),
		l.place(before, counted.A, clock.Instant(then)), l.place(counted.Value, counted.A, clock.Instant(opens.Value)),
	})
}

// limiterState counts the caller's admitted requests whose places have not opened again.
func (l Lang) limiterState(events []event.Event, i int) []StateRow {
	e := &events[i]
	terms, counts := e.Decision.Term(decision.InPeriod)
	if !counts {
		return l.otherLimiterState(events, i) // what they hold is no number of requests
	}
	key, _ := e.Decision.Term(decision.ClientKey)
	counted, opens := int64(0), clock.Max
	for k := range events[:i] {
		p := &events[k]
		under, _ := p.Decision.Term(decision.ClientKey)
		if p.Kind == event.RequestAdmitted && under.Text == key.Text && p.Until > e.At {
			counted++
			opens = min(opens, p.Until)
		}
	}
	after, opensAfter := counted, opens
	if e.Kind == event.RequestAdmitted {
		after, opensAfter = counted+1, min(opens, e.Until)
	}
	return []StateRow{
		{l.Say("state.counted"), l.countedOf(counted, terms.A), l.countedOf(after, terms.A)},
		{l.Say("state.next-place"), l.place(counted, terms.A, opens), l.place(after, terms.A, opensAfter)},
	}
}

func (l Lang) countedOf(counted, limit int64) string {
	return l.Say("value.counted", "counted", number(counted), "limit", number(limit))
}

func (l Lang) place(counted, limit int64, opens clock.Instant) string {
	if counted < limit {
		return l.Say("state.open-now")
	}
	return l.Seconds(time.Duration(opens))
}

// ledgerState shows the record under the key, how often anything was applied, and the total.
func (l Lang) ledgerState(events []event.Event, i int) []StateRow {
	e := &events[i]
	var rows []StateRow
	if e.Request.HasKey() && e.Decision.Reason != decision.KeysIgnored {
		before, after := l.record(e)
		rows = append(l.keyState(e), StateRow{l.Say("state.record", "key", literal(e.Request.Key)), before, after})
		rows = append(rows, l.branch(e)...)
	}
	effects := int64(0)
	for k := range events[:i] {
		if events[k].Kind == event.EffectApplied {
			effects++
		}
	}
	after := effects
	if e.Kind == event.EffectApplied {
		after++
	}
	rows = append(rows, StateRow{l.Say("state.effects"), number(effects), number(after)})
	return append(rows, l.totalState(events, i))
}

func (l Lang) record(e *event.Event) (before, after string) {
	switch t, _ := e.Decision.Term(decision.Saved); {
	case e.Decision.Reason == decision.KeyNew, e.Decision.Reason == decision.LeaseOver:
		return l.Say("state.none"), l.saved(int64(e.Response.Status), e.Total)
	case t.Mark == decision.Off: // in flight, or its record was lost
		return l.Say("state.none"), l.Say("state.none")
	default:
		kept := l.saved(t.Value, t.A)
		return kept, kept
	}
}

func (l Lang) saved(status, total int64) string {
	return l.Say("state.saved", "saved", number(status), "saved-total", number(total))
}

func (l Lang) totalState(events []event.Event, i int) StateRow {
	before := int64(0)
	for k := range events[:i] {
		if events[k].Kind == event.EffectApplied {
			before = events[k].Total
		}
	}
	after := before
	if events[i].Kind == event.EffectApplied {
		after = events[i].Total
	}
	return StateRow{l.Say("state.total"), number(before), number(after)}
}
