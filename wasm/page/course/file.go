package course

import (
	"retrylab.example/core/document"
	"retrylab.example/core/lesson"
	"retrylab.example/wasm/effect"
	"retrylab.example/wasm/progress"
	"retrylab.example/wasm/view"
	"retrylab.example/wasm/view/frame"
)

// opened is the lesson that was opened from a file, which is not trusted and not part of the course.
type opened struct {
	kept   progress.File
	title  lesson.Text
	id     string
	name   string // of the file that was refused last
	faults document.Faults
}

// RemoveFile forgets the lesson from a file, with its progress.
type RemoveFile struct{}

// Ids of what the focus moves to.
const (
	pickID   = "open-file"
	faultsID = "file-faults"
)

// mostFaults is how many faults of a file are listed.
const mostFaults = 20

// Keep tells the page of the file that the browser keeps.
func (m *Model) Keep(f progress.File) {
	l, err := lesson.Read(f.Name, []byte(f.Text))
	if err != nil {
		return // kept by another version of the program
	}
	m.file.kept, m.file.title, m.file.id = f, l.Title, l.ID
}

// Update opens files, and saves and takes up progress; else the overview only links.
func (m *Model) Update(msg any) []effect.Effect {
	if effects, ok := m.keeping(msg); ok {
		return effects
	}
	switch msg := msg.(type) {
	case frame.File:
		return m.open(msg)
	case RemoveFile:
		m.file = opened{}
		return []effect.Effect{effect.Forget{Prefix: progress.Files}, effect.Focus{ID: pickID}, effect.Announce{Text: m.Settings.Lang.Say("file.removed")}}
	}
	return nil
}

// open reads a file. A good lesson is kept and shown; another one of its id keeps its progress, for an author opens the
// same lesson again and again.
func (m *Model) open(f frame.File) []effect.Effect {
	r := lesson.Inspect(f.Name, []byte(f.Text))
	m.file.name, m.file.faults = f.Name, r.Faults()
	if f.Trouble != "" {
		m.file.faults = document.Faults{{File: f.Name, Problem: f.Trouble}}
	}
	if len(m.file.faults) > 0 {
		return []effect.Effect{effect.Focus{ID: faultsID}}
	}
	var effects []effect.Effect
	if m.file.id != r.Lesson.ID {
		effects = append(effects, effect.Forget{Prefix: progress.Files})
	}
	kept := progress.File{Name: f.Name, Text: f.Text}
	return append(effects, effect.Store{Key: progress.OpenedKey, Value: kept.Write()}, effect.Go{Hash: "#/file"})
}

// fileSection lets the reader open a lesson from a file, and says what is wrong with one that is none.
func (m *Model) fileSection() view.Node {
	l := m.Settings.Lang
	parts := []any{view.A("aria-labelledby", "file-h"), view.El("h2", view.A("id", "file-h"), l.Say("file.open-title")),
		view.El("p", l.Say("file.open-note")), view.El("p", view.Class("row"), frame.FilePicker(pickID, l.Say("file.open"), ""))}
	if m.file.id != "" {
		parts = append(parts, view.El("div", view.Class("filekept"),
			view.El("p", view.El("a", view.A("href", "#/file"), m.written(m.file.title)), " ", view.Code(m.file.kept.Name)),
			view.El("p", view.Class("note"), l.Say("file.mark")),
			view.El("p", view.Class("row"), view.El("a", view.Class("btn btn--s"), view.A("href", "#/file"), l.Say("course.continue")),
				view.El("button", view.Class("btn btn--s btn--quiet"), view.A("type", "button"), view.Click(RemoveFile{}), l.Say("file.remove")))))
	}
	if len(m.file.faults) > 0 {
		parts = append(parts, view.El("div", view.Class("filebad"), view.A("id", faultsID), view.A("tabindex", "-1"),
			view.A("role", "group"), view.A("aria-labelledby", faultsID+"-h"),
			view.El("h3", view.A("id", faultsID+"-h"), l.Say("file.bad"), " ", view.Code(m.file.name)),
			frame.Faults(l, m.file.faults, mostFaults, nil)))
	}
	return view.El("section", parts...)
}
