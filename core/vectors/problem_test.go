package vectors

import (
	"slices"
	"testing"

	"retrylab.example/core/call"
	"retrylab.example/core/problem"
	"retrylab.example/core/ratelimit"
	"retrylab.example/core/retry"
)

// Problem details (standards.md section 8, P01 to P10).

const quotaExceeded = "https://iana.org/assignments/http-problem-types#quota-exceeded"

func TestProblemDetails(t *testing.T) {
	for _, row := range []struct {
		id, body string
		want     problem.Details
	}{
		{"P01", `{}`, problem.Details{Type: problem.Blank}},
		{"P02", `{"status":429}`, problem.Details{Type: problem.Blank, Status: 429}},
		{"P03", `{"type":7,"title":"t"}`, problem.Details{Type: problem.Blank, Title: "t"}},
		{"P04", `{"type":"u","status":"429"}`, problem.Details{Type: "u"}},
		{"P05", `{"type":"u","title":null}`, problem.Details{Type: "u"}},
		{"P06", `{"type":"u","detail":{}}`, problem.Details{Type: "u"}},
		{"P07", `{"type":"u","balance":30,"instance":"/a"}`, problem.Details{Type: "u", Instance: "/a"}},
		{"P08", `{"status":503}`, problem.Details{Type: problem.Blank, Status: 503}},
		{"P09", `{"type":"` + quotaExceeded + `","violated-policies":["daily"]}`, problem.Details{Type: quotaExceeded, Violated: []string{"daily"}}},
	} {
		got, ok := problem.Read("Application/Problem+JSON; charset=utf-8", row.body)
		violated := slices.Equal(got.Violated, row.want.Violated)
		got.Violated, row.want.Violated = nil, nil
		if !ok || !violated || got.Type != row.want.Type || got.Status != row.want.Status || got.Title != row.want.Title ||
			got.Detail != "" || got.Instance != row.want.Instance || got.Retryable != call.NoFlag {
			t.Errorf("%s: got %+v, %t, want %+v", row.id, got, ok, row.want)
		}
	}
}

// The policy acts on the status of the response, and the body's other one is told as the sender's fault.
func TestP08TheStatusOfTheResponseCounts(t *testing.T) {
	const body = `{"status":503}`
	p := retry.Policy{Attempts: 3, Statuses: []int{503}}
	o := status(429)
	o.Response.Body = problem.Body(problem.MediaType, body)
	d, _ := problem.Read(problem.MediaType, body)
	if p.Retryable(o) || !d.Contradicts(429) || d.Contradicts(503) {
		t.Errorf("retried as 503, or no contradiction: %+v", d)
	}
	if d, _ := problem.Read(problem.MediaType, `{}`); d.Contradicts(429) {
		t.Error("a body without a status contradicts none")
	}
}

func TestP09AViolatedPolicyIsOneOfRateLimitPolicy(t *testing.T) {
	d, _ := problem.Read(problem.MediaType, `{"type":"`+quotaExceeded+`","violated-policies":["daily"]}`)
	policies := ratelimit.ReadPolicies(ratelimit.Draft, []string{`"burst";q=100;w=60,"daily";q=1000;w=86400`})
	at := slices.IndexFunc(policies.Items, func(p ratelimit.Policy) bool { return slices.Contains(d.Violated, p.Name) })
	if at != 1 || policies.Items[at].Quota != 1000 {
		t.Errorf("%q is number %d of %+v", d.Violated, at, policies.Items)
	}
}

func TestP10JSONOfTheSameShapeIsNoProblem(t *testing.T) {
	const body = `{"type":"` + quotaExceeded + `","status":429,"retryable":true}`
	if _, ok := problem.Read("application/json", body); ok {
		t.Error("read as problem details")
	}
	if got := problem.Body("application/json", body); got != (call.Body{}) {
		t.Errorf("got %+v", got)
	}
}

// How a problem counts beside the envelope. RFC 9457 section 3.2 has unknown members ignored; retryable is contract E's
// word, which goes before the standard: its client obeys it, and an envelope before it. A policy without the envelope
// option knows neither and goes by the status, or by the type where it lists that as a code.
func TestAProblemBesideTheEnvelope(t *testing.T) {
	plain := retry.Policy{Attempts: 3, Statuses: []int{429}, Codes: []string{"https://example.com/busy"}}
	e := plain
	e.Envelope = true
	for _, row := range []struct {
		status          int
		body            string
		plain, envelope bool
	}{
		{429, `{"retryable":false}`, true, false},
		{422, `{"retryable":true}`, false, true},
		{422, `{"retryable":"true"}`, false, false},
		{422, `{"type":"https://example.com/busy"}`, true, true},
		{422, `{"type":"https://example.com/busy","retryable":false}`, true, false},
		{422, `{"type":"about:blank"}`, false, false},
		{429, `{"retryable":true,"error":{"code":"quota","retryable":false}}`, true, false},
		{422, `{"retryable":false,"error":{"code":"busy","retryable":true}}`, false, true},
		{429, `{"retryable":false,"error":"rate_limited"}`, true, false},
		// Bad documents fall back to the status.
		{429, `{"retryable":false`, true, true},
		{429, `[{"retryable":false}]`, true, true},
		{429, `null`, true, true},
		{429, ``, true, true},
		{422, `retryable: true`, false, false},
	} {
		o := status(row.status)
		o.Response.Body = problem.Body(problem.MediaType, row.body)
		if got, enveloped := plain.Retryable(o), e.Retryable(o); got != row.plain || enveloped != row.envelope {
			t.Errorf("%d %s: got %t, with the envelope %t", row.status, row.body, got, enveloped)
		}
	}
}
