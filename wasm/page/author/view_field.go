package author

import (
	"strconv"
	"strings"

	"retrylab.example/core/document"
	"retrylab.example/wasm/view"
)

// valueOf returns the text or number of a value, empty if it is missing.
func valueOf(n *document.Node) string {
	if n == nil {
		return ""
	}
	return n.Text
}

// field draws a labelled field of one line. The label is a message, or the name of the JSON field as it is written.
func (m *Model) field(label any, pointer, text, class string, send func(v string) any) view.Node {
	input := []any{view.Class("input"), view.A("id", fieldID(pointer)), view.A("autocomplete", "off"), view.A("spellcheck", "false"),
		view.Input(send), view.A("value", text)}
	return view.El("label", view.Class("fm", class), view.El("span", view.Class("fm__l"), label), view.El("input", input...))
}

// line draws a field whose value is a plain text.
func (m *Model) line(label any, pointer string) view.Node {
	return m.field(label, pointer, valueOf(m.at(pointer)), "", func(v string) any { return SetString{pointer, v} })
}

func (m *Model) number(label any, pointer string) view.Node {
	return m.field(label, pointer, valueOf(m.at(pointer)), "fm--s", func(v string) any { return SetNumber{pointer, v} })
}

// list draws a field of words that stand between commas.
func (m *Model) list(label any, pointer string, numbers bool) view.Node {
	return m.field(label, pointer, shown(m.at(pointer)), "", func(v string) any { return SetWords{pointer, v, numbers} })
}

// area draws a text in the language that the form shows, and beside another language the lesson's own text.
func (m *Model) area(label string, pointer string, rows int) view.Node {
	n := m.at(pointer)
	var text string
	missing := false
	if n != nil {
		t := n.Child(m.lang)
		text = valueOf(t)
		missing = strings.TrimSpace(text) == ""
	}
	at := pointer + "/" + m.lang
	input := []any{view.Class("input fm__area"), view.A("id", fieldID(at)), view.A("lang", m.lang), view.A("rows", strconv.Itoa(rows)),
		view.Input(func(v string) any { return SetString{at, v} }), view.A("value", text)}
	parts := []any{view.El("span", view.Class("fm__l"), label, view.If(missing, view.El("em", view.Class("fm__miss"), m.say("author.is-missing")))),
		view.El("textarea", input...)}
	if langs := m.langs(); len(langs) > 0 && langs[0] != m.lang && n != nil {
		parts = append(parts, view.El("span", view.Class("fm__own"), view.A("lang", langs[0]), valueOf(n.Child(langs[0]))))
	}
	class := "fm fm--wide"
	if missing {
		class += " is-missing"
	}
	return view.El("label", append([]any{view.Class(class)}, parts...)...)
}

// raw draws a value as its JSON. It is written when the author leaves the field, for half of a value is none.
func (m *Model) raw(label any, pointer string, rows int) view.Node {
	text := ""
	if n := m.at(pointer); n != nil {
		text = n.Written()
	}
	input := []any{view.Class("input fm__area fm__raw"), view.A("id", fieldID(pointer)), view.A("lang", "en"), view.A("spellcheck", "false"),
		view.A("rows", strconv.Itoa(rows)), view.Change(func(v string) any { return SetRaw{pointer, v} }), view.A("value", text)}
	return view.El("label", view.Class("fm fm--wide"), view.El("span", view.Class("fm__l"), label), view.El("textarea", input...))
}

func (m *Model) tick(label any, pointer string) view.Node {
	n := m.at(pointer)
	return view.El("label", view.Class("tick"),
		view.El("input", view.A("type", "checkbox"), view.A("id", fieldID(pointer)), view.If(n != nil && n.Bool, view.A("checked", "")),
			view.Change(func(v string) any { return SetFlag{pointer, v == "true"} })), label)
}

// choice draws a list of words of which one is taken; a value that is none of them stays, and is shown.
func (m *Model) choice(label any, pointer string, words []string, send func(v string) any) view.Node {
	now := valueOf(m.at(pointer))
	known := hasLang(words, now)
	parts := []any{view.Class("select"), view.A("id", fieldID(pointer)), view.Change(send)}
	if !known {
		parts = append(parts, option(now, now, true))
	}
	for _, w := range words {
		parts = append(parts, option(w, w, w == now))
	}
	return view.El("label", view.Class("fm fm--s"), view.El("span", view.Class("fm__l"), label), view.El("select", parts...))
}

// chips draws words that can each be switched on and off.
func (m *Model) chips(label any, pointer string, words []string) view.Node {
	var on []string
	if n := m.at(pointer); n != nil {
		for _, item := range n.Items {
			on = append(on, item.Text)
		}
	}
	parts := []any{view.Class("fm__chips")}
	for _, w := range words {
		pressed := strconv.FormatBool(hasLang(on, w))
		parts = append(parts, button("chip", Toggle{pointer, w}, view.A("aria-pressed", pressed), view.A("lang", "en"), view.A("translate", "no"), w))
	}
	return view.El("div", view.Class("fm fm--wide"), view.A("role", "group"), view.A("aria-label", m.say("author.allow")),
		view.El("span", view.Class("fm__l"), label), view.El("div", parts...))
}

// row draws the buttons that move an element of a list and take it out. name says to a screen reader which it is.
func (m *Model) row(list string, i, count int, name string) view.Node {
	pointer := list + "/" + strconv.Itoa(i)
	say := func(word string) any { return view.A("aria-label", m.say(word)+": "+name) }
	return view.El("span", view.Class("fm__row"),
		button("btn btn--s btn--icon btn--quiet", Move{list, i, -1}, say("author.up"), idle(i == 0), view.Icon("up")),
		button("btn btn--s btn--icon btn--quiet", Move{list, i, 1}, say("author.down"), idle(i == count-1), view.Icon("down")),
		button("btn btn--s btn--icon btn--quiet", Jump{pointer}, say("author.show-json"), view.Icon("braces")),
		button("btn btn--s btn--icon btn--quiet", Remove{pointer}, say("author.remove"), view.Icon("cross")))
}

// listHead draws the heading of a list with the button that adds to it.
func (m *Model) listHead(title, list, add string) view.Node {
	return view.El("div", view.Class("fm__head"),
		view.El("h3", view.A("id", listID(list)), view.A("tabindex", "-1"), title),
		view.If(add != "", button("btn btn--s", Insert{list, add}, view.A("aria-label", m.say("author.add")+": "+title), m.say("author.add"))))
}
