package breaker

import (
	"errors"
	"testing"
	"time"

	"retrylab.example/core/call"
	"retrylab.example/core/clock"
	"retrylab.example/core/decision"
)

// The public bugs with breakers, by their id, and what is measured of real breakers.

func newBreaker(t *testing.T, c Config) Breaker {
	t.Helper()
	b, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// calls makes calls at one instant, one after the other: F fails, anything else succeeds.
func calls(b Breaker, at time.Duration, results string) Breaker {
	for _, r := range results {
		var p Permit
		b, p, _ = b.Admit(clock.Start.Add(at))
		class := call.Success
		if r == 'F' {
			class = call.Transient
		}
		b, _ = b.Record(clock.Start.Add(at), p, class)
	}
	return b
}

func admits(t *testing.T, b Breaker, at time.Duration, want decision.Reason) (Breaker, Permit) {
	t.Helper()
	b, p, d := b.Admit(clock.Start.Add(at))
	if d.Reason != want {
		t.Errorf("at %s: %s, want %s", at, d.Reason, want)
	}
	return b, p
}

func records(t *testing.T, b Breaker, at time.Duration, p Permit, class call.Class, want decision.Reason) Breaker {
	t.Helper()
	b, d := b.Record(clock.Start.Add(at), p, class)
	if d.Reason != want {
		t.Errorf("at %s: %s, want %s", at, d.Reason, want)
	}
	return b
}

// 65 (resilience4j/resilience4j#935, #903; OmniRoute#13836; rezilience PR#521; pathosDev/actor-ts#457; reproduced on
// gobreaker v2.4.0): a half-open probe never settles. At the end of its lease a new one passes, for ever.
func TestCase65AProbeThatNeverSettlesLosesItsPlace(t *testing.T) {
	b := calls(newBreaker(t, Config{Failures: 1, Open: 5 * time.Second, Lease: 2 * time.Second}), 0, "F")
	var lost []Permit
	for at := 5 * time.Second; at < time.Minute; at += 2 * time.Second {
		var p Permit
		b, p = admits(t, b, at, decision.ProbeAdmitted)
		b, _ = admits(t, b, at+2*time.Second-1, decision.ProbesRunning)
		lost = append(lost, p)
	}
	for _, p := range lost {
		b = records(t, b, time.Minute+5*time.Second, p, call.Success, decision.PermitStale)
	}
	b, p := admits(t, b, 2*time.Minute, decision.ProbeAdmitted)
	records(t, b, 2*time.Minute, p, call.Success, decision.ProbesSucceeded)
}

// 67 (App-vNext/Polly#216–219, PR#223; denoland/std PR#7306; gofiber/contrib PR#2350; thomhurst/Kevlar#227; reproduced on
// failsafe-go v0.9.8): the success of a call admitted while closed arrives in half-open. It neither closes the circuit
// nor frees a place: never more than 3 are in flight with a capacity of 3.
func TestCase67ALateSuccessIsOfAnOlderGeneration(t *testing.T) {
	b := newBreaker(t, Config{Failures: 1, Open: time.Second, Probes: 3})
	b, late := admits(t, b, 0, decision.CircuitClosed)
	b = calls(b, 0, "F")
	for range 3 {
		b, _ = admits(t, b, time.Second, decision.ProbeAdmitted)
	}
	b = records(t, b, time.Second, late, call.Success, decision.PermitStale)
	b = records(t, b, time.Second, late, call.Transient, decision.PermitStale)
	admits(t, b, time.Second, decision.ProbesRunning)
	if b.State(clock.Start.Add(time.Second)) != HalfOpen || b.RunningProbes(clock.Start.Add(time.Second)) != 3 {
		t.Errorf("%s with %d probes", b.state, b.RunningProbes(clock.Start.Add(time.Second)))
	}
}

// 69a (resilience4j/resilience4j#1349): a minimum above the window could never be reached; such a setting is refused.
func TestCase69aAMinimumAboveTheWindowIsRefused(t *testing.T) {
	if _, err := New(Config{Window: Count, Size: 5, Minimum: 10, Percent: 50, Open: 1}); !errors.Is(err, ErrMinimum) {
		t.Errorf("got %v", err)
	}
}

// 69b (joshrotenberg/mcp-proxy#220): minimum 5, window 100, all failing: judged once 5 calls are recorded.
func TestCase69bTheMinimumDecidesBeforeTheWindowIsFull(t *testing.T) {
	b := newBreaker(t, Config{Window: Count, Size: 100, Minimum: 5, Percent: 50, Open: time.Second})
	if b = calls(b, 0, "FFFF"); b.State(0) != Closed {
		t.Error("open after 4")
	}
	if b = calls(b, 0, "F"); b.State(0) != Open {
		t.Error("closed after 5")
	}
}

// 69c (resilience4j/resilience4j#842): 5 failures in 2 s of a window of 20 s, minimum 5: opening at once is right.
func TestCase69cATimeWindowNeedNotPass(t *testing.T) {
	b := newBreaker(t, Config{Window: Time, Span: 20 * time.Second, Minimum: 5, Percent: 50, Open: time.Second})
	b = calls(calls(b, 0, "FF"), 2*time.Second, "FFF")
	if b.State(clock.Start.Add(2*time.Second)) != Open {
		t.Error("closed after 5 failures in 2 s")
	}
}

// 71 (rubyist/circuitbreaker#63): N successes configured: it closes after N, not after one.
func TestCase71ItClosesAfterNSuccesses(t *testing.T) {
	b := calls(newBreaker(t, Config{Failures: 1, Open: time.Second, Successes: 3}), 0, "F")
	for i, want := range []decision.Reason{decision.ProbeSucceeded, decision.ProbeSucceeded, decision.ProbesSucceeded} {
		var p Permit
		b, p = admits(t, b, time.Second+time.Duration(i), decision.ProbeAdmitted)
		b = records(t, b, time.Second+time.Duration(i), p, call.Success, want)
	}
}

// failsafe-go v0.9.8, measured: at exactly its delay a probe passes. gobreaker v2.4.0 refuses at that instant and passes
// one nanosecond later; "open long enough" means ≥ here.
func TestGoldenOpenForExactlyTheDelay(t *testing.T) {
	b := calls(newBreaker(t, Config{Failures: 6, Open: time.Minute}), 0, "FFFFF")
	if b.State(0) != Closed {
		t.Error("open after 5 of 6 in a row")
	}
	b = calls(b, 0, "F")
	b, _ = admits(t, b, time.Minute-1, decision.CircuitOpen)
	admits(t, b, time.Minute, decision.ProbeAdmitted)
}

// failsafe-go v0.9.8, measured: a window of 10 slices. Two failures at 0 s and one at 9.999 s open it; with the third at
// 10.000 s one result is known.
func TestGoldenOfATimeWindow(t *testing.T) {
	c := Config{Window: Time, Span: 10 * time.Second, Minimum: 3, Percent: 100, Open: time.Minute}
	b := calls(calls(newBreaker(t, c), 0, "FF"), 9999*time.Millisecond, "F")
	if b.State(clock.Start.Add(9999*time.Millisecond)) != Open {
		t.Error("closed at 9.999 s")
	}
	b = calls(calls(newBreaker(t, c), 0, "FF"), 10*time.Second, "F")
	if b.state != Closed || b.tally.known != 1 {
		t.Errorf("%s with %d known at 10 s", b.state, b.tally.known)
	}
}

// gobreaker v2.4.0, measured: two failures at 9 s and two at 11 s. Its fixed interval of 10 s forgets the first two; a
// window in slices, as its rolling one, does not.
func TestGoldenAWindowInSlicesRolls(t *testing.T) {
	c := Config{Window: Time, Span: 10 * time.Second, Minimum: 4, Percent: 100, Open: time.Minute}
	b := calls(calls(newBreaker(t, c), 9*time.Second, "FF"), 11*time.Second, "FF")
	if b.state != Open {
		t.Errorf("%s", b.state)
	}
}

// failsafe-go v0.9.8 rounds rates to two decimals: 1 of 8 is 13 % to it, and 1 of 3 less than 33.34 %. Here nothing is
// rounded up.
func TestGoldenNoRateIsRoundedUp(t *testing.T) {
	b := calls(newBreaker(t, Config{Window: Count, Size: 8, Percent: 13, Open: time.Minute}), 0, ".......F")
	if b.state != Closed {
		t.Error("1 of 8 opened at 13 %")
	}
	b = calls(newBreaker(t, Config{Window: Count, Size: 8, Percent: 12, Open: time.Minute}), 0, ".......F")
	if b.state != Open {
		t.Error("1 of 8 did not open at 12 %")
	}
}

// A copy is a breaker of its own, and the zero value is always closed.
func TestBreakersAreValues(t *testing.T) {
	b := newBreaker(t, Config{Failures: 1, Open: time.Second})
	opened := calls(b, 0, "F")
	if b.state != Closed || opened.state != Open {
		t.Errorf("%s and %s", b.state, opened.state)
	}
	var zero Breaker
	for range 3 {
		var d decision.Decision
		var p Permit
		if zero, p, d = zero.Admit(0); d.Verdict != decision.Admit {
			t.Errorf("got %s", d.Verdict)
		}
		zero, _ = zero.Record(0, p, call.Transient)
		if _, ok := zero.Cancel(0, p); !ok || zero != (Breaker{}) {
			t.Errorf("the zero breaker changed: %+v", zero)
		}
	}
}

// An hour later in time, every decision is the same.
func TestShiftingTimeChangesNoDecision(t *testing.T) {
	for w := InARow; w < numWindows; w++ {
		c := configOf(uint8(w), 7, 45)
		a, b := newBreaker(t, c), newBreaker(t, c)
		var pa, pb Permit
		for i := range 2000 {
			now := clock.Start.Add(time.Duration(i*i%97) * 10 * time.Millisecond * time.Duration(i))
			var da, db decision.Decision
			a, pa, da = a.Admit(now)
			b, pb, db = b.Admit(now.Add(time.Hour))
			if da.Reason != db.Reason || da.Wait != db.Wait {
				t.Fatalf("%s, step %d: %s, shifted %s", w, i, da.Reason, db.Reason)
			}
			class := call.Class(i * 7 % 3)
			a, da = a.Record(now, pa, class)
			b, db = b.Record(now.Add(time.Hour), pb, class)
			if da.Reason != db.Reason {
				t.Fatalf("%s, step %d: %s, shifted %s", w, i, da.Reason, db.Reason)
			}
		}
	}
}
