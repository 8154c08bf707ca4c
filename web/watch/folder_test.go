package watch

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"testing/fstest"
	"time"

	"retrylab.example/lessons"
	"retrylab.example/wasm/catalog"
)

const course = `{"lessons":[{"id":"one","file":"010-one.json","title":[],"summary":[],"minutes":1,"steps":null},` +
	`{"id":"lost-replies","file":"020-lost.json","title":[],"summary":[],"minutes":1,"steps":null}]}`

var site = fstest.MapFS{"b/0123/lessons/index.json": {Data: []byte(course)}}

// good returns a lesson without faults, with the id and the English title.
func good(t *testing.T, id, title string) string {
	t.Helper()
	data, err := lessons.Files.ReadFile("010-lost-replies.json")
	if err != nil {
		t.Fatal(err)
	}
	for _, change := range [][2]string{{`"id": "lost-replies"`, `"id": "` + id + `"`}, {`"en": "Lost replies"`, `"en": "` + title + `"`}} {
		if !bytes.Contains(data, []byte(change[0])) {
			t.Fatalf("the lesson has no %s any more", change[0])
		}
		data = bytes.Replace(data, []byte(change[0]), []byte(change[1]), 1)
	}
	return string(data)
}

// watched is a folder that a test writes to, and looks at by a clock of its own.
type watched struct {
	*Folder
	t   *testing.T
	now time.Time
}

func watchDir(t *testing.T, only bool) *watched {
	t.Helper()
	dir := t.TempDir()
	f, err := New(dir, site, only)
	if err != nil {
		t.Fatal(err)
	}
	return &watched{f, t, time.Now()}
}

func (w *watched) write(name, content string) {
	w.t.Helper()
	if err := os.WriteFile(filepath.Join(w.dir, name), []byte(content), 0o600); err != nil {
		w.t.Fatal(err)
	}
}

func (w *watched) remove(name string) {
	w.t.Helper()
	if err := os.Remove(filepath.Join(w.dir, name)); err != nil {
		w.t.Fatal(err)
	}
}

// after looks again when some time has passed, and returns what pages are told.
func (w *watched) after(d time.Duration) catalog.Catalog {
	w.t.Helper()
	w.now = w.now.Add(d)
	w.look(w.now)
	c, err := catalog.Read(w.current().index)
	if err != nil {
		w.t.Fatal(err)
	}
	return c
}

// told writes a catalog as its lessons with their English titles, and its faults.
func told(c catalog.Catalog) string {
	var parts []string
	for _, e := range c.Lessons {
		title, _ := e.Title.In("en")
		parts = append(parts, e.ID+" "+title)
	}
	for _, f := range c.Faults {
		parts = append(parts, fmt.Sprintf("%s:%d:%d %s | %s", f.File, f.Line, f.Column, f.Problem, f.Mend))
	}
	return strings.Join(parts, "\n")
}

func (w *watched) want(c catalog.Catalog, want ...string) {
	w.t.Helper()
	if got := told(c); got != strings.Join(want, "\n") {
		w.t.Errorf("got\n%s\nwant\n%s", got, strings.Join(want, "\n"))
	}
}

// TestLessonsOfTheFolder: they stand in the course by the names of their files, and take the place of the site's lessons
// with the same id; new and deleted files change the course.
func TestLessonsOfTheFolder(t *testing.T) {
	w := watchDir(t, false)
	w.want(w.after(0), "one ", "lost-replies ")
	w.write("015-mine.json", good(t, "mine", "Mine"))
	w.write("lesson.schema.json", "{}")
	w.write(".#015-mine.json", "an editor's own")
	w.write("notes.txt", "no lesson")
	w.want(w.after(interval), "one ", "mine Mine", "lost-replies ")
	w.write("005-lost.json", good(t, "lost-replies", "Edited"))
	w.want(w.after(interval), "lost-replies Edited", "one ", "mine Mine")
	w.remove("005-lost.json")
	w.want(w.after(interval), "lost-replies Edited", "one ", "mine Mine") // an editor may be writing it anew
	w.want(w.after(quiet), "one ", "mine Mine", "lost-replies ")

	only := watchDir(t, true)
	only.write("a.json", good(t, "mine", "Mine"))
	only.want(only.after(0), "mine Mine")
}

// TestFaultsKeepTheLastGoodVersion: faults are told with their places when the file has been quiet; a version without
// faults takes them away at once.
func TestFaultsKeepTheLastGoodVersion(t *testing.T) {
	w := watchDir(t, true)
	w.write("a.json", good(t, "mine", "First"))
	w.want(w.after(0), "mine First")
	first := w.current()

	w.write("a.json", "") // as editors do, before they write
	w.want(w.after(interval), "mine First")
	w.write("a.json", good(t, "mine", "Second")[:2000])
	w.want(w.after(interval), "mine First")
	w.write("a.json", good(t, "mine", "Second"))
	w.want(w.after(interval), "mine Second")
	w.want(w.after(quiet), "mine Second")

	w.write("a.json", strings.Replace(good(t, "mine", "Third"), `"minutes"`, `"minuets"`, 1))
	w.want(w.after(interval), "mine Second")
	c := w.after(quiet)
	if len(c.Faults) != 1 || !strings.Contains(c.Faults[0].Problem, "minuets") || c.Faults[0].Line == 0 || c.Faults[0].Mend == "" {
		t.Errorf("got %s; want the misspelt field", told(c))
	}
	w.write("a.json", good(t, "mine", "Fourth"))
	w.want(w.after(interval), "mine Fourth")
	if first.version == w.current().version || first.lessons["a.json"] == nil {
		t.Error("what was told before has changed, or the version has not")
	}
}

