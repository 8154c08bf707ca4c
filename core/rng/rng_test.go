package rng

import (
	"testing"
	"time"
)

func TestScaleRoundsDownAndReachesBothEnds(t *testing.T) {
	for _, c := range []struct {
		r       Ratio
		d, want time.Duration
	}{
		{Ratio{}, time.Second, 0},
		{One, time.Second, time.Second},
		{Ratio{1, 2}, 5, 2},
		{Ratio{Num: 1 << 63}, 5, 2},
		{OfDraw(1<<64 - 1), 1 << 62, 1<<62 - 1},
		{One, 1<<63 - 1, 1<<63 - 1},
	} {
		if got := c.r.Scale(c.d); got != c.want {
			t.Errorf("%v.Scale(%d) = %d, want %d", c.r, c.d, got, c.want)
		}
	}
}

// A draw must not depend on what else happens in the run: these bits are part of every committed trace.
func TestDrawIsFixed(t *testing.T) {
	if a, b := Draw(7, 0, 1, 1, Jitter), Draw(7, 0, 1, 1, Jitter); a != b {
		t.Fatalf("the same draw gave %x and %x", a, b)
	}
	seen := map[uint64]bool{}
	for seed := range uint64(4) {
		for client := range 3 {
			for call := range 3 {
				for attempt := range 5 {
					for _, p := range []Purpose{Jitter, Latency} {
						seen[Draw(seed, client, call, attempt, p)] = true
					}
				}
			}
		}
	}
	if want := 4 * 3 * 3 * 5 * 2; len(seen) != want {
		t.Errorf("%d different draws, want %d", len(seen), want)
	}
}

func TestDrawsAreSpread(t *testing.T) {
	var buckets [10]int
	const n = 100_000
	for i := range n {
		buckets[OfDraw(Draw(uint64(i), 0, 1, 1, Jitter)).Scale(10)]++
	}
	for i, got := range buckets {
		if got < n/10-600 || got > n/10+600 { // six standard deviations
			t.Errorf("bucket %d holds %d of %d draws", i, got, n)
		}
	}
}
