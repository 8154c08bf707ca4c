//go:build e2e

package e2e

import (
	"testing"

	"retrylab.example/core/text"
)

// someManners are a sixth of all, another one for each look: looks and manners are all seen, though not each in each.
func someManners(i int) (some []manner) {
	for k, m := range manners() {
		if (k+i*5)%6 == 0 {
			some = append(some, m)
		}
	}
	return some
}

// TestLooks sees each look in some manners; make soak sees all in all.
func TestLooks(t *testing.T) { lookAt(t, someManners) }

// lookAt: no page has anything that axe-core minds, however small, or is wider than the window, in any language, theme
// and size.
func lookAt(t *testing.T, in func(i int) []manner) {
	eachLook(t, func(p *tab, i int, l look) {
		for _, m := range in(i) {
			p.behold(l, m)
			for _, finding := range p.axeFindings("minor") {
				p.t.Errorf("%s: %s", m.name(), finding)
			}
			if over := eval[string](p, tooWide); over != "" {
				p.t.Errorf("%s: %s", m.name(), over)
			}
			p.leaveLook()
		}
	})
}

// tooWide says what makes a page wider than the window, empty if nothing does.
const tooWide = `(() => {
	const root = document.documentElement;
	if (root.scrollWidth <= innerWidth) { return ""; }
	for (const e of document.querySelectorAll("body *")) {
		if (e.checkVisibility() && e.getBoundingClientRect().right > innerWidth + 1 && !e.closest("svg")) { return root.scrollWidth + " px wide: " + e.outerHTML.slice(0, 160); }
	}
	return root.scrollWidth + " px wide";
})()`

// cutTexts names texts of which a part cannot be seen: they are larger than their box, and it does not scroll. What ends
// in an ellipsis says the whole elsewhere, and what is folded opens by its button.
const cutTexts = `(() => {
	const out = [];
	for (const e of document.querySelectorAll("body *")) {
		const s = getComputedStyle(e);
		const hides = (o) => o === "hidden" || o === "clip";
		if (!e.checkVisibility() || !e.innerText?.trim() || e.closest("svg, .vh, .skip") || s.clipPath !== "none" || s.textOverflow === "ellipsis" || e.matches(":has(> [aria-expanded=false])")) { continue; }
		if (hides(s.overflowX) && e.scrollWidth > e.clientWidth + 2 || hides(s.overflowY) && e.scrollHeight > e.clientHeight + 2) {
			out.push(e.outerHTML.slice(0, 120) + " shows " + e.clientWidth + " × " + e.clientHeight + " of " + e.scrollWidth + " × " + e.scrollHeight);
		}
	}
	return out;
})()`

// TestTwiceAsLarge: at 200 % the page is as wide as the window, in every language (WCAG 1.4.10, 1.4.4).
func TestTwiceAsLarge(t *testing.T) {
	eachLook(t, func(p *tab, i int, l look) {
		p.behold(l, manner{text.Langs()[i%3], "light", 720, 450})
		if over := eval[string](p, tooWide); over != "" {
			p.t.Error(over)
		}
	})
}

// TestTextSpacing: with the spacing that a reader may need nothing of a text is cut off (WCAG 1.4.12).
func TestTextSpacing(t *testing.T) {
	const spaced = `(() => {
		const sheet = new CSSStyleSheet();
		sheet.replaceSync("* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important; } p { margin-bottom: 2em !important; }");
		document.adoptedStyleSheets = [sheet];
		return true;
	})()`
	eachLook(t, func(p *tab, i int, l look) {
		for k, size := range [][2]int64{{1440, 900}, {360, 740}} {
			p.behold(l, manner{text.Langs()[(i+k)%3], "light", size[0], size[1]})
			before := map[string]bool{}
			for _, cut := range eval[[]string](p, cutTexts) {
				before[cut] = true
			}
			eval[bool](p, spaced)
			p.drawn()
			for _, cut := range eval[[]string](p, cutTexts) {
				if !before[cut] {
					p.t.Errorf("%d px: %s", size[0], cut)
				}
			}
			if over := eval[string](p, tooWide); over != "" {
				p.t.Errorf("%d px: %s", size[0], over)
			}
			eval[bool](p, `(document.adoptedStyleSheets = [], true)`)
			p.leaveLook()
		}
	})
}

// eachLook runs a test for each look, in a tab of its own.
func eachLook(t *testing.T, test func(p *tab, i int, l look)) {
	t.Helper()
	all := beheld(t)
	for i, l := range looks {
		t.Run(l.name, func(t *testing.T) {
			p := all.another(t)
			p.visit("")
			test(p, i, l)
		})
	}
}
