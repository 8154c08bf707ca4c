package idemkey_test

import (
	"fmt"

	"retrylab.example/core/idemkey"
)

// A client that changes the quotes between two attempts is charged twice by a server that takes the bytes as they are.
func ExampleRead() {
	for _, name := range idemkey.ProfileNames() {
		p, _ := idemkey.ParseProfile(name)
		quoted, plain := idemkey.Read(p, []string{`"abc"`}), idemkey.Read(p, []string{"abc"})
		fmt.Printf("%s: %s, and %s %q\n", p, quoted.Text, plain.Result, plain.Text)
	}
	// Output:
	// draft: abc, and absent ""
	// raw: "abc", and given "abc"
	// lab: abc, and given "abc"
}
