package lab

import (
	"encoding/json"
	"strings"
	"testing"

	"retrylab.example/core/codelab"
	"retrylab.example/core/lesson"
	"retrylab.example/core/text"
	"retrylab.example/lessons"
	"retrylab.example/wasm/effect"
	"retrylab.example/wasm/job"
	"retrylab.example/wasm/progress"
	"retrylab.example/wasm/view/frame"
)

// coder is somebody at a code step, with what the browser keeps.
type coder struct {
	*Model
	t    *testing.T
	kept map[string]string
	last []effect.Effect
}

func budgetLab(t *testing.T) *lesson.Lesson {
	t.Helper()
	data, err := lessons.Labs.ReadFile("code/010-code-retry-budget.json")
	if err != nil {
		t.Fatal(err)
	}
	l, err := lesson.Read("code.json", data)
	if err != nil {
		t.Fatal(err)
	}
	return &l
}

// atCode opens a code step.
func atCode(t *testing.T, step string, kept map[string]string) *coder {
	t.Helper()
	l := budgetLab(t)
	for i := range l.Steps {
		if l.Steps[i].ID == step {
			place := Place{Number: 8, Count: 12, Kept: func(step string) string { return kept[l.ID+"/"+step] }}
			s := frame.Settings{Lang: text.English, Python: true, Address: "https://lab.example/"}
			m := New(s, Size{Stage: 640}, place, l, i, &progress.Book{}, kept[l.ID+"/"+step])
			return &coder{Model: m, t: t, kept: kept}
		}
	}
	t.Fatalf("there is no step %s", step)
	return nil
}

// send sends messages, and keeps what is to be kept.
func (c *coder) send(messages ...any) *coder {
	for _, msg := range messages {
		c.last = c.Update(msg)
		for _, e := range c.last {
			if s, ok := e.(effect.Store); ok {
				c.kept[strings.TrimPrefix(s.Key, progress.Histories)] = s.Value
			}
		}
	}
	return c
}

// request returns what the worker is asked last.
func (c *coder) request() job.Request {
	c.t.Helper()
	for _, e := range c.last {
		if j, ok := e.(effect.Job); ok && j.Request != "" {
			return requestOf(c.t, j.Request)
		}
	}
	c.t.Fatalf("the worker is asked nothing: %v", c.last)
	return job.Request{}
}

// answers lets the worker answer the latest request.
func (c *coder) answers(a job.Answer) *coder {
	a.ID = c.code.asked
	return c.send(frame.Answer{Message: string(a.Write())})
}

func (c *coder) judged(v codelab.Verdict) *coder {
	return c.answers(job.Answer{Verdict: string(v.AppendJSON(nil))})
}

func (c *coder) shows(parts ...string) {
	c.t.Helper()
	html := c.View().HTML()
	for _, p := range parts {
		if !strings.Contains(html, p) {
			c.t.Errorf("the page does not show %q", p)
		}
	}
}

const mine = "def retryable(status):\n    return status in (429, 502, 503, 504)\n"

// TestCodeIsJudged: what was typed is kept and judged; a verdict marks its line, a later text does not; passing solves.
func TestCodeIsJudged(t *testing.T) {
	c := atCode(t, "retryable", map[string]string{})
	c.shows("def retryable(status):", "Nothing was judged yet", "retryable(503)")
	c.send(Code{"def retryable(status):\n    return status.x\n"}, CheckCode{})
	if r := c.request(); r.Kind != job.Grade || r.Function != "retryable" || r.Program.Source != c.code.text {
		t.Errorf("asked for %+v", r)
	}
	c.shows("code-stop")
	c.judged(codelab.Verdict{Function: "retryable", Code: codelab.Raised, Calls: []string{"retryable(200)"}, Yours: "AttributeError", Wanted: "False", Text: "x", Line: 2})
	if m := c.marks(); len(m) != 1 || m[0].Line != 2 || !strings.Contains(m[0].Text, "raises AttributeError (x, line 2)") {
		t.Errorf("marks %v", m)
	}
	c.shows("retryable(200)", "Not solved. Cases that came out as wanted before: 0.")
	c.send(Code{mine})
	if len(c.marks()) != 0 || !strings.Contains(c.View().HTML(), "code-stale") {
		t.Error("another text has the marks of the first, or the verdict is not said to be of the first")
	}
	c.send(CheckCode{}).judged(codelab.Verdict{Function: "retryable", Cases: 309})
	if c.book.Of("code-retry-budget", "retryable") != progress.Solved || c.code.passed != mine || len(c.code.tries) != 2 {
		t.Errorf("solved: %v", c.code)
	}
	again := atCode(t, "retryable", c.kept)
	if again.code.text != mine || again.code.passed != mine || !again.code.verdict.Passed() {
		t.Errorf("after a reload: %+v", again.code)
	}
	c.send(CheckCode{}, StopCode{})
	if c.code.doing != idling {
		t.Error("it does not stop")
	}
	before := c.code.verdict
	c.send(frame.Answer{Message: string(job.Answer{ID: c.code.asked - 1, Verdict: `{"code":"raised"}`}.Write())})
	if c.code.verdict != before {
		t.Error("an answer to what was stopped is taken")
	}
}

