// Package lesson holds the format of lessons, their checks, their grading and their proof.
package lesson

import (
	"retrylab.example/core/call"
	"retrylab.example/core/scenario"
)

// Format is the version of the lesson format.
const Format = 1

// Bounds of a lesson.
const (
	MaxSteps = 40
	MaxText  = 8000
)

// Lesson is one file of the course.
type Lesson struct {
	ID string
	// Languages are the ones in which every text is given, the first is the lesson's own.
	Languages []string
	Title     Text
	// Summary is one line for the overview; Why says what it is good for at work.
	Summary, Why Text
	// Limits says what the model leaves out.
	Limits Text
	// Checklist is what to do at work: the last page of the lesson.
	Checklist []Text
	Minutes   int
	// After names lessons that are better taken before.
	After      []string
	References []Reference
	Steps      []Step

	gaps []Gap // none in a lesson without faults
}

// Reference is a source to read on, by its title; an address is shown as text and never fetched.
type Reference struct {
	Title   string
	Address string
}

// Text is one text in several languages, in the order of the file.
type Text []Translation

// Translation is a text in one language.
type Translation struct{ Lang, Text string }

// In returns the text in a language, or in the lesson's own (the first) if it lacks that; lang says which it is.
func (t Text) In(want string) (text, lang string) {
	for _, tr := range t {
		if tr.Lang == want {
			return tr.Text, tr.Lang
		}
	}
	if len(t) == 0 {
		return "", want
	}
	return t[0].Text, t[0].Lang
}

// Kind is what a step asks of the learner.
type Kind uint8

const (
	// Explain asks for nothing: a text to read.
	Explain Kind = iota
	// Play asks for a run that meets the checks.
	Play
	// Predict asks for an answer before the run, and then for the run.
	Predict
	// Policy asks for a policy that meets the checks, also on seeds and keys that are not shown.
	Policy
	// Code asks for a function.
	Code
)

var kindNames = [...]string{"explain", "play", "predict", "policy", "code"}

// String returns the name used in files.
func (k Kind) String() string { return kindNames[k] }

// ParseKind returns the kind of that name.
func ParseKind(name string) (Kind, bool) {
	for i, n := range kindNames {
		if n == name {
			return Kind(i), true
		}
	}
	return Explain, false
}

// Step is one page of a lesson.
type Step struct {
	ID   string
	Kind Kind
	// Title, Body (what the learner sees), Goal (what to reach), Explanation (stays after success).
	Title, Body, Goal, Explanation Text
	// Scenario is the world of the step; Allow what the learner may do in it.
	Scenario scenario.Scenario
	Allow    Allow
	Checks   []Check
	// Question is set in a Predict step.
	Question Question
	Hints    []Text
	Solution Answer
	// Wrong are answers that must fail, each with a named check.
	Wrong []WrongAnswer
	// Exercise is set in a Code step.
	Exercise Exercise

	asked string // the checks as they stand in the file, without ids and texts
}

// Plays reports whether the step has a run.
func (s *Step) Plays() bool { return s.Kind == Play || s.Kind == Predict || s.Kind == Policy }

// Check returns the check of that id, nil if there is none.
func (s *Step) Check(id string) *Check {
	for i := range s.Checks {
		if s.Checks[i].ID == id {
			return &s.Checks[i]
		}
	}
	return nil
}

// Offers reports whether the step's question has the option.
func (s *Step) Offers(option string) bool {
	for i := range s.Question.Options {
		if s.Question.Options[i].ID == option {
			return true
		}
	}
	return false
}

// Allow is what the learner may do in a step. Whatever is not listed is not offered.
type Allow struct {
	// Fire lets the learner send requests, with one of the Methods, one of the Keys ("" is no key) and one of the
	// Amounts. An empty list leaves the scenario's request as it is. FreeKey lets the learner type a key.
	Fire    bool
	Methods []string
	Keys    []string
	FreeKey bool
	Amounts []int64
	// Requests, if there are any, are all that may be sent, in the place of Methods, Keys and Amounts.
	Requests []Offer
	// Times lists how many calls one press of Fire may start, rising; empty: one.
	Times []int
	// Inject lists what may be ordered for the next reply: a status, or the name of a fault.
	Inject []string
	// Knobs lists the parts of the policy, of the guards and of the partner's limit that may be changed.
	Knobs []string
}

// Offer is a whole request that the learner may choose.
type Offer struct {
	ID    string
	Label Text
	// Request is what is sent: its Method, Path, Amount, Slot, IfMatch and ClientID. Keys are the keys from which the learner
	// chooses, "" is none; an empty list sends none.
	Request call.Request
	Keys    []string
}

// Knobs are all parts that a step may open to the learner: of a policy, of what wraps a client's calls, of the limit.
func Knobs() []string {
	return append(append(PolicyKnobs(), scenario.GuardKnobs()...), LimitKnobs()...)
}

// PolicyKnobs are the parts of a policy that a step may open to the learner.
func PolicyKnobs() []string {
	return []string{
		"attempts", "deadline", "attemptTimeout", "base", "cap", "jitter", "retryAfter", "methods", "statuses", "freshDeadline",
	}
}

// Injectable are the orders for the next reply that a step may open to the learner. The statuses come with the
// Retry-After that the page asks for.
func Injectable() []string {
	return []string{
		"400", "401", "409", "422", "429", "500", "502", "503", "504",
		"slow", "never-sent", "lost-request", "lost-reply", "crash-before", "crash-after", "crash-between", "truncated-reply",
	}
}

// Answer is what a learner did: inputs and, in a Predict step, the chosen option.
type Answer struct {
	Inputs     []scenario.Input
	Prediction string
}

// WrongAnswer is an answer that must fail with the check that it names.
type WrongAnswer struct {
	ID string
	Answer
	// Fails is the id of a check, or "prediction".
	Fails string
}

// Question asks for a prediction. Which option is right is never written down: it is the one whose check holds.
type Question struct {
	Text    Text
	Options []Option
}

// Option is one possible answer; it is right if its check holds at the end of the run.
type Option struct {
	ID    string
	Label Text
	Check Check
}

// Exercise is what a Code step asks for.
type Exercise struct {
	// Function is the name of the contract function to write, one of codelab.Names.
	Function string
	// Starter is the program that the learner begins with, in each language, as it has comments.
	Starter Text
	// Solution is a program that passes, on top of the solutions of the steps before.
	Solution string
	// Wrong are programs that must not pass.
	Wrong []WrongProgram
}

// WrongProgram is a program that must be judged with the code that it names.
type WrongProgram struct {
	ID, Program string
	// Fails is the name of a codelab.Code.
	Fails string
}
