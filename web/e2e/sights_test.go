//go:build e2e

package e2e

import (
	"testing"

	"github.com/chromedp/cdproto/emulation"

	"retrylab.example/core/text"
)

// TestForcedColors: with the colours of the system, what is chosen, done or decided is told by more than a ground colour.
func TestForcedColors(t *testing.T) {
	p := beheld(t)
	p.behold(looks[3], manner{text.English, "light", 1440, 900})
	p.prefer("forced-colors", "active", "prefers-color-scheme", "dark")
	want(p, `getComputedStyle(document.querySelector("svg.tl")).colorScheme`, "light") // on its white ground
	p.drawn()
	for _, tt := range []struct{ what, other string }{
		{".pip.is-here", ".pip:not(.is-here)"}, {".ev tr.is-sel", ".ev tr:not(.is-sel)"}, {".btn--primary", ".btn:not(.btn--primary)"},
		{".is-decided th", "tr:not(.is-decided) th"},
	} {
		differ := eval[string](p, `((a, b) => {
			if (!a || !b) { return "there is no " + (a ? `+quote(tt.other)+` : `+quote(tt.what)+`); }
			const look = (e) => [null, "::before"].map((part) => { const s = getComputedStyle(e, part); return [s.borderWidth, s.borderColor, s.outline, s.inset, s.backgroundColor, s.fontWeight, s.forcedColorAdjust].join(); }).join();
			return look(a) === look(b) ? "they look the same" : "";
		})(document.querySelector(`+quote(tt.what)+`), document.querySelector(`+quote(tt.other)+`))`)
		if differ != "" {
			t.Errorf("%s and %s: %s", tt.what, tt.other, differ)
		}
	}
	p.shot("forced-colors")
}

// TestPrint: on paper the text, the timeline, the receipt, the events and the totals are all there, and nothing that only
// a screen needs.
func TestPrint(t *testing.T) {
	p := beheld(t)
	for _, width := range []int64{1440, 740} { // paper is that narrow
		p.behold(looks[3], manner{text.Korean, "dark", width, 1000})
		call(p, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: "print"})
		p.drawn()
		for _, there := range []string{".prose", "svg.tl", ".slip", ".ev tbody tr", "#totals"} {
			if !eval[bool](p, `[...document.querySelectorAll(`+quote(there)+`)].some((e) => e.checkVisibility() && e.getBoundingClientRect().height > 8)`) {
				t.Errorf("%d px: %s is not printed", width, there)
			}
		}
		for _, gone := range []string{".clock", ".top__tools", ".act"} {
			if eval[bool](p, `[...document.querySelectorAll(`+quote(gone)+`)].some((e) => e.checkVisibility())`) {
				t.Errorf("%d px: %s is printed", width, gone)
			}
		}
		want(p, `getComputedStyle(document.body).backgroundColor`, "rgb(255, 255, 255)") // whatever the theme
		p.shot("print-" + map[int64]string{1440: "wide", 740: "narrow"}[width])
		call(p, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: ""})
	}
}

// TestReducedMotion: where less motion is wanted, nothing moves by itself, and Play steps.
func TestReducedMotion(t *testing.T) {
	p := beheld(t)
	for _, i := range []int{0, 3, 7} {
		p.behold(looks[i], manner{text.English, "light", 1440, 900})
		moving := eval[[]string](p, `[...document.querySelectorAll("*")].filter((e) => {
			const s = getComputedStyle(e);
			return s.animationName !== "none" || s.transitionDuration.split(", ").some((d) => parseFloat(d) > 0.01) && s.transitionProperty !== "none";
		}).map((e) => e.outerHTML.slice(0, 100))`)
		if len(moving) > 0 {
			t.Errorf("%s: %d things move, such as %s", looks[i].name, len(moving), moving[0])
		}
	}
}
