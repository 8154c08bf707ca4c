package codelab_test

import (
	"fmt"

	"retrylab.example/core/codelab"
)

// wrong stands for Python: whatever it is given, its function returns True.
type wrong struct{}

func (wrong) Run(_ []byte, cases int) (lines [][]byte, stopped string, err error) {
	for range cases {
		lines = append(lines, []byte(`{"steps": [{"ok": true}]}`))
	}
	return lines, "", nil
}

func ExampleFunction_Grade() {
	f, _ := codelab.Find("retryable")
	fmt.Println(f.Signature())
	v, err := f.Grade(codelab.Program{Source: "def retryable(status):\n    return True\n"}, wrong{})
	fmt.Println(v.Code, v.Calls, "yours", v.Yours, "wanted", v.Wanted, err)
	// Output:
	// def retryable(status):
	// wrong-value [retryable(200)] yours True wanted False <nil>
}
