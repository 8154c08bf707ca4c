package sim

import (
	"cmp"

	"retrylab.example/core/budget"
	"retrylab.example/core/call"
	"retrylab.example/core/clock"
	"retrylab.example/core/decision"
	"retrylab.example/core/event"
	"retrylab.example/core/limit"
	"retrylab.example/core/retry"
	"retrylab.example/core/rng"
)

// Step does one action and returns the world after it. Events go to the sink in their order.
func Step(s State, a Action, sink Sink) State {
	if s.stopped {
		return s
	}
	switch a.Kind {
	case Next:
		s.next(sink)
	case Advance:
		s.advance(a.To, sink)
	case Fire:
		for i := 0; i < max(a.Times, 1) && s.settle(sink); i++ {
			s.fire(a, sink)
		}
	case Inject:
		if s.settle(sink) {
			s.inject(a.Mishap, sink)
		}
	case SetPolicy:
		if s.settle(sink) {
			s.setPolicy(a, sink)
		}
	case SetGuards:
		if s.settle(sink) {
			s.setGuards(a, sink)
		}
	case SetLimit:
		if s.settle(sink) {
			s.setLimit(a.Limit, sink)
		}
	}
	return s
}

// next handles the item that is due first.
func (s *State) next(sink Sink) {
	if at, due := s.Due(); due && !s.bound(at, sink) {
		s.now = at
		slot := s.queue.take()
		s.handle(&s.queue.items[slot], sink) // a push may move the items, and leaves this one as it is
		s.queue.release(slot)
		s.dropStale()
	}
}

// dropStale drops what is stale from the front, so that what is due next is always something to see.
func (s *State) dropStale() {
	for s.queue.len() > 0 && s.stale(s.queue.first()) {
		s.queue.release(s.queue.take())
	}
}

// stale reports whether an item would do nothing: the timeout of an attempt or the patience of a caller whose end came
// before.
func (s *State) stale(it *item) bool {
	switch it.kind {
	case attemptTimesOut:
		return !s.awaits(&it.request)
	case callerLeaves:
		st := s.call(&it.request)
		return st == nil || st.phase == ended
	}
	return false
}

// awaits reports whether the attempt r is still without an outcome.
func (s *State) awaits(r *call.Request) bool {
	st := s.call(r)
	return st != nil && st.phase == inFlight && st.request.Attempt == r.Attempt
}

// advance handles everything due until to, also what becomes due on the way, and moves the clock there.
func (s *State) advance(to clock.Instant, sink Sink) {
	for {
		at, due := s.Due()
		if !due || at > to {
			break
		}
		s.next(sink)
	}
	if !s.stopped && to > s.now && !s.bound(to, sink) {
		s.now = to
	}
}

// bound stops the run if its next instant lies beyond its time, or if it has made all its events.
func (s *State) bound(at clock.Instant, sink Sink) bool {
	end := clock.Start.Add(s.config.MaxTime)
	if at <= end && s.seq < s.config.MaxEvents {
		return false
	}
	if at > end {
		s.now = end
	}
	s.emit(sink, event.Event{Kind: event.RunStopped, Who: event.Simulation, Until: end})
	s.stopped = true
	return true
}

// emit shows an event to the sink.
func (s *State) emit(sink Sink, e event.Event) {
	*s.scratch = e
	s.show(sink)
}

// begin returns the event that show will show, to be filled in where it is.
func (s *State) begin(k event.Kind, who event.Actor, r *call.Request) *event.Event {
	e := s.scratch
	e.Decision.Clear()
	e.Kind, e.Who, e.Request = k, who, *r
	e.Response, e.Failure, e.Fault = call.Response{}, call.None, event.NoFault
	e.Until, e.Delta, e.Total, e.Pool = 0, 0, 0, 0
	return e
}

func (s *State) show(sink Sink) {
	s.seq++
	s.scratch.Seq, s.scratch.At = s.seq, s.now
	sink.Event(s.scratch)
}

// push lets something befall an attempt at an instant, and returns it, to be filled in before the next push.
func (s *State) push(at clock.Instant, o order, kind itemKind, r *call.Request) *item {
	s.made++
	it := s.queue.push(at, o, kind, s.made)
	it.request = *r
	return it
}

