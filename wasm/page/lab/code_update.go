package lab

import (
	"retrylab.example/core/codelab"
	"retrylab.example/wasm/effect"
	"retrylab.example/wasm/job"
	"retrylab.example/wasm/view/frame"
)

// Messages of a code step.
type (
	// Code is what stands in the editor.
	Code struct{ Text string }
	// CheckCode judges it, StopCode ends what is running.
	CheckCode struct{}
	StopCode  struct{}
	// AskReset asks whether the starter takes the place of the text; ResetCode does so, LeaveCode does not.
	AskReset  struct{}
	ResetCode struct{}
	LeaveCode struct{}
	// UseTry puts an earlier text into the editor, UseSolution the solution.
	UseTry      struct{ Index int }
	UseSolution struct{}
	// SaveCode hands out the program as a file.
	SaveCode struct{}
	// ShowRun runs the case that is set up, ShowCounter the one of the verdict.
	ShowRun     struct{}
	ShowCounter struct{}
	// SetCase sets a part of the case, SeedCase takes the generated one of a number.
	SetCase  struct{ Name, Text string }
	SeedCase struct{ Number string }
)

const (
	codeID    = "code"
	verdictID = "code-verdict"
	runID     = "code-run"
	resetAsk  = "code-reset"
)

// coded does a message of a code step.
func (m *Model) coded(msg any) []effect.Effect {
	c := m.code
	switch msg := msg.(type) {
	case Code:
		return m.takeText(msg.Text)
	case CheckCode:
		return m.checkCode()
	case StopCode:
		c.asked++
		c.doing = idling
		m.notice = m.lang().Say("code.stopped")
		return []effect.Effect{effect.Job{}, effect.Focus{ID: codeID}, effect.Announce{Text: m.notice}}
	case frame.Answer:
		return m.worker(msg.Message)
	case AskReset:
		c.askReset = true
		return []effect.Effect{effect.Focus{ID: resetAsk}}
	case LeaveCode:
		c.askReset = false
		return []effect.Effect{effect.Focus{ID: codeID}}
	case ResetCode:
		return m.replaceCode(c.starter)
	case UseTry:
		if msg.Index >= 0 && msg.Index < len(c.tries) {
			return m.replaceCode(c.tries[msg.Index].Code)
		}
	case UseSolution:
		if m.shown {
			return m.replaceCode(m.current().Exercise.Solution)
		}
	case SaveCode:
		source, _ := c.file()
		return []effect.Effect{effect.Download{Name: m.codeFile(), Text: source}}
	case Hint:
		m.hints = min(m.hints+1, len(m.current().Hints))
		return append(m.keep(), effect.Focus{ID: hintID(m.hints)})
	case ShowSolution:
		m.shown = true
		return append(m.keep(), effect.Focus{ID: solutionID})
	}
	return m.tried(msg)
}

// takeText takes what stands in the editor. It is kept at once; a text that came with a link is not.
func (m *Model) takeText(code string) []effect.Effect {
	c := m.code
	m.notice, c.askReset = "", false
	if !keepable(code) {
		m.notice = m.lang().Say("code.too-long-to-keep")
	}
	c.text = code
	if m.notice != "" {
		return []effect.Effect{effect.Announce{Text: m.notice}}
	}
	return m.keep()
}

func (m *Model) replaceCode(code string) []effect.Effect {
	m.code.put(code)
	return append(m.keep(), effect.Focus{ID: codeID})
}

// ask gives the worker a request. What it is doing for this page is of no use any more.
func (m *Model) ask(r job.Request, what doing) []effect.Effect {
	c := m.code
	running := c.doing != idling
	c.asked++
	c.doing, c.cases, c.failed, m.notice = what, 0, "", ""
	r.ID, r.Function = c.asked, c.function.Name
	source, _ := c.file()
	r.Program = m.lesson.Program(m.step, source)
	return []effect.Effect{effect.Job{Request: string(r.Write()), Keep: !running}}
}

// checkCode judges what stands in the editor.
func (m *Model) checkCode() []effect.Effect {
	if !m.Settings.Python || !keepable(m.code.text) {
		return nil
	}
	m.code.verdict, m.code.judged = nil, m.code.text
	return m.ask(job.Request{Kind: job.Grade}, grading)
}

// warm starts Python when the step is opened, so that the first verdict need not wait for it.
func (m *Model) warm() []effect.Effect {
	if !m.Settings.Python {
		return nil
	}
	m.code.asked++
	return []effect.Effect{effect.Job{Keep: true, Request: string(job.Request{ID: m.code.asked, Kind: job.Warm}.Write())}}
}

// worker takes what the worker says.
func (m *Model) worker(message string) []effect.Effect {
	c := m.code
	a, err := job.Read([]byte(message))
	if err != nil || a.ID != c.asked && a.Refused == "" {
		return nil
	}
	switch {
	case a.Tried > 0:
		c.cases = a.Tried
	case a.Failed != "" || a.Refused != "":
		c.doing, c.failed = idling, a.Failed+a.Refused
		return []effect.Effect{effect.Announce{Text: m.lang().Say("code.no-engine", "why", c.failed)}}
	case a.Verdict != "":
		v, err := codelab.ReadVerdict([]byte(a.Verdict))
		if c.doing = idling; err != nil {
			c.failed = err.Error()
			return nil
		}
		return m.judgedCode(v)
	case a.Ran != nil:
		c.doing = idling
		return m.ran(a.Ran)
	}
	return nil
}

// judgedCode takes a verdict: a program that passes solves the step, of one that does not the case is run.
func (m *Model) judgedCode(v codelab.Verdict) []effect.Effect {
	c := m.code
	c.verdict = &v
	c.note(try{Code: c.judged, Verdict: string(v.AppendJSON(nil))})
	spoken := m.lang().CodeVerdict(m.mapped(&v))
	var effects []effect.Effect
	if spec, ok := c.function.SpecOf(&v); ok {
		c.trial.counter = spec
		if c.function.Runs() && v.Code < codelab.Syntax {
			c.trial.spec = spec
			effects = append(effects, m.ask(job.Request{Kind: job.Try, Case: spec}, trying)...)
		}
	}
	if v.Passed() && m.shared == nil {
		c.passed = c.judged
		if m.book.Set(m.lesson.ID, m.StepID(), m.reached()) {
			effects = append(effects, effect.Store{Key: m.book.Key(), Value: m.book.Write()})
			spoken += " " + m.lang().Say("lab."+string(m.reached()))
		}
	}
	if v.Passed() && c.function.Runs() {
		effects = append(effects, m.ask(job.Request{Kind: job.Try, Case: c.trial.spec}, trying)...)
	}
	return append(append(effects, m.keep()...), effect.Announce{Text: spoken}, effect.Reveal{ID: verdictID})
}

// mapped returns a verdict whose line is that of the editor; 0 if it is in the function of an earlier step.
func (m *Model) mapped(v *codelab.Verdict) *codelab.Verdict {
	there := *v
	if there.Line > 0 {
		there.Line, _, _ = m.code.lineOf(v.Line)
	}
	return &there
}
