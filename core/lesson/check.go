package lesson

import (
	"strconv"
	"strings"
	"time"

	"retrylab.example/core/breaker"
	"retrylab.example/core/decision"
	"retrylab.example/core/event"
	"retrylab.example/core/measure"
	"retrylab.example/core/trace"
)

// Check is one goal of a step. Which fields count is said at each CheckKind. Checks read events and never text.
type Check struct {
	ID   string
	Kind CheckKind
	// Text is the goal in words.
	Text Text

	// Of names the count or total. Bound and Number, or Bound and Time, are what is wanted of it.
	Of     string
	Bound  Bound
	Number int64
	Time   time.Duration
	// Client and Call (from 1) choose a call; Attempt (from 1) one of its attempts, 0 any.
	Client, Call, Attempt int
	Waits                 []time.Duration
	Outcome               string
	Status                int
	Reason                decision.Reason
	Fault                 event.Fault
	Fired                 Fired
	// Then is what Happens counts. In an Order it comes after First. First, if it has a Kind, is from when Time counts.
	First, Then Moment
	Distinct    bool
	// Pool is the bulkhead of a StateCheck, counted from 1 in its scenario, and Circuit the wanted state of a breaker.
	Pool    int
	Circuit breaker.State
	members []int // the clients whose calls start in the pool
}

// Fired describes a request that the learner should have sent. Empty fields match anything.
type Fired struct {
	Method, Key string
	Keyed       *bool
	Amount      int64
}

// Bound says how a value is compared.
type Bound uint8

const (
	// Equals: exactly the value.
	Equals Bound = iota
	// AtLeast: the value or more.
	AtLeast
	// AtMost: the value or less.
	AtMost
)

var boundNames = [...]string{"equals", "min", "max"}

// String returns the field's name in files.
func (b Bound) String() string { return boundNames[b] }

// CheckKind is the kind of a check.
type CheckKind uint8

const (
	// Count: Of is a count of measure.Totals; Bound, Number.
	Count CheckKind = iota
	// Total: Of is naive, deduped or actual; Bound, Number.
	Total
	// Waits: the waits of the call are exactly Waits.
	Waits
	// Outcome: the call ended as Outcome ("succeeded" or "gave-up"); with Status and Reason if they are set.
	Outcome
	// Ends: when the call ended, since the start or since the first event like First; Bound, Time.
	Ends
	// Starts: when the attempt of the call was sent, since the same; Bound, Time.
	Starts
	// Decided: a decision with Reason was made, at least Number times.
	Decided
	// FiredCheck: requests like Fired were sent, at least Number times.
	FiredCheck
	// Injected: the learner ordered Fault (or a reply of Status), at least Number times; with Distinct, at least Number
	// different orders: of all, or of replies, which differ by their status.
	Injected
	// Retries: how many attempts of the call were sent after its first; Bound, Number.
	Retries
	// Order: the first event like Then comes after the first like First.
	Order
	// Happens: how many events are like Then; Bound, Number.
	Happens
	// StateCheck: the circuit of Client is now as Circuit says (Of breaker), or the highest number of tasks that ever were
	// running or queued in Pool at once (Of running or queued); Bound, Number.
	StateCheck
)

var checkKindNames = [...]string{
	"count", "total", "waits", "outcome", "ends", "starts", "decided", "fired", "injected",
	"retries", "order", "happens", "state",
}

// String returns the name used in files.
func (k CheckKind) String() string { return checkKindNames[k] }

// CheckKinds returns every kind.
func CheckKinds() []CheckKind {
	var all []CheckKind
	for k := range checkKindNames {
		all = append(all, CheckKind(k))
	}
	return all
}

// ParseCheckKind returns the kind of that name.
func ParseCheckKind(name string) (CheckKind, bool) {
	for i, n := range checkKindNames {
		if n == name {
			return CheckKind(i), true
		}
	}
	return Count, false
}

// State is how a check stands.
type State uint8

const (
	// Open: not decided yet, more events could still make it hold.
	Open State = iota
	// Holds: it holds.
	Holds
	// Fails: it does not hold, and going on cannot change that.
	Fails
)

