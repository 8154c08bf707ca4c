package ratelimit_test

import (
	"fmt"

	"retrylab.example/core/ratelimit"
)

func ExampleReadLimits() {
	limits := ratelimit.ReadLimits(ratelimit.Draft, []string{`"day";r=100;t=36000`, `"hour";r=3;t=12`})
	binding, _ := limits.Binding()
	fmt.Println(limits.Status, binding.Name, binding.Remaining)

	limits = ratelimit.ReadLimits(ratelimit.Draft, []string{`"hour";r=1.5`})
	fmt.Println(limits.Status, limits.Problem)
	// Output:
	// ok hour 3
	// malformed r must be an Integer of 0 or more
}
