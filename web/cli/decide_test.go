package cli

import (
	"encoding/json"
	"strings"
	"testing"
)

const aQuestion = `{"policy": {"preset": "contract-a"}, "response": {"status": 429, "retryAfter": "7"}}`

// A person reads the decision, the rows by question, the total, and what would change it.
func TestDecidePrintsAReceipt(t *testing.T) {
	status, out, errs := runOn(t, strings.NewReader(aQuestion), "decide", "-")
	const want = `Give up: after a wait of 7.000 s, nothing would be left of the 5.000 s until the deadline at 5.000 s.

May it be repeated? Yes
  Method: GET (changes nothing)
  Idempotency-Key: – (none sent)

Does waiting heal it? Yes
  Reply: 429 (throttled, in the retried set)

How long? too long
  Exponential: 0.500 s (0.500 × 2⁰)
  Cap: 4.000 s (not reached)
  Jitter: 0.250 s (0–0.500, drew 0.50)
  Retry-After: 7.000 s (7)
→ Deadline left: 5.000 s (5.000 − 0.000)
  Attempts left: 2 (1 of 3 made)
  Retry budget: – (off here)

→ Give up: – (7.000 against 5.000 left)

What would change it
  Retry-After of 4 or less. The wait would end before the deadline: send attempt 2.
  More than 7.000 s left. The wait would end before the deadline: send attempt 2.
`
	out = strings.ReplaceAll(out, "\u00a0", " ")
	wantRun(t, "decide", status, out, errs, statusOK, want, "")
	for lang, says := range map[string]string{"ko": "포기합니다", "ja": "打ち切ります"} {
		status, out, _ := runOn(t, strings.NewReader(aQuestion), "decide", put(t, "q.json", aQuestion), "--lang", lang)
		if status != statusOK || !strings.Contains(out, says) {
			t.Errorf("%s: status %d, %s", lang, status, out)
		}
	}
}

// A script reads codes and nanoseconds.
func TestDecidePrintsJSON(t *testing.T) {
	status, out, errs := runOn(t, strings.NewReader(aQuestion), "decide", "-", "--format", "json")
	var got struct {
		Decision struct {
			Verdict, Reason string
			Wait            int64
			Terms           []struct{ Name, Mark string }
			Flips           []struct{ Name string }
		}
		Sentences []string
	}
	if err := json.Unmarshal([]byte(out), &got); err != nil || status != statusOK || errs != "" {
		t.Fatalf("status %d, %v: %s%s", status, err, out, errs)
	}
	d := got.Decision
	if d.Verdict != "give-up" || d.Reason != "budget-too-short" || d.Wait != 7e9 || len(d.Terms) != 9 || len(d.Flips) != 2 || len(got.Sentences) != 3 {
		t.Errorf("got %+v", got)
	}
}

func TestDecideSaysWhatIsWrong(t *testing.T) {
	for _, c := range []struct {
		in     string
		args   []string
		status int
		says   string
	}{
		{`{"policy": {"preset": "contract-z"}, "failure": "lost"}`, []string{"-"}, statusFailed, `stdin:1:23: /policy/preset: "contract-z" is not known here; use one of: once, `},
		{`{"policy": {"preset": "contract-z"}, "failure": "lost"}`, []string{"-"}, statusFailed, `stdin:1:49: /failure: "lost" is not known here`},
		{`{`, []string{"-"}, statusFailed, "stdin:1:2: "},
		{"", []string{"no-such.json"}, statusFailed, "there is no file no-such.json"},
		{"", nil, statusUsage, "the QUESTION.json is missing"},
		{aQuestion, []string{"-", "--lang", "fr"}, statusUsage, "--lang"},
		{aQuestion, []string{"-", "--format", "xml"}, statusUsage, "--format"},
	} {
		status, out, errs := runOn(t, strings.NewReader(c.in), append([]string{"decide"}, c.args...)...)
		if status != c.status || out != "" || !strings.Contains(errs, c.says) {
			t.Errorf("%v: got status %d, %q, %q; want %d and %q", c.args, status, out, errs, c.status, c.says)
		}
	}
}
