package limit

import (
	"errors"
	"testing"

	"retrylab.example/core/decision"
)

// FuzzConcurrency holds the slots to a set of the permits that are out.
func FuzzConcurrency(f *testing.F) {
	f.Add(uint8(1), []byte{0, 1, 0, 1, 130, 131, 129, 0})
	f.Add(uint8(2), []byte{0, 0, 0, 128, 128, 128, 0, 0, 140})
	drawn(func(a, _, _ uint8, steps []byte) { f.Add(a, steps) })
	f.Fuzz(func(t *testing.T, most uint8, steps []byte) {
		c, err := NewConcurrency(ConcurrencyConfig{Limit: int(most%4) + 1})
		if err != nil {
			t.Fatal(err)
		}
		out := map[Permit]bool{}
		held := map[string]int{}
		var all []Permit
		given, returned := 0, 0
		for i, b := range steps {
			if b >= 128 && len(all) > 0 { // returns any permit there ever was, also once more
				p := all[int(b&127)%len(all)]
				var ok bool
				if c, ok = c.Release(p); ok != out[p] {
					t.Fatalf("step %d: returned %t, was out %t", i, ok, out[p])
				}
				if ok {
					held[p.key]--
					returned++
				}
				out[p] = false
				continue
			}
			key := string('a' + rune(b&1))
			kept, before := c.Clone(), c.InFlight(key)
			var p Permit
			var d decision.Decision
			c, p, d = c.Acquire(key)
			if d.Verdict == decision.Admit != (held[key] < c.Config().Limit) {
				t.Fatalf("step %d: %s with %d in flight", i, d.Verdict, held[key])
			}
			if d.Verdict == decision.Admit {
				if out[p] {
					t.Fatalf("step %d: the same permit twice: %+v", i, p)
				}
				all, out[p] = append(all, p), true
				held[key]++
				given++
			}
			if c.InFlight(key) != held[key] || kept.InFlight(key) != before {
				t.Fatalf("step %d: %d in flight, want %d; a clone has %d, want %d", i, c.InFlight(key), held[key], kept.InFlight(key), before)
			}
		}
		if inFlight := c.InFlight("a") + c.InFlight("b"); given != returned+inFlight {
			t.Fatalf("%d given, %d returned, %d in flight", given, returned, inFlight)
		}
	})
}

func TestConcurrencySettings(t *testing.T) {
	for _, most := range []int{0, -1, MaxInFlight + 1} {
		if _, err := NewConcurrency(ConcurrencyConfig{Limit: most}); !errors.Is(err, ErrConcurrency) {
			t.Errorf("%d: %v", most, err)
		}
	}
}

// A permit of another key, of another limiter or of none frees nothing.
func TestStrangePermitsFreeNothing(t *testing.T) {
	c, _ := NewConcurrency(ConcurrencyConfig{Limit: 1})
	c, p, _ := c.Acquire("a")
	for _, strange := range []Permit{{}, {key: "a"}, {key: "b", serial: 1}, {key: "a", slot: 7, serial: 1}, {key: "a", serial: 2}} {
		if _, ok := c.Clone().Release(strange); ok {
			t.Errorf("%+v was returned", strange)
		}
	}
	c = c.Sweep()
	if c, _ = c.Release(p); c.InFlight("a") != 0 || c.Sweep().Len() != 0 {
		t.Errorf("%d in flight", c.InFlight("a"))
	}
}
