// Package job is what the program does when it runs as a Web Worker: long work, away from the page. A request is one
// JSON message, and each answer is one. The page cancels by ending the worker.
package job

import (
	"encoding/json"

	"retrylab.example/core/codelab"
	"retrylab.example/core/lesson"
	"retrylab.example/wasm/batch"
)

// The kinds of requests.
const (
	// Lint asks for the report of a lesson's text.
	Lint = "lint"
	// Prove asks for the proof of each step, and then for the report.
	Prove = "prove"
	// Sweep asks to try an answer on many seeds, and to tell now and then how far that is.
	Sweep = "sweep"
	// Warm asks that Python is started, as it will be needed.
	Warm = "warm"
	// Grade asks for the verdict on a learner's program.
	Grade = "grade"
	// Try asks what a learner's program does in one case.
	Try = "try"
)

// Request asks for work.
type Request struct {
	// ID comes back with every answer.
	ID   int    `json:"id"`
	Kind string `json:"kind"`
	// File is the name that faults carry, Text the file's content; to Sweep, the trial as lesson.Step writes it.
	File string `json:"file,omitempty"`
	Text string `json:"text,omitempty"`
	// Function is the one to be graded, and Program what is to define it.
	Function string          `json:"function,omitempty"`
	Program  codelab.Program `json:"program,omitzero"`
	// Case is the one to try.
	Case codelab.Spec `json:"case,omitzero"`
}

// Answer is one message of the worker. Exactly one of its parts is set.
type Answer struct {
	ID int `json:"id"`
	// Ready says that the worker has started and takes requests.
	Ready bool `json:"ready,omitempty"`
	// Proven is the proof of one more step.
	Proven *Proven `json:"proven,omitempty"`
	// Report ends a request.
	Report *lesson.Report `json:"report,omitempty"`
	// Swept is what came of a trial so far. It ends the request when all is done.
	Swept *lesson.Swept `json:"swept,omitempty"`
	// Warm says that Python runs, which ends a request too.
	Warm bool `json:"warm,omitempty"`
	// Tried is how many cases a program has come through so far, right or wrong.
	Tried int `json:"tried,omitempty"`
	// Verdict ends a request: what codelab.Verdict writes, as a text, so that its bytes stay as they are. Failed ends it if
	// Python cannot be run, and says why.
	Verdict string `json:"verdict,omitempty"`
	Failed  string `json:"failed,omitempty"`
	// Ran ends a request too.
	Ran *Ran `json:"ran,omitempty"`
	// Refused says why a request was not understood.
	Refused string `json:"refused,omitempty"`
}

// Ran is what a program did in one case, as codelab.Function.Trial reads it.
type Ran struct {
	Line    string `json:"line"`
	Stopped string `json:"stopped,omitempty"`
}

// Proven is the proof of the step Index of Count.
type Proven struct {
	Index int          `json:"index"`
	Count int          `json:"count"`
	Proof lesson.Proof `json:"proof"`
}

// kinds maps a kind of request to what does it.
var kinds = map[string]func(r Request, python *batch.Runner, send func(Answer)){
	Lint: func(r Request, _ *batch.Runner, send func(Answer)) {
		report := lesson.ReportOf(r.File, []byte(r.Text))
		send(Answer{Report: &report})
	},
	Prove: prove,
	Sweep: sweep,
	Warm: func(_ Request, python *batch.Runner, send func(Answer)) {
		if err := python.Warm(); err != nil {
			send(Answer{Failed: err.Error()})
			return
		}
		send(Answer{Warm: true})
	},
	Grade: grade,
	Try:   try,
}

// Serve does one request. Answers are sent as they come. What wants Python waits for it, and for the programs; without
// any, where python is nil, code steps are left unproven, and nothing else must be asked of it.
func Serve(message []byte, python *batch.Runner, send func(message []byte)) {
	var r Request
	answer := func(a Answer) {
		a.ID = r.ID
		send(a.Write())
	}
	if err := json.Unmarshal(message, &r); err != nil {
		answer(Answer{Refused: "the request is not JSON: " + err.Error()})
		return
	}
	do := kinds[r.Kind]
	if do == nil {
		answer(Answer{Refused: "the kind of request is not known: " + r.Kind})
		return
	}
	do(r, python, answer)
}

// step is after how many cases the page hears of a program's progress.
const step = 10

func grade(r Request, python *batch.Runner, send func(Answer)) {
	f, ok := codelab.Find(r.Function)
	if !ok {
		send(Answer{Refused: "there is no function " + r.Function})
		return
	}
	tried := 0
	python.Tried = func() {
		if tried++; tried%step == 0 {
			send(Answer{Tried: tried})
		}
	}
	v, err := f.Grade(r.Program, python)
	python.Tried = nil
	if err != nil {
		send(Answer{Failed: err.Error()})
		return
	}
	send(Answer{Verdict: string(v.AppendJSON(nil))})
}

func try(r Request, python *batch.Runner, send func(Answer)) {
	f, ok := codelab.Find(r.Function)
	if !ok {
		send(Answer{Refused: "there is no function " + r.Function})
		return
	}
	c, err := f.Make(r.Case)
	if err != nil {
		send(Answer{Refused: "there is no such case of the function " + r.Function})
		return
	}
	line, stopped, err := f.Run(r.Program, &c, python)
	if err != nil {
		send(Answer{Failed: err.Error()})
		return
	}
	send(Answer{Ran: &Ran{string(line), stopped}})
}

// prove does what lesson.ReportOf does, and tells each step as it is proven.
func prove(r Request, python *batch.Runner, send func(Answer)) {
	l := lesson.Inspect(r.File, []byte(r.Text))
	var proofs []lesson.Proof
	if len(l.Faults()) == 0 {
		for i := range l.Lesson.Steps {
			proofs = append(proofs, proveStep(l, i, python))
			send(Answer{Proven: &Proven{i, len(l.Lesson.Steps), proofs[i]}})
		}
	}
	report := l.Report(r.File, proofs)
	send(Answer{Report: &report})
}

// parts is how often a trial tells how far it is.
const parts = 40

func sweep(r Request, _ *batch.Runner, send func(Answer)) {
	w, err := lesson.ReadTrial([]byte(r.Text))
	if err != nil {
		send(Answer{Refused: err.Error()})
		return
	}
	for more := true; more; {
		more = w.Run(max(w.So().Count/parts, 1))
		so := w.So()
		send(Answer{Swept: &so})
	}
}

// Write returns the answer as a message.
func (a Answer) Write() []byte { return encode(a) }

// Write returns the request as a message.
func (r Request) Write() []byte { return encode(r) }

func encode(v any) []byte {
	data, err := json.Marshal(v)
	if err != nil {
		panic(err) // texts and numbers always encode
	}
	return data
}

// Read reads a message of the worker.
func Read(message []byte) (Answer, error) {
	var a Answer
	err := json.Unmarshal(message, &a)
	return a, err
}

// proveStep proves a step: one of code in Python.
func proveStep(l *lesson.Reading, i int, python *batch.Runner) lesson.Proof {
	if l.Lesson.Steps[i].Kind != lesson.Code || python == nil {
		return l.Prove(i)
	}
	p, err := l.ProveCode(i, python)
	if err != nil {
		return l.Unproven(i, err)
	}
	return p
}
