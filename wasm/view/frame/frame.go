// Package frame draws what surrounds every page: the bar at the top, the menu and the dialogs.
package frame

import (
	"strconv"
	"time"

	"retrylab.example/core/document"
	"retrylab.example/core/text"
	"retrylab.example/wasm/view"
)

// Messages that the shell itself answers, on every page.
type (
	// PickLang chooses the language of the tag.
	PickLang struct{ Tag string }
	// NextTheme goes on to the next theme, NextContrast to the next contrast.
	NextTheme    struct{}
	NextContrast struct{}
	// Open opens the dialog with the id, Close closes it.
	Open  struct{ ID string }
	Close struct{ ID string }
	// KeysEverywhere says whether the keys act on the whole page.
	KeysEverywhere struct{ On bool }
	// Tour goes to a stop of the tour, counted from 1; 0 ends it.
	Tour struct{ Stop int }
	// Skip moves the focus past the bar.
	Skip struct{ ID string }
	// Reload loads the page anew.
	Reload struct{}
	// Reset makes a step as if nothing had been done in it; all of the lesson if Step is empty, of the course if both are.
	Reset struct{ Lesson, Step string }
	// TakeBack undoes what Settings.Undoable names.
	TakeBack struct{}
	// OpenSeed shows what was done on another seed. The page answers it that has the scenario.
	OpenSeed struct{ Seed uint64 }
)

// Messages that the shell sends to a page.
type (
	// File is a file that the reader chose or dropped, or one that the page fetched. Picker is the id of the field in which
	// it was chosen. Trouble says why it has no text.
	File struct{ Name, Text, Picker, Trouble string }
	// Saved tells under which name progress was handed out, NotTaken by the name of a message why none was taken up.
	Saved    struct{ Name string }
	NotTaken struct{ Why string }
	// Answer is a message of the worker.
	Answer struct{ Message string }
	// Tick is one frame of the browser. Passed is how much time has passed, Still that the reader asked for less motion.
	Tick struct {
		Passed time.Duration
		Still  bool
	}
	// Asked is the answer of the server to a page's question: its status, 0 where none came, and its body.
	Asked struct {
		Name   string
		Status int
		Text   string
	}
	// Told is what a stream has told since the last time. Gap says that something was left out before these lines.
	Told struct {
		Lines []string
		Gap   bool
	}
	// Stream tells how a stream stands.
	Stream struct{ State StreamState }
	// Copied tells whether a text is in the clipboard, Drawn whether a picture was handed out.
	Copied struct{ OK bool }
	Drawn  struct {
		Name string
		OK   bool
	}
)

// StreamState is how a stream stands.
type StreamState uint8

const (
	// StreamOpen: it is connected.
	StreamOpen StreamState = iota
	// StreamLost: the connection broke, and the browser connects again by itself.
	StreamLost
	// StreamClosed: the browser gave it up, as after an answer that is no stream.
	StreamClosed
)

// The dialogs of every page.
const (
	MenuID = "menu"
	HelpID = "help"
)

// The dialogs about progress, on the pages that have them.
const (
	ResetID = "reset"
	TakeID  = "take"
)

// Settings are what the learner has chosen for the whole program.
type Settings struct {
	Lang text.Lang
	// Theme is "", "light" or "dark"; Contrast "", "more" or "normal". Empty is the system's.
	Theme, Contrast string
	// KeysEverywhere makes the keys act wherever the focus is.
	KeysEverywhere bool
	// Python and Editor say what of the code steps is in this build: the engine, and the editor. PlainEditor is the choice
	// of a plain field in its place.
	Python, Editor, PlainEditor bool
	// Trouble names the message of what keeps the browser from keeping progress, empty if nothing does.
	Trouble string
	// Embed: the page is framed by one of another site. It keeps nothing and leads nowhere but to the program itself.
	Embed bool
	// Undoable names the message of what was done to the kept progress and can be undone, empty for nothing.
	Undoable string
	// Tour is the stop at which the tour is, 0 if it is over.
	Tour int
	// Watched is of the folder of lessons that the server watches, if it does.
	Watched Watched
	// Address is where the program lies, without query and fragment. Links begin with it.
	Address string
}

// Bar draws the top bar. Middle is what the page puts between the brand and the tools.
func Bar(s Settings, middle ...view.Node) view.Node { return BarWith(s, nil, nil, middle...) }

// BarWith draws the top bar with a tool of the page's own, and below it what the page has to say as a whole.
func BarWith(s Settings, tool, below any, middle ...view.Node) view.Node {
	l := s.Lang
	return view.El("header", view.Class("top"),
		view.El("a", view.Class("brand"), view.A("href", "#/"),
			view.El("svg", view.Class("logo"), view.A("width", "24"), view.A("height", "24"), view.A("aria-hidden", "true"),
				view.El("use", view.A("href", "#i-logo"))),
			view.El("span", view.A("lang", "en"), view.A("translate", "no"), "Retry Lab")),
		middle,
		view.El("div", view.Class("top__tools"),
			view.El("label", view.Class("field field--lang"),
				view.El("span", view.Class("vh"), l.Say("frame.language")), langSelect(l, "select select--quiet")),
			themeButton(s), tool,
			view.El("a", view.Class("btn btn--quiet btn--icon top__words"), view.A("href", "#/glossary"), view.A("aria-label", l.Say("glossary.title")),
				view.A("title", l.Say("glossary.title")), view.Icon("book")),
			view.El("button", view.Class("btn btn--quiet"), view.A("type", "button"), view.Click(Open{HelpID}),
				view.El("span", view.Class("btn__t"), l.Say("frame.help")), view.El("kbd", "?")),
			view.El("button", view.Class("btn btn--quiet btn--icon btn--phone"), view.A("type", "button"),
				view.A("aria-label", l.Say("frame.menu")), view.Click(Open{MenuID}), view.Icon("more"))),
		trouble(s), undoable(s), s.Watched.banner(s), below)
}

