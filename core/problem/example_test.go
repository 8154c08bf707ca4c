package problem_test

import (
	"fmt"

	"retrylab.example/core/problem"
)

// Problem details of an API that has run out of quota: their type is the code that a policy may look at.
func ExampleRead() {
	const body = `{"type": "https://example.com/out-of-quota", "status": 429, "retryable": true}`
	d, ok := problem.Read(problem.MediaType, body)
	fmt.Println(ok, d.Type, d.Status, d.Contradicts(503))
	fmt.Println(problem.Body(problem.MediaType, body).Code)
	_, ok = problem.Read("application/json", body)
	fmt.Println(ok)
	// Output:
	// true https://example.com/out-of-quota 429 true
	// https://example.com/out-of-quota
	// false
}
