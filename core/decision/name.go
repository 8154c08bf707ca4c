package decision

// Name is the name of a row. Durations are nanoseconds, instants are nanoseconds since the start of the run.
type Name uint8

const (
	// Method: Text is the method; Value 1 if it may be repeated by itself, 0 if not. A is 0, or what else lets it be: 1 a
	// failure or status that says that it was not handled, 2 a key, 3 the field If-Match, 4 a
	// route that is documented to change nothing.
	Method Name = iota
	// Key: Text is the Idempotency-Key; Value 1 if it is there and not blank, 0 if not.
	Key
	// Reply: Value is the status, or 0 after a failure, and Text is the failure's name then; A is 1 if the policy retries
	// it, 0 if not, B the call.Class.
	Reply
	// Exponential: Value = A·2^B, the raw wait; A is the base, B the exponent.
	Exponential
	// Cap: Value is the cap; A is 1 if the raw wait was cut by it, 0 if not. B is 0, or the whole cap where Value is what
	// is left of it after a part was kept for the jitter.
	Cap
	// Jitter: Value is the local wait; A is the longest it could be, B the drawn fraction in thousandths. Text is the kind
	// where the row does not lie in 0 to A or A/2 to A: plus-minus, decorrelated.
	Jitter
	// RetryAfter: Value is the duration asked for, 0 if there was none; Text is the header as sent. A is the longest that
	// the policy waits for, 0 if there is no such limit. B is 0 where whole seconds are read; in any other mode it is the
	// kind that was read (retryafter.Kind), −1 for none.
	RetryAfter
	// DeadlineLeft: Value = A − B; A is the deadline (instant), B now (instant). Off: there is none, and Value and A are the
	// greatest there are.
	DeadlineLeft
	// AttemptsLeft: Value = B − A; A attempts made, B attempts allowed.
	AttemptsLeft
	// Counted: Value requests in the window, A the limit, B the window (duration).
	Counted
	// Opens: Value is the instant at which the next place opens, A the instant of the oldest counted request.
	Opens
	// ClientKey: Text is the key under which the requests of one client are counted.
	ClientKey
	// Saved: Value is the status of the saved response, A its total, B the instant it was saved. Off: none was saved.
	Saved
	// Payload: Value is the amount sent, A the amount first seen under the key.
	Payload
	// Script: Value is the status that was ordered.
	Script
	// WorkLease: Value is the instant at which the lease of a request in flight is over, A the instant at which it began.
	WorkLease
	// Slot: Value is the slot that was asked for, A the one first seen under the key.
	Slot
	// Places: Value places of the slot are taken, A is how many it has, B how many the request asks for.
	Places
	// Reservation: Value is the number of a reservation.
	Reservation

	// InPeriod: Value requests admitted in this period, A the limit, B the period's length (duration).
	InPeriod
	// Tokens: Value tokens in the bucket, A the most it holds, B what the request costs; all in nano-tokens.
	Tokens
	// Refill: Value nano-tokens added in each period, A the period (duration); B is 1 where they come all at once at the
	// start of a period, 0 where they trickle in.
	Refill
	// Schedule: Value is how far the request would lie ahead of its schedule (duration), A the most that the burst allows
	// (duration), B the instant up to which requests are then paid for.
	Schedule
	// Passes: Value is the instant from which the same request passes if nobody else comes, A the time until then
	// (duration). Value is the greatest instant if that is never.
	Passes
	// InFlight: Value requests in flight, A the limit.
	InFlight

	// Circuit: Text is the state (closed, open, half-open), Value its generation, A the instant at which it began.
	Circuit
	// Failures: Value is the count of failures, A the results that are known, B the results that must be known before
	// they decide.
	Failures
	// Threshold: Value is what opens the circuit: a count of failures in a row, or a percentage if A is 1.
	Threshold
	// Cells: the last results, one bit each, 1 for a failure. Value holds the latest 64, the lowest bit the latest; A
	// holds those before, and B is how many are known.
	Cells
	// Slices: three slices of a time window, the oldest first, in Value, A and B: failures·2³² + results, or −1 for none.
	Slices
	// ProbesFrom: Value is the instant from which probes pass, A how long the circuit stays open (duration).
	ProbesFrom
	// Probes: Value probes running, A how many may run at once.
	Probes
	// Proved: Value probes succeeded, A how many must before the circuit closes.
	Proved
	// Lease: Value is the instant at which the lease of a permit is over.
	Lease
	// Permit: Value is the generation of a returned permit, A that of the circuit, B the instant at which its lease is over.
	Permit
	// Result: Text is the class of a result; Value 1 if it counts as a failure, 0 if not; A 1 if it does not count.
	Result

	// Running: Value tasks running, A how many may.
	Running
	// Queued: Value tasks in the queue, A how many may wait there.
	Queued
	// CallerWaits: Value is the instant at which the caller leaves, A when it submitted the task, B its timeout (duration).
	// Off: it waits for ever.
	CallerWaits
	// Started: Value is the instant at which the task started, A how long it waited for that (duration). Off: it did not.
	Started

	// Flag: Value is 1 if the envelope of the error says that the request may be sent again, 0 if not.
	Flag
	// Raw: Value is the raw wait; A is the base, and Text says how it grows: exponential (B is the exponent), linear (B
	// the failures), constant, or decorrelated (Value is the longest that can be drawn, B the wait before). It stands in
	// the place of Exponential where the wait is not Base·2^n.
	Raw
	// Factor: Value/A is by how much an exponential grows from wait to wait.
	Factor
	// Above: Value is what was added to the partner's wish so that clients do not come back together; A is the most it
	// could be, B the drawn fraction in thousandths.
	Above
	// RetryTokens: the client's budget for retries. Value nano-tokens in the bucket, B the most it holds; with Text
	// quota A is what the retry costs, with throttle Value must be above A.
	RetryTokens
	// RetryShare: Value retries of other calls under way, A how many retries may be, B calls under way.
	RetryShare

	// LimitCount: Text is the count of a limit as it was written, Value what it says, 0 if that is no valid one.
	LimitCount
	// LimitWindow: Text is the window of a limit as it was written, in seconds, Value what it says (duration), 0 if that is
	// no valid one.
	LimitWindow
	numNames
)

