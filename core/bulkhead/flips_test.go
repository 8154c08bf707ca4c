package bulkhead

import (
	"math/rand/v2"
	"testing"

	"retrylab.example/core/clock"
	"retrylab.example/core/decision"
	"retrylab.example/core/decision/decisiontest"
)

// TestFlipsAreTrue: with as many running or queued as a flip says, the next task fares as it says, and with one fewer or more
// it does not.
func TestFlipsAreTrue(t *testing.T) {
	told := decisiontest.Told{}
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
		decisiontest.Flips(t, d, told, func(f decision.Flip, value int64) decision.Decision {
			other, waiting := Bulkhead{config: c, running: make([]Task, running)}, queued
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
		})
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
	told.Want(t, "place-free running", "place-queued running", "place-queued queued", "bulkhead-full running", "bulkhead-full queued")
}
