package lesson

import (
	"slices"
	"time"

	"retrylab.example/core/breaker"
	"retrylab.example/core/clock"
	"retrylab.example/core/decision"
	"retrylab.example/core/event"
	"retrylab.example/core/measure"
)

// Judge follows a check through a run, event by event. Use Check.Judge.
type Judge struct {
	check *Check
	res   Result
	// What the kinds remember: the totals and the number before, the waits so far, how often it happened, and the event
	// that ended the call.
	totals measure.Fold
	before int64
	waits  []time.Duration
	times  int64
	over   int
	// at is the time that an Ends or Starts measured, where timed says so.
	at    time.Duration
	timed bool
	// first is the event that an Order waits for first, or from which on Starts and Ends count, which was at since; orders
	// are the different ones that were given; circuit is the state of the breaker; members are the clients whose calls
	// begin in the pool now, tasks those of their calls that have a task there, and queued and running how many these are.
	first           int
	since           clock.Instant
	orders          []order
	circuit         breaker.State
	members         []int
	tasks           []taskID
	queued, running int64
}

// Judge returns the judge of a check before the first event.
func (c *Check) Judge() Judge {
	j := Judge{check: c, since: clock.Start, members: c.members}
	switch c.Kind {
	case Count, Total, Retries, Happens:
		j.res.Expected = number(c.Bound, c.Number)
	case Order:
		j.res.Expected = Value{Code: "in-order"}
	case StateCheck:
		j.res.Expected = number(c.Bound, c.Number)
		if c.Of == circuitState {
			j.res.Expected = Value{Code: c.Circuit.String()}
		}
	case Waits:
		j.res.Expected = durations(c.Waits)
	case Outcome:
		j.res.Expected, j.res.Actual = outcomeValue(c.Outcome, c.Status, c.Reason), Value{Code: "not-ended"}
	case Ends, Starts:
		j.res.Expected, j.res.Actual = duration(c.Bound, c.Time), Value{Code: "not-yet"}
	default:
		j.res.Expected = number(AtLeast, max(c.Number, 1))
	}
	return j
}

// Evaluate returns how the check stands after these events.
func (c *Check) Evaluate(events []event.Event) Result {
	j := c.Judge()
	for i := range events {
		j.Event(&events[i])
	}
	return j.Result()
}

// Event takes the next event.
func (j *Judge) Event(e *event.Event) {
	switch c := j.check; c.Kind {
	case Count, Total:
		j.total(e)
	case Waits, Outcome, Ends, Starts:
		if j.first == 0 && c.First.like(e) {
			j.first, j.since = e.Seq, e.At
		}
		if c.mine(e) {
			j.mine(e)
		}
	case Retries:
		if c.mine(e) {
			j.retry(e)
		}
	case Happens:
		if c.Then.like(e) {
			j.happen(e)
		}
	case Order:
		j.order(e)
	case StateCheck:
		j.state(e)
	default:
		if c.happens(e) && j.another(e) {
			if j.times++; j.times <= max(c.Number, 1) {
				j.res.Seq = e.Seq
			}
		}
	}
}

// mine takes an event of the call that the check is about.
func (j *Judge) mine(e *event.Event) {
	if ends(e) {
		j.over = e.Seq
	}
	switch c := j.check; {
	case c.Kind == Waits:
		j.wait(e)
	case c.Kind == Outcome && ends(e):
		j.outcome(e)
	case c.Kind == Ends && ends(e),
		c.Kind == Starts && e.Kind == event.AttemptSent && e.Request.Attempt == c.Attempt:
		j.instant(e)
	}
}

// total compares a number: too much fails, too little is open. Counts only grow, so that is final; a total can still be
// set anew by PUT and DELETE, and then the check is judged anew.
func (j *Judge) total(e *event.Event) {
	j.totals.Event(e)
	now := TotalOf(j.totals.Totals(), j.check.Of)
	if now != j.before && now > j.check.Number && j.res.Seq == 0 {
		j.res.Seq = e.Seq
	}
	j.before = now
}

