package server

import (
	"strings"
	"testing"
	"testing/fstest"
)

// Other sites may frame the one page, and no other address of the site, errors included.
func TestOnlyTheEmbedPageCanBeFramed(t *testing.T) {
	s, err := New(fstest.MapFS{
		"index.html": {Data: []byte("page")}, "embed.html": {Data: []byte("embed")}, "sw.js": {Data: []byte("worker")}, "b/0/x.js": {Data: []byte("x")},
	})
	if err != nil {
		t.Fatal(err)
	}
	for path, frames := range map[string]string{
		"/embed.html": "*", "/": "'none'", "/index.html": "'none'", "/sw.js": "'none'", "/b/0/x.js": "'none'", "/nothing": "'none'",
		"/embed.html/": "'none'", "/x/embed.html": "'none'", "/b/embed.html": "'none'",
	} {
		got := ask(s, "GET", path).Header.Get("Content-Security-Policy")
		if !strings.HasPrefix(got, MetaPolicy+"; ") || !strings.HasSuffix(got, "; frame-ancestors "+frames) {
			t.Errorf("%s: the policy is %s", path, got)
		}
	}
}

// TestPythonPolicy: the worker of learners' programs has a policy of its own, which lets it reach nothing.
func TestPythonPolicy(t *testing.T) {
	s, err := New(fstest.MapFS{
		"index.html": {Data: []byte("page")}, "b/0/python/worker.js": {Data: []byte("x")}, "b/0/worker.js": {Data: []byte("x")},
		"b/0/python/harness.py": {Data: []byte("x")},
	})
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		"/b/0/python/worker.js": PythonPolicy, "/b/0/worker.js": Policy, "/b/0/python/harness.py": Policy, "/": Policy,
	} {
		wantHeader(t, ask(s, "GET", path), "Content-Security-Policy", want)
	}
	for _, loose := range []string{"connect-src", "'unsafe-eval'", "*", "http", "unsafe-inline"} {
		if strings.Contains(PythonPolicy, loose) {
			t.Errorf("the policy allows %s: %s", loose, PythonPolicy)
		}
	}
}
