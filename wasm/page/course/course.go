// Package course is the overview: the lessons, how far the learner is, and where to go on.
package course

import (
	"strconv"
	"strings"

	"retrylab.example/core/lesson"
	"retrylab.example/wasm/catalog"
	"retrylab.example/wasm/guide"
	"retrylab.example/wasm/progress"
	"retrylab.example/wasm/view"
	"retrylab.example/wasm/view/frame"
	"retrylab.example/wasm/view/timeline"
)

// Model is what the overview shows.
type Model struct {
	Settings frame.Settings
	catalog  *catalog.Catalog
	book     *progress.Book
	file     opened
	taking   taking
}

// New returns the overview.
func New(s frame.Settings, c *catalog.Catalog, book *progress.Book) *Model {
	return &Model{Settings: s, catalog: c, book: book}
}

// Title returns what the browser's tab shows.
func (m *Model) Title() string { return m.Settings.Lang.Say("course.title") + " · Retry Lab" }

// View draws the page.
func (m *Model) View() view.Node {
	l := m.Settings.Lang
	minutes, count := 0, 0
	for i := range m.catalog.Lessons {
		if e := &m.catalog.Lessons[i]; !e.Code {
			minutes, count = minutes+e.Minutes, count+1
		}
	}
	main := view.El("div", view.Class("ov__main"),
		view.El("header", view.Class("ov__intro"), view.El("h1", l.Say("course.title")),
			view.El("p", l.Say("course.intro")+" "+
				l.Say("course.size", "n", strconv.Itoa(count), "minutes", strconv.Itoa(minutes))),
			view.El("p", view.Class("ov__live"), view.El("a", view.A("href", "#/watch"), l.Say("live.title")), view.Text(" · "+l.Say("live.about")))),
		m.onward(), m.lessons(), m.labs())
	return view.El("div", view.Class("course"), view.Icons(), timeline.Defs(), frame.SkipLink(l, "main"),
		frame.Bar(m.Settings, view.El("nav", view.Class("place"), view.A("aria-label", l.Say("lab.place")), view.El("span", l.Say("frame.course")))),
		view.El("main", view.Class("ov"), view.A("id", "main"), view.A("tabindex", "-1"), main, m.side()),
		guide.Dialogs(m.Settings), m.takeDialog(), m.resetDialog())
}

func (m *Model) written(t lesson.Text) view.Node {
	s, lang := t.In(string(m.Settings.Lang))
	if lang == string(m.Settings.Lang) {
		return view.Text(s)
	}
	return view.El("span", view.A("lang", lang), s)
}

// onward leads to where the learner stopped, or to the first step.
func (m *Model) onward() any {
	if len(m.catalog.Lessons) == 0 {
		return view.El("p", view.Class("notice"), m.Settings.Lang.Say("course.none"))
	}
	l := m.Settings.Lang
	eyebrow, button := "course.begin-here", "course.start"
	entry, step, stopped := m.resume()
	if stopped {
		eyebrow, button = "course.stopped-here", "course.continue"
	}
	title := view.El("h2", view.A("id", "cont-h"), m.written(entry.Title))
	if step < len(entry.Steps) {
		title.Kids = append(title.Kids, view.Text(l.Say("part.list")+l.Say("course.step", "n", strconv.Itoa(step+1))+": "), m.written(entry.Steps[step].Title))
	}
	solved, seen := m.done(entry)
	return view.El("section", view.Class("cont"), view.A("aria-labelledby", "cont-h"),
		view.El("div", view.El("p", view.Class("eyebrow"), l.Say(eyebrow)), title,
			view.El("p", view.Class("note"), m.count(solved, seen, len(entry.Steps)))),
		view.El("a", view.Class("btn btn--primary btn--l"), view.A("href", "#/lesson/"+entry.ID+"/"+entry.Steps[step].ID), l.Say(button), view.Icon("right")))
}

// resume returns the step to go on with: the one where the learner stopped, or after a lesson's last page the first step
// that is open from there on. stopped is false where nothing was begun.
func (m *Model) resume() (entry *catalog.Entry, step int, stopped bool) {
	id, stepID, _ := strings.Cut(m.book.Last, "/")
	last := m.catalog.Find(id)
	if last < 0 {
		return &m.catalog.Lessons[0], 0, false
	}
	entry = &m.catalog.Lessons[last]
	if step = entry.Step(stepID); step >= 0 {
		return entry, step, true
	}
	for i := range m.catalog.Lessons {
		e := &m.catalog.Lessons[(last+i)%len(m.catalog.Lessons)]
		for k := range e.Steps {
			if m.book.Of(e.ID, e.Steps[k].ID) == progress.Open {
				return e, k, i == 0
			}
		}
	}
	return entry, 0, true
}

// done returns how many steps of a lesson are solved and how many seen.
func (m *Model) done(e *catalog.Entry) (solved, seen int) {
	for i := range e.Steps {
		switch m.book.Of(e.ID, e.Steps[i].ID) {
		case progress.Solved:
			solved++
		case progress.Seen:
			seen++
		}
	}
	return solved, seen
}

func (m *Model) count(solved, seen, all int) string {
	l := m.Settings.Lang
	s := l.Say("course.solved", "n", strconv.Itoa(solved), "count", strconv.Itoa(all))
	if seen > 0 {
		s += l.Say("part.list") + l.Say("course.seen", "n", strconv.Itoa(seen))
	}
	return s
}

