// Package guide helps people to find their way: the menu, the help, and a tour of the page for who sees it first.
package guide

import (
	"sync"

	"retrylab.example/core/text"
	"retrylab.example/wasm/view"
	"retrylab.example/wasm/view/frame"
	"retrylab.example/wasm/view/timeline"
)

// Dialogs draws the menu, with tools of the page's own, and the help; they are closed until the shell opens them. The
// page must hold timeline.Defs.
func Dialogs(s frame.Settings, tools ...any) []view.Node {
	return []view.Node{frame.Menu(s, tools), help(s)}
}

// keys lists the keys and what they do; the names are messages.
var keys = [][2]string{
	{"→", "key.next"}, {"←", "key.back"}, {"Shift+→", "key.decision"}, {"N", "key.timer"}, {"R, End", "key.run"}, {"Space", "key.play"},
	{"Home", "key.start"}, {"F", "key.fire"}, {"I", "key.inject"}, {"Ctrl+Z", "key.undo"}, {"Ctrl+Shift+Z", "key.redo"},
	{"+, −", "key.zoom"}, {"0", "key.whole"}, {"[, ]", "key.shift"}, {"C", "key.around"}, {"O", "key.open"}, {"?", "key.help"},
}

// help draws the dialog, once for as long as the settings that it shows stay the same.
func help(s frame.Settings) view.Node {
	shows := helpShows{s.Lang, s.Contrast, s.KeysEverywhere}
	drawn.Lock()
	defer drawn.Unlock()
	if drawn.node == nil || drawn.shows != shows {
		drawn.shows, drawn.node = shows, drawHelp(s)
	}
	return drawn.node
}

type helpShows struct {
	lang           text.Lang
	contrast       string
	keysEverywhere bool
}

var drawn struct {
	sync.Mutex
	shows helpShows
	node  view.Node
}

func drawHelp(s frame.Settings) view.Node {
	l := s.Lang
	body := []any{view.El("p", view.Class("row"),
		view.El("button", view.Class("btn btn--s"), view.A("type", "button"), view.Click(frame.Tour{Stop: 1}), l.Say("tour.start")),
		view.El("a", view.Class("btn btn--s"), view.A("href", "#/glossary"), view.Click(frame.Close{ID: frame.HelpID}), l.Say("glossary.title")),
		frame.ContrastButton(s, "btn btn--s"))}
	body = append(body, view.El("h3", l.Say("help.simulated")), view.El("p", l.Say("help.simulated-p")), view.El("p", l.Say("help.simulated-q")),
		view.El("h3", l.Say("help.shapes")), Shapes(l), timeline.Legend(l), view.El("p", view.Class("note"), l.Say("help.shapes-note")),
		view.El("h3", view.A("id", "help-keys"), l.Say("frame.keys")))
	body = append(body, keyTable(s)...)
	return frame.Dialog(l, frame.HelpID, l.Say("frame.help"), append(body,
		view.El("h3", l.Say("help.report")), view.El("p", l.Say("help.report-p")))...)
}

func keyTable(s frame.Settings) []any {
	l := s.Lang
	rows := make([]view.Node, len(keys))
	for i, k := range keys {
		rows[i] = view.El("tr", view.El("th", view.A("scope", "row"), view.El("kbd", k[0])), view.El("td", l.Say(k[1])))
	}
	return []any{
		view.El("table", view.Class("keys"), view.A("aria-labelledby", "help-keys"), view.El("tbody", rows)),
		view.El("p", view.Class("note"), l.Say("frame.keys-scope")),
		view.El("label", view.Class("tick"),
			view.El("input", view.A("type", "checkbox"), view.If(s.KeysEverywhere, view.A("checked", "")),
				view.Change(func(v string) any { return frame.KeysEverywhere{On: v == "true"} })),
			l.Say("frame.keys-everywhere")),
	}
}

// Shapes explains the marks of the timeline, the totals and the events.
func Shapes(l text.Lang) view.Node {
	rows := []any{view.Class("shapes")}
	for _, s := range [][2]string{
		{"applied", "course.shape-applied"}, {"replayed", "course.shape-replayed"}, {"throttled", "course.shape-throttled"},
		{"lost", "course.shape-lost"}, {"local", "course.shape-local"}, {"dup", "course.shape-dup"},
		{"decision", "course.shape-decision"}, {"admitted", "course.shape-admitted"},
	} {
		rows = append(rows, view.El("li", timeline.MarkIcon(s[0]), l.Say(s[1])))
	}
	return view.El("ul", rows...)
}
