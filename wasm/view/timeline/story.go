package timeline

import (
	"time"

	"retrylab.example/core/call"
	"retrylab.example/core/clock"
	"retrylab.example/core/decision"
	"retrylab.example/core/event"
	"retrylab.example/core/ledger"
)

// story is the run as a drawing needs it: events gathered by the attempt that they are about. It points into the
// events of the input.
type story struct {
	calls    []*callStory    // in the order of their start
	attempts []*attemptStory // in the order in which they were sent
	records  []*record       // of the ledger, in the order in which they were made
	notes    []*event.Event  // what no attempt did: a person's orders, the end of the run
	counted  *event.Event    // the limiter decision whose window is shown
	keyed    bool            // some request carried a key
	guards   guards
	loose    []*event.Event // what no lane shows
	// placeRows and recordRows are how many rows the places of the window and the records take.
	placeRows, recordRows int
	notices               []notice
}

// notice is what the partner told a client, and the effect that it told of, nil where that is not shown.
type notice struct{ told, of *event.Event }

type callStory struct {
	start    *event.Event
	deadline clock.Instant
	last     *attemptStory
	ended    bool
}

// attemptStory is one attempt. Events that did not happen are nil.
type attemptStory struct {
	call *callStory
	req  call.Request

	// waits is the event with which it began to wait for a place or a token, and gone what ended that without a sending.
	waits, gone                                *event.Event
	sent, notSent                              *event.Event
	requestLost, arrived, admitted             *event.Event
	refused, applied, answered, replay         *event.Event
	crash, replyLost, reply, ignored, timedOut *event.Event
	decided                                    *event.Event

	duplicate bool          // its effect came after another of the same call
	first     *attemptStory // whose effect a replay repeats
	row       int           // in its lane
	place     int           // the row of the place that it takes of the sliding window, −1 where it takes none
}

// start is when the attempt was sent, or would have been; as long as it waits for that, when it began to.
func (a *attemptStory) start() clock.Instant {
	switch {
	case a.sent != nil:
		return a.sent.At
	case a.notSent != nil:
		return a.notSent.At
	}
	return a.waits.At
}

// from is when its row begins.
func (a *attemptStory) from() clock.Instant {
	if a.waits != nil {
		return a.waits.At
	}
	return a.start()
}

// waiting returns from when to when it waited for a place or a token.
func (a *attemptStory) waiting(now clock.Instant) (from, to clock.Instant, ok bool) {
	switch {
	case a.waits == nil:
		return 0, 0, false
	case a.sent != nil || a.notSent != nil:
		now = a.start()
	case a.gone != nil:
		now = a.gone.At
	}
	return a.waits.At, now, now > a.waits.At
}

// waitText names what an attempt waited for.
func (a *attemptStory) waitText(in Input) string {
	if a.waits.Kind == event.TaskQueued {
		return in.say("queue.place")
	}
	return in.say("queue.token")
}

// end is when the caller knew its outcome.
func (a *attemptStory) end() (at clock.Instant, ok bool) {
	switch {
	case a.reply != nil:
		return a.reply.At, true
	case a.timedOut != nil:
		return a.timedOut.At, true
	case a.decided != nil:
		return a.decided.At, true
	}
	return 0, false
}

// arrival is the event that says what became of the request at the partner's door.
func (a *attemptStory) arrival() *event.Event {
	for _, e := range []*event.Event{a.refused, a.admitted, a.answered, a.crash, a.arrived} {
		if e != nil {
			return e
		}
	}
	return nil
}

// outcome is how a bar looks.
type outcome string

const (
	flight    outcome = "flight"
	succeeded outcome = "ok"
	replayed  outcome = "replayed"
	throttled outcome = "throttled"
	failed    outcome = "failure"
)

func (a *attemptStory) outcome() outcome {
	switch {
	case a.reply != nil:
		switch (call.Outcome{Response: a.reply.Response}).Class() {
		case call.Success:
			if a.reply.Response.Replayed {
				return replayed
			}
			return succeeded
		case call.Throttled:
			return throttled
		}
		return failed
	case a.timedOut != nil:
		return failed
	}
	return flight
}

// record is one row of the ledger, from the beginning of its request until it was replaced or has expired.
type record struct {
	begun *event.Event // work on the request, if that takes time and the ledger knows of it
	made  *event.Event // nil as long as the request is in flight
	until clock.Instant
	row   int
}

// first is the event with which the record began.
func (r *record) first() *event.Event {
	if r.begun != nil {
		return r.begun
	}
	return r.made
}

type attemptID struct{ client, call, attempt int }

// teller folds events into a story. Its maps are looked up, never ranged over.
type teller struct {
	*story
	calls    map[attemptID]*callStory
	attempts map[attemptID]*attemptStory
	effects  map[ledger.Scope]*attemptStory
	records  map[ledger.Scope]*record
	applied  map[attemptID]bool
	latest   *event.Event // effect
	// lifetime and lease are those of the ledger's records.
	lifetime, lease time.Duration
}

