package scenario

import (
	"strings"
	"testing"
	"time"

	"retrylab.example/core/budget"
	"retrylab.example/core/call"
	"retrylab.example/core/clock"
	"retrylab.example/core/decision"
	"retrylab.example/core/retry"
)

func ask(t *testing.T, text string) (Question, decision.Decision) {
	t.Helper()
	q, err := ReadQuestion("q.json", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return q, q.Policy.Explain(q.Input)
}

// Each part of a question reaches the policy.
func TestQuestionsReachThePolicy(t *testing.T) {
	const failed, quota = `"response": {"status": 503}`, `"retryBudget": {"kind": "quota", "tokens": "20", "cost": "7"}`
	for _, c := range []struct {
		question string
		reason   decision.Reason
		wait     time.Duration
	}{
		{`"policy": {"preset": "contract-a"}, ` + failed, decision.BackoffDecides, 250 * time.Millisecond},
		{`"policy": {"preset": "contract-a"}, "fraction": "1", ` + failed, decision.BackoffDecides, 500 * time.Millisecond},
		{`"policy": {"preset": "contract-a"}, "attempt": 2, ` + failed, decision.BackoffDecides, 500 * time.Millisecond},
		{`"policy": {"preset": "contract-a"}, "attempt": 3, ` + failed, decision.AttemptsSpent, 0},
		{`"policy": {"preset": "contract-a"}, "now": "4.9s", ` + failed, decision.BudgetTooShort, 250 * time.Millisecond},
		{`"policy": {"preset": "contract-a"}, "deadline": "100ms", ` + failed, decision.BudgetTooShort, 250 * time.Millisecond},
		{`"policy": {"preset": "contract-a"}, "failure": "reset"`, decision.BackoffDecides, 250 * time.Millisecond},
		{`"policy": {"preset": "contract-a"}, "request": {"method": "POST"}, ` + failed, decision.NotReplaySafe, 0},
		{`"policy": {"preset": "contract-a"}, "request": {"method": "POST", "key": "k"}, ` + failed, decision.BackoffDecides, 250 * time.Millisecond},
		{`"policy": {"preset": "contract-e"}, "request": {"method": "POST", "path": "/estimate"}, "failure": "reset"`, decision.BackoffDecides, 250 * time.Millisecond},
		{`"policy": {"preset": "contract-e"}, "request": {"method": "POST", "key": "k"}, "lateKey": true, "failure": "reset"`, decision.NotReplaySafe, 0},
		{`"policy": {"preset": "contract-e"}, "response": {"status": 503, "retryable": true}`, decision.BackoffDecides, 250 * time.Millisecond},
		{`"policy": {"preset": "contract-e"}, "response": {"status": 502, "retryable": false}`, decision.NotRetryable, 0},
		{`"policy": {"attempts": 2, "retry": {"codes": ["busy"]}}, "response": {"status": 409, "code": "busy"}`, decision.BackoffDecides, 0},
		{`"policy": {"attempts": 2, "methods": "standard", "retry": {"failures": ["reset"]}}, "request": {"method": "PATCH", "ifMatch": "\"e\""}, "failure": "reset"`, decision.BackoffDecides, 0},
		{`"policy": {"preset": "contract-d"}, "response": {"status": 429, "retryAfter": "7"}`, decision.RetryAfterDecides, 7 * time.Second},
		{`"policy": {"preset": "contract-d", "aboveRetryAfter": "4s"}, "above": "0.25", "response": {"status": 429, "retryAfter": "7"}`, decision.RetryAfterDecides, 8 * time.Second},
		{`"policy": {"preset": "contract-d", "retryAfterMode": "wild"}, "response": {"status": 429, "fields": [{"name": "retry-after-ms", "value": "1300"}]}`, decision.RetryAfterDecides, 1300 * time.Millisecond},
		{`"policy": {"preset": "contract-c", "jitter": {"kind": "decorrelated"}}, "previous": "1s", "fraction": "1", ` + failed, decision.BackoffDecides, 3 * time.Second},
		{`"policy": {"preset": "contract-c", ` + quota + `}, "budget": {"left": "6.5"}, ` + failed, decision.RetryBudgetSpent, time.Second},
		{`"policy": {"preset": "contract-c", ` + quota + `}, ` + failed, decision.BackoffDecides, time.Second},
		{`"policy": {"preset": "contract-c", "retryBudget": {"kind": "share", "share": "0.2"}}, "budget": {"calls": 10, "retries": 2}, ` + failed, decision.RetryBudgetSpent, time.Second},
		{`"policy": {"preset": "contract-c", "retryBudget": {"kind": "share", "share": "0.2"}}, "budget": {"calls": 10, "retries": 2, "held": 1}, ` + failed, decision.BackoffDecides, time.Second},
	} {
		if _, d := ask(t, "{"+c.question+"}"); d.Reason != c.reason || d.Wait != c.wait {
			t.Errorf("%s:\n got %s %s, want %s %s", c.question, d.Reason, d.Wait, c.reason, c.wait)
		}
	}
}

func TestWhatAQuestionLeavesOut(t *testing.T) {
	q, _ := ask(t, `{"policy": {"attempts": 2}, "failure": "timed-out"}`)
	want := retry.Input{
		Deadline: clock.Max, Request: call.Request{Call: 1, Attempt: 1, Method: "GET", Path: "/"},
		Outcome: call.Outcome{Failure: call.TimedOut}, Budget: budget.State{Calls: 1},
	}
	if q.Input.Deadline != want.Deadline || q.Input.Request != want.Request || q.Input.Outcome != want.Outcome || q.Input.Budget != want.Budget {
		t.Errorf("got %+v", q.Input)
	}
}

// A body counts as its type says: problem details, or an envelope where nothing is said.
func TestAQuestionWithABody(t *testing.T) {
	for response, want := range map[string]call.Body{
		`"contentType": "application/problem+json", "body": "{\"type\":\"u\",\"retryable\":true}"`: {Code: "u", Flag: call.FlagTrue},
		`"body": "{\"error\":{\"code\":\"c\",\"retryable\":false}}"`:                               {Code: "c", Flag: call.FlagFalse},
		`"body": "{\"type\":\"u\",\"retryable\":true}"`:                                            {},
	} {
		q, _ := ask(t, `{"policy": {"preset": "contract-e"}, "attempt": 3, "renewed": 2, "response": {"status": 429, `+response+`}}`)
		if q.Input.Outcome.Response.Body != want || q.Input.Renewed != 2 {
			t.Errorf("%s: got %+v", response, q.Input)
		}
	}
}

func TestQuestionsWithFaults(t *testing.T) {
	for question, want := range map[string]string{
		`{"response": {"status": 503}}`: `/: the field "policy" is missing`,
		`{"policy": {"attempts": 2}}`:   `/: one of "response" and "failure" is needed; write "failure": "timed-out", or "response": {"status": 503}`,
		`{"policy": {"attempts": 2}, "failure": "reset", "response": {"status": 500}}`:                                           `one of "response" and "failure" is needed`,
		`{"policy": {"attempts": 2}, "failure": "lost"}`:                                                                         `/failure: "lost" is not known here; use one of: timed-out, reset, never-sent, garbled`,
		`{"policy": {"attempts": 2}, "response": {}}`:                                                                            `/response: the field "status" is missing`,
		`{"policy": {"attempts": 2}, "response": {"status": 429, "body": "{}", "code": "x"}}`:                                    `/response/code: the body says that; keep one of them, this or "body"`,
		`{"policy": {"attempts": 2}, "response": {"status": 429, "contentType": "text/plain"}}`:                                  `/response/contentType: there is no body of that type; add "body"`,
		`{"policy": {"attempts": 2}, "failure": "reset", "attempt": 2, "renewed": 2}`:                                            `/renewed: 2 is out of range; write a whole number from 0 to 1`,
		`{"policy": {"attempts": 2}, "failure": "reset", "attempt": 0}`:                                                          `/attempt: `,
		`{"policy": {"attempts": 2}, "failure": "reset", "fraction": "2"}`:                                                       `/fraction: `,
		`{"policy": {"attempts": 2}, "failure": "reset", "budget": {"left": "1"}}`:                                               `/budget/left: a retry budget of the kind "off" has no "left"; leave it out`,
		`{"policy": {"attempts": 2, "retryBudget": {"kind": "share", "share": "1"}}, "failure": "reset", "budget": {"held": 2}}`: `/budget/held: `,
	} {
		_, err := ReadQuestion("q.json", []byte(question))
		if err == nil || !strings.Contains(err.Error(), strings.Replace(want, "/: ", ": ", 1)) {
			t.Errorf("%s:\n got %v\nwant %s", question, err, want)
		}
	}
}
