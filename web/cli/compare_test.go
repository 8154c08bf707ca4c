package cli

import (
	"encoding/json"
	"strings"
	"testing"
)

// waits is one call that is refused twice with a Retry-After, by a policy that goes by it as said.
func waits(rule string) string {
	return `{
  "seed": 7, "latency": "50ms",
  "script": [{"reply": 429, "retryAfter": "2"}],
  "clients": [{"name": "alice", "policy": {"preset": "contract-c", "retry": {"statuses": [429]}, "retryAfter": "` + rule + `"},
    "request": {"method": "PUT", "path": "/total", "amount": 10}}],
  "inputs": [{"at": "0s", "fire": {}}]
}`
}

func TestCompareForPeople(t *testing.T) {
	a, b := put(t, "a.json", waits("floor")), put(t, "b.json", waits("ignore"))
	status, out, errs := runOn(t, strings.NewReader(""), "compare", a, b)
	want := "A  " + a + "\nB  " + b + `
   seed 7

Same until 0.100 s.
  A  0.100 s, alice: decides: retry after 2.000 s
  B  0.100 s, alice: decides: retry after 1.000 s

               A                           B
the call ends  2.200 s, succeeds 200       1.200 s, succeeds 200
attempt 1      0.000 s, 429, wait 2.000 s  0.000 s, 429, wait 1.000 s
attempt 2      2.100 s, 200                1.100 s, 200
last event     2.200 s                     1.200 s
`
	wantRun(t, "compare", status, strings.ReplaceAll(out, "\u00a0", " "), errs, statusOK, want, "")
}

func TestCompareAsJSON(t *testing.T) {
	a, b := put(t, "a.json", waits("floor")), put(t, "b.json", waits("ignore"))
	_, out, errs := runOn(t, strings.NewReader(""), "compare", a, b, "--format", "json")
	var got comparisonJSON
	if err := json.Unmarshal([]byte(out), &got); err != nil || errs != "" {
		t.Fatalf("%v, %s", err, errs)
	}
	if p := got.Parting; got.Same || p == nil || p.At != 1e8 || p.Field != "wait" || p.Index[0] != p.Index[1] {
		t.Errorf("parting %+v", got.Parting)
	}
	if len(got.Attempts) != 2 || got.Attempts[1].A.At-got.Attempts[1].B.At != 1e9 || len(got.Calls) != 1 {
		t.Errorf("attempts %+v, calls %+v", got.Attempts, got.Calls)
	}
	_, out, _ = runOn(t, strings.NewReader(""), "compare", a, a, "--format", "json")
	if got = (comparisonJSON{}); json.Unmarshal([]byte(out), &got) != nil || !got.Same || got.Parting != nil || len(got.Attempts) > 0 {
		t.Errorf("a scenario against itself: %s", out)
	}
}

func TestCompareRefuses(t *testing.T) {
	a := put(t, "a.json", waits("floor"))
	b := put(t, "b.json", strings.Replace(waits("ignore"), `"seed": 7`, `"seed": 8`, 1))
	for _, c := range []struct {
		args   []string
		status int
		says   string
	}{
		{[]string{a, b}, statusFailed, "choose one for both with --seed"},
		{[]string{a, b, "--seed", "9"}, statusOK, ""},
		{[]string{a, b, "--seed", "x"}, statusUsage, "is no seed"},
		{[]string{"-", "-"}, statusUsage, "only one of the scenarios"},
		{[]string{a}, statusUsage, "two scenario files"},
		{[]string{a, a, "--format", "csv"}, statusUsage, "format"},
		{[]string{a, a, "--lang", "xx"}, statusUsage, "lang"},
		{[]string{a, put(t, "c.json", "{")}, statusFailed, "c.json:1:2"},
	} {
		status, _, errs := runOn(t, strings.NewReader(""), append([]string{"compare"}, c.args...)...)
		if status != c.status || !strings.Contains(errs, c.says) {
			t.Errorf("%v: status %d, %s", c.args, status, errs)
		}
	}
}
