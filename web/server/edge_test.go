package server

import (
	"net/http"
	"os"
	"strings"
	"testing"
)

// TestEdgeSaysTheSame: the file of header fields for the platform at the edge says what this server says. In such a file
// the rules of all patterns that fit a path add up; an exclamation mark takes a field away again.
func TestEdgeSaysTheSame(t *testing.T) {
	text, err := os.ReadFile("../../wasm/edge/worker/_headers")
	if err != nil {
		t.Fatal(err)
	}
	s := testSite(t)
	for _, path := range []string{"/", "/index.html", "/sw.js", "/manifest.webmanifest", asset} {
		want := ask(s, "GET", path).Header
		for _, name := range []string{"Content-Type", "Etag", "Vary", "Accept-Ranges", "Content-Length", "Content-Encoding"} {
			want.Del(name) // the platform's own matter
		}
		compareHeaders(t, path, edgeHeaders(t, string(text), path), want)
	}
	framed := edgeHeaders(t, string(text), EmbedPage).Values("Content-Security-Policy")
	if len(framed) != 1 || framed[0] != EmbedPolicy {
		t.Errorf("%s: got %q, want %q", EmbedPage, framed, EmbedPolicy)
	}
}

func edgeHeaders(t *testing.T, text, path string) http.Header {
	t.Helper()
	fields, fits := http.Header{}, false
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		field, rule := strings.CutPrefix(line, "  ")
		name, value, named := strings.Cut(field, ": ")
		taken, takes := strings.CutPrefix(field, "! ")
		switch {
		case strings.HasPrefix(line, "#"):
		case !rule:
			prefix, all := strings.CutSuffix(line, "*")
			fits = line == path || all && strings.HasPrefix(path, prefix)
		case !takes && !named:
			t.Fatalf("malformed line %q", line)
		case fits && takes:
			fields.Del(taken)
		case fits:
			fields.Add(name, value)
		}
	}
	return fields
}

func compareHeaders(t *testing.T, path string, got, want http.Header) {
	t.Helper()
	for name := range want {
		if g, w := strings.Join(got.Values(name), ", "), strings.Join(want.Values(name), ", "); g != w {
			t.Errorf("%s: %s: got %q, want %q", path, name, g, w)
		}
	}
	for name := range got {
		if want[name] == nil {
			t.Errorf("%s: %s is sent at the edge only", path, name)
		}
	}
}
