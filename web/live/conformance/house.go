package conformance

import (
	"bufio"
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// kinds returns the kinds of the events in a trace.
func kinds(t *testing.T, jsonLines string) (list []string) {
	t.Helper()
	for i, line := range strings.Split(strings.TrimSpace(jsonLines), "\n") {
		var e struct {
			Seq, Format int
			Event       string
		}
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			t.Fatalf("line %d: %v: %s", i+1, err, line)
		}
		if i == 0 != (e.Format == 1) {
			t.Errorf("line %d: %s", i+1, line)
		}
		if e.Event != "" {
			list = append(list, e.Event)
		}
	}
	return list
}

var oneWork = []string{"call-started", "attempt-sent", "request-arrived", "request-answered", "reply-arrived"}

func trace(t *testing.T, h *Home) {
	base := lab(t, h, `{}`)
	send(t, "GET", base+"/work", "").expect(t, 200, ok)
	all := send(t, "GET", base+"/trace", "")
	if got := kinds(t, all.body); !slices.Equal(got, oneWork) {
		t.Errorf("got %v, want %v", got, oneWork)
	}
	if got := all.header.Get("Content-Type"); got != "application/jsonl" {
		t.Errorf("Content-Type: got %q", got)
	}
	send(t, "GET", base+"/work", "").expect(t, 200, ok)
	for _, later := range []answer{send(t, "GET", base+"/trace?after=7", ""), send(t, "GET", base+"/trace", "", "Last-Event-ID", "7")} {
		if got := kinds(t, later.body); !slices.Equal(got, oneWork[2:]) {
			t.Errorf("after event 7: got %v, want %v", got, oneWork[2:])
		}
	}
	send(t, "GET", base+"/trace?after=x", "").expect(t, 400, "")
}

