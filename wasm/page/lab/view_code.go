package lab

import (
	"slices"
	"strconv"
	"strings"

	"retrylab.example/core/codelab"
	"retrylab.example/core/lesson"
	"retrylab.example/wasm/view"
	"retrylab.example/wasm/view/frame"
)

const solutionID = "code-solution"

// codeStage draws what the learner writes, how it was judged, its run, and all else that belongs to it.
func (m *Model) codeStage() view.Node {
	return view.El("section", view.Class("codestage"), view.A("id", stageID), view.A("tabindex", "-1"), view.A("aria-labelledby", "code-h"),
		view.El("h2", view.Class("codestage__h"), view.A("id", "code-h"), view.El("code", view.A("lang", "en"), view.A("translate", "no"), m.code.function.Signature())),
		m.givenNote(), m.codeEditor(), m.codeButtons(), m.resetQuestion(), m.codeProblems(), m.verdictBlock(), m.runBlock(), m.casesBlock(),
		m.triesBlock(), m.codeCommand())
}

// python draws lines of Python.
func python(lines ...string) view.Node {
	return view.El("pre", view.Class("py"), view.A("lang", "en"), view.A("translate", "no"), view.A("tabindex", "0"), view.El("code", strings.Join(lines, "\n")))
}

// inline draws a bit of Python in a sentence.
func inline(s string) view.Node {
	return view.El("code", view.A("lang", "en"), view.A("translate", "no"), s)
}

// shownCode is what the editor shows: a starter in the language of the page.
func (m *Model) shownCode() string {
	if st := m.current(); isStarter(st, m.code.text) {
		starter, _ := st.Exercise.Starter.In(string(m.lang()))
		return starter
	}
	return m.code.text
}

func (m *Model) codeEditor() view.Node {
	key := m.lesson.ID + "/" + m.StepID()
	if m.shared != nil {
		key += "/shared"
	}
	e := frame.Editor{
		ID: codeID, Key: key, Text: m.shownCode(), Label: m.lang().Say("code.editor", "function", m.code.function.Name),
		Changed: func(text string) any { return Code{text} }, Run: CheckCode{}, Marks: m.marks(),
	}
	return e.View(m.Settings)
}

// marks are the problem of the verdict, as long as the text is the one that was judged.
func (m *Model) marks() []frame.Mark {
	v := m.code.verdict
	if v == nil || v.Passed() || v.Line == 0 || m.code.judged != m.code.text {
		return nil
	}
	if line, _, _ := m.code.lineOf(v.Line); line > 0 {
		return []frame.Mark{{Line: line, Text: m.sentence(v)}}
	}
	return nil
}

// sentence says how a program was judged: of a line in the function of an earlier step it says so.
func (m *Model) sentence(v *codelab.Verdict) string {
	there := *v
	line, of, inEarlier := m.code.lineOf(v.Line)
	if v.Line == 0 || of == nil {
		there.Line = line
		if v.Line == 0 {
			there.Line = 0
		}
		return m.lang().CodeVerdict(&there)
	}
	there.Line = inEarlier
	return m.lang().Say("code.in-earlier", "function", of.name, "said", m.lang().CodeVerdict(&there))
}

func (m *Model) codeButtons() view.Node {
	l, c := m.lang(), m.code
	row := []any{view.Class("row coderow")}
	check := button("btn btn--primary", CheckCode{}, view.A("id", "code-check"), idle(!m.Settings.Python), view.Icon("play"), l.Say("code.check"), view.El("kbd", "Ctrl+Enter"))
	if c.doing != idling {
		row = append(row, button("btn", StopCode{}, view.A("id", "code-stop"), view.Icon("pause"), l.Say("code.stop")),
			view.El("span", view.Class("note"), view.A("id", "code-doing"), m.doingNow()))
	} else {
		row = append(row, check)
	}
	if !isStarter(m.current(), c.text) && !c.askReset {
		row = append(row, button("btn btn--quiet", AskReset{}, view.A("id", "code-anew"), l.Say("code.anew")))
	}
	return view.El("p", row...)
}

func (m *Model) doingNow() string {
	if m.code.doing == trying {
		return m.lang().Say("code.trying")
	}
	all := len(m.code.examples) + codelab.Generated
	return m.lang().Say("code.grading", "n", strconv.Itoa(min(m.code.cases, all)), "count", strconv.Itoa(all))
}

