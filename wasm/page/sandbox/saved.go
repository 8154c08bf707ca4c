package sandbox

import (
	"slices"
	"strconv"
	"strings"

	"retrylab.example/core/document"
	"retrylab.example/core/text"
	"retrylab.example/wasm/effect"
	"retrylab.example/wasm/progress"
	"retrylab.example/wasm/view/frame"
)

// Messages of what is kept by name.
type (
	// Name is what was typed as the name, Save saves what is open under it.
	Name struct{ Text string }
	Save struct{}
	// Open opens a saved scenario, Delete asks whether one shall go, Really lets it go, Leave does not.
	Open   struct{ Name string }
	Delete struct{ Name string }
	Really struct{}
	Leave  struct{}
	// Rename gives the open one that is saved the typed name.
	Rename struct{}
	// NotSaved tells that the browser had no room for what was to be saved. It stays in the list for as long as the page.
	NotSaved struct{}
	// Elsewhere tells that another tab has saved a scenario, or deleted it if it has no text. Open: it is what that tab has
	// open, saved so that this one does not write over it.
	Elsewhere struct {
		Name  string
		Bench progress.Bench
		Open  bool
	}
)

const deleteID = "sandbox-delete"

// kept does the messages of saved scenarios.
func (m *Model) kept(msg any) ([]effect.Effect, bool) {
	switch msg := msg.(type) {
	case Name:
		m.typed = msg.Text
	case Save:
		return m.save(), true
	case Rename:
		return m.moveTo(), true
	case Open:
		for _, b := range m.saved {
			if b.Name == msg.Name {
				return m.replace(b.Name, b.Text), true
			}
		}
	case Delete:
		m.asked = msg.Name
		return []effect.Effect{effect.Focus{ID: deleteID}}, true
	case Leave:
		m.asked = ""
		return []effect.Effect{effect.Focus{ID: savedID}}, true
	case Really:
		name := m.asked
		m.asked = ""
		m.saved = progress.Drop(m.saved, name)
		m.note("sandbox.deleted", false, "name", name)
		return append(m.announce(), effect.Store{Key: progress.SavedPrefix + name}, effect.Focus{ID: savedID}), true
	case NotSaved:
		m.note("sandbox.no-room", true)
		return m.announce(), true
	case Elsewhere:
		return m.elsewhere(msg), true
	default:
		return nil, false
	}
	return nil, true
}

// elsewhere takes up what another tab has done to the saved scenarios.
func (m *Model) elsewhere(msg Elsewhere) []effect.Effect {
	if msg.Bench.Text == "" {
		m.saved = progress.Drop(m.saved, msg.Name)
		return nil
	}
	m.saved = progress.Put(m.saved, msg.Bench)
	if !msg.Open {
		return nil
	}
	m.note("sandbox.elsewhere", false, "name", msg.Name)
	return m.announce()
}

// save saves what is open under the typed name.
func (m *Model) save() []effect.Effect {
	name := strings.TrimSpace(m.typed)
	at := slices.IndexFunc(m.saved, func(b progress.Bench) bool { return b.Name == name })
	switch {
	case name == "" || len([]rune(name)) > progress.MaxName:
		m.note("sandbox.bad-name", true, "n", strconv.Itoa(progress.MaxName))
		return append(m.announce(), effect.Focus{ID: nameID})
	case at < 0 && len(m.saved) >= progress.MaxSaved:
		m.note("sandbox.too-many", true, "n", strconv.Itoa(progress.MaxSaved))
		return m.announce()
	case len(m.text) > progress.MaxSandbox:
		m.note("sandbox.too-long", true)
		return m.announce()
	}
	b := progress.Bench{Name: name, Text: m.text}
	m.saved = progress.Put(m.saved, b)
	if name != m.name {
		m.past, m.undone = bounded(append(m.past, state{m.name, m.text})), nil
	}
	m.name = name
	m.note("sandbox.saved", false, "name", name)
	return append(append(m.announce(), effect.Store{Key: progress.SavedPrefix + name, Value: b.Write()}), m.keep()...)
}

// moveTo saves what is open under another name and takes the old one away.
func (m *Model) moveTo() []effect.Effect {
	old := m.name
	effects := m.save()
	if m.trouble || old == m.name {
		return effects
	}
	m.saved = progress.Drop(m.saved, old)
	return append(effects, effect.Store{Key: progress.SavedPrefix + old})
}

// isSaved reports whether what is open has a saved one of its name.
func (m *Model) isSaved() bool {
	return slices.ContainsFunc(m.saved, func(b progress.Bench) bool { return b.Name == m.name })
}

// starter is a situation to begin with.
type starter struct {
	id, text string
	node     *document.Node
}

// title and about return its texts.
func (s *starter) title(l text.Lang) string { return s.said("title", l) }
func (s *starter) about(l text.Lang) string { return s.said("about", l) }

func (s *starter) said(part string, l text.Lang) string {
	if n := s.node.At("/" + part + "/" + string(l)); n != nil {
		return n.Text
	}
	return ""
}

// file takes a file: one that the page has fetched, or a scenario that was chosen or dropped.
func (m *Model) file(f frame.File) []effect.Effect {
	fetched := m.fetching[f.Name]
	delete(m.fetching, f.Name)
	switch {
	case fetched && f.Trouble != "":
		m.failed = f.Trouble
		return nil
	case fetched && f.Name == formFile:
		form, err := readTable(f.Text)
		if err != nil {
			m.failed = err.Error()
			return nil
		}
		m.form = form
		return nil
	case fetched:
		m.readStarters(f.Text)
		return nil
	}
	if f.Trouble == "" && len(f.Text) > progress.MaxSandbox {
		f.Trouble = m.say("sandbox.too-long")
	}
	if f.Trouble == "" && strings.ToValidUTF8(f.Text, "") != f.Text {
		_, _, err := document.Read(f.Name, []byte(f.Text))
		f.Trouble = m.Settings.Lang.FaultLine(document.FaultsOf(err)[0])
	}
	if f.Trouble != "" {
		m.note("author.not-opened", true, "name", f.Name, "why", f.Trouble)
		return m.announce()
	}
	effects := m.replace(strings.TrimSuffix(strings.TrimSuffix(f.Name, ".json"), ".scenario"), unix(f.Text))
	if len(m.faults) > 0 {
		m.note("sandbox.opened-faulty", true, "n", strconv.Itoa(len(m.faults)))
		effects = append(effects, m.announce()...)
	}
	return effects
}

func (m *Model) readStarters(data string) {
	_, root, err := document.Read(startersFile, []byte(data))
	if err != nil {
		m.failed = err.Error()
		return
	}
	for _, n := range root.Items {
		id, sc := n.Child("id"), n.Child("scenario")
		if id != nil && sc != nil {
			m.starters = append(m.starters, starter{id.Text, unindented(sc.Written()), n})
		}
	}
}

// unindented takes away what a scenario is indented by where it stands in its file.
func unindented(s string) string { return strings.ReplaceAll(s, "\n  ", "\n") + "\n" }
