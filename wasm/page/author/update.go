package author

import (
	"strconv"
	"strings"

	"retrylab.example/core/document"
	"retrylab.example/core/lesson"
	"retrylab.example/wasm/effect"
	"retrylab.example/wasm/view/frame"
)

// Messages of the page.
type (
	// Typed is the whole text of the JSON field after a key. Quiet says that nothing was typed since the edit.
	Typed struct{ Text string }
	Quiet struct{ Edit int }
	// Undo takes the last edit back, Redo does it again.
	Undo struct{}
	Redo struct{}
	// Begin begins a lesson, Source chooses one of the course, Copy begins with it. Save hands the file out.
	Begin  struct{}
	Source struct{ ID string }
	Copy   struct{}
	Save   struct{}
	// Pane shows a part of the page. Lang chooses in which language the form shows the texts.
	Pane struct{ Name string }
	Lang struct{ Tag string }
	// Step chooses the step of the form and the preview by its place, ShowStep by its id.
	Step     struct{ Index int }
	ShowStep struct{ ID string }
	// Kind chooses what kind of step is added next, AddStep adds it.
	Kind    struct{ Name string }
	AddStep struct{}
	// Jump shows a value in the JSON field, JumpTo a line.
	Jump   struct{ Pointer string }
	JumpTo struct{ Line, Column int }
)

// Messages of the form. Pointers are JSON pointers.
type (
	// SetString, SetNumber, SetFlag and SetWords write a field; SetRaw one whose value is written as JSON.
	SetString struct{ Pointer, Value string }
	SetNumber struct{ Pointer, Value string }
	SetFlag   struct {
		Pointer string
		On      bool
	}
	SetWords struct {
		Pointer, Value string
		Numbers        bool
	}
	SetRaw struct{ Pointer, Value string }
	// SetCheckKind gives a check another kind, with the fields that it needs.
	SetCheckKind struct{ Pointer, Kind string }
	// Insert adds a JSON value to a list, and Remove takes one out; Move shifts one. Toggle puts a word in or out.
	Insert struct{ List, Value string }
	Remove struct{ Pointer string }
	Move   struct {
		List  string
		I, By int
	}
	Toggle struct{ List, Word string }
)

// Update does what a message says. What is no message of this page is one of its preview.
func (m *Model) Update(msg any) []effect.Effect {
	if effects, ok := m.written(msg); ok {
		return effects
	}
	if effects, ok := m.formed(msg); ok {
		return effects
	}
	if effects, ok := m.tried(msg); ok {
		return effects
	}
	if effects, ok := m.looked(msg); ok {
		return effects
	}
	return m.played(msg)
}

// written does the messages of the text as a whole.
func (m *Model) written(msg any) ([]effect.Effect, bool) {
	switch msg := msg.(type) {
	case Typed:
		return m.write(msg.Text), true
	case Quiet:
		if msg.Edit != m.edits {
			return nil, true
		}
		m.past.open, m.typed = false, typed{}
		if m.stale {
			m.read()
		}
		return m.Leave(), true
	case Undo:
		return m.undo(), true
	case Redo:
		return m.redo(), true
	case Begin:
		m.notice = m.say("author.opened")
		return m.replace(newName, newLesson()), true
	case Source:
		m.source = msg.ID
	case Copy:
		if i := m.catalog.Find(m.source); i >= 0 {
			return []effect.Effect{effect.Fetch{Name: "lessons/" + m.catalog.Lessons[i].File}}, true
		}
	case frame.File:
		return m.open(msg), true
	case Save:
		return append(m.Leave(), effect.Download{Name: m.name, Text: m.fileText()}), true
	default:
		return nil, false
	}
	return nil, true
}

// open takes a file. A text that is no UTF-8 cannot be edited without losing something of it.
func (m *Model) open(f frame.File) []effect.Effect {
	if f.Trouble == "" && len(f.Text) > document.MaxBytes {
		f.Trouble = m.lang0().FaultLine(lesson.Inspect(f.Name, []byte(f.Text)).Faults()[0])
	}
	if f.Trouble == "" && strings.ToValidUTF8(f.Text, "") != f.Text {
		f.Trouble = m.lang0().FaultLine(lesson.Inspect(f.Name, []byte(f.Text)).Faults()[0])
	}
	if f.Trouble != "" {
		m.notice = m.say("author.not-opened", "name", f.Name, "why", f.Trouble)
		return []effect.Effect{effect.Announce{Text: m.notice}}
	}
	m.notice = m.say("author.opened")
	return append(m.replace(f.Name, f.Text), effect.Announce{Text: m.notice})
}

