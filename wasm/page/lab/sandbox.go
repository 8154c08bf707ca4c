package lab

import (
	"retrylab.example/core/lesson"
	"retrylab.example/wasm/effect"
	"retrylab.example/wasm/progress"
	"retrylab.example/wasm/view"
	"retrylab.example/wasm/view/frame"
)

// ToSandbox opens what is shown in the sandbox: the scenario, all that was done in it, and the clock.
type ToSandbox struct{}

// With draws the page of the sandbox, with its editor in the place of a lesson's text.
func (m *Model) With(editor []view.Node) view.Node {
	m.editor = editor
	return m.View()
}

// Set tells the page what the learner has chosen for the whole program.
func (m *Model) Set(s frame.Settings) { m.Settings = s }

// toSandbox hands the run over. The learner's own history of this step stays as it is.
func (m *Model) toSandbox() []effect.Effect {
	st := m.current()
	if st == nil || !st.Plays() || m.place.Free {
		return nil
	}
	name, _ := st.Title.In(string(m.lang()))
	next := progress.Bench{Name: name, Text: string(lesson.WriteFree(&st.Scenario, st.Asked())), Run: m.History()}
	return []effect.Effect{effect.Store{Key: progress.SandboxNext, Value: next.Write()}, effect.Go{Hash: "#/sandbox"}}
}

// sandboxButton leads there from every step that is played.
func (m *Model) sandboxButton(class string) any {
	st := m.current()
	if st == nil || !st.Plays() || m.place.Free || m.place.Part {
		return nil
	}
	return button(class, ToSandbox{}, view.A("aria-label", m.lang().Say("sandbox.open")), view.Icon("sliders"),
		view.El("span", view.Class("btn__t"), m.lang().Say("sandbox.title")))
}

func (m *Model) sandboxHead() view.Node {
	return view.El("h2", view.Class("step-h"), view.A("id", titleID), view.A("tabindex", "-1"), m.lang().Say("sandbox.pane"))
}
