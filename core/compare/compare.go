// Package compare sets two runs beside each other: where they part, and what is different from there on.
//
// Two runs that began with the same seed have the same draws wherever they do the same, because a draw depends on client,
// call and attempt and never on one shared stream. So what differs comes from what was done or set, not from luck.
package compare

import (
	"cmp"
	"slices"
	"time"

	"retrylab.example/core/call"
	"retrylab.example/core/clock"
	"retrylab.example/core/decision"
	"retrylab.example/core/event"
	"retrylab.example/core/measure"
)

// Comparison is what differs between a run A and a run B. In each pair A comes first.
type Comparison struct {
	Parting Parting
	// Attempts and Calls are those that differ, by client, call and attempt.
	Attempts []Attempt
	Calls    []Call
	// Totals are the totals at the end of each run, and Ends the instants of their last events.
	Totals [2]measure.Totals
	Ends   [2]clock.Instant
	// Load is what reached the partner in each run, in the same buckets of time.
	Load [2]*measure.Load
}

// Same reports whether nothing differs.
func (c *Comparison) Same() bool { return !c.Parting.Differs }

// Parting is the first difference. What a person ordered or set is no difference by itself: only what comes of it is.
type Parting struct {
	Differs bool
	// At is the instant up to which, excluded, both runs are the same: that of the earlier of the two events.
	At clock.Instant
	// Index is the place, from 0, of the first event in each run that is not like the other's; where a run has no further
	// event it is the number of its events.
	Index [2]int
	// Field is what differs between the two events.
	Field Field
}

// Field is a part of an event.
type Field uint8

const (
	// NoField: nothing differs.
	NoField Field = iota
	// Missing: one run has no further event.
	Missing
	// Instant: the next event comes earlier in one run.
	Instant
	// Kind: something else happens.
	Kind
	// Actor: another one does it.
	Actor
	// Request: it is about another request.
	Request
	// Response: the answer is another.
	Response
	// Failure: the attempt ends in another failure.
	Failure
	// Verdict: it was decided otherwise.
	Verdict
	// Reason: it was decided so for another reason.
	Reason
	// Wait: the wait is another.
	Wait
	// Until: what begins ends by itself at another instant.
	Until
	// Effect: the total changes otherwise.
	Effect
	// Fault: another fault strikes.
	Fault
	numFields
)

var fieldNames = [numFields]string{
	"none", "missing", "instant", "kind", "actor", "request", "response", "failure", "verdict", "reason", "wait", "until",
	"effect", "fault",
}

// String returns the kebab-case name.
func (f Field) String() string { return fieldNames[f] }

// Fields returns every field but NoField, for tests of completeness.
func Fields() []Field {
	all := make([]Field, 0, numFields-1)
	for f := Missing; f < numFields; f++ {
		all = append(all, f)
	}
	return all
}

// Attempt is one attempt that differs between the runs, or is in one of them alone.
type Attempt struct {
	// Client is the index of the client; Call and Number count from 1.
	Client, Call, Number int
	Sides                [2]AttemptSide
}

// Apart returns by how much later B sent the attempt than A, negative for earlier; ok is false where one did not.
func (a *Attempt) Apart() (d time.Duration, ok bool) {
	return a.Sides[1].At.Sub(a.Sides[0].At), a.Sides[0].Sent > 0 && a.Sides[1].Sent > 0
}

// AttemptSide is an attempt in one run. The zero value is an attempt that was not sent.
type AttemptSide struct {
	// Sent and Decided are the numbers of the events by which it was sent, and by which its caller decided what comes
	// next; 0 if there is none.
	Sent, Decided int
	// At is when it was sent.
	At clock.Instant
	// Status is that of its reply, 0 if none came; Failure how it ended without one.
	Status  int
	Failure call.Failure
	// Reason is why it was decided so, and Wait the wait before the next attempt where there is one.
	Reason decision.Reason
	Wait   time.Duration
}

// Call is one call whose outcome differs between the runs, or that is in one of them alone.
type Call struct {
	// Client is the index of the client; Number counts from 1.
	Client, Number int
	Sides          [2]CallSide
}

// CallSide is a call in one run. The zero value is a call that was not begun.
type CallSide struct {
	// Begun and Ended are the numbers of the events by which it began and ended; 0 if it did not.
	Begun, Ended int
	// At is when it ended, Succeeded whether well.
	At        clock.Instant
	Succeeded bool
	// Status is that of the last reply, 0 if none came, and Reason why the call ended.
	Status int
	Reason decision.Reason
}

// MaxBuckets is in how many buckets of time the load of two runs is compared at most.
const MaxBuckets = 60

// Of compares two runs.
func Of(a, b []event.Event) Comparison {
	runs := [2][]event.Event{a, b}
	c := Comparison{Parting: parting(a, b)}
	var found [2]gathering
	for s, run := range runs {
		c.Totals[s] = measure.Of(run)
		if n := len(run); n > 0 {
			c.Ends[s] = run[n-1].At
		}
		found[s].gather(run)
	}
	width := measure.RoundWidth(max(c.Ends[0], c.Ends[1]).Sub(clock.Start), MaxBuckets-1)
	for s, run := range runs {
		c.Load[s] = measure.LoadOf(run, clock.Start, width, MaxBuckets)
	}
	c.Attempts = attempts(&found[0], &found[1])
	c.Calls = calls(&found[0], &found[1])
	return c
}

// Happens reports whether an event is something that happened in a run, and not only what a person ordered or set.
func Happens(e *event.Event) bool {
	switch e.Kind {
	case event.FaultInjected, event.PolicyChanged, event.GuardsChanged, event.LimitChanged, event.LimitRefused:
		return false
	}
	return true
}

