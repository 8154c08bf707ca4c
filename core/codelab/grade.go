package codelab

import "fmt"

// Runner runs Python. It is the only thing here that waits.
type Runner interface {
	// Run gives a batch to the harness and returns its lines, one for each case that ended. stopped is "time" if the next
	// case did not end in time, "crash" if it broke the engine, and empty if the batch came to its end. An error says that
	// there is no engine.
	Run(request []byte, cases int) (lines [][]byte, stopped string, err error)
}

// Generated is how many cases are made beside the fixed ones, from Seed.
const (
	Generated = 300
	Seed      = 1
)

// generated returns the generated cases, and the choices that each was made of.
func (f *Function) generated() (cases []Case, made [][]int) {
	for i := range Generated {
		c := choices{seed: Seed, number: i}
		cases = append(cases, f.generate(&c))
		made = append(made, c.made)
	}
	return cases, made
}

// Grade runs a program on all cases of a function. A case that fails is the first of the fixed ones, or else the first
// generated one, made smaller. An error says that the runner could not run anything.
func (f *Function) Grade(p Program, r Runner) (Verdict, error) {
	fixed := f.fixed()
	i, v, err := f.firstFailing(p, r, fixed)
	if v.Cases = i; err != nil || i < len(fixed) {
		return v, err
	}
	cases, made := f.generated()
	i, v, err = f.firstFailing(p, r, cases)
	v.Cases = len(fixed) + i
	if i < len(made) {
		v.Choices = withoutEnd(made[i])
	}
	if err != nil || i == len(cases) || v.Code >= Syntax {
		return v, err // a program that was ended may take its whole time in each replay
	}
	return f.shrink(p, r, made[i], v)
}

// firstFailing returns the first case that is not as wanted, and how it is judged; the number of cases if all are.
func (f *Function) firstFailing(p Program, r Runner, cases []Case) (int, Verdict, error) {
	lines, stopped, err := r.Run(appendRequest(nil, f.Name, p, cases), len(cases))
	if err != nil {
		return 0, Verdict{}, err
	}
	for i := range cases {
		var a answered
		switch {
		case i < len(lines):
			if a, err = readAnswer(lines[i]); err != nil {
				return i, Verdict{}, err
			}
		case stopped != "":
			a.steps = []Outcome{{Limit: stopped}}
		default:
			return i, Verdict{}, fmt.Errorf("%w: it ends after %d of %d cases", errAnswer, i, len(cases))
		}
		if v := f.judge(&cases[i], a); !v.Passed() {
			return i, v, nil
		}
	}
	return len(cases), Verdict{Function: f.Name}, nil
}

// shrink looks for a smaller case that fails in the same way.
func (f *Function) shrink(p Program, r Runner, made []int, found Verdict) (Verdict, error) {
	smallest := found
	var broken error
	s := shrinker{best: made, left: MaxReplays, fails: func(given []int) ([]int, bool) {
		c := choices{replay: true, given: given}
		_, v, err := f.firstFailing(p, r, []Case{f.generate(&c)})
		if err != nil && broken == nil {
			broken = err
		}
		if err != nil || v.Code != found.Code || v.Name != found.Name {
			return nil, false
		}
		smallest = v
		return c.made, true
	}}
	s.run()
	smallest.Cases, smallest.Replays, smallest.Choices = found.Cases, MaxReplays-s.left, s.best
	return smallest, broken
}

// judge compares what came out of a case with what the core answers.
func (f *Function) judge(c *Case, a answered) Verdict {
	v := Verdict{Function: f.Name, Output: a.output}
	if a.load != nil {
		v.load(a.load)
		return v
	}
	wanted := f.want(c)
	for i := range a.steps {
		if i < len(wanted) && v.compare(c, &wanted[i], &a.steps[i]) {
			continue
		}
		v.Setup, v.Calls = c.setup(), c.calls(f.Name, min(i, len(c.Steps)-1))
		return v
	}
	v.Output = ""
	return v
}

// load judges a program that was ended before any call.
func (v *Verdict) load(o *Outcome) {
	v.Line, v.Text = o.Line, o.Text
	switch {
	case o.Limit != "":
		v.limit(o)
	case o.Raised == "SyntaxError" || o.Raised == "IndentationError":
		v.Code = Syntax
	default:
		v.Code, v.Yours = LoadRaised, o.Raised
	}
}

func (v *Verdict) limit(o *Outcome) {
	v.Code, v.Name, v.Text, v.Line = codeOfLimit(o.Limit), o.Text, "", o.Line
}

// compare judges one step: what was done to the world first, then what was returned or raised, then the variables.
func (v *Verdict) compare(c *Case, want, got *Outcome) (same bool) {
	if got.Limit != "" {
		v.limit(got)
		return false
	}
	return v.compareTrace(want, got) && v.compareResult(want, got) && v.compareVars(c, want, got)
}

func (v *Verdict) compareTrace(want, got *Outcome) bool {
	for i := range max(len(want.Trace), len(got.Trace)) {
		switch {
		case i >= len(got.Trace) && got.Raised != "" && want.Raised != got.Raised:
			return true // the exception says more than what it left undone
		case len(want.Trace) == 0 && want.Raised != "" && want.Raised != got.Raised:
			return true // the exception that is missing says more than what was done instead
		case i < len(want.Trace) && i < len(got.Trace) && want.Trace[i].accepts(got.Trace[i]):
			continue
		}
		v.Code, v.Number = OtherCall, i+1
		if i < len(want.Trace) {
			v.Wanted, v.WantedAt = want.Trace[i].String(), want.Trace[i].At
		}
		if i < len(got.Trace) {
			v.Yours, v.YoursAt = got.Trace[i].String(), got.Trace[i].At
		}
		return false
	}
	return true
}

func (c Call) accepts(got Call) bool {
	at := seconds(c.At.Sub(0))
	return c.Name == got.Name && len(c.Args) == len(got.Args) && at.accepts(seconds(got.At.Sub(0))) && sameItems(c.Args, got.Args)
}

func (v *Verdict) compareResult(want, got *Outcome) bool {
	v.Line, v.Text = got.Line, got.Text
	switch {
	case want.Raised == "" && got.Raised != "":
		v.Code, v.Yours, v.Wanted = Raised, got.Raised, want.Result.String()
	case want.Raised != "" && got.Raised == "":
		v.Code, v.Yours, v.Wanted = NotRaised, got.Result.String(), want.Raised
	case want.Raised != got.Raised:
		v.Code, v.Yours, v.Wanted = OtherRaised, got.Raised, want.Raised
	case want.Raised == "" && !want.Result.accepts(got.Result):
		v.Code, v.Yours, v.Wanted = WrongValue, got.Result.String(), want.Result.String()
	case got.Shares != "":
		v.Code, v.Name, v.Yours = Shared, got.Shares, got.Result.String()
	default:
		v.Line, v.Text = 0, ""
		return true
	}
	return false
}

// compareVars compares the variables. An outcome of the core without any says that they stay as they are.
func (v *Verdict) compareVars(c *Case, want, got *Outcome) bool {
	for i := range c.Vars {
		wanted := c.Vars[i].Value
		if want.Vars != nil {
			wanted = want.Vars[i]
		}
		if i < len(got.Vars) && wanted.accepts(got.Vars[i]) {
			continue
		}
		v.Code, v.Name, v.Wanted = OtherVariable, c.Vars[i].Name, wanted.String()
		if i < len(got.Vars) {
			v.Yours = got.Vars[i].String()
		}
		return false
	}
	return true
}
