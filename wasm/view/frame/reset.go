package frame

import (
	"strconv"

	"retrylab.example/core/text"
	"retrylab.example/wasm/view"
)

// Scope is something that can be reset: a step, a lesson or the course, with what is lost.
type Scope struct {
	Reset
	// Title says what it is.
	Title view.Node
	// Solved and Seen are how many of its steps are.
	Solved, Seen int
}

// ResetDialog asks what to reset, and says what goes.
func ResetDialog(l text.Lang, scopes []Scope) view.Node {
	rows := []any{view.Class("resets")}
	for i, s := range scopes {
		id := ResetID + "-" + strconv.Itoa(i)
		rows = append(rows, view.El("li", view.El("div", view.El("b", view.A("id", id), s.Title),
			view.El("p", view.Class("note"), l.Say("reset.goes", "solved", strconv.Itoa(s.Solved), "seen", strconv.Itoa(s.Seen)))),
			view.El("button", view.Class("btn"), view.A("type", "button"), view.A("aria-describedby", id), view.Click(s.Reset), l.Say("reset.do"))))
	}
	return Dialog(l, ResetID, l.Say("reset.title"), view.El("p", l.Say("reset.note")),
		view.El("p", view.Class("note"), l.Say("reset.undo-note")), view.El("ul", rows...))
}

// undoable says what was done to the progress, with the way back.
func undoable(s Settings) any {
	if s.Undoable == "" {
		return nil
	}
	return view.El("p", view.Class("undoable"), view.A("id", "undoable"), view.A("role", "status"), s.Lang.Say(s.Undoable), " ",
		view.El("button", view.Class("btn btn--s"), view.A("type", "button"), view.Click(TakeBack{}), s.Lang.Say("backup.undo")))
}
