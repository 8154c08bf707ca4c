//go:build e2e && soak

package e2e

import (
	"math/rand/v2"
	"testing"
)

// TestSoakRandomActions does ten thousand random actions, in pages of a thousand.
func TestSoakRandomActions(t *testing.T) {
	for range 10 {
		t.Run("", func(t *testing.T) { randomActions(t, rand.Uint32(), 1000) })
	}
}