// resetQuestion asks before a starter takes the place of what was written.
func (m *Model) resetQuestion() any {
	if !m.code.askReset {
		return nil
	}
	l := m.lang()
	return view.El("div", view.Class("ask"), view.A("role", "group"), view.A("aria-labelledby", "code-ask"),
		view.El("p", view.A("id", "code-ask"), view.El("b", l.Say("code.ask-reset")), " ", l.Say("code.ask-reset-note")),
		view.El("p", view.Class("row"), button("btn", ResetCode{}, view.A("id", resetAsk), l.Say("code.do-reset")),
			button("btn btn--quiet", LeaveCode{}, l.Say("code.leave"))))
}

// codeProblems says what is missing, or what went wrong with the engine.
func (m *Model) codeProblems() []view.Node {
	l := m.lang()
	var nodes []view.Node
	if !m.Settings.Python {
		nodes = append(nodes, view.El("p", view.Class("notice"), view.A("id", "code-missing"), l.Say("code.no-python")), python("make npm", "make run"))
	}
	if m.code.failed != "" {
		nodes = append(nodes, problem(l.Say("code.no-engine", "why", m.code.failed)))
	}
	if m.notice != "" {
		nodes = append(nodes, view.El("p", view.Class("notice"), m.notice))
	}
	return nodes
}

// givenNote lists the functions of earlier steps that this program may call: whose each one is.
func (m *Model) givenNote() any {
	if len(m.code.earlier) == 0 {
		return nil
	}
	l := m.lang()
	list := []any{view.Class("given")}
	for _, e := range m.code.earlier {
		word := "code.given-core"
		if e.source != "" {
			word = "code.given-yours"
		}
		list = append(list, view.El("li", view.El("a", view.A("href", m.hash(e.step)), inline(e.name)), " ", view.El("small", l.Say(word))))
	}
	return view.El("details", view.Class("fold"), view.A("id", "code-given"),
		view.El("summary", l.Say("code.given", "n", strconv.Itoa(len(m.code.earlier)))), view.El("p", view.Class("note"), l.Say("code.given-note")), view.El("ul", list...))
}

// verdictBlock draws how the program was judged, with the smallest case that was found.
func (m *Model) verdictBlock() view.Node {
	l, v := m.lang(), m.code.verdict
	parts := []any{view.Class("block codeverdict"), view.A("id", verdictID), view.A("aria-labelledby", "code-verdict-h"),
		view.El("div", view.Class("block__head"), view.El("h2", view.A("id", "code-verdict-h"), l.Say("code.verdict")))}
	if v == nil {
		return view.El("section", append(parts, view.El("p", view.Class("note"), l.Say("code.no-verdict")))...)
	}
	j := l.Judged(v)
	class, icon := "codeverdict__s is-fail", "cross"
	if v.Passed() {
		class, icon = "codeverdict__s is-pass", "check"
	}
	parts = append(parts, view.El("p", view.Class(class), view.Icon(icon), view.El("span", m.sentence(v))))
	if len(j.Case) > 0 {
		parts = append(parts, python(j.Case...))
	}
	parts = append(parts, m.difference(v))
	if j.Output != "" {
		parts = append(parts, view.El("p", view.Class("note"), j.Printed), python(j.Output))
	}
	if j.Before != "" {
		parts = append(parts, view.El("p", view.Class("note"), j.Before))
	}
	if m.code.judged != m.code.text {
		parts = append(parts, view.El("p", view.Class("note"), view.A("id", "code-stale"), l.Say("code.stale")))
	}
	return view.El("section", parts...)
}

// difference sets what came out beside what was wanted.
func (m *Model) difference(v *codelab.Verdict) any {
	if v.Passed() || v.Yours == "" && v.Wanted == "" {
		return nil
	}
	l := m.lang()
	value := func(s string) view.Node {
		if s == "" {
			return view.Text(l.Say("code.nothing"))
		}
		return inline(s)
	}
	return view.El("dl", view.Class("diff codediff"),
		view.El("div", view.El("dt", l.Say("lab.expected")), view.El("dd", value(v.Wanted))),
		view.El("div", view.El("dt", l.Say("lab.actual")), view.El("dd", view.Class("diff__act"), value(v.Yours))))
}

