package scenario

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"retrylab.example/core/backoff"
	"retrylab.example/core/budget"
	"retrylab.example/core/call"
	"retrylab.example/core/document"
	"retrylab.example/core/retry"
	"retrylab.example/core/retryafter"
	"retrylab.example/core/rng"
)

func policyOf(t *testing.T, text string) (retry.Policy, error) {
	t.Helper()
	doc, root, err := document.Read("policy.json", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return ReadPolicy(root, retry.Policy{}), doc.Err()
}

// What cannot be meant is a fault with its place and its mend.
func TestPoliciesThatContradictThemselves(t *testing.T) {
	for policy, want := range map[string]string{
		`"deadlineTest": "gt"`: `/deadlineTest: "gt" is not known here; use one of: greater-or-equal, greater`,
		`"backoff": {"base": "1s", "cap": "2s", "shape": "linear", "factor": "3"}`:           `/backoff/factor: only an exponential backoff has a factor; leave it out, or use the shape "exponential"`,
		`"backoff": {"base": "1s", "cap": "2s", "factor": "0"}`:                              `/backoff/factor: "0" is not a factor; use a decimal or a fraction from 0.001 to 1000, as in "1.5" or "3/2"`,
		`"backoff": {"base": "1s", "cap": "2s", "factor": "1.5/2"}`:                          `/backoff/factor: "1.5/2" is not a factor`,
		`"jitter": {"kind": "plus-minus"}`:                                                   `/jitter: a jitter of plus-minus does not say by how much; add "share", as in "0.25"`,
		`"jitter": {"kind": "full", "share": "0.5"}`:                                         `/jitter/share: only the kind "plus-minus" has a share; leave it out, or use the kind "plus-minus"`,
		`"jitter": {"kind": "full", "keepAtCap": true}`:                                      `/jitter/keepAtCap: this jitter never leaves the cap, so there is nothing to keep`,
		`"jitter": {"kind": "plus-minus", "share": "1.5"}`:                                   `/jitter/share: "1.5"`,
		`"retryAfter": "ignore", "maxRetryAfter": "1s"`:                                      `/maxRetryAfter: this policy ignores Retry-After; leave it out, or use "floor" or "replace" as "retryAfter"`,
		`"retryAfterMode": "wild"`:                                                           `/retryAfterMode: this policy ignores Retry-After`,
		`"retryAfter": "floor", "retryAfterMode": "loose"`:                                   `/retryAfterMode: "loose" is not known here; use one of: integer, decimal, standard, strict, vendor, wild`,
		`"methods": "lesson-a", "unchanging": ["/estimate"]`:                                 `/unchanging: this rule does not look at the path; leave it out, or use "lesson-e" or "standard" as "methods"`,
		`"methods": "lesson-e", "keysDocumented": true`:                                      `/keysDocumented: only the standard's rule asks for this; leave it out, or use "standard" as "methods"`,
		`"methods": "lesson-e", "unprocessed": [429]`:                                        `/unprocessed: only the standard's rule asks for this`,
		`"methods": "standard", "unchanging": ["estimate"]`:                                  `/unchanging/0: "estimate" is not a path`,
		`"retry": {"failures": ["lost"]}`:                                                    `/retry/failures/0: "lost" is not known here; use one of: timed-out, reset, never-sent, garbled`,
		`"retry": {"codes": [""]}`:                                                           `/retry/codes/0: "" is not an error code`,
		`"retryBudget": {"kind": "tokens"}`:                                                  `/retryBudget/kind: "tokens" is not known here; use one of: off, quota, throttle, share`,
		`"retryBudget": {"kind": "quota", "tokens": "10"}`:                                   `/retryBudget: a retry budget of the kind "quota" needs "cost"; add it`,
		`"retryBudget": {"kind": "share", "share": "0.2", "tokens": "3"}`:                    `/retryBudget/tokens: a retry budget of the kind "share" has no "tokens"; leave it out`,
		`"retryBudget": {"kind": "throttle", "tokens": "0"}`:                                 `/retryBudget/tokens: a bucket without tokens allows no retry`,
		`"retryBudget": {"kind": "throttle", "tokens": "1e3"}`:                               `/retryBudget/tokens: "1e3" is not a count of tokens`,
		`"retryBudget": {"kind": "throttle", "tokens": "10", "refill": "0.1", "minimum": 1}`: `/retryBudget/minimum: a retry budget of the kind "throttle" has no "minimum"`,
		`"retryBudget": {"kind": "quota", "tokens": "9", "cost": "5", "refil": "1"}`:         `/retryBudget/refil: the field "refil" is not known`,
	} {
		_, err := policyOf(t, `{"attempts": 3, `+policy+`}`)
		if err == nil || !strings.Contains(err.Error(), ": "+want) {
			t.Errorf("%s:\n got %v\nwant %s", policy, err, want)
		}
	}
}

// Taking another rule takes away what only the one before looked at; what is kept reads back.
func TestAChangedRuleTakesItsSettingsAlong(t *testing.T) {
	e, _ := Preset("contract-e")
	for _, c := range []struct {
		set  string
		want func(p *retry.Policy)
	}{
		{`{"methods": "lesson-a"}`, func(p *retry.Policy) { p.Safety, p.Unchanging = retry.LessonA, nil }},
		{`{"retryAfter": "ignore"}`, func(p *retry.Policy) { p.RetryAfter, p.RetryAfterMode = retryafter.Ignore, retryafter.Integer }},
		{`{"retryAfter": "floor"}`, func(p *retry.Policy) { p.RetryAfter = retryafter.Floor }},
		{`{"unchanging": []}`, func(p *retry.Policy) { p.Unchanging = nil }},
		{`{"jitter": {"kind": "plus-minus", "share": "0.25", "keepAtCap": true}}`, func(p *retry.Policy) {
			p.Jitter, p.Share, p.KeepAtCap = backoff.PlusMinus, rng.Ratio{Num: 25, Den: 100}, true
		}},
		{`{"retry": {"statuses": [503]}}`, func(p *retry.Policy) { p.Statuses, p.Failures = []int{503}, nil }},
		{`{"retryBudget": {"kind": "quota", "tokens": "500", "cost": "14", "throttledCost": "5", "refill": "1"}}`, func(p *retry.Policy) {
			p.Budget = budget.Config{
				Kind: budget.Quota, Tokens: 500 * budget.Token, Cost: 14 * budget.Token, ThrottledCost: 5 * budget.Token, Refill: budget.Token,
			}
		}},
	} {
		doc, root, err := document.Read("set.json", []byte(c.set))
		if err != nil {
			t.Fatal(err)
		}
		got, want := ReadPolicy(root, e), e
		c.want(&want)
		if err := doc.Err(); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %v\n got %+v\nwant %+v", c.set, err, got, want)
		}
	}
}

