// Package ledger remembers which keyed requests were executed, and what was answered.
//
// Effect and record are one step: whoever calls Begin and gets Apply executes the effect and calls Finish with the
// response before anything else happens. The contract follows the IETF draft on the Idempotency-Key header
// (draft-ietf-httpapi-idempotency-key-header-07): same key and payload → the saved response, other payload → refused.
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
}

// DefaultLifetime is contract E's: 24 hours.
const DefaultLifetime = 24 * time.Hour

// Ledger holds one record for each scope. The zero value is not ready; use New. Methods return the successor and may
// reuse storage, as append does; Clone before keeping two versions.
type Ledger struct {
	config  Config
	index   map[Scope]int // never ranged over, so its order cannot matter
	records []record
	made    int
}

// Scope is what makes a key the same key: caller, method, path and the key itself. The same key elsewhere is another.
type Scope struct{ ClientID, Method, Path, Key string }

// ScopeOf returns the scope of a request. The letter case of the method does not count, as it does not for routes.
func ScopeOf(r call.Request) Scope {
	return Scope{r.ClientID, strings.ToUpper(r.Method), r.Path, r.Key}
}

type record struct {
	scope    Scope
	amount   int64 // the fingerprint: all that can differ inside one scope
	response call.Response
	created  clock.Instant
}

// New returns an empty ledger.
func New(c Config) Ledger {
	if c.Lifetime <= 0 {
		c.Lifetime = DefaultLifetime
	}
	return Ledger{config: c, index: map[Scope]int{}}
}

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

// Made returns how many effects were ever recorded.
func (l Ledger) Made() int { return l.made }

// Begin decides what to do with a keyed request. Apply: execute it and call Finish at once. Replay: answer with the
// returned response. Refuse: the key belongs to another request.
func (l Ledger) Begin(now clock.Instant, r call.Request) (call.Response, decision.Decision) {
	i, known := l.index[ScopeOf(r)]
	known = known && l.records[i].created.Add(l.config.Lifetime) > now
	d := decision.Decision{Verdict: decision.Apply, Reason: decision.KeyNew}
	d.Add(decision.Term{Name: decision.Key, Text: r.Key, Value: 1, Mark: decision.Decided})
	if !known {
		d.Add(decision.Term{Name: decision.Saved, Mark: decision.Off})
		d.Add(decision.Term{Name: decision.Payload, Value: r.Amount, Mark: decision.Off})
		return call.Response{}, d
	}
	rec := l.records[i]
	d.Add(decision.Term{
		Name: decision.Saved, Value: int64(rec.response.Status), A: rec.response.Body.Total, B: int64(rec.created),
	})
	d.Add(decision.Term{Name: decision.Payload, Value: r.Amount, A: rec.amount})
	newKey := decision.Flip{Name: decision.Key, Bound: decision.Exactly, Verdict: decision.Apply, Reason: decision.KeyNew}
	if rec.amount != r.Amount {
		d.Verdict, d.Reason = decision.Refuse, decision.KeyMismatch
		d.Mark(decision.Key, decision.Plain)
		d.Mark(decision.Payload, decision.Decided)
		d.AddFlip(decision.Flip{
			Name: decision.Payload, Bound: decision.Exactly, Value: rec.amount,
			Verdict: decision.Replay, Reason: decision.KeyKnown,
		})
		d.AddFlip(newKey)
		return call.Response{}, d
	}
	d.Verdict, d.Reason = decision.Replay, decision.KeyKnown
	d.AddFlip(newKey)
	saved := rec.response
	saved.Replayed = true
	return saved, d
}

// Finish saves the response under the request's key. It belongs to the same step as the effect.
func (l Ledger) Finish(now clock.Instant, r call.Request, response call.Response) Ledger {
	scope := ScopeOf(r)
	rec := record{scope: scope, amount: r.Amount, response: response, created: now}
	if i, known := l.index[scope]; known {
		l.records[i] = rec // an expired record gives way
	} else {
		l.index[scope] = len(l.records)
		l.records = append(l.records, rec)
	}
	l.made++
	return l
}
