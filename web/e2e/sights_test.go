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

// TestFocusOrder: from the top of a page to its end each Tab goes on in the order of the document, to something that
// shows the focus and that nothing covers (WCAG 2.4.3, 2.4.7, 2.4.11).
func TestFocusOrder(t *testing.T) {
	p := beheld(t)
	for _, size := range [][2]int64{{1440, 900}, {360, 740}} {
		for _, i := range []int{0, 3, 4, 11} {
			p.behold(looks[i], manner{text.English, "light", size[0], size[1]})
			where := looks[i].name
			eval[bool](p, `(document.body.focus(), window.getSelection().removeAllRanges(), document.activeElement.blur(), scrollTo(0, 0), window.passed = [], true)`)
			reached := 0
			for range 60 {
				p.press("Tab")
				fault := eval[string](p, `(() => {
					const a = document.activeElement;
					if (a === document.body) { return "end"; }
					const last = passed.at(-1);
					passed.push(a);
					if (last && !(last.compareDocumentPosition(a) & Node.DOCUMENT_POSITION_FOLLOWING)) { return "end"; }
					if (a.matches(".skip, .vh")) { return ""; }
					const r = a.getClientRects()[0] || a.getBoundingClientRect();
					const x = Math.min(Math.max(r.left + r.width / 2, 1), innerWidth - 1), y = Math.min(Math.max(r.top + Math.min(r.height / 2, 200), 1), innerHeight - 1);
					const over = document.elementFromPoint(x, y);
					return over && (a.contains(over) || over.contains(a) || a.labels && [...a.labels].some((l) => l.contains(over))) ? "" :
						a.outerHTML.slice(0, 100) + " lies under " + (over ? over.outerHTML.slice(0, 100) : "nothing") + " at " + [x, y].map(Math.round);
				})()`)
				if fault == "end" {
					break
				}
				reached++
				if fault != "" {
					t.Errorf("%s, %d px: %s", where, size[0], fault)
				}
				if eval[bool](p, `!document.activeElement.matches(".skip, .vh")`) {
					p.focusShows()
				}
			}
			if reached < 8 {
				t.Errorf("%s, %d px: Tab reaches only %d things", where, size[0], reached)
			}
			p.leaveLook()
		}
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