func tell(in Input) *story {
	t := teller{
		story: &story{}, calls: map[attemptID]*callStory{}, attempts: map[attemptID]*attemptStory{},
		effects: map[ledger.Scope]*attemptStory{}, records: map[ledger.Scope]*record{}, applied: map[attemptID]bool{},
		lifetime: in.KeyLifetime, lease: in.KeyLease,
	}
	for i := range in.Events {
		e := &in.Events[i]
		taken := t.guards.event(&in, e)
		if in.Vertical && !in.Crowded() && e.Request.Client != in.Client && e.Request.Call > 0 {
			continue
		}
		if !t.event(e) && !taken {
			t.story.loose = append(t.story.loose, e)
		}
		if _, ok := e.Decision.Term(decision.Counted); ok && t.counts(in, e) {
			t.counted = e
		}
	}
	t.story.placeRows = layPlaces(t.story.attempts)
	t.story.recordRows = layRecords(t.story.records)
	return t.story
}

// counts says whether the window of e is the one to show: the selected one, else the latest.
func (t *teller) counts(in Input, e *event.Event) bool {
	return t.counted == nil || t.counted.Seq != in.Selected || e.Seq == in.Selected
}

// event notes an event where its attempt is drawn, and reports whether it is drawn there.
func (t *teller) event(e *event.Event) bool {
	id := attemptID{client: e.Request.Client, call: e.Request.Call}
	switch e.Kind {
	case event.FaultInjected, event.PolicyChanged, event.GuardsChanged, event.LimitChanged,
		event.LimitRefused, event.RunStopped:
		t.notes = append(t.notes, e)
		return true
	case event.CallStarted:
		c := &callStory{start: e, deadline: e.Until}
		t.calls[id] = c
		t.story.calls = append(t.story.calls, c)
		t.keyed = t.keyed || e.Request.HasKey()
		return true
	}
	c := t.calls[id]
	if c == nil {
		return false // not a run's prefix; there is nothing to draw it on
	}
	id.attempt = e.Request.Attempt
	a := t.attempts[id]
	if a == nil {
		switch e.Kind {
		case event.AttemptSent, event.SendRefused, event.TaskQueued, event.AttemptHeld:
		default:
			c.ended = c.ended || e.Kind == event.CallGaveUp
			return false
		}
		a = &attemptStory{call: c, req: e.Request}
		t.attempts[id] = a
		t.story.attempts = append(t.story.attempts, a)
		c.last = a
	}
	if a.sent == nil && a.notSent == nil && e.Kind == event.CallGaveUp {
		c.ended = true
		if e.Decision.Reason != decision.CallerLeft { // whose task stays in the queue
			a.gone = e
		}
		return false
	}
	return t.attempt(a, e)
}

// attempt notes one event of an attempt, and reports whether there is a place for it.
func (t *teller) attempt(a *attemptStory, e *event.Event) bool {
	switch e.Kind {
	case event.TaskQueued, event.AttemptHeld:
		if a.waits == nil {
			a.waits = e
		}
		return false
	case event.Notified:
		t.notices = append(t.notices, notice{e, t.latest})
	case event.AttemptSent:
		a.sent = e
	case event.SendRefused:
		a.notSent = e
	case event.RequestLost:
		a.requestLost = e
	case event.RequestArrived:
		a.arrived = e
	case event.WorkBegan:
		t.inFlight(e)
	case event.RequestAdmitted:
		a.admitted = e
	case event.RequestRefused:
		a.refused = e
	case event.EffectApplied:
		t.effect(a, e)
	case event.RequestAnswered:
		a.answered = e
	case event.ReplyReplayed:
		a.replay, a.first = e, t.effects[ledger.ScopeOf(e.Request)]
	case event.PartnerCrashed:
		a.crash = e
	case event.ReplyLost, event.ReplyTruncated:
		a.replyLost = e
	case event.ReplyArrived:
		a.reply = e
	case event.ReplyIgnored:
		a.ignored = e
	case event.AttemptFailed:
		a.timedOut = e
	case event.RetryScheduled, event.CallSucceeded, event.CallGaveUp:
		a.decided = e
		a.call.ended = a.call.ended || e.Kind != event.RetryScheduled // work goes on when its caller has left
		if left, ok := e.Decision.Term(decision.DeadlineLeft); ok && left.Mark != decision.Off {
			a.call.deadline = clock.Instant(left.A) // a policy may start the deadline anew at every attempt
		}
	default:
		return false
	}
	return true
}

func (t *teller) effect(a *attemptStory, e *event.Event) {
	a.applied, t.latest = e, e
	id := attemptID{client: e.Request.Client, call: e.Request.Call}
	a.duplicate = t.applied[id] && e.Delta != 0
	t.applied[id] = true
	if e.Decision.Reason != decision.KeyNew && e.Decision.Reason != decision.LeaseOver {
		return
	}
	scope := ledger.ScopeOf(e.Request)
	t.effects[scope] = a
	r := t.records[scope]
	if r == nil || r.made != nil {
		r = t.record(scope, e.At)
	}
	r.made, r.until = e, clock.Max
	if t.lifetime > 0 {
		r.until = r.first().At.Add(t.lifetime)
	}
}

// record begins a new record in the place of what the ledger has of a key.
func (t *teller) record(scope ledger.Scope, at clock.Instant) *record {
	if old := t.records[scope]; old != nil {
		old.until = min(old.until, at)
	}
	r := &record{until: clock.Max}
	t.records[scope] = r
	t.story.records = append(t.story.records, r)
	return r
}

// inFlight notes that work began on a request with a key. A saved record stays what it is: it is answered without work.
func (t *teller) inFlight(e *event.Event) {
	if t.lease == 0 || !e.Request.HasKey() {
		return
	}
	r := t.record(ledger.ScopeOf(e.Request), e.At)
	r.begun, r.until = e, e.At.Add(t.lease)
}
