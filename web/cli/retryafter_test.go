package cli

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"retrylab.example/core/retryafter"
)

const atNoon = "2026-11-30T12:00:00Z"

func TestRetryAfterExplains(t *testing.T) {
	for _, c := range []struct {
		args   []string
		status int
		out    string
	}{
		{[]string{"120"}, statusOK, "Retry-After: 120\n" +
			"Valid: wait 120\u00a0s after the response arrives.\n" +
			"Read as a whole number of seconds from receipt (RFC 9110, section 10.2.3).\n"},
		{[]string{"Mon, 30 Nov 2026 12:02:00 GMT", "--now", "2026-11-30T12:10:00Z", "--date", "Mon, 30 Nov 2026 12:00:00 GMT"}, statusOK, "Retry-After: Mon, 30 Nov 2026 12:02:00 GMT\n" +
			"Valid: wait 120\u00a0s after the response arrives.\n" +
			"Read as a date (RFC 9110, section 5.6.7), form imf-fixdate: 2026-11-30T12:02:00Z.\n" +
			"Counted from the response’s own Date, 2026-11-30T12:00:00Z, so a wrong clock of the client does not matter.\n"},
		{[]string{"Tuesday, 30-Nov-26 12:02:00 GMT", "--now", "Mon, 30 Nov 2026 12:00:00 GMT"}, statusOK, "Retry-After: Tuesday, 30-Nov-26 12:02:00 GMT\n" +
			"Valid: wait 120\u00a0s after the response arrives.\n" +
			"Read as a date (RFC 9110, section 5.6.7), form rfc850: 2026-11-30T12:02:00Z.\n" +
			"Counted from receipt on the client’s clock, 2026-11-30T12:00:00Z: the response has no Date to correct that clock by.\n" +
			"Warning: the day of the week does not match the date.\n"},
		{[]string{"Mon, 30 Nov 2026 12:02:00 GMT", "--now", atNoon, "--date", "today", "--header", "Age: 60"}, statusOK, "Retry-After: Mon, 30 Nov 2026 12:02:00 GMT\n" +
			"Valid: wait 120\u00a0s after the response arrives.\n" +
			"Read as a date (RFC 9110, section 5.6.7), form imf-fixdate: 2026-11-30T12:02:00Z.\n" +
			"Warning: the response’s Date is sent twice or is no date; the instant of receipt stands in for it.\n"},
		{[]string{"1.5"}, statusFailed, "Retry-After: 1.5\n" +
			"Invalid: it counts as absent, and the client waits its own backoff.\n" +
			"Why: it is neither digits only nor in one of the three forms of a date.\n" +
			"Mend: send whole seconds, as in Retry-After: 120, or a date, as in Retry-After: Mon, 30 Nov 2026 12:02:00 GMT.\n" +
			"Other modes read it: decimal, vendor, wild.\n"},
		{[]string{"-1", "--mode", "integer"}, statusFailed, "Retry-After: -1\n" +
			"Invalid: it counts as absent, and the client waits its own backoff.\n" +
			"Why: this mode reads only digits, 0 to 9: no sign, point, unit or date.\n" +
			"Mend: send whole seconds, as in Retry-After: 120.\n"},
		{[]string{"5", "5", "--lang", "ko"}, statusFailed, "Retry-After: 5\nRetry-After: 5\n" +
			"무효: 없는 것으로 보며, 클라이언트는 자신의 백오프만큼 기다립니다.\n" +
			"이유: 필드가 두 번 이상 왔고, 어느 줄이 유효한지 정한 규칙이 없습니다(RFC 9110 5.3절).\n" +
			"수정: 필드를 한 번만 보내십시오.\n"},
		{[]string{" 0\u00a0", "--lang", "ja"}, statusFailed, "Retry-After: \" 0\\u00a0\"\n" +
			"無効: ないものとして扱い、クライアントは自分のバックオフの分だけ待ちます。\n" +
			"理由: 数字だけでもなく、三つの日時形式のどれでもありません。\n" +
			"直し方: 整数の秒数か日時を送ってください。例: Retry-After: 120、Retry-After: Mon, 30 Nov 2026 12:02:00 GMT。\n"},
		{[]string{"--mode", "wild", "--header", "RETRY-AFTER-MS: 1500", "--header", "Retry-After: 2"}, statusOK, "Retry-After: \" 2\"\n" +
			"Valid: wait 1.5\u00a0s after the response arrives.\n" +
			"retry-after-ms: 1500\n" +
			"Read as milliseconds from receipt, in a field of some vendors.\n"},
		{[]string{"", "--mode", "decimal"}, statusFailed, "Retry-After: \"\"\n" +
			"Invalid: it counts as absent, and the client waits its own backoff.\n" +
			"Why: the field is there, with nothing in it.\n" +
			"Mend: send seconds, as in Retry-After: 120 or Retry-After: 1.5.\n"},
	} {
		status, out, errs := runOn(t, nil, append([]string{"retry-after"}, c.args...)...)
		wantRun(t, strings.Join(c.args, " "), status, out, errs, c.status, c.out, "")
	}
}

