// Package sandbox is the page of free play: a scenario that is edited beside its run. The JSON text is the only truth;
// the form changes it in its places. What runs is the last text without a fault.
package sandbox

import (
	"strings"

	"retrylab.example/core/document"
	"retrylab.example/core/lesson"
	"retrylab.example/core/text"
	"retrylab.example/wasm/effect"
	"retrylab.example/wasm/progress"
	"retrylab.example/wasm/view"
	"retrylab.example/wasm/view/frame"
)

// Hash is the address of the page.
const Hash = "#/sandbox"

// StepID is the id of the lesson that the page makes of its scenario, and of that lesson's one step.
const StepID = "sandbox"

// Bench is the run beside the editor. The shell makes it of the lab page, for a page knows no other page.
type Bench interface {
	Update(msg any) []effect.Effect
	// With draws the whole page, with the editor in the place of a lesson's text.
	With(editor []view.Node) view.Node
	// Revise returns the bench for an edited scenario; what was done stays as far as it fits.
	Revise(l *lesson.Lesson) (Bench, []effect.Effect)
	History() string
	Set(s frame.Settings)
}

// Kept is what the browser keeps of the sandbox.
type Kept struct {
	// Open is what was open, Next what another page hands over; both may be empty.
	Open, Next progress.Bench
	// Saved holds the saved scenarios by their names, in order.
	Saved []progress.Bench
}

// Model is everything that the page shows.
type Model struct {
	Settings frame.Settings
	bench    Bench
	form     table
	starters []starter
	fetching map[string]bool // what was asked for and has not come: a reader's own file may have the same name
	failed   string          // why the form or the starting situations could not be fetched

	name   string
	text   string
	undone []state
	past   []state
	doc    *document.Node // the text as it was read last while it was JSON
	faults document.Faults
	broken bool // the text is no JSON

	picked  map[string]int // which element of a list is shown, by its JSON pointer; looked up only
	copies  int            // how many more clients like one are made
	raw     bool           // the JSON is shown in the place of the form
	saved   []progress.Bench
	asked   string // the name of what is to be deleted
	typed   string // the name under which it is saved next
	notice  string
	trouble bool // the notice is one of something that went wrong
}

// state is what undo brings back: the text, and the name under which it is open.
type state struct{ name, text string }

// Most of what can be undone.
const (
	mostChanges = 100
	mostBytes   = 8 << 20
)

// New returns the page. make makes the bench of the first scenario, with what was done in it.
func New(s frame.Settings, k Kept, make func(l *lesson.Lesson, history string) Bench) *Model {
	m := &Model{Settings: s, saved: k.Saved, picked: map[string]int{}, fetching: map[string]bool{}, copies: 10, text: begin}
	open := k.Open
	if k.Next.Text != "" {
		if open.Text != "" {
			m.past = append(m.past, state{open.Name, open.Text})
		}
		open = k.Next
	}
	if open.Text != "" {
		m.name, m.text = open.Name, open.Text
	}
	m.typed = m.name
	l, ok := m.read()
	if !ok {
		st, _ := lesson.ReadFreeFile("sandbox", []byte(begin)) // something must run beside a text with faults
		l = Lesson(st)
		open.Run = ""
	}
	m.bench = make(l, open.Run)
	return m
}

// begin is the scenario that the page begins with.
const begin = `{
  "seed": 1,
  "latency": "50ms",
  "partner": {},
  "script": [],
  "clients": [
    {"name": "shop", "policy": {"preset": "contract-a"}, "request": {"key": "order-1"}}
  ],
  "inputs": []
}
`

// Lesson puts a scenario with its goals into a lesson of one step in which everything may be done.
func Lesson(st lesson.Step) *lesson.Lesson {
	st.ID, st.Allow = StepID, lesson.Allow{
		Fire: true, FreeKey: true, Methods: []string{"GET", "POST", "PUT", "DELETE", "PATCH"},
		Times: []int{1, 2, 10, 100}, Amounts: []int64{1, 10, 100}, Inject: lesson.Injectable(), Knobs: lesson.Knobs(),
	}
	l := &lesson.Lesson{ID: StepID, Steps: []lesson.Step{st}}
	for _, lang := range text.Langs() {
		l.Languages = append(l.Languages, string(lang))
		l.Title = append(l.Title, lesson.Translation{Lang: string(lang), Text: lang.Say("sandbox.title")})
	}
	l.Steps[0].Title = l.Title
	return l
}

