package author

import (
	"strconv"

	"retrylab.example/core/text"
	"retrylab.example/wasm/view"
)

// previewPane draws the step as the learner will see it, in each language, with what records an answer.
func (m *Model) previewPane() view.Node {
	parts := []any{view.Class("au__preview"), view.A("id", previewID), view.A("tabindex", "-1"), view.A("aria-labelledby", "preview-h"),
		view.El("h2", view.Class("vh"), view.A("id", "preview-h"), m.say("author.pane-preview")), m.strip()}
	if m.sound != m.r {
		parts = append(parts, view.El("p", view.Class("notice"), m.say("author.preview-old")))
	}
	if m.bench != nil {
		parts = append(parts, m.bench.View())
	}
	return view.El("section", parts...)
}

// strip draws the choice of step and language, and what takes the answer that was played.
func (m *Model) strip() view.Node {
	steps := []any{view.Class("select"), view.A("aria-label", m.say("author.preview-step")),
		view.Change(func(v string) any { i, _ := strconv.Atoi(v); return Step{i} })}
	for i, s := range m.steps() {
		steps = append(steps, option(strconv.Itoa(i), strconv.Itoa(i+1)+". "+valueOf(s.Child("id")), i == m.step))
	}
	langs := []any{view.Class("row"), view.A("role", "group"), view.A("aria-label", m.say("author.preview-lang"))}
	for _, tag := range m.langs() {
		if l, ok := text.Parse(tag); ok && string(l) == tag {
			langs = append(langs, button("chip", PreviewLang{tag}, view.A("aria-pressed", strconv.FormatBool(l == m.benchLang)), view.A("lang", tag), l.Name()))
		}
	}
	parts := []any{view.Class("row au__strip"), view.El("select", steps...), view.El("span", langs...)}
	if s, a, ok := m.recorded(); ok {
		fails := []any{view.Class("select"), view.A("aria-label", m.say("author.fails-check")), view.Change(func(v string) any { return Fails{v} }),
			option("", m.say("author.first-failed"), m.fails == "")}
		for _, id := range failable(s) {
			fails = append(fails, option(id, id, id == m.fails))
		}
		parts = append(parts, view.El("span", view.Class("row au__take"),
			view.El("span", view.Class("note"), m.say("author.inputs", "n", strconv.Itoa(len(a.Inputs)))),
			button("btn btn--s", Again{}, m.say("lab.restart")),
			button("btn", TakeSolution{}, m.say("author.take-solution")),
			button("btn", TakeWrong{}, m.say("author.take-wrong")), view.El("select", fails...)))
	}
	return view.El("div", parts...)
}
