package sim_test

import (
	"fmt"
	"time"

	"retrylab.example/core/call"
	"retrylab.example/core/clock"
	"retrylab.example/core/event"
	"retrylab.example/core/scenario"
	"retrylab.example/core/sim"
	"retrylab.example/core/trace"
)

// printer is a sink that prints each event.
type printer struct{}

func (printer) Event(e *event.Event) { fmt.Println(trace.Columns(e)) }

// The reply to a charge gets lost. The client does not know, times out and asks again; its key makes that harmless.
func ExampleStep() {
	policy, ok := scenario.Preset("contract-c")
	if !ok {
		fmt.Println("no such preset")
		return
	}
	s, err := sim.New(sim.Config{
		Latency: 20 * time.Millisecond,
		Clients: []sim.Client{{Name: "shop", Policy: policy}},
		Script:  []sim.Mishap{{Fault: event.LostReply}},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	charge := call.Request{Method: "POST", Path: "/add", Keyed: true, Key: "order-7", Amount: 10}
	s = sim.Step(s, sim.Action{Kind: sim.Fire, Request: charge}, printer{})
	s = sim.Step(s, sim.Action{Kind: sim.Advance, To: clock.Start.Add(time.Minute)}, printer{})
	fmt.Println("total", s.Total())
	// Output:
	// 1    0.000 s     client   call-started      call 1.1  POST /add key="order-7" amount=10
	// 2    0.000 s     client   attempt-sent      call 1.1  until=1.500 s
	// 3    0.020 s     partner  request-arrived   call 1.1
	// 4    0.020 s     partner  effect-applied    call 1.1  delta=10 total=10 200 apply:key-new
	// 5    0.020 s     network  reply-lost        call 1.1  200 fault=lost-reply
	// 6    1.500 s     client   attempt-failed    call 1.1  timed-out
	// 7    1.500 s     client   retry-scheduled   call 1.1  timed-out retry:backoff-decides wait=1.000 s until=2.500 s
	// 8    2.500 s     client   attempt-sent      call 1.2  until=4.000 s
	// 9    2.520 s     partner  request-arrived   call 1.2
	// 10   2.520 s     partner  reply-replayed    call 1.2  delta=0 total=10 200 replayed replay:key-known
	// 11   2.540 s     client   reply-arrived     call 1.2  200 replayed
	// 12   2.540 s     client   call-succeeded    call 1.2  200 replayed return:succeeded
	// total 10
}
