//go:build e2e && shots

package e2e

import (
	"testing"
)

// TestShots takes a picture of every page in every language, theme and size: build/shots/PAGE-LANGUAGE-THEME.png, with
// -phone behind the narrow ones.
func TestShots(t *testing.T) {
	eachLook(t, func(p *tab, _ int, l look) {
		for _, m := range manners() {
			p.behold(l, m)
			p.shot(l.name + "-" + m.name())
			p.leaveLook()
		}
	})
}
