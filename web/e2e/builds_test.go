//go:build e2e

package e2e

import (
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/chromedp/chromedp"

	"retrylab.example/web/site"
)

// keptOffline waits until the service worker holds its whole build and answers for the page.
const keptOffline = `navigator.serviceWorker.controller && navigator.serviceWorker.controller.state === "activated"`

// TestOffline: after one visit the page works without the server, with another query, in another language.
func TestOffline(t *testing.T) {
	h := newHost(t, labHandler(t))
	p := openBlank(t, h.url)
	p.visit("")
	p.waitFor(keptOffline)
	h.stop()
	p.reload()
	p.visit("?lang=ko#/lesson/lost-replies/first")
	p.visit("index.html")
	if got := eval[int](p, `fetch(document.documentElement.dataset.build + "/lessons/index.json").then((r) => r.status)`); got != 200 {
		t.Errorf("the lessons are not kept: status %d", got)
	}
}

// TestOfflineEmulated: the browser's own notion of being offline gives the same.
func TestOfflineEmulated(t *testing.T) {
	p := open(t, "")
	p.waitFor(keptOffline)
	p.offline(true)
	p.reload()
	p.offline(false)
	p.reload()
}

// TestSubfolder: a plain file server that knows nothing of the site, in a subfolder, gives the same page, offline too.
func TestSubfolder(t *testing.T) {
	files := http.StripPrefix("/some/where/", http.FileServer(http.Dir(filepath.Join(root, "build", "e2e", "site"))))
	h := newHost(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !strings.HasPrefix(r.URL.Path, "/some/where/") {
			http.NotFound(w, r)
			return
		}
		files.ServeHTTP(w, r)
	}))
	p := openBlank(t, h.url)
	p.visit("some/where/?x=1#/lesson/lost-replies/first")
	p.waitFor(keptOffline)
	want(p, `navigator.serviceWorker.ready.then((r) => r.scope)`, h.url+"/some/where/")
	p.tolerate("127.0.0.1:9/")
	want(p, `new Promise((done) => { // no header here: the policy is in the page
		addEventListener("securitypolicyviolation", (e) => done(e.effectiveDirective));
		fetch("http://127.0.0.1:9/").catch(() => {});
	})`, "connect-src")
	h.stop()
	p.reload()
	p.visit("some/where/")
}

// TestWrongType: a host that does not know WebAssembly's type still gives a page that starts.
func TestWrongType(t *testing.T) {
	good := labHandler(t)
	h := newHost(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		good.ServeHTTP(retyped{w, r.URL.Path}, r)
	}))
	p := openBlank(t, h.url)
	p.visit("")
	p.waitFor(keptOffline)
	p.reload()
}

// retyped sends the program as plain bytes.
type retyped struct {
	http.ResponseWriter
	path string
}

func (w retyped) WriteHeader(status int) {
	if strings.HasSuffix(w.path, ".wasm") {
		w.Header().Set("Content-Type", "application/octet-stream")
	}
	w.ResponseWriter.WriteHeader(status)
}

// ReadFrom keeps the way through Write, and with it through WriteHeader.
func (w retyped) ReadFrom(r io.Reader) (int64, error) {
	return io.Copy(struct{ io.Writer }{w.ResponseWriter}, r)
}

