package timeline

import (
	"math/rand/v2"
	"testing"

	"retrylab.example/core/clock"
)

// TestKeptDrawsTheSame: what is kept from one drawing to the next changes no drawing, wherever the clock goes, whatever is
// selected, and however wide the page is; and nothing of what is yet to come is drawn.
func TestKeptDrawsTheSame(t *testing.T) {
	all := manyEvents(t, 1500)
	all.Select = nil
	kept := &Kept{}
	r := rand.New(rand.NewPCG(1, 2))
	k := len(all.Events)
	for n := range 300 {
		switch r.IntN(4) {
		case 0:
			k = denseAbove + 1 + r.IntN(len(all.Events)-denseAbove)
		case 1:
			k = max(k-1, denseAbove+1)
		default:
			k = min(k+1, len(all.Events))
		}
		in := prefix(all, k)
		if r.IntN(2) == 0 {
			in.Selected = 1 + r.IntN(k)
		}
		if r.IntN(10) == 0 {
			in.Width = 900
		}
		if r.IntN(10) == 0 {
			in = phone(in)
		}
		if end := int64(AxisEnd(in)); r.IntN(4) == 0 {
			from := r.Int64N(end)
			in.Span = Span{clock.Instant(from), clock.Instant(from + 1 + r.Int64N(end-from))}
		}
		fresh := Draw(in).HTML()
		x, y := float64(r.IntN(in.Width)), float64(r.IntN(300))
		seq, ok := HitTest(in, x, y)
		in.Run, in.Kept = all.Events, kept
		if got := Draw(in).HTML(); got != fresh {
			t.Fatalf("drawing %d, after %d events, is not what a new one is:\n%s\nwant\n%s", n, k, got, fresh)
		}
		if seq2, ok2 := HitTest(in, x, y); seq2 != seq || ok2 != ok {
			t.Fatalf("drawing %d: at %g, %g is event %d, %v; want %d, %v", n, x, y, seq2, ok2, seq, ok)
		}
	}
}

// TestAStepDrawsOneBatch: of a long run a step draws anew only the attempts that it is about.
func TestAStepDrawsOneBatch(t *testing.T) {
	all := manyEvents(t, 1500)
	kept := &Kept{}
	draw := func(k int) []*batch {
		in := prefix(all, k)
		in.Run, in.Kept = all.Events, kept
		return plan(in).batches
	}
	before, after := draw(1400), draw(1401)
	same := 0
	for i := range min(len(before), len(after)) {
		if before[i] == after[i] {
			same++
		}
	}
	if len(after) < 3 || same < len(after)-2 {
		t.Errorf("of %d batches a step keeps %d", len(after), same)
	}
}
