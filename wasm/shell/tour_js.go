package shell

import (
	"strconv"
	"syscall/js"

	"retrylab.example/wasm/guide"
	"retrylab.example/wasm/page/lab"
	"retrylab.example/wasm/view/frame"
)

// Where it is kept that the tour is over.
const (
	tourKey  = "retrylab.tour"
	tourOver = "over"
)

// guided returns the page that is shown if the tour can be shown on it.
func (p *program) guided() *lab.Model {
	if m, ok := p.page.(*lab.Model); ok && m.Guided() {
		return m
	}
	return nil
}

// tour goes to a stop. From a page that has nothing to show it leads to the first step that has.
func (p *program) tour(stop int) {
	dialog(frame.HelpID, false)
	if stop == 0 {
		_ = save(tourKey, tourOver)
	}
	p.settings.Tour = stop
	p.applySettings()
	m := p.guided()
	if m == nil {
		p.tourAway()
		return
	}
	m.ShowStop(stop)
	p.later(p.settle)
}

// tourAway goes to the first step on which the tour can be shown.
func (p *program) tourAway() {
	for i := range p.catalog.Lessons {
		for _, st := range p.catalog.Lessons[i].Steps {
			if st.Plays && p.settings.Tour > 0 {
				window.Get("location").Set("hash", "#/lesson/"+p.catalog.Lessons[i].ID+"/"+st.ID)
				return
			}
		}
	}
}

// settle puts the focus on what a page is about, or the tour's card: that is brought beside what it is about.
func (p *program) settle() {
	if p.settings.Tour == 0 || p.guided() == nil {
		focusHeading()
		return
	}
	switch about := p.stop(); {
	case about.IsNull():
	case !narrow():
		about.Call("scrollIntoView", map[string]any{"block": "nearest", "behavior": "instant"})
	case stays(about):
		window.Call("scrollTo", 0, 0)
	default:
		about.Call("scrollIntoView", map[string]any{"block": "start", "behavior": "instant"})
	}
	p.placeTour()
	if e := byID(guide.TitleID); e != nil {
		e.Underlying().Call("focus", map[string]any{"preventScroll": true})
	}
}

// listenTour keeps the card at its place while the page moves under it.
func (p *program) listenTour() {
	f := js.FuncOf(func(js.Value, []js.Value) any { p.placeTour(); return nil })
	for _, event := range []string{"scroll", "resize"} {
		window.Call("addEventListener", event, f, map[string]any{"capture": true, "passive": true})
	}
}

// leaveTour ends the tour by key.
func (p *program) leaveTour() { p.update(frame.Tour{}) }

// stop returns the element that the stop is about.
func (p *program) stop() js.Value {
	for _, selector := range guide.Targets(p.settings.Tour) {
		if e := document.Call("querySelector", selector); e.Truthy() && e.Call("checkVisibility").Bool() {
			return e
		}
	}
	return js.Null()
}

// stays reports whether an element keeps its place in the window when the page is scrolled.
func stays(e js.Value) bool {
	switch window.Call("getComputedStyle", e).Get("position").String() {
	case "fixed", "sticky":
		return true
	}
	return false
}

func boxOf(e js.Value) guide.Box {
	r := e.Call("getBoundingClientRect")
	return guide.Box{Left: r.Get("left").Float(), Top: r.Get("top").Float(), Right: r.Get("right").Float(), Bottom: r.Get("bottom").Float()}
}

// placeTour puts the card beside what it is about, and the ring around what is in sight of that.
func (p *program) placeTour() {
	if p.settings.Tour == 0 {
		return
	}
	card, ring, about := byID(guide.TourID), byID(guide.RingID), p.stop()
	if card == nil || ring == nil || about.IsNull() {
		return
	}
	root := root().Underlying()
	space := guide.Box{Right: root.Get("clientWidth").Float(), Bottom: root.Get("clientHeight").Float()}
	box, over := boxOf(about).In(space), document.Call("querySelectorAll", ".top, .totals, .panes, .clock, .why")
	for i := range over.Length() {
		if e := over.Index(i); stays(e) && !e.Equal(about) && !e.Call("contains", about).Bool() {
			box = box.Cut(boxOf(e))
		}
	}
	size := boxOf(card.Underlying())
	left, top, shown := guide.Place(space, box, size.Right-size.Left, size.Bottom-size.Top)
	put(card.Underlying(), "left", left, "top", top)
	put(ring.Underlying(), "left", shown.Left, "top", shown.Top, "width", max(shown.Right-shown.Left, 0), "height", max(shown.Bottom-shown.Top, 0))
}

// put sets lengths of an element's own style, in px: a policy that forbids style attributes allows that.
func put(e js.Value, lengths ...any) {
	style := e.Get("style")
	for i := 0; i < len(lengths); i += 2 {
		style.Call("setProperty", lengths[i], strconv.FormatFloat(lengths[i+1].(float64), 'f', 1, 64)+"px")
	}
}
