package limit

import (
	"errors"
	"math/big"
	"testing"
	"time"

	"retrylab.example/core/clock"
	"retrylab.example/core/decision"
)

// slowBucket is one bucket in exact fractions, refilled without any rounding.
type slowBucket struct {
	config BucketConfig
	level  *big.Rat
	latest clock.Instant
	begun  bool
}

func rat(n int64) *big.Rat { return new(big.Rat).SetInt64(n) }

func (s *slowBucket) refill(now clock.Instant) {
	if !s.begun {
		s.level, s.latest, s.begun = rat(s.config.Capacity), now, true
	}
	if now <= s.latest {
		return
	}
	gained := new(big.Rat)
	if s.config.Mode == Batch {
		for n := int64(-1 << 10); n <= 1<<10; n++ {
			if start := clock.Instant(n * int64(s.config.Period)); start > s.latest && start <= now {
				gained.Add(gained, rat(s.config.Refill))
			}
		}
	} else {
		gained.Mul(rat(int64(now-s.latest)), big.NewRat(s.config.Refill, int64(s.config.Period)))
	}
	s.latest = now
	if s.level.Add(s.level, gained); s.level.Cmp(rat(s.config.Capacity)) > 0 {
		s.level.SetInt64(s.config.Capacity)
	}
}

func (s *slowBucket) take(now clock.Instant, cost int64) bool {
	s.refill(now)
	if s.level.Cmp(rat(cost)) < 0 {
		return false
	}
	s.level.Sub(s.level, rat(cost))
	return true
}

func FuzzBucket(f *testing.F) {
	f.Add(uint8(2), uint8(2), uint16(999), false, []byte{0, 0, 0, 0, 80, 96, 240})
	f.Add(uint8(4), uint8(0), uint16(6), true, []byte{13, 0, 0, 29, 14, 31, 0, 253})
	f.Add(uint8(0), uint8(6), uint16(332), true, []byte{16, 32, 48, 15, 255, 80, 80})
	drawn(func(a, b, c uint8, steps []byte) { f.Add(a, b, uint16(c)*3, c&1 == 1, steps) })
	f.Fuzz(func(t *testing.T, capacity, refill uint8, period uint16, continuous bool, hops []byte) {
		if len(hops) > 100 {
			return
		}
		c := BucketConfig{
			Capacity: int64(capacity%5) + 1, Refill: int64(refill%7) + 1, Period: time.Duration(period) + 1,
		}
		if continuous {
			c.Mode = Continuous
		}
		b, err := NewBucket(c)
		if err != nil {
			t.Fatal(err)
		}
		slow := slowBucket{config: c}
		now, latest := clock.Start, clock.Min
		for i, h := range hops {
			if now = hop(now, h, c.Period); now < clock.Instant(-500*c.Period) || now > clock.Instant(500*c.Period) {
				return
			}
			cost := int64(h>>6) % (c.Capacity + 1)
			kept := b.Clone()
			admitted := slow.take(now, cost)
			var d decision.Decision
			b, d = b.TakeN("", now, cost)
			if d.Verdict == decision.Admit != admitted {
				t.Fatalf("request %d at %d, cost %d: got %s, want admitted %t", i, now, cost, d.Verdict, admitted)
			}
			nano := new(big.Rat).Mul(slow.level, rat(Token))
			if got, want := b.Tokens("", now), new(big.Int).Quo(nano.Num(), nano.Denom()); want.Cmp(big.NewInt(got)) != 0 {
				t.Fatalf("request %d at %d: %d nano-tokens, want %s", i, now, got, want)
			}
			if now >= latest {
				latest = now
				bucketPasses(t, kept, now, cost, d)
			}
		}
	})
}