func (s *State) handle(it *item, sink Sink) {
	switch it.kind {
	case requestArrives:
		s.arrive(it, sink)
	case replyArrives:
		s.reply(it, sink)
	case connectionRefused:
		s.fail(it, call.NeverSent, sink)
	case connectionBreaks:
		s.fail(it, call.Reset, sink)
	case replyBreaksOff:
		s.fail(it, call.Garbled, sink)
	case workEnds:
		s.workDone(it, sink)
	case attemptTimesOut:
		s.fail(it, call.TimedOut, sink)
	case waitEnds:
		s.wake(it, sink)
	case pollDue:
		s.send(it.request, sink)
	case callerLeaves:
		s.goAway(it, sink)
	case noticeArrives:
		s.notice(it, sink)
	}
}

// call returns the state of the call that a request belongs to, nil if it has ended and is forgotten.
func (s *State) call(r *call.Request) *callState {
	c := &s.clients[r.Client]
	if r.Call <= c.over {
		return nil
	}
	return &c.calls[r.Call-1-c.over]
}

// settle handles what is due at this instant, because people act last. ok is false if the run stopped: then nothing
// may follow.
func (s *State) settle(sink Sink) (ok bool) {
	s.advance(s.now, sink)
	return !s.stopped && !s.bound(s.now, sink)
}

func (s *State) inject(m Mishap, sink Sink) {
	s.injected = append(s.injected, m)
	s.emit(sink, event.Event{Kind: event.FaultInjected, Who: event.Person, Fault: m.Fault, Response: m.Response})
}

func (s *State) setPolicy(a Action, sink Sink) {
	s.clients[a.Client].setPolicy(a.Policy)
	s.emit(sink, event.Event{Kind: event.PolicyChanged, Who: event.Person, Request: call.Request{Client: a.Client}})
}

func (s *State) setLimit(set limit.Setting, sink Sink) {
	e := event.Event{Kind: event.LimitChanged, Who: event.Partner}
	if s.partner, e.Decision = s.partner.SetLimit(set); e.Decision.Verdict == decision.Refuse {
		e.Kind = event.LimitRefused
	}
	s.emit(sink, e)
}

// setPolicy changes the policy. Another shared budget starts full, and what calls held of the one before is gone.
func (c *client) setPolicy(p retry.Policy) {
	if p.Budget != c.policy.Budget {
		c.budget = budget.State{Calls: c.budget.Calls}
		for i := range c.calls {
			c.calls[i].held = 0
		}
	}
	c.policy = &p
}

// fire starts a call of a client.
func (s *State) fire(a Action, sink Sink) {
	c := &s.clients[a.Client]
	r := a.Request
	c.forget()
	r.Client, r.Call, r.Attempt, r.ClientID = a.Client, c.started()+1, 1, cmp.Or(r.ClientID, c.Name)
	deadline := deadlineFrom(s.now, c)
	c.calls = append(c.calls, callState{request: r, deadline: deadline})
	c.budget = c.budget.Begin()
	s.begin(event.CallStarted, event.Client, &r).Until = deadline
	s.show(sink)
	if s.submit(r, sink) {
		s.send(r, sink)
	}
}

// started returns how many calls the client has started.
func (c *client) started() int { return c.over + len(c.calls) }

// forget drops the first calls if they have ended, so that a client that calls again and again needs no more memory than
// its calls under way. It waits until there is no room and half of it would be won: then it costs next to nothing.
func (c *client) forget() {
	if len(c.calls) < cap(c.calls) {
		return
	}
	n := 0
	for n < len(c.calls) && c.calls[n].phase == ended {
		n++
	}
	if 2*n >= len(c.calls) {
		c.over += n
		c.calls = append(c.calls[:0], c.calls[n:]...)
	}
}

func deadlineFrom(now clock.Instant, c *client) clock.Instant {
	if c.policy.Deadline == 0 {
		return clock.Max
	}
	return now.Add(c.policy.Deadline)
}

// send sends the current attempt of a call, unless nothing is left of its deadline.
func (s *State) send(r call.Request, sink Sink) {
	c, st := &s.clients[r.Client], s.call(&r)
	if c.policy.FreshDeadline && st.phase != held {
		st.deadline = deadlineFrom(s.now, c)
	}
	if d := c.policy.BeforeSend(s.now, st.deadline, r); d.Verdict == decision.GiveUp {
		c.spend(st, &retry.Input{Request: r}, &d)
		s.emit(sink, event.Event{Kind: event.SendRefused, Request: r})
		s.begin(event.CallGaveUp, event.Client, &r).Decision = d
		s.finish(sink)
		return
	}
	if !s.pass(r, sink) {
		return
	}
	st.phase = inFlight
	timeout := c.policy.TimeoutOf(s.now, st.deadline)
	s.begin(event.AttemptSent, event.Client, &r).Until = timeout
	s.show(sink)
	if timeout != clock.Max {
		s.push(timeout, expiry, attemptTimesOut, &r)
	}
	m := s.mishap()
	switch m.Fault {
	case event.LostRequest, event.NeverSent:
		s.emit(sink, event.Event{Kind: event.RequestLost, Who: event.Network, Request: r, Fault: m.Fault})
		if m.Fault == event.NeverSent { // to ask for a connection and to be refused takes as long as a reply
			s.push(s.now.Add(s.config.Latency).Add(s.config.Latency), arrival, connectionRefused, &r)
		}
		return
	}
	s.push(s.now.Add(s.config.Latency), arrival, requestArrives, &r).mishap = m
}

