package limit_test

import (
	"fmt"
	"time"

	"retrylab.example/core/clock"
	"retrylab.example/core/decision"
	"retrylab.example/core/limit"
)

// A partner that takes 3 requests in each whole second. The fourth is told when the next second begins.
func ExampleFixed() {
	window, err := limit.NewFixed(limit.FixedConfig{Limit: 3, Period: time.Second})
	if err != nil {
		fmt.Println(err)
		return
	}
	for range 4 {
		var d decision.Decision
		window, d = window.Take("client-1", clock.Start.Add(400*time.Millisecond))
		fmt.Println(d.Verdict, d.Reason, d.Wait)
	}
	// Output:
	// admit period-has-room 0s
	// admit period-has-room 0s
	// admit period-has-room 0s
	// refuse period-full 1s
}

// The same rate two ways. In the first second a bucket that is refilled evenly lets five through, one that is refilled
// at whole seconds only three.
func ExampleBucket() {
	for _, mode := range []limit.Mode{limit.Batch, limit.Continuous} {
		bucket, err := limit.NewBucket(limit.BucketConfig{Capacity: 3, Period: time.Second, Mode: mode})
		if err != nil {
			fmt.Println(err)
			return
		}
		passed := 0
		for now := clock.Start; now < clock.Start.Add(time.Second); now = now.Add(50 * time.Millisecond) {
			var d decision.Decision
			if bucket, d = bucket.Take("", now); d.Verdict == decision.Admit {
				passed++
			}
		}
		fmt.Println(mode, passed)
	}
	// Output:
	// batch 3
	// continuous 5
}

// Six requests a minute, all six at once if need be. Then one every ten seconds.
func ExampleGCRA() {
	limiter, err := limit.NewGCRA(limit.GCRAConfig{Limit: 6, Period: time.Minute, Burst: 6})
	if err != nil {
		fmt.Println(err)
		return
	}
	for range 6 {
		limiter, _ = limiter.Take("client-1", clock.Start)
	}
	limiter, answer := limiter.Try("client-1", clock.Start, 1)
	fmt.Println(answer.Reason, time.Duration(answer.Passes))
	_, answer = limiter.Try("client-1", answer.Passes, 1)
	fmt.Println(answer.Reason)
	// Output:
	// ahead-of-schedule 10s
	// on-schedule
}

// Two requests in flight. A permit is returned once; the second time it frees nobody's slot.
func ExampleConcurrency() {
	limiter, err := limit.NewConcurrency(limit.ConcurrencyConfig{Limit: 2})
	if err != nil {
		fmt.Println(err)
		return
	}
	limiter, first, _ := limiter.Acquire("client-1")
	limiter, _, _ = limiter.Acquire("client-1")
	limiter, _, d := limiter.Acquire("client-1")
	fmt.Println(d.Verdict, d.Reason)
	limiter, once := limiter.Release(first)
	limiter, twice := limiter.Release(first)
	fmt.Println(once, twice, limiter.InFlight("client-1"))
	// Output:
	// refuse slots-taken
	// true false 1
}
