//go:build soak

package live_test

import (
	"fmt"
	"testing"
	"time"

	"retrylab.example/web/live"
)

// TestSoakMemory: over a million requests of a few clients with keys that come again, memory stays flat.
func TestSoakMemory(t *testing.T) {
	a := newApp(t, live.HouseConfig{}, `{"partner":{"limit":{"count":5,"window":"1s"},"keyLifetime":"10s"}}`)
	const all, part = 1_000_000, 100_000
	var early, late uint64
	for n := range all {
		a.now = a.now.Add(20 * time.Millisecond)
		client := fmt.Sprint("c", n%50)
		switch n % 3 {
		case 0:
			a.ask("GET", a.base+"/work", "", "X-Client-ID", client)
		case 1:
			a.ask("POST", a.base+"/add", `{"amount":1}`, "X-Client-ID", client, "Idempotency-Key", fmt.Sprint(n%1000))
		default:
			a.ask("POST", a.base+"/add", `{"amount":2}`, "X-Client-ID", client)
		}
		if n == part {
			early = heap()
		}
	}
	late = heap()
	fmt.Printf("%d requests: %d kB in use after the first %d, %d kB at the end\n", all, early/1024, part, late/1024)
	if late > early+early/4+1<<20 {
		t.Errorf("memory has grown from %d to %d bytes", early, late)
	}
}
