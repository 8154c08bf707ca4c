package scenario

// Merge adds the runs of another tree of the same scenario, as branches where they differ; what both have stands once.
// What is shown and where redo leads stay as they are. Merging a tree with itself changes nothing, and whichever of two
// trees takes the other, both then hold the same runs. It reports whether there was room for all: a run for which there
// was none is there as far as it fits.
func (t *Tree) Merge(other *Tree) bool {
	fits := true
	mine := make([]int, len(other.nodes)+1) // what a node of the other tree is here; 0 for the root and for what did not fit
	added := make([]bool, len(other.nodes)+1)
	for i, n := range other.nodes { // a parent stands before its children; once the tree is full, none of them is added
		id := t.childOf(mine[n.parent], n.input)
		switch {
		case id > 0:
		case t.Full():
			fits = false
		default:
			t.nodes = append(t.nodes, node{parent: mine[n.parent], input: n.input})
			id, added[i+1] = len(t.nodes), true
		}
		mine[i+1] = id
	}
	for i, n := range other.nodes {
		if added[i+1] {
			t.nodes[mine[i+1]-1].next = mine[n.next]
		}
	}
	return fits
}

// Len returns how many inputs the tree holds. Of two trees of which one holds all of the other's runs, it is greater for
// the one that holds more.
func (t *Tree) Len() int { return len(t.nodes) }