func trouble(s Settings) any {
	if s.Trouble == "" {
		return nil
	}
	return view.El("p", view.Class("trouble"), view.A("role", "status"), s.Lang.Say(s.Trouble))
}

func langSelect(l text.Lang, class string) view.Node {
	parts := []any{view.Class(class), view.Change(func(v string) any { return PickLang{v} })}
	for _, other := range text.Langs() {
		parts = append(parts, view.El("option", view.A("lang", string(other)), view.A("value", string(other)),
			view.If(other == l, view.A("selected", "")), other.Name()))
	}
	return view.El("select", parts...)
}

func themeButton(s Settings) view.Node {
	name := "frame.theme-system"
	if s.Theme != "" {
		name = "frame.theme-" + s.Theme
	}
	return view.El("button", view.Class("btn btn--quiet"), view.A("type", "button"), view.Click(NextTheme{}),
		view.Icon("theme"), view.El("span", view.Class("btn__t"), s.Lang.Say(name)))
}

// SkipLink is the first thing that the keyboard reaches.
func SkipLink(l text.Lang, id string) view.Node {
	return view.El("a", view.Class("skip"), view.A("href", "#"+id), view.Click(Skip{id}), l.Say("frame.skip"))
}

// Dialog draws a dialog; it is closed until the shell opens it.
func Dialog(l text.Lang, id, title string, body ...any) view.Node {
	parts := []any{view.Class("dialog"), view.A("id", id), view.A("aria-labelledby", id+"-h"),
		view.El("div", view.Class("dialog__head"),
			view.El("h2", view.A("id", id+"-h"), title),
			view.El("button", view.Class("btn btn--s"), view.A("type", "button"), view.Click(Close{id}), l.Say("frame.close")))}
	return view.El("dialog", append(parts, body...)...)
}

// ContrastButton says which contrast is chosen, and goes on to the next one.
func ContrastButton(s Settings, class string) view.Node {
	name := "frame.contrast-system"
	if s.Contrast != "" {
		name = "frame.contrast-" + s.Contrast
	}
	return view.El("button", view.Class(class), view.A("type", "button"), view.Click(NextContrast{}), s.Lang.Say(name))
}

// Menu draws the menu, with tools of the page's own.
func Menu(s Settings, tools []any) view.Node {
	l := s.Lang
	return Dialog(l, MenuID, l.Say("frame.menu"),
		view.El("p", view.Class("row"), view.El("a", view.Class("btn"), view.A("href", "#/"), view.Click(Close{MenuID}), l.Say("frame.course")),
			view.El("a", view.Class("btn"), view.A("href", "#/glossary"), view.Click(Close{MenuID}), l.Say("glossary.title")),
			view.El("a", view.Class("btn"), view.A("href", "#/sandbox"), view.Click(Close{MenuID}), l.Say("sandbox.title")),
			view.El("a", view.Class("btn"), view.A("href", "#/watch"), view.Click(Close{MenuID}), l.Say("live.title")),
			view.El("a", view.Class("btn"), view.A("href", "#/author"), view.Click(Close{MenuID}), l.Say("frame.author"))),
		view.El("label", view.Class("menu__row"), view.El("span", l.Say("frame.language")), langSelect(l, "select")),
		view.El("p", view.Class("row"), themeButton(s), ContrastButton(s, "btn btn--quiet"),
			view.El("button", view.Class("btn btn--quiet"), view.A("type", "button"), view.Click(Open{HelpID}), l.Say("frame.help"))),
		view.If(len(tools) > 0, view.El("p", append([]any{view.Class("row")}, tools...)...)))
}

// FilePicker is a button that lets the reader choose a file; it comes to the page as a File.
func FilePicker(id, label, class string) view.Node {
	return view.El("label", view.Class("btn filepick", class),
		view.El("input", view.Class("vh"), view.A("id", id), view.A("type", "file"), view.A("accept", ".json,application/json"),
			view.Change(func(name string) any { return File{Name: name} })),
		label)
}

// Faults lists what is wrong with a file: the place, the JSON pointer, the problem and how to mend it. A long list is cut.
func Faults(l text.Lang, faults document.Faults, most int, jump func(f document.Fault) any) view.Node {
	rows := []any{view.Class("faults")}
	for _, f := range faults[:min(most, len(faults))] {
		place := []any{}
		if f.Line > 0 {
			place = append(place, strconv.Itoa(f.Line)+":"+strconv.Itoa(f.Column))
		}
		if f.Pointer != "" {
			place = append(place, " ", document.Visible(f.Pointer))
		}
		where := view.El("code", place...)
		if jump != nil && f.Line > 0 {
			where = view.El("button", view.Class("jump"), view.A("type", "button"), view.Click(jump(f)), where)
		}
		problem, mend, lang := l.FileFault(f)
		rows = append(rows, view.El("li", where, view.El("p", view.A("lang", string(lang)), problem,
			view.If(mend != "", view.El("span", view.Class("faults__mend"), " "+mend)))))
	}
	if left := len(faults) - most; left > 0 {
		rows = append(rows, view.El("li", view.Class("note"), l.Say("file.more-faults", "n", strconv.Itoa(left))))
	}
	return view.El("ul", rows...)
}
