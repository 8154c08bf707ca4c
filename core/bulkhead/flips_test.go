package bulkhead

import (
	"math/rand/v2"
	"testing"

	"retrylab.example/core/clock"
	"retrylab.example/core/decision"
)

// TestFlipsAreTrue: with as many running or queued as a flip says, the next task fares as it says, and with one fewer or more
// it does not.
func TestFlipsAreTrue(t *testing.T) {
	told := map[string]int{}
	for seed := range uint64(400) {
		r := rand.New(rand.NewPCG(seed, 1))
		c := Config{Running: 1 + r.IntN(3), Queue: r.IntN(3)}
		b, err := New(c)
		if err != nil {
			t.Fatal(err)
		}
		for range r.IntN(7) {
			b, _, _ = b.Submit(clock.Start)
		}
		running, queued := b.Running(), b.Queued()
		_, _, d := b.Submit(clock.Start)
		if len(d.Flips()) == 0 {
			t.Fatalf("seed %d: %s says nothing that would change it", seed, d.Reason)
		}
		for _, f := range d.Flips() {
			told[d.Reason.String()+" "+f.Name.String()]++
			ask := func(value int64) decision.Decision {
				other := Bulkhead{config: c, running: make([]Task, running)}
				waiting := queued
				switch f.Name {
				case decision.Running:
					other.running = make([]Task, value)
				case decision.Queued:
					waiting = int(value)
				}
				for range waiting {
					other.push(Task{Serial: 1})
				}
				_, _, got := other.Submit(clock.Start)
				return got
			}
			holds, not := f.Edge()
			if got := ask(holds); got.Verdict != f.Verdict || got.Reason != f.Reason {
				t.Errorf("seed %d: %s: with %s %d it is %s %s", seed, d.Reason, f.Name, holds, got.Verdict, got.Reason)
			}
			if got := ask(not); got.Verdict == f.Verdict && got.Reason == f.Reason {
				t.Errorf("seed %d: %s: already with %s %d it is %s", seed, d.Reason, f.Name, not, got.Reason)
			}
		}
	}
	for _, each := range []string{
		"place-free running", "place-queued running", "place-queued queued", "bulkhead-full running", "bulkhead-full queued",
	} {
		if told[each] == 0 {
			t.Errorf("%s was never told", each)
		}
	}
}
