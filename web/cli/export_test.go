package cli

import (
	"context"
	"encoding/csv"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"retrylab.example/core/clock"
	"retrylab.example/core/event"
	"retrylab.example/core/link"
	"retrylab.example/core/scenario"
	"retrylab.example/core/sim"
)

// exported runs a scenario and returns what is printed in a format.
func exported(t *testing.T, format string, more ...string) string {
	t.Helper()
	status, out, errs := runOn(t, strings.NewReader(aScenario), append([]string{"run", "-", "--format", format}, more...)...)
	if status != statusOK || errs != "" {
		t.Fatalf("--format %s: got status %d, %s", format, status, errs)
	}
	return out
}

// goTest puts a test into a folder of its own inside the module and runs it as its first lines say.
func goTest(t *testing.T, source string) (out string, passed bool) {
	t.Helper()
	dir, err := os.MkdirTemp(".", "_exported") // go passes over it in ./...
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := os.RemoveAll(dir); err != nil {
			t.Error(err)
		}
	})
	name := regexp.MustCompile(`run_[0-9a-f]{8}_test\.go`).FindString(source)
	test := regexp.MustCompile(`-run (TestRun[0-9a-f]{8}) `).FindStringSubmatch(source)
	if name == "" || test == nil {
		t.Fatalf("the first lines name no file and no test:\n%.600s", source)
	}
	if err := os.WriteFile(filepath.Join(dir, name), []byte(source), 0o644); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	defer cancel()
	all, err := exec.CommandContext(ctx, "go", "test", "./"+filepath.ToSlash(dir), "-run", test[1], "-v").CombinedOutput()
	if ran := strings.Contains(string(all), "=== RUN   "+test[1]); !ran {
		t.Fatalf("the test did not run: %v\n%s", err, all)
	}
	return string(all), err == nil
}

// A run that was exported as a Go test passes, and fails when a number, a reason, a goal or the digest in it is another.
func TestExportedGoTest(t *testing.T) {
	status, source, errs := runOn(t, strings.NewReader(aScenario[:len(aScenario)-2]+someGoals), "run", "-", "--format", "go-test")
	if status != statusOK {
		t.Fatalf("got status %d, %s", status, errs)
	}
	if out, passed := goTest(t, source); !passed {
		t.Fatalf("the test fails:\n%s\n%s", out, source)
	}
	for _, c := range []struct{ from, to, says string }{
		{"Sent:           3", "Sent:           4", "Sent:4"},
		{"retry, backoff-decides", "retry, retry-after-decides", "is not as it was"},
		{`wantDigest = "`, `wantDigest = "0`, "the digest of the "},
		{`"seed": 3`, `"seed": 4`, "the digest of the "},
		{"[]bool{true, false}", "[]bool{true, true}", "goal 2 holds: false, want true"},
	} {
		broken := strings.Replace(source, c.from, c.to, 1)
		if broken == source {
			t.Fatalf("%q is not in\n%s", c.from, source)
		}
		if out, passed := goTest(t, broken); passed || !strings.Contains(out, c.says) {
			t.Errorf("with %q it passed: %t; it does not say %q:\n%s", c.to, passed, c.says, out)
		}
	}
}

func TestRunExports(t *testing.T) {
	rows, err := csv.NewReader(strings.NewReader(exported(t, "csv"))).ReadAll()
	lines := strings.Count(exported(t, "json"), `"event":`)
	if err != nil || len(rows) != lines+1 || rows[0][0] != "seq" {
		t.Errorf("%d rows for %d events, %v", len(rows), lines, err)
	}
	if doc := exported(t, "markdown", "--lang", "ko"); !strings.HasPrefix(doc, "# Retry Lab 실행 기록\n") {
		t.Errorf("got %.100s", doc)
	}
	again := func(format string, more ...string) string {
		_, out, _ := runOn(t, strings.NewReader(exported(t, "scenario", more...)), "run", "-", "--format", format)
		return out
	}
	if again("csv") != exported(t, "csv") || again("csv", "--seed", "8") != exported(t, "csv", "--seed", "8") {
		t.Error("the exported scenario is another run")
	}
	if again("csv", "--seed", "8") == exported(t, "csv") {
		t.Error("the seed does not matter, so that this test says nothing")
	}
	stopped := strings.Replace(aScenario, "{", `{"maxEvents": 5,`, 1)
	_, _, errs := runOn(t, strings.NewReader(stopped), "run", "-", "--format", "csv")
	if want := "retrylab: the run stopped at its bound of 5 events (maxEvents)\n"; errs != want {
		t.Errorf("got %q, want %q", errs, want)
	}
}

