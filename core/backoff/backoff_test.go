package backoff

import (
	"testing"
	"time"

	"retrylab.example/core/clock"
	"retrylab.example/core/rng"
)

func TestRawSaturates(t *testing.T) {
	for _, c := range []struct {
		base     time.Duration
		exponent int
		want     time.Duration
	}{
		{0, 1000, 0}, {1, 0, 1}, {1, 62, 1 << 62}, {1, 63, clock.MaxDuration}, {3, 62, clock.MaxDuration},
		{time.Second, 34, clock.MaxDuration}, {time.Second, 33, 8589934592 * time.Second}, {time.Second, 1000, clock.MaxDuration},
	} {
		if got := (Config{Base: c.base}).Raw(c.exponent); got != c.want {
			t.Errorf("%d·2^%d: got %d, want %d", c.base, c.exponent, got, c.want)
		}
	}
}

// Whatever is drawn, a wait stays in [0, d], and equal jitter keeps half of it.
func TestJitterStaysInside(t *testing.T) {
	half, last := rng.Ratio{Num: 1, Den: 2}, rng.OfDraw(1<<64-1)
	for _, c := range []struct {
		jitter Jitter
		d      time.Duration
		f      rng.Ratio
		want   time.Duration
	}{
		{NoJitter, 5, rng.Ratio{}, 5},
		{Fraction, 5, rng.One, 5}, {Fraction, 5, half, 2}, {Fraction, 5, rng.Ratio{}, 0},
		{Full, 5, last, 4}, {Full, 5, rng.Ratio{}, 0}, {Full, clock.MaxDuration, last, clock.MaxDuration - 1},
		{Equal, 5, rng.Ratio{}, 2}, {Equal, 5, half, 3}, {Equal, 5, last, 4}, {Equal, 4, last, 3}, {Equal, 0, last, 0},
		{Equal, clock.MaxDuration, rng.One, clock.MaxDuration},
	} {
		wait, longest := c.jitter.Apply(c.d, c.f)
		if wait != c.want || longest != c.d {
			t.Errorf("%s of %d by %v: got %d of %d, want %d", c.jitter, c.d, c.f, wait, longest, c.want)
		}
	}
}

func TestNamesReadBack(t *testing.T) {
	for i, name := range JitterNames() {
		if j, ok := ParseJitter(name); !ok || j != Jitter(i) || j.String() != name {
			t.Errorf("%q reads back as %s, %t", name, j, ok)
		}
	}
	if _, ok := ParseJitter("Full"); ok {
		t.Error("names have one letter case")
	}
}
