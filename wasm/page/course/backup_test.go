package course

import (
	"strings"
	"testing"

	"retrylab.example/core/text"
	"retrylab.example/wasm/effect"
	"retrylab.example/wasm/progress"
	"retrylab.example/wasm/view/frame"
)

func saved() string {
	b := progress.Backup{}
	b.Book.Set("one", "x", progress.Solved)
	b.Keep("one/x", `{"tree":{}}`)
	return b.Write()
}

// A file with progress is asked about before anything happens, chosen or dropped; then it is taken up as was said.
func TestTakeProgress(t *testing.T) {
	for _, l := range text.Langs() {
		for _, picker := range []string{takeID, ""} {
			for _, replace := range []bool{false, true} {
				m := New(frame.Settings{Lang: l}, twoLessons(), &progress.Book{})
				got := m.Update(frame.File{Name: "a.json", Text: saved(), Picker: picker})
				if len(got) != 1 || got[0] != any(effect.Show{ID: frame.TakeID}) {
					t.Fatalf("%s: got %v", l, got)
				}
				if html := m.View().HTML(); !strings.Contains(html, l.Say("backup.holds", "solved", "1", "seen", "0", "runs", "1")) {
					t.Errorf("%s: the dialog does not say what the file holds", l)
				}
				got = m.Update(TakeProgress{Replace: replace})
				if len(got) != 1 || got[0] != any(effect.TakeProgress{Text: saved(), Replace: replace}) {
					t.Errorf("%s: got %v", l, got)
				}
			}
		}
	}
}

// A file that is no progress says so where progress is taken, and is a lesson, with its faults, where lessons are.
func TestOtherFilesAreNotTaken(t *testing.T) {
	whole := saved()
	for file, says := range map[string]string{
		"": "backup.other", "{}": "backup.other", `{"id":"x"}`: "backup.other", whole[:50]: "backup.broken",
		strings.Replace(whole, `"format":1`, `"format":2`, 1): "backup.newer",
	} {
		for _, l := range text.Langs() {
			m := New(frame.Settings{Lang: l}, twoLessons(), &progress.Book{})
			got := m.Update(frame.File{Name: "a.json", Text: file, Picker: takeID})
			if len(got) != 1 || got[0] != any(effect.Focus{ID: saidID}) || !strings.Contains(m.View().HTML(), l.Say(says)) {
				t.Errorf("%s: %.30s: got %v, and the page does not say %s", l, file, got, says)
			}
		}
	}
	m := New(frame.Settings{Lang: text.English}, twoLessons(), &progress.Book{})
	m.Update(frame.File{Name: "a.json", Trouble: "<gone>", Picker: takeID})
	if html := m.View().HTML(); !strings.Contains(html, "&lt;gone&gt;") || strings.Contains(html, faultsID) {
		t.Error("a file that cannot be read is not told, or taken for a lesson")
	}
	m.Update(frame.File{Name: "a.json", Text: whole, Picker: pickID})
	if !strings.Contains(m.View().HTML(), faultsID) {
		t.Error("progress is opened as a lesson")
	}
	m.Update(frame.NotTaken{Why: "backup.no-room"})
	if !strings.Contains(m.View().HTML(), text.English.Say("backup.no-room")) {
		t.Error("the page does not say why nothing was taken")
	}
}

// What can be reset is named with what goes; what was done can be undone, on every page with a bar.
func TestResetNamesWhatGoes(t *testing.T) {
	book := &progress.Book{}
	book.Set("one", "x", progress.Solved)
	book.Set("two", "y", progress.Seen)
	for _, l := range text.Langs() {
		m := New(frame.Settings{Lang: l, Undoable: "reset.done"}, twoLessons(), book)
		html := m.View().HTML()
		for _, want := range []string{
			l.Say("reset.goes", "solved", "1", "seen", "1"), l.Say("reset.goes", "solved", "1", "seen", "0"),
			l.Say("reset.goes", "solved", "0", "seen", "1"), l.Say("reset.done"), l.Say("backup.undo"),
		} {
			if !strings.Contains(html, want) {
				t.Errorf("%s: the page does not say %q", l, want)
			}
		}
	}
	if got := New(frame.Settings{}, twoLessons(), book).Update(SaveProgress{}); len(got) != 1 || got[0] != any(effect.SaveProgress{}) {
		t.Errorf("got %v", got)
	}
}
