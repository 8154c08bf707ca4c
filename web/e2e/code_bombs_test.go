//go:build e2e

package e2e

import (
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"retrylab.example/core/codelab"
	"retrylab.example/wasm/job"
	"retrylab.example/web/site"
)

// watchFrames keeps the milliseconds between the frames of the page in window.gaps.
const watchFrames = `(() => {
	window.gaps = [];
	let last = performance.now();
	const frame = (now) => { window.gaps.push(now - last); last = now; requestAnimationFrame(frame); };
	requestAnimationFrame(frame);
	return true;
})()`

const rightRemaining = "def remaining(deadline, now):\n    return max(deadline - now, 0)\n"

// judged grades a program for the function remaining, by what stands in its body.
func (p *tab) judged(body string) codelab.Verdict {
	p.t.Helper()
	v, err := codelab.ReadVerdict([]byte(p.verdict("remaining", codelab.Program{Source: "def remaining(deadline, now):\n    " + body + "\n"})))
	p.must(err, "reading the verdict on %s", body)
	return v
}

// next wants the worker to judge a right program right.
func (p *tab) next(after string) {
	p.t.Helper()
	v, err := codelab.ReadVerdict([]byte(p.verdict("remaining", codelab.Program{Source: rightRemaining})))
	p.must(err, "reading the verdict")
	if !v.Passed() {
		p.t.Errorf("after %s the next run got %s", after, v.Code)
	}
}

// TestBombsInChromium: whatever a program does, there is an answer within three seconds that says what it was, the page
// goes on drawing meanwhile, and the next run works.
func TestBombsInChromium(t *testing.T) {
	p := open(t, "")
	eval[bool](p, grader)
	p.next("the start")
	eval[bool](p, watchFrames)
	var all []float64
	for _, c := range []struct {
		name, body string
		code       codelab.Code
		says       string
	}{
		{"endless loop", "while True: pass", codelab.TooLong, ""},
		{"endless loop that catches", "while True:\n        try: 1/0\n        except: pass", codelab.TooLong, ""},
		{"deep recursion", "return remaining(deadline, now)", codelab.TooDeep, ""},
		{"lists without end", "a = [1]\n    while True: a += a", codelab.TooMuchMemory, ""},
		{"one great string", "return 'a' * 10 ** 9", codelab.TooMuchMemory, ""},
		{"10 MB of output", "for i in range(10 ** 6): print('0123456789')", codelab.TooMuchOutput, ""},
		{"a line that is not closed", "return (", codelab.Syntax, "invalid syntax"},
		{"sleep", "import time\n    time.sleep(1)", codelab.RealTime, "time.sleep"},
	} {
		eval[bool](p, `(window.gaps.length = 0, true)`)
		begun := time.Now()
		v := p.judged(c.body)
		took := time.Since(begun)
		gaps := eval[[]float64](p, "window.gaps")
		all = append(all, gaps...)
		if v.Code != c.code || !strings.Contains(v.Name+v.Text, c.says) {
			t.Errorf("%s: got %s %q %q, want %s %q", c.name, v.Code, v.Name, v.Text, c.code, c.says)
		}
		if took > 3*time.Second {
			t.Errorf("%s: the answer took %s, at most 3 s are allowed", c.name, took)
		}
		t.Logf("%-26s %s after %s, longest frame %.0f ms", c.name, v.Code, took.Round(time.Millisecond), slices.Max(append(gaps, 0)))
		p.next(c.name)
	}
	// A program keeps one of the machine's cores busy; what else runs there costs frames too, but never many.
	slices.Sort(all)
	t.Logf("%d frames: median %.1f ms, 95 %% within %.1f ms, longest %.1f ms", len(all), median(all), percentile(all, 95), all[len(all)-1])
	if len(all) < 100 || median(all) > 34 || percentile(all, 95) > 100 {
		t.Errorf("the page did not go on drawing: %d frames, median %.1f ms, 95 %% within %.1f ms", len(all), median(all), percentile(all, 95))
	}
}

// altered serves the common site with other contents for files whose path ends so, under their real headers, and notes
// what is asked for.
type altered struct {
	http.Handler
	files map[string]func(content string) string

	mu    sync.Mutex
	asked []string
}

