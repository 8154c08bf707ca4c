// Package ledger remembers which keyed requests were executed, and what was answered.
//
// Effect and record are one step: whoever calls Begin and gets Apply executes the effect and calls Finish with the
// response before anything else happens. Where work takes time, a lease marks the key as in flight from Begin on, and
// Holds asks just before the effect whether the lease still does. The contract follows the IETF draft on the
// Idempotency-Key header (draft-ietf-httpapi-idempotency-key-header-07): same key and payload → the saved response,
// other payload → refused, still being executed → refused for now.
package ledger

import (
	"strings"
	"time"

	"retrylab.example/core/call"
	"retrylab.example/core/clock"
	"retrylab.example/core/decision"
)

// Config is the setting of a ledger.
type Config struct {
	// Lifetime is how long a record is kept from its creation, > 0; at exactly this age the key is new again.
	Lifetime time.Duration
	// Lease is how long a key counts as in flight from Begin on, unless Finish comes first; at exactly this age it
	// executes anew. 0: a key is known only once its request is done, so two requests that overlap are both executed.
	Lease time.Duration
	// Errors says which errors of executed requests are saved. The zero value is all of them.
	Errors Errors
}

// DefaultLifetime is contract E's: 24 hours.
const DefaultLifetime = 24 * time.Hour

// DefaultLease is longer than a request should take.
const DefaultLease = time.Minute

// InFlightWait is how long a caller should wait before it asks again about a key that is in flight.
const InFlightWait = time.Second

// Ledger holds one record for each scope. The zero value is not ready; use New. Methods return the successor and may
// reuse storage, as append does; Clone before keeping two versions.
type Ledger struct {
	config  Config
	index   map[Scope]int // never ranged over, so its order cannot matter
	records []record
	made    int
	issued  uint64
}

// Scope is what makes a key the same key: caller, method, path and the key itself. The same key elsewhere is another.
type Scope struct{ ClientID, Method, Path, Key string }

// ScopeOf returns the scope of a request. The letter case of the method does not count, as it does not for routes.
func ScopeOf(r call.Request) Scope {
	return Scope{r.ClientID, strings.ToUpper(r.Method), r.Path, r.Key}
}

// fingerprint is all of a payload that can differ inside one scope. It is of what a body says, not of its bytes: other
// white space or another order of fields is the same request. Header fields never count.
type fingerprint struct{ amount, slot int64 }

func fingerprintOf(r call.Request) fingerprint { return fingerprint{r.Amount, r.Slot} }

type record struct {
	scope   Scope
	payload fingerprint
	// ticket is that of the request that is being executed, 0 once the response is saved.
	ticket   uint64
	response call.Response
	// created is when the response was saved, or when the execution began.
	created clock.Instant
}

// Ticket is the right to execute one keyed request. The zero value is none.
type Ticket struct {
	scope   Scope
	payload fingerprint
	serial  uint64
}

// New returns an empty ledger.
func New(c Config) Ledger {
	if c.Lifetime <= 0 {
		c.Lifetime = DefaultLifetime
	}
	return Ledger{config: c, index: map[Scope]int{}}
}

// Config returns the setting, with Lifetime filled in.
func (l Ledger) Config() Config { return l.config }

// Clone returns a copy that shares no storage.
func (l Ledger) Clone() Ledger {
	c := l
	c.index = make(map[Scope]int, len(l.records))
	c.records = append([]record(nil), l.records...)
	for i, rec := range c.records {
		c.index[rec.scope] = i
	}
	return c
}

// Made returns how many effects were ever recorded. Saved errors are no effects.
func (l Ledger) Made() int { return l.made }

// Len returns how many records and leases are held in memory.
func (l Ledger) Len() int { return len(l.records) }

// Has reports whether the ledger holds a record or a lease of that scope, so that a request in it takes no further
// memory.
func (l Ledger) Has(s Scope) bool {
	_, ok := l.index[s]
	return ok
}

// Begin decides what to do with a keyed request. Apply: execute it under the ticket. Replay: answer with the returned
// response. Refuse: the key belongs to another request, or its request is still being executed.
func (l Ledger) Begin(now clock.Instant, r call.Request) (next Ledger, t Ticket, saved call.Response, d decision.Decision) {
	switch rec := l.look(now, &r, &d); {
	case d.Verdict == decision.Replay:
		saved = rec.response
		saved.Replayed = true
		return l, t, saved, d
	case d.Verdict != decision.Apply:
		return l, t, saved, d
	}
	t = Ticket{scope: ScopeOf(r), payload: fingerprintOf(r)}
	if l.config.Lease > 0 {
		l.issued++
		t.serial = l.issued
		l.put(record{scope: t.scope, payload: t.payload, ticket: t.serial, created: now})
	}
	return l, t, saved, d
}

// Look returns what Begin would decide, and begins nothing.
func (l Ledger) Look(now clock.Instant, r call.Request) (d decision.Decision) {
	l.look(now, &r, &d)
	return d
}

