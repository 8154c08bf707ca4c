package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"retrylab.example/core/document"
	"retrylab.example/core/lesson"
	"retrylab.example/core/scenario"
	"retrylab.example/core/trace"
	"retrylab.example/lessons"
)

// runOn runs a command line on a standard input.
func runOn(t *testing.T, in io.Reader, args ...string) (status int, out, errs string) {
	var o, e bytes.Buffer
	status = run(t.Context(), args, Streams{In: in, Out: &o, Err: &e})
	return status, o.String(), e.String()
}

// put writes a file into a folder of the test and returns its name.
func put(t *testing.T, name, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return file
}

// wantRun holds a run to its status and to what it says on both streams.
func wantRun(t *testing.T, name string, status int, out, errs string, wantStatus int, wantOut, wantErrs string) {
	t.Helper()
	if status != wantStatus || out != wantOut || errs != wantErrs {
		t.Errorf("%s: got status %d\nout:  %serrs: %s\nwant status %d\nout:  %serrs: %s",
			name, status, out, errs, wantStatus, wantOut, wantErrs)
	}
}

const aScenario = `{
  "seed": 3,
  "script": [{"reply": 503}, {"fault": "lost-reply"}],
  "clients": [{"name": "alice", "policy": {"preset": "contract-c", "jitter": {"kind": "full"}}, "request": {"key": "k-1"}}],
  "inputs": [{"at": "0s", "fire": {}}]
}`

// The lines are a header, every event as the trace writes it, and the totals; each is JSON.
func TestRunPrintsJSONLines(t *testing.T) {
	s, err := scenario.Read("a", []byte(aScenario))
	if err != nil {
		t.Fatal(err)
	}
	for _, seed := range []uint64{3, 4} {
		args := []string{"run", "-"}
		if seed != s.Seed {
			args = append(args, "--seed", fmt.Sprint(seed))
		}
		status, out, errs := runOn(t, strings.NewReader(aScenario), args...)
		lines := strings.SplitAfter(strings.TrimSuffix(out, "\n"), "\n")
		for _, line := range lines {
			if !json.Valid([]byte(line)) {
				t.Errorf("this is not JSON: %s", line)
			}
		}
		played := s
		played.Seed = seed
		var k trace.Keep
		if _, err := played.Run(nil, &k); err != nil {
			t.Fatal(err)
		}
		want := fmt.Sprintf("{\"format\":1,\"scenario\":%q,\"seed\":%d}\n", s.Digest(), seed)
		for i := range k.Events {
			want += string(trace.AppendJSON(nil, &k.Events[i]))
		}
		want += `{"totals":{"calls":1,"sent":3,"arrived":3,"applied":1,"replayed":1,"refused":1,"refusedLocally":0,` +
			`"duplicates":0,"succeeded":1,"gaveUp":0,"naive":20,"deduped":10,"actual":10}}` + "\n"
		wantRun(t, strings.Join(args, " "), status, out, errs, statusOK, want, "")
	}
}

func TestRunPrintsColumnsForPeople(t *testing.T) {
	file := put(t, "s.json", strings.Replace(aScenario, "full", "none", 1))
	for lang, want := range map[string][]string{
		"en": {"    6      0.100 s  alice       decides: retry after 1.000\u00a0s\n", "\nsent 3 · arrived 3 · applied 1 · replayed 1 · duplicates 0"},
		"ko": {"   10      1.150 s  네트워크    ", "\n보냄 3 · 도착 3"},
		"ja": {"    3      0.050 s  パートナー        1回目", "\n送信 3 · 到着 3"},
	} {
		status, out, errs := runOn(t, nil, "run", file, "--format", "text", "--lang", lang)
		if status != statusOK || errs != "" {
			t.Errorf("%s: got status %d, %s", lang, status, errs)
		}
		for _, w := range want {
			if !strings.Contains(out, w) {
				t.Errorf("%s: got\n%s\nwant %q in it", lang, out, w)
			}
		}
	}
}

// someGoals end aScenario: one goal that holds, one that does not.
const someGoals = `,"goals": [{"kind": "count", "of": "applied", "equals": 1}, {"kind": "ends", "max": "1ms"}]}`

