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
		fmt.Println(p, quoted.Text, plain.Result, plain.Text)
	}
	// Output:
	// draft abc absent
	// raw "abc" given abc
	// lab abc given abc
}
