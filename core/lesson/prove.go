package lesson

import (
	"fmt"
	"sort"
	"strconv"

	"retrylab.example/core/document"
	"retrylab.example/core/event"
)

// problem is one thing that a proof found.
type problem struct {
	// part is the JSON pointer inside the step: "/solution", "/wrong/2"; empty for the step itself.
	part, mend string
	finding
}

// finding is what was found, in words: a form, with args in the places of its verbs.
type finding struct {
	form string
	args []any
}

func finds(form string, args ...any) finding { return finding{form, args} }

// String returns the words in English.
func (f finding) String() string { return fmt.Sprintf(f.form, f.args...) }

// because returns a finding with its reason behind a colon.
func (f finding) because(why finding) finding {
	return finding{f.form + ": " + why.form, append(f.args, why.args...)}
}

// inStep says in which step it was found.
const inStep = "step %s: "

// Proof is what the proof of one step found. It is written as JSON, for tools and for the author page.
type Proof struct {
	// Step is the id of the step; Plays says that it has a run, without which there is nothing to prove.
	Step  string `json:"step"`
	Plays bool   `json:"plays"`
	// Code says that it is a code step, which is proven where Python can be run.
	Code bool `json:"code,omitempty"`
	// Start says that the step is not solved before anything was done; Solution that its solution passes.
	Start    bool `json:"start"`
	Solution bool `json:"solution"`
	// Wrong is how many of the step's WrongAnswers fail with the check that they name.
	Wrong        int `json:"wrong"`
	WrongAnswers int `json:"wrongAnswers"`
	// Seeds is on how many seeds beside the shown one the solution was tried; 0 where no draw is used.
	Seeds int `json:"seeds"`
	// Faults is what is wrong, in the order of its places.
	Faults document.Faults `json:"faults"`

	problems []problem
}

// Prove returns what is wrong with a lesson that was read: a start that passes, a solution that does not, a wrong
// answer that does not fail with its named check, goals that hold on one seed only. An empty list is a proven lesson.
func (l *Lesson) Prove() []string {
	var problems []string
	for i := range l.Steps {
		s := &l.Steps[i]
		for _, p := range s.prove().problems {
			problems = append(problems, fmt.Sprintf(inStep, s.ID)+p.String())
		}
	}
	return problems
}

// Lint reads a lesson file and, if its form is right, proves it. It returns how many played steps were proven, and
// every fault with its place: those of the form, or else those of the proof and of answers that do what their step
// does not offer.
func Lint(file string, data []byte) (Lesson, int, document.Faults) {
	r := Inspect(file, data)
	report := r.Report(file, r.proofs())
	return r.Lesson, report.Proven, report.Faults
}

// Prove proves the step i. Steps are proven independently of each other.
func (r *Reading) Prove(i int) Proof {
	s := &r.Lesson.Steps[i]
	p := s.prove()
	for _, found := range append(s.forbidden(), p.problems...) {
		at := r.Root.Find("/steps/" + strconv.Itoa(i) + found.part)
		p.Faults = append(p.Faults, at.FaultHere(found.mend, inStep+found.form, append([]any{s.ID}, found.args...)...))
	}
	sort.SliceStable(p.Faults, func(i, j int) bool {
		a, b := p.Faults[i], p.Faults[j]
		return a.Line < b.Line || a.Line == b.Line && a.Column < b.Column
	})
	return p
}

// forbidden returns what the solution and the wrong answers do that the step does not offer.
func (s *Step) forbidden() []problem {
	var problems []problem
	add := func(part string, a Answer) {
		for _, f := range s.forbiddenInputs(a) {
			problems = append(problems, problem{
				part + "/inputs/" + strconv.Itoa(f.input), `offer it in the step's "allow", or leave it out`, finds("this "+f.what.form, f.what.args...),
			})
		}
	}
	add("/solution", s.Solution)
	for i, w := range s.Wrong {
		add("/wrong/"+strconv.Itoa(i), w.Answer)
	}
	return problems
}

func (s *Step) prove() Proof {
	p := Proof{Step: s.ID, Plays: s.Plays(), WrongAnswers: len(s.Wrong), Faults: document.Faults{}}
	if !p.Plays {
		return p
	}
	found := func(part, mend string, f finding) { p.problems = append(p.problems, problem{part, mend, f}) }
	g, room := s.grade(Answer{}, nil)
	if g.Solved {
		found("", "add a check that only the learner's inputs can meet", finds("it is solved before anything was done"))
	} else {
		p.Start = true
	}
	room = s.proveSolution(&p, room, found)
	for i, w := range s.Wrong {
		g, room = s.grade(w.Answer, room)
		part := "/wrong/" + strconv.Itoa(i)
		switch {
		case g.Solved:
			found(part, "mend it, or add the check that it should fail", finds("its wrong answer %s passes", w.ID))
		case !s.fails(g, w.Fails):
			found(part+"/fails", "name a check that it fails",
				finds("its wrong answer %s does not fail %s", w.ID, w.Fails).because(s.describe(g)))
		default:
			p.Wrong++
		}
	}
	return p
}

// proveSolution plays the solution, also on seeds that are not shown. It returns room for the next run's events.
func (s *Step) proveSolution(p *Proof, room []event.Event, found func(part, mend string, f finding)) []event.Event {
	g, events := s.grade(s.Solution, room)
	p.Solution = g.Solved
	if !g.Solved {
		found("/solution", "mend the solution or the checks", finds("its solution does not pass").because(s.describe(g)))
	}
	if n := s.rightOptions(events); s.Kind == Predict && n != 1 {
		found("/question/options", "let exactly one option hold at the end of the run",
			finds("%d options of its question are right after the solution, not 1", n))
	}
	if !g.Solved || !s.Scenario.NeedsDraw(s.Solution.Inputs) {
		return events
	}
	p.Seeds = HiddenSeeds
	if s.Kind == Policy {
		return events // solved, so it was tried on them already
	}
	if seed := s.failingSeed(s.Solution); seed != 0 {
		found("/solution", "let the checks hold for every draw", finds("its solution fails with the seed %d", seed))
	}
	return events
}
