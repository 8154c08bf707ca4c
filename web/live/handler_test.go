package live

import (
	"fmt"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"retrylab.example/core/clock"
	"retrylab.example/core/limit"
)

// app is a handler on a clock that the test sets.
type app struct {
	*Handler
	now clock.Instant
}

func newApp(t testing.TB, c Config) *app {
	t.Helper()
	a := &app{}
	c.Clock = func() clock.Instant { return a.now }
	h, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	a.Handler = h
	return a
}

// ask sends one request; client nil sends no X-Client-ID.
func (a *app) ask(method, path string, client ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, path, nil)
	r.Header["X-Client-Id"] = client
	w := httptest.NewRecorder()
	a.ServeHTTP(w, r)
	return w
}

func expect(t *testing.T, w *httptest.ResponseRecorder, status int, body string) {
	t.Helper()
	if w.Code != status || w.Body.String() != body {
		t.Errorf("got %d %s, want %d %s", w.Code, w.Body, status, body)
	}
}

const (
	ok            = `{"ok":true}`
	rateLimited   = `{"error":"rate_limited"}`
	invalidClient = `{"error":"invalid_client"}`
)

// TestDefaultLimit is contract B's create_app: 2 in 10 s, the left edge open, one client's burst not another's matter.
func TestDefaultLimit(t *testing.T) {
	a := newApp(t, Config{})
	expect(t, a.ask("GET", "/work", "a"), 200, ok)
	a.now = a.now.Add(500 * time.Millisecond)
	expect(t, a.ask("GET", "/work?again", "a"), 200, ok)
	w := a.ask("GET", "/work", "a")
	expect(t, w, 429, rateLimited)
	if got := w.Header().Get("Retry-After"); got != "10" { // 9.5 s rounded up: rounded down is too early
		t.Errorf("Retry-After: got %q, want 10", got)
	}
	expect(t, a.ask("GET", "/work", "b"), 200, ok)
	a.now = clock.Start.Add(10*time.Second - 1)
	expect(t, a.ask("GET", "/work", "a"), 429, rateLimited)
	a.now++
	expect(t, a.ask("GET", "/work", "a"), 200, ok)
	a.now = 0 // a clock that goes back changes nothing
	expect(t, a.ask("GET", "/work", "a"), 429, rateLimited)
}

func TestClientKeys(t *testing.T) {
	a := newApp(t, Config{})
	expect(t, a.ask("GET", "/work"), 400, invalidClient)
	for _, key := range []string{"", " ", "a b", "a_b", "é", strings.Repeat("x", 41), "a\x00", "a,b"} {
		expect(t, a.ask("GET", "/work", key), 400, invalidClient)
	}
	expect(t, a.ask("GET", "/work", "a", "b"), 400, invalidClient) // two fields are one with a comma
	expect(t, a.ask("GET", "/work", strings.Repeat("x", 40)), 200, ok)
	if n := a.partner.Clients(); n != 1 {
		t.Errorf("%d clients are kept, want 1: a refused key must take no memory", n)
	}
}

// TestRefusals: what is not GET /work takes no place in any window.
func TestRefusals(t *testing.T) {
	a := newApp(t, Config{Limit: limit.Config{Limit: 1, Window: time.Second}})
	for _, c := range []struct {
		method, path string
		status       int
	}{
		{"POST", "/work", 405}, {"HEAD", "/work", 405}, {"OPTIONS", "/work", 405}, {"get", "/work", 405},
		{"GET", "/", 404}, {"GET", "/work/", 404}, {"GET", "//work", 404}, {"GET", "/Work", 404}, {"POST", "/add", 404},
	} {
		w := a.ask(c.method, c.path, "a")
		if w.Code != c.status || w.Header().Get("Content-Type") != "application/problem+json" {
			t.Errorf("%s %s: got %d %s, want %d", c.method, c.path, w.Code, w.Header().Get("Content-Type"), c.status)
		}
		if allow := w.Header().Get("Allow"); (allow == "GET") != (c.status == 405) {
			t.Errorf("%s %s: Allow is %q", c.method, c.path, allow)
		}
	}
	expect(t, a.ask("GET", "/nowhere", "a"), 404, `{"type":"about:blank","title":"Not Found","status":404,`+
		`"detail":"There is GET /work, with the header X-Client-ID."}`)
	expect(t, a.ask("GET", "/work", "a"), 200, ok)
}

