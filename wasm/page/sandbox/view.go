package sandbox

import (
	"strconv"

	"retrylab.example/core/document"
	"retrylab.example/core/retry"
	"retrylab.example/core/scenario"
	"retrylab.example/core/text"
	"retrylab.example/wasm/view"
	"retrylab.example/wasm/view/frame"
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
	jsonID  = "sandbox-json"
	nameID  = "sandbox-name"
	savedID = "sandbox-saved"
)

// fieldID is the id of the form's field for a value, listID that of the choice of a list's element.
func fieldID(pointer string) string { return "at" + pointer }
func listID(pointer string) string  { return "list" + pointer }

// mostFaults is how many faults are listed.
const mostFaults = 20

// View draws the page: the editor in the place of a lesson's text, and the run beside it.
func (m *Model) View() view.Node {
	return m.bench.With(m.editor())
}

func (m *Model) editor() []view.Node {
	parts := []view.Node{
		view.El("p", view.Class("note"), m.say("sandbox.intro")),
		view.El("div", view.Class("sb__file"), m.nameRow(), m.startPart(), m.savedPart()),
	}
	if m.notice != "" {
		parts = append(parts, view.El("p", view.Class("notice", ifName(m.trouble, "problem")), m.notice))
	}
	return append(parts, m.panes(), m.faultPart(), m.form0())
}

func (m *Model) nameRow() view.Node {
	return view.El("div", view.Class("sb__tools"),
		view.El("label", view.Class("fm"), view.El("span", view.Class("fm__l"), m.say("sandbox.name")),
			view.El("input", view.Class("input"), view.A("id", nameID), view.A("autocomplete", "off"), view.A("value", m.typed),
				view.Input(func(v string) any { return Name{v} }))),
		view.El("p", view.Class("row"), button("btn btn--s", Save{}, m.say("sandbox.save")),
			view.If(m.isSaved() && m.typed != m.name, button("btn btn--s", Rename{}, m.say("sandbox.rename"))),
			button("btn btn--s btn--icon", Undo{}, view.A("aria-label", m.say("author.undo")), idle(len(m.past) == 0), view.Icon("undo")),
			button("btn btn--s btn--icon", Redo{}, view.A("aria-label", m.say("author.redo")), idle(len(m.undone) == 0), view.Icon("redo")),
			button("btn btn--s", Empty{}, m.say("sandbox.new")), frame.FilePicker("sandbox-file", m.say("sandbox.file"), "btn--s"),
			view.El("a", view.Class("btn btn--s"), view.A("href", "#/watch"), m.say("live.from-sandbox"))))
}

// startPart lists the situations to begin with.
func (m *Model) startPart() view.Node {
	rows := []any{view.Class("sb__list")}
	for i := range m.starters {
		s := &m.starters[i]
		rows = append(rows, view.El("li", button("btn btn--s", Start{s.id}, s.title(m.Settings.Lang)),
			view.El("p", view.Class("note"), s.about(m.Settings.Lang))))
	}
	return view.El("details", view.Class("fold"), view.A("id", "sandbox-starters"),
		view.El("summary", m.say("sandbox.starters")), view.El("ul", rows...))
}

func (m *Model) savedPart() view.Node {
	rows := []any{view.Class("sb__list")}
	for _, b := range m.saved {
		if b.Name == m.asked {
			rows = append(rows, m.asking())
			continue
		}
		rows = append(rows, view.El("li", view.Class("row"), button("btn btn--s", Open{b.Name}, b.Name),
			button("btn btn--s btn--icon btn--quiet", Delete{b.Name}, view.A("aria-label", m.say("sandbox.delete")+": "+b.Name), view.Icon("cross"))))
	}
	return view.El("details", view.Class("fold"),
		view.El("summary", view.A("id", savedID), m.say("sandbox.saved-h", "n", strconv.Itoa(len(m.saved)))),
		view.If(len(m.saved) == 0, view.El("p", view.Class("note"), m.say("sandbox.none"))), view.El("ul", rows...))
}

// asking asks before a saved scenario goes.
func (m *Model) asking() view.Node {
	return view.El("li", view.A("id", deleteID), view.A("tabindex", "-1"), view.A("role", "group"), view.A("aria-label", m.say("sandbox.delete-h")),
		view.El("p", view.El("b", m.say("sandbox.delete-h")), " ", m.say("sandbox.delete-p", "name", m.asked)),
		view.El("p", view.Class("row"), button("btn btn--s", Really{}, m.say("sandbox.delete")), button("btn btn--s", Leave{}, m.say("sandbox.keep"))))
}

