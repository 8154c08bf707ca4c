package lab

import (
	"strconv"

	"retrylab.example/core/lesson"
	"retrylab.example/wasm/guide"
	"retrylab.example/wasm/progress"
	"retrylab.example/wasm/view"
	"retrylab.example/wasm/view/frame"
	"retrylab.example/wasm/view/timeline"
)

// Short names of what this page draws most.
var (
	button = view.Button
	idle   = view.Idle
	ifName = view.Name
)

// Ids of elements that the focus moves to.
const (
	nextID    = "next"
	predictID = "predict"
	injectID  = "inject"
	lessonID  = "lesson"
	stageID   = "stage"
	replayID  = "replay-policy"
	solvedID  = "solved"
	titleID   = "lesson-h"
)

func hintID(n int) string { return "hint-" + strconv.Itoa(n) }

func rowID(seq int) string { return "ev-" + strconv.Itoa(seq) }

// View draws the page.
func (m *Model) View() view.Node {
	st := m.current()
	plays := st != nil && st.Plays()
	pane, sheet := m.pane, "peek"
	if m.sheetOpen {
		sheet = "open"
	}
	switch {
	case m.place.Part:
		return view.El("div", m.inside(plays, sheet)...)
	case m.Settings.Embed:
		return m.embedded(plays)
	}
	main := []any{view.Class("bench", ifName(!plays, "bench--read")), m.resting(&m.gliding.lesson, m.lessonColumn)}
	if plays {
		main = append(main, m.stage(), m.resting(&m.gliding.why, m.why))
	}
	if m.code != nil {
		main[0] = view.Class("bench bench--code")
		main = append(main, m.codeStage())
	}
	parts := []any{view.Class("lab", ifName(!plays, "lab--read")), view.A("data-pane", pane), view.A("data-sheet", sheet), view.If(m.clockOpen, view.A("data-clock", "open")),
		view.Icons(), timeline.Defs(), frame.SkipLink(m.lang(), skipTo(plays)),
		m.top()}
	if m.Size.Narrow { // there the bar stays in sight, and has no room for it
		parts = append(parts, m.sharedBanner())
	}
	if plays && m.versus == nil {
		parts = append(parts, m.panes())
	}
	if m.code != nil {
		parts[0] = view.Class("lab lab--code")
	}
	if m.versus != nil && m.code == nil {
		parts[0] = view.Class("lab lab--cmp")
		parts = append(parts, m.comparison())
	} else {
		parts = append(parts, view.El("main", main...))
	}
	if plays && m.versus == nil {
		parts = append(parts, m.totalsStrip())
	}
	parts = append(parts, guide.Dialogs(m.Settings, m.shareButton("btn btn--quiet"), m.sandboxButton("btn btn--quiet")), m.shareDialog(), m.resetDialog())
	if m.Guided() { // last, so that what comes and goes moves nothing else
		for _, n := range guide.Card(m.Settings) {
			parts = append(parts, n)
		}
	}
	return view.El("div", parts...)
}

// inside draws the page as a part of another one.
func (m *Model) inside(plays bool, sheet string) []any {
	bench := []any{view.Class("bench", ifName(!plays, "bench--read")), m.lessonColumn()}
	if plays {
		bench = append(bench, m.stage(), m.why())
	}
	if m.code != nil {
		bench[0] = view.Class("bench bench--code")
		bench = append(bench, m.codeStage())
	}
	parts := []any{view.Class("lab lab--part", ifName(!plays, "lab--read")), view.A("data-pane", m.pane), view.A("data-sheet", sheet),
		view.If(m.clockOpen, view.A("data-clock", "open")), timeline.Defs()}
	if plays {
		parts = append(parts, m.panes())
	}
	parts = append(parts, view.El("div", bench...))
	if plays {
		parts = append(parts, m.totalsStrip())
	}
	return parts
}

func skipTo(plays bool) string {
	if plays {
		return stageID
	}
	return lessonID
}

// tools are the page's own in the bar.
func (m *Model) tools() []view.Node {
	tools := []view.Node{m.shareButton("btn btn--quiet")}
	if b, ok := m.sandboxButton("btn btn--quiet").(view.Node); ok {
		tools = append(tools, b)
	}
	return tools
}

// top draws the bar: the place in the course and the steps of the lesson.
func (m *Model) top() view.Node {
	l := m.lang()
	number := strconv.Itoa(m.place.Number) + "/" + strconv.Itoa(m.place.Count)
	if m.place.Mark != "" {
		number = l.Say("file.short")
	}
	tools, below := m.tools(), view.If(!m.Size.Narrow, m.sharedBanner())
	if m.place.Alone {
		return frame.BarWith(m.Settings, tools, below, view.El("nav", view.Class("place"), view.A("aria-label", l.Say("lab.place")),
			view.El("a", view.A("href", "#/"), l.Say("frame.course")), view.El("h1", view.Class("place__h"), m.written(m.lesson.Title))))
	}
	place := view.El("nav", view.Class("place"), view.A("aria-label", l.Say("lab.place")),
		view.El("a", view.A("href", "#/"), l.Say("frame.course")),
		view.El("span", view.Class("place__l"),
			view.El("span", view.Class("only-wide"), l.Say("lab.lesson")+" "), number),
		view.El("h1", view.Class("place__h"), m.written(m.lesson.Title)))
	return frame.BarWith(m.Settings, tools, below, place, m.stepsNav())
}