// mishap takes what befalls the next request: first what a person ordered, then the script.
func (s *State) mishap() Mishap {
	if len(s.injected) > 0 {
		m := s.injected[0]
		s.injected = append(s.injected[:0], s.injected[1:]...)
		return m
	}
	script := s.config.Script
	if s.scripted < len(script) {
		s.scripted++
		return script[s.scripted-1]
	}
	if s.config.RepeatLast && len(script) > 0 {
		return script[len(script)-1]
	}
	return Mishap{}
}

// reply brings a response to its attempt, if that still waits for it.
func (s *State) reply(it *item, sink Sink) {
	if !s.awaits(&it.request) {
		s.begin(event.ReplyIgnored, event.Client, &it.request).Response = it.response
		s.show(sink)
		return
	}
	s.begin(event.ReplyArrived, event.Client, &it.request).Response = it.response
	s.show(sink)
	s.decide(it.request, call.Outcome{Response: it.response}, sink)
}

// fail ends an attempt without a response. A time-out of an attempt that has ended is nothing.
func (s *State) fail(it *item, f call.Failure, sink Sink) {
	if !s.awaits(&it.request) {
		return
	}
	s.begin(event.AttemptFailed, event.Client, &it.request).Failure = f
	s.show(sink)
	s.decide(it.request, call.Outcome{Failure: f}, sink)
}

// decide tells the client's breaker of an outcome and asks its policy what follows.
func (s *State) decide(r call.Request, o call.Outcome, sink Sink) {
	s.record(r, o, sink)
	c, st := &s.clients[r.Client], s.call(&r)
	in := retry.Input{Now: s.now, Deadline: st.deadline, Request: r, Outcome: o, Previous: st.local, Renewed: st.renewed}
	if c.policy.NeedsDraw() {
		in.Fraction = s.draw(r, rng.Jitter)
	} else {
		in.Fraction = c.policy.FractionOf(r.Attempt, 0)
	}
	if c.policy.AboveRetryAfter > 0 {
		in.Above = s.draw(r, rng.Above)
	}
	in.Budget, in.Held = c.budget, st.held
	e := s.begin(event.CallGaveUp, event.Client, &r)
	d := &e.Decision
	e.Response, e.Failure = o.Response, o.Failure
	if b, ok := sink.(Brief); ok && b.Brief() {
		*d = c.policy.Decide(in)
	} else {
		*d = c.policy.Explain(in)
	}
	c.spend(st, &in, d)
	switch d.Verdict {
	case decision.Retry:
		if st.phase, st.local = waiting, retry.LocalWait(d); retry.Renews(d) {
			st.renewed, st.local = r.Attempt, 0
		}
		e.Kind, e.Until = event.RetryScheduled, s.now.Add(d.Wait)
		s.push(e.Until.Add(c.Oversleep), expiry, waitEnds, &r)
		s.show(sink)
		return
	case decision.Return:
		e.Kind = event.CallSucceeded
	}
	s.finish(sink)
}

func (s *State) draw(r call.Request, purpose rng.Purpose) rng.Ratio {
	return rng.OfDraw(rng.Draw(s.config.Seed, r.Client, r.Call, r.Attempt, purpose))
}

// spend settles the client's budget after a decision, and ends the call unless it waits.
func (c *client) spend(st *callState, in *retry.Input, d *decision.Decision) {
	in.Budget, in.Held = c.budget, st.held
	c.budget, st.held = c.policy.Spend(in, d)
	if d.Verdict != decision.Retry {
		st.phase = ended
		c.budget = c.budget.End()
	}
}

// wake sends the next attempt after a wait.
func (s *State) wake(it *item, sink Sink) {
	st := s.call(&it.request)
	st.request.Attempt++
	s.send(st.request, sink)
}
