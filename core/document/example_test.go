package document_test

import (
	"fmt"
	"time"

	"retrylab.example/core/document"
)

// Every mistake of a file is found in one reading, with its place and how to mend it.
func ExampleRead() {
	d, root, err := document.Read("shop.json", []byte(`{
  "timeout": "2 secs",
  "attemps": 4
}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	r := root.Object()
	r.Duration("timeout", time.Second, 0, time.Hour)
	r.Int("attempts", 3, 1, 10)
	r.Done()
	for _, f := range document.FaultsOf(d.Err()) {
		fmt.Println(f.Line, f.Column, f.Pointer)
		fmt.Println(" ", f.Problem)
		fmt.Println(" ", f.Mend)
	}
	// Output:
	// 2 14 /timeout
	//   "2 secs" is not a duration
	//   write one number with its unit, such as "250ms", "1.5s" or "24h"
	// 3 3 /attemps
	//   the field "attemps" is not known
	//   remove it, or use one of: timeout, attempts
}

// A program changes one value of a file and leaves the rest as it was written.
func ExampleNode_SetField() {
	text := `{"name": "shop",   "attempts": 3}`
	_, root, err := document.Read("shop.json", []byte(text))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(root.SetField("attempts", "4").Apply(text))
	// Output: {"name": "shop",   "attempts": 4}
}
