package budget

import (
	"math/rand/v2"
	"testing"

	"retrylab.example/core/call"
	"retrylab.example/core/clock"
	"retrylab.example/core/decision"
	"retrylab.example/core/rng"
)

// Whatever calls do, a bucket holds between nothing and all of its tokens, a retry is allowed only if it can be paid for,
// places are never more than allowed when one is taken, and when all calls are over every place is back.
func TestASharedBudgetStaysInBounds(t *testing.T) {
	for seed := range uint64(3000) {
		r := rand.New(rand.NewPCG(seed, 0))
		tokens := func() int64 { return 1 + r.Int64N(30*Token) }
		c := Config{
			Kind: Kind(r.IntN(len(kindNames))), Tokens: tokens(), Cost: tokens(), ThrottledCost: tokens(), Refill: tokens(),
			Share: rng.Ratio{Num: uint64(r.IntN(11)), Den: 10}, Minimum: r.IntN(3),
		}
		var s State
		var held []Hold // by call
		for range 200 {
			if len(held) == 0 || r.IntN(4) == 0 {
				s, held = s.Begin(), append(held, 0)
			}
			i := r.IntN(len(held))
			class := []call.Class{call.Transient, call.Throttled, call.Unknown}[r.IntN(3)]
			over := true
			switch r.IntN(4) {
			case 0:
				s = c.Succeeded(s, held[i])
			case 1:
				s = c.GiveBack(s, held[i])
			default:
				var d decision.Decision
				allowed := c.Allows(&d, s, held[i], class)
				before := s
				if s = c.Failed(s, held[i]); allowed {
					s, held[i] = c.Take(s, class)
					over = false
					if c.Kind == Quota && s.Spent != before.Spent+int64(held[i]) {
						t.Fatalf("seed %d: a retry took %d and %d is gone", seed, held[i], s.Spent-before.Spent)
					}
					if c.Kind == Share && s.Retries > c.places(s) {
						t.Fatalf("seed %d: %d retries, %d places", seed, s.Retries, c.places(s))
					}
				}
			}
			if over {
				s, held = s.End(), append(held[:i], held[i+1:]...)
			}
			if s.Spent < 0 || s.Spent > c.Tokens && c.Kind != Share && c.Kind != Unlimited || s.Calls != len(held) || s.Retries > s.Calls {
				t.Fatalf("seed %d: %+v under %+v with %d calls", seed, s, c, len(held))
			}
		}
		for _, h := range held {
			s = c.GiveBack(s, h).End()
		}
		if s.Calls != 0 || s.Retries != 0 {
			t.Fatalf("seed %d: after all calls: %+v", seed, s)
		}
	}
}

// An unlimited budget equals none: no row, nothing taken.
func TestAnUnlimitedBudgetIsNone(t *testing.T) {
	var c Config
	var d decision.Decision
	s, h := c.Take(State{Calls: 3}, call.Transient)
	if !c.Allows(&d, s, h, call.Transient) || len(d.Terms()) != 0 || h != 0 || c.Failed(s, h) != s || c.GiveBack(s, h) != s {
		t.Errorf("got %+v, %d", s, h)
	}
}

func TestDeadlineTest(t *testing.T) {
	for _, c := range []struct {
		test   DeadlineTest
		now    clock.Instant
		passed bool
	}{
		{GreaterOrEqual, 4, false}, {GreaterOrEqual, 5, true}, {GreaterOrEqual, 6, true},
		{Greater, 4, false}, {Greater, 5, false}, {Greater, 6, true},
	} {
		if got := c.test.Passed(5, c.now); got != c.passed {
			t.Errorf("%s at %d: %t", c.test, c.now, got)
		}
		if c.test.Passed(clock.Max, clock.Max) {
			t.Errorf("%s: there is no deadline", c.test)
		}
	}
	if !GreaterOrEqual.TooLong(5, 5) || GreaterOrEqual.TooLong(5, 6) || Greater.TooLong(5, 1) {
		t.Error("which waits are too long")
	}
	for i, name := range DeadlineTestNames() {
		if got, ok := ParseDeadlineTest(name); !ok || got != DeadlineTest(i) {
			t.Errorf("%q reads back as %s", name, got)
		}
	}
	for i, name := range KindNames() {
		if got, ok := ParseKind(name); !ok || got != Kind(i) {
			t.Errorf("%q reads back as %s", name, got)
		}
	}
}
