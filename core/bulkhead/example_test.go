package bulkhead_test

import (
	"fmt"
	"time"

	"retrylab.example/core/bulkhead"
	"retrylab.example/core/clock"
)

// One task runs, one waits, the third is refused at once. The first caller leaves after 3 s; its task keeps its place,
// and the second task starts when the first one's work ends.
func ExampleBulkhead() {
	b, err := bulkhead.New(bulkhead.Config{Running: 1, Queue: 1, CallerTimeout: 3 * time.Second})
	if err != nil {
		fmt.Println(err)
		return
	}
	now := clock.Start
	b, first, d := b.Submit(now)
	fmt.Println(d.Verdict, d.Reason)
	b, _, d = b.Submit(now.Add(time.Second))
	fmt.Println(d.Verdict, d.Reason)
	b, _, d = b.Submit(now.Add(time.Second))
	fmt.Println(d.Verdict, d.Reason)

	b, d = b.Leave(first.Leaves, first.Serial)
	fmt.Println(d.Verdict, d.Reason, b.Running())
	_, next, d := b.Finish(now.Add(10*time.Second), first.Serial)
	fmt.Println(d.Reason, next.Serial, time.Duration(next.Started))
	// Output:
	// admit place-free
	// enqueue place-queued
	// refuse bulkhead-full
	// give-up caller-left 1
	// turn-came 2 10s
}
