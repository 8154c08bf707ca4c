// Package glossary is the page of the words: what each means, where that is from, and where a learner meets it.
package glossary

import (
	"strconv"
	"strings"

	"retrylab.example/core/lesson"
	"retrylab.example/core/text"
	"retrylab.example/wasm/catalog"
	"retrylab.example/wasm/effect"
	"retrylab.example/wasm/guide"
	"retrylab.example/wasm/view"
	"retrylab.example/wasm/view/frame"
	"retrylab.example/wasm/view/timeline"
)

// Base is the address of the page; that of a term has its id behind it.
const Base = "#/glossary"

const findID = "glossary-find"

// Find is what the reader looks for, as typed so far.
type Find struct{ Query string }

// Model is what the page shows.
type Model struct {
	Settings frame.Settings
	catalog  *catalog.Catalog
	sections []Section
	query    string
	asked    string // the term that the address names
	failed   string
}

// New returns the page. The term is the id of the one that is asked for, empty for none.
func New(s frame.Settings, c *catalog.Catalog, term string) *Model {
	return &Model{Settings: s, catalog: c, asked: term}
}

// Title returns what the browser's tab shows.
func (m *Model) Title() string { return m.Settings.Lang.Say("glossary.title") + " · Retry Lab" }

// Visit fetches the terms.
func (m *Model) Visit() []effect.Effect {
	if len(m.sections) > 0 {
		return nil
	}
	return []effect.Effect{effect.Fetch{Name: File}}
}

// Update takes the terms, and what is typed.
func (m *Model) Update(msg any) []effect.Effect {
	switch msg := msg.(type) {
	case Find:
		m.query = msg.Query
	case frame.File:
		if msg.Name != File {
			return nil
		}
		m.failed = msg.Trouble
		if sections, err := Read(msg.Text); err == nil {
			m.sections = sections
		} else if m.failed == "" {
			m.failed = err.Error()
		}
		if m.asked != "" {
			return []effect.Effect{effect.Focus{ID: termID(m.asked)}}
		}
	}
	return nil
}

// termID is the id of a term's element.
func termID(id string) string { return "term-" + id }

// View draws the page.
func (m *Model) View() view.Node {
	l := m.Settings.Lang
	parts := []any{view.Class("ov__main gl"), view.El("h1", l.Say("glossary.title")), view.El("p", l.Say("glossary.intro"))}
	switch {
	case m.failed != "":
		parts = append(parts, view.El("p", view.Class("notice problem"), view.A("role", "alert"), l.Say("glossary.failed", "why", m.failed)),
			view.El("p", view.Class("row"), view.El("button", view.Class("btn"), view.A("type", "button"), view.Click(frame.Reload{}), l.Say("shell.try-again"))))
	case len(m.sections) == 0:
		parts = append(parts, view.El("p", view.Class("note"), l.Say("glossary.loading")))
	default:
		parts = append(parts, m.words()...)
	}
	return view.El("div", view.Class("course"), view.Icons(), timeline.Defs(), frame.SkipLink(l, "main"),
		frame.Bar(m.Settings, view.El("nav", view.Class("place"), view.A("aria-label", l.Say("lab.place")),
			view.El("a", view.A("href", "#/"), l.Say("frame.course")), view.El("b", l.Say("glossary.title")))),
		view.El("main", view.Class("ov"), view.A("id", "main"), view.A("tabindex", "-1"), view.El("div", parts...)),
		guide.Dialogs(m.Settings))
}

// words draws the search and what it finds.
func (m *Model) words() []any {
	l := m.Settings.Lang
	query := strings.ToLower(strings.TrimSpace(m.query))
	found, all := 0, 0
	var lists []any
	for i := range m.sections {
		s := &m.sections[i]
		rows := []any{view.Class("gl__list")}
		for k := range s.Terms {
			all++
			if s.Terms[k].holds(query) {
				found++
				rows = append(rows, m.term(&s.Terms[k]))
			}
		}
		if len(rows) > 1 {
			lists = append(lists, view.El("section", view.El("h2", s.Title.In(l)), view.El("dl", rows...)))
		}
	}
	if found == 0 {
		lists = append(lists, view.El("p", view.Class("note"), l.Say("glossary.none")))
	}
	return append([]any{view.El("p", view.Class("gl__find"),
		view.El("label", view.A("for", findID), l.Say("glossary.find")),
		view.El("input", view.Class("input"), view.A("id", findID), view.A("type", "search"), view.A("autocomplete", "off"),
			view.A("spellcheck", "false"), view.Input(func(v string) any { return Find{v} })),
		view.El("span", view.Class("note"), view.A("role", "status"), l.Say("glossary.found", "n", strconv.Itoa(found), "count", strconv.Itoa(all))))},
		lists...)
}

// holds reports whether a term has what is looked for in any language: who reads a paper looks for its English word.
func (t *Term) holds(query string) bool {
	for i := range t.Word {
		if strings.Contains(strings.ToLower(t.Word[i]+"\n"+t.Is[i]), query) {
			return true
		}
	}
	return false
}

func (m *Model) term(t *Term) view.Node {
	l := m.Settings.Lang
	word := []any{view.A("id", termID(t.ID)), view.A("tabindex", "-1"), Inline(t.Word.In(l))}
	if l != text.English && t.Word.In(l) != t.Word[0] {
		word = append(word, " ", view.El("small", view.A("lang", "en"), Inline(t.Word[0])))
	}
	parts := []any{view.El("dt", word...), view.El("dd", Inline(t.Is.In(l))),
		view.El("dd", view.Class("gl__src"), l.Say("glossary.source"), ": ", view.El("span", view.A("lang", sourceLang(l, t)), Inline(t.Source.In(l))))}
	var links []any
	for _, at := range t.Met {
		id, step, _ := strings.Cut(at, "/")
		i := m.catalog.Find(id)
		if i < 0 {
			continue
		}
		e := &m.catalog.Lessons[i]
		if k := e.Step(step); k >= 0 {
			if len(links) > 0 {
				links = append(links, " · ")
			}
			links = append(links, view.El("a", view.A("href", "#/lesson/"+at), m.written(e.Title), ": ", m.written(e.Steps[k].Title)))
		}
	}
	if len(links) > 0 {
		parts = append(parts, view.El("dd", append([]any{view.Class("gl__src"), l.Say("glossary.met"), ": "}, links...)...))
	}
	return view.El("div", parts...)
}

// sourceLang is the language of a term's source: titles and names are English unless the source says something else.
func sourceLang(l text.Lang, t *Term) string {
	if t.Source.In(l) == t.Source[0] {
		return string(text.English)
	}
	return string(l)
}

func (m *Model) written(t lesson.Text) view.Node {
	s, lang := t.In(string(m.Settings.Lang))
	if lang == string(m.Settings.Lang) {
		return view.Text(s)
	}
	return view.El("span", view.A("lang", lang), s)
}

// Inline makes elements of a text that has code between backticks and titles between asterisks.
func Inline(s string) []view.Node {
	var nodes []view.Node
	for i, part := range strings.Split(s, "`") {
		if i%2 == 1 {
			nodes = append(nodes, view.Code(part))
			continue
		}
		for k, piece := range strings.Split(part, "*") {
			switch {
			case piece == "":
			case k%2 == 1:
				nodes = append(nodes, view.El("i", piece))
			default:
				nodes = append(nodes, view.Text(piece))
			}
		}
	}
	return nodes
}
