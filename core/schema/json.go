package schema

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"retrylab.example/core/lesson"
)

// JSON returns the table as JSON Schema, 2020-12.
func JSON() []byte {
	w := &writer{objects: Objects()}
	w.line(`{`)
	w.line(`  "$schema": "https://json-schema.org/draft/2020-12/schema",`)
	w.line(`  "title": "A lesson of Retry Lab, format ` + strconv.Itoa(lesson.Format) + `",`)
	w.line(`  "$ref": "#/$defs/lesson",`)
	w.line(`  "$defs": {`)
	w.line(`    "text": {`)
	w.line(`      "type": "object", "description": "A text in every language of the lesson.", "minProperties": 1,`)
	w.line(`      "propertyNames": {"pattern": ` + quote(tagPattern) + `},`)
	w.line(`      "additionalProperties": {"type": "string", "pattern": "\\S", "maxLength": ` + strconv.Itoa(lesson.MaxText) + `}`)
	w.line(`    },`)
	for i := range w.objects {
		w.object(&w.objects[i], i == len(w.objects)-1)
	}
	w.line(`  }`)
	w.line(`}`)
	return w.out.Bytes()
}

type writer struct {
	objects []Object
	out     bytes.Buffer
}

func (w *writer) line(s string) { w.out.WriteString(s + "\n") }

// rows writes rows of a list or an object, with commas between them.
func (w *writer) rows(open string, rows []string, end string) {
	w.line(open)
	for i, row := range rows {
		if i < len(rows)-1 {
			row += ","
		}
		w.line("        " + row)
	}
	w.line("      " + end)
}

// quote writes a text as JSON.
func quote(s string) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(s); err != nil {
		panic(err) // a text always encodes
	}
	return strings.TrimSpace(b.String())
}

func quoteAll(list []string) string {
	var parts []string
	for _, s := range list {
		parts = append(parts, quote(s))
	}
	return "[" + strings.Join(parts, ", ") + "]"
}

func (w *writer) object(o *Object, last bool) {
	fields := fieldsOf(w.objects, o)
	w.line("    " + quote(anchor(o.Name)) + ": {")
	w.line(`      "type": "object", "description": ` + quote(plain(o.Doc)) + `, "additionalProperties": false,`)
	if need := needed(fields, o.By); len(need) > 0 {
		w.line(`      "required": ` + quoteAll(need) + ",")
	}
	for _, rule := range []struct {
		name   string
		fields []string
	}{{"oneOf", o.OneOf}, {"anyOf", o.AnyOf}} {
		if len(rule.fields) > 0 {
			w.line(`      "` + rule.name + `": ` + eachRequired(rule.fields) + ",")
		}
	}
	if never := w.never(o); len(never) > 0 {
		w.rows(`      "dependentSchemas": {`, never, "},")
	}
	if len(o.Variants) > 0 {
		var rows []string
		for i := range o.Variants {
			rows = append(rows, w.variant(o, fields, &o.Variants[i]))
		}
		w.rows(`      "allOf": [`, rows, "],")
	}
	w.rows(`      "properties": {`, w.properties(o, fields), "}")
	if last {
		w.line("    }")
	} else {
		w.line("    },")
	}
}

// fieldsOf returns the fields that all variants of an object have, with those of its base.
func fieldsOf(objects []Object, o *Object) []Field {
	if o.Base == "" {
		return o.Fields
	}
	return join(o.Fields, find(objects, o.Base).Fields)
}

func needed(fields []Field, by string) (list []string) {
	for _, f := range fields {
		if f.Need {
			list = append(list, f.Name)
		}
	}
	if by != "" {
		list = append(list, by)
	}
	return list
}

func eachRequired(fields []string) string {
	var parts []string
	for _, f := range fields {
		parts = append(parts, `{"required": [`+quote(f)+`]}`)
	}
	return "[" + strings.Join(parts, ", ") + "]"
}

// never says which fields another one excludes. A list of the other must not be empty for that.
func (w *writer) never(o *Object) (rows []string) {
	var done []string
	for _, pair := range o.Never {
		first := pair[0]
		if slices.Contains(done, first) {
			continue
		}
		done = append(done, first)
		var without []string
		for _, p := range o.Never {
			if p[0] == first {
				without = append(without, quote(p[1])+": false")
			}
		}
		rule := `{"properties": {` + strings.Join(without, ", ") + "}}"
		if f := fieldNamed(o.Fields, first); f.Type.kind == list {
			rule = `{"if": {"properties": {` + quote(first) + `: {"minItems": 1}}}, "then": ` + rule + "}"
		}
		rows = append(rows, quote(first)+": "+rule)
	}
	return rows
}

