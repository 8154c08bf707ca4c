package sandbox

import (
	"encoding/json"
	"slices"

	"retrylab.example/core/document"
)

// kindOf is one kind of object of the format, as core/schema describes it.
type kindOf struct {
	Fields   []field   `json:"fields"`
	OneOf    []string  `json:"oneOf"`
	By       string    `json:"by"`
	Variants []variant `json:"variants"`
}

type variant struct {
	Name   string  `json:"name"`
	Fields []field `json:"fields"`
}

// field is a field of an object and what may stand in it.
type field struct {
	shape
	Name    string `json:"name"`
	Need    bool   `json:"need"`
	Default string `json:"default"`
	Example string `json:"example"`
}

// shape is a type of the format. Kind is flag, whole, wait, choice, text, list or object.
type shape struct {
	Kind   string   `json:"kind"`
	Names  []string `json:"names"`
	Object string   `json:"object"`
	Of     *shape   `json:"of"`
	Lo     int64    `json:"lo"`
	Hi     int64    `json:"hi"`
}

// table describes every object of a scenario. It is fetched; without it there is no form, and the JSON alone.
type table map[string]*kindOf

func readTable(data string) (t table, err error) {
	err = json.Unmarshal([]byte(data), &t)
	return t, err
}

// fields returns the fields that an object has as it is now, with those of its variant.
func (t table) fields(name string, n *document.Node) []field {
	o := t[name]
	if o == nil {
		return nil
	}
	if o.By == "" || n == nil {
		return o.Fields
	}
	by := n.Child(o.By)
	for _, v := range o.Variants {
		if by != nil && by.Text == v.Name {
			return append(slices.Clone(o.Fields), v.Fields...)
		}
	}
	return o.Fields
}

// fresh returns a new object of a kind as JSON: with what it needs, and the first of what it has one of.
func (t table) fresh(name string) string {
	o := t[name]
	if o == nil {
		return "{}"
	}
	switch name { // these would be valid, and say nothing
	case "client policy":
		return `{"preset": "contract-a"}`
	case "input":
		return `{"at": "0s", "fire": {}}`
	case "mishap":
		return `{"reply": 503}`
	case "backoff":
		return `{"base": "500ms", "cap": "4s"}`
	}
	var parts []string
	if o.By != "" {
		v := o.Variants[0]
		if name == "retry budget" {
			v = o.Variants[1] // the first is that there is none
		}
		parts = append(parts, document.Quote(o.By)+": "+document.Quote(v.Name))
		parts = append(parts, t.needed(v.Fields)...)
	}
	return "{" + join(append(parts, t.needed(o.Fields)...)) + "}"
}

func (t table) needed(fields []field) (parts []string) {
	for _, f := range fields {
		if f.Need {
			parts = append(parts, document.Quote(f.Name)+": "+t.begin(f))
		}
	}
	return parts
}

// begin returns what a field begins with.
func (t table) begin(f field) string {
	switch {
	case f.Kind == "object":
		return t.fresh(f.Object)
	case f.Kind == "list":
		return "[]"
	}
	return f.Example
}

// as returns an object as another variant of its kind: what that one has too stays, and what it needs is added.
func (t table) as(name, variant string, n *document.Node) string {
	o := t[name]
	parts := []string{document.Quote(o.By) + ": " + document.Quote(variant)}
	all := o.Fields
	for _, v := range o.Variants {
		if v.Name == variant {
			all = append(slices.Clone(all), v.Fields...)
		}
	}
	for _, f := range all {
		if old := n.Child(f.Name); old != nil {
			parts = append(parts, document.Quote(f.Name)+": "+old.Written())
		} else if f.Need {
			parts = append(parts, document.Quote(f.Name)+": "+t.begin(f))
		}
	}
	return "{" + join(parts) + "}"
}

func join(parts []string) string {
	s := ""
	for i, p := range parts {
		if i > 0 {
			s += ", "
		}
		s += p
	}
	return s
}
