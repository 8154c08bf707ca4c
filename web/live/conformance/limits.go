package conformance

import (
	"strconv"
	"strings"
	"testing"
	"time"
)

const (
	ok          = `{"ok":true}`
	rateLimited = `{"error":"rate_limited"}`
	invalid     = `{"error":"invalid_client"}`
)

// contractB: two in ten seconds, refusals are not recorded, one client's burst is nothing to another.
func contractB(t *testing.T, h *Home) {
	base := lab(t, h, `{"partner":{"limit":{"count":2,"window":"10s"}}}`)
	work := func(id string) answer { return send(t, "GET", base+"/work", "", "X-Client-ID", id) }
	first := work("a")
	first.expect(t, 200, ok)
	for name, want := range map[string]string{
		"Content-Type": "application/json", "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff",
		"Ratelimit-Policy": `"default";q=2;w=10`, "Retry-After": "",
	} {
		if got := first.header.Get(name); got != want {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
	if got := first.header.Get("RateLimit"); !strings.HasPrefix(got, `"default";r=1;t=`) {
		t.Errorf("RateLimit: got %q", got)
	}
	work("a").expect(t, 200, ok)
	for range 3 {
		full := work("a")
		full.expect(t, 429, rateLimited)
		after := full.header.Get("Retry-After")
		if n, err := strconv.Atoi(after); err != nil || n < 1 || n > 10 {
			t.Errorf("Retry-After: got %q, want 1 to 10", after)
		}
		if got := full.header.Get("RateLimit"); got != `"default";r=0;t=`+after {
			t.Errorf("RateLimit: got %q beside Retry-After %s", got, after)
		}
	}
	work("b").expect(t, 200, ok)
	send(t, "GET", base+"/work", "").expect(t, 400, invalid)
	for _, id := range []string{"a b", "a_b", "a,b", strings.Repeat("x", 41)} {
		work(id).expect(t, 400, invalid)
	}
	work(strings.Repeat("x", 40)).expect(t, 200, ok)
	send(t, "GET", base+"/window", "", "X-Client-ID", "a").expect(t, 200, `{"counted":2,"limit":2}`)
	problem := send(t, "GET", base+"/work", "", "X-Client-ID", "a", "Accept", "application/problem+json")
	if got := problem.header.Get("Content-Type"); got != "application/problem+json" ||
		!strings.Contains(problem.body, `"error":"rate_limited"`) || !strings.Contains(problem.body, `"status":429`) {
		t.Errorf("problem details: got %s %s", got, problem.body)
	}
	passes(t, lab(t, h, `{"partner":{"limit":{"count":1,"window":"400ms"}}}`), 400*time.Millisecond)
}

// passes asks until the window of the first request has passed: neither sooner nor much later.
func passes(t *testing.T, base string, window time.Duration) {
	work := func() answer { return send(t, "GET", base+"/work", "", "X-Client-ID", "a") }
	begun := time.Now()
	work().expect(t, 200, ok)
	until(t, "admitted again", func() bool {
		a := work()
		if a.status == 429 && a.header.Get("Retry-After") != "1" {
			t.Errorf("Retry-After: got %q, want 1: whole seconds, rounded up", a.header.Get("Retry-After"))
		}
		return a.status == 200
	})
	// Some clocks show whole milliseconds.
	if took := time.Since(begun); took < window-2*time.Millisecond {
		t.Errorf("admitted again after %v, want at least %v", took, window)
	}
}

func fiveOfFifty(t *testing.T, h *Home) {
	base := lab(t, h, `{"partner":{"limit":{"count":5,"window":"1m"}}}`)
	counts := atOnce(50, func() answer { return send(t, "GET", base+"/work", "", "X-Client-ID", "a") })
	if counts[200] != 5 || counts[429] != 45 {
		t.Errorf("got %v, want 5 admitted and 45 refused", counts)
	}
}

// rate: contract D's three in each whole second.
func rate(t *testing.T, h *Home) {
	base := lab(t, h, `{}`)
	begun := time.Now()
	counts := atOnce(20, func() answer { return send(t, "GET", base+"/rate", "") })
	seconds := int(time.Since(begun)/time.Second) + 2 // that the requests can have touched
	if counts[200] < 3 || counts[200] > 3*seconds || counts[200]+counts[429] != 20 {
		t.Errorf("got %v within %d whole seconds", counts, seconds)
	}
	until(t, "a refusal", func() bool {
		a := send(t, "GET", base+"/rate", "")
		if a.status == 429 && (a.body != `{"error":"rate limit"}` || a.header.Get("Retry-After") != "1") {
			t.Errorf("got %s, Retry-After %q", a.body, a.header.Get("Retry-After"))
		}
		return a.status == 429
	})
}

// reservations: contract E's slots with a capacity, each caller's own, and its envelope.
func reservations(t *testing.T, h *Home) {
	base := lab(t, h, `{"partner":{"slots":{"count":1,"places":1}}}`)
	made := send(t, "POST", base+"/reservations", `{"slot":1,"amount":1}`, "X-Client-ID", "a", "Idempotency-Key", "k")
	made.expect(t, 201, `{"reservation":1,"slot":1,"amount":1}`)
	where := made.header.Get("Location")
	if !strings.HasSuffix(where, "/reservations/1") || !strings.HasPrefix(where, "/v1/labs/") {
		t.Errorf("Location: got %q", where)
	}
	again := send(t, "POST", base+"/reservations", `{"slot":1,"amount":1}`, "X-Client-ID", "a", "Idempotency-Key", "k")
	again.expect(t, 201, made.body)
	if again.header.Get("Location") != where || again.header.Get("Idempotent-Replayed") != "true" {
		t.Errorf("the replay has %v", again.header)
	}
	full := send(t, "POST", base+"/reservations", `{"slot":1,"amount":1}`, "X-Client-ID", "b")
	full.expect(t, 409, "")
	if !strings.Contains(full.body, `"code":"conflict"`) || !strings.Contains(full.body, `"retryable":false`) {
		t.Errorf("got %s", full.body)
	}
	send(t, "GET", base+"/reservations", "").expect(t, 200, `{"slots":[{"slot":1,"free":0}]}`)
	send(t, "POST", base+"/estimate", `{"slot":1,"amount":1}`).expect(t, 200, `{"slot":1,"amount":1,"free":0}`)
	send(t, "POST", base+"/waitlist", `{"slot":1,"amount":1}`, "X-Client-ID", "b").expect(t, 201, `{"slot":1,"ahead":0}`)
	send(t, "GET", base+"/reservations/1", "", "X-Client-ID", "b").expect(t, 404, "")
	send(t, "GET", base+"/reservations/1", "", "X-Client-ID", "a").expect(t, 200, made.body)
	for range 2 { // whoever asks again because the first answer was lost is told the same
		send(t, "DELETE", base+"/reservations/1", "", "X-Client-ID", "a").expect(t, 200, `{"reservation":1,"cancelled":true}`)
	}
}
