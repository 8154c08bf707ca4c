package decision

// Verdict is what a decision does.
type Verdict uint8

const (
	// NoVerdict is the zero value: nothing was decided.
	NoVerdict Verdict = iota
	// Return hands the response to the caller: the call succeeded.
	Return
	// Retry waits and sends again.
	Retry
	// GiveUp ends the call without a success.
	GiveUp
	// Admit lets a request through.
	Admit
	// Refuse answers a request without an effect.
	Refuse
	// Apply executes the effect.
	Apply
	// Replay answers with the saved response.
	Replay
	numVerdicts
)

var verdictNames = [numVerdicts]string{"none", "return", "retry", "give-up", "admit", "refuse", "apply", "replay"}

// String returns the kebab-case name.
func (v Verdict) String() string { return verdictNames[v] }

// Reason is the code of why a decision fell as it did.
type Reason uint8

const (
	// NoReason is the zero value.
	NoReason Reason = iota

	// Succeeded: the response is a success.
	Succeeded
	// NotRetryable: the policy does not retry this status or failure; waiting does not heal it.
	NotRetryable
	// NotReplaySafe: the method may not be repeated, and no key makes it safe.
	NotReplaySafe
	// AttemptsSpent: as many attempts were made as the policy allows.
	AttemptsSpent
	// BudgetTooShort: the wait would use all the time that is left; nothing could be sent after it.
	BudgetTooShort
	// DeadlinePassed: no time is left just before a send.
	DeadlinePassed
	// BackoffDecides: the local backoff, after jitter, is the wait.
	BackoffDecides
	// RetryAfterDecides: the partner's Retry-After is the wait.
	RetryAfterDecides

	// WindowHasRoom: fewer requests than the limit lie in the window.
	WindowHasRoom
	// WindowFull: as many requests as the limit lie in the window.
	WindowFull
	// ClientKeyInvalid: the client's key is missing or not 1 to 40 letters, digits and hyphens.
	ClientKeyInvalid

	// KeyAbsent: no key was sent, so every arrival is a request of its own.
	KeyAbsent
	// KeyNew: the key was never seen, or its record has expired.
	KeyNew
	// KeyKnown: the key was seen with the same request; the saved response is the answer.
	KeyKnown
	// KeyMismatch: the key was seen with another request.
	KeyMismatch
	// KeysIgnored: this partner does not look at keys.
	KeysIgnored

	// Scripted: the scenario or the learner ordered this reply.
	Scripted
	// Unroutable: the partner has no such route.
	Unroutable
	// AmountInvalid: the amount is outside 1 to 1,000,000,000.
	AmountInvalid
	// ReadOnly: the request changes nothing.
	ReadOnly
	numReasons
)

var reasonNames = [numReasons]string{
	"none", "succeeded", "not-retryable", "not-replay-safe", "attempts-spent", "budget-too-short", "deadline-passed",
	"backoff-decides", "retry-after-decides", "window-has-room", "window-full", "client-key-invalid", "key-absent",
	"key-new", "key-known", "key-mismatch", "keys-ignored", "scripted", "unroutable", "amount-invalid", "read-only",
}

// String returns the kebab-case name.
func (r Reason) String() string { return reasonNames[r] }

// Reasons returns every reason but NoReason, for tests of completeness.
func Reasons() []Reason {
	all := make([]Reason, 0, numReasons-1)
	for r := NoReason + 1; r < numReasons; r++ {
		all = append(all, r)
	}
	return all
}

// ParseReason returns the reason of that name.
func ParseReason(name string) (Reason, bool) {
	for _, r := range Reasons() {
		if r.String() == name {
			return r, true
		}
	}
	return NoReason, false
}
