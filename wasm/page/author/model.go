// Package author is the page on which a lesson is written: its JSON beside a form, a preview that is played, and the
// proof. The JSON text is the only truth; a form changes it in its place, so that all else stays as the author wrote it.
package author

import (
	"strings"

	"retrylab.example/core/document"
	"retrylab.example/core/lesson"
	"retrylab.example/core/text"
	"retrylab.example/wasm/catalog"
	"retrylab.example/wasm/effect"
	"retrylab.example/wasm/progress"
	"retrylab.example/wasm/view"
	"retrylab.example/wasm/view/frame"
)

// Base is how the addresses of the steps of the preview begin.
const Base = "#/author/"

// Bench is a step that is played. The shell makes it of the lab page, for a page knows no other page.
type Bench interface {
	Update(msg any) []effect.Effect
	View() view.Node
	// Answer is what was done; History is what a new bench goes on from.
	Answer() lesson.Answer
	History() string
}

// Preview says what a bench is to show.
type Preview struct {
	Settings frame.Settings
	Lesson   *lesson.Lesson
	Step     int
	History  string
}

// Model is everything that the page shows.
type Model struct {
	Settings frame.Settings

	catalog  *catalog.Catalog
	newBench func(Preview) Bench

	name string
	text string
	crlf bool // the file's lines end as on Windows; they do so again when it is downloaded
	past past

	stale  bool // the text has changed since it was read
	edits  int  // counts changes, to know when no more come
	unkept bool // the text has changed since it was kept
	typed  typed

	r     *lesson.Reading // the text as it was read last
	form  *lesson.Reading // the last that was JSON: what the form shows
	sound *lesson.Reading // the last that could be played, and so previewed; nil if none could

	pane   string // "form", "json" or "preview"; the first two stand side by side where there is room
	lang   string // in which the form shows the texts
	step   int    // the step that the form and the preview show
	add    string // the kind of step that is added next
	source string // the lesson that is copied next
	notice string

	bench       Bench
	benchLang   text.Lang
	fails       string // what the next recorded wrong answer fails
	proof       proof
	nextProofID int
}

// New returns the page with the draft that the browser kept, or with a new lesson.
func New(s frame.Settings, c *catalog.Catalog, draft progress.File, bench func(Preview) Bench) *Model {
	m := &Model{
		Settings: s, catalog: c, newBench: bench, pane: "form", add: lesson.Play.String(), benchLang: s.Lang,
		name: draft.Name, text: draft.Text,
	}
	if draft.Name == "" {
		m.name, m.text = newName, newLesson()
	}
	if len(c.Lessons) > 0 {
		m.source = c.Lessons[0].ID
	}
	m.text, m.crlf = unixLines(m.text)
	m.read()
	m.lang = m.firstLang()
	return m
}

// What a new lesson is called.
const (
	newID   = "my-lesson"
	newName = newID + ".json"
)

// newLesson returns the lesson that `retrylab new` writes, in all languages.
func newLesson() string {
	data, err := lesson.New(newID, lesson.TemplateLanguages())
	if err != nil {
		panic(err) // the id and the languages are good
	}
	return string(data)
}

// unixLines returns a text as a browser's field holds it.
func unixLines(s string) (lines string, crlf bool) {
	crlf = strings.Contains(s, "\r\n")
	return strings.ReplaceAll(strings.ReplaceAll(strings.TrimPrefix(s, "\ufeff"), "\r\n", "\n"), "\r", "\n"), crlf
}

// Bench returns the preview that is shown, nil if none is.
func (m *Model) Bench() Bench {
	if m.pane != "preview" {
		return nil
	}
	return m.bench
}

// Title returns what the browser's tab shows.
func (m *Model) Title() string {
	return m.name + " · " + m.lang0().Say("author.title") + " · Retry Lab"
}

func (m *Model) lang0() text.Lang { return m.Settings.Lang }

func (m *Model) say(name string, args ...string) string { return m.Settings.Lang.Say(name, args...) }

// Visit fills the field, which the browser may have kept from before.
func (m *Model) Visit() []effect.Effect {
	return []effect.Effect{effect.SetValue{ID: jsonID, Value: m.text}}
}

// Leave keeps what was not kept yet.
func (m *Model) Leave() []effect.Effect {
	if !m.unkept {
		return nil
	}
	m.unkept = false
	draft := progress.File{Name: m.name, Text: m.text}
	return []effect.Effect{effect.Store{Key: progress.DraftKey, Value: draft.Write()}}
}

// read reads the text. What depends on it follows: the form, and the preview where the lesson can be played.
func (m *Model) read() {
	m.stale = false
	m.r = lesson.Inspect(m.name, []byte(m.text))
	if m.r.Root == nil {
		return
	}
	m.form = m.r
	m.step = min(m.step, max(len(m.steps())-1, 0))
	if !hasLang(m.r.Lesson.Languages, m.lang) {
		m.lang = m.firstLang()
	}
	// A text that is missing has one fault, and hinders nobody from playing.
	if faults := len(m.r.Faults()); faults <= document.MaxFaults && faults == len(m.r.Gaps()) {
		m.sound = m.r
		m.rebuild()
	}
}

func hasLang(list []string, lang string) bool {
	for _, l := range list {
		if l == lang {
			return true
		}
	}
	return false
}

// firstLang is the reader's language if the lesson has it, else the lesson's own.
func (m *Model) firstLang() string {
	list := m.langs()
	if len(list) == 0 || hasLang(list, string(m.Settings.Lang)) {
		return string(m.Settings.Lang)
	}
	return list[0]
}
