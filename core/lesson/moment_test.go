package lesson

import (
	"testing"

	"retrylab.example/core/breaker"
	"retrylab.example/core/decision"
	"retrylab.example/core/event"
)

// because gives an event's decision a reason.
func because(k event.Kind, attempt int, r decision.Reason) event.Event {
	e := fact(k, 0, attempt)
	e.Decision.Reason = r
	return e
}

// answered gives an event's response a status.
func answered(k event.Kind, status int) event.Event {
	e := fact(k, 0, 1)
	e.Response.Status = status
	return e
}

func TestRetries(t *testing.T) {
	retries := func(b Bound, n int64) Check { return Check{Kind: Retries, Bound: b, Number: n} }
	first, second, third := fact(event.AttemptSent, 0, 1), fact(event.AttemptSent, 0, 2), fact(event.AttemptSent, 0, 3)
	left, task := because(event.CallGaveUp, 1, decision.CallerLeft), fact(event.TaskEnded, 0, 2)
	testChecks(t, []checkCase{
		{"nothing yet", retries(Equals, 0), nil, Open, "0", "0", 0},
		{"none", retries(Equals, 0), []event.Event{first, succeeded(0)}, Holds, "0", "0", 0},
		{"as many, and more may come", retries(Equals, 1), []event.Event{first, second}, Open, "1", "1", 2},
		{"as many", retries(Equals, 1), []event.Event{first, second, succeeded(0)}, Holds, "1", "1", 2},
		{"one too many broke it", retries(Equals, 1), []event.Event{first, second, third, succeeded(0)}, Fails, "1", "2", 3},
		{"too few: the end broke it", retries(Equals, 2), []event.Event{first, second, gaveUp(0, 503, decision.AttemptsSpent)}, Fails, "2", "1", 3},
		{"enough", retries(AtLeast, 1), []event.Event{first, second}, Holds, "at least 1", "1", 2},
		{"at most, not ended", retries(AtMost, 1), []event.Event{first, second}, Open, "at most 1", "1", 0},
		{"at most", retries(AtMost, 1), []event.Event{first, succeeded(0)}, Holds, "at most 1", "0", 0},
		{"of another client", retries(Equals, 0), []event.Event{other(second), succeeded(0)}, Holds, "0", "0", 0},
		{"a wait alone is none", retries(Equals, 0), []event.Event{first, retried(0, 1, 1), gaveUp(0, 0, decision.DeadlinePassed)}, Holds, "0", "0", 0},
		{"the caller left, the work goes on", retries(Equals, 1), []event.Event{first, left}, Open, "1", "0", 0},
		{"the work ended after the caller left", retries(Equals, 1), []event.Event{first, left, second, task}, Holds, "1", "1", 3},
	})
}

func TestHappens(t *testing.T) {
	happens := func(b Bound, n int64, m Moment) Check { return Check{Kind: Happens, Bound: b, Number: n, Then: m} }
	refused := Moment{Kind: event.SendRefused, Client: 1, Reason: decision.CircuitOpen}
	open := because(event.SendRefused, 1, decision.CircuitOpen)
	testChecks(t, []checkCase{
		{"not yet", happens(AtLeast, 1, refused), []event.Event{fact(event.AttemptSent, 0, 1)}, Open, "at least 1", "0", 0},
		{"another client", happens(AtLeast, 1, refused), []event.Event{other(open)}, Open, "at least 1", "0", 0},
		{"any client", happens(AtLeast, 1, Moment{Kind: event.SendRefused}), []event.Event{other(open)}, Holds, "at least 1", "1", 1},
		{"another reason", happens(AtLeast, 1, refused), []event.Event{because(event.SendRefused, 1, decision.ProbesRunning)}, Open, "at least 1", "0", 0},
		{"it rests on the one that sufficed", happens(AtLeast, 2, refused), []event.Event{open, open, open}, Holds, "at least 2", "3", 2},
		{"as many", happens(Equals, 1, refused), []event.Event{open}, Holds, "1", "1", 1},
		{"one too many broke it", happens(Equals, 1, refused), []event.Event{open, open, open}, Fails, "1", "3", 2},
		{"never", happens(Equals, 0, refused), nil, Holds, "0", "0", 0},
		{"at most", happens(AtMost, 1, refused), []event.Event{open}, Holds, "at most 1", "1", 0},
		{"more than at most", happens(AtMost, 1, refused), []event.Event{open, open}, Fails, "at most 1", "2", 2},
		{"that attempt", happens(Equals, 1, Moment{Kind: event.AttemptSent, Attempt: 2}), []event.Event{fact(event.AttemptSent, 0, 1), fact(event.AttemptSent, 0, 2)}, Holds, "1", "1", 2},
		{"that call", happens(AtLeast, 1, Moment{Kind: event.AttemptSent, Call: 2}), []event.Event{fact(event.AttemptSent, 0, 1)}, Open, "at least 1", "0", 0},
		{"that status", happens(Equals, 1, Moment{Kind: event.ReplyArrived, Status: 429}), []event.Event{answered(event.ReplyArrived, 503), answered(event.ReplyArrived, 429)}, Holds, "1", "1", 2},
	})
}