// Goals beside a scenario are judged; the status says whether all hold.
func TestRunJudgesGoals(t *testing.T) {
	text := aScenario[:len(aScenario)-2] + someGoals
	file := put(t, "goals.json", text)
	status, out, errs := runOn(t, nil, "run", file)
	lines := strings.Split(out, "\n")
	if status != 1 || errs != "" || lines[len(lines)-3] != `{"goals":[true,false]}` {
		t.Errorf("got %d, %s, %s", status, lines[max(len(lines)-3, 0)], errs)
	}
	status, out, _ = runOn(t, nil, "run", file, "--format", "text")
	if status != 1 || !strings.Contains(out, "\nholds: applied: 1 (expected 1, actual 1)\ndoes not hold: ") {
		t.Errorf("got %d, %s", status, out)
	}
	if status, out, _ = runOn(t, nil, "run", file, "--format", "scenario"); status != 0 || !strings.Contains(out, `"goals": [`) {
		t.Errorf("got %d, %s", status, out)
	}
	status, address, _ := runOn(t, nil, "run", file, "--format", "link")
	if status != 0 {
		t.Fatal("there is no link")
	}
	if status, out, _ = runOn(t, nil, "open", strings.TrimSpace(address)); status != 1 || !strings.Contains(out, "\nholds: applied: 1 ") {
		t.Errorf("opened: %d, %s", status, out)
	}
	met := put(t, "met.json", strings.Replace(text, `"1ms"`, `"1h"`, 1))
	if status, _, errs = runOn(t, nil, "run", met); status != 0 {
		t.Errorf("all hold, and the status is %d, %s", status, errs)
	}
	wrong := put(t, "wrong.json", strings.Replace(text, `"applied"`, `"nothing"`, 1))
	if status, _, errs = runOn(t, nil, "run", wrong); status != 1 || !strings.Contains(errs, "/goals/0/of") {
		t.Errorf("a wrong goal: %d, %s", status, errs)
	}
}

// A run that its bound stops says so, in its events and on standard error.
func TestRunSaysWhyItStopped(t *testing.T) {
	for _, c := range []struct{ bound, says string }{
		{`"maxEvents": 5,`, "retrylab: the run stopped at its bound of 5 events (maxEvents)\n"},
		{`"maxTime": "150ms",`, "retrylab: the run stopped at its bound of 150ms of simulated time (maxTime)\n"},
	} {
		text := strings.Replace(aScenario, "{", "{"+c.bound, 1)
		text = strings.Replace(text, "full", "none", 1)
		status, out, errs := runOn(t, strings.NewReader(text), "run", "-")
		if status != statusOK || errs != c.says || !strings.Contains(out, `"event":"run-stopped"`) || !strings.Contains(out, `{"totals":`) {
			t.Errorf("%s: got status %d, errs %q, out\n%s", c.bound, status, errs, out)
		}
	}
}

type brokenPipe struct{}

func (brokenPipe) Write([]byte) (int, error) { return 0, errors.New("broken pipe") }

func TestRunSaysThatItCannotWrite(t *testing.T) {
	var e bytes.Buffer
	status := run(t.Context(), []string{"run", "-"}, Streams{In: strings.NewReader(aScenario), Out: brokenPipe{}, Err: &e})
	wantRun(t, "run", status, "", e.String(), statusFailed, "", "retrylab: cannot write the run: broken pipe\n")
}

func TestBadFilesAreToldInASentence(t *testing.T) {
	dir := t.TempDir()
	huge := filepath.Join(dir, "huge.json") // 100 MB that take no place
	if err := os.WriteFile(huge, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(huge, 100_000_000); err != nil {
		t.Fatal(err)
	}
	bad := put(t, "bad.json", "{\n  \"seed\": -1,\n  \"clients\": []\n}\n")
	for _, c := range []struct{ file, errs string }{
		{"nowhere.json", "retrylab: there is no file nowhere.json\n"},
		{dir, "retrylab: " + dir + " is a folder, not a file\n"},
		{huge, huge + ": the file is longer than 4194304 bytes; keep it shorter\n"},
		{bad, bad + ":2:11: /seed: -1 is out of range; write a whole number from 0 to 9007199254740992\n" +
			bad + ":3:14: /clients: there is no client; add one\n"},
		{"-", "stdin:1:1: the document is empty; write an object: {…}\n"},
	} {
		status, out, errs := runOn(t, strings.NewReader(""), "run", c.file)
		wantRun(t, "run "+c.file, status, out, errs, statusFailed, "", c.errs)
		status, out, _ = runOn(t, strings.NewReader(""), "lint", c.file)
		if status != statusFailed || out == "" {
			t.Errorf("lint %s: got status %d, out %q; want %d and the fault", c.file, status, out, statusFailed)
		}
	}
}

// endless is a stream without an end; it counts what was read.
type endless struct{ read int }

func (e *endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = ' '
	}
	e.read += len(p)
	return len(p), nil
}

