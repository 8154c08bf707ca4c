//go:build e2e

package e2e

import (
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
)

// finger uses the page of a phone by touch alone: it goes to the part of the page first that has what is meant.
type finger struct{}

// parts are where things are on a phone, by what finds them.
var parts = []struct{ part, finders string }{
	{"lesson", ".opt .predict .onward .knob #replay-policy #solved .hints"},
	{"timeline", ".chip .act #retry-after #key"},
	{"clock", ".advance #amount #run #next-decision #next-timer"},
}

// at goes to the part of the page that has what is meant, and returns what does the same on a phone.
func (f finger) at(p *tab, what string) string {
	p.t.Helper()
	if what == one("#fire") { // stands in the clock's row
		return by("#clock button", "Fire")
	}
	for _, part := range parts {
		for _, finder := range strings.Fields(part.finders) {
			switch {
			case !strings.Contains(what, finder):
			case part.part == "clock":
				if !eval[bool](p, `document.querySelector(".lab").dataset.clock === "open"`) {
					f.tap(p, one("#clock .btn--more"))
					p.waitFor(`document.querySelector(".lab").dataset.clock === "open"`)
				}
				return what
			case !eval[bool](p, `document.querySelector(".lab").dataset.pane === `+quote(part.part)):
				f.tap(p, `[...document.querySelectorAll(".panes__b")][`+map[string]string{"lesson": "0", "timeline": "1"}[part.part]+`]`)
				p.waitFor(`document.querySelector(".lab").dataset.pane === ` + quote(part.part))
				return what
			default:
				return what
			}
		}
	}
	return what
}

// tap touches the middle of what is meant. Nothing may cover it, and a finger must be able to hit it.
func (finger) tap(p *tab, what string) {
	p.t.Helper()
	p.waitFor(`((e) => e && e.checkVisibility() && !e.disabled && !e.ariaDisabled)(` + what + `)`)
	at := eval[[]float64](p, `((e) => {
		e = e.matches("input[type=radio]") ? e.closest("label") : e;
		const middle = () => { const r = e.getBoundingClientRect(); return [r.left + r.width / 2, r.top + r.height / 2, r.width, r.height]; };
		const free = (m) => m[0] > 0 && m[0] < innerWidth && e.contains(document.elementFromPoint(m[0], m[1]));
		if (!free(middle())) { e.scrollIntoView({block: "center", inline: "center", behavior: "instant"}); }
		const m = middle();
		return free(m) ? m : [];
	})(`+what+`)`)
	if len(at) < 4 {
		p.t.Fatalf("something covers %s%s", what, p.state())
	}
	if min(at[2], at[3]) < 24 {
		p.t.Errorf("%s is %.0f × %.0f px: too small for a finger", what, at[2], at[3])
	}
	point := &input.TouchPoint{X: at[0], Y: at[1]}
	call(p, input.DispatchTouchEvent, input.DispatchTouchEventParams{Type: input.DispatchTouchEventTypeTouchStart, TouchPoints: []*input.TouchPoint{point}})
	call(p, input.DispatchTouchEvent, input.DispatchTouchEventParams{Type: input.DispatchTouchEventTypeTouchEnd, TouchPoints: []*input.TouchPoint{}})
}

func (f finger) press(p *tab, what string) {
	p.t.Helper()
	what = f.at(p, what)
	f.tap(p, what)
}

func (f finger) pick(p *tab, what, option string) {
	p.t.Helper()
	mouse{}.pick(p, f.at(p, what), option) // the list itself is the phone's own
}

func (f finger) write(p *tab, what, text string) {
	p.t.Helper()
	f.press(p, what)
	p.write(text)
}

func (f finger) tick(p *tab, _, button string) {
	p.t.Helper()
	f.press(p, one(button))
}

// TestLessonByTouch plays a whole lesson on a phone of 360 px with nothing but a finger.
func TestLessonByTouch(t *testing.T) {
	p := open(t, "")
	call(p, emulation.SetTouchEmulationEnabled, emulation.SetTouchEmulationEnabledParams{Enabled: true})
	p.must(p.do(chromedp.EmulateViewport(360, 740, chromedp.EmulateMobile, chromedp.EmulateTouch)), "becoming a phone")
	l := course(t)[0]
	p.goTo(hashOf(l.ID, l.Steps[0].ID))
	way := tour{l: l, failed: true, moved: true}
	way.play(p, finger{})
	p.shot("touch-last-page")
	lastPage(p, l, false)
}