func (a *altered) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	a.mu.Lock()
	a.asked = append(a.asked, r.URL.Path)
	a.mu.Unlock()
	for end, change := range a.files {
		if !strings.HasSuffix(r.URL.Path, end) {
			continue
		}
		r.Header.Del("Accept-Encoding")
		got := httptest.NewRecorder()
		a.Handler.ServeHTTP(got, r)
		for name, values := range got.Header() {
			if name != "Content-Length" && name != "Etag" {
				w.Header()[name] = values
			}
		}
		if _, err := w.Write([]byte(change(got.Body.String()))); err != nil {
			panic(http.ErrAbortHandler)
		}
		return
	}
	a.Handler.ServeHTTP(w, r)
}

// TestProgramsReachNothing: a program finds no door out of Python.
func TestProgramsReachNothing(t *testing.T) {
	a := &altered{Handler: labHandler(t)}
	p := openBlank(t, newHost(t, a).url)
	p.visit("")
	p.waitFor(keptOffline) // nothing else is asked for from now on
	eval[bool](p, grader)
	p.next("the start")
	a.mu.Lock()
	a.asked = nil
	a.mu.Unlock()
	for body, code := range map[string]codelab.Code{
		"import js":                            codelab.NoModule,
		"import jsffi":                         codelab.NoModule,
		"from js import fetch":                 codelab.NoModule,
		"__import__('js').fetch('/x')":         codelab.NoModule,
		"import os":                            codelab.NoModule,
		"import sys":                           codelab.NoModule,
		"import socket":                        codelab.NoModule,
		"import asyncio":                       codelab.NoModule,
		"import builtins":                      codelab.NoModule,
		"import micropython":                   codelab.NoModule,
		"open('/x', 'w')":                      codelab.NoFunction,
		"eval('1')":                            codelab.NoFunction,
		"exec('import js')":                    codelab.NoFunction,
		"return print.__globals__['builtins']": codelab.Raised,
		"return print.__globals__['sys'].modules['js']": codelab.Raised,
		"print.__globals__['learners_import']('js')":    codelab.NoModule,
		"return ().__class__.__subclasses__()":          codelab.Raised,
		"import math\n    return math.real_import":      codelab.Raised,
		"return real_import('js')":                      codelab.Raised,
		"return js":                                     codelab.Raised,
	} {
		if v := p.judged(body); v.Code != code {
			t.Errorf("%q: got %s %q %q, want %s", body, v.Code, v.Name, v.Text, code)
		}
	}
	p.next("all of them")
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, path := range a.asked {
		if path != "/sw.js" { // the browser looks for a newer one when it likes
			t.Errorf("the server was asked for %s", path)
		}
	}
}

// TestWorkerIsShut: a program that had found JavaScript would find the language and no door.
func TestWorkerIsShut(t *testing.T) {
	a := &altered{Handler: labHandler(t), files: map[string]func(string) string{
		"/python/harness.py": func(s string) string { return strings.Replace(s, `MODULES = (`, `MODULES = ("js", `, 1) },
	}}
	p := openBlank(t, newHost(t, a).url)
	p.tolerate("Content Security Policy") // it refuses to evaluate text
	p.visit("")
	eval[bool](p, grader)
	p.next("the start")
	for _, name := range []string{
		"fetch", "XMLHttpRequest", "WebSocket", "EventSource", "WebTransport", "indexedDB", "caches", "navigator", "importScripts",
		"BroadcastChannel", "MessageChannel", "Worker", "postMessage", "close", "self", "location", "setTimeout", "FontFace", "fonts", "Request",
		"webkitRequestFileSystem", "webkitRequestFileSystemSync", "loadMicroPython", "addEventListener",
	} {
		v := p.judged("import js\n    raise ValueError(str(js." + name + "))")
		if v.Text != "module 'js' has no attribute '"+name+"'" && v.Text != "<undefined>" {
			t.Errorf("js.%s is there: %s %q", name, v.Code, v.Text)
		}
	}
	for _, code := range []string{`js.Function("return 1")`, `js.eval("1")`, `js.Object.constructor("return 1")`} {
		if v := p.judged("import js\n    return " + code); v.Code == codelab.WrongValue {
			t.Errorf("%s: got %s %q", code, v.Code, v.Yours)
		}
	}
}

