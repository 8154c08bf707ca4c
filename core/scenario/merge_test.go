package scenario

import (
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// drawTree draws a tree of few inputs, so that runs of two of them meet, and shows one of its runs.
func drawTree(t *rapid.T, name string) Tree {
	var tree Tree
	for range rapid.IntRange(0, 4).Draw(t, name) {
		var path []Input
		for range rapid.IntRange(1, 3).Draw(t, "length") {
			path = append(path, drawNext(t, path))
		}
		tree.Replace(path)
	}
	for range rapid.IntRange(0, 2).Draw(t, "undone") {
		tree.Undo()
	}
	return tree
}

// prefixes returns every run of a tree, and every beginning of one, in one order.
func prefixes(s *Scenario, t *Tree) []string {
	var all []string
	for id := range t.nodes {
		all = append(all, string(s.WriteInputs(t.pathTo(id+1))))
	}
	slices.Sort(all)
	return all
}

// Merged trees hold the runs of both and nothing else, whichever takes the other; twice is as once; what a person sees
// stays; and the result can be kept.
func TestMerge(t *testing.T) {
	s := treeScenario(t)
	rapid.Check(t, func(t *rapid.T) {
		a, b := drawTree(t, "runs"), drawTree(t, "others")
		want := slices.Compact(slices.Sorted(slices.Values(append(prefixes(&s, &a), prefixes(&s, &b)...))))
		merge := func(to, from Tree) Tree {
			to.nodes = slices.Clone(to.nodes)
			if !to.Merge(&from) {
				t.Fatal("there was no room")
			}
			return to
		}
		ab, ba := merge(a, b), merge(b, a)
		if got := prefixes(&s, &ab); !slices.Equal(got, want) || !slices.Equal(prefixes(&s, &ba), want) || ab.Len() != len(want) {
			t.Fatalf("got  %q\nand  %q\nwant %q", got, prefixes(&s, &ba), want)
		}
		for name, again := range map[string]Tree{"itself": merge(a, a), "nothing": merge(a, Tree{})} {
			if !reflect.DeepEqual(again, a) {
				t.Fatalf("merged with %s\ngot  %+v\nwant %+v", name, again, a)
			}
		}
		if twice := merge(ab, b); !reflect.DeepEqual(twice, ab) {
			t.Fatalf("twice is %+v, once %+v", twice, ab)
		}
		if string(s.WriteInputs(ab.Path())) != string(s.WriteInputs(a.Path())) || ab.redo() != a.redo() {
			t.Fatalf("another run is shown: %+v, was %+v", ab, a)
		}
		if read, _, err := s.ReadTree("tree", s.WriteTree(&ab, 0)); err != nil || !reflect.DeepEqual(read, ab) {
			t.Fatalf("%v\ngot  %+v\nwant %+v", err, read, ab)
		}
	})
}

// What does not fit is left out whole, and it is said; what was there stays.
func TestMergeIntoAFullTree(t *testing.T) {
	var a, b Tree
	for i := range int64(MaxNodes - 1) {
		a.Act(0, fireAt(0, i+1))
	}
	b.Replace([]Input{fireAt(0, 1), fireAt(1, 1), fireAt(2, 1), fireAt(3, 1)})
	before := a.Path()
	if a.Merge(&b) || a.Len() != MaxNodes || !reflect.DeepEqual(a.Path(), before) {
		t.Errorf("%d inputs, showing %v", a.Len(), a.Path())
	}
	s := treeScenario(t)
	if _, _, err := s.ReadTree("tree", s.WriteTree(&a, 0)); err != nil {
		t.Error(err)
	}
}
