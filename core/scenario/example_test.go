package scenario_test

import (
	"fmt"

	"retrylab.example/core/scenario"
	"retrylab.example/core/sim"
	"retrylab.example/core/trace"
)

// A scenario is read from its file and played with one request. The partner is busy at first, and a second later not.
func ExampleScenario_Play() {
	s, err := scenario.Read("busy.json", []byte(`{
		"clients": [{"name": "shop", "policy": {"preset": "contract-c"}}],
		"script": [{"reply": 503}]
	}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	played, err := s.Play([]scenario.Input{{Action: sim.Action{Kind: sim.Fire, Request: s.Requests[0]}}})
	if err != nil {
		fmt.Println(err)
		return
	}
	for i := range played.Events {
		fmt.Println(trace.Columns(&played.Events[i]))
	}
	// Output:
	// 1    0.000 s     client   call-started      call 1.1  POST /add amount=10
	// 2    0.000 s     client   attempt-sent      call 1.1  until=1.500 s
	// 3    0.050 s     partner  request-arrived   call 1.1
	// 4    0.050 s     partner  request-refused   call 1.1  503 fault=reply refuse:scripted
	// 5    0.100 s     client   reply-arrived     call 1.1  503
	// 6    0.100 s     client   retry-scheduled   call 1.1  503 retry:backoff-decides wait=1.000 s until=1.100 s
	// 7    1.100 s     client   attempt-sent      call 1.2  until=2.600 s
	// 8    1.150 s     partner  request-arrived   call 1.2
	// 9    1.150 s     partner  effect-applied    call 1.2  delta=10 total=10 200 apply:key-absent
	// 10   1.200 s     client   reply-arrived     call 1.2  200
	// 11   1.200 s     client   call-succeeded    call 1.2  200 return:succeeded
}
