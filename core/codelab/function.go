package codelab

import "strings"

// Function is a function of a contract, as a learner writes it.
type Function struct {
	Name string
	// Params is what stands in the parentheses of its definition.
	Params string
	// fixed are chosen cases, the simplest first; generate makes one out of choices. want is what the core answers to a
	// case: an outcome for each step.
	fixed    func() []Case
	generate func(*choices) Case
	want     func(*Case) []Outcome
}

// Signature returns the line with which the function's definition begins.
func (f *Function) Signature() string { return "def " + f.Name + "(" + f.Params + "):" }

// names are all functions, a line for each contract, so that a lesson can be read without what makes the cases.
const names = "retryable replay_safe remaining backoff jitter wait_delay can_attempt execute" +
	" validate_limit active retry_after history_for admit client_key limited_response create_app" +
	" retry scripted add_without_key add_once" +
	" replace_delay record call_until bulkhead take send_all" +
	" may_repeat heals full_jitter decimal_delay fetch"

// Names returns the names of all functions.
func Names() []string { return strings.Fields(names) }

// Find returns the function of that name.
func Find(name string) (Function, bool) {
	for _, lab := range [...]func() []Function{budgetFunctions, windowFunctions, repliesFunctions, clientFunctions, gatewayFunctions} {
		for _, f := range lab() {
			if f.Name == name {
				return f, true
			}
		}
	}
	return Function{}, false
}

// each asks for the outcome of each step alone, for functions that keep nothing.
func each(want func(*Step) Outcome) func(*Case) []Outcome {
	return func(c *Case) []Outcome {
		var all []Outcome
		for i := range c.Steps {
			all = append(all, want(&c.Steps[i]))
		}
		return all
	}
}

func returned(v Value) Outcome { return Outcome{Result: v} }

// argument is the outcome of an argument that a contract refuses.
func argument() Outcome { return raised("ValueError") }

func raised(name string) Outcome { return Outcome{Raised: name} }
