package decision

// Name is the name of a row. Durations are nanoseconds, instants are nanoseconds since the start of the run.
type Name uint8

const (
	// Method: Text is the method; Value 1 if it may be repeated by itself, 0 if not.
	Method Name = iota
	// Key: Text is the Idempotency-Key; Value 1 if it is there and not blank, 0 if not.
	Key
	// Reply: Value is the status, or 0 after a failure, and Text is the failure's name then; A is 1 if the policy retries
	// it, 0 if not, B the call.Class.
	Reply
	// Exponential: Value = A·2^B, the raw wait; A is the base, B the exponent.
	Exponential
	// Cap: Value is the cap; A is 1 if the raw wait was cut by it, 0 if not.
	Cap
	// Jitter: Value is the local wait; A is the longest it could be, B the drawn fraction in thousandths.
	Jitter
	// RetryAfter: Value is the duration asked for, 0 if there was none; Text is the header as sent.
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
	numNames
)

var names = [numNames]string{
	"method", "key", "reply", "exponential", "cap", "jitter", "retry-after", "deadline-left", "attempts-left",
	"counted", "opens", "client-key", "saved", "payload", "script",
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
	case Reply:
		return WaitingHeals
	case Exponential, Cap, Jitter, RetryAfter, DeadlineLeft, AttemptsLeft:
		return HowLong
	}
	return NoQuestion
}
