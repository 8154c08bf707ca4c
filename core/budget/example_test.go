package budget_test

import (
	"fmt"
	"time"

	"retrylab.example/core/budget"
	"retrylab.example/core/call"
	"retrylab.example/core/clock"
	"retrylab.example/core/decision"
)

// Ten tokens, a retry takes five: when everything fails, the third call is not retried any more. A success gives one
// token back.
func ExampleConfig() {
	c := budget.Config{Kind: budget.Quota, Tokens: 10 * budget.Token, Cost: 5 * budget.Token, Refill: budget.Token}
	var s budget.State
	for range 3 {
		var d decision.Decision
		var held budget.Hold
		if c.Allows(&d, s, 0, call.Transient) {
			s, held = c.Take(s, call.Transient)
		}
		fmt.Println(held/budget.Token, "taken,", (c.Tokens-s.Spent)/budget.Token, "left")
	}
	s = c.Succeeded(s, 0)
	fmt.Println((c.Tokens-s.Spent)/budget.Token, "left after a success")
	// Output:
	// 5 taken, 5 left
	// 5 taken, 0 left
	// 0 taken, 0 left
	// 1 left after a success
}

// A wait that leaves exactly nothing of the deadline is not begun.
func ExampleAllows() {
	left := budget.Remaining(clock.Start.Add(5*time.Second), clock.Start.Add(3*time.Second))
	fmt.Println(left)
	fmt.Println(budget.Allows(1, 4, 1999*time.Millisecond, left))
	fmt.Println(budget.Allows(1, 4, 2*time.Second, left))
	fmt.Println(budget.Allows(4, 4, 0, left))
	// Output:
	// 2s
	// none
	// budget-too-short
	// attempts-spent
}