// A link is opened as the page would open it: everything that a format gives of the run, it gives of the link.
func TestOpen(t *testing.T) {
	address := exported(t, "link", "--seed", "5", "--lang", "ja")
	for _, format := range []string{"csv", "json", "scenario", "link"} {
		status, out, errs := runOn(t, strings.NewReader("https://lab.example/retry/"+address), "open", "-", "--format", format)
		want := exported(t, format, "--seed", "5", "--lang", "ja")
		if format == "json" { // its header has the digest of another file, which says the seed
			_, out, _ = strings.Cut(out, "\n")
			_, want, _ = strings.Cut(want, "\n")
		}
		wantRun(t, format, status, out, errs, statusOK, want, "")
	}
	status, out, errs := runOn(t, nil, "open", strings.TrimSpace(address))
	if status != statusOK || errs != "" || !strings.HasPrefix(out, "独立したシナリオ\nシード 5 · 入力 0 · ほかの実行 0\n") ||
		!strings.Contains(out, "\n\n  ──── リンクが示している時点\n    1 ") {
		t.Errorf("got status %d, %s\n%s", status, errs, out)
	}
	report := link.ReportTitle + "\nbuild: b/0\n" + link.ReportLine + "https://lab.example/" + address + "\npanic: x\n"
	if status, again, errs := runOn(t, strings.NewReader(report), "open", "-"); status != statusOK || errs != "" || again != out {
		t.Errorf("a crash report: got status %d, %s\n%s", status, errs, again)
	}
	if _, out, _ = runOn(t, nil, "open", strings.TrimSpace(address), "--lang", "en"); !strings.HasPrefix(out, "A scenario of its own\n") {
		t.Errorf("--lang en: got\n%s", out)
	}
}

// lessonLink is a link into a lesson: a lost reply, and a request after which the learner stands in the middle.
func lessonLink(t *testing.T, lesson, step string, s scenario.Scenario) string {
	t.Helper()
	l := link.Link{Lesson: lesson, Step: step, Scenario: s, Lang: "en"}
	l.Tree.Act(0, scenario.Input{Action: sim.Action{Kind: sim.Inject, Mishap: sim.Mishap{Fault: event.LostReply}}})
	l.Tree.Act(1, scenario.Input{Action: sim.Action{Kind: sim.Fire, Request: s.Requests[0]}})
	l.At = scenario.Position{Count: 3, Now: clock.Start}
	text, err := l.Fragment()
	if err != nil {
		t.Fatal(err)
	}
	return "#" + text
}

func TestOpenIntoALesson(t *testing.T) {
	l, _, err := builtIn("lost-replies")
	if err != nil {
		t.Fatal(err)
	}
	step, err := playedStep(&l, "third-attempt")
	if err != nil {
		t.Fatal(err)
	}
	status, out, errs := runOn(t, nil, "open", lessonLink(t, "lost-replies", "third-attempt", step.Scenario))
	lines := strings.Split(out, "\n")
	if status != statusOK || errs != "" || lines[0] != "Lesson lost-replies, step third-attempt" || lines[1] != "seed 1 · inputs 2 · other runs 0" ||
		!strings.HasPrefix(lines[6], "    3 ") || lines[7] != "  ──── the link shows the run up to here" {
		t.Errorf("got status %d, %s\n%s", status, errs, out)
	}
	slower := step.Scenario
	slower.Latency *= 2 // the lesson was another one when the link was made
	_, out, errs = runOn(t, nil, "open", lessonLink(t, "lost-replies", "third-attempt", slower))
	if !strings.Contains(out, "may differ from the one that was shared") || errs != "" {
		t.Errorf("got %s\n%s", errs, out)
	}
	_, _, errs = runOn(t, nil, "open", "--format", "csv", lessonLink(t, "lost-replies", "third-attempt", slower))
	if !strings.Contains(errs, "may differ from the one that was shared") {
		t.Errorf("got %s", errs)
	}
	own := put(t, "own.json", aLesson)
	for _, c := range []struct{ lesson, step, file, says string }{
		{"nowhere", "x", "", "a lesson that is not here: nowhere."}, {"lost-replies", "nowhere", "", "not played here: lost-replies, nowhere."},
		{"lost-replies", "third-attempt", own, "a lesson that is not here: lost-replies."},
	} {
		args := []string{"open", lessonLink(t, c.lesson, c.step, step.Scenario)}
		if c.file != "" {
			args = append(args, "--lesson", c.file)
		}
		status, out, errs := runOn(t, nil, args...)
		if status != statusFailed || out != "" || !strings.Contains(errs, c.says) {
			t.Errorf("%s/%s: got status %d, %s%s", c.lesson, c.step, status, errs, out)
		}
	}
}

func TestOpenSaysWhatIsWrong(t *testing.T) {
	address := strings.TrimSpace(exported(t, "link"))
	for _, c := range []struct{ link, lang, says string }{
		{address[:90], "en", "The link was cut: "}, {address[:90], "ko", "링크가 잘렸습니다"}, {address[:90], "ja", "リンクが途中で切れています"},
		{"https://lab.example/", "en", "This is not a share link"}, {"4.4.abcd", "en", "made by a newer Retry Lab: format 4"},
		{strings.Replace(address, "A", "B", 1), "en", "The link was changed on its way"},
	} {
		status, out, errs := runOn(t, nil, "open", c.link, "--lang", c.lang)
		if status != statusFailed || out != "" || !strings.HasPrefix(errs, "retrylab: ") || !strings.Contains(errs, c.says) {
			t.Errorf("%.40s: got status %d, %s%s; want %q", c.link, status, out, errs, c.says)
		}
	}
}
