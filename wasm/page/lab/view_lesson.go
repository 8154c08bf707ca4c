package lab

import (
	"strconv"

	"retrylab.example/core/lesson"
	"retrylab.example/wasm/progress"
	"retrylab.example/wasm/view"
)

// lessonColumn draws the text, the goal, the checks, the prediction, the hints and the policy of the step.
func (m *Model) lessonColumn() view.Node {
	parts := []any{view.Class("lesson"), view.A("id", lessonID), view.A("aria-labelledby", titleID), view.A("tabindex", "0")}
	st := m.current()
	if st == nil {
		return view.El("section", append(parts, m.lastPage())...)
	}
	if m.place.Free {
		return view.El("section", append(parts, m.sandboxHead(), m.editor, m.status(), view.If(len(st.Checks) > 0, m.checks()), m.policy(), m.tries())...)
	}
	parts = append(parts, m.stepText(st))
	if st.Plays() {
		if m.place.Alone {
			return view.El("section", append(parts, m.status(), view.If(len(st.Checks) > 0, m.checks()), m.policy(), m.tries())...)
		}
		parts = append(parts, m.status(), m.checks(), m.predict(), m.policy(), m.hintsBlock(), m.tries())
	}
	if m.code != nil {
		parts = append(parts, m.status(), m.hintsBlock())
	}
	return view.El("section", append(parts, m.onward(), m.resetRow())...)
}

func (m *Model) stepText(st *lesson.Step) view.Node {
	l := m.lang()
	eyebrow := l.Say("lab.eyebrow", "n", strconv.Itoa(m.place.Number), "count", strconv.Itoa(m.place.Count))
	if m.place.Mark != "" {
		eyebrow = l.Say(m.place.Mark)
	}
	if !m.place.Alone {
		eyebrow += " · "
	}
	parts := []any{view.Class("prose"), view.El("p", view.Class("eyebrow"), eyebrow, view.If(!m.place.Alone, m.written(m.lesson.Title))),
		view.El("h2", view.Class("step-h"), view.A("id", titleID), view.A("tabindex", "-1"), m.written(st.Title))}
	if _, lang := st.Body.In(string(l)); lang != string(l) {
		parts = append(parts, view.El("p", view.Class("note"), l.Say("lab.other-language")))
	}
	if m.step == 0 {
		parts = append(parts, view.El("div", view.Class("intro"), m.prose(m.lesson.Why)))
	}
	parts = append(parts, m.prose(st.Body))
	node := view.El("div", parts...)
	if len(st.Goal) == 0 {
		return node
	}
	return view.El("div", node, view.El("div", view.Class("goal"),
		view.El("h2", view.Class("goal__h"), l.Say("lab.goal")), m.prose(st.Goal)))
}

// status says that the step is solved, with what is to be read after that, or what the page has to say.
func (m *Model) status() []view.Node {
	l := m.lang()
	var nodes []view.Node
	if m.notice != "" && m.code == nil { // there it stands below the editor
		nodes = append(nodes, view.El("p", view.Class("notice"), m.notice))
	}
	state := m.book.Of(m.lesson.ID, m.StepID())
	if state == progress.Open {
		return nodes
	}
	word, class := "lab.solved", "btn"
	if m.primary() == primaryOnward {
		class += " btn--primary"
	}
	if state == progress.Seen {
		word = "lab.seen"
	}
	solved := []any{view.Class("solved"), view.A("id", solvedID),
		view.El("h2", view.Icon("check"), l.Say(word))}
	if st := m.current(); len(st.Explanation) > 0 {
		solved = append(solved, view.El("div", view.Class("prose"), m.prose(st.Explanation)))
	}
	return append(nodes, view.El("section", append(solved, view.El("p", view.Class("row"), m.nextStep(class)))...))
}

