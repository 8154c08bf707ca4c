package scenario

import (
	"slices"

	"retrylab.example/core/clock"
	"retrylab.example/core/document"
)

// Tree holds everything that a person ever did in a scenario: each node is an input after those on the way to it.
// Acting after a rewind adds a branch; nothing is overwritten. The zero value is empty.
type Tree struct {
	nodes []node
	// at is the node at which the run that is shown ends; 0 is the root, node i is nodes[i-1].
	at int
	// first is the child of the root that redo goes to, 0 if there is none.
	first int
}

type node struct {
	parent int
	input  Input
	// next is the child that redo goes to: the one that was shown last; 0 if there is none.
	next int
}

// MaxNodes bounds a tree; after that the oldest thing to do is to start over.
const MaxNodes = 2000

// Path returns the inputs of the run that is shown.
func (t *Tree) Path() []Input { return t.pathTo(t.at) }

func (t *Tree) pathTo(id int) []Input {
	var reversed []Input
	for ; id > 0; id = t.nodes[id-1].parent {
		reversed = append(reversed, t.nodes[id-1].input)
	}
	path := make([]Input, 0, len(reversed))
	for i := len(reversed) - 1; i >= 0; i-- {
		path = append(path, reversed[i])
	}
	return path
}

// Act does an input after the first done inputs of the path that is shown. An equal branch that exists is taken again.
// It reports whether there was room.
func (t *Tree) Act(done int, in Input) bool {
	id := t.ancestor(done)
	child := t.childOf(id, in)
	if child == 0 {
		if len(t.nodes) >= MaxNodes {
			return false
		}
		t.nodes = append(t.nodes, node{parent: id, input: in})
		child = len(t.nodes)
	}
	t.show(child)
	return true
}

// Replace shows the run with these inputs, as a branch from where it first differs. It reports whether there was room;
// if not, the run that was shown stays.
func (t *Tree) Replace(path []Input) bool {
	was := t.at
	t.at = 0
	for i, in := range path {
		if !t.Act(i, in) {
			t.show(was)
			return false
		}
	}
	return true
}

// ancestor returns the node after the first n inputs of the path.
func (t *Tree) ancestor(n int) int {
	depth, id := 0, t.at
	for i := t.at; i > 0; i = t.nodes[i-1].parent {
		depth++
	}
	for ; depth > n; depth-- {
		id = t.nodes[id-1].parent
	}
	return id
}

func (t *Tree) childOf(parent int, in Input) int {
	for i := range t.nodes {
		if t.nodes[i].parent == parent && SameInput(t.nodes[i].input, in) {
			return i + 1
		}
	}
	return 0
}

func (t *Tree) show(id int) {
	t.at = id
	for child := id; child > 0; child = t.nodes[child-1].parent {
		if parent := t.nodes[child-1].parent; parent > 0 {
			t.nodes[parent-1].next = child
		} else {
			t.first = child
		}
	}
}

// Undo takes the last input of the path back; it stays in the tree. It reports whether there was one.
func (t *Tree) Undo() bool {
	if t.at == 0 {
		return false
	}
	t.at = t.nodes[t.at-1].parent
	return true
}

// Redo does again what was undone last. It reports whether there was something.
func (t *Tree) Redo() bool {
	next := t.redo()
	if next > 0 {
		t.at = next
	}
	return next > 0
}

// CanRedo reports whether Redo would do something.
func (t *Tree) CanRedo() bool { return t.redo() > 0 }

// CanUndo reports whether Undo would do something.
func (t *Tree) CanUndo() bool { return t.at > 0 }

func (t *Tree) redo() int {
	if t.at > 0 {
		return t.nodes[t.at-1].next
	}
	return t.first
}

// Restart shows the run in which nothing was done. The tree keeps what was.
func (t *Tree) Restart() { t.at = 0 }

// Branches returns the last nodes of all runs, the latest first.
func (t *Tree) Branches() []int {
	hasChild := make([]bool, len(t.nodes)+1)
	for _, n := range t.nodes {
		hasChild[n.parent] = true
	}
	var ends []int
	for id := len(t.nodes); id > 0; id-- {
		if !hasChild[id] {
			ends = append(ends, id)
		}
	}
	return ends
}

