package author

import (
	"strconv"
	"strings"

	"retrylab.example/core/document"
	"retrylab.example/core/lesson"
	"retrylab.example/wasm/view"
)

// formPane draws the form. While the text is no JSON it shows what was there before, and can change nothing.
func (m *Model) formPane() view.Node {
	parts := []any{view.Class("au__form"), view.A("aria-labelledby", "form-h"), view.El("h2", view.Class("vh"), view.A("id", "form-h"), m.say("author.pane-form"))}
	if m.form == nil {
		return view.El("section", append(parts, view.El("p", view.Class("notice"), m.say("author.form-broken")))...)
	}
	broken := m.r.Root == nil
	if broken {
		parts = append(parts, view.El("p", view.Class("notice"), m.say("author.form-broken")))
	}
	set := []any{view.Class("au__set"), view.If(broken, view.A("disabled", "")), m.langSwitch(), m.lessonPart(), m.stepList()}
	if len(m.steps()) > 0 {
		set = append(set, m.stepPart())
	}
	return view.El("section", append(parts, view.El("fieldset", set...))...)
}

// langSwitch chooses the language of the texts in the form.
func (m *Model) langSwitch() view.Node {
	parts := []any{view.Class("row au__langs"), view.A("role", "group"), view.A("aria-label", m.say("author.texts-in")),
		view.El("span", view.Class("note"), m.say("author.texts-in"))}
	for _, lang := range m.langs() {
		label := []any{view.A("aria-pressed", strconv.FormatBool(lang == m.lang)), view.A("lang", lang), langName(lang)}
		if n := m.gaps(lang); n > 0 {
			label = append(label, view.El("b", view.Class("au__n"), view.A("lang", string(m.lang0())),
				view.El("span", view.Class("vh"), m.say("author.is-missing")+" "), strconv.Itoa(n)))
		}
		parts = append(parts, button("chip", Lang{lang}, label...))
	}
	return view.El("div", parts...)
}

// code is the name of a JSON field.
func code(name string) view.Node { return view.Code(name) }

// lessonPart draws what the lesson as a whole has.
func (m *Model) lessonPart() view.Node {
	texts := emptyText(m.langs())
	parts := []any{view.Class("au__part"), view.A("id", "lesson-part"),
		view.El("summary", view.El("h2", m.say("author.lesson"))),
		view.El("div", view.Class("fm__grid"), m.line(code("id"), "/id"), m.list(code("languages"), "/languages", false),
			m.number(code("minutes"), "/minutes"), m.list(code("after"), "/after", false)),
		m.area(m.say("author.f-title"), "/title", 1), m.area(m.say("author.f-summary"), "/summary", 2),
		m.area(m.say("author.f-why"), "/why", 4), m.area(m.say("author.f-limits"), "/limits", 4),
		m.listHead(m.say("author.f-checklist"), "/checklist", texts)}
	parts = append(parts, m.textRows("/checklist", m.say("author.f-checklist"))...)
	parts = append(parts, m.listHead(m.say("author.f-references"), "/references", `{"title":"","address":"https://"}`))
	if n := m.at("/references"); n != nil {
		for i := range n.Items {
			at := "/references/" + strconv.Itoa(i)
			parts = append(parts, view.El("div", view.Class("fm__item"),
				view.El("div", view.Class("fm__grid"), m.line(code("title"), at+"/title"), m.line(code("address"), at+"/address")),
				m.row("/references", i, len(n.Items), strconv.Itoa(i+1))))
		}
	}
	return view.El("details", parts...)
}

// textRows draws a list of texts.
func (m *Model) textRows(list, label string) []any {
	var rows []any
	n := m.at(list)
	if n == nil {
		return nil
	}
	for i := range n.Items {
		name := label + " " + strconv.Itoa(i+1)
		rows = append(rows, view.El("div", view.Class("fm__item"), m.area(name, list+"/"+strconv.Itoa(i), 2), m.row(list, i, len(n.Items), name)))
	}
	return rows
}