func TestBounds(t *testing.T) {
	a := newApp(t, Config{})
	r := httptest.NewRequest("GET", "/work", strings.NewReader(strings.Repeat("x", MaxBody+1)))
	w := httptest.NewRecorder()
	if a.ServeHTTP(w, r); w.Code != 413 {
		t.Errorf("a body of %d bytes: got %d, want 413", MaxBody+1, w.Code)
	}
	r = httptest.NewRequest("GET", "/work", nil)
	r.Header.Set("X-Other", strings.Repeat("x", MaxHeader))
	w = httptest.NewRecorder()
	if a.ServeHTTP(w, r); w.Code != 431 {
		t.Errorf("%d bytes of header fields: got %d, want 431", MaxHeader, w.Code)
	}
}

// TestMaxClients: memory is bounded; who is known keeps being answered, and a place opens when a window has passed.
func TestMaxClients(t *testing.T) {
	a := newApp(t, Config{MaxClients: 3})
	for i := range 3 {
		expect(t, a.ask("GET", "/work", fmt.Sprint(i)), 200, ok)
	}
	a.now = a.now.Add(time.Second / 2)
	w := a.ask("GET", "/work", "4")
	if w.Code != 503 || w.Header().Get("Retry-After") != "10" {
		t.Errorf("got %d, Retry-After %q; want 503 and 10", w.Code, w.Header().Get("Retry-After"))
	}
	expect(t, a.ask("GET", "/work", "no key"), 400, invalidClient)
	expect(t, a.ask("GET", "/work", "1"), 200, ok)
	expect(t, a.ask("GET", "/work", "1"), 429, rateLimited)
	a.now = a.now.Add(10*time.Second - 1)
	expect(t, a.ask("GET", "/work", "4"), 200, ok)
	if n := a.partner.Clients(); n != 2 { // 1 asked last half a second in, 4 now
		t.Errorf("%d clients are kept, want 2", n)
	}
}

func TestSettings(t *testing.T) {
	for _, c := range []limit.Config{{Limit: -1, Window: 1}, {Limit: 1}, {Window: time.Second}, {Limit: 1, Window: -1}} {
		if _, err := New(Config{Limit: c}); err == nil {
			t.Errorf("%+v is taken", c)
		}
	}
	if h, err := New(Config{}); err != nil || h.clock() < 0 {
		t.Errorf("the zero Config: %v", err)
	}
	for _, c := range []struct {
		most, window string
		want         limit.Config
	}{
		{"", "", limit.Config{}}, {"3", "250ms", limit.Config{Limit: 3, Window: 250 * time.Millisecond}},
		{"2", "10s", limit.Config{Limit: 2, Window: 10 * time.Second}},
	} {
		if got, err := ParseLimit(c.most, c.window); err != nil || got != c.want {
			t.Errorf("ParseLimit(%q, %q): got %v, %v", c.most, c.window, got, err)
		}
	}
	for _, c := range [][2]string{{"", "10s"}, {"2", ""}, {"0", "10s"}, {"2.5", "10s"}, {"2", "0s"}, {"2", "10"}, {"2", "-1s"}} {
		if got, err := ParseLimit(c[0], c[1]); err == nil {
			t.Errorf("ParseLimit(%q, %q): got %v, want an error", c[0], c[1], got)
		}
	}
}

// FuzzHandler: whatever comes, there is one of the documented answers, and no panic.
func FuzzHandler(f *testing.F) {
	f.Add("GET", "/work", "client-1", int64(0))
	f.Add("POST", "/work?x=1", "", int64(MaxBody+1))
	f.Add("", "*", "a b", int64(-1))
	a := newApp(f, Config{MaxClients: 4})
	f.Fuzz(func(t *testing.T, method, path, client string, length int64) {
		r := httptest.NewRequest("GET", "/", nil)
		r.Method, r.URL.Path, r.ContentLength = method, path, length
		r.Header.Set("X-Client-ID", client)
		a.now++
		w := httptest.NewRecorder()
		a.ServeHTTP(w, r)
		switch w.Code {
		case 200, 400, 404, 405, 413, 429, 431, 503:
		default:
			t.Errorf("%q %q %q: got %d", method, path, client, w.Code)
		}
	})
}
