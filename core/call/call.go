// Package call holds the words that a client and its partner exchange: requests, responses and failures.
package call

import (
	"strconv"
	"strings"
)

// Request is one attempt of a logical call as it goes over the wire.
type Request struct {
	// Client is the index of the caller in its scenario; Call counts that client's calls from 1; Attempt counts the
	// attempts of the call from 1 and includes the first.
	Client, Call, Attempt int
	// ClientID names the caller to the partner: the header X-Client-ID. It is a test key, not an identity.
	ClientID string
	// Method is the HTTP method as the caller wrote it; Path names the route.
	Method, Path string
	// Key is the Idempotency-Key; Keyed says that the header was sent, even if blank.
	Key   string
	Keyed bool
	// Amount is the body of a request that changes the total, 0 where there is none. Of a reservation it is how many
	// places of a slot are asked for.
	Amount int64
	// Slot is the slot that a reservation asks for, counted from 1; 0 where the body names none.
	Slot int64
	// IfMatch is the field If-Match, empty if it was not sent: the request counts only while the resource is in that state.
	IfMatch string
}

// Response is what the partner answers. The zero value, with status 0, stands for no response.
type Response struct {
	// Status is the HTTP status code.
	Status int
	// RetryAfter is the header's value as sent; empty with HasRetryAfter false means that it was not sent.
	RetryAfter    string
	HasRetryAfter bool
	// Fields are the other fields as sent, each as "Name: value" on a line of its own; empty means that there are none.
	// It is one text so that responses can be compared with ==.
	Fields string
	// Replayed marks a saved response: the header Idempotent-Replayed: true.
	Replayed bool
	// Location is the path of what a request made: the header Location. Empty means that it was not sent.
	Location string
	Body     Body
}

// Body is a JSON body: an error code, a flag or a total.
type Body struct {
	// Code is the error code; empty for a success.
	Code string
	// Flag is what the envelope of an error says about a repeat. With a flag the body is an envelope, contract E's:
	// {"error":{"code","message","retryable"}}; Message is its text for people.
	Flag    Flag
	Message string
	// HasTotal says that Total, the sum after the request, is part of the body.
	HasTotal bool
	Total    int64
	// Text is the JSON text of a success that is neither a flag nor a total; empty otherwise.
	Text string
}

// Flag is the member retryable of an error's envelope.
type Flag uint8

const (
	// NoFlag: the response has no envelope, or the envelope does not say.
	NoFlag Flag = iota
	// FlagFalse: the same request would get the same answer.
	FlagFalse
	// FlagTrue: the same request may succeed later.
	FlagTrue
)

// String returns the JSON text of the body.
func (b Body) String() string {
	switch {
	case b.Flag != NoFlag:
		text := append(AppendJSONString([]byte(`{"error":{"code":`), b.Code), `,"message":`...)
		text = append(AppendJSONString(text, b.Message), `,"retryable":`...)
		return string(append(strconv.AppendBool(text, b.Flag == FlagTrue), "}}"...))
	case b.Code != "":
		return string(append(AppendJSONString([]byte(`{"error":`), b.Code), '}'))
	case b.Text != "":
		return b.Text
	case b.HasTotal:
		return `{"total":` + strconv.FormatInt(b.Total, 10) + `}`
	}
	return `{"ok":true}`
}

// Failure says how an attempt ended without a response. In each case but None and NeverSent the outcome at the partner
// is unknown to the caller: a lost request and a lost reply look the same.
type Failure uint8

const (
	// None: there is a response.
	None Failure = iota
	// TimedOut: no reply came before the attempt's timeout.
	TimedOut
	// Reset: the connection broke before a reply.
	Reset
	// NeverSent: no byte of the request left, as when the name does not resolve, the connection is refused, or a stream
	// is refused (RFC 9113 section 8.7). It had no effect, whatever its method.
	NeverSent
	// Garbled: a reply came, and was cut short or could not be read. The request was handled, and how is not known.
	Garbled
	numFailures
)

var failureNames = [numFailures]string{"none", "timed-out", "reset", "never-sent", "garbled"}

// String returns the kebab-case name.
func (f Failure) String() string { return failureNames[f] }

// Failures returns every failure but None.
func Failures() []Failure { return []Failure{TimedOut, Reset, NeverSent, Garbled} }

// ParseFailure returns the failure of that name; ok is false for an unknown one and for "none".
func ParseFailure(name string) (f Failure, ok bool) {
	for i, n := range failureNames {
		if n == name && i > 0 {
			return Failure(i), true
		}
	}
	return None, false
}

// Outcome is what a caller knows after an attempt: a response or a failure.
type Outcome struct {
	Response Response
	Failure  Failure
}

// Class sorts outcomes by what a caller can conclude from them.
type Class uint8

const (
	// Success: 2xx.
	Success Class = iota
	// Transient: a failure of the moment, as 502, 503 and 504, or a request that never left.
	Transient
	// Throttled: 429, the partner asks for less.
	Throttled
	// Permanent: the same request gets the same answer, as 400, 409 or 422.
	Permanent
	// Unknown: no response, so the effect may or may not have happened.
	Unknown
)

var classNames = [...]string{"success", "transient", "throttled", "permanent", "unknown-outcome"}

// String returns the kebab-case name.
func (c Class) String() string { return classNames[c] }

// Class returns the class of o.
func (o Outcome) Class() Class {
	s := o.Response.Status
	switch {
	case o.Failure == NeverSent:
		return Transient
	case o.Failure != None:
		return Unknown
	case s >= 200 && s < 300:
		return Success
	case s == 429:
		return Throttled
	case s >= 500:
		return Transient
	}
	return Permanent
}

// Op is what a request does to the partner's total.
type Op uint8

const (
	// Read changes nothing: GET and HEAD.
	Read Op = iota
	// Add adds the amount each time: POST and PATCH. Not idempotent.
	Add
	// Set makes the total equal to the amount: PUT. Idempotent.
	Set
	// Clear makes the total 0: DELETE. Idempotent.
	Clear
	// Cancel takes back what one reservation added: DELETE of its own path. Idempotent. How much that was is known where
	// the reservation is kept, so Apply leaves the total alone.
	Cancel
)

// Reservations is the path under which each reservation has its own.
const Reservations = "/reservations"

// Op returns what the request's method does. An unknown method reads.
func (r Request) Op() Op {
	switch strings.ToUpper(r.Method) {
	case "POST", "PATCH":
		return Add
	case "PUT":
		return Set
	case "DELETE":
		if strings.HasPrefix(r.Path, Reservations+"/") {
			return Cancel
		}
		return Clear
	}
	return Read
}

// Apply returns the total after the effect.
func (o Op) Apply(total, amount int64) int64 {
	switch o {
	case Add:
		return total + amount
	case Set:
		return amount
	case Clear:
		return 0
	}
	return total
}

// HasKey reports whether the request carries a key that is not blank.
func (r Request) HasKey() bool { return r.Keyed && strings.TrimSpace(r.Key) != "" }
