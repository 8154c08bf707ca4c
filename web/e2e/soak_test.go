//go:build e2e && soak

package e2e

import (
	"math/rand/v2"
	"testing"
)

// TestSoakLooks sees every look in every manner.
func TestSoakLooks(t *testing.T) { lookAt(t, func(int) []manner { return manners() }) }

// TestSoakRandomActions does ten thousand random actions, in pages of a thousand.
func TestSoakRandomActions(t *testing.T) {
	for range 10 {
		t.Run("", func(t *testing.T) { randomActions(t, rand.Uint32(), 1000) })
	}
}