func (j *Judge) wait(e *event.Event) {
	want := j.check.Waits
	if e.Kind == event.RetryScheduled {
		j.waits = append(j.waits, e.Decision.Wait)
		if n := len(j.waits); j.res.Seq == 0 && (n > len(want) || j.waits[n-1] != want[n-1]) {
			j.res.Seq, j.res.State = e.Seq, Fails
		}
	}
	if ends(e) && j.res.State == Open && len(j.waits) < len(want) {
		j.res.Seq, j.res.State = e.Seq, Fails
	}
}

func (j *Judge) outcome(e *event.Event) {
	c := j.check
	got := "succeeded"
	if e.Kind == event.CallGaveUp {
		got = "gave-up"
	}
	j.res.Seq, j.res.State = e.Seq, Holds
	j.res.Actual = outcomeValue(got, e.Response.Status, e.Decision.Reason)
	if got != c.Outcome || c.Status != 0 && e.Response.Status != c.Status ||
		c.Reason != decision.NoReason && e.Decision.Reason != c.Reason {
		j.res.State = Fails
	}
}

// instant compares when a call ended, or when an attempt was sent. Before the event from which the time counts it is too
// early for any bound.
func (j *Judge) instant(e *event.Event) {
	c := j.check
	if c.First.Kind != 0 && j.first == 0 {
		j.res.Seq, j.res.Actual, j.res.State = e.Seq, Value{Code: "too-early"}, Fails
		return
	}
	at := e.At.Sub(j.since)
	j.at, j.timed = at, true
	j.res.Seq, j.res.Actual, j.res.State = e.Seq, duration(Equals, at), Fails
	if c.Bound == Equals && at == c.Time || c.Bound == AtLeast && at >= c.Time || c.Bound == AtMost && at <= c.Time {
		j.res.State = Holds
	}
	if j.res.State == Fails && j.res.Actual.Text == j.res.Expected.Text {
		j.res.Actual.Text, j.res.Expected.Text = exactly(at), exactly(c.Time) // they differ by less than is shown
	}
}

// order is one that a learner gave: a fault, or a reply of a status.
type order struct {
	fault  event.Fault
	status int
}

// another reports whether an event counts beside those before it: an order that was given already does not, where they
// are to differ.
func (j *Judge) another(e *event.Event) bool {
	o := order{e.Fault, e.Response.Status}
	if !j.check.Distinct {
		return true
	}
	if slices.Contains(j.orders, o) {
		return false
	}
	j.orders = append(j.orders, o)
	return true
}

// Result returns how the check stands after the events so far.
func (j *Judge) Result() Result {
	c, res := j.check, j.res
	switch c.Kind {
	case Count, Total:
		res.Actual, res.State = number(Equals, j.before), compare(c.Bound, j.before, c.Number)
		if res.State != Fails {
			res.Seq = 0
		}
	case Waits:
		res.Actual = durations(j.waits)
		if j.over > 0 && res.State == Open {
			res.State = Holds
		}
	case Ends, Starts:
		if res.State == Open && j.over > 0 {
			res.State, res.Seq, res.Actual = Fails, j.over, Value{Code: "never"}
		}
	case Retries:
		j.retried(&res)
	case Happens:
		res.Actual, res.State = number(Equals, j.times), compare(c.Bound, j.times, c.Number)
	case Order:
		res.Actual = Value{Code: [...]string{"not-yet", "in-order", "not-in-order"}[res.State]}
		if res.State == Open && j.first > 0 {
			res.Actual.Code = "first-only"
		}
	case StateCheck:
		j.reached(&res)
	case Decided, FiredCheck, Injected:
		res.Actual = number(Equals, j.times)
		if j.times >= max(c.Number, 1) {
			res.State = Holds
		}
	}
	return res
}
