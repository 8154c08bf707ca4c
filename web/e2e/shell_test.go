//go:build e2e

package e2e

import (
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"retrylab.example/web/site"
)

// TestLoads: the page gets ready; that it does so without an error, a violated policy or a foreign request is what open
// watches for in every test.
func TestLoads(t *testing.T) {
	for _, rest := range []string{"", "index.html", "?x=1", "#/lesson/lost-replies/first", "?lang=ja#/lesson/none/none"} {
		p := open(t, rest)
		if p.count("h1") == 0 {
			t.Errorf("%q: there is no heading", rest)
		}
	}
}

// TestWatch: the watch itself works: each thing that a page must not do is heard.
func TestWatch(t *testing.T) {
	p := open(t, "")
	for _, bad := range []struct{ does, script string }{
		{"console: oh", `console.error("oh")`},
		{"uncaught:", `setTimeout(() => { throw new Error("no") })`},
		{"Content Security Policy", `document.body.append(Object.assign(document.createElement("script"), {textContent: "1"}))`},
		{"Content Security Policy", `document.body.setAttribute("style", "color: red")`},
		{"Content Security Policy", `fetch("http://127.0.0.1:9/").catch(() => {})`},
		{"404", `fetch("nothing-here").catch(() => {})`},
	} {
		heard := func() int { p.mu.Lock(); defer p.mu.Unlock(); return len(p.problems) }
		before := heard()
		eval[bool](p, "("+bad.script+", true)")
		for i := 0; heard() == before && i < 1000; i++ {
			eval[bool](p, "new Promise((done) => setTimeout(() => done(true), 10))")
		}
		p.mu.Lock()
		if got := strings.Join(p.problems[before:], "\n"); !strings.Contains(got, bad.does) {
			t.Errorf("%s: heard %q, want %q", bad.script, got, bad.does)
		}
		p.problems = nil
		p.mu.Unlock()
	}
}

func TestAxe(t *testing.T) {
	p := open(t, "")
	p.axe()
	p.prefer("prefers-color-scheme", "dark")
	p.axe()
	p.viewport(360, 740)
	p.axe()
}

// TestSettings: the language of a link wins over the saved one, that one over the browser's; theme and contrast are
// set before the first paint.
func TestSettings(t *testing.T) {
	p := open(t, "")
	want(p, `document.documentElement.lang`, "en")
	eval[bool](p, `(localStorage.setItem("retrylab.lang", "ko"), localStorage.setItem("retrylab.theme", "dark"),
		localStorage.setItem("retrylab.contrast", "more"), true)`)
	p.onNewDocument(`requestAnimationFrame(() => { window.first = {...document.documentElement.dataset, lang: document.documentElement.lang}; })`)
	p.reload()
	want(p, `[first.lang, first.theme, first.contrast].join()`, "ko,dark,more")
	p.visit("?lang=ja")
	want(p, `document.documentElement.lang`, "ja")
	p.visit("?lang=ja&new=page#/lesson/x/y?lang=en-GB")
	want(p, `document.documentElement.lang`, "en")
	p.visit("?lang=fr")
	want(p, `document.documentElement.lang`, "ko")
}

// TestBadAddress: an address that Go's url.Parse rejects does not stop the program, at the start or later.
func TestBadAddress(t *testing.T) {
	for _, rest := range []string{"#%zz", "?q=%", "#%ff"} {
		p := open(t, rest)
		want(p, "location.pathname + location.search + location.hash", "/")
		eval[bool](p, `(location.hash = "#/fine", location.hash = "#%zz", history.back(), true)`)
		want(p, "location.hash", "#/fine")
		want(p, `document.querySelector("#crash").hidden`, true)
	}
}

// TestProgress: on a slow line the page shows the step's text and counts bytes while the program is on its way.
func TestProgress(t *testing.T) {
	dir, _ := buildSite(t, func(c *site.Config) { c.Renderer = oneText{} })
	h := halfway{handlerOf(t, dir), make(chan struct{})}
	p := openBlank(t, newHost(t, h).url)
	p.load("#/lesson/one/first?lang=ko")
	p.waitFor(`document.querySelector("#boot-text h2")?.textContent === "ko first"`)
	p.waitFor(`document.querySelector("#boot-progress").value > 0`)
	if got := p.text("#boot-bytes"); !strings.Contains(got, "MB") {
		t.Errorf("the progress says %q, want bytes", got)
	}
	p.axe()
	p.shot("boot")
	eval[bool](p, `(location.hash = "#/", true)`)
	p.waitFor(`document.querySelector("#boot-text h1")?.textContent === "Course" && document.querySelector("#boot-text button").disabled`)
	close(h.goOn)
	p.ready()
}