// fileText returns the text with the ends of lines that the file had.
func (m *Model) fileText() string {
	if m.crlf {
		return strings.ReplaceAll(m.text, "\n", "\r\n")
	}
	return m.text
}

// formed does the messages of the form.
func (m *Model) formed(msg any) ([]effect.Effect, bool) {
	m.notice = ""
	switch msg := msg.(type) {
	case SetString:
		return m.set(msg.Pointer, document.Quote(msg.Value)), true
	case SetNumber:
		return m.set(msg.Pointer, scalar(msg.Value)), true
	case SetFlag:
		return m.set(msg.Pointer, strconv.FormatBool(msg.On)), true
	case SetWords:
		return m.set(msg.Pointer, words(msg.Value, msg.Numbers)), true
	case SetRaw:
		return m.setRaw(msg), true
	case SetCheckKind:
		return m.setCheckKind(msg), true
	case Insert:
		return m.inserted(msg.List, m.insert(msg.List, msg.Value)), true
	case AddStep:
		effects := m.insert("/steps", newStep(m.add, m.freeID("/steps", "step"), m.langs()))
		m.step = max(len(m.steps())-1, 0)
		m.rebuild()
		return append(effects, effect.Focus{ID: fieldID(m.stepPointer() + "/id")}), true
	case Remove:
		list, _ := cut(msg.Pointer)
		return append(m.remove(msg.Pointer), effect.Focus{ID: listID(list)}), true
	case Move:
		effects := m.move(msg.List, msg.I, msg.By)
		if msg.List == "/steps" && m.step == msg.I {
			m.step = min(max(m.step+msg.By, 0), len(m.steps())-1)
			m.rebuild()
		}
		return effects, true
	case Toggle:
		return m.toggle(msg.List, msg.Word), true
	}
	return nil, false
}

// inserted moves the focus to the first field of the element that was added to a list.
func (m *Model) inserted(list string, effects []effect.Effect) []effect.Effect {
	n := m.at(list)
	if n == nil || len(n.Items) == 0 {
		return effects
	}
	last := list + "/" + strconv.Itoa(len(n.Items)-1)
	if item := m.at(last); item.Child("id") != nil {
		last += "/id"
	}
	return append(effects, effect.Focus{ID: fieldID(last)})
}

// setRaw writes a value that was typed as JSON. A broken one is not written: it would break all of the text.
func (m *Model) setRaw(msg SetRaw) []effect.Effect {
	if n := m.at(msg.Pointer); n != nil && n.Written() == msg.Value {
		return nil
	}
	if _, _, err := document.Read("", []byte(msg.Value)); err != nil {
		m.notice = m.say("author.raw-broken", "why", m.lang0().FaultLine(document.FaultsOf(err)[0]))
		return []effect.Effect{effect.Announce{Text: m.notice}, effect.Focus{ID: fieldID(msg.Pointer)}}
	}
	effects := m.set(msg.Pointer, msg.Value)
	m.typed = typed{}
	m.read()
	return effects
}

// looked does the messages that only change what is shown.
func (m *Model) looked(msg any) ([]effect.Effect, bool) {
	switch msg := msg.(type) {
	case Pane:
		m.pane = msg.Name
		if m.pane == "preview" {
			if m.stale {
				m.read()
			}
			m.rebuild()
			return []effect.Effect{effect.Focus{ID: previewID}}, true
		}
	case Lang:
		m.lang = msg.Tag
	case Step:
		m.choose(msg.Index)
	case ShowStep:
		for i, s := range m.steps() {
			if id := s.Child("id"); id != nil && id.Text == msg.ID {
				m.choose(i)
			}
		}
	case Kind:
		m.add = msg.Name
	case Jump:
		if m.fresh() {
			if n := m.at(msg.Pointer); n != nil {
				return m.jump(n.Span()), true
			}
		}
	case JumpTo:
		return m.jump(place(m.text, msg.Line, msg.Column), 0), true
	default:
		return nil, false
	}
	return nil, true
}

func (m *Model) choose(step int) {
	if step != m.step && step >= 0 && step < len(m.steps()) {
		m.step = step
		m.bench = nil
		m.rebuild()
	}
}

// steps returns the steps as they are written.
func (m *Model) steps() []*document.Node {
	if n := m.at("/steps"); n != nil {
		return n.Items
	}
	return nil
}

func (m *Model) stepPointer() string { return "/steps/" + strconv.Itoa(m.step) }

// langs returns the languages of the lesson.
func (m *Model) langs() []string {
	if m.form == nil {
		return nil
	}
	return m.form.Lesson.Languages
}
