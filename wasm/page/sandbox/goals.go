package sandbox

import (
	"slices"
	"strconv"
	"strings"

	"retrylab.example/core/document"
	"retrylab.example/core/lesson"
	"retrylab.example/core/scenario"
	"retrylab.example/wasm/effect"
	"retrylab.example/wasm/view"
)

// Messages of the goals; the index is the goal's.
type (
	AddGoal  struct{}
	GoalWhat struct {
		Index int
		What  string
	}
	GoalBound struct {
		Index int
		Bound string
	}
	GoalValue struct {
		Index int
		Value string
	}
)

// goalKinds are what a goal of the form can be about: every count and total, and the end of the first call.
func goalKinds() []string {
	counts, totals := lesson.TotalNames()
	return slices.Concat([]string{"applied", "duplicates", "attempts-per-100-calls", lesson.Ends.String()},
		slices.DeleteFunc(counts, func(s string) bool { return s == "applied" || s == "duplicates" || s == "attempts-per-100-calls" }), totals)
}

var bounds = [...]lesson.Bound{lesson.Equals, lesson.AtLeast, lesson.AtMost}

// goalOf reads a goal of the form; ok is false for one that only the text can hold.
func goalOf(n *document.Node) (what, bound, value string, ok bool) {
	kind := n.Child("kind")
	if kind == nil {
		return "", "", "", false
	}
	if what = kind.Text; what != lesson.Ends.String() {
		of := n.Child("of")
		if of == nil || what != lesson.Count.String() && what != lesson.Total.String() {
			return "", "", "", false
		}
		what = of.Text
	}
	for _, b := range bounds {
		if f := n.Child(b.String()); f != nil {
			bound, value = b.String(), f.Text
		}
	}
	return what, bound, value, bound != "" && slices.Contains(goalKinds(), what)
}

// writeGoal returns a goal as JSON.
func writeGoal(what, bound, value string) string {
	value = strings.ReplaceAll(strings.TrimSpace(value), " ", "")
	if what == lesson.Ends.String() {
		if _, err := strconv.ParseInt(value, 10, 64); err == nil || value == "" {
			value += "s" // a number of another goal becomes one of seconds
		}
		return `{"kind": "ends", ` + document.Quote(bound) + ": " + document.Quote(value) + "}"
	}
	kind := lesson.Count
	if _, totals := lesson.TotalNames(); slices.Contains(totals, what) {
		kind = lesson.Total
	}
	if digits := strings.TrimSuffix(value, "s"); digits != value {
		value = digits
	}
	return `{"kind": ` + document.Quote(kind.String()) + `, "of": ` + document.Quote(what) + ", " + document.Quote(bound) + ": " + scalar(value) + "}"
}

// goal does the messages of the goals.
func (m *Model) goal(msg any) ([]effect.Effect, bool) {
	change := func(i int, to func(what, bound, value string) string) []effect.Effect {
		n := m.at("/" + scenario.GoalsField + "/" + strconv.Itoa(i))
		if n == nil {
			return nil
		}
		what, bound, value, ok := goalOf(n)
		if !ok {
			return nil
		}
		return m.edit(n.Replace(to(what, bound, value)))
	}
	switch msg := msg.(type) {
	case AddGoal:
		return m.addGoal(), true
	case GoalWhat:
		return change(msg.Index, func(_, bound, value string) string { return writeGoal(msg.What, bound, value) }), true
	case GoalBound:
		return change(msg.Index, func(what, _, value string) string { return writeGoal(what, msg.Bound, value) }), true
	case GoalValue:
		return change(msg.Index, func(what, bound, _ string) string { return writeGoal(what, bound, msg.Value) }), true
	}
	return nil, false
}

// addGoal adds a goal that most scenarios have: each effect once.
func (m *Model) addGoal() []effect.Effect {
	goal := writeGoal("duplicates", lesson.Equals.String(), "0")
	n, i := m.at("/"+scenario.GoalsField), 0
	var effects []effect.Effect
	if n == nil || n.Kind != document.Array {
		effects = m.put("/"+scenario.GoalsField, "["+goal+"]")
	} else {
		i = len(n.Items)
		effects = m.edit(n.Insert(i, goal))
	}
	return append(effects, effect.Focus{ID: fieldID("/" + scenario.GoalsField + "/" + strconv.Itoa(i) + "/what")})
}

// goalPart draws the goals.
func (m *Model) goalPart() view.Node {
	list := m.doc.At("/" + scenario.GoalsField)
	count := 0
	if list != nil {
		count = len(list.Items)
	}
	rows := []any{view.Class("sb__list")}
	for i := range count {
		rows = append(rows, m.goalRow(i, list.Items[i]))
	}
	return view.El("details", view.Class("fold sb__part"), view.A("id", "part/"+scenario.GoalsField), view.If(count > 0, view.A("open", "")),
		view.El("summary", m.say("sandbox.goals", "n", strconv.Itoa(count))), view.El("p", view.Class("note"), m.say("sandbox.goals-note")),
		m.faultsAt("/"+scenario.GoalsField), view.El("ul", rows...),
		view.El("p", view.Class("row"), button("btn btn--s", AddGoal{}, view.A("id", "add-goal"), view.A("aria-label", m.say("sandbox.add")+": "+m.say("lab.goal")), m.say("sandbox.add"))))
}

// goalRow draws one goal: what, how it is compared, and with what. One that only the text can hold is said in words.
func (m *Model) goalRow(i int, n *document.Node) view.Node {
	at := "/" + scenario.GoalsField + "/" + strconv.Itoa(i)
	remove := button("btn btn--s btn--icon btn--quiet", Remove{at}, view.A("aria-label", m.say("sandbox.remove")+": "+m.say("lab.goal")+" "+strconv.Itoa(i+1)), view.Icon("cross"))
	what, bound, value, ok := goalOf(n)
	if !ok {
		return view.El("li", view.Class("row"), view.Code(summary(n)), remove, m.faultsAt(at))
	}
	label := func(name string) any {
		return view.A("aria-label", m.say("lab.goal")+" "+strconv.Itoa(i+1)+": "+m.say(name))
	}
	whats := []any{view.Class("select"), view.A("id", fieldID(at+"/what")), label("sandbox.goal-what"), view.Change(func(v string) any { return GoalWhat{i, v} })}
	for _, k := range goalKinds() {
		whats = append(whats, option(k, m.lang().GoalKind(k), k == what))
	}
	compared := []any{view.Class("select"), view.A("id", fieldID(at+"/bound")), label("sandbox.goal-bound"), view.Change(func(v string) any { return GoalBound{i, v} })}
	for _, b := range bounds {
		compared = append(compared, option(b.String(), m.say("goal."+b.String()), b.String() == bound))
	}
	fault := m.faultsAt(at + "/" + bound)
	input := []any{view.Class("input input--s"), view.A("id", fieldID(at+"/value")), label("sandbox.goal-value"), view.A("autocomplete", "off"),
		view.A("value", value), view.Change(func(v string) any { return GoalValue{i, v} })}
	if fault != nil {
		input = append(input, view.A("aria-invalid", "true"), view.A("aria-describedby", faultID(at+"/"+bound)))
	}
	return view.El("li", view.Class("row sb__goal"), view.El("select", whats...), view.El("select", compared...), view.El("input", input...), remove, m.faultsAt(at), fault)
}
