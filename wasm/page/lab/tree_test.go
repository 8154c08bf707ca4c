package lab

import (
	"strings"
	"testing"

	"retrylab.example/core/text"
	"retrylab.example/wasm/view"
)

// find returns the element with an id.
func find(t testing.TB, n view.Node, id string) view.Node {
	t.Helper()
	found, ok := lookup(n, func(n view.Node) bool { v, has := n.Get("id"); return has && v == id })
	if !ok {
		t.Fatalf("there is no element %q", id)
	}
	return found
}

// has reports whether there is an element with an id.
func has(n view.Node, id string) bool {
	_, ok := lookup(n, func(n view.Node) bool { v, is := n.Get("id"); return is && v == id })
	return ok
}

func lookup(n view.Node, is func(view.Node) bool) (view.Node, bool) {
	if is(n) {
		return n, true
	}
	for _, k := range n.Kids {
		if found, ok := lookup(k, is); ok {
			return found, true
		}
	}
	var none view.Node
	return none, false
}

// plain returns the texts in an element.
func plain(n view.Node) string {
	s := n.Text
	for _, k := range n.Kids {
		s += " " + plain(k)
	}
	return strings.ReplaceAll(s, "\u00a0", " ")
}

// An id stands once in a page, labels and descriptions point to an element that is there, and each control has a name.
func TestPagesAreWellFormed(t *testing.T) {
	for _, l := range append(course(t), small(t)) {
		for i := range len(l.Steps) + 1 {
			id := End
			if i < len(l.Steps) {
				id = l.Steps[i].ID
			}
			p := at(t, l, id)
			p.Settings.Lang = text.Langs()[i%3]
			check := func() { t.Helper(); checkPage(t, l.ID+"/"+id, p.View()) }
			check()
			if st := p.current(); st != nil && st.Plays() {
				p.Settings.Lang = text.English
				p.play(st.Solution)
				check()
				p.send(Hint{}, ShowSolution{}, Next{})
				check()
			}
		}
	}
}

func checkPage(t *testing.T, place string, page view.Node) {
	t.Helper()
	ids := map[string]int{}
	visit(page, func(n view.Node) {
		if id, ok := n.Get("id"); ok {
			ids[id]++
		}
	})
	for id, n := range ids {
		if n > 1 {
			t.Errorf("%s: the id %s stands %d times", place, id, n)
		}
	}
	visit(page, func(n view.Node) {
		for _, name := range []string{"aria-labelledby", "aria-describedby", "for", "aria-controls"} {
			if id, ok := n.Get(name); ok && ids[id] == 0 {
				t.Errorf("%s: %s points to %q, which is not there", place, name, id)
			}
		}
		if label, _ := n.Get("aria-label"); n.Tag == "button" && label == "" && strings.TrimSpace(plain(n)) == "" {
			t.Errorf("%s: a button without a name: %s", place, n.HTML())
		}
		seen := map[string]bool{}
		for _, a := range n.Attrs {
			if seen[a.Name] {
				t.Errorf("%s: %s stands twice in an element %s", place, a.Name, n.Tag)
			}
			seen[a.Name] = true
		}
	})
}

func visit(n view.Node, f func(view.Node)) {
	f(n)
	for _, k := range n.Kids {
		visit(k, f)
	}
}
