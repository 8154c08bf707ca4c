package document

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

const written = `{
  "id": "a",   "odd" :1e0,
  "list": [
    {"x": 1},
    {"x": 2}
  ],
  "line": [1, 2,3],
  "none": [], "empty": {}
}
`

// An edit changes its place and nothing else, and writes as the neighbours are written.
func TestEdits(t *testing.T) {
	long := `{"en":"` + strings.Repeat("long ", 12) + `","ko":"` + strings.Repeat("긴 ", 30) + `"}`
	for _, c := range []struct {
		name     string
		edit     func(root *Node) Edit
		old, new string // what of the text becomes what
	}{
		{"a value", func(r *Node) Edit { return r.Child("id").Replace(`"b"`) }, `"a"`, `"b"`},
		{"a field that is there", func(r *Node) Edit { return r.SetField("odd", "2") }, `1e0`, `2`},
		{"a new field", func(r *Node) Edit { return r.SetField("new", `{"a":[1,2]}`) }, `"empty": {}`, `"empty": {},` + " " + `"new": {"a": [1, 2]}`},
		{"a field in an empty object", func(r *Node) Edit { return r.Child("empty").SetField("n", "1") }, `{}`, `{"n": 1}`},
		{"an element at the end", func(r *Node) Edit { return r.Child("list").Insert(2, `{"x":3}`) }, `{"x": 2}`, "{\"x\": 2},\n    {\"x\": 3}"},
		{"an element before another", func(r *Node) Edit { return r.Child("list").Insert(0, "0") }, `{"x": 1}`, "0,\n    {\"x\": 1}"},
		{"an element on a line", func(r *Node) Edit { return r.Child("line").Insert(1, "9") }, `2,3`, "9, 2,3"},
		{"the first element", func(r *Node) Edit { return r.Child("none").Insert(0, "9") }, `[]`, "[9]"},
		{"a long first element", func(r *Node) Edit { return r.Child("none").Insert(0, long) }, `[]`,
			"[\n    {\n      \"en\": \"" + strings.Repeat("long ", 12) + "\",\n      \"ko\": \"" + strings.Repeat("긴 ", 30) + "\"\n    }\n  ]"},
		{"out of a list", func(r *Node) Edit { return r.Child("list").Items[0].Remove() }, "{\"x\": 1},\n    ", ""},
		{"the last out of a list", func(r *Node) Edit { return r.Child("list").Items[1].Remove() }, ",\n    {\"x\": 2}", ""},
		{"the only one", func(r *Node) Edit { return r.Child("list").Items[0].Child("x").Remove() }, `{"x": 1}`, "{}"},
		{"out of an object", func(r *Node) Edit { return r.Child("odd").Remove() }, "\"odd\" :1e0,\n  ", ""},
		{"change places", func(r *Node) Edit { return r.Child("list").Swap(0) }, "{\"x\": 1},\n    {\"x\": 2}", "{\"x\": 2},\n    {\"x\": 1}"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, root, err := Read("doc", []byte(written))
			if err != nil {
				t.Fatal(err)
			}
			got, want := c.edit(root).Apply(written), strings.Replace(written, c.old, c.new, 1)
			if got != want {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
		})
	}
}

// Whatever a document looks like, an edit gives the document that the same change of its value gives.
func TestEditsOfRandomDocuments(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var m maker
		m.value(t, "", 0)
		text := m.text.String()
		_, root, err := Read("doc", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		var all []*Node
		var collect func(n *Node)
		collect = func(n *Node) {
			all = append(all, n)
			n.each(func(_ int, _ string, v *Node) { collect(v) })
		}
		collect(root)
		n := rapid.SampledFrom(all).Draw(t, "node")
		var edit Edit
		size := len(n.spans())
		switch kind := rapid.IntRange(0, 3).Draw(t, "edit"); {
		case kind == 0 && n.Kind == Array:
			edit = n.Insert(rapid.IntRange(0, size).Draw(t, "at"), `{"new":[1]}`)
			size++
		case kind == 0 && n.Kind == Object:
			edit = n.SetField("new", `{"new":[1]}`)
			size++
		case kind == 1 && n.parent != nil:
			edit, n = n.Remove(), n.parent
			size = len(n.spans()) - 1
		case kind == 2 && n.Kind == Array && size > 1:
			edit = n.Swap(rapid.IntRange(0, size-2).Draw(t, "at"))
		default:
			edit, size = n.Replace(`"other"`), 0
		}
		after := edit.Apply(text)
		_, changed, err := Read("doc", []byte(after))
		if err != nil {
			t.Fatalf("%q became %q: %v", text, after, err)
		}
		if got := len(changed.Find(n.Pointer()).spans()); got != size && !strings.Contains(text, "\\u0061") {
			t.Errorf("%q became %q: %s holds %d, want %d", text, after, n.Pointer(), got, size)
		}
	})
}

func TestQuote(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.String().Draw(t, "text")
		var back string
		if err := json.Unmarshal([]byte(Quote(s)), &back); err != nil || !reflect.DeepEqual(back, s) {
			t.Fatalf("%q became %s, which is %q (%v)", s, Quote(s), back, err)
		}
	})
}
