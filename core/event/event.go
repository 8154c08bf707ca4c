// Package event holds the facts of a run, in the past tense. Views and measures read events and nothing else.
package event

import (
	"retrylab.example/core/call"
	"retrylab.example/core/clock"
	"retrylab.example/core/decision"
)

// Event is one fact. Which fields are set is said at each Kind; the others are zero.
type Event struct {
	// Seq numbers the events of a run from 1; equal instants are ordered by it.
	Seq int
	At  clock.Instant
	// Kind says what happened and Who did it.
	Kind Kind
	Who  Actor
	// Request is the request it is about. Its Client, Call and Attempt tie events of one call together.
	Request call.Request
	// Response is the response it is about.
	Response call.Response
	// Failure is set on attempts that ended without a response.
	Failure call.Failure
	// Until is the instant at which what began now ends by itself.
	Until clock.Instant
	// Delta is what an effect changed and Total the partner's total after it.
	Delta, Total int64
	// Pool is the bulkhead that a client's calls begin in from now on, counted from 1; 0 is none.
	Pool int
	// Fault is the fault that was ordered or struck.
	Fault Fault
	// Decision is the receipt of the choice that this event is.
	Decision decision.Decision
}

// Actor is who did it.
type Actor uint8

const (
	// Client is the caller named by the request.
	Client Actor = iota
	// Partner is the server.
	Partner
	// Network is what carries messages, or loses them.
	Network
	// Person is whoever plays the run.
	Person
	// Simulation is the run itself, when it reaches its bound.
	Simulation
)

var actorNames = [...]string{"client", "partner", "network", "person", "simulation"}

// String returns the kebab-case name.
func (a Actor) String() string { return actorNames[a] }

// Kind is the kind of a fact.
type Kind uint8

const (
	// CallStarted: Request; Until is the call's deadline, clock.Max if it has none.
	CallStarted Kind = iota + 1
	// AttemptSent: Request; Until is when the attempt times out, clock.Max if never.
	AttemptSent
	// SendRefused: one of the client's own guards stopped an attempt just before it was sent. Request; Decision where it
	// was the bulkhead, the breaker or the limiter.
	SendRefused
	// RequestLost: Request, Fault; the partner never sees it: it got lost on its way, or could not even leave.
	RequestLost
	// RequestArrived: Request.
	RequestArrived
	// RequestAdmitted: the partner's limiter let it in. Request, Decision; Until is when its place opens again, now if it
	// holds none for a time.
	RequestAdmitted
	// RequestRefused: the partner answered without an effect. Request, Response, Decision.
	RequestRefused
	// EffectApplied: Request, Response, Delta, Total, Decision. A request that reads is none.
	EffectApplied
	// RequestAnswered: the partner answered a request that reads. Request, Response, Decision.
	RequestAnswered
	// ReplyReplayed: the saved response is the answer. Request, Response, Total, Decision.
	ReplyReplayed
	// RequestQueued: the request waits for a place to be worked on. Request, Decision.
	RequestQueued
	// WorkBegan: the partner began to work on the request; Until is when it is done. Request; Decision if places are
	// limited.
	WorkBegan
	// PartnerCrashed: Request; Fault says whether before or after the effect.
	PartnerCrashed
	// ReplyLost: Request, Response; the caller never sees it.
	ReplyLost
	// ReplyTruncated: Request, Response; the caller sees the beginning of it, which it cannot read.
	ReplyTruncated
	// ReplyArrived: Request, Response.
	ReplyArrived
	// ReplyIgnored: a reply came after its attempt had ended. Request, Response.
	ReplyIgnored
	// AttemptFailed: an attempt ended without a response. Request, Failure.
	AttemptFailed
	// RetryScheduled: Request is the attempt that failed; Until is when the next one is due. Decision.
	RetryScheduled
	// CallSucceeded: Request, Response, Decision.
	CallSucceeded
	// CallGaveUp: Request, Response or Failure, Decision.
	CallGaveUp
	// FaultInjected: a person ordered Fault (and Response) for the next request.
	FaultInjected
	// PolicyChanged: a person changed the policy of the client named by Request.Client.
	PolicyChanged
	// RunStopped: the run reached its bound of events or of time; Until is that bound.
	RunStopped

	// TaskQueued: the call waits for a place in its bulkhead. Request, Decision; Until is when its caller leaves, clock.Max
	// if never.
	TaskQueued
	// TaskStarted: the call has a place in its bulkhead. Request, Decision; Until is when its caller leaves, clock.Max if
	// never.
	TaskStarted
	// TaskEnded: the call's work is done and its place is free. Request; if its caller had left, also what the work led to:
	// Response or Failure, Decision.
	TaskEnded
	// AttemptAdmitted: the client's own breaker or limiter lets an attempt pass. Request, Decision.
	AttemptAdmitted
	// AttemptHeld: the client's own limiter has no token for an attempt. Request, Decision; Until is when it is asked again.
	AttemptHeld
	// CircuitOpened: Request is the attempt whose result opened it, Decision; Until is when probes may pass.
	CircuitOpened
	// CircuitHalfOpened: the circuit was open for long enough, and Request is the first probe. Decision.
	CircuitHalfOpened
	// CircuitClosed: Request is the probe whose success closed it. Decision.
	CircuitClosed
	// ResultRecorded: the breaker took note of an attempt's result, and the circuit stays as it is. Request, Decision.
	ResultRecorded
	// FallbackUsed: the caller of a call that gave up gets this Response instead. Request.
	FallbackUsed
	// GuardsChanged: a person changed what wraps the calls of the client named by Request.Client. Its circuit is closed and
	// knows no result, and its calls begin in Pool; those under way stay in the pool that they began in.
	GuardsChanged
	// LimitChanged: the partner's sliding log has another setting; its histories stay. Decision.
	LimitChanged
	// LimitRefused: the partner refused a setting of its limit, and nothing changed. Decision.
	LimitRefused
	// Notified: the partner told the client that there are places in the slot for which it waits. Request is that by which
	// it joined the waitlist.
	Notified
	numKinds
)

