package live_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"retrylab.example/web/live"
)

// app is a house on a clock that the test sets, with one lab.
type app struct {
	t testing.TB
	*live.House
	now  time.Time
	base string
}

func newApp(t testing.TB, c live.HouseConfig, scenario string) *app {
	t.Helper()
	a := &app{t: t, now: time.UnixMilli(1_796_040_000_000)}
	c.Now = func() time.Time { return a.now }
	a.House = live.NewHouse(c)
	a.base = a.make(scenario)
	return a
}

// make makes a lab and returns its path.
func (a *app) make(scenario string) string {
	a.t.Helper()
	w := a.ask("POST", "/v1/labs", `{"scenario":`+scenario+`,"idleHours":1}`)
	if w.Code != 201 {
		a.t.Fatalf("no lab: %d %s", w.Code, w.Body)
	}
	return w.Header().Get("Location")
}

func (a *app) ask(method, path, body string, header ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, path, strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Add(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	a.ServeHTTP(w, r)
	return w
}

func (a *app) expect(w *httptest.ResponseRecorder, status int, body string) {
	a.t.Helper()
	if w.Code != status || !strings.Contains(w.Body.String(), body) {
		a.t.Errorf("got %d %s, want %d %s", w.Code, w.Body, status, body)
	}
}

func (a *app) add(key string) *httptest.ResponseRecorder {
	return a.ask("POST", a.base+"/add", `{"amount":10}`, "Idempotency-Key", key)
}

// applied returns how many effects the lab has had.
func (a *app) applied() int {
	a.t.Helper()
	var v struct{ Applied int }
	w := a.ask("GET", a.base+"/totals", "")
	if err := json.Unmarshal(w.Body.Bytes(), &v); err != nil || w.Code != 200 {
		a.t.Fatalf("totals: %d %s", w.Code, w.Body)
	}
	return v.Applied
}

// TestLabOfAFile: a scenario file makes a lab, goals or not: a lab judges nothing.
func TestLabOfAFile(t *testing.T) {
	a := newApp(t, live.HouseConfig{}, `{"clients":[{"name":"a","policy":{"preset":"once"}}],"goals":[{"kind":"count","of":"duplicates","equals":0}]}`)
	a.expect(a.add("k"), 200, `{"total":10}`)
}

// TestLabsEnd: a lab is over when nobody has asked it for its hours; each request moves that, and looking does not.
func TestLabsEnd(t *testing.T) {
	a := newApp(t, live.HouseConfig{}, `{}`)
	a.now = a.now.Add(50 * time.Minute)
	a.expect(a.add("k"), 200, `{"total":10}`)
	a.now = a.now.Add(50 * time.Minute)
	a.expect(a.ask("GET", a.base, ""), 200, "")
	a.now = a.now.Add(11 * time.Minute)
	a.expect(a.add("k"), 404, "no-such-lab")
	if err := a.Expire(t.Context()); err != nil {
		t.Fatal(err)
	}
	a.expect(a.ask("GET", a.base+"/trace", ""), 404, "no-such-lab")
}

// TestQuota: so many labs for one address and for all; an address of IPv6 counts by its network.
func TestQuota(t *testing.T) {
	h := live.NewHouse(live.HouseConfig{MaxOwned: 2, MaxLabs: 5})
	for i, c := range []struct {
		from   string
		status int
	}{
		{"192.0.2.1:1", 201}, {"192.0.2.1:2", 201}, {"192.0.2.1:3", 429}, {"[2001:db8::1]:1", 201},
		{"[2001:db8::2]:1", 201}, {"[2001:db8::3]:1", 429}, {"192.0.2.2:1", 201}, {"192.0.2.3:1", 503},
	} {
		r := httptest.NewRequest("POST", "/v1/labs", nil)
		r.RemoteAddr = c.from
		w := httptest.NewRecorder()
		if h.ServeHTTP(w, r); w.Code != c.status || (w.Header().Get("Retry-After") != "") != (c.status != 201) {
			t.Errorf("%d, from %s: got %d %s, want %d", i, c.from, w.Code, w.Body, c.status)
		}
	}
}

// TestALabIsFull: what a lab keeps is bounded. Then it takes nothing more, and still tells what it knows.
func TestALabIsFull(t *testing.T) {
	a := newApp(t, live.HouseConfig{MaxState: 20_000, SnapshotEvery: 10}, `{}`)
	n := 0
	for ; n < 1000; n++ {
		if w := a.add(fmt.Sprint(n)); w.Code != 200 {
			a.expect(w, 503, "lab-full")
			break
		}
	}
	if n < 20 || n > 200 {
		t.Errorf("it took %d keys", n)
	}
	if got := a.applied(); got != n {
		t.Errorf("%d were applied of %d", got, n)
	}
}

// TestMemoryIsLeft: labs that nobody asks leave memory, and come back as they were.
func TestMemoryIsLeft(t *testing.T) {
	a := newApp(t, live.HouseConfig{MaxLoaded: 2, SnapshotEvery: 7}, `{}`)
	bases := []string{a.base, a.make(`{}`), a.make(`{}`), a.make(`{}`)}
	for round := range 20 {
		for _, base := range bases {
			a.base, a.now = base, a.now.Add(time.Second)
			a.expect(a.add(fmt.Sprint(round)), 200, fmt.Sprintf(`{"total":%d}`, 10*(round+1)))
		}
	}
	for _, a.base = range bases {
		if got := a.applied(); got != 20 {
			t.Errorf("%d were applied", got)
		}
		if lines := strings.Count(a.ask("GET", a.base+"/trace", "").Body.String(), "\n"); lines < 7*5 {
			t.Errorf("the trace has %d lines", lines)
		}
	}
}

// failing is a store whose disk is full now and then.
type failing struct {
	live.Memory
	fails atomic.Bool
}

var errDisk = errors.New("the disk is full")

func (f *failing) Append(ctx context.Context, id string, n, expires int64, record []byte) func() error {
	if f.fails.Load() {
		return func() error { return errDisk }
	}
	return f.Memory.Append(ctx, id, n, expires, record)
}

// TestNothingIsAnsweredThatIsNotKept: where a record cannot be kept there is a 503, and nothing has happened.
func TestNothingIsAnsweredThatIsNotKept(t *testing.T) {
	store := &failing{}
	var told []error
	a := newApp(t, live.HouseConfig{Store: store, Log: func(err error) { told = append(told, err) }}, `{}`)
	a.expect(a.add("1"), 200, `{"total":10}`)
	store.fails.Store(true)
	for range 3 {
		a.expect(a.add("2"), 503, "not-kept")
	}
	store.fails.Store(false)
	if got := a.applied(); got != 1 {
		t.Errorf("%d were applied, want 1", got)
	}
	a.expect(a.add("2"), 200, `{"total":20}`)
	if len(told) != 3 || !errors.Is(told[0], errDisk) {
		t.Errorf("told was %v", told)
	}
}

// TestWhoGoesIsNotWaitedFor: a client that leaves during the work loses its answer only.
func TestWhoGoesIsNotWaitedFor(t *testing.T) {
	h := live.NewHouse(live.HouseConfig{MaxHeld: 1})
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest("POST", "/v1/labs", nil))
	base := w.Header().Get("Location")
	ctx, leave := context.WithCancel(t.Context())
	r := httptest.NewRequestWithContext(ctx, "GET", base+"/work", nil)
	r.Header.Set("Prefer", "fault=slow;delay=1m")
	gone := make(chan bool)
	go func() {
		h.ServeHTTP(httptest.NewRecorder(), r)
		close(gone)
	}()
	ask := func(path string) *httptest.ResponseRecorder {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest("GET", base+path, nil))
		return w
	}
	for begun := time.Now(); !strings.Contains(ask("/totals").Body.String(), `"arrived":1`); {
		if time.Since(begun) > 30*time.Second {
			t.Fatal("it never arrives")
		}
	}
	if got := ask("/work").Code; got != http.StatusServiceUnavailable {
		t.Errorf("with the one place taken: got %d", got)
	}
	leave()
	<-gone
	if got := ask("/work").Code; got != 200 {
		t.Errorf("after it left: got %d", got)
	}
}

