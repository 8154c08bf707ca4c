package breaker

import (
	"math/rand/v2"
	"testing"
	"time"

	"retrylab.example/core/call"
	"retrylab.example/core/clock"
	"retrylab.example/core/decision"
	"retrylab.example/core/decision/decisiontest"
)

// TestFlipsAreTrue: with the value that a flip names the breaker decides as it says, and with the nearest other it does not.
func TestFlipsAreTrue(t *testing.T) {
	told := decisiontest.Told{}
	for seed := range uint64(3000) {
		r := rand.New(rand.NewPCG(seed, 1))
		b, now := random(t, r), clock.Start
		for range 25 {
			var p Permit
			var d decision.Decision
			now = now.Add(time.Duration(r.IntN(900)) * time.Millisecond)
			before := b
			b, p, d = b.Admit(now)
			decisiontest.Flips(t, d, told, func(f decision.Flip, value int64) (other decision.Decision) {
				switch f.Name {
				case decision.Probes:
					_, _, other = before.probing(now, int(value)).Admit(now)
				default:
					_, _, other = before.Admit(clock.Instant(value))
				}
				return other
			})
			if d.Verdict == decision.Refuse || d.Reason == decision.ProbeAdmitted && r.IntN(2) == 0 {
				continue // some probes never come back
			}
			class := [...]call.Class{call.Success, call.Transient}[r.IntN(2)]
			before = b
			b, d = b.Record(now, p, class)
			decisiontest.Flips(t, d, told, func(f decision.Flip, value int64) (other decision.Decision) {
				with, result := before, class
				switch {
				case f.Name == decision.Failures:
					with.fail(now, class, value)
				case value == 0:
					result = call.Success
				default:
					result = call.Transient
				}
				_, other = with.Record(now, p, result)
				return other
			})
			if t.Failed() {
				t.Fatalf("seed %d, %+v", seed, b.config)
			}
		}
	}
	told.Want(t, "circuit-open probes-from", "probe-admitted probes", "probes-running probes", "probes-running lease", "below-threshold result", "below-threshold failures",
		"threshold-reached result", "threshold-reached failures", "probe-failed result", "probes-succeeded result")
}

func random(t *testing.T, r *rand.Rand) Breaker {
	t.Helper()
	probes := 1 + r.IntN(2)
	b, err := New(Config{
		Window: Window(r.IntN(3)), Failures: 1 + r.IntN(3), Size: 2 + r.IntN(6), Span: 10 * time.Second, Percent: 1 + r.IntN(100),
		Minimum: 1 + r.IntN(2), Open: time.Second, Probes: probes, Successes: probes + r.IntN(2), Lease: 5 * time.Second,
	})
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// probing returns the breaker with so many probes running.
func (b Breaker) probing(now clock.Instant, n int) Breaker {
	if b.state == Open {
		b.last = max(b.last, now)
		b.enter(HalfOpen)
	}
	for i := range b.probes.running {
		b.probes.running[i] = probe{}
	}
	for i := range n {
		b.probes.running[i] = probe{serial: int64(1000 + i), until: clock.Max}
	}
	return b
}

// fail makes so many of the results that count, the next one among them, failures.
func (b *Breaker) fail(now clock.Instant, next call.Class, failures int64) {
	_, failed := b.config.result(next)
	after := b.tally
	after.count(&b.config, max(now, b.last), failed)
	b.tally.failures += failures - after.failures
	if b.tally.failures < 0 {
		panic("no results have so many failures")
	}
}