func (m *Model) checks() view.Node {
	l := m.lang()
	st := m.current()
	rows := []any{view.Class("checks")}
	for i := range st.Checks {
		rows = append(rows, m.check(&st.Checks[i], m.grade.Results[i]))
	}
	note := l.Say("lab.not-run")
	if len(m.seen()) > 0 {
		note = l.Say("lab.checks-hold", "n", strconv.Itoa(held(m.grade)), "count", strconv.Itoa(len(st.Checks)))
	}
	parts := []any{view.Class("block"), view.A("aria-labelledby", "checks-h"),
		view.El("div", view.Class("block__head"), view.El("h2", view.A("id", "checks-h"), l.Say("lab.checks")),
			view.El("span", view.Class("note"), note)), view.El("ul", rows...)}
	if s := m.failedSeed(); s != "" {
		parts = append(parts, view.El("p", view.Class("notice"), s, " ", m.seedButton(m.grade.FailedSeed)))
	}
	return view.El("section", append(parts, m.seedsPart())...)
}

// failedSeed says on which other seed a policy fails that holds here, empty if there is none.
func (m *Model) failedSeed() string {
	if m.grade.FailedSeed == 0 {
		return ""
	}
	return m.lang().Say("lab.failed-seed", "seed", strconv.FormatUint(m.grade.FailedSeed, 10))
}

// held returns how many checks hold.
func held(g lesson.Grade) int {
	n := 0
	for _, r := range g.Results {
		if r.State == lesson.Holds {
			n++
		}
	}
	return n
}

func (m *Model) check(c *lesson.Check, r lesson.Result) view.Node {
	l := m.lang()
	look := [...]struct{ class, icon, word string }{
		lesson.Open:  {"check--wait", "wait", "lab.check-open"},
		lesson.Holds: {"check--pass", "check", "lab.check-holds"},
		lesson.Fails: {"check--fail", "cross", "lab.check-fails"},
	}[r.State]
	body := []any{}
	line := []any{m.goalText(c)}
	if r.State == lesson.Open && len(m.seen()) > 0 {
		line = append(line, " ", view.El("span", view.Class("note"), l.Say("lab.not-decided")))
	}
	body = append(body, view.El("p", line...))
	if r.State == lesson.Fails {
		body = append(body, view.El("dl", view.Class("diff"),
			view.El("div", view.El("dt", l.Say("lab.expected")), view.El("dd", l.CheckValue(r.Expected))),
			view.El("div", view.El("dt", l.Say("lab.actual")), view.El("dd", view.Class("diff__act"), l.CheckValue(r.Actual)))))
		if r.Seq > 0 && r.Seq <= m.pos.Count {
			at := m.lang().Seconds(m.played.Events[r.Seq-1].At.Sub(0))
			body = append(body, button("jump", Select{r.Seq}, l.Say("lab.jump", "at", at), view.Icon("right")))
		}
	}
	return view.El("li", view.Class("check", look.class),
		view.El("span", view.Class("check__mark"), view.A("role", "img"), view.A("aria-label", l.Say(look.word)), view.Icon(look.icon)),
		view.El("div", body...))
}

// predict asks the question; before the run the answer can be chosen, after it the right one is shown. Only the run that
// the checks ask for can answer it: an order for a reply alone is a run that has ended, too.
func (m *Model) predict() any {
	st := m.current()
	if st.Kind != lesson.Predict {
		return nil
	}
	l := m.lang()
	options := []any{view.Class("predict__opts")}
	over := m.kept && m.grade.Settled && held(m.grade) == len(st.Checks)
	for i := range st.Question.Options {
		options = append(options, m.option(&st.Question.Options[i], over))
	}
	parts := []any{view.Class("block predict"), view.A("id", predictID), view.A("tabindex", "-1"), view.A("aria-labelledby", "pred-h"),
		view.El("div", view.Class("block__head"), view.El("h2", view.A("id", "pred-h"), l.Say("lab.prediction"))),
		view.El("fieldset", view.Class("predict__set"), disabled(m.kept),
			view.El("legend", m.written(st.Question.Text)), view.El("div", options...))}
	switch {
	case !m.kept:
		note := view.El("span", view.Class("note"), l.Say("lab.say-before"))
		if first := l.Say("lab.predict-first"); m.notice == first { // where the focus is, for a phone has no room for both
			note = view.El("strong", first)
		}
		parts = append(parts, view.El("p", view.Class("row"),
			button("btn", KeepPrediction{}, disabled(m.prediction == ""), l.Say("lab.keep")), note))
	case !over && m.grade.Settled && m.pos.Count > 0:
		parts = append(parts, view.El("p", view.Class("note"), l.Say("lab.not-compared")))
	case !over:
		parts = append(parts, view.El("p", view.Class("note"), l.Say("lab.now-run")))
	case m.grade.Right:
		parts = append(parts, view.El("p", view.Class("note"), l.Say("lab.predicted-right")))
	default:
		parts = append(parts, view.El("p", view.Class("note"), l.Say("lab.predicted-wrong")),
			view.El("p", view.Class("row"), button("btn", AnswerAgain{}, l.Say("lab.restart"))))
	}
	return view.El("section", parts...)
}

