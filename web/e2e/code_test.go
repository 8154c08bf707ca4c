//go:build e2e

package e2e

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp"

	"retrylab.example/core/codelab"
	"retrylab.example/core/lesson"
	"retrylab.example/lessons"
	"retrylab.example/wasm/job"
	node "retrylab.example/web/codelab"
)

// grader is the page's way to a verdict without a page: the program as a worker, which starts the Python worker.
const grader = `(() => {
	const build = document.documentElement.dataset.build;
	let done = null, ready = null;
	window.tried = [];
	const start = () => new Promise((started) => {
		const worker = new Worker(build + "/worker.js");
		worker.onmessage = ({ data }) => {
			const a = JSON.parse(data);
			if (a.ready) { return started(worker); }
			if (a.tried) { return window.tried.push(a.tried); }
			done(data);
		};
		worker.onerror = (e) => done(JSON.stringify({ failed: "the worker has stopped: " + e.message }));
	});
	window.grade = async (request) => {
		ready = ready || start();
		const worker = await ready;
		return new Promise((answered) => { done = answered; worker.postMessage(request); });
	};
	return true;
})()`

// ask gives the worker a request and returns its last answer.
func (p *tab) ask(r job.Request) job.Answer {
	p.t.Helper()
	text, err := chromedp.Run(p.ctx, chromedp.Evaluate[string](`grade(`+quote(string(r.Write()))+`)`, chromedp.EvalAwaitPromise))
	p.must(err, "asking the worker")
	a, err := job.Read([]byte(text))
	p.must(err, "reading %s", text)
	return a
}

// verdict grades a program in the browser.
func (p *tab) verdict(function string, program codelab.Program) string {
	p.t.Helper()
	a := p.ask(job.Request{Kind: job.Grade, Function: function, Program: program})
	if a.Verdict == "" {
		p.t.Fatalf("%s: there is no verdict: %+v", function, a)
	}
	return a.Verdict
}

// codeLessons reads the lessons of code exercises.
func codeLessons(t testing.TB) (all []*lesson.Lesson) {
	t.Helper()
	files, err := fs.Glob(lessons.Labs, "code/*.json")
	if err != nil || len(files) == 0 {
		t.Fatalf("there are no code lessons: %v", err)
	}
	for _, file := range files {
		data, err := lessons.Labs.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		l, err := lesson.Read(file, data)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, &l)
	}
	return all
}

// programs are all that is known of right, wrong and unfinished programs of a step, by what they are.
func programs(t testing.TB, x *lesson.Exercise) map[string]string {
	t.Helper()
	all := map[string]string{"the solution": x.Solution}
	for _, starter := range x.Starter {
		all["the starter in "+starter.Lang] = starter.Text
	}
	for _, w := range x.Wrong {
		all["wrong: "+w.ID] = w.Program
	}
	files, err := filepath.Glob(filepath.Join(root, "web", "codelab", "testdata", "*", x.Function+"-*.py"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		all[filepath.Base(file)] = string(data)
	}
	return all
}

// TestVerdictsAreTheSameInChromium: of every step the solution, the starters, each wrong program and what else is known
// are judged in the browser with the bytes that come natively.
func TestVerdictsAreTheSameInChromium(t *testing.T) {
	p := open(t, "")
	eval[bool](p, grader)
	native, err := node.New(root)
	if err != nil {
		t.Fatal(err)
	}
	defer native.Close()
	compared := 0
	for _, l := range codeLessons(t) {
		for i := range l.Steps {
			x := &l.Steps[i].Exercise
			if l.Steps[i].Kind != lesson.Code {
				continue
			}
			for name, source := range programs(t, x) {
				v, err := l.GradeCode(i, source, native)
				if err != nil {
					t.Fatal(err)
				}
				want := string(v.AppendJSON(nil))
				if got := p.verdict(x.Function, l.Program(i, source)); got != want {
					t.Errorf("%s %s, %s:\nthe browser says %s\nnatively it is  %s", l.ID, l.Steps[i].ID, name, got, want)
				}
				compared++
			}
		}
	}
	t.Logf("%d verdicts are the same", compared)
	if steps := len(codelab.Names()); compared < 6*steps {
		t.Errorf("only %d programs were compared, of %d steps", compared, steps)
	}
}
