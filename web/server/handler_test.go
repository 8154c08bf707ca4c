package server

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/fstest"
)

const asset = "/b/0123456789abcdef/app.wasm"

func testSite(t *testing.T) *Site {
	t.Helper()
	files := fstest.MapFS{}
	for name, content := range map[string]string{
		"index.html":              "<!doctype html>page",
		"index.html.br":           "page as brotli",
		"index.html.gz":           "page as gzip",
		"sw.js":                   "worker",
		"manifest.webmanifest":    "{}",
		asset[1:]:                 "program",
		asset[1:] + ".br":         "program as brotli",
		"b/0123456789abcdef/a.gz": "a file that is no variant",
		"b/0123456789abcdef/x.js": "x", "b/0123456789abcdef/x.css": "x", "b/0123456789abcdef/x.svg": "x",
		"b/0123456789abcdef/x.json": "x",
	} {
		files[name] = &fstest.MapFile{Data: []byte(content)}
	}
	s, err := New(files)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// ask sends one request; headers are pairs of name and value.
func ask(s http.Handler, method, path string, headers ...string) *http.Response {
	r := httptest.NewRequest(method, "http://lab.test/", nil)
	r.URL.Path = path
	for i := 0; i < len(headers); i += 2 {
		r.Header.Add(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	return w.Result()
}

func body(t *testing.T, r *http.Response) string {
	t.Helper()
	b, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func wantHeader(t *testing.T, r *http.Response, name, want string) {
	t.Helper()
	if got := r.Header.Get(name); got != want {
		t.Errorf("%s: got %q, want %q", name, got, want)
	}
}

func TestTypes(t *testing.T) {
	s := testSite(t)
	for path, want := range map[string]string{
		"/":                         "text/html; charset=utf-8",
		"/index.html":               "text/html; charset=utf-8",
		"/sw.js":                    "text/javascript; charset=utf-8",
		"/manifest.webmanifest":     "application/manifest+json",
		asset:                       "application/wasm",
		"/b/0123456789abcdef/x.js":  "text/javascript; charset=utf-8",
		"/b/0123456789abcdef/x.css": "text/css; charset=utf-8",
		"/b/0123456789abcdef/x.svg": "image/svg+xml", "/b/0123456789abcdef/x.json": "application/json",
		"/b/0123456789abcdef/a.gz": "application/octet-stream",
	} {
		r := ask(s, "GET", path)
		if r.StatusCode != 200 || r.Header.Get("Content-Type") != want {
			t.Errorf("%s: got %d %q, want 200 %q", path, r.StatusCode, r.Header.Get("Content-Type"), want)
		}
	}
}

// TestOneCachingRule: what lies in a build's folder never changes; everything else is asked for again each time.
func TestOneCachingRule(t *testing.T) {
	s := testSite(t)
	wantHeader(t, ask(s, "GET", asset), "Cache-Control", "public, max-age=31536000, immutable")
	for _, path := range []string{"/", "/index.html", "/sw.js", "/manifest.webmanifest"} {
		r := ask(s, "GET", path)
		wantHeader(t, r, "Cache-Control", "no-cache")
		if r.Header.Get("ETag") == "" {
			t.Errorf("%s has no ETag", path)
		}
	}
	wantHeader(t, ask(s, "GET", "/b/0000/app.wasm"), "Cache-Control", "no-store") // another build may have it
}

func TestVariants(t *testing.T) {
	s := testSite(t)
	for _, c := range []struct{ path, accept, coding, body string }{
		{"/", "gzip, br", "br", "page as brotli"},
		{"/", "gzip", "gzip", "page as gzip"},
		{"/", "", "", "<!doctype html>page"},
		{asset, "gzip", "", "program"}, // there is no gzip of it
		{asset, "br, gzip", "br", "program as brotli"},
		{"/sw.js", "br, gzip", "", "worker"},
	} {
		r := ask(s, "GET", c.path, "Accept-Encoding", c.accept)
		wantHeader(t, r, "Content-Encoding", c.coding)
		got := body(t, r)
		if got != c.body {
			t.Errorf("%s for %q: got %q, want %q", c.path, c.accept, got, c.body)
		}
		if r.ContentLength != int64(len(c.body)) {
			t.Errorf("%s for %q: Content-Length %d, want %d", c.path, c.accept, r.ContentLength, len(c.body))
		}
		vary := "Accept-Encoding"
		if c.path == "/sw.js" {
			vary = ""
		}
		wantHeader(t, r, "Vary", vary)
	}
	two := ask(s, "GET", "/", "Accept-Encoding", "gzip;q=0.1", "Accept-Encoding", "br")
	wantHeader(t, two, "Content-Encoding", "br") // two header lines are one list
	none := ask(s, "GET", "/sw.js", "Accept-Encoding", "identity;q=0")
	if none.StatusCode != http.StatusNotAcceptable {
		t.Errorf("nothing acceptable: got %d, want 406", none.StatusCode)
	}
}

func TestETag(t *testing.T) {
	s := testSite(t)
	first := ask(s, "GET", "/", "Accept-Encoding", "br")
	tag := first.Header.Get("ETag")
	again := ask(s, "GET", "/", "Accept-Encoding", "br", "If-None-Match", `"other", W/`+tag)
	if again.StatusCode != http.StatusNotModified || body(t, again) != "" {
		t.Errorf("the same content: got %d, want 304 without a body", again.StatusCode)
	}
	wantHeader(t, again, "ETag", tag)
	wantHeader(t, again, "Vary", "Accept-Encoding")
	wantHeader(t, again, "Cache-Control", "no-cache")
	plain := ask(s, "GET", "/", "If-None-Match", tag)
	if plain.StatusCode != 200 {
		t.Errorf("the tag of another coding: got %d, want 200", plain.StatusCode)
	}
}

func TestHead(t *testing.T) {
	s := testSite(t)
	for _, path := range []string{"/", asset, "/missing"} {
		get, head := ask(s, "GET", path, "Accept-Encoding", "br"), ask(s, "HEAD", path, "Accept-Encoding", "br")
		if body(t, head) != "" || head.StatusCode != get.StatusCode {
			t.Errorf("HEAD %s: got %d with a body, want %d without", path, head.StatusCode, get.StatusCode)
		}
		for _, name := range []string{"Content-Type", "Content-Length", "Content-Encoding", "ETag", "Cache-Control"} {
			wantHeader(t, head, name, get.Header.Get(name))
		}
	}
}

func TestRange(t *testing.T) {
	r := ask(testSite(t), "GET", asset, "Range", "bytes=1-3")
	if got := body(t, r); r.StatusCode != 206 || got != "rog" || r.ContentLength != 3 {
		t.Errorf("got %d %q of %d bytes, want 206 \"rog\" of 3", r.StatusCode, got, r.ContentLength)
	}
}

func TestOtherMethods(t *testing.T) {
	for _, method := range []string{"POST", "PUT", "DELETE", "OPTIONS", "TRACE", "WHATEVER"} {
		r := ask(testSite(t), method, "/")
		if r.StatusCode != http.StatusMethodNotAllowed {
			t.Errorf("%s: got %d, want 405", method, r.StatusCode)
		}
		wantHeader(t, r, "Allow", "GET, HEAD")
	}
}

// TestNoWayOut: a path is looked up as it is. Nothing cleans it, so nothing can lead out of the site, and the
// variants have no addresses of their own.
func TestNoWayOut(t *testing.T) {
	s := testSite(t)
	for _, path := range []string{
		"/../handler.go", "/b/../../go.mod", "/..%2fgo.mod", "//index.html", "/./index.html", "/index.html/", "/b/", "/b",
		"/b/0123456789abcdef/../0123456789abcdef/x.js", `/..\go.mod`, "/index.html\x00", "", "*", "/index.html.br",
		asset + ".br", "/lesson/one",
	} {
		r := ask(s, "GET", path)
		text := body(t, r)
		if r.StatusCode != http.StatusNotFound {
			t.Errorf("%q: got %d, want 404", path, r.StatusCode)
		}
		wantHeader(t, r, "Content-Type", "text/html; charset=utf-8")
		if strings.Contains(text, "go.mod") || strings.Contains(text, "\x00") {
			t.Errorf("%q: the page repeats the address: %q", path, text)
		}
	}
	if got := body(t, ask(s, "GET", "/a/b/c")); !strings.Contains(got, `href="./../../"`) {
		t.Errorf("the way back from /a/b/c is wrong: %s", got)
	}
}

// TestPolicy: every answer carries the policy, errors too.
func TestPolicy(t *testing.T) {
	s := testSite(t)
	want := "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data:; " +
		"font-src 'self'; connect-src 'self'; manifest-src 'self'; worker-src 'self'; base-uri 'none'; " +
		"form-action 'none'; frame-ancestors 'none'"
	for _, r := range []*http.Response{ask(s, "GET", "/"), ask(s, "GET", asset), ask(s, "GET", "/no"), ask(s, "POST", "/")} {
		wantHeader(t, r, "Content-Security-Policy", want)
		wantHeader(t, r, "X-Content-Type-Options", "nosniff")
		wantHeader(t, r, "Referrer-Policy", "no-referrer")
	}
}

func TestNewWantsAPage(t *testing.T) {
	if _, err := New(fstest.MapFS{"sw.js": &fstest.MapFile{}}); err == nil || !strings.Contains(err.Error(), "index.html") {
		t.Errorf("got %v, want an error that names index.html", err)
	}
}
