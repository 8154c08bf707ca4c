package decision_test

import (
	"fmt"
	"time"

	"retrylab.example/core/decision"
)

// A refusal with its receipt: three requests of three are counted, and that decided.
func ExampleDecision() {
	d := decision.Decision{Verdict: decision.Refuse, Reason: decision.WindowFull, Wait: time.Second}
	d.Add(decision.Term{Name: decision.Counted, Value: 3, A: 3, B: int64(time.Second)})
	d.Mark(decision.Counted, decision.Decided)
	fmt.Println(d.Verdict, d.Reason, d.Wait)
	for _, t := range d.Terms() {
		fmt.Println(t.Name, t.Mark, t.Value, "of", t.A, "in", time.Duration(t.B))
	}
	// Output:
	// refuse window-full 1s
	// counted decided 3 of 3 in 1s
}
