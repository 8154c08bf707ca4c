package measure_test

import (
	"fmt"
	"time"

	"retrylab.example/core/call"
	"retrylab.example/core/clock"
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

// Two attempts come in the first tenth of a second and one in the second; the partner serves one of the first.
func ExampleLoadOf() {
	first, second := call.Request{Call: 1, Attempt: 1}, call.Request{Call: 2, Attempt: 1}
	again := call.Request{Call: 2, Attempt: 2}
	at := func(ms int) clock.Instant { return clock.Start.Add(time.Duration(ms) * time.Millisecond) }
	l := measure.LoadOf([]event.Event{
		{At: at(0), Kind: event.RequestArrived, Request: first},
		{At: at(0), Kind: event.RequestArrived, Request: second},
		{At: at(0), Kind: event.RequestRefused, Request: second},
		{At: at(50), Kind: event.EffectApplied, Request: first, Response: call.Response{Status: 200}},
		{At: at(150), Kind: event.RequestArrived, Request: again},
	}, clock.Start, 100*time.Millisecond, 2)
	for i, b := range l.Buckets() {
		fmt.Println(l.Begins(i).Sub(clock.Start), "arrived", b.Arrived(), "served", b[measure.Served], "refused", b[measure.TurnedAway])
	}
	// Output:
	// 0s arrived 2 served 1 refused 1
	// 100ms arrived 1 served 0 refused 0
}
