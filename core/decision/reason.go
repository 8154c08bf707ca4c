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
	// Enqueue keeps a task in line until its turn comes.
	Enqueue
	// Trip opens the circuit.
	Trip
	// Close closes the circuit.
	Close
	// Keep leaves the circuit as it is.
	Keep
	numVerdicts
)

var verdictNames = [numVerdicts]string{
	"none", "return", "retry", "give-up", "admit", "refuse", "apply", "replay",
	"enqueue", "trip", "close", "keep",
}

// String returns the kebab-case name.
func (v Verdict) String() string { return verdictNames[v] }

// Verdicts returns every verdict but NoVerdict, for tests of completeness.
func Verdicts() []Verdict {
	all := make([]Verdict, 0, numVerdicts-1)
	for v := NoVerdict + 1; v < numVerdicts; v++ {
		all = append(all, v)
	}
	return all
}

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
	// KeyMissing: this partner wants a key, and none was sent.
	KeyMissing
	// KeyInFlight: the request that was first under the key is still being executed.
	KeyInFlight
	// LeaseOver: the request that was first under the key began and never ended; its lease is over.
	LeaseOver
	// RecordLost: the effect happened, and the partner crashed before it was recorded.
	RecordLost

	// Scripted: the scenario or the learner ordered this reply.
	Scripted
	// Unroutable: the partner has no such route.
	Unroutable
	// AmountInvalid: the amount is outside 1 to 1,000,000,000.
	AmountInvalid
	// ReadOnly: the request changes nothing.
	ReadOnly
	// WorkFailed: the partner executed the request, and that ended in the error that was ordered.
	WorkFailed
	// SlotUnknown: the partner has no slot of that number.
	SlotUnknown
	// SlotFull: the slot has fewer places left than the request asks for.
	SlotFull
	// ReservationUnknown: the partner knows no reservation of that number by this caller.
	ReservationUnknown
	// AlreadyCancelled: the reservation was cancelled before, so there is nothing to do.
	AlreadyCancelled

	// PeriodHasRoom: fewer requests than the limit were admitted in this period of a fixed window.
	PeriodHasRoom
	// PeriodFull: as many requests as the limit were admitted in this period of a fixed window.
	PeriodFull
	// TokensTaken: the bucket held the tokens that the request costs.
	TokensTaken
	// TokensMissing: the bucket holds fewer tokens than the request costs.
	TokensMissing
	// CostTooLarge: the request costs more than there can ever be; no wait helps.
	CostTooLarge
	// OnSchedule: the request is no further ahead of its schedule than the burst allows.
	OnSchedule
	// AheadOfSchedule: the request is further ahead of its schedule than the burst allows.
	AheadOfSchedule
	// SlotFree: fewer requests than the limit are in flight.
	SlotFree
	// SlotsTaken: as many requests as the limit are in flight.
	SlotsTaken

	// CircuitClosed: the circuit is closed, so calls pass.
	CircuitClosed
	// CircuitOpen: the circuit is open and has not been for long enough.
	CircuitOpen
	// ProbeAdmitted: the circuit is half-open, and this call is a probe.
	ProbeAdmitted
	// ProbesRunning: the circuit is half-open, and as many probes as allowed are running.
	ProbesRunning
	// BelowThreshold: the result counts, and too few results are failures to open the circuit.
	BelowThreshold
	// ThresholdReached: with this result so many are failures that the circuit opens.
	ThresholdReached
	// ProbeSucceeded: the probe succeeded, and more must before the circuit closes.
	ProbeSucceeded
	// ProbesSucceeded: the last probe that was needed succeeded; the circuit closes.
	ProbesSucceeded
	// ProbeFailed: a probe failed; the circuit opens again.
	ProbeFailed
	// PermitStale: the permit is of an earlier state of the circuit, its lease is over, or it was returned before.
	PermitStale
	// ResultIgnored: the result says nothing about the partner; only the permit is returned.
	ResultIgnored

	// PlaceFree: fewer tasks than allowed are running, so the task starts at once.
	PlaceFree
	// PlaceQueued: all running places are taken, and the queue has room.
	PlaceQueued
	// BulkheadFull: all running places are taken, and the queue is full.
	BulkheadFull
	// TurnCame: a place became free, and the task was the first in the queue.
	TurnCame
	// CallerLeft: the caller has waited as long as it may; its task keeps its place.
	CallerLeft

	// RetryAfterTooLong: the partner asks for a longer wait than the policy ever waits; earlier would be too early.
	RetryAfterTooLong
	// RetryBudgetSpent: the retries of the client's calls together have used what they share.
	RetryBudgetSpent
	// PushbackRefuses: the partner's pushback says not to retry, or cannot be read.
	PushbackRefuses

	// LimitValid: the setting of the limit is one, and holds from now on.
	LimitValid
	// LimitNotWhole: the count of a limit is no whole number.
	LimitNotWhole
	// LimitBelowOne: the count of a limit is below 1.
	LimitBelowOne
	// WindowNotNumber: the window of a limit is no number of seconds.
	WindowNotNumber
	// WindowNotPositive: the window of a limit is 0 or less.
	WindowNotPositive
	// WindowNotFinite: the window of a limit is not a number, or without an end.
	WindowNotFinite
	numReasons
)

var reasonNames = [numReasons]string{
	"none", "succeeded", "not-retryable", "not-replay-safe", "attempts-spent", "budget-too-short", "deadline-passed",
	"backoff-decides", "retry-after-decides", "window-has-room", "window-full", "client-key-invalid", "key-absent",
	"key-new", "key-known", "key-mismatch", "keys-ignored", "key-missing", "key-in-flight", "lease-over", "record-lost",
	"scripted", "unroutable", "amount-invalid", "read-only", "work-failed", "slot-unknown", "slot-full",
	"reservation-unknown", "already-cancelled",
	"period-has-room", "period-full", "tokens-taken", "tokens-missing", "cost-too-large", "on-schedule",
	"ahead-of-schedule", "slot-free", "slots-taken",
	"circuit-closed", "circuit-open", "probe-admitted", "probes-running", "below-threshold", "threshold-reached",
	"probe-succeeded", "probes-succeeded", "probe-failed", "permit-stale", "result-ignored",
	"place-free", "place-queued", "bulkhead-full", "turn-came", "caller-left",
	"retry-after-too-long", "retry-budget-spent", "pushback-refuses",
	"limit-valid", "limit-not-whole", "limit-below-one", "window-not-number", "window-not-positive", "window-not-finite",
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
