// Package retryafter reads the Retry-After header and says how it meets the local wait.
package retryafter

import (
	"time"

	"retrylab.example/core/clock"
	"retrylab.example/core/field"
)

// Parse reads whole seconds: one or more ASCII digits, as delay-seconds in RFC 9110 section 10.2.3, after optional
// spaces and tabs at both ends. ok is false for anything else: a sign, a fraction, a date, an empty value. A number
// that does not fit saturates, because it is a valid way of saying "very long".
func Parse(value string) (d time.Duration, ok bool) {
	if value = field.Trim(value); value == "" {
		return 0, false
	}
	seconds := uint64(0)
	for _, c := range []byte(value) {
		if c < '0' || c > '9' {
			return 0, false
		}
		if seconds = seconds*10 + uint64(c-'0'); seconds > maxSeconds {
			seconds = maxSeconds // stays there: every further digit only makes it longer
		}
	}
	return clock.Times(time.Second, seconds), true
}

const maxSeconds = uint64(clock.MaxDuration/time.Second) + 1

// Rule says what a policy does with a Retry-After.
type Rule uint8

const (
	// Ignore waits the local backoff whatever the partner asks.
	Ignore Rule = iota
	// Floor waits the larger of the two: contract A. The partner's wish is never undercut.
	Floor
	// Replace waits what the partner asks, if it asks for more than 0: contract D.
	Replace
)

var ruleNames = [...]string{"ignore", "floor", "replace"}

// String returns the name used in scenarios.
func (r Rule) String() string { return ruleNames[r] }

// RuleNames returns the names in their order.
func RuleNames() []string { return ruleNames[:] }

// ParseRule returns the rule of that name.
func ParseRule(name string) (Rule, bool) {
	for i, n := range ruleNames {
		if n == name {
			return Rule(i), true
		}
	}
	return Ignore, false
}

// Wait returns the wait after the rule, and whether asked decided it. asked is 0 when nothing valid was asked.
func (r Rule) Wait(local, asked time.Duration) (wait time.Duration, decided bool) {
	if asked > 0 && (r == Replace || r == Floor && asked > local) {
		return asked, true
	}
	return local, false
}
