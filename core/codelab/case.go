package codelab

import (
	"strconv"
	"strings"
	"time"

	"retrylab.example/core/clock"
)

// Case is one trial of a function: the world around it, and the calls that are made.
type Case struct {
	// Vars are shared by the calls; they are compared after each of them.
	Vars []Named
	// Now is what the clock shows at first. Over is added to each sleep, as a real timer may be late.
	Now  clock.Instant
	Over time.Duration
	// Answers are what the world says when it is asked, the last again and again.
	Answers []Answer
	// Draws are the random numbers, from the first again after the last.
	Draws []Value
	Steps []Step
}

// Named is a value with its name: a variable of a case, or a keyword argument.
type Named struct {
	Name  string
	Value Value
}

// Answer is what the world says to one question: a status with its fields, a plain value, or an exception.
type Answer struct {
	// Cost is how long it takes.
	Cost time.Duration
	// Status of a reply, 0 for none; After is its Retry-After, Retryable what its envelope says.
	Status           int
	After, Retryable Value
	// Raise is the name of an exception. Without it and a Status, Value is the answer.
	Raise string
	Value Value
}

// Step is one call in a case.
type Step struct {
	// Sets says that the clock is set to At before the call.
	Sets bool
	At   clock.Instant
	// On is what is called: the learner's function (0), or what an earlier step returned, by its number from 1.
	On   int
	Args []Value
	Keys []Named
}

// Outcome is what came of one step: of the learner's function as of the reference.
type Outcome struct {
	Result Value
	// Raised is the type of an exception, empty for none; Text is what it says and Line where the program was last.
	Raised, Text string
	Line         int
	// Limit is the code of what ended the program from outside.
	Limit string
	Trace []Call
	// Vars are the case's variables after the step.
	Vars []Value
	// Shares is the name of the variable of which the result is a part, not a copy.
	Shares string
}

// Call is something that a function did to the world.
type Call struct {
	Name string
	At   clock.Instant
	Args []Value
}

// String returns the call as Python.
func (c Call) String() string { return c.Name + "(" + join(c.Args) + ")" }

// single is a case of one call.
func single(args ...Value) Case { return Case{Steps: []Step{{Args: args}}} }

// with adds a keyword argument to the last step.
func (c Case) with(name string, v Value) Case {
	s := &c.Steps[len(c.Steps)-1]
	s.Keys = append(s.Keys, Named{name, v})
	return c
}

// key returns a keyword argument, or what it is by default.
func (s *Step) key(name string, missing Value) Value {
	for _, k := range s.Keys {
		if k.Name == name {
			return k.Value
		}
	}
	return missing
}

// setup returns the lines of Python that make the case's world.
func (c *Case) setup() []string {
	var lines []string
	for _, v := range c.Vars {
		lines = append(lines, v.Name+" = "+v.Value.String())
	}
	if c.Now != 0 && c.uses("clock") {
		lines = append(lines, "clock = "+Decimal(int64(c.Now)))
	}
	if len(c.Answers) > 0 {
		var parts []string
		for _, a := range c.Answers {
			parts = append(parts, a.String())
		}
		lines = append(lines, "answers = ["+strings.Join(parts, ", ")+"]")
	}
	if len(c.Draws) > 0 {
		lines = append(lines, "draws = "+list(c.Draws...).String())
	}
	if c.Over > 0 {
		lines = append(lines, "oversleep = "+Decimal(int64(c.Over)))
	}
	return lines
}

func (c *Case) uses(name string) bool {
	for _, s := range c.Steps {
		for _, a := range s.Args {
			if a.Kind == Fake && a.Text == name {
				return true
			}
		}
	}
	return false
}

// String returns the answer in the manner of Python.
func (a Answer) String() string {
	var parts []string
	switch {
	case a.Raise != "":
		parts = append(parts, a.Raise)
	case a.Status != 0:
		parts = append(parts, strconv.Itoa(a.Status))
	default:
		parts = append(parts, a.Value.String())
	}
	if a.After.Kind != None {
		parts = append(parts, "retry_after="+a.After.String())
	}
	if a.Retryable.Kind != None {
		parts = append(parts, "retryable="+a.Retryable.String())
	}
	if a.Cost != 0 {
		parts = append(parts, "takes="+Decimal(int64(a.Cost)))
	}
	if len(parts) == 1 {
		return parts[0]
	}
	return "(" + strings.Join(parts, ", ") + ")"
}

// calls returns the lines of Python for the steps up to the one of that number, from 0.
func (c *Case) calls(function string, last int) []string {
	var lines []string
	for i := range c.Steps[:last+1] {
		s := &c.Steps[i]
		line := function
		if s.On > 0 {
			line = "r" + strconv.Itoa(s.On)
		}
		args := join(s.Args)
		for _, k := range s.Keys {
			if args != "" {
				args += ", "
			}
			args += k.Name + "=" + k.Value.String()
		}
		line += "(" + args + ")"
		if c.reused(i + 1) {
			line = "r" + strconv.Itoa(i+1) + " = " + line
		}
		if s.Sets {
			line += "  # " + Decimal(int64(s.At))
		}
		lines = append(lines, line)
	}
	return lines
}

// reused reports whether a later step calls what the step of that number, from 1, returned.
func (c *Case) reused(number int) bool {
	for _, s := range c.Steps {
		if s.On == number {
			return true
		}
	}
	return false
}
