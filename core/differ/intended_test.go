package differ

import (
	"slices"
	"testing"
)

// difference is something that a library does otherwise than our core, on purpose.
type difference struct {
	library string
	// rule is what the library does; reason is why we do otherwise, with its source.
	rule, reason string
	// meets recognises a situation in which this shows: a func(S) bool, where S is the situation of one kind of
	// comparison (parting, circuit, passing or staying).
	meets any
}

// The libraries, as the list and the counts call them.
const (
	cenkalti      = "cenkalti/backoff v5"
	retryablehttp = "go-retryablehttp"
	failsafeHTTP  = "failsafe-go failsafehttp"
	failsafeRetry = "failsafe-go retrypolicy"
	failsafeCB    = "failsafe-go circuitbreaker"
	gobreakerV2   = "gobreaker v2"
	timeRate      = "x/time/rate"
	smooth        = "failsafe-go ratelimiter, smooth"
	bursty        = "failsafe-go ratelimiter, bursty"
	throttledGCRA = "throttled v2"
	failsafeBH    = "failsafe-go bulkhead"
)

// intended are all differences that we intend.
var intended = slices.Concat(intendedRetries, intendedHTTP, intendedCircuits, intendedPasses, intendedStays)

// book counts the cases of each library and how often each difference was met.
type book struct {
	cases map[string]int
	met   []int
}

// attribute finds the intended difference that explains a situation, or fails.
func attribute[S any](t *testing.T, b *book, library string, seed uint64, s S) {
	t.Helper()
	for i, d := range intended {
		if meets, ok := d.meets.(func(S) bool); ok && d.library == library && meets(s) {
			b.met[i]++
			return
		}
	}
	t.Errorf("%s, seed %d: a difference that is not in the list: %+v", library, seed, s)
}

// TestLibraries runs all comparisons, and then asks whether every intended difference was met: an entry that nothing
// meets any more would hide a real difference one day.
func TestLibraries(t *testing.T) {
	b := &book{cases: map[string]int{}, met: make([]int, len(intended))}
	for _, c := range []struct {
		library string
		compare func(t *testing.T, b *book, seed uint64)
		cases   uint64
	}{
		{cenkalti, compareCenkalti, 600},
		{retryablehttp, compareRetryablehttp, 800},
		{failsafeHTTP, compareFailsafeHTTP, 800},
		{failsafeRetry, compareFailsafeRetry, 600},
		{failsafeCB, compareFailsafeCB, 600},
		{gobreakerV2, compareGobreaker, 600},
		{timeRate, compareTimeRate, 600},
		{smooth, compareSmooth, 600},
		{bursty, compareBursty, 600},
		{throttledGCRA, compareThrottled, 600},
		{failsafeBH, compareBulkhead, 400},
	} {
		t.Run(c.library, func(t *testing.T) {
			for seed := range c.cases {
				if c.compare(t, b, seed); t.Failed() {
					t.FailNow()
				}
				b.cases[c.library]++
			}
			t.Logf("%d cases", b.cases[c.library])
		})
	}
	t.Run("every difference was met", func(t *testing.T) {
		for i, d := range intended {
			if t.Logf("%5d × %s: %s", b.met[i], d.library, d.rule); b.met[i] == 0 {
				t.Errorf("no case met %s: %s", d.library, d.rule)
			}
		}
	})
}