// look decides, and returns the record or the lease of the request's key, nil if there is none.
func (l *Ledger) look(now clock.Instant, r *call.Request, d *decision.Decision) (rec *record) {
	i, known := l.index[ScopeOf(*r)]
	d.Add(decision.Term{Name: decision.Key, Text: r.Key, Value: 1, Mark: decision.Decided})
	if !known || l.expired(&l.records[i], now) {
		d.Verdict, d.Reason = decision.Apply, decision.KeyNew
		explainFirst(d, *r)
		return nil
	}
	rec = &l.records[i]
	if rec.ticket == 0 || l.until(rec) > now {
		l.compare(d, rec, *r)
		return rec
	}
	d.Verdict, d.Reason = decision.Apply, decision.LeaseOver
	explainFirst(d, *r)
	d.Mark(decision.Key, decision.Plain)
	d.Add(l.leaseTerm(rec, decision.Decided))
	held := decision.Flip{
		Name: decision.WorkLease, Bound: decision.MoreThan, Value: int64(now),
		Verdict: decision.Refuse, Reason: decision.KeyInFlight, Wait: InFlightWait,
	}
	if rec.payload != fingerprintOf(*r) {
		held.Reason, held.Wait = decision.KeyMismatch, 0
	}
	d.AddFlip(held)
	return rec
}

// compare decides about a key that is known: the same request or another, done or in flight.
func (l *Ledger) compare(d *decision.Decision, rec *record, r call.Request) {
	l.explainKnown(d, rec, r)
	switch {
	case rec.payload != fingerprintOf(r):
		d.Verdict, d.Reason = decision.Refuse, decision.KeyMismatch
		explainMismatch(d, rec, fingerprintOf(r))
	case rec.ticket != 0:
		d.Verdict, d.Reason, d.Wait = decision.Refuse, decision.KeyInFlight, InFlightWait
		d.Mark(decision.Key, decision.Plain)
		d.Mark(decision.WorkLease, decision.Decided)
		d.AddFlip(decision.Flip{
			Name: decision.WorkLease, Bound: decision.AtLeast, Value: int64(l.until(rec)),
			Verdict: decision.Apply, Reason: decision.LeaseOver,
		})
	default:
		d.Verdict, d.Reason = decision.Replay, decision.KeyKnown
	}
	d.AddFlip(decision.Flip{Name: decision.Key, Bound: decision.Exactly, Verdict: decision.Apply, Reason: decision.KeyNew})
}

// Holds reports whether the request of a ticket may still have its effect: there is no lease, or it is not over and not
// another's. Whoever lost it begins anew.
func (l Ledger) Holds(now clock.Instant, t Ticket) bool {
	if t.serial == 0 {
		return true
	}
	i, known := l.index[t.scope]
	return known && l.records[i].ticket == t.serial && l.until(&l.records[i]) > now
}

// Finish saves the response of an executed request under its key, and says whether it did: that to an effect always, an
// error as Config says. It belongs to the same step as the effect. A saved response keeps its status, its Location and
// its body; Retry-After and further fields are not saved, because they spoke of then. A ticket that does not hold saves nothing.
func (l Ledger) Finish(now clock.Instant, t Ticket, response call.Response, effect bool) (next Ledger, saved bool) {
	if !l.Holds(now, t) {
		return l, false
	}
	if !effect && !l.config.Errors.saves(response.Status) {
		return l.Abandon(t), false
	}
	response.RetryAfter, response.HasRetryAfter, response.Fields = "", false, ""
	l.put(record{scope: t.scope, payload: t.payload, response: response, created: now})
	if effect {
		l.made++
	}
	return l, true
}

// Abandon ends an execution of which nothing is saved: it never started, or its error is of a kind that is forgotten.
// The key is then new.
func (l Ledger) Abandon(t Ticket) Ledger {
	if i, known := l.index[t.scope]; known && t.serial != 0 && l.records[i].ticket == t.serial {
		l.remove(i)
	}
	return l
}

// Sweep forgets what no later decision depends on: records whose lifetime is over, and leases that are over for good.
func (l Ledger) Sweep(now clock.Instant) Ledger {
	for i := len(l.records) - 1; i >= 0; i-- {
		if l.expired(&l.records[i], now) {
			l.remove(i)
		}
	}
	return l
}

// until returns the instant at which the lease of a request in flight is over.
func (l *Ledger) until(rec *record) clock.Instant { return rec.created.Add(l.config.Lease) }

// expired reports whether a record is as good as none. Of a lease that is over the ledger tells for a lifetime.
func (l *Ledger) expired(rec *record, now clock.Instant) bool {
	return rec.created.Add(l.config.Lifetime) <= now && (rec.ticket == 0 || l.until(rec) <= now)
}

// put sets the record of a scope; the one before gives way.
func (l *Ledger) put(rec record) {
	if i, known := l.index[rec.scope]; known {
		l.records[i] = rec
		return
	}
	l.index[rec.scope] = len(l.records)
	l.records = append(l.records, rec)
}

// remove takes a record out. The last one takes its place: no decision depends on their order.
func (l *Ledger) remove(i int) {
	last := len(l.records) - 1
	delete(l.index, l.records[i].scope)
	if i < last {
		l.records[i] = l.records[last]
		l.index[l.records[i].scope] = i
	}
	l.records[last] = record{} // so that what was forgotten can be freed
	l.records = l.records[:last]
}
