package trace_test

import (
	"fmt"
	"time"

	"retrylab.example/core/call"
	"retrylab.example/core/clock"
	"retrylab.example/core/decision"
	"retrylab.example/core/event"
	"retrylab.example/core/trace"
)

// One event as a line of columns, for people.
func ExampleColumns() {
	e := refused()
	fmt.Println(trace.Columns(&e))
	// Output: 4    0.020 s     partner  request-refused   call 1.1  429 retry-after="1" refuse:window-full wait=1.000 s
}

// The same event as a line of JSON, for programs.
func ExampleAppendJSON() {
	e := refused()
	fmt.Print(string(trace.AppendJSON(nil, &e)))
	// Output: {"seq":4,"at":20000000,"event":"request-refused","who":"partner","client":0,"call":1,"attempt":1,"method":"GET","path":"/total","response":{"status":429,"retryAfter":"1","body":"{\"error\":\"rate_limited\"}"},"decision":{"verdict":"refuse","reason":"window-full","wait":1000000000,"terms":[]}}
}

func refused() event.Event {
	return event.Event{
		Seq: 4, At: clock.Start.Add(20 * time.Millisecond), Kind: event.RequestRefused, Who: event.Partner,
		Request:  call.Request{ClientID: "shop", Call: 1, Attempt: 1, Method: "GET", Path: "/total"},
		Response: call.Response{Status: 429, HasRetryAfter: true, RetryAfter: "1", Body: call.Body{Code: "rate_limited"}},
		Decision: decision.Decision{Verdict: decision.Refuse, Reason: decision.WindowFull, Wait: time.Second},
	}
}