func TestEndlessInputIsNotReadWhole(t *testing.T) {
	var in endless
	status, out, errs := runOn(t, &in, "run", "-")
	wantRun(t, "run -", status, out, errs, statusFailed, "", "stdin: the file is longer than 4194304 bytes; keep it shorter\n")
	if in.read > document.MaxBytes+1 {
		t.Errorf("%d bytes were read, want at most %d", in.read, document.MaxBytes+1)
	}
}

// An interrupt ends a command that waits for its input.
func TestWaitingForInputCanBeInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	in, _ := io.Pipe()
	defer in.Close()
	done := make(chan string)
	go func() {
		var e bytes.Buffer
		run(ctx, []string{"lint", "--format", "json", "-"}, Streams{In: in, Out: &e, Err: &e})
		done <- e.String()
	}()
	cancel()
	select {
	case got := <-done:
		if !strings.Contains(got, "interrupted while reading stdin") {
			t.Errorf("got %q", got)
		}
	case <-time.After(time.Minute):
		t.Fatal("it still waits")
	}
}

func TestWrongCommandLines(t *testing.T) {
	file := put(t, "s.json", aScenario)
	for _, c := range []struct {
		args []string
		says string
	}{
		{[]string{"run"}, "retrylab run: the scenario file, or - for standard input, is missing"},
		{[]string{"run", file, "more"}, `retrylab run: there is one argument too many: "more"`},
		{[]string{"run", file, "--format", "xml"}, `--format: "xml" is not known; use one of: json, text, csv, markdown, go-test, scenario, link`},
		{[]string{"open"}, "retrylab open: the LINK, or - for standard input, is missing"},
		{[]string{"open", "x", "--format", "xml"}, `--format: "xml" is not known; use one of: json, `},
		{[]string{"open", "x", "--lang", "fr"}, `--lang: there is no language "fr"; use en, ko or ja`},
		{[]string{"run", file, "--lang", "fr"}, `--lang: there is no language "fr"; use en, ko or ja`},
		{[]string{"run", file, "--seed", "-1"}, `--seed: "-1" is no seed; write a whole number from 0 to 9007199254740992`},
		{[]string{"run", file, "--seed", "9007199254740993"}, "is no seed"},
		{[]string{"lint"}, "retrylab lint: a lesson file, or - for standard input, is missing"},
		{[]string{"lint", file, "--format", "xml"}, `--format: "xml" is not known; use text or json`},
		{[]string{"check", "lost-replies", "x"}, "retrylab check: one of LESSON, STEP and INPUTS.json is missing"},
		{[]string{"check", "-", "x", "-"}, "only one of LESSON and INPUTS.json can come from standard input"},
		{[]string{"check", "nowhere", "x", file}, "there is no file nowhere, and no lesson of that id; the lessons are: lost-replies, "},
		{[]string{"check", "lost-replies", "nowhere", file}, `the lesson lost-replies has no step "nowhere"; the played ones are: `},
	} {
		status, out, errs := runOn(t, strings.NewReader(""), c.args...)
		if status != statusUsage || out != "" || !strings.Contains(errs, c.says) || !strings.HasSuffix(errs, "\nTry: retrylab help\n") {
			t.Errorf("%q: got status %d, out %q, errs %q; want %d and %q", c.args, status, out, errs, statusUsage, c.says)
		}
	}
}

func TestHelpShowsExamplesOfAll(t *testing.T) {
	status, out, _ := runOn(t, nil, "help")
	for _, name := range []string{"run", "open", "lint", "check"} {
		if status != statusOK || !strings.Contains(out, "\n  retrylab "+name+" ") {
			t.Errorf("help shows no example of %s: %s", name, out)
		}
	}
	_, example, _ := strings.Cut(out, "retrylab check ")
	words := strings.Fields(example)
	l, _, err := builtIn(words[0])
	if err != nil {
		t.Fatal(err)
	}
	if _, err := playedStep(&l, words[1]); err != nil {
		t.Errorf("the example of check is none: %v", err)
	}
}

// The lessons of the course, as files.
func courseFiles(t *testing.T) []string {
	names, err := fs.Glob(lessons.Files, "[0-9]*.json")
	if err != nil || len(names) == 0 {
		t.Fatal(names, err)
	}
	for i, name := range names {
		names[i] = filepath.Join("..", "..", "lessons", name)
	}
	return names
}

