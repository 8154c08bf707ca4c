package limit

import (
	"math/rand/v2"
	"testing"
	"time"

	"retrylab.example/core/clock"
	"retrylab.example/core/decision"
)

// Sweeping forgets keys and changes no decision, and other keys change none either.
func TestSweepingAndStrangersChangeNoDecision(t *testing.T) {
	fixed, _ := NewFixed(FixedConfig{Limit: 2, Period: time.Second})
	batch, _ := NewBucket(BucketConfig{Capacity: 2, Period: time.Second})
	even, _ := NewBucket(BucketConfig{Capacity: 2, Refill: 3, Period: time.Second, Mode: Continuous})
	gcra, _ := NewGCRA(GCRAConfig{Limit: 3, Period: time.Second, Burst: 2})
	t.Run("fixed", func(t *testing.T) { sweeps(t, fixed) })
	t.Run("batch", func(t *testing.T) { sweeps(t, batch) })
	t.Run("continuous", func(t *testing.T) { sweeps(t, even) })
	t.Run("gcra", func(t *testing.T) { sweeps(t, gcra) })
}

// swept is a limiter that forgets keys.
type swept[L any] interface {
	limiter[L]
	Sweep(now clock.Instant) L
	Len() int
}

func sweeps[L swept[L]](t *testing.T, plain L) {
	busy := plain.Clone()
	r := rand.New(rand.NewPCG(1, 2))
	now := clock.Start
	for i := range 3000 {
		now = now.Add(time.Duration(r.IntN(600)) * time.Millisecond)
		if busy = busy.Sweep(now); busy.Len() > 3 {
			t.Fatalf("step %d: %d keys", i, busy.Len())
		}
		busy, _ = busy.Take([]string{"x", "y"}[r.IntN(2)], now)
		var a, b decision.Decision
		plain, a = plain.Take("me", now)
		if busy, b = busy.Take("me", now); a != b {
			t.Fatalf("step %d at %d: %s:%s alone, %s:%s among others", i, now, a.Verdict, a.Reason, b.Verdict, b.Reason)
		}
	}
	if busy = busy.Sweep(now.Add(time.Hour)); busy.Len() != 0 {
		t.Errorf("%d keys after an hour", busy.Len())
	}
}

// Shifting all times by whole periods changes no decision.
func TestShiftingTimeChangesNoDecision(t *testing.T) {
	const shift = 7 * time.Hour
	fixed, _ := NewFixed(FixedConfig{Limit: 2, Period: time.Second})
	even, _ := NewBucket(BucketConfig{Capacity: 2, Refill: 3, Period: time.Second, Mode: Continuous})
	gcra, _ := NewGCRA(GCRAConfig{Limit: 3, Period: time.Second, Burst: 2})
	t.Run("fixed", func(t *testing.T) { shifts(t, fixed, shift) })
	t.Run("continuous", func(t *testing.T) { shifts(t, even, shift) })
	t.Run("gcra", func(t *testing.T) { shifts(t, gcra, shift) })
}

func shifts[L limiter[L]](t *testing.T, l L, shift time.Duration) {
	later := l.Clone()
	r := rand.New(rand.NewPCG(3, 4))
	now := clock.Start
	for range 500 {
		now = now.Add(time.Duration(r.IntN(600)) * time.Millisecond)
		var a, b decision.Decision
		l, a = l.Take("me", now)
		later, b = later.Take("me", now.Add(shift))
		if a.Verdict != b.Verdict || a.Wait != b.Wait {
			t.Fatalf("at %d: %s %s, shifted %s %s", now, a.Verdict, a.Wait, b.Verdict, b.Wait)
		}
	}
}

// Try decides what Take decides.
func TestTryAgreesWithTake(t *testing.T) {
	b, _ := NewBucket(BucketConfig{Capacity: 2, Refill: 3, Period: time.Second, Mode: Continuous})
	f, _ := NewFixed(FixedConfig{Limit: 2, Period: time.Second})
	g, _ := NewGCRA(GCRAConfig{Limit: 3, Period: time.Second, Burst: 2})
	l, _ := New(Config{Limit: 2, Window: time.Second})
	r, _ := New(Config{Limit: 2, Window: time.Second, RecordRefused: true})
	now := clock.Start
	for i := range 200 {
		if now = now.Add(130 * time.Millisecond); i%7 == 0 {
			now = now.Add(-260 * time.Millisecond)
		}
		_, tb := b.Clone().Try("", now, 1)
		_, tf := f.Clone().Try("", now)
		_, tg := g.Clone().Try("", now, 1)
		_, tl := l.Clone().Try("", now)
		_, tr := r.Clone().Try("", now)
		var db, df, dg, dl, dr decision.Decision
		b, db = b.Take("", now)
		f, df = f.Take("", now)
		g, dg = g.Take("", now)
		l, dl = l.Take("", now)
		r, dr = r.Take("", now)
		for i, pair := range []struct {
			a Answer
			d decision.Decision
		}{{tb, db}, {tf, df}, {tg, dg}, {tl, dl}, {tr, dr}} {
			if pair.a.Verdict != pair.d.Verdict || pair.a.Reason != pair.d.Reason || pair.a.Wait(now) != pair.d.Wait {
				t.Fatalf("%d at %d: %+v, receipt %s:%s %s", i, now, pair.a, pair.d.Verdict, pair.d.Reason, pair.d.Wait)
			}
		}
	}
}
