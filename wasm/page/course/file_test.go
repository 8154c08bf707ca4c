package course

import (
	"os"
	"strings"
	"testing"

	"retrylab.example/wasm/catalog"
	"retrylab.example/wasm/effect"
	"retrylab.example/wasm/progress"
	"retrylab.example/wasm/view/frame"
)

// A file with faults is not kept: the page lists them, with their places, and not more than a person can read.
func TestFaultyFile(t *testing.T) {
	m := New(frame.Settings{Lang: "en"}, &catalog.Catalog{}, &progress.Book{})
	effects := m.Update(frame.File{Name: "bad.json", Text: "{" + strings.Repeat(`"x":1,"y<script>`+"\u202e"+`":2,`, 100) + `"z":1}`})
	if len(effects) != 1 || effects[0] != any(effect.Focus{ID: faultsID}) {
		t.Errorf("got %v", effects)
	}
	html := m.View().HTML()
	if n := strings.Count(html, "<li"); n < mostFaults || strings.Contains(html, "<script") || strings.Contains(html, "\u202e") {
		t.Errorf("the list of %d breaks out:\n%s", n, html)
	}
	if !strings.Contains(html, "bad.json") || !strings.Contains(html, "Not listed") {
		t.Error("the page does not say which file, or that there are more faults")
	}
	m.Update(frame.File{Name: "gone.json", Trouble: "it cannot be read"})
	if !strings.Contains(m.View().HTML(), "it cannot be read") {
		t.Error("the page does not say that the file cannot be read")
	}
}

// A good file is kept and shown. Another lesson takes the place of the first with its progress, the same one keeps it.
func TestGoodFile(t *testing.T) {
	data, err := os.ReadFile("../../../core/lesson/testdata/base.json")
	if err != nil {
		t.Fatal(err)
	}
	m := New(frame.Settings{Lang: "en"}, &catalog.Catalog{}, &progress.Book{})
	file := progress.File{Name: "base.json", Text: string(data)}
	forget, store, open := effect.Forget{Prefix: progress.Files}, effect.Store{Key: progress.OpenedKey, Value: file.Write()}, effect.Go{Hash: "#/file"}
	expect := func(got []effect.Effect, want ...effect.Effect) {
		t.Helper()
		if len(got) != len(want) {
			t.Fatalf("got %v, want %v", got, want)
		}
		for i := range got {
			if got[i] != want[i] {
				t.Errorf("got %v, want %v", got[i], want[i])
			}
		}
	}
	expect(m.Update(frame.File{Name: file.Name, Text: file.Text}), forget, store, open)
	m.Keep(file)
	expect(m.Update(frame.File{Name: file.Name, Text: file.Text}), store, open)
	if html := m.View().HTML(); !strings.Contains(html, `href="#/file"`) || !strings.Contains(html, m.Settings.Lang.Say("file.mark")) {
		t.Error("the page does not lead to the lesson from the file")
	}
	if got := m.Update(RemoveFile{}); len(got) == 0 || got[0] != any(forget) {
		t.Errorf("got %v", got)
	}
	if html := m.View().HTML(); strings.Contains(html, `href="#/file"`) {
		t.Error("the lesson is still there")
	}
	m.Keep(progress.File{Name: "old.json", Text: "{}"})
	if html := m.View().HTML(); strings.Contains(html, `href="#/file"`) {
		t.Error("a file that cannot be read is shown")
	}
}
