package lesson

import (
	"slices"

	"retrylab.example/core/breaker"
	"retrylab.example/core/decision"
	"retrylab.example/core/event"
)

// What a StateCheck may be of.
const (
	circuitState = "breaker"
	runningState = "running"
	queuedState  = "queued"
)

var stateNames = []string{circuitState, runningState, queuedState}

// state follows a circuit or a pool. An open circuit is half-open from its first probe on, and not before.
func (j *Judge) state(e *event.Event) {
	c := j.check
	switch {
	case c.Of != circuitState:
		j.inPool(e)
	case e.Request.Client != c.Client:
	case e.Kind == event.CircuitOpened:
		j.circuit, j.res.Seq = breaker.Open, e.Seq
	case e.Kind == event.CircuitHalfOpened:
		j.circuit, j.res.Seq = breaker.HalfOpen, e.Seq
	case e.Kind == event.CircuitClosed, e.Kind == event.GuardsChanged: // a new circuit is closed
		j.circuit, j.res.Seq = breaker.Closed, e.Seq
	}
}

// inPool counts an event of a call that began in the pool. A client whose guards change may begin its further calls in
// another one; a task stays where it is.
func (j *Judge) inPool(e *event.Event) {
	r := &e.Request
	switch e.Kind {
	case event.GuardsChanged:
		j.members = slices.DeleteFunc(slices.Clone(j.members), func(client int) bool { return client == r.Client })
		if e.Pool == j.check.Pool {
			j.members = append(j.members, r.Client)
		}
	case event.TaskQueued, event.TaskStarted:
		task := taskID{r.Client, r.Call}
		if e.Decision.Reason == decision.TurnCame {
			if slices.Contains(j.tasks, task) {
				j.task(e)
			}
		} else if slices.Contains(j.members, r.Client) {
			j.tasks = append(j.tasks, task)
			j.task(e)
		}
	case event.TaskEnded:
		if i := slices.Index(j.tasks, taskID{r.Client, r.Call}); i >= 0 {
			j.tasks = slices.Delete(j.tasks, i, i+1)
			j.task(e)
		}
	}
}

// taskID names a task of a pool by its call.
type taskID struct{ client, call int }

// task counts the tasks of the pool and keeps the highest number: of those that run, or of those that wait.
func (j *Judge) task(e *event.Event) {
	switch e.Kind {
	case event.TaskQueued:
		j.queued++
	case event.TaskStarted:
		j.running++
		if e.Decision.Reason == decision.TurnCame {
			j.queued--
		}
	case event.TaskEnded:
		j.running--
	}
	now := j.running
	if j.check.Of == queuedState {
		now = j.queued
	}
	for j.times < now {
		j.happen(e)
	}
}

// reached says how a state stands. That of a circuit may change again, and the highest number of tasks only grows.
func (j *Judge) reached(res *Result) {
	c := j.check
	if c.Of != circuitState {
		res.Actual, res.State = number(Equals, j.times), compare(c.Bound, j.times, c.Number)
		return
	}
	res.Actual = Value{Code: j.circuit.String()}
	if j.circuit == c.Circuit {
		res.State = Holds
	}
}
