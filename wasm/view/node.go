// Package view holds pure helpers of the pages: a small tree of elements and what is drawn with it.
//
// A page's View returns a tree. In the browser the shell brings the page from one tree to the next (Patch); natively it is
// written as HTML with sorted attributes, for tests and for the fragments that are shown before the program has loaded.
package view

import (
	"slices"
	"strings"
)

// Node is an element or a text, by pointer: nesting copies nothing.
type Node = *Elem

// Elem is an element, or a text where Tag is empty.
type Elem struct {
	// Edit makes the element the place of an editor: see Editor. Edits says that there is one in it, or that it is one.
	Edit  *Edit
	Edits bool
	Tag   string
	Text  string
	Attrs []Attr
	On    []Handler
	Kids  []Node
}

// Attr is one attribute. Attributes without a value ("hidden") have an empty Value.
type Attr struct{ Name, Value string }

// Handler sends a message to the page's Update when an event happens. Msg is any comparable value of the page; With,
// if set, makes the message from the value of the input that the event came from (its checked state as "true" or
// "false" for a checkbox).
type Handler struct {
	Event string
	Msg   any
	With  func(value string) any
}

// Text returns a text.
func Text(s string) Node { return &Elem{Text: s} }

// El returns an element. Parts are *Attr, *Handler, Node, []Node, string (a text) or nil.
func El(tag string, parts ...any) Node {
	n := &Elem{Tag: tag}
	attrs, on, kids := 0, 0, 0 // a page has some thousand elements, and is made at every step
	for _, p := range parts {
		switch p := p.(type) {
		case *Attr:
			attrs++
		case *Handler:
			on++
		case Node, string:
			kids++
		case []Node:
			kids += len(p)
		}
	}
	n.Attrs, n.On, n.Kids = make([]Attr, 0, attrs), make([]Handler, 0, on), make([]Node, 0, kids)
	for _, p := range parts {
		switch p := p.(type) {
		case nil:
		case *Attr:
			n.Attrs = append(n.Attrs, *p)
		case *Handler:
			n.On = append(n.On, *p)
		case Node:
			n.Kids = append(n.Kids, p)
			n.Edits = n.Edits || p.Edits
		case []Node:
			n.Kids = append(n.Kids, p...)
			n.Edits = n.Edits || slices.ContainsFunc(p, func(k Node) bool { return k.Edits })
		case string:
			n.Kids = append(n.Kids, Text(p))
		default:
			panic("view: an element is made of attributes, handlers, nodes and texts")
		}
	}
	return n
}

// A is short for an attribute.
func A(name, value string) *Attr { return &Attr{name, value} }

// Class is the attribute class, of the names that are not empty.
func Class(names ...string) *Attr {
	all := ""
	for _, n := range names {
		switch {
		case all == "":
			all = n
		case n != "":
			all += " " + n
		}
	}
	return &Attr{"class", all}
}

// If returns part when ok holds, else nil, which El leaves out.
func If(ok bool, part any) any {
	if ok {
		return part
	}
	return nil
}

// Click sends msg when the element is clicked.
func Click(msg any) *Handler { return &Handler{Event: "click", Msg: msg} }

// Change sends what make returns for the input's value when it was changed; Input the same at each keystroke.
func Change(make func(value string) any) *Handler { return &Handler{Event: "change", With: make} }

// Input sends what make returns for the input's value at each keystroke or move.
func Input(make func(value string) any) *Handler { return &Handler{Event: "input", With: make} }

// Get returns the value of an attribute.
func (n *Elem) Get(name string) (string, bool) {
	for _, a := range n.Attrs {
		if a.Name == name {
			return a.Value, true
		}
	}
	return "", false
}

var void = map[string]bool{"br": true, "hr": true, "img": true, "input": true, "link": true, "meta": true}

// HTML returns the tree as HTML: attributes sorted by name, texts and values escaped, handlers left out.
func (n *Elem) HTML() string {
	var b strings.Builder
	n.write(&b)
	return b.String()
}

var (
	escapeText  = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;")
	escapeValue = strings.NewReplacer("&", "&amp;", `"`, "&quot;", "<", "&lt;", ">", "&gt;")
)

func (n *Elem) write(b *strings.Builder) {
	if n.Tag == "" {
		b.WriteString(escapeText.Replace(n.Text))
		return
	}
	b.WriteString("<" + n.Tag)
	attrs := slices.Clone(n.Attrs)
	slices.SortStableFunc(attrs, func(x, y Attr) int { return strings.Compare(x.Name, y.Name) })
	field := "" // a field of several lines has its value inside
	for _, a := range attrs {
		if n.Tag == "textarea" && a.Name == "value" {
			field = "\n" + a.Value // a line break at the very beginning would be left out
			continue
		}
		b.WriteString(" " + a.Name)
		if a.Value != "" {
			b.WriteString(`="` + escapeValue.Replace(a.Value) + `"`)
		}
	}
	b.WriteString(">")
	if void[n.Tag] {
		return
	}
	b.WriteString(escapeText.Replace(field))
	for _, k := range n.Kids {
		k.write(b)
	}
	if n.Edit != nil {
		n.Edit.still().write(b)
	}
	b.WriteString("</" + n.Tag + ">")
}