func parting(a, b []event.Event) Parting {
	i, j := 0, 0
	for {
		for i < len(a) && !Happens(&a[i]) {
			i++
		}
		for j < len(b) && !Happens(&b[j]) {
			j++
		}
		p := Parting{Differs: true, Index: [2]int{i, j}, Field: Missing}
		switch {
		case i == len(a) && j == len(b):
			return Parting{}
		case i == len(a):
			p.At = b[j].At
			return p
		case j == len(b):
			p.At = a[i].At
			return p
		}
		if p.Field = differing(&a[i], &b[j]); p.Field != NoField {
			p.At = min(a[i].At, b[j].At)
			return p
		}
		i, j = i+1, j+1
	}
}

// differing returns the first part in which two events differ. The numbers of the events and the terms of receipts do
// not count: a policy that weighs other terms and decides the same has done the same.
func differing(a, b *event.Event) Field {
	switch {
	case a.At != b.At:
		return Instant
	case a.Kind != b.Kind:
		return Kind
	case a.Who != b.Who:
		return Actor
	case a.Request != b.Request:
		return Request
	case a.Response != b.Response:
		return Response
	case a.Failure != b.Failure:
		return Failure
	case a.Decision.Verdict != b.Decision.Verdict:
		return Verdict
	case a.Decision.Wait != b.Decision.Wait:
		return Wait
	case a.Decision.Reason != b.Decision.Reason:
		return Reason
	case a.Until != b.Until:
		return Until
	case a.Delta != b.Delta || a.Total != b.Total:
		return Effect
	case a.Fault != b.Fault:
		return Fault
	}
	return NoField
}

// id names a call, or an attempt of one; attempt is 0 for the call.
type id struct{ client, call, attempt int }

func (a id) compare(b id) int {
	return cmp.Or(cmp.Compare(a.client, b.client), cmp.Compare(a.call, b.call), cmp.Compare(a.attempt, b.attempt))
}

// gathering holds the attempts and the calls of one run. The maps are looked up, never ranged over.
type gathering struct {
	attempts map[id]*AttemptSide
	calls    map[id]*CallSide
	attemptIDs,
	callIDs []id
}

func (g *gathering) gather(run []event.Event) {
	g.attempts, g.calls = map[id]*AttemptSide{}, map[id]*CallSide{}
	for i := range run {
		e := &run[i]
		switch r := &e.Request; e.Kind {
		case event.CallStarted, event.CallSucceeded, event.CallGaveUp:
			g.call(e)
		case event.AttemptSent:
			key := id{r.Client, r.Call, r.Attempt}
			g.attempts[key] = &AttemptSide{Sent: e.Seq, At: e.At}
			g.attemptIDs = append(g.attemptIDs, key)
		}
		if a := g.attempts[id{e.Request.Client, e.Request.Call, e.Request.Attempt}]; a != nil {
			a.event(e)
		}
	}
}

func (g *gathering) call(e *event.Event) {
	key := id{e.Request.Client, e.Request.Call, 0}
	c := g.calls[key]
	if c == nil {
		c = &CallSide{}
		g.calls[key] = c
		g.callIDs = append(g.callIDs, key)
	}
	if e.Kind == event.CallStarted {
		c.Begun = e.Seq
		return
	}
	c.Ended, c.At, c.Succeeded = e.Seq, e.At, e.Kind == event.CallSucceeded
	c.Status, c.Reason = e.Response.Status, e.Decision.Reason
}

// event notes what became of an attempt.
func (a *AttemptSide) event(e *event.Event) {
	switch e.Kind {
	case event.ReplyArrived:
		a.Status = e.Response.Status
	case event.AttemptFailed:
		a.Failure = e.Failure
	case event.RetryScheduled, event.CallSucceeded, event.CallGaveUp:
		a.Decided, a.Reason = e.Seq, e.Decision.Reason
		if e.Kind == event.RetryScheduled {
			a.Wait = e.Decision.Wait
		}
	}
}

// both returns the names in two lists, in order and each once.
func both(a, b []id) []id {
	all := slices.Concat(a, b)
	slices.SortFunc(all, id.compare)
	return slices.Compact(all)
}

func attempts(a, b *gathering) []Attempt {
	var list []Attempt
	for _, key := range both(a.attemptIDs, b.attemptIDs) {
		t := Attempt{Client: key.client, Call: key.call, Number: key.attempt}
		for s, side := range [2]*AttemptSide{a.attempts[key], b.attempts[key]} {
			if side != nil {
				t.Sides[s] = *side
			}
		}
		if !t.Sides[0].like(t.Sides[1]) {
			list = append(list, t)
		}
	}
	return list
}

// like reports whether an attempt went the same way in both runs; the numbers of the events are no part of that.
func (a AttemptSide) like(b AttemptSide) bool {
	sent := (a.Sent > 0) == (b.Sent > 0) && (a.Decided > 0) == (b.Decided > 0)
	a.Sent, a.Decided, b.Sent, b.Decided = 0, 0, 0, 0
	return sent && a == b
}

func calls(a, b *gathering) []Call {
	var list []Call
	for _, key := range both(a.callIDs, b.callIDs) {
		c := Call{Client: key.client, Number: key.call}
		for s, side := range [2]*CallSide{a.calls[key], b.calls[key]} {
			if side != nil {
				c.Sides[s] = *side
			}
		}
		if !c.Sides[0].like(c.Sides[1]) {
			list = append(list, c)
		}
	}
	return list
}

func (a CallSide) like(b CallSide) bool {
	ended := (a.Begun > 0) == (b.Begun > 0) && (a.Ended > 0) == (b.Ended > 0)
	a.Begun, a.Ended, b.Begun, b.Ended = 0, 0, 0, 0
	return ended && a == b
}
