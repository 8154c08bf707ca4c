package view

import (
	"encoding/xml"
	"errors"
	"io"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// page is a browser's element for tests: what Patch is told to do is done to it.
type page struct{ root Node }

func (p *page) at(path []int) Node {
	n := p.root
	for _, i := range path {
		n = n.Kids[i]
	}
	return n
}

func (p *page) parent(path []int) (Node, int) {
	last := len(path) - 1
	return p.at(path[:last]), path[last]
}

func (p *page) SetAttr(path []int, name, value string) {
	n := p.at(path)
	n.Attrs = append(slices.DeleteFunc(n.Attrs, func(a Attr) bool { return a.Name == name }), Attr{name, value})
}

func (p *page) DropAttr(path []int, name string) {
	n := p.at(path)
	n.Attrs = slices.DeleteFunc(n.Attrs, func(a Attr) bool { return a.Name == name })
}

func (p *page) SetText(path []int, text string) { p.at(path).Text = text }

func (p *page) Replace(path []int, html string) {
	n, i := p.parent(path)
	n.Kids = slices.Replace(n.Kids, i, i+1, parsed(html)...)
}

func (p *page) Append(path []int, html string) {
	n := p.at(path)
	n.Kids = append(n.Kids, parsed(html)...)
}

func (p *page) Insert(path []int, html string) {
	n, i := p.parent(path)
	n.Kids = slices.Insert(n.Kids, i, parsed(html)...)
}

func (p *page) Remove(path []int) {
	n, i := p.parent(path)
	n.Kids = slices.Delete(n.Kids, i, i+1)
}

// parsed makes of HTML what a browser makes of it: texts side by side are one.
func parsed(html string) []Node {
	d := xml.NewDecoder(strings.NewReader(html))
	d.Strict = false
	stack := []Node{{}}
	for {
		token, err := d.Token()
		top := stack[len(stack)-1]
		switch t := token.(type) {
		case xml.StartElement:
			n := &Elem{Tag: t.Name.Local}
			for _, a := range t.Attr {
				n.Attrs = append(n.Attrs, Attr{a.Name.Local, a.Value})
			}
			top.Kids = append(top.Kids, n)
			stack = append(stack, n)
		case xml.EndElement:
			stack = stack[:len(stack)-1]
		case xml.CharData:
			top.Kids = append(top.Kids, Text(string(t)))
		}
		if errors.Is(err, io.EOF) {
			return stack[0].Kids
		}
		if err != nil {
			panic(html + ": " + err.Error())
		}
	}
}

// grown returns a random element. Elements with ids are those of a list, in order, as the rows of a table.
func grown(r *rand.Rand, depth int) Node {
	n := El([]string{"p", "b", "i"}[r.IntN(3)])
	for _, name := range []string{"class", "title", "lang"} {
		if r.IntN(3) == 0 {
			n.Attrs = append(n.Attrs, Attr{name, "<" + strconv.Itoa(r.IntN(3)) + `">`})
		}
	}
	if depth == 0 {
		return n
	}
	if r.IntN(3) == 0 {
		from := r.IntN(6)
		for i := from; i < from+r.IntN(6); i++ {
			row := grown(r, depth-1)
			row.Tag, row.Attrs = "u", append(row.Attrs, Attr{"id", "row-" + strconv.Itoa(i)})
			n.Kids = append(n.Kids, row)
		}
		return n
	}
	for range r.IntN(5) {
		if r.IntN(2) == 0 {
			n.Kids = append(n.Kids, Text([]string{"", "a", "b & c", "<d>"}[r.IntN(4)]))
		} else {
			n.Kids = append(n.Kids, grown(r, depth-1))
		}
	}
	return n
}

// TestPatch: whatever a tree shows and whatever comes after it, the page is then as if that had been drawn anew.
func TestPatch(t *testing.T) {
	for seed := range uint64(3000) {
		r := rand.New(rand.NewPCG(seed, 1))
		p := &page{}
		var old Node
		for range 4 {
			new := grown(r, 3)
			new.Tag = "div"
			if old == nil {
				p.root = parsed(new.HTML())[0]
			} else {
				Patch(p, old, new)
			}
			if got, want := p.root.HTML(), new.HTML(); got != want {
				t.Fatalf("seed %d: the page shows\n%s\nwant\n%s\nbefore\n%s", seed, got, want, old.HTML())
			}
			old = new
		}
	}
}

// done does written changes to a page, as page.js does.
func (p *page) done(t *testing.T, changes string) {
	t.Helper()
	if changes == "" {
		return
	}
	for _, c := range strings.Split(changes, recordSeparator) {
		parts := append(strings.Split(c, unitSeparator), "", "")
		var path []int
		for _, step := range strings.FieldsFunc(parts[1], func(r rune) bool { return r == '.' }) {
			i, err := strconv.Atoi(step)
			if err != nil {
				t.Fatal(err)
			}
			path = append(path, i)
		}
		switch parts[0] {
		case "set":
			p.SetAttr(path, parts[2], parts[3])
		case "drop":
			p.DropAttr(path, parts[2])
		case "text":
			p.SetText(path, parts[2])
		case "replace":
			p.Replace(path, parts[2])
		case "append":
			p.Append(path, parts[2])
		case "insert":
			p.Insert(path, parts[2])
		case "remove":
			p.Remove(path)
		default:
			t.Fatalf("a change is %q", c)
		}
	}
}

// TestChanges: what is written down does the same as what is done at once.
func TestChanges(t *testing.T) {
	for seed := range uint64(1000) {
		r := rand.New(rand.NewPCG(seed, 2))
		old, new := grown(r, 3), grown(r, 3)
		old.Tag, new.Tag = "div", "div"
		p := &page{parsed(old.HTML())[0]}
		var c Changes
		Patch(&c, old, new)
		p.done(t, c.String())
		if got, want := p.root.HTML(), new.HTML(); got != want {
			t.Fatalf("seed %d: the page shows\n%s\nwant\n%s\nafter\n%q", seed, got, want, c.String())
		}
	}
}

// TestSeparatorsInTexts: a lesson's text cannot end a change and begin another.
func TestSeparatorsInTexts(t *testing.T) {
	old, new := El("p", Class("a"), "b"), El("p", Class("a\x1eremove\x1f"), "b\x1e\x1fc")
	p := &page{parsed(old.HTML())[0]}
	var c Changes
	Patch(&c, old, new)
	p.done(t, c.String())
	if got := p.root.HTML(); got != `<p class="aremove">bc</p>` {
		t.Errorf("the page shows %s", got)
	}
}

// counted counts what is done to a page.
type counted struct {
	page
	ops []string
}

func (c *counted) Replace(path []int, html string) {
	c.ops = append(c.ops, "replace")
	c.page.Replace(path, html)
}

func (c *counted) Append(path []int, html string) {
	c.ops = append(c.ops, "append")
	c.page.Append(path, html)
}

func (c *counted) Insert(path []int, html string) {
	c.ops = append(c.ops, "insert")
	c.page.Insert(path, html)
}

func (c *counted) Remove(path []int) {
	c.ops = append(c.ops, "remove")
	c.page.Remove(path)
}

// TestPatchOfAWindow: a window that moves along a list takes one part away and puts one in; what stays is not touched.
func TestPatchOfAWindow(t *testing.T) {
	list := func(from, to int) Node {
		n := El("div")
		for i := from; i < to; i++ {
			n.Kids = append(n.Kids, El("p", A("id", "part-"+strconv.Itoa(i)), strconv.Itoa(i)))
		}
		return n
	}
	for _, c := range []struct {
		from, to int
		want     string
	}{{3, 6, "remove append"}, {1, 4, "insert remove"}, {2, 6, "append"}, {2, 4, "remove"}, {7, 9, "replace replace remove"}, {2, 5, ""}} {
		p := &counted{page: page{parsed(list(2, 5).HTML())[0]}}
		Patch(p, list(2, 5), list(c.from, c.to))
		if got := strings.Join(p.ops, " "); got != c.want {
			t.Errorf("from 2 to 5 to %d to %d: %q, want %q", c.from, c.to, got, c.want)
		}
		if got, want := p.root.HTML(), list(c.from, c.to).HTML(); got != want {
			t.Errorf("the page shows %s, want %s", got, want)
		}
	}
}

// TestPatchKeepsAField: what comes and goes around a field is put in and taken away, and the field stays the one that
// somebody types in, also when its class says more of it.
func TestPatchKeepsAField(t *testing.T) {
	form := func(parts ...any) Node { return El("div", parts...) }
	field := func(class string) Node { return El("div", Class(class), El("input", A("id", "at"))) }
	note, say := El("div", Class("notice"), "Look"), El("p", Class("say"), "Well")
	for _, c := range []struct {
		name     string
		old, new Node
		want     string
	}{
		{"a notice before it", form(field("fm")), form(note, field("fm")), "insert"},
		{"no notice any more", form(note, field("fm")), form(field("fm")), "remove"},
		{"another word before it", form(note, field("fm")), form(say, field("fm")), "replace"},
		{"a fault of it", form(say, field("fm")), form(say, field("fm is-wrong"), note), "append"},
		{"another kind of class", form(field("fm")), form(field("fw")), ""},
	} {
		p := &counted{page: page{parsed(c.old.HTML())[0]}}
		Patch(p, c.old, c.new)
		if got := strings.Join(p.ops, " "); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
		if got, want := p.root.HTML(), c.new.HTML(); got != want {
			t.Errorf("%s: the page shows %s, want %s", c.name, got, want)
		}
	}
}

// TestHandlers: the innermost is heard first, and an element beside the way is not heard.
func TestHandlers(t *testing.T) {
	n := El("div", Click("outer"), "", "a", "b",
		El("p", Click("beside")), El("p", Click("middle"), El("b", Input(nil)), El("i", Click("inner"))))
	var got []string
	for _, h := range n.Handlers("click", []int{2, 1}) {
		got = append(got, h.Msg.(string))
	}
	if want := []string{"inner", "middle", "outer"}; !slices.Equal(got, want) {
		t.Errorf("heard %v, want %v", got, want)
	}
	if heard := n.Handlers("click", []int{9, 9}); len(heard) != 1 {
		t.Errorf("a node that is not there is heard %d times, want only what is around it", len(heard))
	}
	if heard := El("button", A("disabled", ""), Click(1), El("b")).Handlers("click", []int{0}); len(heard) != 0 {
		t.Error("a disabled button is heard")
	}
}