// TestWhatAScriptMaySet: no field that a browser or a proxy acts on.
func TestWhatAScriptMaySet(t *testing.T) {
	a := newApp(t, live.HouseConfig{}, `{"repeatLast":true,"script":[{"reply":503,"fields":[
		{"name":"X-RateLimit-Reset","value":"7"},{"name":"Set-Cookie","value":"a=b"},{"name":"X-Accel-Redirect","value":"/etc"},
		{"name":"Access-Control-Allow-Origin","value":"null"},{"name":"Clear-Site-Data","value":"\"*\""}]}]}`)
	h := a.ask("GET", a.base+"/work", "").Header()
	if h.Get("X-RateLimit-Reset") != "7" {
		t.Errorf("got %v", h)
	}
	for name, want := range map[string]string{
		"Set-Cookie": "", "X-Accel-Redirect": "", "Clear-Site-Data": "", "Access-Control-Allow-Origin": "*",
	} {
		if got := strings.Join(h.Values(name), ", "); got != want {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
}

// FuzzHouse: whatever comes, there is one of the answers that are described, and no panic but that which cuts a
// connection.
func FuzzHouse(f *testing.F) {
	f.Add("GET", "/work", "a", "k", "", "", "")
	f.Add("POST", "/add", "a", "\"k\"", "fault=lost-reply", `{"amount":1}`, "application/problem+json")
	f.Add("DELETE", "/reservations/1", "", "", "reply=204", "", "")
	f.Add("OPTIONS", "/../trace", "a b", "\x00", "fail=999", "{", "text/event-stream;q=0")
	a := newApp(f, live.HouseConfig{MaxState: 1 << 20, MaxTrace: 1 << 16}, `{"partner":{"limit":{"count":5,"window":"1s"}}}`)
	first := a.base
	f.Fuzz(func(t *testing.T, method, path, client, key, prefer, body, accept string) {
		if strings.Contains(accept, "event-stream") || strings.Contains(prefer, "slow") || strings.Contains(prefer, "delay") {
			return // they take their time
		}
		r := httptest.NewRequest("GET", "/", strings.NewReader(body))
		r.Method, r.URL.Path, r.ContentLength = method, first+path, int64(len(body))
		r.Header = http.Header{
			"X-Client-Id": {client}, "Idempotency-Key": {key}, "Prefer": {prefer}, "Accept": {accept}, "Content-Type": {"application/json"},
		}
		a.t, a.now = t, a.now.Add(10*time.Millisecond)
		w := httptest.NewRecorder()
		defer func() {
			if p := recover(); p != nil && p != http.ErrAbortHandler {
				panic(p)
			}
			if w.Code < 200 || w.Code > 599 || w.Code == 500 && !strings.Contains(prefer, "500") {
				t.Errorf("%q %q: got %d %s", method, path, w.Code, w.Body)
			}
			if method == "DELETE" && path == "" {
				first = a.make(`{"partner":{"limit":{"count":5,"window":"1s"}}}`)
			}
		}()
		a.ServeHTTP(w, r)
	})
}