// walls tries to get out of a worker in the ways that JavaScript has, and posts what came of each.
const walls = `
const attempts = {
	fetch: () => fetch("/"),
	foreign: () => fetch("http://127.0.0.1:9/"),
	xhr: () => new Promise((done, failed) => { const x = new XMLHttpRequest(); x.onload = done; x.onerror = failed; x.open("GET", "/"); x.send(); }),
	socket: () => new Promise((done, failed) => { const s = new WebSocket("ws://" + location.host + "/"); s.onopen = done; s.onerror = failed; }),
	events: () => new Promise((done, failed) => { const s = new EventSource("/"); s.onopen = done; s.onerror = failed; }),
	script: () => import("http://127.0.0.1:9/x.js"),
	data: () => import("data:text/javascript,1"),
	blob: () => import(URL.createObjectURL(new Blob(["1"], {type: "text/javascript"}))),
	eval: () => eval("1"),
	function: () => new Function("return 1")(),
	font: () => new FontFace("x", "url(/x.woff)").load(),
};
const results = {};
for (const [name, attempt] of Object.entries(attempts)) {
	try { await attempt(); results[name] = "done"; } catch (e) { results[name] = "refused"; }
}
postMessage(JSON.stringify(results));
`

// TestPythonWorkersPolicy: the browser itself keeps the worker from reaching anything, whatever runs in it: from the
// server, and offline from what the service worker has kept.
func TestPythonWorkersPolicy(t *testing.T) {
	a := &altered{Handler: labHandler(t), files: map[string]func(string) string{"/python/worker.js": func(string) string { return walls }}}
	h := newHost(t, a)
	p := openBlank(t, h.url)
	p.tolerate(`Content Security Policy|Refused to`)
	p.visit("")
	p.waitFor(keptOffline)
	tried := func(where string) {
		t.Helper()
		a.mu.Lock()
		a.asked = nil
		a.mu.Unlock()
		results := eval[map[string]string](p, `new Promise((done, failed) => {
			const worker = new Worker(document.documentElement.dataset.build + "/python/worker.js", {type: "module"});
			worker.onmessage = (e) => done(JSON.parse(e.data));
			worker.onerror = (e) => failed(new Error(e.message || "the worker does not start"));
		})`)
		if len(results) != 11 {
			t.Errorf("%s: %d ways were tried", where, len(results))
		}
		for name, result := range results {
			if result != "refused" {
				t.Errorf("%s, %s: %s", where, name, result)
			}
		}
		a.mu.Lock()
		defer a.mu.Unlock()
		for _, path := range a.asked {
			if !strings.HasSuffix(path, "/python/worker.js") {
				t.Errorf("%s: the server was asked for %s", where, path)
			}
		}
	}
	tried("from the server")
	eval[bool](p, `(retrylabKeepLate(), true)`)
	p.waitFor(keptLate)
	h.stop()
	tried("from what is kept")
}

// keptLate waits until what code steps need is kept for offline use.
const keptLate = `caches.keys().then((names) => Promise.all(names.map(async (n) => (await (await caches.open(n)).keys()).map((r) => r.url))))
	.then((all) => ["/editor.js", "/python/worker.js", "/python/micropython.js", "/python/micropython.wasm", "/python/harness.py"]
		.every((f) => all.flat().some((url) => url.endsWith(f))))`

// TestCodeOffline: what code steps need is not fetched by who opens none; after it was wanted once, programs are judged
// without the server, and a newer build keeps it by itself.
func TestCodeOffline(t *testing.T) {
	h := newHost(t, labHandler(t))
	p := openBlank(t, h.url)
	p.visit("")
	p.waitFor(keptOffline)
	if eval[bool](p, keptLate) {
		t.Error("the editor and Python are kept although nobody wanted them")
	}
	for _, address := range p.requests {
		if strings.Contains(address, "/python/") || strings.HasSuffix(address, "/editor.js") {
			t.Errorf("without a code step the page asked for %s", address)
		}
	}
	eval[bool](p, `(retrylabKeepLate(), true)`)
	p.waitFor(keptLate)
	h.stop()
	p.reload()
	eval[bool](p, grader)
	p.next("the server was stopped")
}

// TestWithoutNpm: a site that was built without the packages of npm says so, and asking it for a verdict ends in a reason.
func TestWithoutNpm(t *testing.T) {
	dir, _ := buildSite(t, func(c *site.Config) { c.Npm = filepath.Join(t.TempDir(), "none") })
	p := openBlank(t, newHost(t, handlerOf(t, dir)).url)
	p.tolerate("404")
	p.visit("")
	want(p, `document.documentElement.dataset.code`, "")
	eval[bool](p, grader)
	if a := p.ask(job.Request{Kind: job.Warm}); a.Failed == "" {
		t.Errorf("got %+v", a)
	}
}
