//go:build e2e

package e2e

import (
	"context"
	"io"
	"log"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"retrylab.example/core/lesson"
	"retrylab.example/core/text"
	"retrylab.example/web/server"
	"retrylab.example/web/watch"
)

// folder is a watched folder of lessons that a test writes to.
type folder struct {
	t   testing.TB
	dir string
}

// watchFolder serves the common site with a watched folder that has a copy of the first lesson.
func watchFolder(t testing.TB) (*folder, *server.Site) {
	t.Helper()
	f := &folder{t, t.TempDir()}
	data, err := os.ReadFile(filepath.Join(root, "lessons", firstLesson))
	if err != nil {
		t.Fatal(err)
	}
	f.write(firstLesson, string(data))
	built := os.DirFS(filepath.Join(root, "build", "e2e", "site"))
	watched, err := watch.New(f.dir, built, false)
	if err != nil {
		t.Fatal(err)
	}
	s, err := server.New(built)
	if err == nil {
		err = s.Watch(watched)
	}
	if err != nil {
		t.Fatal(err)
	}
	go watched.Run(t.Context())
	return f, s
}

const firstLesson = "010-lost-replies.json"

func (f *folder) write(name, content string) {
	f.t.Helper()
	if err := os.WriteFile(filepath.Join(f.dir, name), []byte(content), 0o600); err != nil {
		f.t.Fatal(err)
	}
}

func (f *folder) read() string {
	f.t.Helper()
	data, err := os.ReadFile(filepath.Join(f.dir, firstLesson))
	if err != nil {
		f.t.Fatal(err)
	}
	return string(data)
}

// edit replaces the first text after a step's id in the first lesson.
func (f *folder) edit(step, from, to string) {
	f.t.Helper()
	before, after, ok := strings.Cut(f.read(), `"id": "`+step+`"`)
	if !ok || !strings.Contains(after, from) {
		f.t.Fatalf("step %s has no %s any more", step, from)
	}
	f.write(firstLesson, before+`"id": "`+step+`"`+strings.Replace(after, from, to, 1))
}

// heading is the title of the step that is shown.
const heading = `document.querySelector("#lesson-h").innerText`

// banner is what the page says of the folder, empty if nothing.
const banner = `(document.querySelector("#watched")?.innerText || "")`

// TestWatchedLesson: an edit of a watched file shows in the page at the same step and clock; a mistake shows its place,
// and the last good version can still be played; mending it takes the banner away.
func TestWatchedLesson(t *testing.T) {
	f, s := watchFolder(t)
	p, st := openBlank(t, newHost(t, s).url), stepOf(t, "lost-replies", "with-a-key")
	hash := hashOf("lost-replies", st.ID)
	p.visit(hash)
	play := newPlayer(p, mouse{}, st)
	play.answer(st.Solution)
	for range 4 {
		play.h.press(p, one("#next"))
		play.arrive(play.played.After(play.pos.Count+1, play.pos))
	}
	clockAt, count := eval[string](p, clockShows), p.rows()
	f.edit(st.ID, `"en": "The key makes it one"`, `"en": "Edited while it is open"`)
	want(p, heading, "Edited while it is open")
	want(p, clockShows, clockAt)
	want(p, rows, count)

	// Another scenario: the same inputs are played on it.
	f.edit(st.ID, `"lost-reply"`, `"lost-request"`)
	play.step = parsed(t, f, st.ID)
	play.replay()
	play.arrive(play.played.At(play.pos.Now))
	want(p, `document.querySelector("#timeline").textContent.includes("request lost")`, true)
	want(p, banner+`.includes(`+quote(text.English.Say("watch.unproven"))+`)`, true) // its solution fails now

	// A mistake: its place, and the last good version.
	f.edit(st.ID, `"kind": "play"`, `"kind": "plya"`)
	line := 1 + strings.Count(f.read()[:strings.Index(f.read(), `"plya"`)], "\n")
	p.waitFor(banner + `.includes("plya")`)
	got := eval[string](p, banner)
	if !regexp.MustCompile(`010-lost-replies\.json:` + strconv.Itoa(line) + `:\d+ .*/steps/\d+/kind: .*plya.*; `).MatchString(got) {
		t.Errorf("the banner says %q, want the place of plya in line %d", got, line)
	}
	for _, l := range []text.Lang{text.Korean, text.Japanese, text.English} {
		play.h.pick(p, one(".field--lang select"), l.Name())
		want(p, banner+`.includes(`+quote(l.Say("watch.faults"))+`)`, true)
		p.shot("watched-" + string(l))
	}
	want(p, heading, "Edited while it is open")
	play.finish()
	want(p, "location.hash", hash)

	f.edit(st.ID, `"kind": "plya"`, `"kind": "play"`)
	f.edit(st.ID, `"lost-request"`, `"lost-reply"`)
	want(p, banner, "")
	want(p, `navigator.serviceWorker.getRegistrations().then((all) => all.length)`, 0)
}

