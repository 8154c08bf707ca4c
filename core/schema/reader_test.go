package schema

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"retrylab.example/core/document"
	"retrylab.example/core/lesson"
)

// The reader is asked what it takes, for each field of each object: which fields it knows, which it needs, which names
// and numbers it takes. It has to say what the table says.
func TestReaderTakesWhatTheTableSays(t *testing.T) {
	w := walker{t: t, objects: Objects(), seen: map[string]bool{}}
	for _, text := range steps(t) {
		_, root, err := document.Read("sample.json", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		w.text = text
		w.object(root, find(w.objects, "lesson"))
	}
	for i := range w.objects {
		o := &w.objects[i]
		if o.Name == "sent request" || o.Name == "guards" {
			continue // others have their fields
		}
		for _, name := range w.labels(o) {
			if !w.seen[name] {
				t.Errorf("no sample holds a %s", name)
			}
		}
	}
}

// steps returns the sample as lessons of one step each, which are quickly read.
func steps(t *testing.T) (texts []string) {
	for _, sample := range Samples("lesson") {
		_, root, err := document.Read("sample.json", []byte(sample))
		if err != nil {
			t.Fatal(err)
		}
		list := root.Find("/steps")
		for _, item := range list.Items {
			texts = append(texts, list.Replace("["+item.Written()+"]").Apply(sample))
		}
	}
	return texts
}

type walker struct {
	t       *testing.T
	objects []Object
	seen    map[string]bool
	text    string
	// each, if it is set, takes every probe in the place of looking at its faults.
	each func(text string)
}

// labels are the names of an object's variants.
func (w *walker) labels(o *Object) (list []string) {
	if len(o.Variants) == 0 {
		return []string{o.Name}
	}
	for _, v := range o.Variants {
		list = append(list, o.Name+" "+v.Name)
	}
	return list
}

func (w *walker) object(n *document.Node, o *Object) {
	fields := fieldsOf(w.objects, o)
	label := o.Name
	if o.By != "" {
		by := n.Child(o.By)
		for _, v := range o.Variants {
			if v.Name == by.Text {
				fields = join(fields, v.Fields)
			}
		}
		label += " " + by.Text
		if !w.seen[label+"."+o.By] {
			w.seen[label+"."+o.By] = true
			w.unlike(label+"."+o.By, by, `"?"`, "use one of: "+strings.Join(variantNames(o), ", "))
			w.missing(label, n, o.By, true)
		}
	}
	if !w.seen[label] {
		w.seen[label] = true
		w.known(label, n, o, fields)
	}
	for _, f := range fields {
		value := n.Child(f.Name)
		if value == nil {
			continue
		}
		if key := label + "." + f.Name; !w.seen[key] {
			w.seen[key] = true
			w.missing(label, n, f.Name, f.Need)
			w.value(key, value, f.Type)
		}
		w.below(value, f.Type)
	}
}

// below goes on to the objects in a value.
func (w *walker) below(n *document.Node, t Type) {
	switch t.kind {
	case object:
		w.object(n, find(w.objects, t.object))
	case list:
		for _, item := range n.Items {
			w.below(item, t.of[0])
		}
	case either:
		w.below(n, t.of[map[bool]int{false: 0, true: 1}[n.Kind == document.Array]])
	}
}

// probe reads the text after an edit and returns the faults at a pointer.
func (w *walker) probe(e document.Edit, pointer string) (at []document.Fault) {
	text := e.Apply(w.text)
	if w.each != nil {
		w.each(text)
		return nil
	}
	for _, f := range lesson.Inspect("sample.json", []byte(text)).Faults() {
		if f.Pointer == pointer {
			at = append(at, f)
		}
	}
	return at
}

// unlike wants a fault with this mend, or with any if it is empty, where another value stands.
func (w *walker) unlike(label string, n *document.Node, value, mend string) {
	faults := w.probe(n.Replace(value), n.Pointer())
	ok := slices.ContainsFunc(faults, func(f document.Fault) bool { return mend == "" || f.Mend == mend })
	if !ok && w.each == nil {
		w.t.Errorf("%s: %.60s: the reader says %v, want: %s", label, value, faults, mend)
	}
}

// known wants the reader to know the fields of the table and no other.
func (w *walker) known(label string, n *document.Node, o *Object, fields []Field) {
	faults := w.probe(n.SetField("zzz", "1"), n.Pointer()+"/zzz")
	if w.each != nil {
		return
	}
	var want []string
	if o.By != "" {
		want = append(want, o.By)
	}
	for _, f := range fields {
		want = append(want, f.Name)
	}
	if len(faults) == 0 {
		w.t.Errorf("%s: the reader takes a field that nobody knows", label)
		return
	}
	list, _ := strings.CutPrefix(faults[0].Mend, "remove it, or use one of: ")
	got := strings.Split(list, ", ")
	slices.Sort(got)
	slices.Sort(want)
	got = slices.DeleteFunc(got, func(name string) bool { // asked for, to refuse it with words of its own
		return !slices.Contains(want, name) && (name == "key" && o.Name == "offer" || slices.ContainsFunc(o.Variants, func(v Variant) bool {
			return fieldNamed(v.Fields, name).Name != ""
		}))
	})
	if label == "check state" || label == "test state" {
		want = slices.DeleteFunc(want, func(name string) bool { return !slices.Contains(got, name) }) // which ones it has depends on "of"
	}
	if !slices.Equal(got, want) {
		w.t.Errorf("%s: the reader knows %v, the table %v", label, got, want)
	}
}

// missing wants the reader to ask for a field if and only if it is needed.
func (w *walker) missing(label string, n *document.Node, name string, need bool) {
	faults := w.probe(n.Child(name).Remove(), n.Pointer())
	if w.each != nil {
		return
	}
	asks := slices.ContainsFunc(faults, func(f document.Fault) bool {
		return f.Problem == "the field "+strconv.Quote(name)+" is missing" || strings.HasSuffix(f.Problem, " needs "+strconv.Quote(name)) ||
			strings.HasPrefix(f.Problem, "a jitter of plus-minus")
	})
	if state := strings.HasSuffix(label, " state"); asks != need && !(state && (name == "is" || name == "pool")) {
		w.t.Errorf("%s.%s: the reader asks for it: %t, the table: %t", label, name, asks, need)
	}
}

// value puts wrong values in the place of a right one.
func (w *walker) value(label string, n *document.Node, t Type) {
	switch t.kind {
	case whole:
		switch {
		case t.depends:
			w.unlike(label, n, "-1", "")
		case t.lo == t.hi:
			w.unlike(label, n, "0", "write "+itoa(t.lo))
		default:
			w.unlike(label, n, "-9000000000000000", "write a whole number from "+itoa(t.lo)+" to "+itoa(t.hi))
		}
	case duration:
		mend := "write " + t.words
		mend = strings.Replace(strings.Replace(mend, "a duration, ", "a duration from ", 1), "write a duration to", "write a duration", 1)
		if t.depends {
			mend = ""
		}
		w.unlike(label, n, `"-1ns"`, mend)
		w.unlike(label, n, `"1 s"`, "")
	case enum:
		w.unlike(label, n, `"?"`, "use one of: "+strings.Join(t.names, ", "))
	case textual:
		if t.pattern != "" {
			w.unlike(label, n, `"\u0007"`, "")
		}
		w.unlike(label, n, "5", "")
	case list:
		w.list(label, n, t)
	case either:
		w.either(label, n, t)
	case boolean, object, texts:
		w.unlike(label, n, "5", "")
	case scalar:
		w.unlike(label, n, "[]", "")
	}
}

func (w *walker) either(label string, n *document.Node, t Type) {
	if n.Kind == document.Array {
		w.list(label, n, t.of[1])
		return
	}
	w.value(label, n, t.of[0])
}

func (w *walker) list(label string, n *document.Node, t Type) {
	w.unlike(label, n, "5", "")
	if t.lo > 0 {
		w.unlike(label, n, "[]", "")
	}
	one := n.Items[0].Written()
	many := "[" + strings.Repeat(one+", ", int(t.hi)) + one + "]"
	if len(many) < 1_000_000 && label != "partner.work" {
		w.unlike(label, n, many, "keep at most "+itoa(t.hi))
	}
	w.value(label+"[]", n.Items[0], t.of[0])
}
