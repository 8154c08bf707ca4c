package sandbox

import (
	"slices"
	"strconv"
	"strings"

	"retrylab.example/core/document"
	"retrylab.example/core/scenario"
	"retrylab.example/wasm/view"
)

// object draws the fields of an object: those of one line first, then what lies deeper.
func (m *Model) object(name, pointer string, n *document.Node) []any {
	o := m.form[name]
	if o == nil || n == nil {
		return nil
	}
	lines, deep := []any{view.Class("fm__grid")}, []any{}
	if o.By != "" {
		var names []string
		for _, v := range o.Variants {
			names = append(names, v.Name)
		}
		lines = append(lines, m.choice(name, o.By, pointer+"/"+o.By, names, false, func(v string) any { return Become{pointer, name, v} }))
	}
	for _, f := range m.form.fields(name, n) {
		at := pointer + "/" + f.Name
		switch {
		case f.Kind == "object", f.Kind == "list" && f.Of.Kind == "object":
			if len(o.OneOf) == 0 || !slices.Contains(o.OneOf, f.Name) || n.Child(f.Name) != nil {
				deep = append(deep, m.deeper(name, f, at))
			}
		default:
			lines = append(lines, m.line(name, f, at))
		}
	}
	if chooser := m.oneOf(name, o, pointer, n); chooser != nil {
		lines = append(lines, chooser)
	}
	parts := []any{m.faultsAt(pointer), view.El("div", lines...)}
	if name == "client policy" || name == "policy" {
		parts = append(parts, m.waits(n))
	}
	return append(parts, deep...)
}

// oneOf chooses which of some fields an object has, where they are objects.
func (m *Model) oneOf(name string, o *kindOf, pointer string, n *document.Node) any {
	var kinds []field
	for _, f := range o.Fields {
		if f.Kind == "object" && slices.Contains(o.OneOf, f.Name) {
			kinds = append(kinds, f)
		}
	}
	if len(kinds) == 0 {
		return nil
	}
	parts := []any{view.Class("select"), view.A("id", fieldID(pointer)+"-of"), view.Change(func(v string) any { return Instead{pointer, name, v} })}
	for _, f := range kinds {
		parts = append(parts, option(f.Name, m.label(name, f.Name), n.Child(f.Name) != nil))
	}
	return view.El("label", view.Class("fm fm--s"), view.El("span", view.Class("fm__l"), m.label("limiter", "kind")), view.El("select", parts...))
}

// line draws a field of one line.
func (m *Model) line(object string, f field, at string) view.Node {
	n := m.doc.At(at)
	switch f.Kind {
	case "flag":
		return view.El("label", view.Class("tick"), view.El("input", view.A("type", "checkbox"), view.A("id", fieldID(at)),
			view.If(n != nil && n.Bool, view.A("checked", "")), view.Change(func(v string) any { return Set{at, v, "flag"} })), m.label(object, f.Name), m.faultsAt(at))
	case "choice":
		return m.choice(object, f.Name, at, f.Names, !f.Need, func(v string) any { return Set{at, v, "choice"} })
	case "list":
		kind := "words"
		if f.Of.Kind == "whole" {
			kind = "numbers"
		}
		return m.input(object, f, at, listed(n), kind)
	}
	shown := ""
	if n != nil {
		shown = n.Text
	}
	return m.input(object, f, at, shown, f.Kind)
}

func listed(n *document.Node) string {
	if n == nil {
		return ""
	}
	var words []string
	for _, item := range n.Items {
		words = append(words, item.Text)
	}
	return strings.Join(words, ", ")
}

// input draws a field that is typed. Its faults stand below it, and it says so.
func (m *Model) input(object string, f field, at, shown, kind string) view.Node {
	label := m.label(object, f.Name)
	fault := m.faultsAt(at)
	parts := []any{view.Class("input"), view.A("id", fieldID(at)), view.A("autocomplete", "off"), view.A("spellcheck", "false"), view.A("value", shown),
		view.If(f.Default != "", view.A("placeholder", f.Default)), view.Change(func(v string) any { return Set{at, v, kind} })}
	if fault != nil {
		parts = append(parts, view.A("aria-invalid", "true"), view.A("aria-describedby", faultID(at)))
	}
	return view.El("div", view.Class("fm fm--s"), view.El("label", view.Class("fm__l"), view.A("for", fieldID(at)), label), view.El("input", parts...), fault)
}

// choice draws a list of words of which one is taken; a value that is none of them stays, and is shown.
func (m *Model) choice(object, name, at string, words []string, empty bool, send func(v string) any) view.Node {
	now := ""
	if n := m.doc.At(at); n != nil {
		now = n.Text
	}
	fault := m.faultsAt(at)
	parts := []any{view.Class("select"), view.A("id", fieldID(at)), view.Change(send)}
	if fault != nil {
		parts = append(parts, view.A("aria-invalid", "true"), view.A("aria-describedby", faultID(at)))
	}
	if empty || now == "" {
		parts = append(parts, option("", m.say("sandbox.left-out"), now == ""))
	}
	if now != "" && !slices.Contains(words, now) {
		parts = append(parts, option(now, now, true))
	}
	for _, w := range words {
		parts = append(parts, option(w, m.lang().FieldChoice(name, w), w == now))
	}
	return view.El("div", view.Class("fm fm--s"), view.El("label", view.Class("fm__l"), view.A("for", fieldID(at)), m.label(object, name)),
		view.El("select", parts...), fault)
}

