// Package live is the flaky partner over real HTTP: one handler for all labs, over core/lab, which runs on one machine and
// on Cloudflare Workers alike. No rule of the partner is in it; it reads requests, gives them a real instant, keeps them
// in a store, and writes the answers that core gives.
//
// A client's id, the header X-Client-ID, is a test key and no identity: anyone may send any. Whoever limits real clients
// takes the key from the authenticated subject. A lab's limits hold in one program at a time and are not shared between
// servers.
package live

import "net/http"

const (
	// MaxBody is how many bytes a request's body may have.
	MaxBody = 64 << 10
	// MaxHeader is how many bytes a request's header fields may have.
	MaxHeader = 16 << 10
)

func headerBytes(h http.Header) (n int) {
	for name, values := range h {
		for _, value := range values {
			n += len(name) + len(value)
		}
	}
	return n
}
