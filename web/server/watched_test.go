package server

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/fstest"
	"time"
)

// TestWatch: the page is told that a folder is watched, in every way to get it, and nothing of an earlier visit stays.
func TestWatch(t *testing.T) {
	s := testSite(t)
	s.files["/index.html"] = newFile("index.html", []byte(`<!doctype html><html lang="en" data-fragments="course one/first">`))
	s.files["/index.html"].variants["br"] = []byte("the page without the mark")
	if r := ask(s, "GET", "/watch/index.json"); r.StatusCode != http.StatusNotFound {
		t.Errorf("without a folder: got %d, want 404", r.StatusCode)
	}
	folder := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, r.URL.Path) })
	if err := s.Watch(folder); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"/", "/index.html"} {
		r := ask(s, "GET", path, "Accept-Encoding", "br, gzip")
		if got, want := body(t, r), `<!doctype html><html data-watch="watch" lang="en" data-fragments="">`; got != want {
			t.Errorf("%s: got %q, want %q", path, got, want)
		}
	}
	if got := body(t, ask(s, "GET", "/sw.js")); !strings.Contains(got, "unregister()") || strings.Contains(got, `"fetch"`) {
		t.Errorf("the service worker does not retire: %s", got)
	}
	r := ask(s, "GET", "/watch/lessons/a.json")
	if got := body(t, r); got != "/lessons/a.json" {
		t.Errorf("the folder is asked for %q", got)
	}
	wantHeader(t, r, "Content-Security-Policy", Policy)
	if r := ask(s, "POST", "/watch/index.json"); r.StatusCode != http.StatusMethodNotAllowed {
		t.Errorf("POST: got %d, want 405", r.StatusCode)
	}
	if got := body(t, ask(s, "GET", asset)); got != "program" {
		t.Errorf("another file: got %q", got)
	}
	other, err := New(fstest.MapFS{"index.html": {Data: []byte("<p>none of ours")}})
	if err != nil {
		t.Fatal(err)
	}
	if err := other.Watch(folder); err == nil {
		t.Error("a page that cannot be told: no error")
	}
}

// TestStreamsStay: the limits for answers can be lifted through everything that the site puts around a handler.
func TestStreamsStay(t *testing.T) {
	s := testSite(t)
	s.files["/index.html"] = newFile("index.html", []byte(`<html lang="en">`))
	err := s.Watch(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		c := http.NewResponseController(w)
		fmt.Fprint(w, c.SetReadDeadline(time.Time{}), c.SetWriteDeadline(time.Time{}), c.Flush())
	}))
	if err != nil {
		t.Fatal(err)
	}
	real := httptest.NewServer(s)
	defer real.Close()
	r, err := http.Get(real.URL + "/watch/events")
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	if got, err := io.ReadAll(r.Body); string(got) != "<nil> <nil> <nil>" || err != nil {
		t.Errorf("got %q, %v", got, err)
	}
}
