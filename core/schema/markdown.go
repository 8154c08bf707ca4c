package schema

import (
	"strings"

	"retrylab.example/core/decision"
	"retrylab.example/core/event"
)

// Markdown returns the table as the reference for people: one section for each kind of object.
func Markdown() string {
	var b strings.Builder
	objects := Objects()
	for i := range objects {
		o := &objects[i]
		b.WriteString("### " + o.Name + "\n\n" + o.Doc + "\n\n")
		if o.Like != "" {
			b.WriteString(o.Like + "\n\n")
			continue
		}
		for _, rule := range rules(o) {
			b.WriteString(rule + "\n\n")
		}
		fields := fieldsOf(objects, o)
		if o.By != "" {
			kind := Field{Name: o.By, Doc: "Which kind it is.", Need: true, Type: named(variantNames(o)...), Example: quote(o.Variants[0].Name)}
			fields = append([]Field{kind}, fields...)
		}
		table(&b, fields)
		for _, v := range o.Variants {
			b.WriteString("**" + o.By + " `" + v.Name + "`**: " + v.Doc)
			if len(v.OneOf) > 0 {
				b.WriteString(" It has exactly one of " + listed(v.OneOf) + ".")
			}
			if len(v.AnyOf) > 0 {
				b.WriteString(" It has one of " + listed(v.AnyOf) + ".")
			}
			b.WriteString("\n\n")
			table(&b, v.Fields)
		}
	}
	b.WriteString("### reasons\n\nWhy something was decided; [GLOSSARY.md](GLOSSARY.md) says what each means.\n\n" +
		listed(names(decision.Reasons())) + "\n\n### events\n\nWhat can happen in a run; [GLOSSARY.md](GLOSSARY.md) says when.\n\n" +
		listed(names(event.Kinds())) + "\n")
	return b.String()
}

func listed(names []string) string { return "`" + strings.Join(names, "`, `") + "`" }

func rules(o *Object) (list []string) {
	if len(o.OneOf) > 0 {
		list = append(list, "It has exactly one of "+listed(o.OneOf)+".")
	}
	if len(o.AnyOf) > 0 {
		list = append(list, "It has at least one of "+listed(o.AnyOf)+".")
	}
	for _, pair := range o.Never {
		list = append(list, "It cannot have both "+listed(pair[:1])+" and "+listed(pair[1:])+".")
	}
	return list
}

func table(b *strings.Builder, fields []Field) {
	if len(fields) == 0 {
		return
	}
	b.WriteString("| field | meaning | value | left out | example |\n| --- | --- | --- | --- | --- |\n")
	for _, f := range fields {
		missing := f.Default
		switch {
		case f.Need:
			missing = "**needed**"
		case missing == "":
			missing = "nothing"
		}
		example := ""
		if f.Example != "" {
			example = "`" + f.Example + "`"
		}
		if f.Type.kind == texts {
			example = "`{\"en\": \"…\"}`"
		}
		cells := []string{"`" + f.Name + "`", f.Doc, f.Type.words, missing, example}
		for i, c := range cells {
			cells[i] = strings.ReplaceAll(c, "|", `\|`)
		}
		b.WriteString(strings.TrimRight("| "+strings.Join(cells, " | "), " ") + " |\n")
	}
	b.WriteString("\n")
}
