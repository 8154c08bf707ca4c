package link

import (
	"strconv"

	"retrylab.example/core/document"
)

// Problem is why a link cannot be opened, or not be made.
type Problem uint8

const (
	// Empty: there is nothing after the address.
	Empty Problem = iota + 1
	// NoLink: the text is of another kind.
	NoLink
	// Cut: its end is missing. Have of Want characters are there; Want is 0 if even that was cut off.
	Cut
	// Joined: something else stands behind it. Have and Want as for Cut.
	Joined
	// Damaged: as long as it was, with other characters.
	Damaged
	// Newer: Format is none that this program reads.
	Newer
	// TooLarge: it is longer, or unpacks to more, than any that is made.
	TooLarge
	// Invalid: its checksum is right and its contents are not, so that something else than Retry Lab has made it. Faults
	// says what is wrong, where the contents could be read at all.
	Invalid
	// Outdated: the inputs do not fit the step, which has most likely changed since. Faults says where.
	Outdated
	// NoLesson: there is no lesson of the id Lesson here.
	NoLesson
	// NoStep: the lesson has no step of the id Step that is played.
	NoStep
	// TooMuch: what was to be shared does not fit into a link.
	TooMuch

	numProblems
)

var problemNames = [numProblems]string{
	"", "empty", "no-link", "cut", "joined", "damaged", "newer", "too-large", "invalid", "outdated",
	"no-lesson", "no-step", "too-much",
}

// String returns the kebab-case name.
func (p Problem) String() string { return problemNames[p] }

// Problems returns every problem, for tests of completeness.
func Problems() []Problem {
	all := make([]Problem, 0, numProblems-1)
	for p := Problem(1); p < numProblems; p++ {
		all = append(all, p)
	}
	return all
}

// Error is the error of this package. Which fields are set is said at each Problem; the others are zero. People get
// their sentence from the text package.
type Error struct {
	Problem Problem
	// Have and Want count the characters of the packed part.
	Have, Want int
	// Format is the version that the link names.
	Format       int
	Lesson, Step string
	Faults       document.Faults
}

// Error returns the problem as a code, with its numbers, for logs.
func (e *Error) Error() string {
	s := "link: " + e.Problem.String()
	switch e.Problem {
	case Cut, Joined:
		s += " (" + strconv.Itoa(e.Have) + " of " + strconv.Itoa(e.Want) + ")"
	case Newer:
		s += " (format " + strconv.Itoa(e.Format) + ")"
	case NoLesson, NoStep:
		s += " (" + e.Lesson + " " + e.Step + ")"
	}
	if len(e.Faults) > 0 {
		s += ": " + e.Faults[0].String()
	}
	return s
}
