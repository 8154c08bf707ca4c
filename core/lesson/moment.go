package lesson

import (
	"retrylab.example/core/decision"
	"retrylab.example/core/event"
)

// Moment describes events. All but Kind may be zero and then match anything.
type Moment struct {
	Kind event.Kind
	// Client is the client's place in the scenario, Call and Attempt are those of its request; all count from 1.
	Client, Call, Attempt int
	// Status is that of the response, Reason that of the decision.
	Status int
	Reason decision.Reason
}

// like reports whether an event is as m describes.
func (m *Moment) like(e *event.Event) bool {
	r := &e.Request
	return e.Kind == m.Kind && (m.Client == 0 || r.Client == m.Client-1) && (m.Call == 0 || r.Call == m.Call) &&
		(m.Attempt == 0 || r.Attempt == m.Attempt) && (m.Status == 0 || e.Response.Status == m.Status) &&
		(m.Reason == decision.NoReason || e.Decision.Reason == m.Reason)
}

// happen counts an event. The check rests on the one that suffices, and the first that is too many breaks it.
func (j *Judge) happen(e *event.Event) {
	c := j.check
	j.times++
	if c.Bound != AtMost && j.times <= c.Number || c.Bound != AtLeast && j.times == c.Number+1 {
		j.res.Seq = e.Seq
	}
}

// order looks for Then before First is found, and then for Then alone.
func (j *Judge) order(e *event.Event) {
	c := j.check
	switch {
	case j.res.State != Open:
	case c.Then.like(e):
		j.res.Seq, j.res.State = e.Seq, Holds
		if j.first == 0 {
			j.res.State = Fails
		}
	case j.first == 0 && c.First.like(e):
		j.first, j.res.Seq = e.Seq, e.Seq
	}
}

// retry takes an event of the call whose retries are counted. A call whose caller has left goes on without it, until its
// task ends.
func (j *Judge) retry(e *event.Event) {
	switch {
	case e.Kind == event.AttemptSent && e.Request.Attempt > 1:
		j.happen(e)
	case j.over == 0 && (ends(e) && e.Decision.Reason != decision.CallerLeft || e.Kind == event.TaskEnded):
		j.over = e.Seq
	}
}

// retried says how the number of retries stands: it grows until the call is over, which breaks it if it is too low.
func (j *Judge) retried(res *Result) {
	c := j.check
	res.Actual, res.State = number(Equals, j.times), compare(c.Bound, j.times, c.Number)
	switch {
	case res.State == Open && j.over > 0:
		res.State, res.Seq = Fails, j.over
	case res.State == Holds && j.over == 0 && c.Bound != AtLeast:
		res.State = Open // more may come
	}
}
