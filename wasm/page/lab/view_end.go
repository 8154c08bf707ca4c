package lab

import (
	"strconv"

	"retrylab.example/wasm/progress"
	"retrylab.example/wasm/view"
)

// lastPage sums the lesson up: what was solved, what to do at work, what the model leaves out, where to read on.
func (m *Model) lastPage() []view.Node {
	l := m.lang()
	solved, seen := 0, 0
	for i := range m.lesson.Steps {
		switch m.book.Of(m.lesson.ID, m.lesson.Steps[i].ID) {
		case progress.Solved:
			solved++
		case progress.Seen:
			seen++
		}
	}
	count := len(m.lesson.Steps)
	title, note := "lab.end-open", l.Say("lab.end-count", "n", strconv.Itoa(solved), "count", strconv.Itoa(count))
	if solved+seen == count {
		title = "lab.end-done"
	}
	if seen > 0 {
		note += " · " + l.Say("lab.end-seen", "n", strconv.Itoa(seen))
	}
	items := []any{view.Class("list")}
	for _, t := range m.lesson.Checklist {
		s, _ := t.In(string(l))
		items = append(items, view.El("li", view.Inline(s)))
	}
	nodes := []view.Node{view.El("div", view.Class("prose"),
		view.El("p", view.Class("eyebrow"), m.written(m.lesson.Title)),
		view.El("h2", view.Class("step-h"), view.A("id", titleID), view.A("tabindex", "-1"), l.Say(title)),
		view.El("p", note),
		view.El("h3", l.Say("lab.at-work")), view.El("ul", items...),
		view.El("h3", l.Say("lab.limits-of-model")), m.prose(m.lesson.Limits), m.references())}
	return append(nodes, m.afterLesson())
}

func (m *Model) references() any {
	if len(m.lesson.References) == 0 {
		return nil
	}
	items := []any{view.Class("list")}
	own := m.lesson.Languages[0] // a source has one title
	for _, r := range m.lesson.References {
		items = append(items, view.El("li", view.El("span", view.A("lang", own), r.Title), " ", view.Code(r.Address)))
	}
	return []view.Node{view.El("h3", m.lang().Say("lab.references")), view.El("ul", items...)}
}

func (m *Model) afterLesson() view.Node {
	l := m.lang()
	row := []any{view.Class("row onward")}
	if m.place.Next != "" {
		row = append(row, view.El("a", view.Class("btn btn--primary"), view.A("href", "#/lesson/"+m.place.Next), l.Say("lab.next-lesson"), view.Icon("right")))
	}
	row = append(row, view.El("a", view.Class("btn"), view.A("href", "#/"), l.Say("lab.back-to-course")))
	return view.El("p", row...)
}
