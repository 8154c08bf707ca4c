package job

import (
	"errors"
	"os"
	"slices"
	"strings"
	"testing"

	"retrylab.example/core/codelab"
	"retrylab.example/core/lesson"
	"retrylab.example/core/text"
	"retrylab.example/wasm/batch"
)

func ask(t *testing.T, message []byte) []Answer {
	t.Helper()
	return askWith(t, nil, message)
}

func askWith(t *testing.T, python *batch.Runner, message []byte) []Answer {
	t.Helper()
	var answers []Answer
	Serve(message, python, func(m []byte) {
		a, err := Read(m)
		if err != nil {
			t.Fatalf("%s: %v", m, err)
		}
		answers = append(answers, a)
	})
	return answers
}

func base(t *testing.T) string {
	data, err := os.ReadFile("../../core/lesson/testdata/base.json")
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// The worker says step by step what lint says at once.
func TestProve(t *testing.T) {
	text := base(t)
	r := lesson.Inspect("base.json", []byte(text))
	wrongEnd := r.Root.Find("/steps/1/wrong/0/inputs").Replace(r.Root.Find("/steps/1/solution/inputs").Written()).Apply(text)
	for name, text := range map[string]string{"good": text, "a wrong answer that passes": wrongEnd, "malformed": "{", "no steps": "{}"} {
		want := lesson.ReportOf("base.json", []byte(text))
		answers := ask(t, Request{ID: 7, Kind: Prove, File: "base.json", Text: text}.Write())
		last := answers[len(answers)-1]
		if last.Report == nil || string(encode(last.Report)) != string(encode(want)) {
			t.Errorf("%s: got %s, want %s", name, encode(last.Report), encode(want))
		}
		formFaults := len(lesson.Inspect("", []byte(text)).Faults()) > 0
		if steps := len(answers) - 1; formFaults != (steps == 0) {
			t.Errorf("%s: %d steps were proven", name, steps)
		}
		for i, a := range answers[:len(answers)-1] {
			if a.ID != 7 || a.Proven == nil || a.Proven.Index != i || a.Proven.Count != len(answers)-1 {
				t.Errorf("%s: answer %d is %+v", name, i, a)
			}
		}
		linted := ask(t, Request{ID: 8, Kind: Lint, File: "base.json", Text: text}.Write())
		if len(linted) != 1 || linted[0].ID != 8 || string(encode(linted[0].Report)) != string(encode(want)) {
			t.Errorf("%s: lint says %+v", name, linted)
		}
	}
}

// What the worker finds can be said in the reader's language: its parts come along.
func TestProofsAreSaid(t *testing.T) {
	unsolved := strings.Replace(base(t), `"solution": {"inputs": [{"at": "0s", "fire": {"key": "order-1"}}]}`, `"solution": {"inputs": []}`, 1)
	said := 0
	for _, a := range ask(t, Request{Kind: Prove, File: "base.json", Text: unsolved}.Write()) {
		if a.Report == nil {
			continue
		}
		for _, f := range a.Report.Faults {
			if problem, _, lang := text.Korean.FileFault(f); lang != text.Korean {
				t.Errorf("%q is said in %s: %q", f.Problem, lang, problem)
			}
			said++
		}
	}
	if said == 0 {
		t.Error("a lesson without its solution has no fault")
	}
}

// The worker tells how far a trial is, and ends with what the sweep itself finds.
func TestSweep(t *testing.T) {
	l, err := lesson.Read("base.json", []byte(base(t)))
	if err != nil {
		t.Fatal(err)
	}
	for _, count := range []int{1, 7, 100} {
		st := &l.Steps[1]
		answers := ask(t, Request{ID: 3, Kind: Sweep, Text: string(st.WriteTrial(st.Solution, count))}.Write())
		w := st.Sweep(st.Solution, count)
		w.Run(count)
		want, done := w.So(), 0
		for _, a := range answers {
			if a.ID != 3 || a.Swept == nil || a.Swept.Done <= done || a.Swept.Count != count {
				t.Fatalf("of %d, after %d: %+v", count, done, a)
			}
			done = a.Swept.Done
		}
		if last := answers[len(answers)-1].Swept; string(encode(last)) != string(encode(want)) {
			t.Errorf("of %d: got %s, want %s", count, encode(last), encode(want))
		}
	}
}

func TestRefused(t *testing.T) {
	for _, message := range []string{"", "[]", `{"kind": "sweep"}`, `{"kind": "other"}`, `{"id": "x"}`} {
		if a := ask(t, []byte(message)); len(a) != 1 || a[0].Refused == "" {
			t.Errorf("%q: got %+v", message, a)
		}
	}
}

// parrot is an engine that says the same of each case.
type parrot struct {
	says  string
	lines chan []byte
}

func (p *parrot) Send(request []byte) error {
	for range strings.Count(string(request), `"now":`) {
		p.lines <- []byte(p.says)
	}
	return nil
}

func (p *parrot) Lines() <-chan []byte { return p.lines }
func (p *parrot) End()                 {}

func says(line string) *batch.Runner {
	return &batch.Runner{Start: func() (batch.Engine, error) { return &parrot{line, make(chan []byte, 1000)}, nil }}
}

// A verdict comes as the bytes that the grader writes, after word of each few cases.
func TestGrade(t *testing.T) {
	request := Request{ID: 3, Kind: Grade, Function: "wait_delay", Program: codelab.Program{Source: "def wait_delay(header, now):\n    return 0\n"}}
	const line = `{"steps": [{"ok": 0, "trace": [], "vars": []}], "out": ""}`
	answers := askWith(t, says(line), request.Write())
	last := answers[len(answers)-1]
	f, _ := codelab.Find("wait_delay")
	want, err := f.Grade(request.Program, says(line))
	if err != nil || last.ID != 3 || last.Verdict != string(want.AppendJSON(nil)) {
		t.Errorf("got %+v, want %s (%v)", last, want.AppendJSON(nil), err)
	}
	if v, err := codelab.ReadVerdict([]byte(last.Verdict)); err != nil || v.Code != codelab.WrongValue {
		t.Errorf("the verdict reads as %+v, %v", v, err)
	}
	var tried []int
	for _, a := range answers[:len(answers)-1] {
		tried = append(tried, a.Tried)
	}
	if len(tried) == 0 || tried[0] != step || !slices.IsSorted(tried) {
		t.Errorf("the cases are counted as %v", tried)
	}
}

// Without an engine each kind that wants one says why.
func TestNoEngine(t *testing.T) {
	none := &batch.Runner{Start: func() (batch.Engine, error) { return nil, errors.New("no engine today") }}
	for _, r := range []Request{{Kind: Warm}, {Kind: Grade, Function: "remaining"}} {
		if a := askWith(t, none, r.Write()); len(a) != 1 || a[0].Failed != "no engine today" {
			t.Errorf("%s: got %+v", r.Kind, a)
		}
	}
	if a := askWith(t, says("{}"), Request{Kind: Warm}.Write()); len(a) != 1 || !a[0].Warm {
		t.Errorf("warm: got %+v", a)
	}
	if a := askWith(t, none, Request{Kind: Grade, Function: "nothing"}.Write()); len(a) != 1 || a[0].Refused == "" {
		t.Errorf("an unknown function: got %+v", a)
	}
}
