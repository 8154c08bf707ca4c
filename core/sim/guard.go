package sim

import (
	"retrylab.example/core/breaker"
	"retrylab.example/core/call"
	"retrylab.example/core/clock"
	"retrylab.example/core/decision"
	"retrylab.example/core/event"
	"retrylab.example/core/retry"
)

// submit asks for a place in the client's bulkhead; ok says that the call may begin to send now.
func (s *State) submit(r call.Request, sink Sink) (ok bool) {
	c := &s.clients[r.Client]
	if c.guards == nil {
		return true
	}
	c.guards.calls = append(c.guards.calls, wrapped{})
	if c.guards.Pool == 0 {
		return true
	}
	p, w := &s.pools[c.guards.Pool-1], s.wrapped(&r)
	after, task, d := p.bulkhead.Submit(s.now)
	p.bulkhead, w.task, w.pool = after, task.Serial, int32(c.guards.Pool)
	if task.Leaves != clock.Max && task.Serial != 0 {
		s.push(task.Leaves, leaving, callerLeaves, &r)
	}
	switch d.Verdict {
	case decision.Refuse:
		s.refuse(r, d, sink)
		return false
	case decision.Enqueue:
		s.call(&r).phase = queued
		p.waiting = append(p.waiting, r)
		s.emit(sink, event.Event{Kind: event.TaskQueued, Request: r, Until: task.Leaves, Decision: d})
		return false
	}
	s.emit(sink, event.Event{Kind: event.TaskStarted, Request: r, Until: task.Leaves, Decision: d})
	return true
}

// refuse ends a call whose attempt one of the client's own guards refused.
func (s *State) refuse(r call.Request, d decision.Decision, sink Sink) {
	s.emit(sink, event.Event{Kind: event.SendRefused, Request: r, Decision: d})
	d.Verdict = decision.GiveUp
	s.clients[r.Client].spend(s.call(&r), &retry.Input{Request: r}, &d)
	s.begin(event.CallGaveUp, event.Client, &r).Decision = d
	s.finish(sink)
}

// pass asks the breaker and then the limiter, both at this instant; ok says that the attempt may be sent. Where the
// limiter refuses, the breaker is left as it was, so no permit is held over a wait.
func (s *State) pass(r call.Request, sink Sink) (ok bool) {
	c := &s.clients[r.Client]
	g := c.guards
	if g == nil {
		return true
	}
	var next breaker.Breaker
	var permit breaker.Permit
	var admitted decision.Decision
	if g.breaker.Generation() > 0 {
		next, permit, admitted = g.breaker.Admit(s.now)
		if admitted.Verdict == decision.Refuse {
			s.refuse(r, admitted, sink)
			return false
		}
	}
	limited := c.guards.Limiter.Capacity > 0
	var taken decision.Decision
	if limited {
		if g.bucket, taken = g.bucket.Take(c.Name, s.now); taken.Verdict == decision.Refuse {
			s.hold(r, taken, sink)
			return false
		}
	}
	if g.breaker.Generation() > 0 {
		kind := event.AttemptAdmitted
		if next.Generation() != g.breaker.Generation() {
			kind = event.CircuitHalfOpened
		}
		g.breaker, s.wrapped(&r).permit = next, permit
		s.emit(sink, event.Event{Kind: kind, Request: r, Decision: admitted})
	}
	if limited {
		for i := range taken.Flips() {
			taken.Flips()[i].Wait = g.Poll // without a token it would wait, where its client polls
		}
		s.emit(sink, event.Event{Kind: event.AttemptAdmitted, Request: r, Decision: taken})
	}
	return true
}

// hold lets an attempt wait for a token, or ends its call if it does not wait.
func (s *State) hold(r call.Request, d decision.Decision, sink Sink) {
	c, st := &s.clients[r.Client], s.call(&r)
	passes, _ := d.Term(decision.Passes)
	if c.guards.Poll == 0 {
		d.Wait = clock.Instant(passes.Value).Sub(s.now)
		s.refuse(r, d, sink)
		return
	}
	until := nextPoll(s.now, clock.Instant(passes.Value), st.deadline, c.guards.Poll)
	d.Wait = until.Sub(s.now)
	st.phase = held
	s.push(until, expiry, pollDue, &r)
	s.emit(sink, event.Event{Kind: event.AttemptHeld, Request: r, Until: until, Decision: d})
}

