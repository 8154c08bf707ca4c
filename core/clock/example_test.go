package clock_test

import (
	"fmt"
	"time"

	"retrylab.example/core/clock"
)

// An instant is a number of nanoseconds since the run began. What does not fit stays at the last instant, which also
// stands for "never".
func ExampleInstant() {
	now := clock.Start.Add(1500 * time.Millisecond)
	fmt.Println(now, now.Sub(clock.Start))
	fmt.Println(clock.Max.Add(time.Hour) == clock.Max)
	// Output:
	// 1500000000 1.5s
	// true
}

// The raw wait of a backoff grows until it does not fit, and does not wrap.
func ExampleTimes() {
	fmt.Println(clock.Times(250*time.Millisecond, 1<<3))
	fmt.Println(clock.Times(250*time.Millisecond, 1<<60) == clock.MaxDuration)
	// Output:
	// 2s
	// true
}
