package backoff

import (
	"math/big"
	"math/rand/v2"
	"testing"
	"time"

	"retrylab.example/core/clock"
	"retrylab.example/core/rng"
)

// dumb is the formula of a wait in exact fractions, without a thought for size.
func dumb(c Config, s Spread, n int, previous time.Duration, f rng.Ratio) time.Duration {
	whole := func(d time.Duration) *big.Rat { return new(big.Rat).SetInt64(int64(d)) }
	ratio := func(r rng.Ratio) *big.Rat {
		den := new(big.Int).SetUint64(r.Den)
		if r.Den == 0 {
			den.Lsh(big.NewInt(1), 64)
		}
		return new(big.Rat).SetFrac(new(big.Int).SetUint64(r.Num), den)
	}
	floor := func(r *big.Rat) *big.Rat {
		return new(big.Rat).SetInt(new(big.Int).Quo(r.Num(), r.Denom())) // r ≥ 0
	}
	times := func(a, b *big.Rat) *big.Rat { return floor(new(big.Rat).Mul(a, b)) }
	add := func(a, b *big.Rat) *big.Rat { return new(big.Rat).Add(a, b) }
	sub := func(a, b *big.Rat) *big.Rat { return new(big.Rat).Sub(a, b) }
	least := func(a, b *big.Rat) *big.Rat {
		if a.Cmp(b) < 0 {
			return a
		}
		return b
	}
	limit, fraction := whole(c.Cap), ratio(f)
	if s.Kind == Decorrelated {
		low, high := whole(c.Base), times(whole(max(previous, c.Base)), big.NewRat(3, 1))
		if s.KeepAtCap {
			high = least(high, limit)
			low = least(low, high)
		}
		w, _ := least(limit, add(low, times(sub(high, low), fraction))).Float64()
		return time.Duration(w)
	}
	raw := whole(c.Base)
	switch c.Shape {
	case Linear:
		raw = times(raw, big.NewRat(int64(n), 1))
	case Exponential:
		factor := big.NewRat(2, 1)
		if c.Factor.Den != 0 {
			factor.SetFrac64(int64(c.Factor.Num), int64(c.Factor.Den))
		}
		for range n - 1 {
			raw = times(raw, factor)
		}
	}
	share := ratio(s.Share)
	if s.Kind == PlusMinus && s.KeepAtCap {
		limit = floor(new(big.Rat).Quo(limit, add(big.NewRat(1, 1), share)))
	}
	d := least(raw, limit)
	var w *big.Rat
	switch s.Kind {
	case Fraction, Full:
		w = times(d, fraction)
	case Equal:
		half := times(d, big.NewRat(1, 2))
		w = add(half, times(sub(d, half), fraction))
	case PlusMinus:
		part := times(d, share)
		low := sub(d, part)
		w = least(whole(c.Cap), add(low, times(sub(add(d, part), low), fraction)))
	default:
		w = d
	}
	return time.Duration(w.Num().Int64())
}

// The real one agrees with the formula wherever the formula fits, and stays in [0, cap] everywhere.
func TestWaitsAreTheFormula(t *testing.T) {
	for seed := range uint64(30_000) {
		r := rand.New(rand.NewPCG(seed, 0))
		pick := func(list ...time.Duration) time.Duration { return list[r.IntN(len(list))] }
		c := Config{
			Base: pick(0, 1, 3, 999, 500*time.Millisecond, time.Second, time.Hour, clock.MaxDuration),
			Cap:  pick(0, 1, 7, time.Second, time.Minute, 1e15), Shape: Shape(r.IntN(3)),
			Factor: []Factor{{}, {3, 2}, {1, 2}, {1, 1}, {1000, 1}, {7, 3}}[r.IntN(6)],
		}
		s := Spread{
			Kind: Jitter(r.IntN(len(jitterNames))), KeepAtCap: r.IntN(2) == 0,
			Share: []rng.Ratio{{}, rng.One, {Num: 1, Den: 4}, rng.OfDraw(r.Uint64()), {Num: 1 << 63, Den: 1<<64 - 1}}[r.IntN(5)],
		}
		f := []rng.Ratio{{}, rng.One, {Num: 1, Den: 3}, rng.OfDraw(r.Uint64())}[r.IntN(4)]
		n, previous := 1+r.IntN(40), pick(0, 1, time.Second, c.Cap, clock.MaxDuration)
		l := c.After(n, s, previous, f)
		if l.Wait < 0 || l.Wait > c.Cap || l.Longest > c.Cap || l.Wait > l.Longest || l.Raw < 0 || l.Cap > c.Cap {
			t.Fatalf("seed %d: %+v, %+v, failure %d: %+v", seed, c, s, n, l)
		}
		if s.Kind == Decorrelated && max(previous, c.Base) > 1e15 || s.Kind != Decorrelated && c.Base == clock.MaxDuration {
			continue // saturated: the formula does not fit
		}
		if want := dumb(c, s, n, previous, f); l.Wait != want {
			t.Fatalf("seed %d: %+v, %+v, failure %d after %d, fraction %v: got %d, want %d", seed, c, s, n, previous, f, l.Wait, want)
		}
	}
}

// A cap that is the longest duration of all saturates, and never wraps.
func TestWithoutACapNothingWraps(t *testing.T) {
	for _, shape := range []Shape{Exponential, Linear, Constant} {
		for _, factor := range []Factor{{}, {3, 2}, {1000, 1}} {
			c := Config{Base: time.Second, Cap: clock.MaxDuration, Shape: shape, Factor: factor}
			for kind := range Jitter(len(jitterNames)) {
				before := time.Duration(0)
				for n := 1; n <= 1000; n++ {
					l := c.After(n, Spread{Kind: kind, Share: rng.One}, before, rng.One)
					if l.Wait < before {
						t.Fatalf("%s, %s: %d after %d", shape, kind, l.Wait, before)
					}
					before = l.Wait
				}
			}
		}
	}
}

func TestFactors(t *testing.T) {
	for _, c := range []struct {
		f       Factor
		doubles bool
	}{{Factor{}, true}, {Factor{2, 1}, true}, {Factor{4, 2}, true}, {Factor{3, 2}, false}, {Factor{5, 2}, false}, {Factor{1, 2}, false}} {
		if got := c.f.Doubles(); got != c.doubles {
			t.Errorf("%v doubles: %t", c.f, got)
		}
	}
	for i, name := range ShapeNames() {
		if s, ok := ParseShape(name); !ok || s != Shape(i) {
			t.Errorf("%q reads back as %s", name, s)
		}
	}
}

func BenchmarkAfter(b *testing.B) {
	for _, c := range []struct {
		name string
		c    Config
		s    Spread
	}{
		{"full", Config{Base: 1e8, Cap: 3e10}, Spread{Kind: Full}},
		{"factor 3/2", Config{Base: 1e8, Cap: 3e10, Factor: Factor{3, 2}}, Spread{Kind: PlusMinus, Share: rng.Ratio{Num: 1, Den: 4}, KeepAtCap: true}},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				c.c.After(6, c.s, 0, rng.OfDraw(1<<62))
			}
		})
	}
}
