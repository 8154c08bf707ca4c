package measure_test

import (
	"fmt"

	"retrylab.example/core/call"
	"retrylab.example/core/event"
	"retrylab.example/core/measure"
)

// A charge of 10 arrives twice under one key and is applied twice: a partner that keeps keys would have charged 10.
func ExampleOf() {
	charge := call.Request{Call: 1, Attempt: 1, Method: "POST", Path: "/add", Keyed: true, Key: "order-7", Amount: 10}
	again := charge
	again.Attempt = 2
	t := measure.Of([]event.Event{
		{Kind: event.RequestArrived, Request: charge},
		{Kind: event.EffectApplied, Request: charge, Delta: 10, Total: 10},
		{Kind: event.RequestArrived, Request: again},
		{Kind: event.EffectApplied, Request: again, Delta: 10, Total: 20},
	})
	fmt.Println("effects", t.Applied, "duplicates", t.Duplicates)
	fmt.Println("naive", t.Naive, "deduped", t.Deduped, "actual", t.Actual)
	// Output:
	// effects 2 duplicates 1
	// naive 20 deduped 10 actual 20
}
