package lab

import (
	"retrylab.example/core/clock"
	"retrylab.example/core/lesson"
	"retrylab.example/wasm/effect"
	"retrylab.example/wasm/view"
)

// LeaveKnobs takes back what was typed into the knobs and is not in the run.
type LeaveKnobs struct{}

// policyID is the heading of the policy; the focus goes there when the question below it is answered.
const policyID = "pol-h"

// asks reports whether the knobs say something that only a person can place in time: a run that has begun has another
// policy.
func (m *Model) asks() bool { return m.turned() && m.fired() }

// setKnob takes what was typed into a knob. The question that it raises is spoken once, not at each letter.
func (m *Model) setKnob(name, value string) {
	asked := m.asks()
	m.form.knobs[knob{m.form.client, name}] = value
	if m.asks() && !asked {
		m.aside = m.lang().Say("lab.ask-from")
	}
}

// answerFrom sets the policy from now on or from the start. The question is gone then, and with it the button that had
// the focus.
func (m *Model) answerFrom(start bool) []effect.Effect {
	asked := m.asks()
	m.applyPolicy(start)
	if asked && !m.asks() {
		return []effect.Effect{effect.Focus{ID: policyID}}
	}
	return nil
}

// leaveKnobs lets the knobs show again what holds.
func (m *Model) leaveKnobs() []effect.Effect {
	var effects []effect.Effect
	for _, name := range lesson.Knobs() {
		k := knob{m.form.client, name}
		if _, typed := m.form.knobs[k]; typed {
			delete(m.form.knobs, k)
			effects = append(effects, effect.SetValue{ID: "knob-" + name, Value: m.knobText(name)})
		}
	}
	return append(effects, effect.Focus{ID: policyID})
}

// askFrom draws the ways to set a policy: where a run has begun, as a question.
func (m *Model) askFrom() view.Node {
	l := m.lang()
	if !m.asks() {
		return view.El("p", view.Class("row"),
			button("btn", ReplayPolicy{}, view.A("id", replayID), l.Say("lab.replay-policy")),
			button("btn btn--quiet", ApplyPolicy{}, view.A("id", "apply-policy"), disabled(m.pos.Count == 0), l.Say("lab.apply-policy")))
	}
	return view.El("div", view.Class("ask"), view.A("role", "group"), view.A("aria-labelledby", "ask-p"), view.A("aria-describedby", "ask-note"),
		view.El("p", view.A("id", "ask-p"), view.El("b", l.Say("lab.ask-from"))),
		view.El("p", view.Class("row"),
			button("btn", ReplayPolicy{}, view.A("id", replayID), l.Say("lab.ask-start")),
			button("btn", ApplyPolicy{}, view.A("id", "apply-policy"), l.Say("lab.ask-now", "at", l.Seconds(m.pos.Now.Sub(clock.Start)))),
			button("btn btn--quiet", LeaveKnobs{}, view.A("id", "leave-knobs"), l.Say("lab.ask-leave"))),
		view.El("p", view.Class("note"), view.A("id", "ask-note"), l.Say("lab.ask-start-note")))
}
