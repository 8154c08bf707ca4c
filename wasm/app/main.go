//go:build js

// Command app is the browser program.
package main

import "retrylab.example/wasm/shell"

func main() { shell.Run() }
