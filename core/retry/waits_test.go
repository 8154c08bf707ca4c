package retry_test

import (
	"testing"
	"time"

	"retrylab.example/core/backoff"
	"retrylab.example/core/call"
	"retrylab.example/core/clock"
	"retrylab.example/core/retry"
	"retrylab.example/core/rng"
)

// TestLocalWaitsHoldEveryWait: whatever is drawn, the wait that Decide takes lies between the two ends.
func TestLocalWaitsHoldEveryWait(t *testing.T) {
	const retries = 6
	for jitter := backoff.NoJitter; jitter <= backoff.PlusMinus; jitter++ {
		p := retry.Policy{Attempts: retries + 2, Statuses: []int{503}, Jitter: jitter, Share: rng.Ratio{Num: 1, Den: 4}}
		p.Backoff = backoff.Config{Base: 500 * time.Millisecond, Cap: 4 * time.Second}
		spans := p.LocalWaits(retries)
		for seed := range uint64(200) {
			var before time.Duration
			for n := 1; n <= retries; n++ {
				in := retry.Input{
					Deadline: clock.Max, Previous: before, Fraction: rng.Ratio{Num: seed * 0x9e3779b97f4a7c15 * uint64(n)},
					Request: call.Request{Method: "GET", Path: "/", Attempt: n}, Outcome: call.Outcome{Response: call.Response{Status: 503}},
				}
				d := p.Decide(in)
				before = retry.LocalWait(&d)
				if s := spans[n-1]; before < s.Least || before > s.Most {
					t.Fatalf("%v, retry %d: a wait of %v, want %v to %v", jitter, n, before, s.Least, s.Most)
				}
			}
		}
	}
}

// TestLocalWaitsAreTight: both ends are those of contract A's formula.
func TestLocalWaitsAreTight(t *testing.T) {
	p := retry.Policy{Jitter: backoff.Equal}
	p.Backoff = backoff.Config{Base: 500 * time.Millisecond, Cap: 3 * time.Second}
	want := [][2]time.Duration{{250, 500}, {500, 1000}, {1000, 2000}, {1500, 3000}}
	for i, s := range p.LocalWaits(len(want)) {
		if s.Least != want[i][0]*time.Millisecond || s.Most != want[i][1]*time.Millisecond {
			t.Errorf("retry %d: got %v to %v, want %v ms", i+1, s.Least, s.Most, want[i])
		}
	}
}
