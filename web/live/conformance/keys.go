package conformance

import (
	"strings"
	"testing"
	"time"
)

func add(t *testing.T, base, key string, more ...string) answer {
	t.Helper()
	return send(t, "POST", base+"/add", `{"amount":10}`, append([]string{"Idempotency-Key", key, "X-Client-ID", "a"}, more...)...)
}

func fiftyWithOneKey(t *testing.T, h *Home) {
	base := lab(t, h, `{}`)
	counts := atOnce(50, func() answer { return add(t, base, "k") })
	if got := totalsOf(t, base); counts[200] != 50 || got.Applied != 1 || got.Replayed != 49 || got.Actual != 10 || got.Deduped != 10 || got.Naive != 500 {
		t.Errorf("got %v and %+v, want one effect", counts, got)
	}
	slow := lab(t, h, `{"partner":{"work":{"least":"1s"}}}`)
	counts = atOnce(50, func() answer { return add(t, slow, "k") })
	if got := totalsOf(t, slow); counts[200] < 1 || counts[200]+counts[409] != 50 || got.Applied != 1 || got.Actual != 10 {
		t.Errorf("work that takes time: got %v and %+v, want one effect", counts, got)
	}
}

func anotherPayload(t *testing.T, h *Home) {
	base := lab(t, h, `{}`)
	add(t, base, "k").expect(t, 200, `{"total":10}`)
	send(t, "POST", base+"/add", `{"amount":11}`, "Idempotency-Key", "k", "X-Client-ID", "a").expect(t, 422, `{"error":"key_mismatch"}`)
	send(t, "POST", base+"/add", "{ \"amount\": 10 }\n", "Idempotency-Key", `"k"`, "X-Client-ID", "a").expect(t, 200, `{"total":10}`)
	send(t, "POST", base+"/add", `{"amount":10}`, "Idempotency-Key", "k", "X-Client-ID", "b").expect(t, 200, `{"total":20}`)
	add(t, base, "new").expect(t, 200, `{"total":30}`) // the same amount alone is not the same request
	for _, key := range []string{"", strings.Repeat("k", 300), "é", "undefined"} {
		add(t, base, key).expect(t, 400, "")
	}
	if got := totalsOf(t, base); got.Actual != 30 || got.Naive != 40 || got.Deduped != 30 || got.Refused != 1 {
		t.Errorf("got %+v", got)
	}
}

// inFlight: while the first is in work, the same key is refused for now; then it gets the first one's answer.
func inFlight(t *testing.T, h *Home) {
	base := lab(t, h, `{"partner":{"work":{"least":"2s"}}}`)
	first := make(chan answer, 1)
	go func() { first <- add(t, base, "k") }()
	until(t, "it has arrived", func() bool { return totalsOf(t, base).Arrived == 1 })
	second := add(t, base, "k")
	second.expect(t, 409, `{"error":"key_in_flight"}`)
	if got := second.header.Get("Retry-After"); got != "1" {
		t.Errorf("Retry-After: got %q, want 1", got)
	}
	(<-first).expect(t, 200, `{"total":10}`)
	third := add(t, base, "k")
	third.expect(t, 200, `{"total":10}`)
	if third.header.Get("Idempotent-Replayed") != "true" {
		t.Error("the replay does not say so")
	}
}

// lease: a key whose lease is over executes anew, and has one effect all the same.
func lease(t *testing.T, h *Home) {
	base := lab(t, h, `{"partner":{"work":{"least":"3s"},"lease":"500ms"}}`)
	first := make(chan answer, 1)
	go func() { first <- add(t, base, "k") }()
	until(t, "it has arrived", func() bool { return totalsOf(t, base).Arrived == 1 })
	// Who is refused marks nothing; who comes when the lease is over waits for its own work.
	begun := time.Now()
	until(t, "the lease is over", func() bool { return add(t, base, "k", "Prefer", "delay=0s").status != 409 })
	if took := time.Since(begun); took < 3*time.Second {
		t.Errorf("the second answer came after %v, so it was not executed anew", took)
	}
	<-first
	until(t, "every work has ended", func() bool {
		a := add(t, base, "k")
		return a.status == 200 && a.header.Get("Idempotent-Replayed") == "true"
	})
	if got := totalsOf(t, base); got.Applied != 1 || got.Actual != 10 {
		t.Errorf("got %+v, want one effect", got)
	}
}

