package shell

import (
	"strings"

	"retrylab.example/wasm/effect"
	"retrylab.example/wasm/view"
	"retrylab.example/wasm/view/frame"
)

// message is a page that only says something: a lesson that is not there, or that has faults.
type message struct {
	settings frame.Settings
	name     string
	why      string
	list     []string
	again    bool // loading anew may help
}

func newMessage(s frame.Settings, name, why string) page {
	return &message{settings: s, name: name, why: why}
}

// newFault says why a lesson cannot be shown: it could not be loaded, or its file has faults.
func newFault(s frame.Settings, err error) page {
	if missing, ok := err.(fetchError); ok {
		name := "shell.not-loaded"
		if missing.gone {
			name = "shell.new-build"
		}
		return &message{settings: s, name: name, why: err.Error(), again: true}
	}
	return &message{settings: s, name: "shell.bad-lesson", list: strings.Split(err.Error(), "\n")}
}

// Update does nothing: the page only links.
func (m *message) Update(any) []effect.Effect { return nil }

// Title returns what the browser's tab shows.
func (m *message) Title() string { return "Retry Lab" }

// View draws the page.
func (m *message) View() view.Node {
	l := m.settings.Lang
	items := []any{view.Class("list")}
	for _, line := range m.list {
		items = append(items, view.El("li", view.Code(line)))
	}
	return view.El("div", view.Class("course"), view.Icons(), frame.SkipLink(l, "main"), frame.Bar(m.settings),
		view.El("main", view.Class("ov"), view.A("id", "main"), view.A("tabindex", "-1"),
			view.El("div", view.El("h1", "Retry Lab"), view.El("p", view.Class("notice"), view.A("role", "alert"), l.Say(m.name, "why", m.why)),
				view.If(len(m.list) > 0, view.El("ul", items...)),
				view.El("p", view.Class("row"), view.If(m.again, view.El("button", view.Class("btn btn--primary"), view.A("type", "button"), view.Click(frame.Reload{}), l.Say("shell.try-again"))),
					view.El("a", view.Class("btn"), view.A("href", "#/"), l.Say("lab.back-to-course"))))),
		frame.Dialogs(m.settings))
}