// PathOf returns the inputs of a branch.
func (t *Tree) PathOf(branch int) []Input { return t.pathTo(branch) }

// Shown reports whether a branch is, or goes on from, the run that is shown.
func (t *Tree) Shown(branch int) bool {
	for id := branch; id > 0; id = t.nodes[id-1].parent {
		if id == t.at {
			return true
		}
	}
	return false
}

// End returns the last node of the run that is shown, on to where redo leads; 0 where nothing is done or undone.
func (t *Tree) End() int { return t.end(t.at) }

// Passes reports whether the way to a branch goes through a node.
func (t *Tree) Passes(branch, id int) bool {
	for ; branch > id; branch = t.nodes[branch-1].parent { // a parent has a smaller number
	}
	return branch == id
}

// Show shows the run of a branch.
func (t *Tree) Show(branch int) { t.show(branch) }

// Prune returns a tree of the run that is shown, on to where redo leads, and of the latest other runs: at most so many
// in all. What it keeps stands in the old order.
func (t *Tree) Prune(most int) Tree {
	kept := make([]bool, len(t.nodes)+1)
	keep := func(id int) {
		for ; id > 0 && !kept[id]; id = t.nodes[id-1].parent {
			kept[id] = true
		}
	}
	keep(t.End())
	runs := 1
	for _, id := range t.Branches() {
		if !kept[id] && runs < most {
			keep(id)
			runs++
		}
	}
	number := make([]int, len(t.nodes)+1) // what a node is called in the new tree; 0 for the root and for what goes
	var out Tree
	for i, n := range t.nodes {
		if kept[i+1] {
			out.nodes = append(out.nodes, node{parent: number[n.parent], input: n.input})
			number[i+1] = len(out.nodes)
		}
	}
	for i, n := range t.nodes {
		if kept[i+1] {
			out.nodes[number[i+1]-1].next = number[n.next]
		}
	}
	out.at, out.first = number[t.at], number[t.first]
	return out
}

// Full reports whether nothing more can be kept.
func (t *Tree) Full() bool { return len(t.nodes) >= MaxNodes }

// Empty reports whether nothing was ever done.
func (t *Tree) Empty() bool { return len(t.nodes) == 0 }

// WriteTree returns a tree of this scenario and a position as JSON that ReadTree reads back.
func (s *Scenario) WriteTree(t *Tree, now clock.Instant) []byte {
	j := treeJSON{Format: Format, At: t.at, First: t.first, Now: document.FormatDuration(now.Sub(clock.Start))}
	inputs := make([]Input, len(t.nodes))
	for i, n := range t.nodes {
		j.Parents = append(j.Parents, n.parent)
		j.Next = append(j.Next, n.next)
		inputs[i] = n.input
	}
	j.Inputs = s.writeInputs(inputs)
	return marshal(j)
}

type treeJSON struct {
	Format  int         `json:"format"`
	At      int         `json:"at"`
	First   int         `json:"first,omitempty"`
	Now     string      `json:"now"`
	Parents []int       `json:"parents,omitempty"`
	Next    []int       `json:"next,omitempty"`
	Inputs  []inputJSON `json:"inputs,omitempty"`
}

// ReadTree reads what WriteTree wrote. It is stored state, so it is not trusted.
func (s *Scenario) ReadTree(file string, data []byte) (Tree, clock.Instant, error) {
	doc, root, err := document.Read(file, data)
	if err != nil {
		return Tree{}, 0, err
	}
	t, now := s.TreeFromNode(root)
	return t, now, doc.Err()
}

// FitTree reads a tree that was made in another version of the scenario. Inputs that cannot be done in this one are left
// out, with what was done after them in its place; lost are their numbers in the tree that was written, from 1, in order.
// The error is of a tree that no scenario has written.
func (s *Scenario) FitTree(file string, data []byte) (t Tree, now clock.Instant, lost []int, err error) {
	doc, root, err := document.Read(file, data)
	if err != nil {
		return Tree{}, 0, nil, err
	}
	own := 0 // faults that only this scenario finds
	whole, now := s.readTree(root, func(i, faults int) {
		if own += faults; i > 0 {
			lost = append(lost, i)
		}
	})
	if root.Faults() > own {
		return Tree{}, 0, nil, doc.Err()
	}
	return whole.without(lost), now, lost, nil
}