func (m *Model) lessons() view.Node {
	l := m.Settings.Lang
	rows, note, finished := m.rows(false)
	if finished {
		note = l.Say("course.finished") + " " + note
	}
	return view.El("section", view.A("id", "lessons"), view.A("aria-labelledby", "lessons-h"),
		view.El("div", view.Class("block__head"), view.El("h2", view.A("id", "lessons-h"), l.Say("course.lessons")),
			view.El("span", view.Class("note"), note+" · "+l.Say("course.any-order"))),
		view.El("ol", rows...))
}

// labs are the lessons in which functions are written; nothing where there are none.
func (m *Model) labs() any {
	l := m.Settings.Lang
	rows, note, _ := m.rows(true)
	if len(rows) == 1 {
		return nil
	}
	return view.El("section", view.A("id", "labs"), view.A("aria-labelledby", "labs-h"),
		view.El("div", view.Class("block__head"), view.El("h2", view.A("id", "labs-h"), l.Say("course.labs")),
			view.El("span", view.Class("note"), note)),
		view.El("p", view.Class("note"), l.Say("course.labs-note")), view.El("ol", rows...))
}

// rows draws the lessons with code, or those without, and says how far the learner is in them.
func (m *Model) rows(code bool) (rows []any, note string, finished bool) {
	rows = []any{view.Class("les-list")}
	solved, seen, all := 0, 0, 0
	for i := range m.catalog.Lessons {
		e := &m.catalog.Lessons[i]
		if e.Code != code {
			continue
		}
		s, n := m.done(e)
		solved, seen, all = solved+s, seen+n, all+len(e.Steps)
		rows = append(rows, m.row(i, e, s, n))
	}
	return rows, m.count(solved, seen, all), all > 0 && solved+seen == all
}

func (m *Model) row(i int, e *catalog.Entry, solved, seen int) view.Node {
	l := m.Settings.Lang
	last, _, _ := strings.Cut(m.book.Last, "/")
	n := strconv.Itoa(i + 1)
	class, disc, word := "les les--plain", view.Text(n), "course.start"
	switch {
	case solved+seen == len(e.Steps):
		class, disc, word = class+" les--done", view.Icon("check"), "course.review"
	case last == e.ID:
		class, word = class+" les--here", "course.continue"
	case solved+seen > 0:
		word = "course.continue"
	}
	need := []any{view.Class("les__need")}
	for _, id := range e.After {
		if k := m.catalog.Find(id); k >= 0 {
			if len(need) == 1 {
				need = append(need, view.El("span", l.Say("course.after")))
			}
			need = append(need, view.El("b", view.Class("tok"), strconv.Itoa(k+1)))
		}
	}
	if len(need) == 1 {
		need = append(need, view.El("span", l.Say("course.begin")))
	}
	pips := []any{view.Class("pips pips--s"), view.A("aria-hidden", "true")}
	for k := range e.Steps {
		pips = append(pips, view.El("li", view.Class("pip", map[progress.State]string{progress.Solved: "is-solved", progress.Seen: "is-seen"}[m.book.Of(e.ID, e.Steps[k].ID)])))
	}
	href := "#/lesson/" + e.ID
	title, _ := e.Title.In(string(l))
	return view.El("li", view.Class(class), view.El("span", view.Class("les__n"), disc),
		view.El("div", view.Class("les__t"),
			view.El("h3", view.El("a", view.A("href", href), view.El("span", view.Class("vh"), n+". "), m.written(e.Title))),
			view.El("p", m.written(e.Summary))),
		view.El("p", need...), view.El("p", view.Class("les__m"), l.Say("course.minutes", "n", strconv.Itoa(e.Minutes))),
		view.El("div", view.Class("les__p"), view.El("ol", pips...), view.El("span", view.Class("note"), m.count(solved, seen, len(e.Steps)))),
		view.El("a", view.Class("btn btn--quiet"), view.A("href", href), view.A("aria-label", l.Say(word)+": "+title), l.Say(word)))
}

// side explains the shapes, and where progress is kept.
func (m *Model) side() view.Node {
	l := m.Settings.Lang
	return view.El("aside", view.Class("ov__side"), view.A("aria-label", l.Say("course.about")), m.fileSection(),
		view.El("section", view.El("h2", l.Say("sandbox.title")), view.El("p", l.Say("sandbox.about")),
			view.El("p", view.Class("row"), view.El("a", view.Class("btn"), view.A("href", "#/sandbox"), l.Say("sandbox.to")))),
		view.El("section", view.El("h2", l.Say("course.author")), view.El("p", l.Say("course.author-note")),
			view.El("p", view.Class("row"), view.El("a", view.Class("btn"), view.A("href", "#/author"), l.Say("course.to-author")))),
		view.El("section", view.El("h2", l.Say("open.title")), view.El("p", l.Say("open.note")),
			view.El("p", view.Class("row"), view.El("a", view.Class("btn"), view.A("href", "#/open"), l.Say("open.to")))),
		view.El("section", view.El("h2", l.Say("course.shapes")), guide.Shapes(l)),
		m.progressSection())
}
