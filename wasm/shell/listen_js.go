package shell

import (
	"syscall/js"

	"honnef.co/go/js/dom/v2"

	"retrylab.example/wasm/page/author"
	"retrylab.example/wasm/page/lab"
	"retrylab.example/wasm/page/watch"
	"retrylab.example/wasm/view/frame"
)

// listen begins to hear keys, pointers and sizes for as long as the program runs.
func (p *program) listen() {
	on("keydown", func(e *dom.BasicEvent) { p.key(&dom.KeyboardEvent{BasicEvent: e}) })
	on("click", func(e *dom.BasicEvent) { p.point(&dom.MouseEvent{UIEvent: &dom.UIEvent{BasicEvent: e}}) })
	p.listenFiles()
	p.listenTabs()
	on("pagehide", func(*dom.BasicEvent) { p.tell() })
	p.listenTour()
	on("resize", func(*dom.BasicEvent) { p.measure() })
}

// key gives a key to the page, if it is one that the page may have.
func (p *program) key(k *dom.KeyboardEvent) {
	target := k.Get("target")
	if k.Get("isComposing").Bool() || k.AltKey() || k.MetaKey() && !isUndo(k) || inside(target, "dialog") {
		return
	}
	if k.Key() == "Escape" && p.settings.Tour > 0 && p.guided() != nil {
		p.leaveTour()
		return
	}
	if k.Key() == "?" && !typesText(target) {
		k.PreventDefault()
		dialog(frame.HelpID, true)
		return
	}
	if inside(target, "[role=tab]") && tabKey(target, k.Key()) {
		k.PreventDefault()
		return
	}
	if m, ok := p.page.(*author.Model); ok && !inside(target, "[data-keys], [data-editor]") {
		p.authorKey(m, k)
		return
	}
	if p.lab() == nil || ownKey(target, k.Key()) {
		return
	}
	if !isUndo(k) && !p.settings.KeysEverywhere && !inside(target, "[data-keys]") {
		return
	}
	msg := lab.Key{Name: k.Key(), Shift: k.ShiftKey(), Ctrl: k.CtrlKey() || k.MetaKey()}
	if !msg.Acts() {
		return
	}
	k.PreventDefault()
	if k.Repeat() && !msg.Repeats() {
		return // a key held down steps on and on, and fires once
	}
	p.update(msg)
}

func isUndo(k *dom.KeyboardEvent) bool {
	return (k.CtrlKey() || k.MetaKey()) && (k.Key() == "z" || k.Key() == "Z")
}

func inside(target js.Value, selector string) bool {
	return target.Get("closest").Truthy() && target.Call("closest", selector).Truthy()
}

// typesText reports whether keys write into the target.
func typesText(target js.Value) bool {
	return inside(target, "textarea, select, input:not([type=range]):not([type=checkbox]):not([type=radio]), [data-editor]")
}

// ownKey reports whether a native control has its own use of the key.
func ownKey(target js.Value, key string) bool {
	if typesText(target) || key == " " && inside(target, "button, summary, [role=tab]") {
		return true
	}
	if !inside(target, "input") {
		return false
	}
	switch key {
	case "ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Home", "End", "PageUp", "PageDown", " ":
		return true
	}
	return false
}

// point tells the page where in the timeline was clicked.
func (p *program) point(e *dom.MouseEvent) {
	if p.lab() == nil {
		return
	}
	box := byID("timeline")
	if box == nil || p.hands.moved || !inside(e.Get("target"), "#timeline svg") {
		return
	}
	r := htmlElement(box.Underlying().Call("querySelector", "svg.tl")).GetBoundingClientRect()
	msg := lab.Point{X: float64(e.ClientX()) - r.Left(), Y: float64(e.ClientY()) - r.Top()}
	p.update(msg)
}

// narrowQuery is where the stylesheet turns to the phone's layout.
const narrowQuery = "(max-width: 839px)"

func narrow() bool { return window.Call("matchMedia", narrowQuery).Get("matches").Bool() }

// firstSize guesses the timeline's width before anything is drawn, so that the first drawing already fits.
func firstSize() lab.Size {
	width := window.Get("innerWidth").Float()
	s := lab.Size{Narrow: narrow()}
	switch {
	case s.Narrow:
		s.Stage = int(min(width, 560)) - 32
	case width < 1180:
		s.Stage = int(width) - 292 - 24
	default:
		s.Stage = int(width*0.46) - 26
	}
	return s
}

// measure tells the page how wide the timeline's box is.
func (p *program) measure() {
	m := p.lab()
	live, watches := p.page.(*watch.Model)
	box := byID("timeline")
	if m == nil && !watches || box == nil {
		return
	}
	if m != nil {
		p.hold(box.Underlying())
	}
	style := window.Call("getComputedStyle", box.Underlying())
	padding := window.Call("parseFloat", style.Get("paddingLeft")).Float() + window.Call("parseFloat", style.Get("paddingRight")).Float()
	size := lab.Size{Stage: int(box.Underlying().Get("clientWidth").Float() - padding), Narrow: narrow()}
	if size.Stage <= 0 { // the box is not shown, as on a phone that shows the lesson
		size.Stage = firstSize().Stage
	}
	switch {
	case watches && watch.Size(size) != live.Size:
		p.update(watch.Resize{Size: watch.Size(size)})
	case m != nil && size != m.Size:
		p.size = size
		p.update(lab.Resize{Size: size})
	}
}