// The presets are the lesson values of the contracts.
func TestPresets(t *testing.T) {
	d, _ := Preset("contract-d")
	e, _ := Preset("contract-e")
	waits := func(p *retry.Policy) (list []time.Duration) {
		for n := 1; n <= 6; n++ {
			list = append(list, p.Backoff.After(n, backoff.Spread{}, 0, rng.Ratio{}).Wait)
		}
		return list
	}
	const ms = time.Millisecond
	for _, c := range []struct{ what, got, want any }{
		{"D: attempts", d.Attempts, 3}, {"D: deadline", d.Deadline, 5 * time.Second}, {"D: test", d.DeadlineTest, budget.Greater},
		{"D: attempt", d.AttemptTimeout, 1500 * ms}, {"D: whole seconds replace", d.RetryAfter, retryafter.Replace},
		{"D: mode", d.RetryAfterMode, retryafter.Integer}, {"D: at the end", d.Exhausted, retry.LastError},
		{"D: waits", waits(&d), []time.Duration{200 * ms, 400 * ms, 800 * ms, 1600 * ms, 2000 * ms, 2000 * ms}},
		{"E: attempts", e.Attempts, 4}, {"E: jitter", e.Jitter, backoff.Full}, {"E: replaces", e.RetryAfter, retryafter.Replace},
		{"E: any decimal", e.RetryAfterMode, retryafter.Decimal}, {"E: statuses", e.Statuses, []int{429, 502}},
		{"E: network errors", e.Failures, call.Failures()}, {"E: the flag wins", e.Envelope, true},
		{"E: methods", e.Safety, retry.LessonE}, {"E: at the end", e.Exhausted, retry.LastResponse},
		{"E: waits at most", waits(&e), []time.Duration{500 * ms, 1000 * ms, 2000 * ms, 4000 * ms, 8000 * ms, 8000 * ms}},
	} {
		if !reflect.DeepEqual(c.got, c.want) {
			t.Errorf("%s: got %v, want %v", c.what, c.got, c.want)
		}
	}
	for _, name := range Presets() {
		p, ok := Preset(name)
		if !ok {
			t.Fatalf("no preset %s", name)
		}
		read, err := policyOf(t, string(WritePolicy(p)))
		if err != nil || !reflect.DeepEqual(read, p) {
			t.Errorf("%s: %v\n got %+v\nwant %+v", name, err, read, p)
		}
	}
}

func ExampleReadPolicy() {
	doc, root, _ := document.Read("policy.json", []byte(`{"preset": "contract-e", "attempts": 2, "backoff": {"factor": "0"}}`))
	p := ReadPolicy(root, retry.Policy{})
	fmt.Println(p.Attempts, doc.Err())
	// Output: 2 policy.json:1:63: /backoff/factor: "0" is not a factor; use a decimal or a fraction from 0.001 to 1000, as in "1.5" or "3/2"
}
