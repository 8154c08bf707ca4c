package site

import (
	"strconv"
	"strings"

	"retrylab.example/core/lesson"
	"retrylab.example/core/text"
	words "retrylab.example/wasm/page/glossary"
	"retrylab.example/wasm/view"
	"retrylab.example/web/glossary"
	"retrylab.example/web/server"
)

// Readings renders all texts of the lessons, in each language, as a page that needs neither scripts nor the program: for
// browsers that have neither, and for paper.
func (pages) Readings(files map[string][]byte) (map[string][]byte, error) {
	_, lessons, err := readCourse(files)
	if err != nil {
		return nil, err
	}
	all := map[string][]byte{}
	for _, l := range text.Langs() {
		all[readingName(string(l))] = []byte(reading(l, lessons))
	}
	return all, nil
}

// readingName is the name of such a page; it lies beside its style sheet.
func readingName(lang string) string { return "read." + lang + ".html" }

func reading(l text.Lang, lessons []*lesson.Lesson) string {
	list, parts := []any{view.Class("list")}, []any{view.Class("reading prose")}
	for i, les := range lessons {
		number := strconv.Itoa(i+1) + ". "
		list = append(list, view.El("li", view.El("a", view.A("href", "#"+les.ID), number, plainText(l, les.Title))))
		parts = append(parts, view.El("h2", view.A("id", les.ID), number, plainText(l, les.Title)), proseText(l, les.Why))
		for k := range les.Steps {
			st := &les.Steps[k]
			parts = append(parts, view.El("h3", strconv.Itoa(i+1)+"."+strconv.Itoa(k+1)+" ", plainText(l, st.Title)), proseText(l, st.Body))
			if st.Kind == lesson.Code {
				starter, _ := st.Exercise.Starter.In(string(l))
				parts = append(parts, view.El("pre", view.A("lang", "en"), view.A("translate", "no"), view.El("code", strings.TrimRight(starter, "\n"))))
			}
			if len(st.Goal) > 0 {
				parts = append(parts, view.El("p", view.El("b", l.Say("lab.goal"))), proseText(l, st.Goal))
			}
		}
		parts = append(parts, view.El("p", view.El("b", l.Say("lab.limits-of-model"))), proseText(l, les.Limits))
	}
	list = append(list, view.El("li", view.El("a", view.A("href", "#glossary"), l.Say("glossary.title"))))
	parts = append(parts, glossaryText(l)...)
	main := view.El("main", view.Class("boot"), view.El("h1", l.Say("course.title")), view.El("p", l.Say("read.note")),
		view.El("p", view.El("a", view.A("href", "../../"), l.Say("read.program"))), view.El("ol", list...), view.El("div", parts...))
	head := view.El("head", view.El("meta", view.A("charset", "utf-8")),
		view.El("meta", view.A("http-equiv", "Content-Security-Policy"), view.A("content", server.MetaPolicy)),
		view.El("meta", view.A("name", "viewport"), view.A("content", "width=device-width, initial-scale=1")),
		view.El("meta", view.A("name", "color-scheme"), view.A("content", "light dark")),
		view.El("title", l.Say("course.title")+" · Retry Lab"),
		view.El("link", view.A("rel", "icon"), view.A("href", "icon.svg")), view.El("link", view.A("rel", "stylesheet"), view.A("href", "style.css")))
	return "<!doctype html>\n" + view.El("html", view.A("lang", string(l)), head, view.El("body", main)).HTML() + "\n"
}

// glossaryText renders the words with their meanings.
func glossaryText(l text.Lang) []any {
	parts := []any{view.El("h2", view.A("id", "glossary"), l.Say("glossary.title")), view.El("p", l.Say("glossary.intro"))}
	for _, s := range glossary.Sections() {
		rows := []any{view.Class("gl__list")}
		for _, t := range s.Terms {
			rows = append(rows, view.El("div", view.El("dt", words.Inline(t.Word.In(l))), view.El("dd", words.Inline(t.Is.In(l))),
				view.El("dd", view.Class("gl__src"), l.Say("glossary.source"), ": ", words.Inline(t.Source.In(l)))))
		}
		parts = append(parts, view.El("h3", s.Title.In(l)), view.El("dl", rows...))
	}
	return parts
}

// plainText returns a text of one line; where the lesson lacks the language, in its own, marked as such.
func plainText(l text.Lang, t lesson.Text) view.Node {
	s, lang := t.In(string(l))
	return view.El("span", view.If(lang != string(l), view.A("lang", lang)), strings.TrimSpace(s))
}

func proseText(l text.Lang, t lesson.Text) view.Node {
	s, lang := t.In(string(l))
	return view.El("div", view.If(lang != string(l), view.A("lang", lang)), view.Markdown(s))
}
