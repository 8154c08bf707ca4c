package live

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// start starts a home of the partner, with the variables LIMIT and WINDOW, and gives its URL. The test's end ends it.
type start func(t *testing.T, most, window string) (url string)

// TestOneMachine runs the suite against net/http.
func TestOneMachine(t *testing.T) {
	conform(t, func(t *testing.T, most, window string) string {
		c, err := ParseLimit(most, window)
		if err != nil {
			t.Fatal(err)
		}
		h, err := New(Config{Limit: c})
		if err != nil {
			t.Fatal(err)
		}
		server := httptest.NewServer(h)
		t.Cleanup(server.Close)
		return server.URL
	})
}

// conform is the one suite for all homes: contract B over real connections, on a real clock.
func conform(t *testing.T, start start) {
	t.Run("two in ten seconds", func(t *testing.T) {
		url := start(t, "2", "10s")
		t.Run("burst", func(t *testing.T) { burst(t, url) })
		t.Run("refused keys", func(t *testing.T) { refusedKeys(t, url) })
		t.Run("other requests", func(t *testing.T) { otherRequests(t, url) })
		t.Run("fifty at once", func(t *testing.T) { fiftyAtOnce(t, url) })
	})
	t.Run("the window passes", func(t *testing.T) {
		const window = 300 * time.Millisecond
		windowPasses(t, start(t, "1", window.String()), window)
	})
}

// answer is what a client gets.
type answer struct {
	status int
	header http.Header
	body   string
}

// client waits long for a start on a busy machine, and not for ever.
var client = &http.Client{Timeout: 30 * time.Second, Transport: &http.Transport{MaxIdleConnsPerHost: 50}}

func ask(t *testing.T, method, url, content string, clients ...string) answer {
	t.Helper()
	r, err := http.NewRequest(method, url, strings.NewReader(content))
	if err != nil {
		t.Fatal(err)
	}
	r.Header["X-Client-Id"] = clients
	res, err := client.Do(r)
	if err != nil {
		t.Error(err)
		return answer{}
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		t.Error(err)
	}
	return answer{res.StatusCode, res.Header, string(body)}
}

func (a answer) expect(t *testing.T, status int, body string) {
	t.Helper()
	if a.status != status || a.body != body {
		t.Errorf("got %d %s, want %d %s", a.status, a.body, status, body)
	}
	if got := a.header.Get("Content-Type"); got != "application/json" {
		t.Errorf("Content-Type: got %q", got)
	}
	if _, waits := a.header["Retry-After"]; waits != (status == 429) {
		t.Errorf("%d with Retry-After %q", status, a.header["Retry-After"])
	}
}

func burst(t *testing.T, url string) {
	ask(t, "GET", url+"/work", "", "a").expect(t, 200, ok)
	ask(t, "GET", url+"/work", "", "a").expect(t, 200, ok)
	for range 3 { // refusals are not recorded, so they do not push the end away
		full := ask(t, "GET", url+"/work", "", "a")
		full.expect(t, 429, rateLimited)
		if n, err := strconv.Atoi(full.header.Get("Retry-After")); err != nil || n < 1 || n > 10 {
			t.Errorf("Retry-After: got %q, want 1 to 10", full.header.Get("Retry-After"))
		}
	}
	ask(t, "GET", url+"/work", "", "b").expect(t, 200, ok) // another client's burst is nothing to it
}

func refusedKeys(t *testing.T, url string) {
	ask(t, "GET", url+"/work", "").expect(t, 400, invalidClient)
	for _, key := range []string{"", "a b", "a_b", "\u00e9", strings.Repeat("x", 41)} {
		ask(t, "GET", url+"/work", "", key).expect(t, 400, invalidClient)
	}
	ask(t, "GET", url+"/work", "", "c", "d").expect(t, 400, invalidClient)
	ask(t, "GET", url+"/work", "", strings.Repeat("x", 40)).expect(t, 200, ok)
}

func otherRequests(t *testing.T, url string) {
	for _, c := range []struct {
		method, path, content string
		status                int
	}{
		{"GET", "/", "", 404}, {"GET", "/work/", "", 404}, {"POST", "/work", `{"amount":1}`, 405}, {"HEAD", "/work", "", 405},
		{"POST", "/work", strings.Repeat("x", MaxBody+1), 413},
	} {
		got := ask(t, c.method, url+c.path, c.content, "e")
		if got.status != c.status || got.header.Get("Content-Type") != "application/problem+json" {
			t.Errorf("%s %s: got %d %s, want %d", c.method, c.path, got.status, got.header.Get("Content-Type"), c.status)
		}
		if allow := got.header.Get("Allow"); (allow == "GET") != (c.status == 405) {
			t.Errorf("%s %s: Allow is %q", c.method, c.path, allow)
		}
	}
	ask(t, "GET", url+"/work?with=a%20query", "", "e").expect(t, 200, ok)
	ask(t, "GET", url+"/%77ork", "", "e").expect(t, 200, ok)
}

// fiftyAtOnce: exactly as many pass as the limit says.
func fiftyAtOnce(t *testing.T, url string) {
	var passed, full atomic.Int64
	var all sync.WaitGroup
	for range 50 {
		all.Go(func() {
			switch got := ask(t, "GET", url+"/work", "", "fifty"); got.status {
			case 200:
				passed.Add(1)
			case 429:
				full.Add(1)
			}
		})
	}
	if all.Wait(); passed.Load() != 2 || full.Load() != 48 {
		t.Errorf("%d passed and %d were refused, want 2 and 48", passed.Load(), full.Load())
	}
}

// windowPasses asks again and again, each time answered, until the window of the first request has passed.
func windowPasses(t *testing.T, url string, window time.Duration) {
	ask(t, "GET", url+"/work", "", "first").expect(t, 200, ok) // the home has started
	begun := time.Now()
	ask(t, "GET", url+"/work", "", "again").expect(t, 200, ok)
	refused := 0
	for time.Since(begun) < 30*time.Second {
		got := ask(t, "GET", url+"/work", "", "again")
		if got.status == 429 {
			refused++
			if wait := got.header.Get("Retry-After"); wait != "1" {
				t.Fatalf("Retry-After: got %q, want 1: whole seconds, rounded up", wait)
			}
			continue
		}
		got.expect(t, 200, ok)
		// A Worker's clock shows whole milliseconds.
		if took := time.Since(begun); took < window-2*time.Millisecond {
			t.Errorf("admitted again after %v, want at least %v", took, window)
		}
		fmt.Printf("%s: admitted again after %v and %d refusals\n", t.Name(), time.Since(begun).Round(time.Millisecond), refused)
		return
	}
	t.Error("never admitted again")
}
