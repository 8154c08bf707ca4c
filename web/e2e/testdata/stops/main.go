//go:build js

// Command stops is a browser program that leaves crash details and ends with a panic.
package main

import "syscall/js"

func main() {
	js.Global().Set("retrylabCrash", map[string]any{"seed": 42})
	panic("a broken invariant")
}
