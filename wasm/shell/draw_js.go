package shell

import (
	"strconv"
	"strings"
	"syscall/js"

	"retrylab.example/wasm/page/lab"
	"retrylab.example/wasm/view"
	"retrylab.example/wasm/view/frame"
)

// change does something to what the page shows and draws it, in the task of the key press or whatever else it is for: the
// very next frame shows it. Then comes what was to be done once that is shown. A change inside of another is a part of it.
func (p *program) change(do func()) {
	if p.changing || !p.mounted {
		do()
		return
	}
	done := false
	defer p.noteCrash(&done)
	p.changing = true
	do()
	p.draw()
	p.changing = false
	deferred := p.deferred
	p.deferred = nil
	for _, f := range deferred {
		f()
	}
	done = true
}

// later does something once the change that is being made is shown.
func (p *program) later(f func()) {
	switch {
	case p.changing:
		p.deferred = append(p.deferred, f)
	case p.mounted:
		f()
	}
}

// update does a message.
func (p *program) update(msg any) { p.change(func() { p.take(msg) }) }

// draw brings the page to what is to be shown.
func (p *program) draw() {
	if title := p.page.Title(); title != p.title || p.settings.Lang != p.lang { // else the browser styles it all anew
		p.title, p.lang = title, p.settings.Lang
		setTitle(title, p.lang)
	}
	s, tree := &p.surface, p.page.View()
	if s.tree == nil { // go-app has made the element, and nothing in it
		s.element, s.tree = document.Get("body").Get("firstElementChild"), view.El("div")
		for _, event := range []string{"click", "input", "change"} {
			s.element.Call("addEventListener", event, js.FuncOf(func(_ js.Value, args []js.Value) any {
				p.hear(event, args[0])
				return nil
			}))
		}
	}
	s.show(tree)
	p.placeThumb() // before anything asks for places on the page
	p.editIn(tree)
	p.editors.sweep()
}

// editIn brings the editors in a tree to what it says.
func (p *program) editIn(n view.Node) {
	if n.Edit != nil {
		p.edit(n)
	}
	for _, k := range n.Kids {
		if k.Edits {
			p.editIn(k)
		}
	}
}

// hear gives an event of the page to those whose it is: handlers of the element that it happened to, and of those around.
func (p *program) hear(name string, event js.Value) {
	target := event.Get("target")
	if p.changing || !p.surface.element.Call("contains", target).Bool() {
		return // the browser tells of an element that is being taken away
	}
	for _, h := range p.surface.tree.Handlers(name, p.surface.path(target)) {
		msg := h.Msg
		if h.With != nil {
			if target.Get("type").String() == "file" {
				p.picked(target)
				return
			}
			msg = h.With(valueOf(target))
		}
		switch msg := msg.(type) {
		case lab.Scrub:
			p.scrub(msg)
			continue
		case frame.Skip:
			event.Call("preventDefault")
			event.Call("stopPropagation") // go-app would follow the link, and the address would change
		}
		p.update(msg)
	}
}

// rest is how many ms the thumb must stay where it is before the page takes it for at rest.
const rest = 120

// scrub moves the clock once for each frame, to where the thumb is then.
func (p *program) scrub(msg lab.Scrub) {
	if p.scrubbing {
		p.scrubTo = &msg
		return
	}
	p.scrubbing = true
	if p.landing.Truthy() {
		window.Call("clearTimeout", p.landing)
		p.update(lab.Glide(msg))
	} else {
		p.update(msg)
	}
	if p.land.IsUndefined() {
		p.land = js.FuncOf(func(js.Value, []js.Value) any {
			p.landing = js.Undefined()
			p.update(lab.Land{})
			return nil
		})
	}
	p.landing = window.Call("setTimeout", p.land, rest)
	var next js.Func
	next = js.FuncOf(func(js.Value, []js.Value) any {
		next.Release()
		p.scrubbing = false
		if to := p.scrubTo; to != nil {
			p.scrubTo = nil
			p.scrub(*to)
		}
		return nil
	})
	window.Call("requestAnimationFrame", next)
}

// valueOf returns the value of an input, "true" or "false" of one that is ticked or not.
func valueOf(input js.Value) string {
	if input.Get("type").String() != "checkbox" {
		return input.Get("value").String()
	}
	if input.Get("checked").Bool() {
		return "true"
	}
	return "false"
}

// surface is the page in the browser, and what it shows. The zero value shows nothing yet.
type surface struct {
	element js.Value
	tree    view.Node
}

// show brings the page to a tree. One in which something else than the program has changed what is there, as translators of
// pages do, is drawn anew.
func (s *surface) show(tree view.Node) {
	var changes view.Changes
	view.Patch(&changes, s.tree, tree)
	known := s.element.Get("childNodes").Length() == len(s.tree.Kids)
	s.tree = tree
	if text := changes.String(); known && (text == "" || onPage("patch", s.element, text).Bool()) {
		return
	}
	had := document.Get("activeElement").Get("id").String()
	s.element.Set("innerHTML", tree.Inside())
	if e := byID(had); had != "" && e != nil {
		e.Focus()
	}
}

// path returns the path that leads to a node.
func (s *surface) path(node js.Value) []int {
	var path []int
	for _, place := range strings.Split(onPage("path", s.element, node).String(), ".") {
		if i, err := strconv.Atoi(place); err == nil { // the page itself has no place
			path = append(path, i)
		}
	}
	return path
}

// onPage calls a function of page.js.
func onPage(name string, args ...any) js.Value { return window.Get("retrylabPage").Call(name, args...) }