func faultID(pointer string) string { return "fault" + pointer }

// faultsAt says what is wrong with a value, nil if nothing is.
func (m *Model) faultsAt(pointer string) any {
	var lines []any
	for _, f := range m.faults {
		if f.Pointer == pointer && !m.broken {
			problem, mend, lang := m.lang().FileFault(f)
			lines = append(lines, view.El("span", view.A("lang", string(lang)), problem+"; "+mend))
		}
	}
	if lines == nil {
		return nil
	}
	return view.El("p", append([]any{view.Class("problem"), view.A("id", faultID(pointer))}, lines...)...)
}

// deeper draws an object or a list of objects in a part that opens.
func (m *Model) deeper(object string, f field, at string) view.Node {
	n := m.doc.At(at)
	label := m.label(object, f.Name)
	if f.Kind == "list" || n != nil && n.Kind == document.Array {
		return m.list(label, f, at, n)
	}
	if n == nil {
		return view.El("p", view.Class("row sb__none"), view.El("span", view.Class("fm__l"), label), view.El("span", view.Class("note"), m.say("sandbox.nothing")),
			button("btn btn--s", Add{at, f.Object}, view.A("aria-label", m.say("sandbox.add")+": "+label), m.say("sandbox.add")))
	}
	parts := []any{view.Class("fold sb__part"), view.A("id", "part"+at), view.If(f.Name == "policy", view.A("open", "")), view.El("summary", label)}
	parts = append(parts, m.object(f.Object, at, n)...)
	if !f.Need {
		parts = append(parts, view.El("p", view.Class("row"),
			button("btn btn--s btn--quiet", Remove{at}, view.A("aria-label", m.say("sandbox.remove")+": "+label), m.say("sandbox.remove"))))
	}
	return view.El("details", parts...)
}

// list draws a list of objects: a choice of one of them, and that one.
func (m *Model) list(label string, f field, at string, n *document.Node) view.Node {
	object, count := f.Object, 0
	if f.Of != nil {
		object = f.Of.Object
	} else if object == "work" {
		object = "path work"
	}
	if n != nil {
		count = len(n.Items)
	}
	add := button("btn btn--s", Insert{at, object}, view.A("aria-label", m.say("sandbox.add")+": "+label), m.say("sandbox.add"))
	parts := []any{view.Class("fold sb__part"), view.A("id", "part"+at), view.If(at == "/clients", view.A("open", "")),
		view.El("summary", label+" ("+strconv.Itoa(count)+")"), m.faultsAt(at)}
	if count == 0 {
		return view.El("details", append(parts, view.El("p", view.Class("row"), add))...)
	}
	i := m.index(at)
	choose := []any{view.Class("select"), view.A("id", listID(at)), view.A("aria-label", label+": "+m.say("sandbox.shown")),
		view.Change(func(v string) any { k, _ := strconv.Atoi(v); return Pick{at, k} })}
	for k, item := range n.Items {
		choose = append(choose, option(strconv.Itoa(k), strconv.Itoa(k+1)+". "+summary(item), k == i))
	}
	named := func(word string) any { return view.A("aria-label", m.say(word)+": "+label+" "+strconv.Itoa(i+1)) }
	item := at + "/" + strconv.Itoa(i)
	parts = append(parts, view.El("p", view.Class("row"), view.El("select", choose...),
		button("btn btn--s btn--icon btn--quiet", Move{at, -1}, named("sandbox.up"), idle(i == 0), view.Icon("up")),
		button("btn btn--s btn--icon btn--quiet", Move{at, 1}, named("sandbox.down"), idle(i == count-1), view.Icon("down")),
		button("btn btn--s", Copy{at, 1}, named("sandbox.copy"), m.say("sandbox.copy")),
		button("btn btn--s btn--icon btn--quiet", Remove{item}, named("sandbox.remove"), view.Icon("cross")), add))
	if at == "/clients" {
		parts = append(parts, m.crowd(count))
	}
	return view.El("details", append(parts, view.El("div", append([]any{view.Class("sb__item")}, m.object(object, item, n.Items[i])...)...))...)
}

// crowd makes many clients like the shown one.
func (m *Model) crowd(count int) view.Node {
	most := scenario.MaxClients - count
	return view.El("p", view.Class("row"), view.El("label", view.Class("fm fm--s"), view.El("span", view.Class("fm__l"), m.say("sandbox.crowd")),
		view.El("input", view.Class("input"), view.A("id", "sandbox-crowd"), view.A("type", "number"), view.A("min", "1"), view.A("max", strconv.Itoa(max(most, 1))),
			view.A("value", strconv.Itoa(m.copies)), view.Change(func(v string) any { k, _ := strconv.Atoi(v); return Copies{k} }))),
		button("btn btn--s", Copy{"/clients", min(m.copies, most)}, idle(most < 1), m.say("sandbox.add")))
}

// summary says in short which element it is.
func summary(n *document.Node) string {
	if name := n.Child("name"); name != nil {
		return name.Text
	}
	const most = 40
	s := []rune(strings.Join(strings.Fields(strings.NewReplacer("{", " ", "}", " ", `"`, "").Replace(n.Written())), " "))
	if len(s) > most {
		s = append(s[:most], '…')
	}
	return string(s)
}
