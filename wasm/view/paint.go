package view

import "strings"

// Paint names an element as a part of the page that the shell draws by hand, without the elements of go-app: parts that
// change at every step. The element needs an id, which is its name, and only its own handlers and those inside of it for
// events that bubble.
func Paint(n Node) Node {
	n.Painted = true
	return n
}

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
	p.kids(old.nodes(), new.nodes())
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

func (p *patch) kids(old, new []Node) {
	old = p.shift(old, new)
	for i := range min(len(old), len(new)) {
		if old[i] == new[i] {
			continue
		}
		p.at(i, func() {
			if old[i].Tag != new[i].Tag || old[i].ID() != new[i].ID() {
				p.Replace(p.path, new[i].HTML())
			} else {
				p.node(old[i], new[i])
			}
		})
	}
	for i := len(old) - 1; i >= len(new); i-- {
		p.at(i, func() { p.Remove(p.path) })
	}
	if len(new) > len(old) {
		p.Append(p.path, html(new[len(old):]))
	}
}

// shift takes away or puts in what comes before the first node that stays, as when a window moves along a list of named
// elements, and returns what is there then.
func (p *patch) shift(old, new []Node) []Node {
	if len(old) == 0 || len(new) == 0 || old[0].ID() == new[0].ID() {
		return old
	}
	if n := find(old, new[0].ID()); n > 0 {
		for range n {
			p.at(0, func() { p.Remove(p.path) })
		}
		return old[n:]
	}
	if n := find(new, old[0].ID()); n > 0 {
		p.at(0, func() { p.Insert(p.path, html(new[:n])) })
		return append(append([]Node{}, new[:n]...), old...)
	}
	return old
}

// find returns the place of the element with an id, -1 if there is none.
func find(nodes []Node, id string) int {
	for i, n := range nodes {
		if id != "" && n.ID() == id {
			return i
		}
	}
	return -1
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
// first. The path leads to the node.
func (n *Elem) Handlers(event string, path []int) []Handler {
	var list []Handler
	for _, h := range n.On {
		if h.Event == event {
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
