package view

import (
	"slices"
	"strings"
)

// Surface is an element that is drawn on by hand. A path leads to a node inside of it: the place among the nodes of each
// level; an empty one is the element itself.
type Surface interface {
	SetAttr(path []int, name, value string)
	DropAttr(path []int, name string)
	SetText(path []int, text string)
	// Replace puts other elements and texts in the place of a node, and Append behind the last node inside of one.
	Replace(path []int, html string)
	Append(path []int, html string)
	// Insert puts them before a node, and Remove takes a node away.
	Insert(path []int, html string)
	Remove(path []int)
}

// Patch turns what shows old into what shows new. The two are trees of the same element.
func Patch(s Surface, old, new Node) { (&patch{Surface: s}).node(old, new) }

type patch struct {
	Surface
	path []int
}

func (p *patch) node(old, new Node) {
	if old == new {
		return
	}
	if old.Tag == "" {
		if old.Text != new.Text {
			p.SetText(p.path, new.Text)
		}
		return
	}
	p.attrs(old, new)
	if new.Edit == nil || old.Edit == nil { // what is inside of a place for an editor is the shell's
		p.kids(old.nodes(), new.nodes())
	}
}

func (p *patch) attrs(old, new Node) {
	for _, a := range old.Attrs {
		if _, stays := new.Get(a.Name); !stays {
			p.DropAttr(p.path, a.Name)
		}
	}
	for _, a := range new.Attrs {
		if was, had := old.Get(a.Name); !had || was != a.Value {
			p.SetAttr(p.path, a.Name, a.Value)
		}
	}
}

// at goes on inside of a node, at one of its nodes.
func (p *patch) at(i int, do func()) {
	p.path = append(p.path, i)
	do()
	p.path = p.path[:len(p.path)-1]
}

// kids brings what is inside of an element from old to new. Elements that are alike stay, with what the browser knows of
// them: the focus, what was typed, how far they are scrolled.
func (p *patch) kids(old, new []Node) {
	i := 0 // of old: what the browser has is new[:j] and old[i:]
	for j := 0; j < len(new); j++ {
		switch {
		case i == len(old):
			p.Append(p.path, html(new[j:]))
			return
		case old[i] == new[j]:
			i++
			continue
		case alike(old[i], new[j]):
		default:
			gone, come := find(old[i:], new[j]), find(new[j:], old[i])
			switch {
			case gone > 0 && (come < 0 || gone <= come):
				for range gone {
					p.at(j, func() { p.Remove(p.path) })
				}
				i += gone
			case come > 0:
				p.at(j, func() { p.Insert(p.path, html(new[j:j+come])) })
				j += come
			case old[i].Tag != new[j].Tag || old[i].ID() != new[j].ID():
				p.at(j, func() { p.Replace(p.path, new[j].HTML()) })
				i++
				continue
			}
		}
		p.at(j, func() { p.node(old[i], new[j]) })
		i++
	}
	for k := len(old) - i - 1; k >= 0; k-- {
		p.at(len(new)+k, func() { p.Remove(p.path) })
	}
}

// alike reports whether two nodes are taken for the same part of a page: texts, or elements of the same id and of the same
// kind, which is their tag and the first name of their class.
func alike(a, b Node) bool {
	return a.Tag == b.Tag && a.ID() == b.ID() && a.kind() == b.kind()
}

func (n *Elem) kind() string {
	class, _ := n.Get("class")
	kind, _, _ := strings.Cut(class, " ")
	return kind
}

// find returns the place of the node that is alike, -1 if there is none.
func find(nodes []Node, n Node) int {
	return slices.IndexFunc(nodes, func(o Node) bool { return alike(o, n) })
}

// ID returns the attribute id, empty if there is none.
func (n *Elem) ID() string {
	id, _ := n.Get("id")
	return id
}

// nodes returns what a browser has inside of an element that was written as HTML: texts side by side are one, and empty
// ones are none.
func (n *Elem) nodes() []Node {
	whole := true
	for i, k := range n.Kids {
		if k.Tag == "" && (k.Text == "" || i > 0 && n.Kids[i-1].Tag == "") {
			whole = false
		}
	}
	if whole {
		return n.Kids
	}
	var list []Node
	for _, k := range n.Kids {
		last := len(list) - 1
		switch {
		case k.Tag != "":
			list = append(list, k)
		case k.Text == "":
		case last >= 0 && list[last].Tag == "":
			list[last] = Text(list[last].Text + k.Text)
		default:
			list = append(list, k)
		}
	}
	return list
}

// Inside returns what is inside of an element as HTML.
func (n *Elem) Inside() string { return html(n.Kids) }

func html(nodes []Node) string {
	var b strings.Builder
	for _, n := range nodes {
		n.write(&b)
	}
	return b.String()
}

// Handlers returns the handlers of an event that a node inside of an element and those around it have, the innermost
// first. The path leads to the node. A disabled control hears nothing.
func (n *Elem) Handlers(event string, path []int) []Handler {
	var list []Handler
	_, disabled := n.Get("disabled")
	for _, h := range n.On {
		if h.Event == event && !disabled {
			list = append(list, h)
		}
	}
	if len(path) > 0 {
		if kids := n.nodes(); path[0] < len(kids) {
			list = append(kids[path[0]].Handlers(event, path[1:]), list...)
		}
	}
	return list
}
