package author

import (
	"strconv"

	"retrylab.example/core/document"
	"retrylab.example/core/text"
	"retrylab.example/wasm/guide"
	"retrylab.example/wasm/view"
	"retrylab.example/wasm/view/frame"
	"retrylab.example/wasm/view/timeline"
)

// Short names of what this page draws most.
var (
	button = view.Button
	idle   = view.Idle
	option = view.Option
	ifName = view.Name
)

// Ids of elements that the focus moves to.
const (
	jsonID    = "json"
	previewID = "preview"
	proveID   = "prove"
	mainID    = "main"
)

// fieldID is the id of the form's field for a value, listID that of the heading of a list.
func fieldID(pointer string) string { return "at" + pointer }
func listID(pointer string) string  { return "list" + pointer }

// mostFaults is how many faults are listed.
const mostFaults = 50

// View draws the page.
func (m *Model) View() view.Node {
	nav := view.El("nav", view.Class("place"), view.A("aria-label", m.say("lab.place")),
		view.El("a", view.A("href", "#/"), m.say("frame.course")), view.El("h1", view.Class("place__h"), m.say("author.title")))
	body := []any{view.Class("au"), view.A("id", mainID), view.A("tabindex", "-1"), view.A("data-pane", m.pane), m.tools()}
	if m.pane == "preview" {
		body = append(body, m.previewPane())
	} else {
		body = append(body, m.formPane())
	}
	body = append(body, m.jsonPane())
	parts := []any{view.Class("author"), view.Icons(), timeline.Defs(),
		frame.SkipLink(m.lang0(), mainID), frame.Bar(m.Settings, nav), view.El("main", body...)}
	return view.El("div", append(parts, guide.Dialogs(m.Settings))...)
}

// tools draws what is done with the file as a whole, and the switch between the parts of the page.
func (m *Model) tools() view.Node {
	sources := []any{view.Class("select"), view.A("aria-label", m.say("author.source")), view.Change(func(v string) any { return Source{v} })}
	for i := range m.catalog.Lessons {
		e := &m.catalog.Lessons[i]
		title, _ := e.Title.In(string(m.lang0()))
		sources = append(sources, option(e.ID, title, e.ID == m.source))
	}
	row := []any{view.Class("row au__file"), view.El("span", view.Class("au__name"), view.Code(m.name)),
		frame.FilePicker("open-file", m.say("file.open"), ""), button("btn", Begin{}, m.say("author.new"))}
	if len(m.catalog.Lessons) > 0 {
		row = append(row, view.El("span", view.Class("au__copy"), view.El("select", sources...), button("btn", Copy{}, m.say("author.copy"))))
	}
	row = append(row,
		view.El("span", view.Class("au__end"),
			button("btn btn--icon", Undo{}, view.A("aria-label", m.say("author.undo")), idle(len(m.past.done) == 0), view.Icon("undo")),
			button("btn btn--icon", Redo{}, view.A("aria-label", m.say("author.redo")), idle(len(m.past.undone) == 0), view.Icon("redo")),
			button("btn btn--primary", Save{}, m.say("author.download"))))
	panes := []any{view.Class("au__panes"), view.A("aria-label", m.say("lab.panes"))}
	for _, name := range []string{"form", "json", "preview"} {
		panes = append(panes, button("au__pane au__pane--"+name, Pane{name}, view.If(m.pane == name, view.A("aria-current", "true")),
			m.say("author.pane-"+name)))
	}
	return view.El("div", view.Class("au__top"), view.El("div", row...), view.El("div", view.Class("au__state"), view.El("nav", panes...), m.state()),
		view.If(m.notice != "", view.El("p", view.Class("notice"), m.notice)))
}

// state says how many faults there are, and how many texts are missing in each language.
func (m *Model) state() view.Node {
	parts := []any{view.Class("au__counts")}
	switch n := len(m.r.Faults()) - len(m.r.Gaps()); {
	case m.r.Root == nil:
		parts = append(parts, view.El("span", view.Class("au__bad"), m.say("author.not-json")))
	case n > 0:
		parts = append(parts, view.El("span", view.Class("au__bad"), m.say("author.faults", "n", strconv.Itoa(n))))
	default:
		parts = append(parts, view.El("span", view.Class("au__good"), view.Icon("check"), m.say("author.no-fault")))
	}
	for _, lang := range m.langs() {
		if n := m.gaps(lang); n > 0 {
			parts = append(parts, view.El("span", view.Class("au__gap"), m.say("author.missing", "language", langName(lang), "n", strconv.Itoa(n))))
		}
	}
	return view.El("p", parts...)
}

// gaps returns how many texts are missing in a language.
func (m *Model) gaps(lang string) int {
	n := 0
	for _, g := range m.form.Gaps() {
		if g.Lang == lang {
			n++
		}
	}
	return n
}

