package partner

import (
	"math/rand/v2"
	"testing"
	"time"

	"retrylab.example/core/call"
	"retrylab.example/core/clock"
	"retrylab.example/core/decision"
	"retrylab.example/core/decision/decisiontest"
	"retrylab.example/core/ledger"
)

// TestFlipsAreTrue: a request with another slot, amount or key, or to a slot with so many places taken, is answered as the
// flips of reservations say.
func TestFlipsAreTrue(t *testing.T) {
	told := decisiontest.Told{}
	for seed := range uint64(400) {
		r := rand.New(rand.NewPCG(seed, 2))
		p, err := New(Config{
			Slots: Slots{Count: 2, Places: 3}, IgnoreKeys: r.IntN(4) == 0, RequireKeys: r.IntN(4) == 0,
			Ledger: ledger.Config{Lifetime: time.Hour, Lease: time.Duration(r.IntN(2)) * time.Second},
		})
		if err != nil {
			t.Fatal(err)
		}
		for i := range 15 {
			now := clock.Start.Add(time.Duration(i) * 300 * time.Millisecond)
			request := call.Request{
				Method: "POST", Path: [...]string{call.Reservations, call.Reservations, "/waitlist", "/estimate", "/add"}[r.IntN(5)],
				Slot: r.Int64N(5), Amount: 1 + r.Int64N(4), ClientID: "a",
			}
			if r.IntN(5) == 0 {
				request.Method, request.Path, request.Amount, request.Slot = "DELETE", call.Reservations+"/"+string(rune('1'+r.IntN(2))), 0, 0
			}
			if r.IntN(2) == 0 {
				request.Key, request.Keyed = string(rune('a'+r.IntN(4))), true
			}
			before := p.Clone()
			var res Result
			p, res = p.Handle(now, request)
			decisiontest.Flips(t, res.Answer, told, func(f decision.Flip, value int64) decision.Decision {
				return before.with(now, request, f.Name, value)
			})
			if t.Failed() {
				t.Fatalf("seed %d", seed)
			}
		}
	}
	told.Want(t, "slot-unknown slot", "slot-full places", "slot-full payload", "key-absent key", "key-known key", "key-mismatch key", "key-missing key")
}

// with returns what a request with one row at another value is answered.
func (p Partner) with(now clock.Instant, r call.Request, n decision.Name, value int64) decision.Decision {
	p = p.Clone()
	switch n {
	case decision.Slot:
		r.Slot = value
	case decision.Payload:
		r.Amount = value
	case decision.Key:
		r.Key, r.Keyed = "another", true
	case decision.Places:
		p.book.taken[r.Slot-1] = value
	}
	_, res := p.Handle(now, r)
	return res.Answer
}