// casesBlock lists the chosen cases with what the core answers, and how far the program came.
func (m *Model) casesBlock() view.Node {
	l, v := m.lang(), m.code.verdict
	rows := []any{view.Class("checks codecases")}
	for i := range m.code.examples {
		rows = append(rows, m.caseRow(i))
	}
	note := l.Say("code.cases-count", "n", strconv.Itoa(len(m.code.examples)), "more", strconv.Itoa(codelab.Generated))
	if v != nil {
		done := v.Cases
		note = l.Say("code.cases-done", "n", strconv.Itoa(done), "count", strconv.Itoa(len(m.code.examples)+codelab.Generated))
	}
	return view.El("details", view.Class("fold"), view.A("id", "code-cases"), view.El("summary", l.Say("code.cases"), " ", view.El("span", view.Class("note"), note)),
		view.El("ul", rows...))
}

func (m *Model) caseRow(i int) view.Node {
	l, v := m.lang(), m.code.verdict
	state := 0
	if v != nil && v.Code != codelab.Syntax {
		switch {
		case i < v.Cases || v.Passed():
			state = 1
		case i == v.Cases:
			state = 2
		}
	}
	look := [...]struct{ class, icon, word string }{
		{"check--wait", "wait", "code.case-open"}, {"check--pass", "check", "code.case-passed"}, {"check--fail", "cross", "code.case-failed"},
	}[state]
	return view.El("li", view.Class("check", look.class),
		view.El("span", view.Class("check__mark"), view.A("role", "img"), view.A("aria-label", l.Say(look.word)), view.Icon(look.icon)),
		view.El("div", exampleLines(&m.code.examples[i])))
}

// exampleLines writes an example as lines of Python: each call with what is wanted of it, and what happens meanwhile.
func exampleLines(e *codelab.Example) view.Node {
	lines := slices.Clone(e.Setup)
	for _, call := range e.Calls {
		arrow := "  →  "
		lines = append(lines, call.Call+arrow+call.Wanted)
		for _, did := range slices.Concat(call.World, call.Vars) {
			lines = append(lines, "    "+did)
		}
	}
	return view.El("pre", view.Class("py py--s"), view.A("lang", "en"), view.A("translate", "no"), view.El("code", strings.Join(lines, "\n")))
}

// triesBlock lists earlier texts.
func (m *Model) triesBlock() any {
	l, c := m.lang(), m.code
	if len(c.tries) == 0 {
		return nil
	}
	list := []any{view.Class("codetries")}
	for i, t := range slices.Backward(c.tries) {
		said := l.Say("code.try-unjudged")
		if v, err := codelab.ReadVerdict([]byte(t.Verdict)); err == nil {
			said = l.CodeVerdict(&v)
		}
		list = append(list, view.El("li", view.El("p", said), python(strings.TrimRight(t.Code, "\n")),
			view.If(t.Code != c.text, view.El("p", view.Class("row"), button("btn btn--s", UseTry{i}, l.Say("code.use-try"))))))
	}
	return view.El("details", view.Class("fold"), view.A("id", "code-tries"),
		view.El("summary", l.Say("code.tries", "n", strconv.Itoa(len(c.tries)))), view.El("ol", list...))
}

// codeCommand shows how the program is judged outside of the page, and hands it out.
func (m *Model) codeCommand() any {
	if m.place.Mark != "" || m.shared != nil {
		return nil
	}
	l := m.lang()
	return view.El("details", view.Class("fold"), view.A("id", "code-command"), view.El("summary", l.Say("lab.command")),
		view.El("p", view.Class("note"), l.Say("code.command-note", "file", m.codeFile())),
		python("retrylab grade "+m.lesson.ID+" "+m.StepID()+" "+m.codeFile()),
		view.El("p", view.Class("row"), button("btn btn--s", SaveCode{}, view.A("id", "code-save"), l.Say("code.save", "file", m.codeFile()))))
}

// solutionBlock shows the solution once it was asked for.
func (m *Model) solutionBlock(st *lesson.Step) any {
	if !m.shown {
		return nil
	}
	l := m.lang()
	return view.El("div", view.Class("hint"), view.A("id", solutionID), view.A("tabindex", "-1"),
		view.El("p", view.Class("hint__n"), l.Say("code.solution")), python(strings.TrimRight(st.Exercise.Solution, "\n")),
		view.El("p", view.Class("row"), button("btn btn--s", UseSolution{}, l.Say("code.use-solution"))))
}
