package limit

import (
	"math/rand/v2"
	"testing"
	"time"

	"retrylab.example/core/clock"
	"retrylab.example/core/decision"
	"retrylab.example/core/decision/decisiontest"
)

// proves is decisiontest.Flips for limiters, which always say what would change it, but for what can never pass.
func proves(t *testing.T, d decision.Decision, told decisiontest.Told, ask func(decision.Name, int64) decision.Decision) {
	t.Helper()
	if len(d.Flips()) == 0 && d.Reason != decision.CostTooLarge {
		t.Errorf("%s says nothing that would change it", d.Reason)
	}
	decisiontest.Flips(t, d, told, func(f decision.Flip, value int64) decision.Decision { return ask(f.Name, value) })
}

// after returns a limiter that admitted n requests at one instant.
func after[L limiter[L]](l L, n int64, now clock.Instant) L {
	for range n {
		l, _ = l.Take("a", now)
	}
	return l
}

// play is a random limiter in the making: its setting, and the instants of its requests.
type play struct {
	*testing.T
	r      *rand.Rand
	most   int
	period time.Duration
	told   decisiontest.Told
}

func (p play) each(request func(now clock.Instant)) {
	now := clock.Start
	for range 20 {
		now = now.Add(time.Duration(p.r.Int64N(int64(p.period))))
		request(now)
	}
}

// windows proves a limiter that counts requests: one in which as many were just admitted answers for the row n.
func windows[L limiter[L]](p play, fresh L, n decision.Name, clone func(L) L) {
	l := clone(fresh)
	p.each(func(now clock.Instant) {
		before := clone(l)
		var d decision.Decision
		l, d = l.Take("a", now)
		proves(p.T, d, p.told, func(row decision.Name, value int64) (other decision.Decision) {
			if row != n {
				_, other = clone(before).Take("a", clock.Instant(value))
				return other
			}
			_, other = after(clone(fresh), value, now).Take("a", now)
			return other
		})
	})
}

func (p play) bucket() {
	b := newBucket(p.T, BucketConfig{Capacity: int64(p.most), Period: p.period, Mode: Mode(p.r.IntN(2))})
	p.each(func(now clock.Instant) {
		before, cost := b.Clone(), 1+p.r.Int64N(int64(p.most))
		var d decision.Decision
		b, d = b.TakeN("a", now, cost)
		proves(p.T, d, p.told, func(n decision.Name, value int64) (other decision.Decision) {
			changed, at := before.Clone(), now
			if n == decision.Passes {
				at = clock.Instant(value)
			} else {
				held := changed.keys.at("a", tokens{})
				held.count, held.last = value, now
			}
			_, other = changed.TakeN("a", at, cost)
			return other
		})
	})
}

func (p play) gcra() {
	g := newGCRA(p.T, GCRAConfig{Limit: int64(p.most), Burst: int64(1 + p.r.IntN(3)), Period: p.period})
	p.each(func(now clock.Instant) {
		before, cost := g.Clone(), 1+p.r.Int64N(g.config.Burst)
		var d decision.Decision
		g, d = g.TakeN("a", now, cost)
		proves(p.T, d, p.told, func(n decision.Name, value int64) (other decision.Decision) {
			changed, at := before.Clone(), now
			if n == decision.Passes {
				at = clock.Instant(value)
			} else {
				alone, part := g.config.intervals(cost)
				paid := schedule{last: now, paid: time.Duration(value) - alone}
				if whole, most := g.config.intervals(g.config.Burst); time.Duration(value) == whole && part > most {
					paid.paid-- // the parts of a nanosecond count as well
				}
				*changed.keys.at("a", schedule{}) = paid
			}
			_, other = changed.TakeN("a", at, cost)
			return other
		})
	})
}

func (p play) slots() {
	c, err := NewConcurrency(ConcurrencyConfig{Limit: p.most})
	if err != nil {
		p.Fatal(err)
	}
	p.each(func(clock.Instant) {
		var permit Permit
		var d decision.Decision
		c, permit, d = c.Acquire("a")
		proves(p.T, d, p.told, func(_ decision.Name, value int64) (other decision.Decision) {
			changed, _ := NewConcurrency(c.config)
			for range value {
				changed, _, _ = changed.Try("a")
			}
			_, _, other = changed.Acquire("a")
			return other
		})
		if p.r.IntN(3) == 0 {
			c, _ = c.Release(permit)
		}
	})
}

// TestFlipsAreTrue: every limiter says of each request, admitted or refused, what would have changed that, and each of them
// is so.
func TestFlipsAreTrue(t *testing.T) {
	told := decisiontest.Told{}
	for seed := range uint64(400) {
		r := rand.New(rand.NewPCG(seed, 9))
		p := play{t, r, 1 + r.IntN(4), time.Duration(1+r.IntN(3)) * time.Second, told}
		windows(p, newLog(t, Config{Limit: p.most, Window: p.period}), decision.Counted, Log.Clone)
		windows(p, newFixed(t, FixedConfig{Limit: p.most, Period: p.period}), decision.InPeriod, Fixed.Clone)
		p.bucket()
		p.gcra()
		p.slots()
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
	told.Want(t, "window-has-room counted", "window-full counted", "window-full opens", "period-has-room in-period", "period-full in-period",
		"period-full passes", "tokens-taken tokens", "tokens-missing tokens", "tokens-missing passes", "on-schedule schedule",
		"ahead-of-schedule passes", "slot-free in-flight", "slots-taken in-flight")
}