// TestEarlierFunctionsAreKept: a function that passed is a part of later programs, and a line in it is told as its own.
func TestEarlierFunctionsAreKept(t *testing.T) {
	kept := map[string]string{}
	c := atCode(t, "retryable", kept)
	c.send(Code{mine}, CheckCode{}).judged(codelab.Verdict{Function: "retryable", Cases: 309})
	c.send(Code{mine + "# and more"})
	b := atCode(t, "replay-safe", kept)
	b.shows("Functions of earlier steps (1)", "yours")
	b.send(Code{"def replay_safe(method, key):\n    return 1\n"}, CheckCode{})
	want := strings.TrimRight(mine, "\n") + "\n\n\ndef replay_safe(method, key):\n    return 1\n"
	if got := b.request().Program.Source; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	b.judged(codelab.Verdict{Code: codelab.Raised, Yours: "E", Wanted: "True", Line: 6})
	if m := b.marks(); len(m) != 1 || m[0].Line != 2 {
		t.Errorf("marks %v", m)
	}
	b.judged(codelab.Verdict{Code: codelab.Raised, Yours: "E", Wanted: "True", Line: 2})
	if len(b.marks()) != 0 {
		t.Error("a line of an earlier function is marked in this one")
	}
	b.shows("In your function retryable of an earlier step", "line 2")
	b.send(SaveCode{})
	if d := b.last[0].(effect.Download); d.Name != "replay_safe.py" || d.Text != want {
		t.Errorf("the file is %+v", d)
	}
}

// TestResetAsks: a starter never takes the place of a text by itself, and the text stays among the earlier ones.
func TestResetAsks(t *testing.T) {
	c := atCode(t, "retryable", map[string]string{})
	c.send(Code{mine}, AskReset{})
	if c.code.text != mine {
		t.Error("it did not ask")
	}
	c.shows("Put the starter in the place of your code?")
	if c.send(LeaveCode{}); c.code.askReset || c.code.text != mine {
		t.Error("left, and yet reset")
	}
	c.send(AskReset{}, ResetCode{})
	if c.code.text != c.code.starter || len(c.code.tries) != 1 {
		t.Errorf("reset: %+v", c.code)
	}
	if c.send(UseTry{0}); c.code.text != mine {
		t.Error("the earlier text does not come back")
	}
	c.send(UseSolution{})
	if c.code.text != mine {
		t.Error("a solution that was not opened can be used")
	}
	c.send(ShowSolution{}, UseSolution{}, CheckCode{}).judged(codelab.Verdict{Cases: 309})
	if c.book.Of("code-retry-budget", "retryable") != progress.Seen {
		t.Error("a step whose solution was opened counts as solved")
	}
}

// TestTwoTabsWithCode: what one tab keeps is shown in the other, and nothing that was written is lost.
func TestTwoTabsWithCode(t *testing.T) {
	kept := map[string]string{}
	a, b := atCode(t, "retryable", kept), atCode(t, "retryable", kept)
	a.send(Code{"a"})
	b.send(Elsewhere{a.History()})
	if b.code.text != "a" || len(b.last) == 0 {
		t.Errorf("b shows %q", b.code.text)
	}
	b.code.text = "b" // typed at the same time
	if b.Take(a.History()); b.code.text != "b" || len(b.code.tries) != 1 || b.code.tries[0].Code != "a" {
		t.Errorf("b has %+v", b.code)
	}
	a.send(Elsewhere{b.History()})
	if a.code.text != "b" || a.code.tries[0].Code != "a" {
		t.Errorf("a has %+v", a.code)
	}
	joined := Join(a.current(), (&keptCode{Code: "x", Passed: "p"}).write(), (&keptCode{Code: "y", Hints: 1}).write())
	k, ok := readCode(joined)
	if !ok || k.Code != "x" || k.Passed != "p" || k.Hints != 1 || len(k.Tries) != 1 || k.Tries[0].Code != "y" {
		t.Errorf("joined: %+v", k)
	}
	if k, _ := readCode(Join(a.current(), "{}", (&keptCode{Code: "y"}).write())); k.Code != "y" {
		t.Errorf("a starter took the place of a text: %+v", k)
	}
}