// panes switches between the form and the JSON.
func (m *Model) panes() view.Node {
	pane := func(on bool, name string) view.Node {
		return button("chip", Raw{on}, view.A("aria-pressed", strconv.FormatBool(m.showsRaw() == on)), m.say(name))
	}
	return view.El("p", view.Class("row"), pane(false, "sandbox.form"), pane(true, "sandbox.json"))
}

// showsRaw reports whether the JSON is shown: that was chosen, or the text is none.
func (m *Model) showsRaw() bool { return m.raw || m.broken }

// faultPart says what is wrong with the text.
func (m *Model) faultPart() view.Node {
	parts := []any{view.Class("sb__faults"), view.A("role", "status")}
	if len(m.faults) > 0 {
		parts = append(parts, view.El("p", view.Class("notice problem"), m.say("sandbox.faults", "n", strconv.Itoa(len(m.faults)))),
			frame.Faults(m.Settings.Lang, m.faults, mostFaults, func(document.Fault) any { return Raw{true} }))
	}
	return view.El("div", parts...)
}

// form0 draws the form, or the text itself.
func (m *Model) form0() view.Node {
	switch {
	case m.showsRaw():
		return view.El("div", view.If(m.broken, view.El("p", view.Class("note"), m.say("sandbox.broken"))),
			view.El("textarea", view.Class("au__text sb__text"), view.A("id", jsonID), view.A("lang", "en"), view.A("spellcheck", "false"),
				view.A("autocomplete", "off"), view.A("autocapitalize", "off"), view.A("rows", "24"), view.A("aria-label", m.say("sandbox.json")),
				view.Change(func(v string) any { return Typed{v} })))
	case m.failed != "":
		return view.El("p", view.Class("notice problem"), m.say("sandbox.no-form", "why", m.failed))
	case m.form == nil:
		return view.El("p", view.Class("note"), m.say("sandbox.loading"))
	}
	return view.El("div", view.Class("sb__form"), m.goalPart(), view.El("div", m.object("scenario", "", m.doc)...))
}

// waits draws the live formula of a policy, and what its first waits can be.
func (m *Model) waits(n *document.Node) any {
	if n == nil || m.faultIn(n) {
		return nil
	}
	p := scenario.ReadPolicy(n, retry.Policy{Attempts: 1})
	title := view.El("h3", m.say("formula.title"))
	if p.Attempts < 2 {
		return view.El("div", view.Class("sb__waits"), title, view.El("p", view.Class("note"), m.say("formula.none")))
	}
	l := m.Settings.Lang
	spans := p.LocalWaits(min(p.Attempts-1, mostWaits))
	longest := int64(1)
	for _, s := range spans {
		longest = max(longest, int64(s.Most))
	}
	rows := []any{view.Class("sb__rows")}
	for i, s := range spans {
		rows = append(rows, view.El("tr", view.El("th", view.A("scope", "row"), l.Retry(i+1)), view.El("td", l.Wait(s)),
			view.El("td", bar(s, longest))))
	}
	return view.El("div", view.Class("sb__waits"), title, view.El("p", view.Class("sb__formula"), view.A("lang", "en"), l.Say("formula.whole", "formula", l.Formula(&p))),
		view.El("table", view.El("caption", view.Class("vh"), m.say("formula.title")), view.El("tbody", rows...)),
		view.El("p", view.Class("note"), m.say("formula.note")))
}

// mostWaits is how many waits of a policy are listed.
const mostWaits = 6

// bar draws one range of waits against the longest of all.
func bar(s retry.Span, longest int64) view.Node {
	const width = 120
	from, to := int64(s.Least)/(longest/width+1), int64(s.Most)/(longest/width+1)
	return view.El("svg", view.Class("sb__bar"), view.A("width", strconv.Itoa(width+2)), view.A("height", "12"), view.A("aria-hidden", "true"),
		view.El("rect", view.A("x", strconv.FormatInt(from, 10)), view.A("y", "2"), view.A("height", "8"), view.A("width", strconv.FormatInt(max(to-from, 2), 10))))
}

// faultIn reports whether a fault lies in a value.
func (m *Model) faultIn(n *document.Node) bool {
	at := n.Pointer()
	for _, f := range m.faults {
		if len(f.Pointer) >= len(at) && f.Pointer[:len(at)] == at {
			return true
		}
	}
	return false
}

// label returns the label of a field.
func (m *Model) label(object, name string) string { return m.lang().Field(object, name) }

func (m *Model) lang() text.Lang { return m.Settings.Lang }
