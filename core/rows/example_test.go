package rows_test

import (
	"fmt"

	"retrylab.example/core/rows"
)

func ExampleReader() {
	var w rows.Writer
	w.Row("key")
	w.Text("k-1")
	w.Int(10)
	fmt.Print(string(w.Bytes()))

	r := rows.NewReader([]byte("[\"key\",\"k-1\",-10]\n"))
	r.Need("key")
	fmt.Println(r.Text(255), r.Int(0, 1000), r.Err())
	// Output:
	// ["key","k-1",10]
	// k-1 0 line 1, value 3: -10 is not from 0 to 1000; use a copy that was not changed
}
