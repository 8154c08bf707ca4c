package course

import (
	"strconv"

	"retrylab.example/wasm/effect"
	"retrylab.example/wasm/progress"
	"retrylab.example/wasm/view"
	"retrylab.example/wasm/view/frame"
)

// Messages about the progress that is kept.
type (
	// SaveProgress hands it out as a file.
	SaveProgress struct{}
	// TakeProgress takes up the file that was chosen: in the place of what is kept, or beside it.
	TakeProgress struct{ Replace bool }
)

// taking is a file with progress that was chosen and not taken up yet, and what there is to say of the last one.
type taking struct {
	text   string
	backup progress.Backup
	said   string
	failed bool
}

const (
	takeID = "take-progress"
	saidID = "progress-said"
)

// keeping does a message about the kept progress, and reports whether it was one.
func (m *Model) keeping(msg any) ([]effect.Effect, bool) {
	switch msg := msg.(type) {
	case frame.File:
		_, err := progress.ReadBackup(msg.Text)
		if msg.Picker != takeID && err == any(progress.NoBackup) || msg.Picker == pickID || msg.Trouble != "" && msg.Picker != takeID {
			return nil, false // a lesson
		}
		return m.look(msg), true
	case TakeProgress:
		text := m.taking.text
		m.taking = taking{}
		return []effect.Effect{effect.TakeProgress{Text: text, Replace: msg.Replace}}, true
	case SaveProgress:
		m.taking = taking{}
		return []effect.Effect{effect.SaveProgress{}}, true
	case frame.Saved:
		m.taking.said = m.Settings.Lang.Say("backup.saved", "name", msg.Name)
	case frame.NotTaken:
		m.taking.said, m.taking.failed = m.Settings.Lang.Say(msg.Why), true
	default:
		return nil, false
	}
	return []effect.Effect{effect.Announce{Text: m.taking.said}}, true
}

// look reads a file with progress, and asks what to do with it or says why nothing can be done.
func (m *Model) look(f frame.File) []effect.Effect {
	l := m.Settings.Lang
	m.taking = taking{text: f.Text}
	var err error
	m.taking.backup, err = progress.ReadBackup(f.Text)
	switch {
	case f.Trouble != "":
		m.taking = taking{said: l.Say("backup.unread", "why", f.Trouble), failed: true}
	case err != nil:
		m.taking = taking{said: l.Say(err.Error()), failed: true}
	default:
		return []effect.Effect{effect.Show{ID: frame.TakeID}}
	}
	return []effect.Effect{effect.Focus{ID: saidID}}
}

// progressSection says where progress is kept, and lets the reader save it, take it from a file and reset it.
func (m *Model) progressSection() view.Node {
	l := m.Settings.Lang
	parts := []any{view.A("aria-labelledby", "progress-h"), view.El("h2", view.A("id", "progress-h"), l.Say("course.progress")),
		view.El("p", l.Say("course.progress-kept")+" "+l.Say("backup.note")),
		view.El("p", view.Class("row"), quiet(SaveProgress{}, l.Say("backup.save")),
			frame.FilePicker(takeID, l.Say("backup.open"), "btn--s"), quiet(frame.Open{ID: frame.ResetID}, l.Say("reset.open")))}
	if m.taking.said != "" {
		class := "note"
		if m.taking.failed {
			class = "notice"
		}
		parts = append(parts, view.El("p", view.Class(class), view.A("id", saidID), view.A("tabindex", "-1"), m.taking.said))
	}
	return view.El("section", parts...)
}

func quiet(msg any, label string) view.Node {
	return view.El("button", view.Class("btn btn--s"), view.A("type", "button"), view.Click(msg), label)
}

// takeDialog asks what to do with the progress of a file.
func (m *Model) takeDialog() view.Node {
	l, b := m.Settings.Lang, &m.taking.backup
	count := func(name string, book *progress.Book, more ...string) view.Node {
		return view.El("p", l.Say(name, append([]string{"solved", strconv.Itoa(book.Count(progress.Solved)), "seen", strconv.Itoa(book.Count(progress.Seen))}, more...)...))
	}
	return frame.Dialog(l, frame.TakeID, l.Say("backup.ask"), count("backup.holds", &b.Book, "runs", strconv.Itoa(len(b.Histories))),
		count("backup.here", m.book), view.El("p", view.Class("note"), l.Say("backup.choice")),
		view.El("p", view.Class("row"),
			view.El("button", view.Class("btn btn--primary"), view.A("type", "button"), view.Click(TakeProgress{}), l.Say("backup.merge")),
			view.El("button", view.Class("btn"), view.A("type", "button"), view.Click(TakeProgress{Replace: true}), l.Say("backup.replace"))))
}

// resetDialog offers the course, and each lesson that was begun.
func (m *Model) resetDialog() view.Node {
	l := m.Settings.Lang
	scopes := []frame.Scope{{
		Title: view.Text(l.Say("reset.all")), Solved: m.book.Count(progress.Solved), Seen: m.book.Count(progress.Seen),
	}}
	for i := range m.catalog.Lessons {
		e := &m.catalog.Lessons[i]
		solved, seen := m.done(e)
		scopes = append(scopes, frame.Scope{Reset: frame.Reset{Lesson: e.ID}, Title: m.written(e.Title), Solved: solved, Seen: seen})
	}
	return frame.ResetDialog(l, scopes)
}
