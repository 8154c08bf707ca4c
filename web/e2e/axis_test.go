//go:build e2e

package e2e

import (
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
)

// axisStep is a step with enough in it to zoom.
const axisStep = "#/lesson/lost-replies/third-attempt"

// played opens that step, fires and runs to the end.
func played(t *testing.T) *tab {
	p := open(t, axisStep)
	p.click("#fire")
	p.focus("#timeline")
	p.press("End", "End", "End")
	p.waitFor(`document.querySelector("#timeline .token")`)
	return p
}

// shownPart is what the control of the part says, "" where the whole axis is drawn.
const shownPart = `(document.querySelector("#part") || {getAttribute: () => ""}).getAttribute("aria-valuetext")`

func TestAxisByKeys(t *testing.T) {
	p := played(t)
	p.focus("#timeline")
	p.press("Home", "=")
	p.waitFor(shownPart + ` !== ""`)
	first := eval[string](p, shownPart)
	p.press("]")
	p.waitFor(shownPart + " !== " + quote(first))
	p.press("[")
	p.waitFor(shownPart + " === " + quote(first))
	p.reload()
	p.waitFor(shownPart + " === " + quote(first))
	p.focus("#timeline")
	p.press("End", "c", "-")
	p.waitFor(`document.querySelector("#timeline #now-mark")`)
	p.press("0")
	p.waitFor(shownPart + ` === ""`)
	p.click(`.zoom__b[title*="(+)"]`)
	p.waitFor(shownPart + ` !== ""`)
	p.focus("#part")
	before := eval[string](p, shownPart)
	p.press("Home")
	p.press("ArrowRight")
	p.waitFor(shownPart + " !== " + quote(before))
}

// mouse sends what a mouse does at a place of the page.
func (p *tab) mouse(kind input.DispatchMouseEventType, x, y float64, more func(*input.DispatchMouseEventParams)) {
	p.t.Helper()
	params := input.DispatchMouseEventParams{Type: kind, X: x, Y: y}
	if more != nil {
		more(&params)
	}
	call(p, input.DispatchMouseEvent, params)
}

// middleOf gives the middle of the plot on the page.
func (p *tab) middleOf() (x, y float64) {
	at := eval[[]float64](p, `(r => [r.left + r.width * 0.55, Math.min(r.top + 60, innerHeight - 200)])(document.querySelector("#timeline svg.tl").getBoundingClientRect())`)
	return at[0], at[1]
}

func TestAxisByWheelAndDrag(t *testing.T) {
	p := played(t)
	x, y := p.middleOf()
	wheel := func(dy float64) {
		p.mouse(input.DispatchMouseEventTypeMouseWheel, x, y, func(m *input.DispatchMouseEventParams) {
			m.DeltaX, m.DeltaY, m.Modifiers = 0.01, dy, 2 // a 0 would be left out
		})
	}
	wheel(-120)
	p.waitFor(shownPart + ` !== ""`)
	if scale := eval[float64](p, "visualViewport.scale"); scale != 1 {
		t.Errorf("the wheel has zoomed the page to %v", scale)
	}
	wheel(-240)
	wheel(-240)
	first := eval[string](p, shownPart)
	selected := eval[string](p, `(document.querySelector("tr.is-sel") || {id: ""}).id`)
	p.mouse(input.DispatchMouseEventTypeMousePressed, x, y, func(m *input.DispatchMouseEventParams) {
		m.Button, m.Buttons, m.ClickCount = input.MouseButtonLeft, 1, 1
	})
	for dx := 4.0; dx <= 80; dx += 4 {
		p.mouse(input.DispatchMouseEventTypeMouseMoved, x+dx, y, func(m *input.DispatchMouseEventParams) { m.Button, m.Buttons = input.MouseButtonLeft, 1 })
	}
	p.mouse(input.DispatchMouseEventTypeMouseReleased, x+80, y, func(m *input.DispatchMouseEventParams) { m.Button, m.ClickCount = input.MouseButtonLeft, 1 })
	p.waitFor(shownPart + " !== " + quote(first))
	if now := eval[string](p, `(document.querySelector("tr.is-sel") || {id: ""}).id`); now != selected {
		t.Errorf("a drag has selected %q in the place of %q", now, selected)
	}
	for range 12 {
		wheel(240)
	}
	p.waitFor(shownPart + ` === ""`)
}

// On a phone two fingers pinch, and one still scrolls the page.
func TestAxisByTouch(t *testing.T) {
	p := open(t, axisStep)
	p.viewport(360, 780)
	call(p, emulation.SetTouchEmulationEnabled, emulation.SetTouchEmulationEnabledParams{Enabled: true, MaxTouchPoints: 2})
	p.click(`.panes__b:nth-child(2)`)
	p.click(".transport .btn--phone.btn--primary")
	p.waitFor(`document.querySelector("#timeline .token")`)
	touch := func(kind input.DispatchTouchEventType, points ...*input.TouchPoint) {
		call(p, input.DispatchTouchEvent, input.DispatchTouchEventParams{Type: kind, TouchPoints: points})
	}
	at := func(id, x, y float64) *input.TouchPoint { return &input.TouchPoint{X: x, Y: y, ID: new(id)} }
	r := eval[[]float64](p, `(scrollTo(0, 0), (r => [r.left + 150, r.top + 60])(document.querySelector("#timeline svg.tl").getBoundingClientRect()))`)
	touch(input.DispatchTouchEventTypeTouchStart, at(1, r[0], r[1]), at(2, r[0]+20, r[1]+20))
	for d := 0.0; d <= 60; d += 6 {
		touch(input.DispatchTouchEventTypeTouchMove, at(1, r[0]-d, r[1]), at(2, r[0]+20+d, r[1]+20))
	}
	touch(input.DispatchTouchEventTypeTouchEnd)
	p.waitFor(shownPart + ` !== ""`)
	before := eval[string](p, shownPart)
	touch(input.DispatchTouchEventTypeTouchStart, at(1, r[0], r[1]+100))
	for d := 0.0; d <= 120; d += 6 {
		touch(input.DispatchTouchEventTypeTouchMove, at(1, r[0], r[1]+100-d))
	}
	touch(input.DispatchTouchEventTypeTouchEnd)
	p.waitFor("scrollY > 20")
	if now := eval[string](p, shownPart); now != before {
		t.Errorf("a finger that scrolls has moved the axis from %q to %q", before, now)
	}
}
