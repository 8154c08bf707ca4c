package watch

import (
	"bufio"
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"retrylab.example/wasm/catalog"
)

// follow runs the folder, and returns its server and a way to wait for the next event.
func follow(t *testing.T, f *Folder) (url string, next func() string, stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	go f.Run(ctx)
	s := httptest.NewServer(f)
	t.Cleanup(func() { cancel(); s.Close() })
	r, err := http.Get(s.URL + "/events")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Body.Close() })
	if got := r.Header.Get("Content-Type"); got != "text/event-stream" {
		t.Fatalf("events: got %q", got)
	}
	lines := bufio.NewScanner(r.Body)
	return s.URL, func() string {
		for lines.Scan() {
			if data, ok := strings.CutPrefix(lines.Text(), "data: "); ok {
				return data
			}
		}
		return ""
	}, cancel
}

func get(t *testing.T, url string) (int, string) {
	t.Helper()
	r, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	data, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	return r.StatusCode, string(data)
}

// TestEvents: a page hears of the present state at once and of each change, can fetch what it heard of, and is let go
// when the server stops.
func TestEvents(t *testing.T) {
	w := watchDir(t, true)
	url, next, stop := follow(t, w.Folder)
	first := next()
	if build, version, _ := strings.Cut(first, " "); build != "b/0123" || version == "" {
		t.Fatalf("got %q, want the build and a version", first)
	}
	w.write("a b.json", good(t, "mine", "Mine"))
	for told := next(); told == first; told = next() {
	}
	_, index := get(t, url+"/index.json")
	c, err := catalog.Read([]byte(index))
	if err != nil || len(c.Lessons) != 1 || c.Lessons[0].Version == "" {
		t.Fatalf("got %s, %v; want one lesson with a version", index, err)
	}
	if status, body := get(t, url+"/lessons/a%20b.json"); status != 200 || body != good(t, "mine", "Mine") {
		t.Errorf("the lesson: got %d, %d bytes", status, len(body))
	}
	for _, path := range []string{"/lessons/b.json", "/lessons/", "/lessons/../a%20b.json", "/", "/a%20b.json"} {
		if status, _ := get(t, url+path); status != http.StatusNotFound {
			t.Errorf("%s: got %d, want 404", path, status)
		}
	}
	stop()
	for next() != "" {
	}
}
