// Package measure folds the events of a run into numbers. It reads events and nothing else.
package measure

import (
	"retrylab.example/core/call"
	"retrylab.example/core/event"
	"retrylab.example/core/ledger"
)

// Totals are the counts and the amounts of a run so far (contract C, "the two totals"). The zero value is a run in
// which nothing happened.
//
// Naive and Deduped are computed from the same arrivals, whatever the partner does: naive applies every valid request
// that arrived, deduped applies a keyed one once per key. A request that was turned away adds to neither: refused by
// the partner, answered by order, or met by a crash before its effect. Actual is the partner's own total.
type Totals struct {
	// Sent counts attempts, Arrived those that reached the partner.
	Sent, Arrived int
	// Applied counts effects, Replayed saved responses given again.
	Applied, Replayed int
	// Refused counts requests that the partner answered without doing them; RefusedLocally attempts that one of the
	// client's own guards stopped before they were sent.
	Refused, RefusedLocally int
	// Duplicates counts effects beyond the first of one call that changed the total.
	Duplicates int
	// Succeeded and GaveUp count ended calls; Calls all that were started.
	Calls, Succeeded, GaveUp int
	// Fallbacks counts the callers of calls that gave up which got something instead.
	Fallbacks int

	Naive, Deduped, Actual int64
}

// Fold adds events one by one. The zero value is ready.
type Fold struct {
	totals  Totals
	keys    map[ledger.Scope]bool // looked up, never ranged over
	effects map[callID]bool
}

type callID struct{ client, call int }

// Totals returns the totals of the events so far.
func (f *Fold) Totals() Totals { return f.totals }

// Brief says that totals need no receipt: see sim.Brief.
func (f *Fold) Brief() bool { return true }

// Event adds one event.
func (f *Fold) Event(e *event.Event) {
	m := f.remember(e)
	f.totals.Add(e, m)
}

// Memory is what one has to know of earlier events to count one more.
type Memory struct {
	// KeyCounts says that the request counts under its key already.
	KeyCounts bool
	// HadEffect says that its call has had an effect already.
	HadEffect bool
}

// remember returns what earlier events make of this one, and keeps it in mind for later ones.
func (f *Fold) remember(e *event.Event) (m Memory) {
	if e.Kind == event.EffectApplied {
		id := callID{e.Request.Client, e.Request.Call}
		if f.effects == nil {
			f.effects = map[callID]bool{}
		}
		m.HadEffect, f.effects[id] = f.effects[id], true
	}
	if e.Request.HasKey() && Counts(e) {
		scope := ledger.ScopeOf(e.Request)
		if f.keys == nil {
			f.keys = map[ledger.Scope]bool{}
		}
		m.KeyCounts, f.keys[scope] = f.keys[scope], true
	}
	return m
}

// Counts reports whether an event says that a valid request arrived, one that counts in the amounts.
func Counts(e *event.Event) bool {
	// A saved error is an answer to a request that was turned away.
	return e.Kind == event.EffectApplied || e.Kind == event.ReplyReplayed && e.Response.Status < 300
}

// Add adds one event, with what earlier ones make of it.
func (t *Totals) Add(e *event.Event, m Memory) {
	switch e.Kind {
	case event.CallStarted:
		t.Calls++
	case event.AttemptSent:
		t.Sent++
	case event.SendRefused:
		t.RefusedLocally++
	case event.RequestArrived:
		t.Arrived++
	case event.RequestRefused:
		t.Refused++
	case event.EffectApplied:
		t.Applied++
		t.Actual = e.Total
		if m.HadEffect && e.Delta != 0 {
			t.Duplicates++
		}
	case event.ReplyReplayed:
		t.Replayed++
	case event.CallSucceeded:
		t.Succeeded++
	case event.CallGaveUp:
		t.GaveUp++
	case event.FallbackUsed:
		t.Fallbacks++
	}
	if Counts(e) {
		t.arrival(e, m)
	}
}

// arrival applies a valid request that arrived to both totals. What a cancelled reservation takes back is known to the
// partner alone, so both take its word for it.
func (t *Totals) arrival(e *event.Event, m Memory) {
	r := e.Request
	if r.Op() == call.Cancel {
		t.Naive, t.Deduped = t.Naive+e.Delta, t.Deduped+e.Delta
		return
	}
	t.Naive = r.Op().Apply(t.Naive, r.Amount)
	if !m.KeyCounts {
		t.Deduped = r.Op().Apply(t.Deduped, r.Amount)
	}
}

// Of returns the totals of a list of events.
func Of(events []event.Event) Totals {
	var f Fold
	for i := range events {
		f.Event(&events[i])
	}
	return f.totals
}