var kindNames = [numKinds]string{
	"", "call-started", "attempt-sent", "send-refused", "request-lost", "request-arrived", "request-admitted",
	"request-refused", "effect-applied", "request-answered", "reply-replayed", "request-queued", "work-began",
	"partner-crashed", "reply-lost", "reply-truncated", "reply-arrived", "reply-ignored", "attempt-failed", "retry-scheduled", "call-succeeded", "call-gave-up",
	"fault-injected", "policy-changed", "run-stopped",
	"task-queued", "task-started", "task-ended", "attempt-admitted", "attempt-held", "circuit-opened",
	"circuit-half-opened", "circuit-closed", "result-recorded", "fallback-used", "guards-changed",
	"limit-changed", "limit-refused", "notified",
}

// String returns the kebab-case name.
func (k Kind) String() string { return kindNames[k] }

// Kinds returns every kind, for tests of completeness.
func Kinds() []Kind {
	all := make([]Kind, 0, numKinds-1)
	for k := Kind(1); k < numKinds; k++ {
		all = append(all, k)
	}
	return all
}

// ParseKind returns the kind of that name.
func ParseKind(name string) (Kind, bool) {
	for k := Kind(1); k < numKinds; k++ {
		if kindNames[k] == name {
			return k, true
		}
	}
	return 0, false
}

// Decides reports whether an event of this kind is a choice: its Decision is set.
func (e *Event) Decides() bool { return e.Decision.Verdict != decision.NoVerdict }

// Fault is what goes wrong with one request.
type Fault uint8

const (
	// NoFault: nothing.
	NoFault Fault = iota
	// Reply: the partner answers at once with a given response, without an effect.
	Reply
	// Slow: the partner does its work, and takes long to reply: too long for most timeouts.
	Slow
	// LostRequest: the request never arrives.
	LostRequest
	// LostReply: the partner does its work, and the reply never arrives.
	LostReply
	// CrashBefore: the partner breaks the connection before the effect.
	CrashBefore
	// CrashAfter: the partner breaks the connection after the effect and its record.
	CrashAfter
	// CrashBetween: the partner breaks the connection between the effect and its record. Where the two are one step there
	// is no between: the step is undone as a whole.
	CrashBetween
	// TruncatedReply: the partner does its work, and the reply breaks off.
	TruncatedReply
	// Fail: the partner executes the request, and that ends in a given error, without an effect.
	Fail
	// NeverSent: there is no connection to send the request on, and the caller learns that.
	NeverSent
	numFaults
)

var faultNames = [numFaults]string{
	"none", "reply", "slow", "lost-request", "lost-reply", "crash-before", "crash-after",
	"crash-between", "truncated-reply", "fail", "never-sent",
}

// String returns the kebab-case name.
func (f Fault) String() string { return faultNames[f] }

// Faults returns every fault but NoFault.
func Faults() []Fault {
	all := make([]Fault, 0, numFaults-1)
	for f := Reply; f < numFaults; f++ {
		all = append(all, f)
	}
	return all
}

// ParseFault returns the fault of that name.
func ParseFault(name string) (Fault, bool) {
	for _, f := range Faults() {
		if f.String() == name {
			return f, true
		}
	}
	return NoFault, false
}
