package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// withInput runs a command line with a standard input.
func withInput(t *testing.T, in string, args ...string) (int, string, string) {
	var out, errs bytes.Buffer
	status := run(t.Context(), args, Streams{In: strings.NewReader(in), Out: &out, Err: &errs})
	return status, out.String(), errs.String()
}

const rightBackoff = `def backoff(attempt, base=0.5, cap=4.0):
    if not 0 <= attempt <= 30 or base < 0 or cap < 0:
        raise ValueError
    return min(cap, base * 2 ** attempt)
`

func TestGrade(t *testing.T) {
	noError := strings.Replace(rightBackoff, "        raise ValueError\n", "        print('refused')\n", 1)
	for _, c := range []struct {
		in, args string
		status   int
		want     string
	}{
		{rightBackoff, "grade code-retry-budget backoff -", statusOK, "Solved: all 313 cases come out as wanted.\n"},
		{rightBackoff, "grade code-retry-budget backoff - --lang ko", statusOK, "통과: 사례 313개의 결과가 모두 기대와 같습니다.\n"},
		{noError, "grade code-retry-budget backoff -", statusFailed,
			"    backoff(31)\nYours returns 4.0, expected is the exception ValueError.\nIt printed:\nrefused\nNot solved. Cases that came out as wanted before: 5.\n"},
		{noError, "grade code-retry-budget backoff - --lang ja", statusFailed,
			"    backoff(31)\n戻り値 4.0、期待する例外 ValueError。\n出力した内容:\nrefused\n不合格。それまでに期待どおりだった例: 5個。\n"},
		{noError, "grade code-retry-budget backoff - --format json", statusFailed,
			`{"passed":false,"function":"backoff","code":"not-raised","cases":5,"replays":0,"choices":[],"setup":[],"calls":["backoff(31)"],"yours":"4.0","wanted":"ValueError","number":0,"yoursAt":0,"wantedAt":0,"name":"","text":"","line":0,"output":"refused\u000a"}` + "\n"},
		{"def backoff(:\n", "grade code-retry-budget backoff -", statusFailed,
			"Line 1 cannot be read: invalid syntax. Python is MicroPython here: match, and unpacking inside of brackets and braces, are not there.\nNot solved. Cases that came out as wanted before: 0.\n"},
	} {
		status, out, errs := withInput(t, c.in, strings.Fields(c.args)...)
		if status != c.status || out != c.want || errs != "" {
			t.Errorf("%s: status %d, want %d; got\n%s%swant\n%s", c.args, status, c.status, out, errs, c.want)
		}
	}
}

func TestGradeUsage(t *testing.T) {
	for args, want := range map[string]string{
		"grade code-retry-budget nothing -":          `the lesson code-retry-budget has no step "nothing"; those with code are: retryable, `,
		"grade code-retry-budget before-you-begin -": "the step before-you-begin is of the kind explain: nothing is written in it",
		"grade lost-replies third-attempt -":         "the step third-attempt is of the kind play: nothing is written in it",
		"grade lost-replies nothing -":               "the lesson lost-replies has no code steps",
		"grade - backoff -":                          "only one of LESSON and FILE.py can come from standard input",
		"grade no-such-lesson backoff -":             "there is no file no-such-lesson, and no lesson of that id",
		"grade code-retry-budget backoff":            "one of LESSON, STEP and FILE.py",
		"start lost-replies .":                       "the lesson lost-replies has no code steps",
	} {
		status, _, errs := withInput(t, "", strings.Fields(args)...)
		if status != statusUsage || !strings.Contains(errs, want) {
			t.Errorf("%s: status %d, %q; want %q", args, status, errs, want)
		}
	}
}

// TestGradeWithoutNode: the playground needs no Node; what needs it says so.
func TestGradeWithoutNode(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	status, _, errs := withInput(t, rightBackoff, "grade", "code-retry-budget", "backoff", "-")
	if want := "retrylab: code steps need Node 18 or newer, and there is no node; install it from your system's packages\n"; status != statusFailed || errs != want {
		t.Errorf("status %d, %q; want %q", status, errs, want)
	}
	status, out, _ := withInput(t, "", "lint", "../../lessons/code/010-code-retry-budget.json")
	if status != statusFailed || !strings.Contains(out, "step backoff: it cannot be proven: code steps need Node") {
		t.Errorf("lint: status %d, %s", status, out)
	}
}

// TestStart: the starters come in one file that can be graded at once, and a file that exists stays as it is.
func TestStart(t *testing.T) {
	dir := t.TempDir()
	status, out, errs := withInput(t, "", "start", "code-retry-budget", dir, "--lang", "ja")
	file := filepath.Join(dir, "code_retry_budget.py")
	if want := file + ": written; fill it in, and then: retrylab grade code-retry-budget retryable " + file + "\n"; status != statusOK || out != want {
		t.Fatalf("status %d, %q %s; want %q", status, out, errs, want)
	}
	started, err := os.ReadFile(file)
	if err != nil || !strings.Contains(string(started), "# backoff: バックオフ\ndef backoff(attempt, base=0.5, cap=4.0):\n    # ここに書いてください。\n") {
		t.Errorf("%v: %s", err, started)
	}
	status, out, _ = withInput(t, "", "grade", "code-retry-budget", "execute", file)
	if want := "Yours raises NotImplementedError (line 49), expected is <reply 1>."; status != statusFailed || !strings.Contains(out, want) {
		t.Errorf("the starter itself: status %d, %s; want %s", status, out, want)
	}
	if status, _, errs = withInput(t, "", "start", "code-retry-budget", dir); status != statusFailed || !strings.Contains(errs, "exists already and is left as it is") {
		t.Errorf("again: status %d, %s", status, errs)
	}
	if again, err := os.ReadFile(file); err != nil || !bytes.Equal(again, started) {
		t.Errorf("the file was changed: %v", err)
	}
}
