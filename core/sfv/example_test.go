package sfv_test

import (
	"fmt"

	"retrylab.example/core/sfv"
)

// The policy of a limiter as the RateLimit-Policy field has it: a name, with a quota and a window in seconds.
func ExampleParseList() {
	policies, fault := sfv.ParseList([]string{`"burst";q=100;w=60, "daily";q=1000;w=86400`})
	if fault != nil {
		fmt.Println(fault.At, fault)
		return
	}
	for _, p := range policies {
		fmt.Println(p.Value.Kind, p.Value.Text, p.Param("q").Int, p.Param("w").Int)
	}
	_, fault = sfv.ParseList([]string{`"burst";q=100;`})
	fmt.Println(fault.At, fault)
	// Output:
	// String burst 100 60
	// String daily 1000 86400
	// 14 a key begins with a small letter or *
}