// Bench returns the run beside the editor.
func (m *Model) Bench() Bench { return m.bench }

// Title returns what the browser's tab shows.
func (m *Model) Title() string { return m.say("sandbox.title") + " · Retry Lab" }

func (m *Model) say(name string, args ...string) string { return m.Settings.Lang.Say(name, args...) }

// Set tells the page what the learner has chosen for the whole program.
func (m *Model) Set(s frame.Settings) {
	if s.Lang != m.Settings.Lang {
		m.notice = "" // it was said in the other language
	}
	m.Settings = s
	m.bench.Set(s)
}

// Visit fetches what the form is drawn from, and keeps what was handed over.
func (m *Model) Visit() []effect.Effect {
	effects := []effect.Effect{effect.Store{Key: progress.SandboxNext}}
	for _, name := range []string{formFile, startersFile} {
		if !m.fetching[name] {
			m.fetching[name] = true
			effects = append(effects, effect.Fetch{Name: name})
		}
	}
	return append(effects, m.keep()...)
}

// The files of the site that the page fetches.
const (
	formFile     = "form.json"
	startersFile = "starters.json"
)

// read reads the text, and returns the lesson of the scenario and its goals if it has no fault.
func (m *Model) read() (l *lesson.Lesson, ok bool) {
	doc, root, err := document.Read("scenario.json", []byte(m.text))
	if err != nil {
		m.broken, m.faults = true, document.FaultsOf(err)
		return nil, false
	}
	l = Lesson(lesson.ReadFree(root))
	m.broken, m.doc, m.faults = false, root, document.FaultsOf(doc.Err())
	return l, len(m.faults) == 0
}

// set puts another text in the place of the one that is there, and lets it run if it has no fault.
func (m *Model) set(text string) []effect.Effect { return m.setAs(m.name, text) }

// setAs is set, under another name.
func (m *Model) setAs(name, text string) []effect.Effect {
	if text == m.text && name == m.name {
		return nil
	}
	m.past, m.undone = bounded(append(m.past, state{m.name, m.text})), nil
	m.name = name
	return m.show(text)
}

func bounded(past []state) []state {
	size := 0
	for i := len(past) - 1; i >= 0; i-- {
		if size += len(past[i].text); size > mostBytes || len(past)-i > mostChanges {
			return past[i+1:]
		}
	}
	return past
}

func (m *Model) show(text string) []effect.Effect {
	m.text = text
	l, ok := m.read()
	effects := []effect.Effect{effect.SetValue{ID: jsonID, Value: m.text}}
	if ok {
		var more []effect.Effect
		m.bench, more = m.bench.Revise(l)
		effects = append(effects, more...)
	}
	return append(effects, m.keep()...)
}

// keep stores what is open, with what was done in it.
func (m *Model) keep() []effect.Effect {
	b := progress.Bench{Name: m.name, Text: m.text}
	return []effect.Effect{
		effect.Store{Key: progress.SandboxKey, Value: b.Write()}, effect.Store{Key: progress.SandboxRun, Value: m.bench.History()},
	}
}

// edit changes the text in its place.
func (m *Model) edit(e document.Edit) []effect.Effect { return m.set(e.Apply(m.text)) }

// at returns the value at a JSON pointer, nil while there is none or the text is no JSON.
func (m *Model) at(pointer string) *document.Node {
	if m.doc == nil || m.broken {
		return nil
	}
	return m.doc.At(pointer)
}

// unix returns a text with the ends of lines that a field has.
func unix(s string) string {
	return strings.ReplaceAll(strings.ReplaceAll(strings.TrimPrefix(s, "\ufeff"), "\r\n", "\n"), "\r", "\n")
}