func TestLintProvesTheCourse(t *testing.T) {
	schema := put(t, "lesson.schema.json", "{}")
	files := courseFiles(t)
	status, out, errs := runOn(t, nil, append([]string{"lint", schema}, files...)...)
	lines := strings.Split(strings.TrimSuffix(out, "\n"), "\n")
	if status != statusOK || errs != "" || len(lines) != len(files)+1 || lines[0] != schema+": skipped, a schema is no lesson" {
		t.Fatalf("got status %d, errs %q, out\n%s", status, errs, out)
	}
	for i, file := range files {
		if !strings.HasPrefix(lines[i+1], file+": ok, ") || !strings.Contains(lines[i+1], " steps proven; ") {
			t.Errorf("got %q", lines[i+1])
		}
	}
}

func TestLintTellsEveryFaultOfEveryFile(t *testing.T) {
	good := courseFiles(t)[0]
	bad := put(t, "bad.json", "{\n  \"format\": 2, \"id\": \"x\", \"languages\": [\"en\"],\n  \"steps\": []\n}\n")
	status, out, errs := runOn(t, nil, "lint", bad, "nowhere.json", good)
	want := bad + ":1:1: the field \"title\" is missing; add it\n" +
		bad + ":1:1: the field \"summary\" is missing; add it\n" +
		bad + ":1:1: the field \"why\" is missing; add it\n" +
		bad + ":1:1: the field \"limits\" is missing; add it\n" +
		bad + ":2:13: /format: the file is made for a newer Retry Lab: format 2, and this one reads up to 1; " +
		"use that one, or write 1 if nothing in the file is newer\n" +
		bad + ":3:12: /steps: the lesson has no step; add one\n" +
		"nowhere.json: there is no file nowhere.json\n"
	if status != statusFailed || errs != "" || !strings.HasPrefix(out, want+good+": ok, ") {
		t.Errorf("got status %d, errs %q, out\n%s\nwant\n%s", status, errs, out, want)
	}

	status, out, _ = runOn(t, nil, "lint", "--format", "json", bad, "nowhere.json", good)
	var list []lesson.Report
	if err := json.Unmarshal([]byte(out), &list); err != nil || status != statusFailed || len(list) != 3 {
		t.Fatalf("got status %d, %v, out\n%s", status, err, out)
	}
	if f := list[0].Faults; len(f) != 6 || f[4].Line != 2 || f[4].Column != 13 || f[4].Pointer != "/format" || list[0].OK {
		t.Errorf("got %+v", list[0])
	}
	if list[1].OK || len(list[1].Faults) != 1 || !list[2].OK || list[2].Proven == 0 || list[2].Lesson == "" {
		t.Errorf("got %+v and %+v", list[1], list[2])
	}
}

// Every step of the course, by the id of its lesson and by its file: its solution solves it, and no wrong answer does.
func TestCheckJudgesTheCourse(t *testing.T) {
	for _, file := range courseFiles(t) {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		l, err := lesson.Read(file, data)
		if err != nil {
			t.Fatal(err)
		}
		for i := range l.Steps {
			if s := &l.Steps[i]; s.Plays() {
				checkStep(t, file, &l, s)
			}
		}
	}
}

func checkStep(t *testing.T, file string, l *lesson.Lesson, s *lesson.Step) {
	inputs := put(t, "inputs.json", string(s.WritePlay(s.Solution)))
	for _, name := range []string{l.ID, file} {
		status, out, errs := runOn(t, nil, "check", name, s.ID, inputs)
		if status != statusOK || errs != "" || !strings.HasSuffix(out, "Solved: every check holds.\n") {
			t.Errorf("check %s %s: got status %d, %s%s", name, s.ID, status, out, errs)
		}
		if got := strings.Count(out, "holds: "); got != len(s.Checks) {
			t.Errorf("check %s %s: %d checks hold, want %d:\n%s", name, s.ID, got, len(s.Checks), out)
		}
	}
	for _, w := range s.Wrong {
		status, out, errs := runOn(t, bytes.NewReader(s.WritePlay(w.Answer)), "check", l.ID, s.ID, "-", "--lang", "ko")
		if status != statusFailed || errs != "" || !strings.Contains(out, "\n미해결: ") {
			t.Errorf("check %s %s, wrong answer %s: got status %d, %s%s", l.ID, s.ID, w.ID, status, out, errs)
		}
	}
}

