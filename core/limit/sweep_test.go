package limit

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"retrylab.example/core/clock"
	"retrylab.example/core/decision"
)

// FuzzSweep: a log that is swept before each request decides as one that never is, and holds nothing that has left
// the window.
func FuzzSweep(f *testing.F) {
	f.Add(uint8(2), []byte{0, 0, 0, 10, 10})
	f.Add(uint8(1), []byte{1, 65, 130, 193, 200, 63})
	f.Fuzz(func(t *testing.T, most uint8, hits []byte) {
		c := Config{Limit: int(most%3) + 1, Window: time.Second}
		swept, err := New(c)
		if err != nil {
			t.Fatal(err)
		}
		whole := swept.Clone()
		now := clock.Start
		for i, hit := range hits {
			key := fmt.Sprint("client-", hit%4)
			now = now.Add(time.Duration(hit/4) * c.Window / 32)
			swept = swept.Sweep(now)
			if kept, want := swept.Has(key), len(Active(whole.History(key), now, c.Window)) > 0; kept != want {
				t.Fatalf("hit %d at %v: %s is held: %v, want %v", i, now, key, kept, want)
			}
			var got, want decision.Decision
			swept, got = swept.Take(key, now)
			whole, want = whole.Take(key, now)
			if got.Verdict != want.Verdict || got.Wait != want.Wait || !slices.Equal(swept.History(key), whole.History(key)) {
				t.Fatalf("hit %d at %v: got %v, want %v", i, now, got, want)
			}
		}
		if swept = swept.Sweep(now.Add(c.Window)); swept.Len() != 0 || len(swept.index) != 0 {
			t.Fatalf("%d keys are held after all windows have passed", swept.Len())
		}
	})
}
