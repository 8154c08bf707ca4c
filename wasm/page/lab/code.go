package lab

import (
	"slices"
	"strings"

	"retrylab.example/core/call"
	"retrylab.example/core/codelab"
	"retrylab.example/core/lesson"
	"retrylab.example/core/scenario"
	"retrylab.example/core/sim"
)

// coding is a step that asks for a function: what the learner writes, and what was found out about it.
type coding struct {
	function codelab.Function
	// starter is what the editor begins with; text is what stands in it.
	starter, text string
	// passed is the text that passed last.
	passed string
	// tries are earlier texts, the latest last.
	tries   []try
	earlier []earlier
	// asked numbers what was asked of the worker; an answer to anything earlier is too late.
	asked int
	doing doing
	// cases is how many have been run of those that are being run.
	cases int
	// verdict is on the text judged; nil if there is none.
	verdict *codelab.Verdict
	judged  string
	// failed says why Python cannot be run, in the words of the engine.
	failed string
	trial  caseRun
	// askReset says that it was asked whether the starter takes the place of the text.
	askReset bool
	// gone counts how often the page has put a text into the place of another.
	examples []codelab.Example
}

// doing is what the worker does.
type doing uint8

const (
	idling doing = iota
	grading
	trying
)

// try is an earlier text, and the verdict on it as codelab writes it, empty if there was none.
type try struct {
	Code    string `json:"code"`
	Verdict string `json:"verdict,omitempty"`
}

// Bounds of what is kept of a step, which may come from a file or a link.
const (
	maxTries = 10
	maxCode  = 20000
)

// earlier is a code step before this one. Its source is empty where the reference's function is given.
type earlier struct {
	step   int
	name   string
	source string
}

// newCoding returns the code step that is shown. Of the steps before, the learner's own functions count once they passed.
func (m *Model) newCoding() *coding {
	st := m.current()
	f, _ := codelab.Find(st.Exercise.Function) // reading has made sure of it
	starter, _ := st.Exercise.Starter.In(string(m.lang()))
	c := &coding{function: f, starter: starter, text: starter, examples: f.Examples()}
	c.trial.spec = telling(c.examples)
	for i := range m.lesson.Steps[:m.step] {
		before := &m.lesson.Steps[i]
		if before.Kind != lesson.Code {
			continue
		}
		e := earlier{step: i, name: before.Exercise.Function}
		if m.place.Kept != nil {
			if k, ok := readCode(m.place.Kept(before.ID)); ok {
				e.source = k.Passed
			}
		}
		c.earlier = append(c.earlier, e)
	}
	return c
}

// telling returns the first case in which more than one thing is done to the world.
func telling(examples []codelab.Example) codelab.Spec {
	for i := range examples {
		if len(examples[i].Calls[0].World) > 2 {
			return codelab.Spec{Fixed: i}
		}
	}
	return codelab.Spec{}
}

// asScenario gives a code step a world of one caller: on its timeline stand the runs of a function.
func asScenario(l *lesson.Lesson, step int) *lesson.Lesson {
	copied := *l
	copied.Steps = slices.Clone(l.Steps)
	copied.Steps[step].Scenario = scenario.Scenario{
		Config:   sim.Config{Clients: []sim.Client{{Name: l.Steps[step].Exercise.Function}}, MaxTime: sim.DefaultMaxTime},
		Requests: make([]call.Request, 1),
	}
	return &copied
}

// file returns the program as it is graded, in the page and on the command line: the learner's own functions of the steps
// before, then what stands in the editor; and before which line that begins.
func (c *coding) file() (source string, before int) {
	var b strings.Builder
	for _, e := range c.earlier {
		if e.source != "" {
			b.WriteString(strings.TrimRight(e.source, "\n") + "\n\n\n")
		}
	}
	before = strings.Count(b.String(), "\n")
	return b.String() + c.text, before
}

// FileName is the name of the program as a file.
func (m *Model) codeFile() string { return strings.ReplaceAll(m.StepID(), "-", "_") + ".py" }

// lineOf returns where a line of the file stands: in the editor, or in the function of an earlier step.
func (c *coding) lineOf(line int) (inEditor int, of *earlier, inEarlier int) {
	for i := range c.earlier {
		e := &c.earlier[i]
		if e.source == "" {
			continue
		}
		n := strings.Count(strings.TrimRight(e.source, "\n")+"\n\n\n", "\n")
		if line <= n {
			return 0, e, line
		}
		line -= n
	}
	return line, nil, 0
}

// note keeps a text among the earlier ones, each once.
func (c *coding) note(t try) {
	if t.Code == "" || t.Code == c.starter {
		return
	}
	for i := range c.tries {
		if c.tries[i].Code == t.Code {
			if t.Verdict == "" {
				t.Verdict = c.tries[i].Verdict
			}
			c.tries = slices.Delete(c.tries, i, i+1)
			break
		}
	}
	c.tries = append(c.tries, t)
	c.tries = c.tries[max(len(c.tries)-maxTries, 0):]
}

// put puts a text into the editor; what stood there stays among the earlier ones.
func (c *coding) put(text string) {
	c.note(try{Code: c.text})
	c.text, c.askReset = text, false
}