// watching: a stream shows what happens while it happens, and goes on where another one broke off.
func watching(t *testing.T, h *Home) {
	base := lab(t, h, `{}`)
	work := make(chan bool, 1)
	defer close(work)
	go func() { // asks once each time that the stream has begun
		for range work {
			if res, err := client.Get(base + "/work"); err == nil {
				res.Body.Close()
			}
		}
	}()
	watch := func(after string, events int) (ids, data []string) {
		r, err := http.NewRequest("GET", base+"/trace", nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Accept", "text/event-stream")
		r.Header.Set("Last-Event-ID", after)
		res, err := client.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer res.Body.Close()
		if got := res.Header.Get("Content-Type"); got != "text/event-stream" {
			t.Errorf("Content-Type: got %q", got)
		}
		for s := bufio.NewScanner(res.Body); len(data) < events && s.Scan(); {
			if s.Text() == "retry: 2000" {
				work <- true
			}
			if id, is := strings.CutPrefix(s.Text(), "id: "); is {
				ids = append(ids, id)
			}
			if line, is := strings.CutPrefix(s.Text(), "data: "); is {
				data = append(data, line)
			}
		}
		return ids, data
	}
	ids, data := watch("0", 5)
	if want := []string{"1", "2", "3", "4", "5"}; !slices.Equal(ids, want) {
		t.Errorf("got the events %v, want %v: %v", ids, want, data)
	}
	ids, _ = watch("3", 4)
	if want := []string{"4", "5", "6", "7"}; !slices.Equal(ids, want) {
		t.Errorf("after event 3: got the events %v, want %v", ids, want)
	}
}

// report: a client that ignores Retry-After, changes its key and sends without one is told so, with evidence.
func report(t *testing.T, h *Home) {
	base := lab(t, h, `{"partner":{"limit":{"count":1,"window":"1h"}}}`)
	for range 3 {
		send(t, "GET", base+"/work", "", "X-Client-ID", "shop")
	}
	var rep struct {
		Clients []struct {
			Client string
			Checks []struct {
				Check, Verdict, Says string
				Chances, Faults      int
				Evidence             []struct {
					Before, Seq   int
					Asked, Waited int64
					Says          string
				}
			}
		}
	}
	a := send(t, "GET", base+"/report", "", "Accept-Language", "ko-KR, en;q=0.5")
	if err := json.Unmarshal([]byte(a.body), &rep); err != nil || len(rep.Clients) != 1 || rep.Clients[0].Client != "shop" {
		t.Fatalf("%v: %s", err, a.body)
	}
	if got := a.header.Get("Content-Language"); got != "ko" {
		t.Errorf("Content-Language: got %q", got)
	}
	for _, c := range rep.Clients[0].Checks {
		if c.Check != "retry-after" {
			continue
		}
		if c.Verdict != "bad" || c.Faults != 1 || c.Chances != 1 || len(c.Evidence) != 1 {
			t.Fatalf("got %+v, want one fault of one", c)
		}
		if e := c.Evidence[0]; e.Asked != 3600e9 || e.Waited >= e.Asked || e.Before == 0 || e.Seq <= e.Before || e.Says == "" {
			t.Errorf("the evidence is %+v", e)
		}
	}
}

// apart: who does not know a lab's id gets nothing, and an ended lab is gone.
func apart(t *testing.T, h *Home) {
	one, other := lab(t, h, `{}`), lab(t, h, `{}`)
	add(t, one, "k").expect(t, 200, `{"total":10}`)
	add(t, other, "k").expect(t, 200, `{"total":10}`)
	for _, id := range []string{"AAAAAAAAAAAAAAAAAAAAAA", "x", "", "..", "%2e%2e", one[strings.LastIndex(one, "/")+1:] + "A"} {
		for _, rest := range []string{"/totals", "/trace", "/report", "/work"} {
			if a := send(t, "GET", h.URL+"/v1/labs/"+id+rest, ""); a.status != 404 && a.status != 307 && a.status != 301 {
				t.Errorf("%q%s: got %d %s", id, rest, a.status, a.body)
			}
		}
	}
	send(t, "DELETE", other, "").expect(t, 204, "")
	send(t, "GET", other+"/totals", "").expect(t, 404, "")
	send(t, "GET", other+"/work", "").expect(t, 404, "")
	send(t, "DELETE", other, "").expect(t, 404, "")
	add(t, one, "k").expect(t, 200, `{"total":10}`)
}

// browsers may ask from any page, and read what matters.
func browsers(t *testing.T, h *Home) {
	base := lab(t, h, `{}`)
	a := send(t, "OPTIONS", base+"/add", "", "Origin", "https://example.com", "Access-Control-Request-Method", "POST",
		"Access-Control-Request-Headers", "content-type,idempotency-key,prefer,x-client-id")
	a.expect(t, 204, "")
	for _, name := range []string{"content-type", "idempotency-key", "prefer", "x-client-id"} {
		if !strings.Contains(strings.ToLower(a.header.Get("Access-Control-Allow-Headers")), name) {
			t.Errorf("%s may not be sent: %v", name, a.header)
		}
	}
	if got := a.header.Get("Access-Control-Allow-Methods"); !strings.Contains(got, "POST") {
		t.Errorf("Access-Control-Allow-Methods: got %q", got)
	}
	got := send(t, "GET", base+"/work", "", "Origin", "https://example.com").header
	if got.Get("Access-Control-Allow-Origin") != "*" || !strings.Contains(got.Get("Access-Control-Expose-Headers"), "Retry-After") {
		t.Errorf("got %v", got)
	}
}

// refusals: each says what is wrong, as problem details.
func refusals(t *testing.T, h *Home) {
	base := lab(t, h, `{}`)
	for _, c := range []struct {
		method, url, body, says string
		status                  int
	}{
		{"GET", h.URL + "/v1/nothing", "", "openapi.json", 404},
		{"GET", base + "/other", "", "openapi.json", 404},
		{"PUT", base + "/add", `{"amount":1}`, "OPTIONS, POST", 405},
		{"HEAD", base + "/work", "", "", 405},
		{"POST", base + "/add", `{"amount":`, "1:11", 400},
		{"POST", base + "/add", `{"amuont":1}`, "use one of: amount, slot", 400},
		{"POST", base + "/add", `{"amount":1.5}`, "not a whole number", 400},
		{"POST", base + "/add", strings.Repeat(" ", 70_000), "65536", 413},
		{"POST", h.URL + "/v1/labs", `{"starter":"nothing"}`, "lost-reply", 400},
		{"POST", h.URL + "/v1/labs", `{"scenario":{"partner":{"limit":{"count":0,"window":"1s"}}}}`, "/scenario/partner/limit/count", 400},
		{"POST", h.URL + "/v1/labs", `{"scenario":{"partner":{"work":{"least":"2m"}}}}`, "1 minute", 400},
	} {
		a := send(t, c.method, c.url, c.body)
		if a.status != c.status || !strings.Contains(a.body, c.says) {
			t.Errorf("%s %s %.30s: got %d %s, want %d and %q", c.method, c.url, c.body, a.status, a.body, c.status, c.says)
		}
		if got := a.header.Get("Content-Type"); got != "application/problem+json" {
			t.Errorf("%s %s: got %s", c.method, c.url, got)
		}
		if (a.header.Get("Allow") != "") != (c.status == 405) {
			t.Errorf("%s %s: Allow is %q", c.method, c.url, a.header.Get("Allow"))
		}
	}
	long := send(t, "GET", base+"/work", "", "X-Other", strings.Repeat("x", 20_000))
	if long.status != 431 {
		t.Errorf("20,000 bytes of header: got %d", long.status)
	}
	send(t, "POST", base+"/add", `{"amount":0}`).expect(t, 400, `{"error":"invalid_amount"}`)
	send(t, "POST", base+"/add", "amount=1", "Content-Type", "text/plain").expect(t, 415, "")
}

// restart: a home that was ended without a warning knows everything that it answered.
func restart(t *testing.T, h *Home) {
	if h.Restart == nil {
		return
	}
	base := lab(t, h, `{"partner":{"limit":{"count":3,"window":"1h"}},"script":[{"fault":"none"},{"reply":503}]}`)
	add(t, base, "k").expect(t, 200, `{"total":10}`)
	for i := range 3 {
		before := totalsOf(t, base)
		was := send(t, "GET", base+"/trace", "").body
		h.URL = h.Restart(t)
		base = h.URL + base[strings.Index(base, "/v1/"):]
		if got := totalsOf(t, base); got != before {
			t.Errorf("restart %d: got %+v, want %+v", i, got, before)
		}
		if now := send(t, "GET", base+"/trace", "").body; now != was {
			t.Errorf("restart %d: the trace is another:\n%s\n%s", i, was, now)
		}
		want := []int{503, 200, 200}[i] // the script goes on, the limit counts on
		add(t, base, "k"+strconv.Itoa(i)).expect(t, want, "")
	}
	h.URL = h.Restart(t)
	base = h.URL + base[strings.Index(base, "/v1/"):]
	full := add(t, base, "k")
	full.expect(t, 429, rateLimited)
	if got := totalsOf(t, base); got.Applied != 3 || got.Actual != 30 {
		t.Errorf("got %+v, want three effects", got)
	}
}