// record tells the breaker of an attempt's outcome and takes back the permit.
func (s *State) record(r call.Request, o call.Outcome, sink Sink) {
	g := s.clients[r.Client].guards
	if g == nil {
		return
	}
	w := s.wrapped(&r)
	permit := w.permit
	w.permit = breaker.Permit{}
	if g.breaker.Generation() == 0 || permit == (breaker.Permit{}) {
		return // the attempt was sent before there was a breaker, or that is gone
	}
	next, d := g.breaker.Record(s.now, permit, o.Class())
	g.breaker = next
	e := event.Event{Kind: event.ResultRecorded, Request: r, Decision: d}
	switch d.Verdict {
	case decision.Trip:
		e.Kind = event.CircuitOpened
		e.Until, _ = next.HalfOpens()
	case decision.Close:
		e.Kind = event.CircuitClosed
	}
	s.emit(sink, e)
}

// finish shows the event that says how a call ended, which was begun; the call's phase says so already. A caller that
// gave up gets the fallback, if there is one. If the caller had left, its call has ended before, and only the task ends
// now.
func (s *State) finish(sink Sink) {
	e := s.scratch
	r := e.Request
	c := &s.clients[r.Client]
	if c.guards == nil {
		s.show(sink)
		return
	}
	w := s.wrapped(&r)
	if w.left {
		e.Kind = event.TaskEnded
		s.show(sink)
	} else {
		s.show(sink)
		s.fallBack(e, sink)
		if w.task != 0 {
			s.emit(sink, event.Event{Kind: event.TaskEnded, Request: r})
		}
	}
	if w.task != 0 {
		s.vacate(vacated{int(w.pool), w.task}, sink)
	}
}

// fallBack gives the caller of a call that gave up what it gets instead.
func (s *State) fallBack(e *event.Event, sink Sink) {
	f := &s.clients[e.Request.Client].guards.Fallback
	if e.Kind != event.CallGaveUp || f.Status == 0 {
		return
	}
	if e.Response.Status > 0 && (call.Outcome{Response: e.Response, Failure: e.Failure}).Class() == call.Permanent {
		return
	}
	s.emit(sink, event.Event{Kind: event.FallbackUsed, Request: e.Request, Response: *f})
}

// vacate gives the place of a task that has ended to the first in the queue. That one may end at once and free it again:
// then the loop goes on, so that a long queue makes no deep recursion.
func (s *State) vacate(v vacated, sink Sink) {
	s.vacated = append(s.vacated, v)
	if len(s.vacated) > 1 {
		return // the loop below is running
	}
	for i := 0; i < len(s.vacated); i++ {
		v := s.vacated[i]
		p := &s.pools[v.pool-1]
		after, next, d := p.bulkhead.Finish(s.now, v.task)
		p.bulkhead = after
		if next.Serial == 0 {
			continue
		}
		r := p.waiting[0]
		p.waiting = append(p.waiting[:0], p.waiting[1:]...)
		s.emit(sink, event.Event{Kind: event.TaskStarted, Request: r, Until: next.Leaves, Decision: d})
		s.send(r, sink)
	}
	s.vacated = s.vacated[:0]
}

// goAway lets the caller of a call go. Its task goes on, in its place or in the queue.
func (s *State) goAway(it *item, sink Sink) {
	st, w := s.call(&it.request), s.wrapped(&it.request)
	if st == nil || st.phase == ended {
		return
	}
	p := &s.pools[w.pool-1]
	after, d := p.bulkhead.Leave(s.now, w.task)
	p.bulkhead, w.left = after, true
	e := event.Event{Kind: event.CallGaveUp, Request: st.request, Decision: d}
	s.emit(sink, e)
	s.fallBack(&e, sink)
}