// TestSameStamp: a second write in the same tick of the file system's clock is seen.
func TestSameStamp(t *testing.T) {
	w := watchDir(t, true)
	name := filepath.Join(w.dir, "a.json")
	stamp := w.now
	for _, title := range []string{"One", "Two"} {
		w.write("a.json", good(t, "mine", title))
		if err := os.Chtimes(name, stamp, stamp); err != nil {
			t.Fatal(err)
		}
		w.want(w.after(interval), "mine "+title)
	}
}

// TestTwoLessonsWithOneID: the first file by name has the lesson, and the other one is told.
func TestTwoLessonsWithOneID(t *testing.T) {
	w := watchDir(t, true)
	w.write("b.json", good(t, "mine", "B"))
	w.write("a.json", good(t, "mine", "A"))
	c := w.after(0)
	line := 1 + strings.Count(strings.SplitN(good(t, "mine", "B"), `"id"`, 2)[0], "\n")
	w.want(c, "mine A", fmt.Sprintf("b.json:%d:%d the lesson in a.json has this id too | give each lesson an id of its own", line, c.Faults[0].Column))
	if w.current().lessons["b.json"] != nil {
		t.Error("the lesson that is not in the course can be fetched")
	}
}

// TestNothingFromOutside: links out of the folder, pipes, folders and huge files are told, and nothing of them is read.
func TestNothingFromOutside(t *testing.T) {
	w := watchDir(t, true)
	outside := filepath.Join(t.TempDir(), "secret.json")
	if err := os.WriteFile(outside, []byte(good(t, "secret", "Secret")), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, err := range []error{
		os.Symlink(outside, filepath.Join(w.dir, "link.json")), os.Symlink("gone", filepath.Join(w.dir, "dangling.json")),
		syscall.Mkfifo(filepath.Join(w.dir, "pipe.json"), 0o600), os.Mkdir(filepath.Join(w.dir, "folder.json"), 0o700),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	w.write("huge.json", strings.Repeat(" ", 5<<20))
	w.write("inside.json", good(t, "mine", "Mine"))
	if err := os.Symlink("inside.json", filepath.Join(w.dir, "alias.json")); err != nil {
		t.Fatal(err)
	}
	w.after(0)
	c := w.after(quiet)
	var files []string
	for _, f := range c.Faults {
		files = append(files, f.File)
	}
	want := []string{"dangling.json", "folder.json", "huge.json", "inside.json", "link.json", "pipe.json"}
	if !slices.Equal(files, want) || len(c.Lessons) != 1 || c.Lessons[0].File != "alias.json" {
		t.Errorf("got\n%s\nwant the lesson of alias.json, and faults of %q", told(c), want)
	}
}

// TestManyFiles: a folder has at most MaxFiles lessons, and says so.
func TestManyFiles(t *testing.T) {
	w := watchDir(t, true)
	for i := range MaxFiles + 2 {
		w.write(fmt.Sprintf("%03d.json", i), "{")
	}
	w.after(0)
	c := w.after(quiet)
	if f := c.Faults[0]; !strings.Contains(f.Problem, "100.json") || len(w.files) != MaxFiles {
		t.Errorf("got %q of %d files, want a fault that names 100.json", f.Problem, len(w.files))
	}
}

// TestFolderGone: a folder that is away for a while keeps its lessons.
func TestFolderGone(t *testing.T) {
	w := watchDir(t, true)
	w.write("a.json", good(t, "mine", "Mine"))
	w.after(0)
	away := w.dir + "-away"
	if err := os.Rename(w.dir, away); err != nil {
		t.Fatal(err)
	}
	c := w.after(quiet)
	if len(c.Lessons) != 1 || len(c.Faults) != 1 || c.Faults[0].File != w.dir {
		t.Errorf("got %s; want the lesson, and a fault of the folder", told(c))
	}
	if err := os.Rename(away, w.dir); err != nil {
		t.Fatal(err)
	}
	w.want(w.after(quiet), "mine Mine")
}

// TestProof: a lesson that is not proven is shown, and what its proof found is told when it is complete.
func TestProof(t *testing.T) {
	w := watchDir(t, true)
	const solution, other = `"solution": {"inputs": [{"at": "0s", "inject": {"reply": 400}}`, `"solution": {"inputs": [{"at": "0s", "inject": {"reply": 503}}`
	bad := strings.Replace(good(t, "mine", "Mine"), solution, other, 1)
	w.write("a.json", bad)
	c := w.after(0)
	for w.proveStep() {
		c = w.after(0)
	}
	if len(c.Lessons) != 1 || len(c.Faults) > 0 || len(c.Unproven) == 0 || c.Unproven[0].Line == 0 {
		t.Fatalf("got %s and %v; want the lesson with a fault of its proof", told(c), c.Unproven)
	}
	w.write("a.json", good(t, "mine", "Mine"))
	w.after(interval)
	for w.proveStep() {
		c = w.after(0)
	}
	if len(c.Unproven) != 0 || len(c.Lessons) != 1 {
		t.Errorf("mended: got %v", c.Unproven)
	}
}

func TestNoFolder(t *testing.T) {
	if _, err := New(filepath.Join(t.TempDir(), "none"), site, false); err == nil {
		t.Error("a missing folder: no error")
	}
	if _, err := New("folder.go", site, false); err == nil || !strings.Contains(err.Error(), "is a file") {
		t.Errorf("a file: got %v", err)
	}
	if _, err := New(t.TempDir(), fstest.MapFS{}, false); err == nil {
		t.Error("a site without a list: no error")
	}
}