// parsed reads a step of the first lesson as the file now has it.
func parsed(t *testing.T, f *folder, step string) *lesson.Step {
	t.Helper()
	l, err := lesson.Read(firstLesson, []byte(f.read()))
	if err != nil {
		t.Fatal(err)
	}
	for i := range l.Steps {
		if l.Steps[i].ID == step {
			return &l.Steps[i]
		}
	}
	t.Fatalf("there is no step %s", step)
	return nil
}

// TestWatchedFolder: new and deleted files change the course page, and a page whose step or lesson goes away.
func TestWatchedFolder(t *testing.T) {
	f, s := watchFolder(t)
	p := openBlank(t, newHost(t, s).url)
	p.visit("#/")
	n := listed(t)
	want(p, `document.querySelectorAll(".les").length`, n)
	mine := strings.Replace(f.read(), `"id": "lost-replies"`, `"id": "mine"`, 1)
	f.write("000-mine.json", mine)
	want(p, `document.querySelectorAll(".les").length`, n+1)
	want(p, `document.querySelector(".les h3 a").getAttribute("href")`, "#/lesson/mine")
	p.goTo("#/lesson/mine/with-a-key")
	f.write("000-mine.json", strings.Replace(mine, `"id": "with-a-key"`, `"id": "renamed"`, 1))
	want(p, "location.hash", "#/lesson/mine/renamed")
	p.waitFor(`document.querySelector("#fire")`)
	if err := os.Remove(filepath.Join(f.dir, "000-mine.json")); err != nil {
		t.Fatal(err)
	}
	want(p, `document.querySelector(".notice")?.innerText || ""`, text.English.Say("shell.no-lesson"))
	f.write("000-mine.json", strings.Replace(mine, `"id": "with-a-key"`, `"id": "renamed"`, 1))
	p.waitFor(`document.querySelector("#fire")`)
	p.goTo("#/")
	want(p, `document.querySelectorAll(".les").length`, n+1)
}

// TestWatchedServerRestarts: the page says that the server is gone, and follows the folder again when it is back.
func TestWatchedServerRestarts(t *testing.T) {
	f, s := watchFolder(t)
	first := newHost(t, s)
	p := openBlank(t, first.url)
	p.tolerate("ERR_CONNECTION_REFUSED|ERR_EMPTY_RESPONSE|ERR_CONNECTION_RESET|ERR_INCOMPLETE_CHUNKED_ENCODING")
	p.visit("#/lesson/lost-replies/with-a-key")
	p.waitFor(`performance.getEntriesByType("resource").some((e) => e.name.endsWith("watch/index.json"))`)
	first.stop()
	want(p, banner, text.English.Say("watch.lost"))
	f.edit("with-a-key", `"en": "The key makes it one"`, `"en": "Edited meanwhile"`)
	l, err := net.Listen("tcp", strings.TrimPrefix(first.url, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- server.Run(ctx, l, s, log.New(io.Discard, "", 0)) }()
	t.Cleanup(func() { cancel(); <-done })
	want(p, heading, "Edited meanwhile")
	want(p, banner, "")
}

// TestWatchedAfterAVisit: a service worker that an earlier visit to this address left does not hide the folder.
func TestWatchedAfterAVisit(t *testing.T) {
	h := newHost(t, labHandler(t))
	p := openBlank(t, h.url)
	p.visit("#/lesson/lost-replies/with-a-key")
	p.waitFor(keptOffline)
	f, s := watchFolder(t)
	f.edit("with-a-key", `"en": "The key makes it one"`, `"en": "From the folder"`)
	h.use(s)
	p.load("#/lesson/lost-replies/with-a-key")
	eval[bool](p, `(location.reload(), true)`)
	p.waitFor(`document.documentElement.dataset.watch === "watch" && document.documentElement.dataset.ready === "1"`)
	want(p, heading, "From the folder")
}

// BenchmarkWatched is the time from a write of a watched file to the painted page.
func BenchmarkWatched(b *testing.B) {
	f, s := watchFolder(b)
	h, err := serve(s)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(h.stop)
	p := openBlank(b, h.url)
	p.visit("#/lesson/lost-replies/with-a-key")
	last := "The key makes it one"
	var took []float64
	for b.Loop() {
		next := "Edit " + strconv.Itoa(len(took))
		eval[bool](p, `(window.painted = new Promise((done) => { const look = () => `+heading+` === `+quote(next)+
			` ? requestAnimationFrame(() => setTimeout(() => done(Date.now()))) : requestAnimationFrame(look); look(); }), true)`)
		begun := time.Now()
		f.edit("with-a-key", `"en": "`+last+`"`, `"en": "`+next+`"`)
		took = append(took, eval[float64](p, "window.painted")-float64(begun.UnixMilli()))
		last = next
	}
	b.ReportMetric(median(took), "ms-painted")
}
