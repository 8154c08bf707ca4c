package lesson

import (
	"fmt"
	"strconv"

	"retrylab.example/core/document"
)

// problem is one thing that a proof found.
type problem struct {
	step int
	// part is the JSON pointer inside the step: "/solution", "/wrong/2"; empty for the step itself.
	part       string
	text, mend string
}

// Prove returns what is wrong with a lesson that was read: a start that passes, a solution that does not, a wrong
// answer that does not fail with its named check, goals that hold on one seed only. An empty list is a proven lesson.
func (l *Lesson) Prove() []string {
	var problems []string
	for _, p := range l.prove() {
		problems = append(problems, "step "+l.Steps[p.step].ID+": "+p.text)
	}
	return problems
}

// Lint reads a lesson file and, if its form is right, proves it. It returns how many played steps were proven, and
// every fault with its place: those of the form, or else those of the proof and of answers that do what their step
// does not offer.
func Lint(file string, data []byte) (Lesson, int, document.Faults) {
	doc, root, err := document.Read(file, data)
	if err != nil {
		return Lesson{}, 0, document.FaultsOf(err)
	}
	l := fromNode(root)
	if err := doc.Err(); err != nil {
		return l, 0, document.FaultsOf(err)
	}
	bad := make([]bool, len(l.Steps))
	for _, p := range append(l.forbidden(), l.prove()...) {
		bad[p.step] = true
		root.Find(fmt.Sprintf("/steps/%d%s", p.step, p.part)).Fault("step "+l.Steps[p.step].ID+": "+p.text, p.mend)
	}
	proven := 0
	for i := range l.Steps {
		if l.Steps[i].Plays() && !bad[i] {
			proven++
		}
	}
	return l, proven, document.FaultsOf(doc.Err())
}

// forbidden returns what the solutions and wrong answers do that their steps do not offer.
func (l *Lesson) forbidden() []problem {
	var problems []problem
	for i := range l.Steps {
		s := &l.Steps[i]
		add := func(part string, a Answer) {
			for _, f := range s.forbiddenInputs(a) {
				problems = append(problems, problem{
					i, part + "/inputs/" + strconv.Itoa(f.input), "this " + f.what,
					`offer it in the step's "allow", or leave it out`,
				})
			}
		}
		add("/solution", s.Solution)
		for j, w := range s.Wrong {
			add("/wrong/"+strconv.Itoa(j), w.Answer)
		}
	}
	return problems
}

func (l *Lesson) prove() []problem {
	var problems []problem
	for i := range l.Steps {
		if s := &l.Steps[i]; s.Plays() {
			s.prove(func(part, mend, text string) {
				problems = append(problems, problem{i, part, text, mend})
			})
		}
	}
	return problems
}

func (s *Step) prove(found func(part, mend, text string)) {
	if g, _ := s.Grade(Answer{}); g.Solved {
		found("", "add a check that only the learner's inputs can meet", "it is solved before anything was done")
	}
	g, _ := s.Grade(s.Solution)
	if !g.Solved {
		found("/solution", "mend the solution or the checks", "its solution does not pass: "+s.describe(g))
	}
	if n := s.rightOptions(); s.Kind == Predict && n != 1 {
		found("/question/options", "let exactly one option hold at the end of the run",
			strconv.Itoa(n)+" options of its question are right after the solution, not 1")
	}
	if s.Scenario.NeedsDraw(s.Solution.Inputs) && g.Solved {
		if seed := s.failingSeed(s.Solution); seed != 0 {
			found("/solution", "let the checks hold for every draw",
				"its solution fails with the seed "+strconv.FormatUint(seed, 10))
		}
	}
	for i, w := range s.Wrong {
		g, _ := s.Grade(w.Answer)
		part := "/wrong/" + strconv.Itoa(i)
		switch {
		case g.Solved:
			found(part, "mend it, or add the check that it should fail", "its wrong answer "+w.ID+" passes")
		case !s.fails(g, w.Fails):
			found(part+"/fails", "name a check that it fails",
				"its wrong answer "+w.ID+" does not fail "+w.Fails+": "+s.describe(g))
		}
	}
}