var names = [numNames]string{
	"method", "key", "reply", "exponential", "cap", "jitter", "retry-after", "deadline-left", "attempts-left",
	"counted", "opens", "client-key", "saved", "payload", "script",
	"work-lease", "slot", "places", "reservation",
	"in-period", "tokens", "refill", "schedule", "passes", "in-flight",
	"circuit", "failures", "threshold", "cells", "slices", "probes-from", "probes", "proved", "lease", "permit", "result",
	"running", "queued", "caller-waits", "started",
	"flag", "raw", "factor", "above", "retry-tokens", "retry-share",
	"limit-count", "limit-window",
}

// String returns the kebab-case name.
func (n Name) String() string { return names[n] }

// Names returns every name, for tests of completeness.
func Names() []Name {
	all := make([]Name, numNames)
	for i := range all {
		all[i] = Name(i)
	}
	return all
}

// Question is one of the three that a retry decision answers in this order.
type Question uint8

const (
	// NoQuestion: the row belongs to another mechanism than retry.
	NoQuestion Question = iota
	// MayRepeat: may it be repeated?
	MayRepeat
	// WaitingHeals: is this failure of the kind that waiting heals?
	WaitingHeals
	// HowLong: how long to wait, and is there time and an attempt left?
	HowLong
)

// Question returns the question that the row helps to answer.
func (n Name) Question() Question {
	switch n {
	case Method, Key:
		return MayRepeat
	case Reply, Flag:
		return WaitingHeals
	case Exponential, Raw, Factor, Cap, Jitter, RetryAfter, Above, DeadlineLeft, AttemptsLeft, RetryTokens, RetryShare:
		return HowLong
	}
	return NoQuestion
}