// halfway sends a half of the program, and the rest when it may go on. The browser's own emulation of a slow network does
// not reach a worker.
type halfway struct {
	http.Handler
	goOn chan struct{}
}

func (h halfway) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !strings.HasSuffix(r.URL.Path, "/app.wasm") {
		h.Handler.ServeHTTP(w, r)
		return
	}
	r.Header.Del("Accept-Encoding")
	got := httptest.NewRecorder()
	h.Handler.ServeHTTP(got, r)
	maps.Copy(w.Header(), got.Header())
	body := got.Body.Bytes()
	for _, part := range [][]byte{body[:len(body)/2], body[len(body)/2:]} {
		if _, err := w.Write(part); err != nil {
			panic(http.ErrAbortHandler)
		}
		w.(http.Flusher).Flush()
		select {
		case <-h.goOn:
		case <-r.Context().Done():
			panic(http.ErrAbortHandler)
		}
	}
}

// oneText renders a text for a lesson of one step.
type oneText struct{}

func (oneText) Index(map[string][]byte) ([]byte, error) { return []byte("{}"), nil }

func (oneText) Readings(map[string][]byte) (map[string][]byte, error) { return nil, nil }

func (oneText) Fragments(map[string][]byte) (map[string][]byte, error) {
	out := map[string][]byte{}
	for _, lang := range site.Langs {
		out["fragments/course."+lang+".html"] = []byte("<main><h1>Course</h1><button>Go</button></main>")
		out["fragments/one/first."+lang+".html"] = []byte("<main><h1>One</h1><h2>" + lang + " first</h2></main>")
	}
	return out, nil
}

// TestNoWebAssembly: the page says what is missing.
func TestNoWebAssembly(t *testing.T) {
	p := openBlank(t, lab.url)
	p.onNewDocument("delete globalThis.WebAssembly")
	p.load("")
	p.waitFor(`!document.querySelector("#boot-fail").hidden`)
	if got := p.text("#boot-why"); !strings.Contains(got, "WebAssembly") {
		t.Errorf("the page says %q, want what is missing", got)
	}
	p.axe()
}

// TestFailedDownload: the page says that the program did not come, and a second try works.
func TestFailedDownload(t *testing.T) {
	good := labHandler(t)
	h := newHost(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, ".wasm") {
			w.Header().Set("Cache-Control", "no-store")
			http.Error(w, "later", http.StatusServiceUnavailable)
			return
		}
		good.ServeHTTP(w, r)
	}))
	p := openBlank(t, h.url)
	p.tolerate("503")
	p.load("")
	p.waitFor(`!document.querySelector("#boot-fail").hidden`)
	if got := p.text("#boot-why"); !strings.Contains(got, "app.wasm: HTTP 503") {
		t.Errorf("the page says %q, want what failed", got)
	}
	p.axe()
	h.use(good)
	p.click("#boot-retry")
	p.ready()
}

// TestStopped: a program that panics leaves a report that says where and why, and a way to start again, with the newer
// build if there is one.
func TestStopped(t *testing.T) {
	dir, hash := buildSite(t, func(c *site.Config) { c.Wasm = stoppingProgram })
	h := newHost(t, handlerOf(t, dir))
	p := openBlank(t, h.url)
	p.load("#/lesson/one/first")
	p.waitFor(`!document.querySelector("#crash").hidden`)
	report := eval[string](p, `document.querySelector("#crash textarea").value`)
	for _, want := range []string{"b/" + hash, "#/lesson/one/first", `"seed": 42`, "reason: panic: a broken invariant", "main.main"} {
		if !strings.Contains(report, want) {
			t.Errorf("the report lacks %q:\n%s", want, report)
		}
	}
	p.axe()
	p.shot("crash")
	p.waitFor(keptOffline)
	h.use(labHandler(t))
	eval[bool](p, askForUpdate)
	p.waitFor(`document.documentElement.dataset.update === "ready"`)
	p.click("#crash .btn--primary")
	p.ready()
	want(p, "location.hash", "#/lesson/one/first")
}

// stoppingProgram builds testdata/stops.
func stoppingProgram(root string) ([]byte, error) {
	out := filepath.Join(root, "build", "e2e", "stops.wasm")
	cmd := exec.Command("go", "build", "-o", out, "./web/e2e/testdata/stops")
	cmd.Dir = root
	cmd.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	if msg, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%w: %s", err, msg)
	}
	return os.ReadFile(out)
}