func (m *Model) option(o *lesson.Option, over bool) view.Node {
	l := m.lang()
	mine := m.prediction == o.ID
	right := over && m.grade.RightOption == o.ID
	parts := []any{view.Class("opt", ifName(m.kept && mine && !right, "opt--yours"), ifName(right, "opt--actual")),
		view.El("input", view.A("type", "radio"), view.A("name", "prediction"), view.A("value", o.ID),
			view.If(mine, view.A("checked", "")), view.Change(func(string) any { return Predict{o.ID} })),
		view.El("span", m.written(o.Label))}
	switch {
	case right && mine:
		parts = append(parts, view.El("small", l.Say("lab.yours-happened")))
	case right:
		parts = append(parts, view.El("small", l.Say("lab.happened")))
	case m.kept && mine:
		parts = append(parts, view.El("small", l.Say("lab.yours")))
	}
	return view.El("label", parts...)
}

func (m *Model) hintsBlock() view.Node {
	l := m.lang()
	st := m.current()
	parts := []any{view.Class("block"), view.A("aria-labelledby", "hints-h"),
		view.El("div", view.Class("block__head"), view.El("h2", view.A("id", "hints-h"), l.Say("lab.hints")))}
	for i := range min(m.hints, len(st.Hints)) {
		parts = append(parts, view.El("div", view.Class("hint"), view.A("id", hintID(i+1)), view.A("tabindex", "-1"),
			view.El("p", view.Class("hint__n"), view.Icon("bulb"),
				l.Say("lab.hint-n", "n", strconv.Itoa(i+1), "count", strconv.Itoa(len(st.Hints)))),
			m.prose(st.Hints[i])))
	}
	row := []any{view.Class("row")}
	if m.hints < len(st.Hints) {
		word := "lab.next-hint"
		if m.hints == 0 {
			word = "lab.first-hint"
		}
		row = append(row, button("btn", Hint{}, l.Say(word)))
	}
	row = append(row, button("btn btn--quiet", ShowSolution{}, l.Say("lab.solution")))
	parts = append(parts, view.El("p", row...))
	if m.code != nil {
		parts = append(parts, m.solutionBlock(st))
	}
	if m.book.Of(m.lesson.ID, st.ID) != progress.Solved {
		parts = append(parts, view.El("p", view.Class("note"), view.Bold(l.Say("lab.solution-note"))))
	}
	return view.El("section", parts...)
}

// onward leads to the next step.
func (m *Model) onward() view.Node {
	if m.code != nil { // what is said of the solved step leads on
		return view.El("p", view.Class("row onward"), m.nextStep("btn"))
	}
	if !m.current().Plays() {
		return view.El("p", view.Class("row onward"), m.nextStep("btn btn--primary"))
	}
	next := view.El("p", view.Class("row onward"), m.nextStep("btn"))
	if !m.Size.Narrow || m.step == 0 {
		return next
	}
	return view.El("div", next, view.El("p", view.Class("row"), // a phone has no room for the steps in its bar
		view.El("a", view.Class("btn btn--quiet"), view.A("href", m.hash(m.step-1)), view.Icon("back"), m.lang().Say("lab.previous-step"))))
}

// nextStep is the link to the next step; once the step is done and nothing is due, it is what moves the learner on.
func (m *Model) nextStep(class string) view.Node {
	word := "lab.next-step"
	if m.step == len(m.lesson.Steps)-1 {
		word = "lab.finish"
	}
	return view.El("a", view.Class(class), view.A("href", m.hash(m.step+1)), m.lang().Say(word), view.Icon("right"))
}