func (m *Model) stepsNav() view.Node {
	l := m.lang()
	pips := []any{view.Class("pips")}
	done := 0
	for i := range m.lesson.Steps {
		state := m.book.Of(m.lesson.ID, m.lesson.Steps[i].ID)
		if state == progress.Solved {
			done++
		}
		pips = append(pips, view.El("li", m.pip(i, state)))
	}
	count := strconv.Itoa(len(m.lesson.Steps))
	number := l.Say("lab.step", "n", strconv.Itoa(m.step+1), "count", count)
	if m.step == len(m.lesson.Steps) {
		number = l.Say("lab.last-page")
	}
	return view.El("nav", view.Class("steps"), view.A("aria-label", l.Say("lab.steps")),
		m.stepLink(m.step-1, "back", l.Say("lab.previous-step")),
		view.El("ol", pips...),
		m.stepLink(m.step+1, "right", l.Say("lab.next-step")),
		view.El("span", view.Class("steps__n"), view.El("b", number),
			view.El("span", view.Class("steps__done"), " · "+l.Say("lab.done", "n", strconv.Itoa(done)))))
}

func (m *Model) pip(i int, state progress.State) view.Node {
	l := m.lang()
	class, word := "", "lab.step-open"
	switch state {
	case progress.Solved:
		class, word = "is-solved", "lab.step-solved"
	case progress.Seen:
		class, word = "is-seen", "lab.step-seen"
	}
	here := i == m.step
	label := l.Say("lab.step-n", "n", strconv.Itoa(i+1)) + ", " + l.Say(word)
	parts := []any{view.Class("pip", class), view.A("href", m.hash(i)), view.A("aria-label", label)}
	if here {
		parts[0] = view.Class("pip", class, "is-here")
		parts = append(parts, view.A("aria-current", "step"))
	}
	return view.El("a", parts...)
}

func (m *Model) stepLink(i int, icon, label string) view.Node {
	if i < 0 || i > len(m.lesson.Steps) {
		return view.El("span", view.Class("pip-nav is-off"), view.A("aria-hidden", "true"), view.Icon(icon))
	}
	return view.El("a", view.Class("pip-nav"), view.A("href", m.hash(i)), view.A("aria-label", label), view.Icon(icon))
}

// hash returns the address of a step.
func (m *Model) hash(i int) string {
	id := End
	if i < len(m.lesson.Steps) {
		id = m.lesson.Steps[i].ID
	}
	base := m.place.Base
	if base == "" {
		base = "#/lesson/" + m.lesson.ID + "/"
	}
	return base + id
}

// panes draws the switch between the parts of the page on a phone.
func (m *Model) panes() view.Node {
	l := m.lang()
	parts := []any{view.Class("panes"), view.A("aria-label", l.Say("lab.panes"))}
	for _, name := range []string{"lesson", "timeline", "events"} {
		parts = append(parts, view.El("button", view.Class("panes__b"), view.A("type", "button"), view.Click(Pane{name}),
			view.If(m.pane == name, view.A("aria-current", "true")),
			m.paneName(name), view.If(name == "lesson", m.doneMark())))
	}
	return view.El("nav", parts...)
}

func (m *Model) paneName(name string) string {
	if m.place.Free && name == "lesson" {
		return m.lang().Say("sandbox.pane")
	}
	return m.lang().Say("lab.pane-" + name)
}

// doneMark says on the switch to the lesson that the step is done: on a phone the lesson may be out of sight then.
func (m *Model) doneMark() any {
	word := "lab.step-solved"
	switch m.book.Of(m.lesson.ID, m.StepID()) {
	case progress.Open:
		return nil
	case progress.Seen:
		word = "lab.step-seen"
	}
	return []view.Node{view.Icon("check"), view.El("span", view.Class("vh"), m.lang().Say(word))}
}

// written returns a text of the lesson in the reader's language, or in the lesson's own, marked as such.
func (m *Model) written(t lesson.Text) view.Node {
	s, lang := t.In(string(m.lang()))
	if lang == string(m.lang()) {
		return view.Text(s)
	}
	return view.El("span", view.A("lang", lang), s)
}

// prose returns a text of the lesson as elements.
func (m *Model) prose(t lesson.Text) []view.Node {
	s, lang := t.In(string(m.lang()))
	nodes := view.Markdown(s)
	if lang == string(m.lang()) || len(nodes) == 0 {
		return nodes
	}
	return []view.Node{view.El("div", view.A("lang", lang), nodes)}
}

// disabled makes a control that the keyboard cannot reach.
func disabled(off bool) any { return view.If(off, view.A("disabled", "")) }