// bucketPasses: a refused request is refused until the instant that it was told, and not from then on.
func bucketPasses(t *testing.T, b Bucket, now clock.Instant, cost int64, d decision.Decision) {
	t.Helper()
	row, refused := d.Term(decision.Passes)
	if !refused {
		return
	}
	passes := clock.Instant(row.Value)
	_, early := b.Clone().TakeN("", passes-1, cost)
	_, then := b.Clone().TakeN("", passes, cost)
	_, told := b.Clone().TakeN("", now.Add(d.Wait), cost)
	if passes <= now || early.Verdict != decision.Refuse || then.Verdict != decision.Admit || told.Verdict != decision.Admit {
		t.Fatalf("refused at %d, told %d and %s: early %s, then %s, told %s",
			now, passes, d.Wait, early.Verdict, then.Verdict, told.Verdict)
	}
	if f := d.Flips()[1]; f.Value != cost*Token {
		t.Fatalf("flip %+v, cost %d", f, cost)
	}
}

func TestBucketSettings(t *testing.T) {
	good := BucketConfig{Capacity: 1, Period: 1}
	for _, change := range []func(*BucketConfig){
		func(c *BucketConfig) { c.Capacity = 0 },
		func(c *BucketConfig) { c.Capacity = MaxTokens + 1 },
		func(c *BucketConfig) { c.Refill = -1 },
		func(c *BucketConfig) { c.Refill = MaxTokens + 1 },
		func(c *BucketConfig) { c.Period = 0 },
		func(c *BucketConfig) { c.Mode = Continuous + 1 },
	} {
		c := good
		change(&c)
		if _, err := NewBucket(c); !errors.Is(err, ErrBucket) {
			t.Errorf("%+v: %v", c, err)
		}
	}
	for _, m := range []Mode{Batch, Continuous} {
		if back, ok := ParseMode(m.String()); !ok || back != m {
			t.Errorf("mode %s reads back as %s", m, back)
		}
	}
	if _, ok := ParseMode("drip"); ok {
		t.Error("a mode drip")
	}
}

// In any time t a continuous bucket admits at most capacity + t·rate, asked every millisecond.
func TestBucketAdmitsAtMostCapacityAndRate(t *testing.T) {
	b, err := NewBucket(BucketConfig{Capacity: 4, Refill: 3, Period: 700 * time.Millisecond, Mode: Continuous})
	if err != nil {
		t.Fatal(err)
	}
	var admitted []clock.Instant
	for at := clock.Start; at < 20e9; at += 1e6 {
		var d decision.Decision
		if b, d = b.Take("", at); d.Verdict == decision.Admit {
			admitted = append(admitted, at)
		}
	}
	for i := range admitted {
		for k := i; k < len(admitted); k++ {
			if most := 4 + int64(admitted[k]-admitted[i])*3/7e8; int64(k-i+1) > most {
				t.Fatalf("%d admitted from %d to %d, at most %d", k-i+1, admitted[i], admitted[k], most)
			}
		}
	}
}

// The extremes of time and size do not overflow.
func TestBucketAtTheEdges(t *testing.T) {
	for _, mode := range []Mode{Batch, Continuous} {
		for _, c := range []BucketConfig{
			{Capacity: MaxTokens, Refill: MaxTokens, Period: 1, Mode: mode},
			{Capacity: MaxTokens, Refill: 1, Period: clock.MaxDuration, Mode: mode},
			{Capacity: 1, Refill: MaxTokens, Period: clock.MaxDuration, Mode: mode},
		} {
			b, err := NewBucket(c)
			if err != nil {
				t.Fatal(err)
			}
			b, _ = b.TakeN("", clock.Min, c.Capacity)
			b, d := b.TakeN("", clock.Min, c.Capacity)
			row, _ := d.Term(decision.Passes)
			if d.Verdict != decision.Refuse || row.Value <= int64(clock.Min) || d.Wait < 0 {
				t.Errorf("%+v: %s, passes at %d, wait %s", c, d.Verdict, row.Value, d.Wait)
			}
			if got := b.Tokens("", clock.Max); got < 0 || got > c.Capacity*Token {
				t.Errorf("%+v: %d nano-tokens at the end of time", c, got)
			}
		}
	}
}
