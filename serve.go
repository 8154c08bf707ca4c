// Retry Lab: retries, idempotency and limits on a clock that is stepped by hand. Without arguments it serves the page.
package main

import (
	"os"

	"retrylab.example/web/cli"
)

func main() {
	os.Exit(cli.Main(os.Args[1:], cli.Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr}))
}
