package retry_test

import (
	"fmt"
	"time"

	"retrylab.example/core/backoff"
	"retrylab.example/core/budget"
	"retrylab.example/core/call"
	"retrylab.example/core/clock"
	"retrylab.example/core/retry"
	"retrylab.example/core/retryafter"
	"retrylab.example/core/rng"
)

// A gateway's client: full jitter, a decimal Retry-After instead, and the envelope's flag wins.
func ExamplePolicy_Explain() {
	p := retry.Policy{
		Attempts: 4, Backoff: backoff.Config{Base: 500 * time.Millisecond, Cap: 8 * time.Second}, Jitter: backoff.Full,
		RetryAfter: retryafter.Replace, RetryAfterMode: retryafter.Decimal, MaxRetryAfter: 30 * time.Second,
		Safety: retry.LessonE, Statuses: []int{429, 502}, Failures: call.Failures(), Envelope: true,
	}
	in := retry.Input{
		Deadline: clock.Max,
		Request:  call.Request{Method: "POST", Path: "/reservations", Key: "k-1", Keyed: true, Attempt: 2},
		Fraction: rng.Ratio{Num: 1, Den: 4}, // in a run, a draw
	}
	for _, r := range []call.Response{
		{Status: 502},
		{Status: 429, RetryAfter: "1.5", HasRetryAfter: true},
		{Status: 429, RetryAfter: "3600", HasRetryAfter: true},
		{Status: 502, Body: call.Body{Code: "provider_rejected", Flag: call.FlagFalse}},
	} {
		in.Outcome.Response = r
		d := p.Explain(in)
		fmt.Println(r.Status, d.Verdict, d.Reason, d.Wait)
	}
	// Output:
	// 502 retry backoff-decides 250ms
	// 429 retry retry-after-decides 1.5s
	// 429 give-up retry-after-too-long 1h0m0s
	// 502 give-up not-retryable 0s
}

// What a call's retry takes from the shared budget comes back with a definitive answer.
func ExamplePolicy_Spend() {
	p := retry.Policy{Attempts: 3, Statuses: []int{503}}
	p.Budget = budget.Config{Kind: budget.Quota, Tokens: 20 * budget.Token, Cost: 14 * budget.Token}
	in := retry.Input{Deadline: clock.Max, Request: call.Request{Method: "GET", Attempt: 1}}
	for _, status := range []int{503, 404} {
		in.Outcome.Response.Status = status
		d := p.Decide(in)
		in.Budget, in.Held = p.Spend(&in, &d)
		fmt.Println(status, d.Reason, "spent:", in.Budget.Spent/budget.Token, "held:", in.Held/budget.Token)
		in.Request.Attempt++
	}
	// Output:
	// 503 backoff-decides spent: 14 held: 14
	// 404 not-retryable spent: 0 held: 0
}
