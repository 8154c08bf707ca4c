package schema

import (
	"regexp"
	"strings"
)

// Form returns the part of the table that a form for a scenario is drawn from, as JSON: for each kind of object its
// fields, with what may stand in them. It has no texts for people; the form asks for those by the names.
//
//	{"client": {"fields": [{"name": "name", "kind": "text", "need": true, "example": "\"shop\""}]},
//	 "limiter": {"by": "kind", "variants": [{"name": "gcra", "fields": […]}]}}
func Form() []byte {
	var b strings.Builder
	b.WriteString("{")
	objects := Objects()
	first := true
	for _, part := range [][]Object{scenarioObjects(), partnerObjects(), policyObjects(), inputObjects()} {
		for i := range part {
			if !first {
				b.WriteString(",\n")
			}
			first = false
			b.WriteString(quote(part[i].Name) + ": ")
			formObject(&b, objects, &part[i])
		}
	}
	b.WriteString("}\n")
	return []byte(b.String())
}

func formObject(b *strings.Builder, objects []Object, o *Object) {
	b.WriteString(`{"fields": `)
	formFields(b, fieldsOf(objects, o))
	if len(o.OneOf) > 0 {
		b.WriteString(`, "oneOf": ` + quoteAll(o.OneOf))
	}
	if o.By != "" {
		b.WriteString(`, "by": ` + quote(o.By) + `, "variants": [`)
		for i, v := range o.Variants {
			if i > 0 {
				b.WriteString(", ")
			}
			b.WriteString(`{"name": ` + quote(v.Name) + `, "fields": `)
			formFields(b, v.Fields)
			b.WriteString("}")
		}
		b.WriteString("]")
	}
	b.WriteString("}")
}

// formFields writes fields, without those that mean something to editors or readers of files alone.
func formFields(b *strings.Builder, fields []Field) {
	b.WriteString("[")
	first := true
	for _, f := range fields {
		if f.Name == "$schema" || f.Name == "format" {
			continue
		}
		if !first {
			b.WriteString(", ")
		}
		first = false
		b.WriteString(`{"name": ` + quote(f.Name) + ", " + f.Type.form())
		if f.Need {
			b.WriteString(`, "need": true`)
		}
		if bare.MatchString(f.Default) {
			b.WriteString(`, "default": ` + quote(f.Default))
		}
		if f.Example != "" {
			b.WriteString(`, "example": ` + quote(f.Example))
		}
		b.WriteString("}")
	}
	b.WriteString("]")
}

// bare is a default that is a value, and not words about one.
var bare = regexp.MustCompile(`^([0-9.]+[a-z]*|[a-z]+(-[a-z]+)*|/[a-z]+|POST)$`)

// form writes what a field of the form needs to know of a type. Of two alternatives it has the first.
func (t Type) form() string {
	switch t.kind {
	case boolean:
		return `"kind": "flag"`
	case whole:
		return `"kind": "whole", "lo": ` + itoa(t.lo) + `, "hi": ` + itoa(t.hi)
	case duration:
		return `"kind": "wait"`
	case enum:
		return `"kind": "choice", "names": ` + quoteAll(t.names)
	case list:
		return `"kind": "list", "hi": ` + itoa(t.hi) + `, "of": {` + t.of[0].form() + "}"
	case object:
		return `"kind": "object", "object": ` + quote(t.object)
	case either:
		return t.of[0].form()
	}
	return `"kind": "text"`
}
