package ledger_test

import (
	"fmt"

	"retrylab.example/core/call"
	"retrylab.example/core/clock"
	"retrylab.example/core/ledger"
)

// One key, four arrivals: the first is executed; while it is, a second one must wait; then it is replayed; another
// payload under the same key is refused.
func ExampleLedger() {
	l := ledger.New(ledger.Config{Lease: ledger.DefaultLease})
	r := call.Request{ClientID: "shop", Method: "POST", Path: "/add", Keyed: true, Key: "order-7", Amount: 10}
	now := clock.Start
	l, ticket, _, d := l.Begin(now, r)
	fmt.Println(d.Verdict, d.Reason)
	l, _, _, d = l.Begin(now, r)
	fmt.Println(d.Verdict, d.Reason, d.Wait)

	answer := call.Response{Status: 200, Body: call.Body{HasTotal: true, Total: 10}}
	l, _ = l.Finish(now, ticket, answer, true)
	l, _, saved, d := l.Begin(now, r)
	fmt.Println(d.Verdict, d.Reason, saved.Status, saved.Body)

	r.Amount = 11
	_, _, _, d = l.Begin(now, r)
	fmt.Println(d.Verdict, d.Reason)
	// Output:
	// apply key-new
	// refuse key-in-flight 1s
	// replay key-known 200 {"total":10}
	// refuse key-mismatch
}
