package breaker

import (
	"errors"
	"time"

	"retrylab.example/core/call"
)

// Window is over what the results are judged.
type Window uint8

const (
	// InARow opens after so many failures without a success between them.
	InARow Window = iota
	// Count judges the last so many results.
	Count
	// Time judges the results of the last so long.
	Time
	numWindows
)

var windowNames = [numWindows]string{"in-a-row", "count", "time"}

// String returns the kebab-case name.
func (w Window) String() string { return windowNames[w] }

// ParseWindow returns the window of that name.
func ParseWindow(name string) (w Window, ok bool) {
	for i, n := range windowNames {
		if n == name {
			return Window(i), true
		}
	}
	return InARow, false
}

const (
	// MaxSize is the most results that a count window holds: all of them fit a receipt.
	MaxSize = 128
	// MaxProbes is the most probes that run at once.
	MaxProbes = 8
	// Slices is how many slices a time window has.
	Slices = 10
)

// Config is the setting of a breaker. Which fields count is said at each.
type Config struct {
	// Window says over what the results are judged.
	Window Window
	// Failures opens a breaker of failures in a row, ≥ 1. Only InARow.
	Failures int
	// Size is how many of the last results count, 1 to MaxSize. Only Count.
	Size int
	// Span is how far back results count, a multiple of 10 ns, > 0. A time window drops its oldest tenth as a whole, at
	// the multiples of Span/10, so a result counts for 0.9 to 1.0 of it. Only Time.
	Span time.Duration
	// Percent opens the circuit when failures · 100 / results ≥ Percent, 1 to 100. Count and Time.
	Percent int
	// Minimum is how many results must be known before they decide. Count: 1 to Size, and 0 means Size. Time: ≥ 1, and 0
	// means 1.
	Minimum int

	// Open is how long the circuit stays open before a probe may pass, > 0; at exactly that age one passes.
	Open time.Duration
	// Probes is how many probes may run at once while the circuit is half-open, 1 to MaxProbes; 0 means 1.
	Probes int
	// Successes is how many probes must succeed before the circuit closes, ≥ Probes; 0 means Probes. One failure opens it
	// again.
	Successes int
	// Lease is how long a probe may go without a result, > 0; 0 means Open. At exactly that age its place goes to another
	// probe, and its result no longer counts. Choose it longer than the timeout of a call.
	Lease time.Duration

	// Failing are the classes that count as failures; the zero value means transient, throttled and unknown outcomes.
	Failing Classes
	// Ignoring are the classes that count for nothing and only return the permit. The others count as successes: an answer
	// such as 404 says that the partner works.
	Ignoring Classes
}

// Classes is a set of outcome classes.
type Classes uint8

// ClassesOf returns the set of these classes.
func ClassesOf(classes ...call.Class) Classes {
	var s Classes
	for _, c := range classes {
		s |= 1 << c
	}
	return s
}

// Has reports whether c is in the set.
func (s Classes) Has(c call.Class) bool { return s&(1<<c) != 0 }

// The errors of New.
var (
	ErrThreshold = errors.New("a breaker opens after 1 or more failures in a row, or at 1 to 100 percent")
	ErrSize      = errors.New("a count window holds 1 to 128 results")
	ErrSpan      = errors.New("a time window is longer than 0 s and a whole number of tenths")
	ErrMinimum   = errors.New("the results that must be known are at least 1, and no more than the window holds")
	ErrOpen      = errors.New("an open circuit stays open for more than 0 s, and a lease is longer than 0 s")
	ErrProbes    = errors.New("1 to 8 probes run at once, and at least as many must succeed")
	ErrClasses   = errors.New("a class counts as a failure or is ignored, not both")
)

// filled returns c with its defaults, or why it makes no breaker.
func (c Config) filled() (Config, error) {
	if c.Lease == 0 {
		c.Lease = c.Open
	}
	if c.Probes == 0 {
		c.Probes = 1
	}
	if c.Successes == 0 {
		c.Successes = c.Probes
	}
	if c.Failing == 0 {
		c.Failing = ClassesOf(call.Transient, call.Throttled, call.Unknown) &^ c.Ignoring
	}
	switch {
	case c.Open <= 0 || c.Lease <= 0:
		return c, ErrOpen
	case c.Probes < 1 || c.Probes > MaxProbes || c.Successes < c.Probes:
		return c, ErrProbes
	case c.Failing&c.Ignoring != 0:
		return c, ErrClasses
	}
	return c.filledWindow()
}

func (c Config) filledWindow() (Config, error) {
	switch c.Window {
	case InARow:
		if c.Failures < 1 {
			return c, ErrThreshold
		}
		return c, nil
	case Count:
		if c.Minimum == 0 {
			c.Minimum = c.Size
		}
		switch {
		case c.Size < 1 || c.Size > MaxSize:
			return c, ErrSize
		case c.Minimum < 1 || c.Minimum > c.Size:
			return c, ErrMinimum
		}
	case Time:
		if c.Minimum == 0 {
			c.Minimum = 1
		}
		switch {
		case c.Span <= 0 || c.Span%Slices != 0:
			return c, ErrSpan
		case c.Minimum < 1:
			return c, ErrMinimum
		}
	default:
		return c, ErrThreshold
	}
	if c.Percent < 1 || c.Percent > 100 {
		return c, ErrThreshold
	}
	return c, nil
}