func fieldNamed(fields []Field, name string) Field {
	for _, f := range fields {
		if f.Name == name {
			return f
		}
	}
	return Field{}
}

// variant says what one value of the deciding field asks for.
func (w *writer) variant(o *Object, common []Field, v *Variant) string {
	by := quote(o.By)
	names := []string{o.By}
	var typed []string
	for _, f := range join(common, v.Fields) {
		names = append(names, f.Name)
	}
	for _, f := range v.Fields {
		if !w.alike(o, f) {
			typed = append(typed, quote(f.Name)+": "+property(f))
		}
	}
	then := `"propertyNames": {"enum": ` + quoteAll(names) + "}"
	if need := needed(v.Fields, ""); len(need) > 0 {
		then += `, "required": ` + quoteAll(need)
	}
	if len(v.OneOf) > 0 {
		then += `, "oneOf": ` + eachRequired(v.OneOf)
	}
	if len(v.AnyOf) > 0 {
		then += `, "anyOf": ` + eachRequired(v.AnyOf)
	}
	if v.Rule != "" {
		then += ", " + v.Rule
	}
	if len(typed) > 0 {
		then += `, "properties": {` + strings.Join(typed, ", ") + "}"
	}
	return `{"if": {"properties": {` + by + `: {"const": ` + quote(v.Name) + `}}, "required": [` + by + `]}, "then": {` + then + "}}"
}

// alike reports whether a field is the same in every variant that has it.
func (w *writer) alike(o *Object, f Field) bool {
	for _, v := range o.Variants {
		if g := fieldNamed(v.Fields, f.Name); g.Name != "" && property(g) != property(f) {
			return false
		}
	}
	return true
}

// properties lists all fields that an object may have in some variant.
func (w *writer) properties(o *Object, common []Field) (rows []string) {
	if o.By != "" {
		var values []string
		words := ""
		for _, v := range o.Variants {
			values = append(values, v.Name)
			words += " " + v.Name + ": " + v.Doc
		}
		rows = append(rows, quote(o.By)+`: {"enum": `+quoteAll(values)+`, "description": `+quote("The kind."+plain(words))+"}")
	}
	for _, f := range common {
		rows = append(rows, quote(f.Name)+": "+property(f))
	}
	var seen []string
	for _, v := range o.Variants {
		for _, f := range v.Fields {
			if slices.Contains(seen, f.Name) {
				continue
			}
			seen = append(seen, f.Name)
			if w.alike(o, f) {
				rows = append(rows, quote(f.Name)+": "+property(f))
			} else {
				rows = append(rows, quote(f.Name)+": true")
			}
		}
	}
	return rows
}

// property writes a field with its words, which an editor shows.
func property(f Field) string {
	words := plain(f.Doc)
	if f.Type.kind == duration {
		words += " " + strings.ToUpper(f.Type.words[:1]) + f.Type.words[1:] + "."
	}
	if f.Default != "" {
		words += " Left out: " + plain(f.Default) + "."
	}
	return "{" + f.Type.json() + `, "description": ` + quote(words) + "}"
}

// plain takes the marks of code away.
func plain(s string) string { return strings.ReplaceAll(s, "`", "") }

// json writes the members that say what a value is.
func (t Type) json() string {
	switch t.kind {
	case boolean:
		return `"type": "boolean"`
	case whole:
		return `"type": "integer", "minimum": ` + itoa(t.lo) + `, "maximum": ` + itoa(t.hi)
	case textual, duration:
		if t.pattern == "" {
			return `"type": "string"`
		}
		return `"type": "string", "pattern": ` + quote(t.pattern)
	case enum:
		return `"enum": ` + quoteAll(t.names)
	case list:
		bounds := `"maxItems": ` + itoa(t.hi)
		if t.lo > 0 {
			bounds = `"minItems": ` + itoa(t.lo) + ", " + bounds
		}
		return `"type": "array", ` + bounds + `, "items": {` + t.of[0].json() + "}"
	case object:
		return `"$ref": ` + quote("#/$defs/"+anchor(t.object))
	case either:
		return `"anyOf": [{` + t.of[0].json() + "}, {" + t.of[1].json() + "}]"
	case texts:
		return `"$ref": "#/$defs/text"`
	}
	return `"type": ` + quoteAll(t.names)
}
