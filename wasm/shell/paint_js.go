package shell

import (
	"syscall/js"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"retrylab.example/wasm/page/lab"
	"retrylab.example/wasm/view"
)

// act does a message and draws what it changed at once, in the task of the key press: what is painted by hand, and the
// rest of the page, which go-app draws, in a task of its own, and only if something of it has changed.
func (p *program) act(msg any) {
	if !p.mounted {
		return
	}
	done := false
	defer p.noteCrash(&done)
	p.acting = true
	p.update(msg)
	p.acting = false
	after := p.acted
	p.acted = nil
	tree := p.page.View()
	p.paint(tree)
	if p.shown == nil && p.drawn != nil && view.Equal(p.drawn, tree) {
		p.drawn = tree
		for _, f := range after {
			f()
		}
		done = true
		return
	}
	p.shown = tree
	p.ctx.Dispatch(func(app.Context) {
		for _, f := range after {
			p.later(f)
		}
	})
	done = true
}

// scrub moves the clock once for each frame, to where the thumb is then.
func (p *program) scrub(msg lab.Scrub) {
	if p.scrubbing {
		p.scrubTo = &msg
		return
	}
	p.scrubbing = true
	p.act(msg)
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

// handle does the message of a handler inside of what is painted by hand.
func (p *program) handle(h view.Handler, target js.Value) {
	msg := h.Msg
	if h.With != nil {
		msg = h.With(valueOf(target))
	}
	if to, ok := msg.(lab.Scrub); ok {
		p.scrub(to)
		return
	}
	p.act(msg)
}

// latest returns the tree that the page shows.
func (p *program) latest() view.Node {
	if p.shown != nil {
		return p.shown
	}
	return p.drawn
}

// property is a value of JavaScript, by either package.
type property[T any] interface {
	Get(string) T
	String() string
	Bool() bool
}

// valueOf returns the value of an input, "true" or "false" of one that is ticked or not.
func valueOf[T property[T]](input T) string {
	if input.Get("type").String() != "checkbox" {
		return input.Get("value").String()
	}
	if input.Get("checked").Bool() {
		return "true"
	}
	return "false"
}

// paint brings everything that is made by hand to what a tree shows.
func (p *program) paint(tree view.Node) {
	p.paintIn(tree)
	p.editors.sweep()
}

func (p *program) paintIn(n view.Node) {
	switch {
	case n.Painted:
		p.paintOne(n)
		return
	case n.Edit != nil:
		p.edit(n)
	}
	for _, k := range n.Kids {
		p.paintIn(k)
	}
}

func (p *program) paintOne(n view.Node) {
	id := n.ID()
	e := document.Call("getElementById", id)
	if e.IsNull() {
		return // go-app has not made it yet; it is painted then
	}
	s := p.surfaces[id]
	if s != nil && s.element.Equal(e) {
		old := s.tree
		s.tree = n
		view.Patch(s, old, n)
		return
	}
	if s != nil {
		s.release()
	}
	s = &surface{element: e, tree: n}
	p.surfaces[id] = s
	e.Set("innerHTML", n.Inside())
	for _, name := range []string{"click", "input", "change"} {
		hear := js.FuncOf(func(_ js.Value, args []js.Value) any {
			target := args[0].Get("target")
			for _, h := range s.tree.Handlers(name, s.path(target)) {
				p.handle(h, target)
			}
			return nil
		})
		e.Call("addEventListener", name, hear)
		s.hear = append(s.hear, hear)
	}
}

// surface is an element that is painted by hand, and what it shows.
type surface struct {
	element js.Value
	tree    view.Node
	hear    []js.Func
}

// release forgets what listened to an element that is gone from the page.
func (s *surface) release() {
	for _, f := range s.hear {
		f.Release()
	}
}

// node returns what a path leads to.
func (s *surface) node(path []int) js.Value {
	n := s.element
	for _, i := range path {
		n = n.Get("childNodes").Index(i)
	}
	return n
}

// path returns the path that leads to a node.
func (s *surface) path(node js.Value) []int {
	if node.Equal(s.element) || node.IsNull() {
		return nil
	}
	parent := node.Get("parentNode")
	place := window.Get("Array").Get("prototype").Get("indexOf").Call("call", parent.Get("childNodes"), node).Int()
	return append(s.path(parent), place)
}

// made returns elements and texts that fit into a parent: rows into a table, shapes into a drawing.
func made(parent js.Value, html string) js.Value {
	r := document.Call("createRange")
	r.Call("selectNodeContents", parent)
	return r.Call("createContextualFragment", html)
}

// SetAttr sets an attribute; of an input what a person sees of it, which its attribute does not change any more.
func (s *surface) SetAttr(path []int, name, value string) {
	n := s.node(path)
	switch name {
	case "value":
		n.Set(name, value)
	case "checked", "selected":
		n.Set(name, true)
	default:
		n.Call("setAttribute", name, value)
	}
}

// DropAttr takes an attribute away.
func (s *surface) DropAttr(path []int, name string) {
	n := s.node(path)
	if name == "checked" || name == "selected" {
		n.Set(name, false)
		return
	}
	n.Call("removeAttribute", name)
}

// SetText changes a text.
func (s *surface) SetText(path []int, text string) { s.node(path).Set("nodeValue", text) }

// Replace puts something else in the place of a node.
func (s *surface) Replace(path []int, html string) {
	n := s.node(path)
	n.Call("replaceWith", made(n.Get("parentNode"), html))
}

// Append puts something behind the last node inside of one.
func (s *surface) Append(path []int, html string) {
	n := s.node(path)
	n.Call("append", made(n, html))
}

// Insert puts something before a node.
func (s *surface) Insert(path []int, html string) {
	n := s.node(path)
	parent := n.Get("parentNode")
	parent.Call("insertBefore", made(parent, html), n)
}

// Remove takes a node away.
func (s *surface) Remove(path []int) { s.node(path).Call("remove") }