// without returns the tree without some inputs, which are given by their numbers. Runs that are the same then are one.
func (t *Tree) without(lost []int) Tree {
	if len(lost) == 0 {
		return *t
	}
	var out Tree
	to := make([]int, len(t.nodes)+1) // the place of each node in what is left; of one that is left out, its parent's
	for i, n := range t.nodes {
		id, parent := i+1, to[n.parent]
		if slices.Contains(lost, id) {
			to[id] = parent
			continue
		}
		if to[id] = out.childOf(parent, n.input); to[id] == 0 {
			out.nodes = append(out.nodes, node{parent: parent, input: n.input})
			to[id] = len(out.nodes)
		}
	}
	stays := func(id int) int { // the first on the way of redo that is left, 0 for none
		for id > 0 && slices.Contains(lost, id) {
			id = t.nodes[id-1].next
		}
		return to[id]
	}
	out.first = stays(t.first)
	for i, n := range t.nodes {
		if next := stays(n.next); next > 0 && !slices.Contains(lost, i+1) {
			out.nodes[to[i+1]-1].next = next
		}
	}
	out.show(to[t.end(t.at)])
	out.at = to[t.at]
	return out
}

// end returns where redo would lead from a node at last.
func (t *Tree) end(id int) int {
	next := t.first
	if id > 0 {
		next = t.nodes[id-1].next
	}
	for ; next > 0; next = t.nodes[next-1].next {
		id = next
	}
	return id
}

// TreeFromNode reads a tree that is part of a document; faults are added to the document.
func (s *Scenario) TreeFromNode(root *document.Node) (Tree, clock.Instant) {
	return s.readTree(root, func(int, int) {})
}

// readTree reads a tree, and tells of each input that has faults, by its number, and of how many. It tells of the clock
// with the number 0.
func (s *Scenario) readTree(root *document.Node, faulty func(i, faults int)) (Tree, clock.Instant) {
	r := root.Object()
	r.Int("format", Format, Format, Format)
	var t Tree
	parents, next := r.Items("parents", MaxNodes), r.Items("next", MaxNodes)
	for i, item := range r.Items("inputs", MaxNodes) {
		before := root.Faults()
		in, _ := s.readInput(item)
		faults := root.Faults() - before
		n := node{input: in}
		if i < len(parents) && i < len(next) {
			n.parent = int(parents[i].Int(0, 0, int64(i))) // a parent stands before its children
			n.next = int(next[i].Int(0, 0, MaxNodes))
		} else {
			item.Faultf("remove it", "the input has no place in the tree")
		}
		if faults > 0 {
			faulty(i+1, faults)
			if n.parent > 0 { // its own instant may be no instant
				n.input.At = t.nodes[n.parent-1].input.At
			}
		} else if n.parent > 0 && in.At < t.nodes[n.parent-1].input.At {
			item.Fault("this input comes earlier than the one that it follows", "put it after that in time")
		}
		t.nodes = append(t.nodes, n)
	}
	for i, n := range t.nodes {
		if n.next > len(t.nodes) || n.next > 0 && t.nodes[n.next-1].parent != i+1 {
			next[i].Faultf("use 0", "the input that follows is not a child of this one")
			t.nodes[i].next = 0
		}
	}
	t.at = int(r.Int("at", 0, 0, int64(len(t.nodes))))
	t.first = int(r.Int("first", 0, 0, int64(len(t.nodes))))
	if t.first > 0 && t.nodes[t.first-1].parent != 0 {
		r.Faultf("use 0", "the first input follows another one")
		t.first = 0
	}
	before := root.Faults()
	now := clock.Instant(r.Duration("now", 0, 0, s.MaxTime))
	faulty(0, root.Faults()-before)
	r.Done()
	return t, now
}
