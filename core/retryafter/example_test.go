package retryafter_test

import (
	"fmt"

	"retrylab.example/core/field"
	"retrylab.example/core/retryafter"
)

// A date is counted from the response's own Date, so that a client whose clock is ten minutes fast does not come back
// at once.
func ExampleRead() {
	now, _ := field.ParseTimestamp("2026-11-30T12:10:00Z")
	r := retryafter.Read(retryafter.Standard, []string{"Mon, 30 Nov 2026 12:02:00 GMT"}, retryafter.Context{
		Now:    now,
		Fields: []field.Field{{Name: "Date", Value: "Mon, 30 Nov 2026 12:00:00 GMT"}},
	})
	fmt.Println(r.Valid, r.Kind, r.Delay)

	r = retryafter.Read(retryafter.Standard, []string{"1.5"}, retryafter.Context{Now: now})
	fmt.Println(r.Valid, r.Reason)
	// Output:
	// true http-date 2m0s
	// false no-form
}

// What partners send beside Retry-After is read in the mode Wild only.
func ExampleRead_wild() {
	response := []field.Field{{Name: "RateLimit", Value: `"hour";r=0;t=12`}}
	for _, m := range []retryafter.Mode{retryafter.Standard, retryafter.Wild} {
		r := retryafter.Read(m, field.Lines(response, retryafter.Name), retryafter.Context{Fields: response})
		fmt.Println(m, r.Valid, r.Delay, r.Kind)
	}
	// Output:
	// standard false 0s none
	// wild true 12s rate-limit
}