// Result is how a check stands after some events.
type Result struct {
	State State
	// Expected and Actual say what was wanted and what is.
	Expected, Actual Value
	// Seq is the event that broke it, or the one it rests on; 0 if there is none.
	Seq int
}

// Value is one side of a comparison. Code, if set, is a word to be translated; Text a number that needs no translation.
type Value struct {
	Bound Bound
	Code  string
	Text  string
}

func number(b Bound, n int64) Value {
	return Value{Bound: b, Text: strconv.FormatInt(n, 10)}
}

func duration(b Bound, d time.Duration) Value { return Value{Bound: b, Text: trace.Seconds(d)} }

// exactly returns d in seconds to the nanosecond.
func exactly(d time.Duration) string {
	frac := strconv.FormatInt(int64(time.Second+d%time.Second), 10)[1:]
	return strconv.FormatInt(int64(d/time.Second), 10) + "." + frac + " s"
}

func durations(ds []time.Duration) Value {
	if len(ds) == 0 {
		return Value{Code: "no-waits"}
	}
	parts := make([]string, len(ds))
	for i, d := range ds {
		parts[i] = trace.Seconds(d)
	}
	return Value{Text: strings.Join(parts, ", ")}
}

// happens reports whether an event is what a Decided, FiredCheck or Injected check counts.
func (c *Check) happens(e *event.Event) bool {
	switch c.Kind {
	case Decided:
		return e.Decision.Reason == c.Reason && (c.Attempt == 0 || e.Request.Attempt == c.Attempt)
	case FiredCheck:
		return e.Kind == event.CallStarted && c.Fired.matches(e)
	}
	if c.Distinct && c.Fault == event.NoFault {
		return e.Kind == event.FaultInjected
	}
	return e.Kind == event.FaultInjected && e.Fault == c.Fault && (c.Status == 0 || e.Response.Status == c.Status)
}

func (f *Fired) matches(e *event.Event) bool {
	r := e.Request
	return (f.Method == "" || strings.EqualFold(f.Method, r.Method)) && (f.Key == "" || f.Key == r.Key) &&
		(f.Keyed == nil || *f.Keyed == r.HasKey()) && (f.Amount == 0 || f.Amount == r.Amount)
}

// compare judges a growing number.
func compare(b Bound, got, want int64) State {
	switch {
	case b == AtMost && got <= want, b == AtLeast && got >= want, b == Equals && got == want:
		return Holds
	case got < want:
		return Open
	}
	return Fails
}

// TotalNames are the counts and totals that checks can name.
func TotalNames() (counts, totals []string) {
	return []string{
		"calls", "sent", "arrived", "applied", "replayed", "refused", "refused-locally", "duplicates", "succeeded", "gave-up",
		"attempts-per-100-calls",
	}, []string{"naive", "deduped", "actual"}
}

// TotalOf returns the count or total of that name.
func TotalOf(t measure.Totals, name string) int64 {
	switch name {
	case "calls":
		return int64(t.Calls)
	case "sent":
		return int64(t.Sent)
	case "arrived":
		return int64(t.Arrived)
	case "applied":
		return int64(t.Applied)
	case "replayed":
		return int64(t.Replayed)
	case "refused":
		return int64(t.Refused)
	case "refused-locally":
		return int64(t.RefusedLocally)
	case "duplicates":
		return int64(t.Duplicates)
	case "succeeded":
		return int64(t.Succeeded)
	case "gave-up":
		return int64(t.GaveUp)
	case "attempts-per-100-calls":
		return (100*int64(t.Sent) + int64(max(t.Calls, 1)) - 1) / int64(max(t.Calls, 1)) // rounded up: a little more is more
	case "naive":
		return t.Naive
	case "deduped":
		return t.Deduped
	}
	return t.Actual
}

func (c *Check) mine(e *event.Event) bool {
	return e.Request.Client == c.Client && e.Request.Call == c.Call
}

func ends(e *event.Event) bool { return e.Kind == event.CallSucceeded || e.Kind == event.CallGaveUp }

func outcomeValue(outcome string, status int, r decision.Reason) Value {
	v := Value{Code: outcome}
	if status != 0 {
		v.Text = strconv.Itoa(status)
	}
	if r != decision.NoReason && r != decision.Succeeded {
		v.Code = r.String()
	}
	return v
}