// langName returns a language's own name, or its tag where the program does not speak it.
func langName(tag string) string {
	if l, ok := text.Parse(tag); ok && string(l) == tag {
		return l.Name()
	}
	return tag
}

// jsonPane draws the text itself, what is wrong with it, and the proof. Tab leaves the field as it leaves any other.
func (m *Model) jsonPane() view.Node {
	return view.El("section", view.Class("au__json"), view.A("aria-labelledby", "json-h"),
		view.El("h2", view.A("id", "json-h"), m.say("author.pane-json")),
		view.El("textarea", view.Class("au__text"), view.A("id", jsonID), view.A("lang", "en"), view.A("spellcheck", "false"),
			view.A("autocomplete", "off"), view.A("autocapitalize", "off"), view.A("aria-labelledby", "json-h"), view.A("rows", "24"),
			view.Input(func(v string) any { return Typed{v} })),
		m.faults(), m.proofBlock())
}

func (m *Model) faults() view.Node {
	jump := func(f document.Fault) any { return JumpTo{f.Line, f.Column} }
	list := m.r.Faults()
	return view.El("section", view.Class("block"), view.A("aria-labelledby", "faults-h"),
		view.El("div", view.Class("block__head"), view.El("h2", view.A("id", "faults-h"), m.say("author.problems")),
			view.El("span", view.Class("note"), m.say("author.kept"))),
		view.If(len(list) == 0, view.El("p", view.Class("note"), m.say("author.no-problem"))),
		view.If(len(list) > 0, frame.Faults(m.lang0(), list, mostFaults, jump)))
}

// proofBlock draws the proof: what was shown of each step, and what is wrong.
func (m *Model) proofBlock() view.Node {
	p := &m.proof
	word, msg := "author.prove", any(Prove{})
	if p.running {
		word, msg = "author.cancel", Cancel{}
	}
	parts := []any{view.Class("block"), view.A("aria-labelledby", "proof-h"),
		view.El("div", view.Class("block__head"), view.El("h2", view.A("id", "proof-h"), m.say("author.proof")),
			button("btn", msg, view.A("id", proveID), m.say(word)))}
	switch {
	case p.running:
		parts = append(parts, view.El("div", view.Class("row"),
			view.El("progress", view.A("max", strconv.Itoa(max(p.count, 1))), view.A("value", strconv.Itoa(len(p.steps))), view.A("aria-labelledby", "proof-h")),
			view.El("span", view.Class("note"), m.say("author.proving", "n", strconv.Itoa(len(p.steps)), "count", strconv.Itoa(p.count)))))
	case p.report != nil || p.problem != "":
		class := "au__verdict"
		if p.report != nil && p.report.OK {
			class += " is-good"
		}
		parts = append(parts, view.El("p", view.Class(class), m.verdict()))
		if p.text != m.text {
			parts = append(parts, view.El("p", view.Class("note"), m.say("author.proof-old")))
		}
	default:
		parts = append(parts, view.El("p", view.Class("note"), m.say("author.proof-note")))
	}
	if len(p.steps) > 0 {
		parts = append(parts, m.proofRows())
	}
	if p.report != nil && len(p.report.Faults) > 0 {
		jump := func(f document.Fault) any { return JumpTo{f.Line, f.Column} }
		parts = append(parts, frame.Faults(m.lang0(), p.report.Faults, mostFaults, jump))
	}
	return view.El("section", parts...)
}

func (m *Model) proofRows() view.Node {
	rows := []any{view.Class("proofs")}
	for i := range m.proof.steps {
		s := &m.proof.steps[i]
		icon, class := "check", "is-good"
		if len(s.Faults) > 0 {
			icon, class = "cross", "is-bad"
		}
		words := m.say("author.proof-nothing")
		if s.Plays {
			seeds := m.say("author.no-draw")
			if s.Seeds > 0 {
				seeds = m.say("author.seeds", "n", strconv.Itoa(s.Seeds))
			}
			list := m.say("part.list")
			words = m.either(s.Start, "author.proof-start", "author.proof-start-not") + list + m.either(s.Solution, "author.proof-solution", "author.proof-solution-not") + list +
				m.say("author.proof-wrong", "n", strconv.Itoa(s.Wrong), "count", strconv.Itoa(s.WrongAnswers)) + list + seeds
		}
		rows = append(rows, view.El("li", view.Class(class), view.Icon(icon), view.El("span", view.Code(s.Step), " ", words)))
	}
	return view.El("ul", rows...)
}

// either says one of two messages.
func (m *Model) either(ok bool, yes, no string) string {
	if ok {
		return m.say(yes)
	}
	return m.say(no)
}
