package breaker

import (
	"math/rand/v2"
	"testing"

	"retrylab.example/core/clock"
	"retrylab.example/core/decision"
)

// TestCellsHoldTheLastResults holds the ring of every size to a plain list.
func TestCellsHoldTheLastResults(t *testing.T) {
	for size := 1; size <= MaxSize; size++ {
		r := rand.New(rand.NewPCG(uint64(size), 0))
		var tally tally
		var list []bool
		c := Config{Window: Count, Size: size, Minimum: size, Percent: 100}
		for n := range 3 * size {
			failed := r.IntN(2) == 0
			tally.count(&c, 0, failed)
			if list = append(list, failed); len(list) > size {
				list = list[1:]
			}
			failures := int64(0)
			for i, f := range list {
				if f {
					failures++
				}
				back := len(list) - 1 - i
				word := tally.cells.low
				if back >= 64 {
					word = tally.cells.high
				}
				if got := word>>(back%64)&1 == 1; got != f {
					t.Fatalf("size %d, result %d: the cell %d back is %t, want %t", size, n+1, back, got, f)
				}
			}
			if tally.failures != failures || tally.known != int64(len(list)) {
				t.Fatalf("size %d, result %d: %d of %d, want %d of %d",
					size, n+1, tally.failures, tally.known, failures, len(list))
			}
		}
	}
}

// TestSlicesInAReceiptAddUp: the slices of a receipt are the counts beside them.
func TestSlicesInAReceiptAddUp(t *testing.T) {
	c := Config{Window: Time, Span: 100, Minimum: 1 << 30, Percent: 100}
	r := rand.New(rand.NewPCG(1, 1))
	var tally tally
	now := int64(0)
	for range 2000 {
		now += int64(r.IntN(30))
		tally.count(&c, clock.Instant(now), r.IntN(3) == 0)
		var d decision.Decision
		tally.explain(&c, &d)
		counts, _ := d.Term(decision.Failures)
		var failures, known int64
		for _, row := range d.Terms() {
			if row.Name != decision.Slices {
				continue
			}
			for _, packed := range []int64{row.Value, row.A, row.B} {
				if packed >= 0 {
					failures, known = failures+packed>>32, known+packed&(1<<32-1)
				}
			}
		}
		if failures != counts.Value || known != counts.A {
			t.Fatalf("at %d: slices say %d of %d, the counts %d of %d", now, failures, known, counts.Value, counts.A)
		}
	}
}
