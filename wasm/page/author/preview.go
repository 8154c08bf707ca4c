package author

import (
	"strconv"

	"retrylab.example/core/document"
	"retrylab.example/core/lesson"
	"retrylab.example/core/text"
	"retrylab.example/wasm/effect"
)

// Messages of the preview.
type (
	// PreviewLang shows the preview in a language.
	PreviewLang struct{ Tag string }
	// Fails chooses which check the wrong answer fails that is taken next.
	Fails struct{ ID string }
	// TakeSolution and TakeWrong write what was played into the lesson.
	TakeSolution struct{}
	TakeWrong    struct{}
	// Again begins the preview anew.
	Again struct{}
)

// rebuild makes the bench anew, for another text, step or language; what was done in it is done again.
func (m *Model) rebuild() {
	if m.pane != "preview" {
		return
	}
	history := ""
	if m.bench != nil {
		history = m.bench.History()
	}
	m.bench = nil
	if m.sound == nil || m.step >= len(m.sound.Lesson.Steps) {
		return
	}
	s := m.Settings
	s.Lang = m.benchLang
	m.bench = m.newBench(Preview{s, &m.sound.Lesson, m.step, history})
}

// tried does the messages of the strip above the preview, and those of the proof.
func (m *Model) tried(msg any) ([]effect.Effect, bool) {
	switch msg := msg.(type) {
	case PreviewLang:
		if l, ok := text.Parse(msg.Tag); ok {
			m.benchLang = l
			m.rebuild()
		}
	case Fails:
		m.fails = msg.ID
	case Again:
		m.bench = nil
		m.rebuild()
	case TakeSolution:
		return m.take("/solution"), true
	case TakeWrong:
		return m.take("/wrong"), true
	default:
		return m.proved(msg)
	}
	return nil, true
}

// played gives a message to the preview. What the preview would keep is not kept: it is no progress.
func (m *Model) played(msg any) []effect.Effect {
	b := m.Bench()
	if b == nil {
		return nil
	}
	var effects []effect.Effect
	for _, e := range b.Update(msg) {
		if _, keeps := e.(effect.Store); !keeps {
			effects = append(effects, e)
		}
	}
	return effects
}

// recorded returns the step that was played and what was done in it.
func (m *Model) recorded() (*lesson.Step, lesson.Answer, bool) {
	if m.bench == nil || m.stale || m.sound != m.r {
		return nil, lesson.Answer{}, false
	}
	s := &m.sound.Lesson.Steps[m.step]
	return s, m.bench.Answer(), s.Plays()
}

// take writes what was played into the lesson, as the step's solution or as one more wrong answer.
func (m *Model) take(part string) []effect.Effect {
	if m.stale {
		m.read()
	}
	s, a, ok := m.recorded()
	if !ok {
		m.notice = m.say("author.not-taken")
		return []effect.Effect{effect.Announce{Text: m.notice}}
	}
	grade, _ := s.Grade(a)
	answer := `"inputs":` + string(s.Scenario.WriteInputs(a.Inputs))
	if a.Prediction != "" {
		answer += `,"prediction":` + document.Quote(a.Prediction)
	}
	var effects []effect.Effect
	pointer := m.stepPointer() + part
	n := strconv.Itoa(len(a.Inputs))
	if part == "/solution" {
		m.notice = m.say("author.took-solution", "n", n)
		if !grade.Solved {
			m.notice += " " + m.say("author.took-unsolved")
		}
		effects = m.set(pointer, "{"+answer+"}")
		m.typed = typed{}
	} else {
		fails := m.failsNow(s, grade)
		m.notice = m.say("author.took-wrong", "n", n, "check", fails)
		if grade.Solved {
			m.notice += " " + m.say("author.took-solved")
		}
		id := m.freeID(pointer, "wrong")
		effects = m.insert(pointer, `{"id":`+document.Quote(id)+","+answer+`,"fails":`+document.Quote(fails)+"}")
	}
	m.past.open = false
	m.read()
	return append(effects, effect.Announce{Text: m.notice})
}

// failsNow returns the check that a wrong answer is said to fail: the chosen one, or the first that does fail.
func (m *Model) failsNow(s *lesson.Step, g lesson.Grade) string {
	ids := failable(s)
	if hasLang(ids, m.fails) {
		return m.fails
	}
	for i, r := range g.Results {
		if r.State != lesson.Holds {
			return s.Checks[i].ID
		}
	}
	if len(ids) == 0 {
		return ""
	}
	return ids[len(ids)-1]
}

// failable lists what a wrong answer of the step can fail.
func failable(s *lesson.Step) []string {
	var ids []string
	for i := range s.Checks {
		ids = append(ids, s.Checks[i].ID)
	}
	if s.Kind == lesson.Predict {
		ids = append(ids, "prediction")
	}
	return ids
}

// freeID returns an id that no element of a list has yet.
func (m *Model) freeID(list, word string) string {
	used := map[string]bool{}
	if n := m.at(list); n != nil {
		for _, item := range n.Items {
			if id := item.Child("id"); id != nil {
				used[id.Text] = true
			}
		}
	}
	for i := 1; ; i++ {
		if id := word + "-" + strconv.Itoa(i); !used[id] {
			return id
		}
	}
}