func keyLifetime(t *testing.T, h *Home) {
	base := lab(t, h, `{"partner":{"keyLifetime":"1s"}}`)
	begun := time.Now()
	add(t, base, "k").expect(t, 200, `{"total":10}`)
	until(t, "the key is new again", func() bool { return strings.Contains(add(t, base, "k").body, "20") })
	if took := time.Since(begun); took < time.Second-2*time.Millisecond {
		t.Errorf("the key was new after %v", took)
	}
	day := lab(t, h, `{}`)
	info := send(t, "GET", day, "")
	if !strings.Contains(info.body, `"keyLifetime":"24h"`) {
		t.Errorf("the lifetime is not 24 hours: %s", info.body)
	}
}

// lostReply: the effect has happened, the client cannot know; its retry gets the saved answer.
func lostReply(t *testing.T, h *Home) {
	base := lab(t, h, `{}`)
	h.lost(t, add(t, base, "k", "Prefer", "fault=lost-reply"))
	if got := totalsOf(t, base); got.Applied != 1 || got.Actual != 10 {
		t.Errorf("got %+v, want one effect", got)
	}
	again := add(t, base, "k")
	again.expect(t, 200, `{"total":10}`)
	if again.header.Get("Idempotent-Replayed") != "true" {
		t.Error("the replay does not say so")
	}
	// Without a key the retry is a second effect, and the lab knows that both are one call.
	bare := func(header ...string) answer { return send(t, "POST", base+"/add", `{"amount":5}`, header...) }
	h.lost(t, bare("Prefer", "fault=crash-after"))
	bare().expect(t, 200, `{"total":20}`)
	h.lost(t, send(t, "POST", base+"/add", `{"amount":3}`, "Prefer", "fault=lost-request"))
	if got := totalsOf(t, base); got.Duplicates != 1 || got.Actual != 20 || got.Applied != 3 {
		t.Errorf("got %+v, want one duplicate", got)
	}
}

func truncatedReply(t *testing.T, h *Home) {
	base := lab(t, h, `{}`)
	a := add(t, base, "k", "Prefer", "fault=truncated-reply")
	if h.CannotCut {
		a.expect(t, 504, "")
	} else if !a.broken || a.status != 200 || a.body == `{"total":10}` {
		t.Errorf("got %d %q, want the beginning of an answer", a.status, a.body)
	}
	add(t, base, "k").expect(t, 200, `{"total":10}`)
}

// script: what befalls the first requests, and what is asked for instead.
func script(t *testing.T, h *Home) {
	base := lab(t, h, `{"script":[{"reply":503,"retryAfter":"7"},{"fault":"slow","delay":"300ms"},{"fail":502}]}`)
	first := add(t, base, "1")
	first.expect(t, 503, `{"error":"unavailable"}`)
	if got := first.header.Get("Retry-After"); got != "7" {
		t.Errorf("Retry-After: got %q, want 7", got)
	}
	asked := add(t, base, "1", "Prefer", "reply=429;retry-after=3") // takes no element of the script
	asked.expect(t, 429, `{"error":"rate_limited"}`)
	if got := asked.header.Get("Preference-Applied"); got != "reply=429" {
		t.Errorf("Preference-Applied: got %q", got)
	}
	begun := time.Now()
	add(t, base, "1").expect(t, 200, `{"total":10}`)
	if took := time.Since(begun); took < 300*time.Millisecond-2*time.Millisecond {
		t.Errorf("the slow answer took %v", took)
	}
	add(t, base, "2").expect(t, 502, `{"error":"bad_gateway"}`)
	add(t, base, "3").expect(t, 200, `{"total":20}`)
	add(t, base, "4", "Prefer", "fault=other").expect(t, 400, "")
}
