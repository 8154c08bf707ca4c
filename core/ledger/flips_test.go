package ledger

import (
	"math/rand/v2"
	"testing"
	"time"

	"retrylab.example/core/call"
	"retrylab.example/core/clock"
	"retrylab.example/core/decision"
	"retrylab.example/core/decision/decisiontest"
)

// TestFlipsAreTrue: with another key, payload or instant, as a flip says, the ledger decides as it says.
func TestFlipsAreTrue(t *testing.T) {
	told := decisiontest.Told{}
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 1))
		l, now := New(Config{Lifetime: 20 * time.Second, Lease: time.Duration(r.IntN(2)) * 3 * time.Second}), clock.Start
		for range 15 {
			now = now.Add(time.Duration(r.IntN(1500)) * time.Millisecond)
			request := call.Request{Method: "POST", Path: "/add", Key: string(rune('a' + r.IntN(3))), Keyed: true, Amount: 1 + r.Int64N(2), Slot: r.Int64N(2)}
			before := l.Clone()
			next, ticket, _, d := l.Begin(now, request)
			decisiontest.Flips(t, d, told, func(f decision.Flip, value int64) decision.Decision {
				other := before.with(now, request, f.Name, value)
				if holds, _ := f.Edge(); value == holds && other.Wait != f.Wait {
					t.Errorf("%s: with %s %d the wait is %s, not %s", d.Reason, f.Name, value, other.Wait, f.Wait)
				}
				return other
			})
			if t.Failed() {
				t.Fatalf("seed %d", seed)
			}
			if l = next; d.Verdict == decision.Apply && r.IntN(2) == 0 {
				l, _ = l.Finish(now, ticket, call.Response{Status: 200}, true)
			}
		}
	}
	told.Want(t, "key-known key", "key-mismatch payload", "key-mismatch slot", "key-mismatch key", "key-in-flight work-lease",
		"key-in-flight key", "lease-over work-lease")
}

// with asks about a request with one row at another value: of a lease, that is the instant for one that lasts, and its end
// for one that is over.
func (l Ledger) with(now clock.Instant, r call.Request, n decision.Name, value int64) decision.Decision {
	l = l.Clone()
	i, known := l.index[ScopeOf(r)]
	switch n {
	case decision.Key:
		r.Key = "another"
	case decision.Payload:
		r.Amount = value
	case decision.Slot:
		r.Slot = value
	case decision.WorkLease:
		if known && l.until(&l.records[i]) <= now {
			l.records[i].created = clock.Instant(value).Add(-l.config.Lease)
		} else {
			now = clock.Instant(value)
		}
	}
	_, _, _, d := l.Begin(now, r)
	return d
}