// otherBuild builds a second version of the site: the same but for a comment in its style sheet.
func otherBuild(t *testing.T) (dir, hash string) {
	t.Helper()
	return buildSite(t, func(c *site.Config) {
		static := fstest.MapFS{"css/99-new.css": {Data: []byte("/* the next version */\n")}}
		real := os.DirFS(filepath.Join(root, "web", "static"))
		err := fs.WalkDir(real, ".", func(name string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			data, err := fs.ReadFile(real, name)
			static[name] = &fstest.MapFile{Data: data}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		c.Static = static
	})
}

const (
	buildOfPage = `document.documentElement.dataset.build.slice(2)`
	// buildsOfFiles are the builds of all files that the page has loaded.
	buildsOfFiles = `[...new Set(performance.getEntriesByType("resource").map((e) => /\/b\/([0-9a-f]+)\//.exec(e.name)).filter(Boolean).map((m) => m[1]))].join()`
	askForUpdate  = `navigator.serviceWorker.ready.then((r) => r.update()).then(() => true)`
)

// wholly checks that a page and all its files are of one build.
func (p *tab) wholly(hash string) {
	p.t.Helper()
	want(p, buildOfPage, hash)
	want(p, buildsOfFiles, hash)
}

// TestUpdate: pages stay whole pages of the old build, reloads too, until one of them takes the new build; then all of
// them do, and nothing of the old build is kept.
func TestUpdate(t *testing.T) {
	next, nextHash := otherBuild(t)
	h := newHost(t, labHandler(t))
	p := openBlank(t, h.url)
	p.visit("#/lesson/lost-replies/first")
	p.waitFor(keptOffline)
	old := eval[string](p, buildOfPage)
	second := p.sibling()
	second.visit("")

	h.use(handlerOf(t, next))
	eval[bool](p, askForUpdate)
	p.waitFor(`document.documentElement.dataset.update === "ready"`)
	p.axe()
	p.shot("update")
	p.wholly(old)
	p.reload()
	p.wholly(old)
	second.reload()
	second.wholly(old)

	second.waitFor(`!document.querySelector("#update").hidden`)
	p.click("#update .btn")
	p.waitFor(buildOfPage + ` === "` + nextHash + `" && document.documentElement.dataset.ready === "1"`)
	p.wholly(nextHash)
	want(p, "location.hash", "#/lesson/lost-replies/first")
	second.waitFor(buildOfPage + ` === "` + nextHash + `" && document.documentElement.dataset.ready === "1"`)
	second.wholly(nextHash)
	want(p, `caches.keys().then((k) => k.filter((n) => n.startsWith("retrylab ")).map((n) => n.split(" ").at(-1)).join())`, nextHash)
	h.stop()
	p.reload()
	p.wholly(nextHash)
}

// TestUpdateWaitsForPages: without anybody's choice the new build comes when the last page of the old one is gone.
func TestUpdateWaitsForPages(t *testing.T) {
	next, nextHash := otherBuild(t)
	h := newHost(t, labHandler(t))
	p := openBlank(t, h.url)
	p.visit("")
	p.waitFor(keptOffline)
	old := eval[string](p, buildOfPage)
	h.use(handlerOf(t, next))
	eval[bool](p, askForUpdate)
	p.waitFor(`document.documentElement.dataset.update === "ready"`)
	// The browser takes its time to find that the last page is gone; a page that comes before that is still of the old
	// build, and whole.
	for range 10 {
		p.must(p.do(chromedp.Navigate("about:blank")), "leaving the page")
		p.visit("")
		if eval[string](p, buildOfPage) == nextHash {
			break
		}
		p.wholly(old)
	}
	p.wholly(nextHash)
}

// TestHalfDeployed: a host that already has the next worker and the next files but still the old page changes nothing;
// when the page has come, the update goes through.
func TestHalfDeployed(t *testing.T) {
	next, nextHash := otherBuild(t)
	oldSite, nextSite := labHandler(t), handlerOf(t, next)
	h := newHost(t, oldSite)
	p := openBlank(t, h.url)
	p.visit("")
	p.waitFor(keptOffline)
	old := eval[string](p, buildOfPage)
	h.use(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/sw.js" || strings.HasPrefix(r.URL.Path, "/b/"+nextHash+"/") {
			nextSite.ServeHTTP(w, r)
			return
		}
		oldSite.ServeHTTP(w, r)
	}))
	state := eval[string](p, `navigator.serviceWorker.ready.then((r) => new Promise((done) => {
		r.addEventListener("updatefound", () => { const w = r.installing; w.addEventListener("statechange", () => done(w.state)); });
		r.update().catch(() => {});
	}))`)
	if state != "redundant" {
		t.Errorf("the worker of half a build is %s, want redundant", state)
	}
	want(p, `caches.keys().then((k) => k.some((n) => n.endsWith("`+nextHash+`")))`, false)
	p.reload()
	p.wholly(old)
	h.use(nextSite)
	eval[bool](p, askForUpdate)
	p.click("#update .btn")
	p.waitFor(buildOfPage + ` === "` + nextHash + `" && document.documentElement.dataset.ready === "1"`)
	p.wholly(nextHash)
}

// TestOldPageOfGoneBuild: a page whose build has left the host without a worker to keep it says so, and reloading helps.
func TestOldPageOfGoneBuild(t *testing.T) {
	next, nextHash := otherBuild(t)
	oldSite, nextSite := labHandler(t), handlerOf(t, next)
	h := newHost(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, ".wasm") { // the deployment comes between the page and its program
			nextSite.ServeHTTP(w, r)
			return
		}
		oldSite.ServeHTTP(w, r)
	}))
	p := openBlank(t, h.url)
	p.tolerate("404")
	p.load("")
	p.waitFor(`!document.querySelector("#boot-fail").hidden`)
	h.use(nextSite)
	p.click("#boot-retry")
	p.ready()
	p.wholly(nextHash)
}
