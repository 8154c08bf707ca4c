package breaker_test

import (
	"fmt"
	"time"

	"retrylab.example/core/breaker"
	"retrylab.example/core/call"
	"retrylab.example/core/clock"
)

// Two failures in a row open the circuit. After 5 s one probe passes, and its success closes the circuit.
func ExampleBreaker() {
	b, err := breaker.New(breaker.Config{Window: breaker.InARow, Failures: 2, Open: 5 * time.Second})
	if err != nil {
		fmt.Println(err)
		return
	}
	now := clock.Start
	for range 2 {
		var p breaker.Permit
		b, p, _ = b.Admit(now)
		b, _ = b.Record(now, p, call.Transient)
	}
	b, _, d := b.Admit(now.Add(time.Second))
	fmt.Println(d.Verdict, d.Reason, d.Wait)

	now = now.Add(5 * time.Second)
	b, probe, d := b.Admit(now)
	fmt.Println(d.Verdict, d.Reason)
	b, d = b.Record(now.Add(200*time.Millisecond), probe, call.Success)
	fmt.Println(d.Verdict, d.Reason, b.State(now))
	// Output:
	// refuse circuit-open 4s
	// admit probe-admitted
	// close probes-succeeded closed
}