// stepList draws the steps, of which one is shown below, and adds others.
func (m *Model) stepList() view.Node {
	rows := []any{view.Class("au__steps")}
	steps := m.steps()
	for i, s := range steps {
		id, kind := valueOf(s.Child("id")), valueOf(s.Child("kind"))
		title := ""
		if t := s.Child("title"); t != nil {
			title = valueOf(t.Child(m.lang))
		}
		rows = append(rows, view.El("li", view.Class("au__step", ifName(i == m.step, "is-here")),
			button("au__pick", Step{i}, view.If(i == m.step, view.A("aria-current", "true")),
				view.El("span", strconv.Itoa(i+1)+". "+title), view.El("span", view.Class("note"), view.Code(id), " · ", view.Code(kind))),
			m.row("/steps", i, len(steps), strconv.Itoa(i+1)+" "+id)))
	}
	adds := []any{view.Class("select"), view.A("aria-label", m.say("author.step-kind")), view.Change(func(v string) any { return Kind{v} })}
	for k := lesson.Explain; k <= lesson.Code; k++ {
		adds = append(adds, option(k.String(), k.String(), k.String() == m.add))
	}
	return view.El("section", view.Class("au__part"), view.A("aria-labelledby", listID("/steps")),
		view.El("div", view.Class("fm__head"), view.El("h2", view.A("id", listID("/steps")), view.A("tabindex", "-1"), m.say("author.steps")),
			view.El("span", view.Class("row"), view.El("select", adds...), button("btn", AddStep{}, m.say("author.add-step")))),
		view.El("ol", rows...))
}

// stepPart draws the step that is chosen.
func (m *Model) stepPart() view.Node {
	at := m.stepPointer()
	kind := valueOf(m.at(at + "/kind"))
	var kindNames []string
	for k := lesson.Explain; k <= lesson.Code; k++ {
		kindNames = append(kindNames, k.String())
	}
	texts := emptyText(m.langs())
	parts := []any{view.Class("au__part"), view.A("aria-labelledby", "step-h"),
		view.El("h2", view.A("id", "step-h"), m.say("author.step", "n", strconv.Itoa(m.step+1))),
		view.El("div", view.Class("fm__grid"), m.line(code("id"), at+"/id"),
			m.choice(code("kind"), at+"/kind", kindNames, func(v string) any { return SetString{at + "/kind", v} })),
		m.area(m.say("author.f-title"), at+"/title", 1), m.area(m.say("author.f-body"), at+"/body", 5)}
	switch kind {
	case "play", "predict", "policy":
		parts = append(parts, m.area(m.say("author.f-goal"), at+"/goal", 2))
		parts = append(parts, m.world(at)...)
		parts = append(parts, m.checks(at)...)
		if kind == "predict" {
			parts = append(parts, m.question(at)...)
		}
		parts = append(parts, m.answers(at)...)
	case "code":
		parts = append(parts, m.raw(code("exercise"), at+"/exercise", 6))
	}
	parts = append(parts, m.listHead(m.say("author.f-hints"), at+"/hints", texts))
	parts = append(parts, m.textRows(at+"/hints", m.say("author.f-hint"))...)
	return view.El("section", append(parts, m.area(m.say("author.f-explanation"), at+"/explanation", 3))...)
}

// world draws the scenario, which is written as JSON, and what the learner may do.
func (m *Model) world(at string) []any {
	allow := at + "/allow"
	return []any{
		m.raw(code("scenario"), at+"/scenario", 6),
		view.El("h3", m.say("author.allow")),
		view.El("p", view.Class("row"), m.tick(code("fire"), allow+"/fire"), m.tick(code("freeKey"), allow+"/freeKey")),
		view.El("div", view.Class("fm__grid"), m.list(code("methods"), allow+"/methods", false), m.list(code("keys"), allow+"/keys", false),
			m.list(code("amounts"), allow+"/amounts", true), m.list(code("times"), allow+"/times", true)),
		m.chips(code("inject"), allow+"/inject", lesson.Injectable()),
		m.chips(code("knobs"), allow+"/knobs", lesson.Knobs()),
	}
}

