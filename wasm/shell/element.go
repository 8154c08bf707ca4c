// Package shell is the only place for what a page wants done in the browser: it draws views with go-app, routes, fetches,
// keeps, focuses, measures and listens. Pages return trees and effects; they never come here.
package shell

import (
	"fmt"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"retrylab.example/wasm/view"
)

// sender takes the message of a handler.
type sender func(ctx app.Context, e app.Event, h view.Handler)

const svgNamespace = "http://www.w3.org/2000/svg"

// element turns a tree into go-app elements. Namespace and handlers are what go-app wants told at each element: an SVG
// element without its namespace is not drawn, and a handler whose scope does not change keeps what an older one captured.
func element(n view.Node, ns string, send sender) app.UI {
	return (&painter{send: send}).element(n, ns)
}

// painter draws pages. It keeps the regions that it drew last, so that one that has not changed costs a comparison.
type painter struct {
	send    sender
	regions map[string]*drawnRegion // nil draws everything as it comes
}

type drawnRegion struct {
	tree    view.Node
	version int
}

// region is a part of the page as a component of its own: go-app draws it again only when its version has changed.
type region struct {
	app.Compo

	Name    string
	Version int
	painter *painter
}

// handmade is the place of an editor, or of a part that is painted by hand: of its element go-app makes the outside, once.
type handmade struct {
	app.Compo

	ID   string
	node view.Node
}

// CompoID says that another part gets an element of its own.
func (h *handmade) CompoID() string { return h.ID }

// Render draws the element without what is inside of it.
func (h *handmade) Render() app.UI {
	return (&painter{}).plain(&view.Elem{Tag: h.node.Tag, Attrs: h.node.Attrs}, "")
}

// Render draws the region as it was painted last.
func (r *region) Render() app.UI { return r.painter.plain(r.painter.regions[r.Name].tree, "") }

func (p *painter) element(n view.Node, ns string) app.UI {
	if (n.Painted || n.Edit != nil) && p.regions != nil {
		return &handmade{ID: n.ID(), node: n}
	}
	if n.Region == "" || p.regions == nil {
		return p.plain(n, ns)
	}
	d := p.regions[n.Region]
	switch {
	case d == nil:
		d = &drawnRegion{tree: n}
		p.regions[n.Region] = d
	case !view.Equal(d.tree, n):
		d.tree = n
		d.version++
	}
	return &region{Name: n.Region, Version: d.version, painter: p}
}

func (p *painter) plain(n view.Node, ns string) app.UI {
	if n.Tag == "" {
		return app.Text(n.Text)
	}
	if n.Tag == "svg" {
		ns = svgNamespace
	}
	kids := make([]app.UI, len(n.Kids))
	for i, k := range n.Kids {
		kids[i] = p.element(k, ns)
	}
	e := app.Elem(n.Tag)
	if ns != "" {
		e = e.XMLNS(ns)
	}
	for _, a := range n.Attrs {
		e = e.Attr(a.Name, attribute(a))
	}
	if needsChecked(n) {
		e = e.Attr("checked", "false")
	}
	for _, h := range n.On {
		e = e.On(h.Event, func(ctx app.Context, ev app.Event) { p.send(ctx, ev, h) }, app.EventScope(scope(h)))
	}
	return e.Body(kids...)
}

// attribute returns the value that go-app wants: it drops empty ones, and sets these properties from a word.
func attribute(a view.Attr) string {
	switch a.Name {
	case "checked", "disabled", "hidden", "open", "selected":
		if a.Value == "" {
			return "true"
		}
	}
	return a.Value
}

// needsChecked reports whether an input must be told that it is not checked: removing the attribute would leave it so.
func needsChecked(n view.Node) bool {
	t, _ := n.Get("type")
	_, checked := n.Get("checked")
	return n.Tag == "input" && (t == "checkbox" || t == "radio") && !checked
}

// scope tells handlers apart by the message that they send.
func scope(h view.Handler) string {
	if h.With != nil {
		return fmt.Sprintf("%T%+v", h.With("0"), h.With("0"))
	}
	return fmt.Sprintf("%T%+v", h.Msg, h.Msg)
}
