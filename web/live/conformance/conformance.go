// Package conformance is the one suite that every home of the labs passes, over real connections and on a real clock: one
// machine with either store, and Cloudflare Workers.
package conformance

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"
)

// Home is a program that answers for labs.
type Home struct {
	// URL is where /v1 is.
	URL string
	// CannotCut says that an answer that gets lost is a 504 here.
	CannotCut bool
	// Restart ends the program without a warning, starts it again and returns its URL; nil: its labs do not outlive it.
	Restart func(t *testing.T) (url string)
}

// Run runs the suite.
func Run(t *testing.T, h *Home) {
	for _, c := range []struct {
		name string
		test func(*testing.T, *Home)
	}{
		{"contract B", contractB}, {"five of fifty", fiveOfFifty}, {"fifty with one key", fiftyWithOneKey},
		{"another payload", anotherPayload}, {"in flight", inFlight}, {"lease", lease}, {"key lifetime", keyLifetime},
		{"lost reply", lostReply}, {"truncated reply", truncatedReply}, {"script", script}, {"reservations", reservations},
		{"rate", rate}, {"trace", trace}, {"watching", watching}, {"report", report}, {"labs are apart", apart},
		{"browsers", browsers}, {"refusals", refusals}, {"restart", restart},
	} {
		t.Run(c.name, func(t *testing.T) { c.test(t, h) })
	}
}

// client waits long for a busy machine, and not for ever. It takes no compressed answers, and sends nothing twice: see
// request.
var client = &http.Client{
	Timeout: time.Minute, Transport: &http.Transport{MaxIdleConnsPerHost: 50, DisableCompression: true},
}

// answer is what a client gets; status 0 if the connection broke before an answer, broken if it broke within.
type answer struct {
	status int
	header http.Header
	body   string
	broken bool
}

// send sends one request on a connection of its own: on one that was used before, Go's transport would send a keyed
// request again by itself when the connection breaks.
func send(t *testing.T, method, url, body string, header ...string) answer {
	t.Helper()
	r, err := http.NewRequest(method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Close = true
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	res, err := client.Do(r)
	if err != nil {
		if !errors.Is(err, io.EOF) && !strings.Contains(err.Error(), "EOF") && !strings.Contains(err.Error(), "reset") {
			t.Errorf("%s %s: %v", method, url, err)
		}
		return answer{broken: true}
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	return answer{res.StatusCode, res.Header, string(text), err != nil}
}

func (a answer) expect(t *testing.T, status int, body string) {
	t.Helper()
	if a.status != status || body != "" && a.body != body {
		t.Errorf("got %d %s, want %d %s", a.status, a.body, status, body)
	}
}

// lab makes a lab from a scenario, and returns its base URL.
func lab(t *testing.T, h *Home, scenario string) string {
	t.Helper()
	a := send(t, "POST", h.URL+"/v1/labs", `{"scenario":`+scenario+`}`)
	var made struct{ ID string }
	if err := json.Unmarshal([]byte(a.body), &made); err != nil || a.status != 201 || len(made.ID) < 22 {
		t.Fatalf("no lab: %d %s", a.status, a.body)
	}
	base := h.URL + "/v1/labs/" + made.ID
	t.Cleanup(func() { send(t, "DELETE", h.URL+"/v1/labs/"+made.ID, "") })
	return base
}

// totals are those that a lab tells.
type totals struct {
	Calls, Sent, Arrived, Applied, Replayed, Refused, Duplicates int
	Naive, Deduped, Actual                                       int64
}

func totalsOf(t *testing.T, base string) (v totals) {
	t.Helper()
	a := send(t, "GET", base+"/totals", "")
	if err := json.Unmarshal([]byte(a.body), &v); err != nil || a.status != 200 {
		t.Fatalf("totals: %d %s", a.status, a.body)
	}
	return v
}

// atOnce does something so many times at once and counts the statuses.
func atOnce(n int, do func() answer) map[int]int {
	var mu sync.Mutex
	var all sync.WaitGroup
	counts := map[int]int{}
	for range n {
		all.Go(func() {
			a := do()
			mu.Lock()
			counts[a.status]++
			mu.Unlock()
		})
	}
	all.Wait()
	return counts
}

// until asks again and again, each time answered, until it is content.
func until(t *testing.T, what string, content func() bool) {
	t.Helper()
	for begun := time.Now(); time.Since(begun) < 30*time.Second; {
		if content() {
			return
		}
	}
	t.Errorf("%s: not within 30 s", what)
}

// lost expects that the answer got lost.
func (h *Home) lost(t *testing.T, a answer) {
	t.Helper()
	if h.CannotCut {
		a.expect(t, 504, "")
	} else if !a.broken || a.status != 0 {
		t.Errorf("got %d %q, want a connection that breaks without an answer", a.status, a.body)
	}
}
