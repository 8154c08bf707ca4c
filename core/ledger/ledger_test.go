package ledger

import (
	"testing"
	"time"

	"retrylab.example/core/call"
	"retrylab.example/core/clock"
	"retrylab.example/core/decision"
)

// slowLedger keeps every record ever made in a list and looks from the end for one that still counts.
type slowLedger struct {
	lifetime time.Duration
	records  []slowRecord
}

type slowRecord struct {
	request call.Request
	status  int
	at      clock.Instant
}

func (l *slowLedger) take(now clock.Instant, r call.Request, status int) (decision.Reason, int) {
	for i := len(l.records) - 1; i >= 0; i-- {
		rec := l.records[i]
		a, b := rec.request, r
		if a.ClientID != b.ClientID || a.Path != b.Path || a.Key != b.Key || now.Sub(rec.at) >= l.lifetime {
			continue
		}
		if a.Amount != b.Amount {
			return decision.KeyMismatch, 0
		}
		return decision.KeyKnown, rec.status
	}
	l.records = append(l.records, slowRecord{r, status, now})
	return decision.KeyNew, status
}

func FuzzLedger(f *testing.F) {
	f.Add([]byte{0, 0, 0, 0})
	f.Add([]byte{0, 1, 0, 64, 1, 128, 192, 255})
	f.Add([]byte{8, 8, 16, 24, 8, 32, 8, 40, 200, 8})
	f.Fuzz(func(t *testing.T, data []byte) {
		const lifetime = 4 * time.Second
		l, slow := New(Config{Lifetime: lifetime}), slowLedger{lifetime: lifetime}
		now := clock.Start
		for i, b := range data {
			now = now.Add(time.Duration(b>>6) * 2 * time.Second)
			r := call.Request{
				ClientID: string('a' + rune(b&1)), Method: []string{"POST", "post"}[b>>1&1], Path: "/add",
				Key: string('k' + rune(b>>2&1)), Amount: int64(b >> 3 & 1), Keyed: true,
			}
			reason, status := slow.take(now, r, 200+i)
			kept, made := l.Clone(), l.Made()
			got := turn(&l, now, r, 200+i)
			if got.reason != reason || got.status != status {
				t.Fatalf("step %d: got %s %d, want %s %d", i, got.reason, got.status, reason, status)
			}
			if again := turn(&kept, now, r, 200+i); again != got || kept.Made() != l.Made() {
				t.Fatalf("step %d: a clone gives %v after %d records, the original %v", i, again, made, got)
			}
		}
	})
}

type turned struct {
	reason   decision.Reason
	status   int
	replayed bool
}

// turn begins and finishes one request, as a partner does in one step.
func turn(l *Ledger, now clock.Instant, r call.Request, status int) turned {
	saved, d := l.Begin(now, r)
	if d.Verdict == decision.Apply {
		saved = call.Response{Status: status}
		*l = l.Finish(now, r, saved)
	}
	return turned{d.Reason, saved.Status, saved.Replayed}
}

func TestAKeyIsNewAtExactlyItsLifetime(t *testing.T) {
	r := call.Request{Method: "POST", Path: "/add", Key: "k", Keyed: true, Amount: 10}
	for _, c := range []struct {
		age  time.Duration
		want decision.Reason
	}{{0, decision.KeyKnown}, {DefaultLifetime - 1, decision.KeyKnown}, {DefaultLifetime, decision.KeyNew}} {
		l := New(Config{})
		turn(&l, 5, r, 201)
		if got := turn(&l, clock.Instant(5).Add(c.age), r, 202); got.reason != c.want {
			t.Errorf("after %s: got %s, want %s", c.age, got.reason, c.want)
		}
	}
}
