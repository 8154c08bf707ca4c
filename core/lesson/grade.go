package lesson

import (
	"strings"

	"retrylab.example/core/event"
	"retrylab.example/core/trace"
)

// Grade is how a step stands.
type Grade struct {
	// Results stand in the order of the step's checks.
	Results []Result
	// Right says that the prediction was right; true where none is asked.
	Right bool
	// RightOption is the id of the option that holds, empty if none does yet.
	RightOption string
	// Settled says that nothing is due any more.
	Settled bool
	// Solved: every check holds, the prediction was right, and nothing is due any more that could change it.
	Solved bool
	// FailedSeed is set when a Policy step holds on the seed that is shown and fails on this one.
	FailedSeed uint64
}

// Judge returns how the step stands after these events, with a prediction if one was made.
func (s *Step) Judge(events []event.Event, settled bool, prediction string) Grade {
	g := Grade{Settled: settled, Right: s.Kind != Predict}
	all := settled && len(events) > 0
	for i := range s.Checks {
		r := s.Checks[i].Evaluate(events)
		all = all && r.State == Holds
		g.Results = append(g.Results, r)
	}
	for i := range s.Question.Options {
		if o := &s.Question.Options[i]; o.Check.Evaluate(events).State == Holds {
			g.RightOption = o.ID
		}
	}
	if s.Kind == Predict {
		g.Right = prediction != "" && prediction == g.RightOption
	}
	g.Solved = all && g.Right
	return g
}

// HiddenSeeds is on how many seeds that are not shown a Policy step is tried.
const HiddenSeeds = 20

// Grade runs an answer to its end and judges it. In a Policy step that holds it is tried on other seeds too.
func (s *Step) Grade(a Answer) (Grade, []event.Event) {
	return s.grade(a, nil)
}

// grade does what Grade does, with room for the events.
func (s *Step) grade(a Answer, room []event.Event) (Grade, []event.Event) {
	g, events := s.run(a, s.Scenario.Seed, room)
	if g.Solved && s.Kind == Policy {
		g.FailedSeed = s.failingSeed(a)
		g.Solved = g.FailedSeed == 0
	}
	return g, events
}

// failingSeed returns the first other seed on which an answer does not hold, 0 if it holds on all. Where nothing is
// drawn, no other seed gives another run.
func (s *Step) failingSeed(a Answer) uint64 {
	if !s.Scenario.NeedsDraw(a.Inputs) {
		return 0
	}
	var g Grade
	var room []event.Event
	for i := range HiddenSeeds {
		seed := s.otherSeed(i)
		if g, room = s.run(a, seed, room); !g.Solved {
			return seed
		}
	}
	return 0
}

// run plays an answer on a seed and judges it. The events are put into room, over what it held.
func (s *Step) run(a Answer, seed uint64, room []event.Event) (Grade, []event.Event) {
	sc := s.Scenario
	sc.Seed = seed
	k := trace.Keep{Events: room[:0]}
	st, err := sc.Run(a.Inputs, &k)
	if err != nil {
		return Grade{}, nil // a scenario that was read can always start
	}
	_, due := st.Due()
	return s.Judge(k.Events, !due && !st.Stopped(), a.Prediction), k.Events
}

// rightOptions returns how many options of the question hold after these events.
func (s *Step) rightOptions(events []event.Event) int {
	n := 0
	for i := range s.Question.Options {
		if s.Question.Options[i].Check.Evaluate(events).State == Holds {
			n++
		}
	}
	return n
}

// prediction is what a wrong answer names that fails by its prediction. No check has it as its id.
const prediction = "prediction"

func (s *Step) fails(g Grade, id string) bool {
	if id == prediction {
		return !g.Right
	}
	for i := range s.Checks {
		if s.Checks[i].ID == id {
			return g.Results[i].State != Holds || g.FailedSeed != 0
		}
	}
	return false
}

// describe says why an answer does not solve the step: what does not hold, by the ids of the checks, or what else it is.
func (s *Step) describe(g Grade) finding {
	var failed []string
	for i, r := range g.Results {
		if r.State != Holds {
			failed = append(failed, s.Checks[i].ID+" ("+r.Actual.String()+r.Expected.unlike()+")")
		}
	}
	switch {
	case len(failed) > 0:
		return finds("%s", strings.Join(failed, ", "))
	case !g.Right && g.RightOption != "":
		return finds("the prediction is wrong, right would be %s", g.RightOption)
	case !g.Right:
		return finds("no option of the question is right")
	case g.FailedSeed != 0:
		return finds("every check holds, but not with the seed %d", g.FailedSeed)
	case !g.Settled:
		return finds("every check holds, but the run stopped at its bound")
	}
	return finds("nothing was done")
}

// unlike returns a value behind the sign of how another one misses it.
func (v Value) unlike() string {
	bound := [...]string{" ≠ ", " < ", " > "}[v.Bound]
	v.Bound = Equals
	return bound + v.String()
}

// String returns the value with its codes untranslated.
func (v Value) String() string {
	s := [...]string{"", "at least ", "at most "}[v.Bound]
	if v.Code != "" {
		s += v.Code
		if v.Text != "" {
			s += " "
		}
	}
	return s + v.Text
}