const aLesson = `{
  "format": 1, "id": "a", "languages": ["en"],
  "title": {"en": "A"}, "summary": {"en": "S"}, "why": {"en": "W"}, "limits": {"en": "L"},
  "steps": [
    {"id": "read", "kind": "explain", "title": {"en": "T"}, "body": {"en": "B"}},
    {"id": "ten", "kind": "predict", "title": {"en": "T"}, "body": {"en": "B"},
     "scenario": {"script": [{"fault": "lost-reply"}], "clients": [{"name": "alice", "policy": {"preset": "contract-c"}}]},
     "allow": {"fire": true, "keys": ["", "k"]},
     "checks": [
       {"id": "total", "text": {"en": "The total is 10."}, "kind": "total", "of": "actual", "equals": 10},
       {"id": "sent", "text": {"en": "Two are sent."}, "kind": "count", "of": "sent", "min": 2}],
     "question": {"text": {"en": "How many effects?"}, "options": [
       {"id": "one", "label": {"en": "1"}, "if": {"kind": "count", "of": "applied", "equals": 1}},
       {"id": "two", "label": {"en": "2"}, "if": {"kind": "count", "of": "applied", "equals": 2}}]},
     "solution": {"inputs": [{"fire": {"key": "k"}}], "prediction": "one"},
     "wrong": [{"id": "no-key", "inputs": [{"fire": {}}], "prediction": "two", "fails": "total"}]}
  ]
}`

func TestCheckSaysWhatHolds(t *testing.T) {
	file := put(t, "a.json", aLesson)
	for _, c := range []struct {
		inputs    string
		status    int
		out, errs string
	}{
		{`{"inputs": [{"fire": {"key": "k"}}], "prediction": "one"}`, statusOK,
			"holds: The total is 10. (expected 10, actual 10)\n" +
				"holds: Two are sent. (expected 2 or more, actual 2)\n" +
				"Solved: every check holds.\n", ""},
		{`{"inputs": [{"fire": {}}], "prediction": "two"}`, statusFailed,
			"does not hold: The total is 10. (expected 10, actual 20, at event 10 at 2.550 s)\n" +
				"holds: Two are sent. (expected 2 or more, actual 2)\n" +
				"Not solved: 1 of 2 checks not met.\n", ""},
		{`{"inputs": [{"fire": {"key": "k"}}], "prediction": "two"}`, statusFailed,
			"holds: The total is 10. (expected 10, actual 10)\n" +
				"holds: Two are sent. (expected 2 or more, actual 2)\n" +
				"Not solved: every check holds, but the prediction two was wrong.\n", ""},
		{`{"inputs": [{"fire": {"key": "k"}}]}`, statusFailed,
			"holds: The total is 10. (expected 10, actual 10)\n" +
				"holds: Two are sent. (expected 2 or more, actual 2)\n" +
				"Not solved: every check holds, but no prediction was made.\n", ""},
		{`{"inputs": [{"fire": {"key": "j"}}, {"inject": {"reply": 503}}]}`, statusFailed, "",
			"stdin: input 1 uses the key \"j\", which is not offered in the step ten\n" +
				"stdin: input 2 orders 503, which is not offered in the step ten\n"},
		{`{"inputs": [{"shoot": {}}]}`, statusFailed, "",
			"stdin:1:13: /inputs/0: an input has one of \"fire\", \"inject\", \"policy\", \"guards\" and \"limit\"; write one, as in {\"at\": \"0s\", \"fire\": {}}\n" +
				"stdin:1:14: /inputs/0/shoot: the field \"shoot\" is not known; remove it, or use one of: at, fire, inject, policy, guards, limit\n"},
	} {
		status, out, errs := runOn(t, strings.NewReader(c.inputs), "check", file, "ten", "-")
		wantRun(t, c.inputs, status, out, errs, c.status, c.out, c.errs)
	}
	status, out, errs := runOn(t, nil, "check", file, "read", file)
	wantRun(t, "a step to read", status, out, errs, statusUsage, "",
		"retrylab: the step read is of the kind explain: nothing is played in it\nTry: retrylab help\n")
	broken := put(t, "broken.json", strings.Replace(aLesson, `"format": 1`, `"format": 0`, 1))
	status, out, errs = runOn(t, nil, "check", broken, "ten", file)
	wantRun(t, "a broken lesson", status, out, errs, statusFailed, "", broken+":2:13: /format: the format 0 is not known; write 1\n")
}

// The commands print the same in every run: nothing depends on the order of a map or on the clock.
func TestOutputIsTheSameEachTime(t *testing.T) {
	file := put(t, "a.json", aLesson)
	for _, args := range [][]string{{"lint", "--format", "json", file}, {"help"}, {"run", put(t, "s.json", aScenario)}} {
		_, first, _ := runOn(t, nil, args...)
		_, second, _ := runOn(t, nil, args...)
		if first != second || first == "" {
			t.Errorf("%q: got\n%s\nthen\n%s", args, first, second)
		}
	}
}
