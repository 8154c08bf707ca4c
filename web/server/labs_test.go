package server

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"testing/fstest"
)

// TestLabs: the page is told that there are labs, and what they answer is theirs alone: any method, their own fields.
func TestLabs(t *testing.T) {
	s := testSite(t)
	s.files["/index.html"] = newFile("index.html", []byte(`<!doctype html><html lang="en">`))
	if r := ask(s, "GET", "/v1/labs"); r.StatusCode != http.StatusNotFound {
		t.Errorf("without labs: got %d, want 404", r.StatusCode)
	}
	labs := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, r.Method, " ", r.URL.Path) })
	if err := s.Labs(labs); err != nil {
		t.Fatal(err)
	}
	if got, want := body(t, ask(s, "GET", "/")), `<!doctype html><html data-labs="v1/labs" lang="en">`; got != want {
		t.Errorf("the page: got %q, want %q", got, want)
	}
	r := ask(s, "DELETE", "/v1/labs/a")
	if got := body(t, r); got != "DELETE /v1/labs/a" {
		t.Errorf("the labs are asked %q", got)
	}
	for _, name := range []string{"Content-Security-Policy", "Cross-Origin-Resource-Policy"} {
		wantHeader(t, r, name, "")
	}
	if got := body(t, ask(s, "GET", asset)); !strings.Contains(got, "program") {
		t.Errorf("another file: got %q", got)
	}
	other, err := New(fstest.MapFS{"index.html": {Data: []byte("<p>none of ours")}})
	if err != nil {
		t.Fatal(err)
	}
	if err := other.Labs(labs); err == nil {
		t.Error("a page that cannot be told: no error")
	}
}
