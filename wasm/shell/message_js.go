package shell

import (
	faults "retrylab.example/core/document" // document is the browser's here
	"retrylab.example/core/link"
	"retrylab.example/wasm/effect"
	"retrylab.example/wasm/guide"
	"retrylab.example/wasm/view"
	"retrylab.example/wasm/view/frame"
	"retrylab.example/wasm/view/timeline"
)

// message is a page that only says something: a lesson that is not there, or that has faults.
type message struct {
	settings frame.Settings
	name     string
	why      string
	faults   faults.Faults
	again    bool        // loading anew may help
	link     *link.Error // what is wrong with the link that was to be opened, nil if that is not it
	lesson   string      // of the link, where there is one of that id
}

func newMessage(s frame.Settings, name, why string) page {
	return &message{settings: s, name: name, why: why}
}

// mostFaults is how many faults are listed.
const mostFaults = 20

// newFault says why a lesson cannot be shown: it could not be loaded, or its file has faults.
func newFault(s frame.Settings, err error) page {
	if missing, ok := err.(fetchError); ok {
		name := "shell.not-loaded"
		if missing.gone {
			name = "shell.new-build"
		}
		return &message{settings: s, name: name, why: err.Error(), again: true}
	}
	return &message{settings: s, name: "shell.bad-lesson", faults: faults.FaultsOf(err)}
}

// newBadLink says why a link cannot be opened. A newer program may open it; the lesson itself may still be there.
func newBadLink(s frame.Settings, e *link.Error, lesson string) page {
	return &message{settings: s, link: e, lesson: lesson, faults: e.Faults, again: e.Problem == link.Newer}
}

// Update does nothing: the page only links.
func (m *message) Update(any) []effect.Effect { return nil }

// Title returns what the browser's tab shows.
func (m *message) Title() string { return "Retry Lab" }

// View draws the page.
func (m *message) View() view.Node {
	l := m.settings.Lang
	var list any
	if len(m.faults) > 0 {
		list = view.El("div", view.If(m.link == nil, view.El("p", view.El("code", m.faults[0].File))), frame.Faults(l, m.faults, mostFaults, nil))
	}
	what := ""
	if m.link != nil {
		what = l.LinkProblem(m.link)
	} else {
		what = l.Say(m.name, "why", m.why)
	}
	if m.settings.Embed { // nothing leads away from inside of a frame but to the program
		return view.El("div", view.El("main", view.Class("boot"), view.A("id", "main"), view.A("tabindex", "-1"), view.El("h1", "Retry Lab"),
			view.El("p", view.Class("notice"), view.A("role", "alert"), what), list,
			view.El("p", view.Class("row"), view.El("a", view.Class("btn"), view.A("href", "./"), view.A("target", "_blank"),
				view.A("rel", "noopener"), l.Say("embed.open")))))
	}
	return view.El("div", view.Class("course"), view.Icons(), timeline.Defs(), frame.SkipLink(l, "main"), frame.Bar(m.settings),
		view.El("main", view.Class("ov"), view.A("id", "main"), view.A("tabindex", "-1"),
			view.El("div", view.Class("openpage"), view.El("h1", "Retry Lab"), view.El("p", view.Class("notice"), view.A("role", "alert"), what),
				list,
				view.El("p", view.Class("row"), view.If(m.again, view.El("button", view.Class("btn btn--primary"), view.A("type", "button"), view.Click(frame.Reload{}), l.Say("shell.try-again"))),
					view.If(m.lesson != "", view.El("a", view.Class("btn"), view.A("href", "#/lesson/"+m.lesson), l.Say("share.open-lesson"))),
					view.El("a", view.Class("btn"), view.A("href", "#/"), l.Say("lab.back-to-course"))))),
		guide.Dialogs(m.settings))
}
