package call_test

import (
	"fmt"

	"retrylab.example/core/call"
)

// A lost reply leaves the caller in doubt. A connection that never came about does not.
func ExampleOutcome_Class() {
	for _, o := range []call.Outcome{
		{Response: call.Response{Status: 503}},
		{Response: call.Response{Status: 429}},
		{Response: call.Response{Status: 422}},
		{Failure: call.TimedOut},
		{Failure: call.NeverSent},
	} {
		fmt.Println(o.Response.Status, o.Failure, o.Class())
	}
	// Output:
	// 503 none transient
	// 429 none throttled
	// 422 none permanent
	// 0 timed-out unknown-outcome
	// 0 never-sent transient
}

// A request as it goes over the wire.
func ExampleRequestHTTP() {
	fmt.Println(call.RequestHTTP(call.Request{
		ClientID: "shop", Method: "POST", Path: "/add", Keyed: true, Key: "order-7", Amount: 10,
	}))
	// Output:
	// POST /add HTTP/1.1
	// X-Client-ID: shop
	// Idempotency-Key: order-7
	// Content-Type: application/json
	//
	// {"amount":10}
}
