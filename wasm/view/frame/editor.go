package frame

import (
	"strconv"

	"retrylab.example/wasm/view"
)

// Editor is a place to write Python in.
type Editor struct {
	// ID is the element's; what stands around it has ids that begin so.
	ID string
	// Key, Text, Label, ReadOnly, Changed and Run are those of view.Edit.
	Key, Text, Label string
	ReadOnly         bool
	Changed          func(text string) any
	Run              any
	// Marks are the problems in the text.
	Marks []Mark
}

// Mark is a problem in a line of a text, from 1; 0 is a problem of all of it.
type Mark struct {
	Line int
	Text string
}

// Messages about an editor, which the shell answers.
type (
	// PlainEditor says whether Python is written in a plain field.
	PlainEditor struct{ On bool }
	// Typed says that somebody has stopped typing: the shell tells the page what it is.
	Typed struct{}
	// ToLine puts the cursor of the editor with the id into a line.
	ToLine struct {
		ID   string
		Line int
	}
)

// View draws the editor, the list of its problems, and what its keys do.
func (e Editor) View(s Settings) view.Node {
	l := s.Lang
	plain := s.PlainEditor || !s.Editor
	hint := "editor.keys"
	if plain {
		hint = "editor.keys-plain"
	}
	var lines []int
	items := []any{view.Class("faults")}
	for _, m := range e.Marks {
		if m.Line == 0 {
			items = append(items, view.El("li", m.Text))
			continue
		}
		lines = append(lines, m.Line)
		items = append(items, view.El("li",
			view.El("button", view.Class("jump"), view.A("type", "button"), view.Click(ToLine{e.ID, m.Line}), l.Say("editor.line", "line", strconv.Itoa(m.Line))),
			" ", m.Text))
	}
	if len(e.Marks) == 0 {
		items = nil
	}
	list := view.El("output", view.Class("code__list"), view.A("id", e.ID+"-list"), view.A("for", e.ID))
	if items != nil {
		list.Kids = append(list.Kids, view.El("ul", items...))
	}
	return view.El("div", view.Class("code"),
		view.Editor(e.ID, "code__place", view.Edit{
			Key: e.Key, Text: e.Text, Label: e.Label, Hint: l.Say(hint), Lines: lines, ReadOnly: e.ReadOnly, Plain: plain,
			Changed: e.Changed, Run: e.Run,
		}),
		list,
		view.El("div", view.Class("code__foot"),
			view.El("p", view.Class("note"), l.Say(hint)),
			view.If(s.Editor, view.El("label", view.Class("tick"),
				view.El("input", view.A("type", "checkbox"), view.A("id", e.ID+"-plain"), view.If(s.PlainEditor, view.A("checked", "")),
					view.Change(func(v string) any { return PlainEditor{v == "true"} })),
				l.Say("editor.plain")))))
}
