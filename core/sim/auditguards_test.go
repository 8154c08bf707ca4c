package sim

import (
	"retrylab.example/core/breaker"
	"retrylab.example/core/call"
	"retrylab.example/core/clock"
	"retrylab.example/core/decision"
	"retrylab.example/core/event"
)

// guardAudit is what the audit knows of the guards of all clients, from events alone.
type guardAudit struct {
	config   Config
	now      []*Guards // by client
	pending  *Guards   // what the next guards-changed event sets
	eras     []int     // how often the guards of a client were changed
	pools    []places
	circuits []circuit
	given    int // permits
	returned int
	gaveUp   event.Event // the latest call that gave up
}

// of returns what wraps a client's calls.
func (g *guardAudit) of(client int) *Guards {
	if c := g.now[client]; c != nil {
		return c
	}
	return &Guards{}
}

type places struct{ running, queued int }

type circuit struct {
	state breaker.State
	until clock.Instant // when probes may pass
}

func newGuardAudit(c Config) guardAudit {
	g := guardAudit{config: c, pools: make([]places, len(c.Pools)+1)}
	g.circuits, g.eras = make([]circuit, len(c.Clients)), make([]int, len(c.Clients))
	for _, cl := range c.Clients {
		g.now = append(g.now, cl.Guards)
	}
	return g
}

// change: the new circuit is closed, whatever the old one was.
func (g *guardAudit) change(client int) {
	g.now[client], g.circuits[client] = g.pending, circuit{}
	g.eras[client]++
}

// admitted is what the guards said of one attempt, and when.
type admitted struct {
	attempt          int
	at               clock.Instant
	breaker, limiter bool
}

// guards checks the events of the guards of one call.
func (a *audit) guards(e *event.Event, c *audited) {
	g := a.guard.of(e.Request.Client)
	switch e.Kind {
	case event.TaskQueued, event.TaskStarted, event.TaskEnded:
		if c.pool == 0 {
			c.pool = g.Pool
		}
		a.task(e, c)
	case event.AttemptAdmitted, event.CircuitHalfOpened:
		a.admit(e, c)
	case event.CircuitOpened, event.CircuitClosed, event.ResultRecorded:
		a.guard.returned++
		a.result(e, c)
	case event.AttemptHeld:
		if e.Until <= e.At || g.Poll == 0 || e.Decision.Reason != decision.TokensMissing {
			a.fail(e, "held until %d for %s", e.Until, e.Decision.Reason)
		}
	case event.AttemptSent:
		a.sentThrough(e, c, g)
	case event.SendRefused:
		a.refusedLocally(e, g)
	case event.CallGaveUp:
		a.guard.gaveUp = *e
		a.patience(e, c)
	case event.CallSucceeded:
		a.patience(e, c)
	case event.FallbackUsed:
		up := &a.guard.gaveUp
		class := (call.Outcome{Response: up.Response, Failure: up.Failure}).Class()
		if up.Seq != e.Seq-1 || !sameAttempt(up.Request, e.Request) || e.Response != g.Fallback ||
			up.Response.Status > 0 && class == call.Permanent {
			a.fail(e, "after event %d", up.Seq)
		}
	}
}

// task counts the places of a pool: never more running or queued than may, and nobody waits while a place is free.
func (a *audit) task(e *event.Event, c *audited) {
	p := &a.guard.pools[c.pool]
	switch {
	case e.Kind == event.TaskQueued:
		p.queued++
	case e.Kind == event.TaskEnded:
		if p.running--; !c.task || !c.ended && !c.left {
			a.fail(e, "no such task")
		}
		c.task, c.left = false, false
		return
	default:
		p.running++
		if e.Decision.Reason == decision.TurnCame {
			p.queued--
		}
		c.task = true
	}
	if s := a.guard.config.Pools[c.pool-1]; p.running > s.Running || p.queued > s.Queue || p.queued > 0 && p.running < s.Running {
		a.fail(e, "%d running, %d queued", p.running, p.queued)
	}
}

