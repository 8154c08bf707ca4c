package view

// Edit is what stands in the place of an editor. What is inside of the element belongs to the shell: a text that somebody
// types is not drawn anew at every step.
type Edit struct {
	// Key tells texts apart: of another one nothing can be undone into this.
	Key string
	// Text is what the page has. Where the page changes it, by a reset or so, the editor shows the new one.
	Text string
	// Label and Hint are for readers who do not see the place.
	Label, Hint string
	// Lines are the numbers of lines with problems, from 1.
	Lines    []int
	ReadOnly bool
	// Plain asks for a field as of any form.
	Plain bool
	// Changed makes the message for a text that was typed.
	Changed func(text string) any
	// Run is the message of Ctrl+Enter and of Cmd+Enter, nil for none.
	Run any
}

// Editor returns the place of an editor. As HTML it is the text.
func Editor(id, class string, e Edit) Node {
	return &Elem{Tag: "div", Attrs: []Attr{{"id", id}, {"class", class}, {"data-editor", "1"}}, Edit: &e, Edits: true}
}

// still returns what is shown where nobody can type.
func (e *Edit) still() Node { return El("pre", El("code", e.Text)) }
