package lab

import (
	"strings"
	"time"
)

// Messages of the clock.
type (
	// Next goes one event on, Back one event back.
	Next struct{}
	Back struct{}
	// NextDecision goes on to the next event that chose something, NextTimer to the end of the next timer.
	NextDecision struct{}
	NextTimer    struct{}
	// Start goes to the start. Run goes to the end, or until a check changes.
	Start struct{}
	Run   struct{}
	// Advance moves the clock on, AdvanceTyped by what was typed.
	Advance      struct{ By time.Duration }
	AdvanceTyped struct{}
	// Scrub moves the clock to an instant, in milliseconds.
	Scrub struct{ Ms float64 }
)

// Messages of what a person does in the run.
type (
	// Fire sends a request, Inject orders what befalls the next one.
	Fire   struct{}
	Inject struct{ Name string }
	// ToInject moves the focus to what can be ordered.
	ToInject struct{}
	// Undo takes the last input back, Redo does it again, Restart begins anew; ShowBranch shows an earlier try.
	Undo       struct{}
	Redo       struct{}
	Restart    struct{}
	ShowBranch struct{ ID int }
	// ApplyPolicy sets the policy from now on, ReplayPolicy from the start.
	ApplyPolicy  struct{}
	ReplayPolicy struct{}
)

// Messages of the form.
type (
	SetClient     struct{ Index int }
	SetMethod     struct{ Method string }
	SetKey        struct{ Key string }
	SetAmount     struct{ Amount int }
	SetOffer      struct{ ID string }
	SetTimes      struct{ Times int }
	SetRetryAfter struct{ Value string }
	SetAdvance    struct{ Value string }
	SetKnob       struct{ Name, Value string }
)

// Messages of reading.
type (
	// Select explains an event; SelectDecision the next choice in a direction.
	Select         struct{ Seq int }
	SelectDecision struct{ By int }
	// Point is a click on the timeline, in px from its corner.
	Point struct{ X, Y float64 }
	// Predict chooses an option, KeepPrediction says it; AnswerAgain begins anew after a wrong one.
	Predict        struct{ Option string }
	KeepPrediction struct{}
	AnswerAgain    struct{}
	// Hint shows the next hint, ShowSolution the solution.
	Hint         struct{}
	ShowSolution struct{}
	// Follow keeps the event table at the clock.
	Follow struct{ On bool }
	// Pane shows a part of the page on a phone, Sheet opens or closes the receipt there.
	Pane  struct{ Name string }
	Sheet struct{}
	// More opens or closes the rest of the clock on a phone.
	More struct{}
	// Resize tells of a new size.
	Resize struct{ Size Size }
	// Key is a key of the clock, by its name in the browser.
	Key struct {
		Name        string
		Shift, Ctrl bool
	}
)

// Acts reports whether the key does something on this page.
func (k Key) Acts() bool { return keyMessage(k) != nil }

// Repeats reports whether the key goes on doing it while it is held down.
func (k Key) Repeats() bool { return strings.HasPrefix(k.Name, "Arrow") || axisKey(k) != nil }