func TestRetryAfterAsJSON(t *testing.T) {
	status, out, errs := runOn(t, nil, "retry-after", "Thu, 31 Dec 2026 23:59:60 GMT", "--now", atNoon, "--date", "Mon, 30 Nov 2026 12:00:00 GMT",
		"--header", "Age: 60", "--format", "json")
	var got headerAnswer
	if err := json.Unmarshal([]byte(out), &got); err != nil || status != statusOK || errs != "" {
		t.Fatalf("got status %d, %v, errs %q, out\n%s", status, err, errs, out)
	}
	want := headerDate{Instant: "2027-01-01T00:00:00Z", Form: "imf-fixdate", Leap: true, From: atNoon, ByDate: true, Age: "60s"}
	if got.Mode != "standard" || !got.Valid || got.Kind != "http-date" || got.Delay != "2721540s" || *got.Seconds != 2721540 || *got.Date != want ||
		!slices.Equal(got.Warnings, []string{"leap-second"}) || len(got.Sentences) != 5 {
		t.Errorf("got %+v, date %+v", got, got.Date)
	}
	status, out, _ = runOn(t, nil, "retry-after", "1.5", "--format", "json")
	var bad headerAnswer
	if err := json.Unmarshal([]byte(out), &bad); err != nil || status != statusFailed || bad.Valid || bad.Reason != "no-form" || bad.Seconds != nil ||
		!slices.Equal(bad.OtherModes, []string{"decimal", "vendor", "wild"}) || !strings.Contains(out, `"warnings": []`) {
		t.Errorf("got status %d, %v, out\n%s", status, err, out)
	}
}

func TestRetryAfterWrongCommandLines(t *testing.T) {
	for _, c := range []struct {
		args []string
		says string
	}{
		{nil, "retrylab retry-after: the VALUE of the header is missing; write it behind the name, as in: retrylab retry-after 120"},
		{[]string{"5", "--mode", "lenient"}, `--mode: there is no mode "lenient"; use one of: integer, decimal, standard, strict, vendor, wild`},
		{[]string{"5", "--now", "never"}, `--now: "never" is no instant; write it as 2026-11-30T12:00:00Z or as Mon, 30 Nov 2026 12:00:00 GMT`},
		{[]string{"5", "--header", "x"}, `--header: "x" has no name and colon; write it as 'Name: value'`},
		{[]string{"5", "--header", ": 1"}, `--header: ": 1" has no name and colon`},
		{[]string{"5", "--format", "xml"}, `--format: "xml" is not known; use text or json`},
		{[]string{"5", "--lang", "fr"}, `--lang: there is no language "fr"; use en, ko or ja`},
		{[]string{"-soon"}, "write -- before a VALUE that begins with a minus"},
	} {
		status, out, errs := runOn(t, nil, append([]string{"retry-after"}, c.args...)...)
		if status != statusUsage || out != "" || !strings.Contains(errs, c.says) || !strings.HasSuffix(errs, "\nTry: retrylab help\n") {
			t.Errorf("%q: got status %d, out %q, errs %q; want %d and %q", c.args, status, out, errs, statusUsage, c.says)
		}
	}
	var e bytes.Buffer
	status := run(t.Context(), []string{"retry-after", "5"}, Streams{In: strings.NewReader(""), Out: brokenPipe{}, Err: &e})
	wantRun(t, "retry-after", status, "", e.String(), statusFailed, "", "retrylab: cannot write the answer: broken pipe\n")
}

// Values that begin with a minus are values, wherever they stand, unless they belong to a flag.
func TestNegativeValuesAreValues(t *testing.T) {
	for _, c := range []struct{ args, want string }{
		{"retry-after -1 --mode wild", "retry-after --mode wild -- -1"},
		{"retry-after --mode=wild -1.5", "retry-after --mode=wild -- -1.5"},
		{"retry-after --date -1 5", "retry-after --date -1 5"},
		{"retry-after -.5 -- -1", "retry-after -.5 -- -1"},
		{"retry-after -h", "retry-after -h"}, {"run -1", "run -1"}, {"", ""},
	} {
		if got := strings.Join(keepNegatives(strings.Fields(c.args)), " "); got != c.want {
			t.Errorf("%s: got %s, want %s", c.args, got, c.want)
		}
	}
}

// The help names every mode.
func TestRetryAfterHelp(t *testing.T) {
	_, out, _ := runOn(t, nil, "help", "retry-after")
	for _, mode := range retryafter.ModeNames() {
		if strings.Count(out, mode) < 2 {
			t.Errorf("the help does not explain the mode %s: %s", mode, out)
		}
	}
}