// TestCodeOfALink: it is not run and not kept until somebody says so.
func TestCodeOfALink(t *testing.T) {
	kept := map[string]string{}
	own := atCode(t, "retryable", kept)
	own.send(Code{mine})
	m := NewSharedCode(own.Settings, Size{Stage: 640}, own.place, budgetLab(t), own.step, &progress.Book{}, kept["code-retry-budget/retryable"], "import os\n")
	c := &coder{Model: m, t: t, kept: kept}
	c.last = c.Visit()
	for _, e := range c.last {
		if j, ok := e.(effect.Job); ok && requestOf(t, j.Request).Kind != job.Warm {
			t.Errorf("it runs: %v", j)
		}
	}
	c.shows("Code from a link.", "import os")
	c.send(Code{"import os # typed\n"}, CheckCode{}).judged(codelab.Verdict{Cases: 309})
	if k, _ := readCode(kept["code-retry-budget/retryable"]); k.Code != mine || c.book.Of("code-retry-budget", "retryable") != progress.Open {
		t.Errorf("kept: %+v", k)
	}
	c.send(KeepShared{})
	if k, _ := readCode(kept["code-retry-budget/retryable"]); k.Code != "import os # typed\n" || k.Tries[len(k.Tries)-1].Code != mine {
		t.Errorf("kept as mine: %+v", k)
	}
	own.send(Share{})
	if !strings.HasPrefix(own.share.link, "https://lab.example/#/open/2.") {
		t.Errorf("the link is %s", own.share.link)
	}
	if own.send(Code{own.code.starter}, Share{}); own.share.link != "https://lab.example/#/lesson/code-retry-budget/retryable?lang=en" {
		t.Errorf("the link to a starter is %s", own.share.link)
	}
}

// TestSeeItRun: the program's run stands above the core's, the clock steps both, and the case can be set.
func TestSeeItRun(t *testing.T) {
	c := atCode(t, "execute", map[string]string{})
	c.send(SetCase{"timeout", "90"})
	c.shows("timeout: write seconds from -1 to 60")
	c.send(SetCase{"replies", "1"}, SetCase{"status-1", "503"}, SetCase{"maximum", "2"}, ShowRun{})
	r := c.request()
	if r.Kind != job.Try || len(r.Case.Set) == 0 {
		t.Errorf("asked for %+v", r)
	}
	c.answers(job.Answer{Ran: &job.Ran{Line: `{"steps":[{"ok":{"r":1},"trace":[["send",0,[{"f":5000000000}]]],"vars":[]}],"out":""}`}})
	c.shows("yours does nothing more", "<svg", "first difference", "answers = [503]")
	end := c.pos
	if c.send(Start{}); c.pos.Count != 0 {
		t.Error("the clock does not go to the start")
	}
	if c.send(Key{Name: "End"}); c.pos.Count != end.Count {
		t.Error("the clock does not go to the end")
	}
	c.send(SeedCase{"7"}, ShowRun{})
	if r := c.request(); !r.Case.Made {
		t.Errorf("asked for %+v", r.Case)
	}
	again := atCode(t, "execute", c.kept)
	if !again.code.trial.spec.Made {
		t.Error("the case is forgotten")
	}
}

// TestWithoutPython: a build without the engine says what is missing.
func TestWithoutPython(t *testing.T) {
	c := atCode(t, "retryable", map[string]string{})
	c.Settings.Python = false
	c.shows("cannot run Python", "make npm")
	if c.send(Code{mine}, CheckCode{}); len(c.last) != 0 || c.kept["code-retry-budget/retryable"] == "" {
		t.Errorf("it runs, or is not kept: %v", c.last)
	}
}

func requestOf(t *testing.T, message string) (r job.Request) {
	t.Helper()
	if err := json.Unmarshal([]byte(message), &r); err != nil {
		t.Fatal(err)
	}
	return r
}
