package lab_test

import (
	"fmt"
	"time"

	"retrylab.example/core/call"
	"retrylab.example/core/clock"
	"retrylab.example/core/event"
	"retrylab.example/core/lab"
	"retrylab.example/core/limit"
	"retrylab.example/core/partner"
)

// printer shows what is answered.
type printer struct{}

func (printer) Event(*event.Event) {}

func (printer) Answered(n int64, o *lab.Outcome) {
	fmt.Printf("%d: %d %q\n", n, o.Response.Status, o.Response.RetryAfter)
}

// A client that comes back too early is seen.
func ExampleLab_Report() {
	l, err := lab.New(lab.Config{Partner: partner.Config{Limit: limit.Config{Limit: 1, Window: 10 * time.Second}}})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, at := range []time.Duration{0, time.Second, 2 * time.Second} {
		l.Apply(&lab.Arrival{
			At: clock.Start.Add(at), Request: call.Request{ClientID: "shop", Method: "GET", Path: "/work"},
		}, printer{})
	}
	for _, f := range l.Report().Clients[0].Findings {
		if f.Verdict == lab.Bad {
			fmt.Println(f.Check, f.Faults, "of", f.Chances, "waited", f.Evidence[0].Waited, "asked", f.Evidence[0].Asked)
		}
	}
	// Output:
	// 1: 200 ""
	// 2: 429 "9"
	// 3: 429 "8"
	// retry-after 1 of 1 waited 1s asked 9s
}