// checks draws the checks of the step.
func (m *Model) checks(at string) []any {
	list := at + "/checks"
	parts := []any{m.listHead(m.say("author.f-checks"), list, newCheck(m.freeID(list, "check"), "total", emptyText(m.langs())))}
	n := m.at(list)
	if n == nil {
		return parts
	}
	for i, c := range n.Items {
		p := list + "/" + strconv.Itoa(i)
		fields := []any{view.Class("fm__grid"), m.line(code("id"), p+"/id"),
			m.choice(code("kind"), p+"/kind", kinds(), func(v string) any { return SetCheckKind{p, v} })}
		parts = append(parts, view.El("div", view.Class("fm__item fm__item--box"), view.El("div", append(fields, m.others(c, p)...)...),
			m.row(list, i, len(n.Items), valueOf(c.Child("id"))), m.area(m.say("author.f-text"), p+"/text", 1)))
	}
	return parts
}

// others draws the fields of an object that have no place of their own in the form, as they are written.
func (m *Model) others(n *document.Node, pointer string) []any {
	var fields []any
	for _, f := range n.Fields {
		p := pointer + "/" + f.Name
		switch {
		case strings.ContainsAny(f.Name, "/~"): // no field of a lesson has such a name
		case hasLang([]string{"id", "kind", "text", "label", "inputs", "fails", "prediction", "if"}, f.Name):
		case f.Value.Kind == document.Bool:
			fields = append(fields, m.tick(code(f.Name), p))
		case f.Value.Kind == document.String || f.Value.Kind == document.Number:
			if hasLang([]string{"equals", "min", "max", "times", "call", "attempt", "status", "amount", "reply"}, f.Name) {
				fields = append(fields, m.number(code(f.Name), p))
			} else {
				fields = append(fields, m.line(code(f.Name), p))
			}
		case f.Name == "equals":
			fields = append(fields, m.list(code(f.Name), p, false))
		default:
			fields = append(fields, m.raw(code(f.Name), p, 1))
		}
	}
	return fields
}

// question draws what a prediction asks.
func (m *Model) question(at string) []any {
	list := at + "/question/options"
	texts := emptyText(m.langs())
	parts := []any{m.area(m.say("author.f-question"), at+"/question/text", 1),
		m.listHead(m.say("author.f-options"), list, newOption(m.freeID(list, "option"), texts, 1))}
	n := m.at(list)
	if n == nil {
		return parts
	}
	for i, o := range n.Items {
		p := list + "/" + strconv.Itoa(i)
		parts = append(parts, view.El("div", view.Class("fm__item fm__item--box"),
			view.El("div", view.Class("fm__grid"), m.line(code("id"), p+"/id")), m.row(list, i, len(n.Items), valueOf(o.Child("id"))),
			m.area(m.say("author.f-label"), p+"/label", 1), m.raw(code("if"), p+"/if", 1)))
	}
	return parts
}

// answers draws the solution and the wrong answers, which are recorded by playing.
func (m *Model) answers(at string) []any {
	count := 0
	if n := m.at(at + "/solution/inputs"); n != nil {
		count = len(n.Items)
	}
	parts := []any{view.El("div", view.Class("fm__head"), view.El("h3", m.say("author.f-solution")),
		view.El("span", view.Class("row"), view.El("span", view.Class("note"), m.say("author.inputs", "n", strconv.Itoa(count))),
			button("btn btn--s", Pane{"preview"}, m.say("author.record")))),
		m.raw(code("solution"), at+"/solution", 3)}
	list := at + "/wrong"
	parts = append(parts, m.listHead(m.say("author.f-wrong"), list, ""))
	n := m.at(list)
	if n == nil {
		return parts
	}
	ids := m.checkIDs(at)
	for i, w := range n.Items {
		p := list + "/" + strconv.Itoa(i)
		parts = append(parts, view.El("div", view.Class("fm__item fm__item--box"),
			view.El("div", view.Class("fm__grid"), m.line(code("id"), p+"/id"),
				m.choice(code("fails"), p+"/fails", ids, func(v string) any { return SetString{p + "/fails", v} })),
			m.row(list, i, len(n.Items), valueOf(w.Child("id"))), m.raw(code("inputs"), p+"/inputs", 2)))
	}
	return parts
}

// checkIDs lists what a wrong answer of the step may be said to fail.
func (m *Model) checkIDs(at string) []string {
	var ids []string
	if n := m.at(at + "/checks"); n != nil {
		for _, c := range n.Items {
			ids = append(ids, valueOf(c.Child("id")))
		}
	}
	if valueOf(m.at(at+"/kind")) == "predict" {
		ids = append(ids, "prediction")
	}
	return ids
}
