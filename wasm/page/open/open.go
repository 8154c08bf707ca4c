// Package open is the page on which a share link, or the report of a crash, is pasted and opened.
package open

import (
	"errors"

	"retrylab.example/core/link"
	"retrylab.example/wasm/effect"
	"retrylab.example/wasm/guide"
	"retrylab.example/wasm/view"
	"retrylab.example/wasm/view/frame"
	"retrylab.example/wasm/view/timeline"
)

// Model is what the page shows.
type Model struct {
	Settings frame.Settings
	text     string
	trouble  string
}

// Messages of the page.
type (
	// Write is what the field holds now.
	Write struct{ Text string }
	// Open opens it.
	Open struct{}
)

const (
	fieldID   = "open-text"
	troubleID = "open-trouble"
)

// New returns the page.
func New(s frame.Settings) *Model { return &Model{Settings: s} }

// Title returns what the browser's tab shows.
func (m *Model) Title() string { return m.Settings.Lang.Say("open.title") + " · Retry Lab" }

// Update opens what was pasted, or says why it cannot be opened.
func (m *Model) Update(msg any) []effect.Effect {
	switch msg := msg.(type) {
	case Write:
		m.text, m.trouble = msg.Text, ""
	case Open:
		_, err := link.Read(m.text)
		var problem *link.Error
		if errors.As(err, &problem) {
			m.trouble = m.Settings.Lang.LinkProblem(problem)
			return []effect.Effect{effect.Focus{ID: fieldID}, effect.Announce{Text: m.trouble}}
		}
		return []effect.Effect{effect.Go{Hash: "#" + link.Find(m.text)}}
	}
	return nil
}

// View draws the page.
func (m *Model) View() view.Node {
	l := m.Settings.Lang
	field := []any{view.Class("input opentext"), view.A("id", fieldID), view.A("rows", "10"), view.A("spellcheck", "false"),
		view.A("autocomplete", "off"), view.Input(func(v string) any { return Write{v} })}
	var trouble any
	if m.trouble != "" {
		field = append(field, view.A("aria-invalid", "true"), view.A("aria-describedby", troubleID))
		trouble = view.El("p", view.Class("problem"), view.A("id", troubleID), m.trouble)
	}
	return view.El("div", view.Class("course"), view.Icons(), timeline.Defs(), frame.SkipLink(l, "main"), frame.Bar(m.Settings),
		view.El("main", view.Class("ov"), view.A("id", "main"), view.A("tabindex", "-1"),
			view.El("div", view.Class("ov__main openpage"), view.El("h1", l.Say("open.title")), view.El("p", l.Say("open.how")),
				view.El("label", view.Class("share__l"), view.El("span", l.Say("open.field")), view.El("textarea", field...)),
				trouble,
				view.El("p", view.Class("row"),
					view.El("button", view.Class("btn btn--primary"), view.A("type", "button"), view.Click(Open{}), l.Say("open.go")),
					view.El("a", view.Class("btn"), view.A("href", "#/"), l.Say("lab.back-to-course"))))),
		guide.Dialogs(m.Settings))
}