// admit: a closed circuit lets pass, an open one only once it has been so for long enough.
func (a *audit) admit(e *event.Event, c *audited) {
	if c.admitted.attempt != e.Request.Attempt || c.admitted.at != e.At {
		c.admitted = admitted{attempt: e.Request.Attempt, at: e.At}
	}
	if e.Decision.Reason == decision.TokensTaken {
		c.admitted.limiter = true
		return
	}
	a.guard.given++
	c.admitted.breaker = true
	switch k := &a.guard.circuits[e.Request.Client]; {
	case e.Kind == event.CircuitHalfOpened:
		if k.state != breaker.Open || e.At < k.until {
			a.fail(e, "the circuit is %s until %d", k.state, k.until)
		}
		k.state = breaker.HalfOpen
	case k.state == breaker.Open, k.state == breaker.HalfOpen != (e.Decision.Reason == decision.ProbeAdmitted):
		a.fail(e, "%s, and the circuit is %s", e.Decision.Reason, k.state)
	}
}

// result: an attempt that was sent before the guards were changed neither opens nor closes the new circuit.
func (a *audit) result(e *event.Event, c *audited) {
	k := &a.guard.circuits[e.Request.Client]
	if c.era != a.guard.eras[e.Request.Client] && e.Decision.Reason != decision.PermitStale {
		a.fail(e, "its permit is of guards that are gone")
	}
	switch e.Kind {
	case event.CircuitOpened:
		if k.state == breaker.Open {
			a.fail(e, "it was open")
		}
		k.state, k.until = breaker.Open, e.Until
	case event.CircuitClosed:
		if k.state != breaker.HalfOpen {
			a.fail(e, "it was %s", k.state)
		}
		k.state = breaker.Closed
	}
}

// sentThrough: nothing is sent past a guard, nor later than its word.
func (a *audit) sentThrough(e *event.Event, c *audited, g *Guards) {
	now := c.admitted.attempt == e.Request.Attempt && c.admitted.at == e.At
	if g.Breaker != (breaker.Config{}) && !(now && c.admitted.breaker) || g.Limiter.Capacity > 0 && !(now && c.admitted.limiter) {
		a.fail(e, "a guard did not let it pass")
	}
	if a.guard.circuits[e.Request.Client].state == breaker.Open {
		a.fail(e, "the circuit is open")
	}
	if c.pool > 0 && !c.task {
		a.fail(e, "without a place")
	}
	c.permit, c.era = now && c.admitted.breaker, a.guard.eras[e.Request.Client]
}

func (a *audit) refusedLocally(e *event.Event, g *Guards) {
	k := &a.guard.circuits[e.Request.Client]
	switch p := a.guard.pools[g.Pool]; e.Decision.Reason {
	case decision.BulkheadFull:
		if s := a.guard.config.Pools[g.Pool-1]; p.running < s.Running || p.queued < s.Queue {
			a.fail(e, "%d running, %d queued", p.running, p.queued)
		}
	case decision.CircuitOpen:
		if k.state != breaker.Open || e.At >= k.until {
			a.fail(e, "the circuit is %s until %d", k.state, k.until)
		}
	case decision.ProbesRunning:
		if k.state != breaker.HalfOpen {
			a.fail(e, "the circuit is %s", k.state)
		}
	}
}

// patience: no caller waits longer than it may, and none leaves earlier.
func (a *audit) patience(e *event.Event, c *audited) {
	left := e.Decision.Reason == decision.CallerLeft
	if c.pool == 0 || a.guard.config.Pools[c.pool-1].CallerTimeout == 0 {
		if left {
			a.fail(e, "it waits for ever")
		}
		return
	}
	waited, most := e.At.Sub(c.started), a.guard.config.Pools[c.pool-1].CallerTimeout
	if waited > most || left && waited != most {
		a.fail(e, "the caller waited %d of %d", waited, most)
	}
}

// permits counts the attempts under way that hold a permit.
func (a *audit) permits() (held int) {
	for _, c := range a.calls {
		if c.open && c.permit {
			held++
		}
	}
	return held
}
