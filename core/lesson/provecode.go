package lesson

import (
	"strconv"
	"strings"

	"retrylab.example/core/codelab"
	"retrylab.example/core/document"
)

// Given returns the solutions of the code steps before the step i: on top of them a learner's program runs, so that a
// step can be tried alone.
func (l *Lesson) Given(i int) string {
	var b strings.Builder
	for _, s := range l.Steps[:i] {
		if s.Kind == Code {
			b.WriteString(s.Exercise.Solution + "\n\n")
		}
	}
	return b.String()
}

// GradeCode judges a program for the code step i. An error says that the runner cannot run anything.
func (l *Lesson) GradeCode(i int, source string, run codelab.Runner) (codelab.Verdict, error) {
	f, ok := codelab.Find(l.Steps[i].Exercise.Function)
	if !ok {
		return codelab.Verdict{}, nil // reading has made sure of it
	}
	return f.Grade(l.Program(i, source), run)
}

// Program returns what is run for the code step i when a learner hands in source.
func (l *Lesson) Program(i int, source string) codelab.Program {
	return codelab.Program{Given: l.Given(i), Source: l.withoutStarters(i, source)}
}

// withoutStarters leaves out of a program, but for their lines, the starters of the steps before that are still as they
// were: what is not written yet is given.
func (l *Lesson) withoutStarters(i int, source string) string {
	for _, s := range l.Steps[:i] {
		for _, starter := range s.Exercise.Starter {
			source = strings.Replace(source, starter.Text, strings.Repeat("\n", strings.Count(starter.Text, "\n")), 1)
		}
	}
	return source
}

// Starters returns the starters of all code steps in one file, each under its step's id and title.
func (l *Lesson) Starters(lang string) string {
	var b strings.Builder
	title, _ := l.Title.In(lang)
	b.WriteString("# " + title + "\n")
	for _, s := range l.Steps {
		if s.Kind == Code {
			title, _ := s.Title.In(lang)
			starter, _ := s.Exercise.Starter.In(lang)
			b.WriteString("\n\n# " + s.ID + ": " + title + "\n" + starter)
		}
	}
	return b.String()
}

// ProveCode proves the code step i: its starters do not pass, its solution does, and each wrong program is judged with
// the code that it names. An error says that the runner cannot run anything.
func (r *Reading) ProveCode(i int, run codelab.Runner) (Proof, error) {
	s := &r.Lesson.Steps[i]
	x := &s.Exercise
	p := Proof{Step: s.ID, Code: true, Start: true, WrongAnswers: len(x.Wrong), Faults: document.Faults{}}
	found := func(part, mend string, f finding) {
		at := r.Root.Find("/steps/" + strconv.Itoa(i) + "/exercise" + part)
		p.Faults = append(p.Faults, at.FaultHere(mend, inStep+f.form, append([]any{s.ID}, f.args...)...))
	}
	for _, starter := range x.Starter {
		v, err := r.Lesson.GradeCode(i, starter.Text, run)
		if err != nil {
			return p, err
		}
		part := "/starter/" + starter.Lang
		switch v.Code {
		case codelab.Passed:
			p.Start = false
			found(part, "leave the work to the learner", finds("its starter in %s passes", starter.Lang))
		case codelab.Syntax, codelab.NotDefined:
			found(part, "let it define the function", finds("its starter in %s cannot be begun with: %s", starter.Lang, v.Code))
		}
	}
	v, err := r.Lesson.GradeCode(i, x.Solution, run)
	if err != nil {
		return p, err
	}
	if p.Solution = v.Passed(); !p.Solution {
		found("/solution", "mend the solution", finds("its solution does not pass: %s", describeVerdict(&v)))
	}
	for n, w := range x.Wrong {
		if v, err = r.Lesson.GradeCode(i, w.Program, run); err != nil {
			return p, err
		}
		part := "/wrong/" + strconv.Itoa(n)
		switch {
		case v.Passed():
			found(part, "mend it, or take it out", finds("its wrong program %s passes", w.ID))
		case v.Code.String() != w.Fails:
			found(part+"/fails", "name the code that it gets", finds("its wrong program %s is not judged %s: %s", w.ID, w.Fails, describeVerdict(&v)))
		default:
			p.Wrong++
		}
	}
	return p, nil
}

// Unproven is the proof of a code step that cannot be run here.
func (r *Reading) Unproven(i int, why error) Proof {
	s := &r.Lesson.Steps[i]
	fault := r.Root.Find("/steps/"+strconv.Itoa(i)).FaultHere("", inStep+"it cannot be proven: %s", s.ID, why.Error())
	return Proof{Step: s.ID, Code: true, WrongAnswers: len(s.Exercise.Wrong), Faults: document.Faults{fault}}
}

// describeVerdict tells a verdict to the author: its code, the case, and what came of it beside what was wanted.
func describeVerdict(v *codelab.Verdict) string {
	s := v.Code.String() + ", " + strings.Join(append(append([]string{}, v.Setup...), v.Calls...), "; ")
	if v.Yours != v.Wanted {
		s += " → " + v.Yours + " ≠ " + v.Wanted
	}
	return strings.TrimSpace(s + " " + v.Name + v.Text)
}
