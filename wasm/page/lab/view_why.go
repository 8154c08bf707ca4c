package lab

import (
	"strconv"

	"retrylab.example/core/clock"
	"retrylab.example/core/decision"
	"retrylab.example/core/event"
	"retrylab.example/wasm/view"
	"retrylab.example/wasm/view/receipt"
)

// why explains the selected event: verdict, receipt, what would change it, the raw exchange, the state around it.
func (m *Model) why() view.Node {
	l := m.lang()
	word := "lab.open-why"
	if m.sheetOpen {
		word = "lab.close-why"
	}
	parts := []any{view.Class("why"), view.A("id", "why"), view.A("aria-labelledby", "why-h"), view.A("tabindex", "0"),
		button("grip", Sheet{}, view.A("aria-expanded", strconv.FormatBool(m.sheetOpen)), view.El("span", view.Class("vh"), l.Say(word)))}
	e, i := m.selectedEvent()
	if e == nil {
		return view.El("section", append(parts, m.nothingToExplain())...)
	}
	parts = append(parts, m.whyHead(e))
	if e.Decides() {
		parts = append(parts, view.El("p", view.Class("verdict"), view.Bold(l.Verdict(e, m.names()))), receipt.Draw(l, e), receipt.Flips(l, e))
	} else {
		parts = append(parts, view.El("p", view.Class("verdict"), l.Who(e, m.names())+": "+l.Event(e, m.names())))
	}
	return view.El("section", append(parts, receipt.Exchange(l, m.seen(), e), receipt.State(l, m.seen(), i))...)
}

func (m *Model) nothingToExplain() []view.Node {
	l := m.lang()
	items := []any{view.Class("why__q")}
	for i, q := range []decision.Question{decision.MayRepeat, decision.WaitingHeals, decision.HowLong} {
		items = append(items, view.El("li", view.El("span", view.Class("num-disc"), view.A("aria-hidden", "true"), strconv.Itoa(i+1)), l.Question(q)))
	}
	return []view.Node{
		view.El("header", view.Class("why__head"), view.El("h2", view.A("id", "why-h"), l.Say("lab.why"))),
		view.El("p", view.Class("verdict"), l.Say("lab.nothing-yet")),
		view.El("p", view.Class("why__none"), l.Say("lab.why-how")),
		view.El("ol", items...),
	}
}

func (m *Model) whyHead(e *event.Event) view.Node {
	l := m.lang()
	at := []any{view.Class("why__at"), view.El("b", m.lang().Seconds(e.At.Sub(clock.Start)))}
	if e.Decides() {
		at = append(at, " "+l.VerdictLabel(e))
	}
	nav := func(by int, word, icon string) view.Node {
		return button("btn btn--icon btn--s btn--quiet", SelectDecision{by}, view.A("aria-label", l.Say(word)), idle(m.decisionFrom(by) < 0), view.Icon(icon))
	}
	return view.El("header", view.Class("why__head"), view.El("h2", view.A("id", "why-h"), l.Say("lab.why")), view.El("p", at...),
		view.El("span", view.Class("why__nav"), nav(-1, "lab.previous-decision", "back"), nav(1, "lab.following-decision", "right")))
}
