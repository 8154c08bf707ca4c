//go:build soak

package sqlite

import (
	"fmt"
	"testing"
)

// TestSoakKill is ten rounds of ten thousand requests, killed at another place each time.
func TestSoakKill(t *testing.T) {
	for n := range 10 {
		t.Run(fmt.Sprint(n+1), func(t *testing.T) { kill(t, 10_000, 1000*n+517) })
	}
}
