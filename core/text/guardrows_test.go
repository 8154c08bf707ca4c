package text_test

import (
	"strings"
	"testing"
	"time"

	"retrylab.example/core/breaker"
	"retrylab.example/core/bulkhead"
	"retrylab.example/core/call"
	"retrylab.example/core/limit"
	"retrylab.example/core/sim"
	"retrylab.example/core/text"
)

// Whatever wraps a client's calls is listed with its numbers, so that nobody is stopped by something hidden.
func TestEveryGuardIsListed(t *testing.T) {
	pools := []sim.Pool{{Name: "own", Config: bulkhead.Config{Running: 10, Queue: 20, CallerTimeout: 3 * time.Second}}}
	for _, c := range []struct {
		guards sim.Guards
		want   []string
	}{
		{sim.Guards{}, nil},
		{sim.Guards{Pool: 1}, []string{"own: 10 run, 20 queue", "3.000\u00a0s"}},
		{sim.Guards{Breaker: breaker.Config{Window: breaker.InARow, Failures: 7, Open: time.Second, Probes: 2}},
			[]string{"7 failures in a row", "1.000\u00a0s", "2"}},
		{sim.Guards{Breaker: breaker.Config{Window: breaker.Count, Size: 10, Percent: 50, Minimum: 4, Open: 5 * time.Second, Probes: 1}},
			[]string{"50\u00a0% of the last 10 results, from 4 on", "5.000\u00a0s", "1"}},
		{sim.Guards{Breaker: breaker.Config{Window: breaker.Time, Span: 8 * time.Second, Percent: 30, Minimum: 2, Open: 1, Probes: 1}},
			[]string{"30\u00a0% of the last 8\u00a0s, from 2 results on", "0.000\u00a0s", "1"}},
		{sim.Guards{Limiter: limit.BucketConfig{Capacity: 3, Period: time.Second, Mode: limit.Batch}, Poll: 50 * time.Millisecond},
			[]string{"3 tokens, 3 at once each 1\u00a0s", "0.050\u00a0s"}},
		{sim.Guards{Limiter: limit.BucketConfig{Capacity: 3, Refill: 2, Period: time.Second, Mode: limit.Continuous}},
			[]string{"3 tokens, 2 evenly in 1\u00a0s", "not at all: the call is refused"}},
		{sim.Guards{Fallback: call.Response{Status: 203}}, []string{"203"}},
	} {
		for _, l := range text.Langs() {
			rows := l.GuardRows(c.guards, pools)
			var got []string
			for _, r := range rows {
				if r.Label == "" || strings.Contains(r.Label+r.Value, "{") {
					t.Errorf("%s: %+v", l, r)
				}
				got = append(got, r.Value)
			}
			if len(got) != len(c.want) || l == "en" && strings.Join(got, "; ") != strings.Join(c.want, "; ") {
				t.Errorf("%s: got %q, want %q", l, got, c.want)
			}
		}
	}
}