func TestOrder(t *testing.T) {
	order := Check{Kind: Order, First: Moment{Kind: event.CircuitOpened, Client: 1}, Then: Moment{Kind: event.CircuitClosed}}
	opened, closed := fact(event.CircuitOpened, 0, 1), fact(event.CircuitClosed, 0, 1)
	testChecks(t, []checkCase{
		{"nothing yet", order, nil, Open, "in-order", "not-yet", 0},
		{"the first alone", order, []event.Event{opened, opened}, Open, "in-order", "first-only", 1},
		{"one after the other", order, []event.Event{opened, closed, opened}, Holds, "in-order", "in-order", 2},
		{"the other way round", order, []event.Event{closed, opened, closed}, Fails, "in-order", "not-in-order", 1},
		{"the first of another client", order, []event.Event{other(opened), closed}, Fails, "in-order", "not-in-order", 2},
	})
}

func TestStateOfABreaker(t *testing.T) {
	state := func(s breaker.State) Check { return Check{Kind: StateCheck, Of: circuitState, Circuit: s} }
	opened, half, closed := fact(event.CircuitOpened, 0, 1), fact(event.CircuitHalfOpened, 0, 1), fact(event.CircuitClosed, 0, 1)
	testChecks(t, []checkCase{
		{"closed at first", state(breaker.Closed), nil, Holds, "closed", "closed", 0},
		{"not open yet", state(breaker.Open), []event.Event{fact(event.ResultRecorded, 0, 1)}, Open, "open", "closed", 0},
		{"open", state(breaker.Open), []event.Event{opened}, Holds, "open", "open", 1},
		{"another client's", state(breaker.Open), []event.Event{other(opened)}, Open, "open", "closed", 0},
		{"half-open", state(breaker.HalfOpen), []event.Event{opened, half}, Holds, "half-open", "half-open", 2},
		{"open no longer", state(breaker.Open), []event.Event{opened, half, closed}, Open, "open", "closed", 3},
		{"another breaker", state(breaker.Open), []event.Event{opened, fact(event.GuardsChanged, 0, 0)}, Open, "open", "closed", 2},
		{"open again", state(breaker.Open), []event.Event{opened, half, opened}, Holds, "open", "open", 3},
	})
}

func TestStateOfAPool(t *testing.T) {
	state := func(of string, b Bound, n int64) Check {
		return Check{Kind: StateCheck, Of: of, Pool: 1, members: []int{0}, Bound: b, Number: n}
	}
	start, wait, end := fact(event.TaskStarted, 0, 1), fact(event.TaskQueued, 0, 1), fact(event.TaskEnded, 0, 1)
	turn := because(event.TaskStarted, 1, decision.TurnCame)
	into := func(pool int) event.Event {
		e := fact(event.GuardsChanged, 0, 0)
		e.Pool = pool
		return e
	}
	busy := []event.Event{start, start, wait, end, turn, wait, end}
	testChecks(t, []checkCase{
		{"nobody", state(runningState, AtMost, 2), nil, Holds, "at most 2", "0", 0},
		{"the highest number stays", state(runningState, Equals, 2), busy, Holds, "2", "2", 2},
		{"above", state(runningState, AtMost, 1), busy, Fails, "at most 1", "2", 2},
		{"below", state(runningState, AtLeast, 3), busy, Open, "at least 3", "2", 2},
		{"who got its turn waits no longer", state(queuedState, Equals, 1), busy, Holds, "1", "1", 3},
		{"two wait", state(queuedState, AtMost, 1), []event.Event{wait, wait}, Fails, "at most 1", "2", 2},
		{"of another pool", state(runningState, AtLeast, 1), []event.Event{other(start)}, Open, "at least 1", "0", 0},
		{"moved away", state(runningState, AtMost, 1), []event.Event{start, into(2), start, end, end, start}, Holds, "at most 1", "1", 0},
		{"moved in", state(runningState, AtLeast, 1), []event.Event{other(start), other(into(1)), other(end), other(start)}, Holds, "at least 1", "1", 4},
		{"without a pool", state(runningState, Equals, 0), []event.Event{into(0), start}, Holds, "0", "0", 0},
	})
}
