package lab

import (
	"slices"
	"strings"
	"time"

	"retrylab.example/core/call"
	"retrylab.example/core/clock"
	"retrylab.example/core/ledger"
	"retrylab.example/core/retryafter"
)

// client is one caller and what it did.
type client struct {
	id              string
	requests, calls int
	open            []effort // its latest calls without a key, the latest last
	keyed           []int    // its latest calls with a key, by their places in the lab's list, the latest last
	seen            seen
}

// effort is one call, as far as the lab can tell, with its latest attempt.
type effort struct {
	request call.Request
	effects int
	// counts says that the call's key counts in the deduped total.
	counts bool
	state  state
	// arrived is when the latest attempt did, answered when its answer left or the connection was cut.
	arrived, answered clock.Instant
	// until is when the answer's Retry-After is over; 0: it had none.
	until clock.Instant
	// seq is the event of the latest attempt's arrival, status what it was answered, 0 as long as it was not.
	seq, status int
}

// state is what the lab knows of a call's latest attempt.
type state uint8

const (
	// underWay: there is no answer yet.
	underWay state = iota
	// succeeded: the answer was a success.
	succeeded
	// throttled: come again later.
	throttled
	// failed: an error of the moment.
	failed
	// permanent: the same request gets the same answer.
	permanent
	// unknown: the answer was lost.
	unknown
	// passedOn: the call went on under another key, or without one.
	passedOn
	numStates
)

var stateNames = [numStates]string{"under-way", "succeeded", "throttled", "failed", "permanent", "unknown", "passed-on"}

func parseState(name string) (state, bool) {
	i := slices.Index(stateNames[:], name)
	return state(max(i, 0)), i >= 0
}

const (
	// latest is how many calls of a client are looked at for one that a request could belong to.
	latest = 16
	// patience is after how long without an answer the same content counts as another attempt.
	patience = 500 * time.Millisecond
	// memory is how long after an answer, or after its Retry-After, the same content counts as another attempt.
	memory = time.Minute
)

// link finds out which client, call and attempt a request is, and writes it there. It returns the call as it was before,
// with attempt 0 if it is a new one.
func (l *Lab) link(r *call.Request) (before effort) {
	i, known := l.index[r.ClientID]
	if !known {
		i = len(l.clients)
		l.clients = append(l.clients, client{id: r.ClientID})
		l.index[r.ClientID] = i
	}
	c := &l.clients[i]
	c.requests++
	r.Client = i
	e := l.continues(c, r)
	if e != nil {
		before = *e
	} else {
		c.calls++
		before.request.Call = c.calls
	}
	r.Call, r.Attempt = before.request.Call, before.request.Attempt+1
	next := effort{request: *r, effects: before.effects, arrived: l.now}
	if r.HasKey() {
		l.linkKeyed(c, e, next)
		return before
	}
	switch {
	case e == nil:
	case !e.request.HasKey():
		*e = next
		return before
	default:
		e.state = passedOn
	}
	over := func(o effort) bool { return o.state != underWay && sameContent(&o.request, r) }
	if at := slices.IndexFunc(c.open, over); at >= 0 {
		c.open = slices.Delete(c.open, at, at+1)
	} else if len(c.open) == latest {
		c.open = slices.Delete(c.open, 0, 1)
	}
	c.open = append(c.open, next)
	return before
}

// linkKeyed keeps the latest attempt of a call with a key. old is the call that it continues, if it does.
func (l *Lab) linkKeyed(c *client, old *effort, next effort) {
	scope := ledger.ScopeOf(next.request)
	if i, known := l.keys[scope]; known {
		next.counts = l.keyed[i].counts
		l.keyed[i] = next
		return
	}
	if old != nil {
		old.state = passedOn
	}
	l.keys[scope] = len(l.keyed)
	if len(c.keyed) == latest {
		c.keyed = slices.Delete(c.keyed, 0, 1)
	}
	c.keyed = append(c.keyed, len(l.keyed))
	l.keyed = append(l.keyed, next)
}

// continues returns the call of which a request is another attempt, nil if it begins one.
func (l *Lab) continues(c *client, r *call.Request) *effort {
	if r.HasKey() {
		if i, known := l.keys[ledger.ScopeOf(*r)]; known {
			return &l.keyed[i]
		}
	}
	for i := len(c.open) - 1; i >= 0; i-- {
		if e := &c.open[i]; sameContent(&e.request, r) && l.awaits(e) {
			return e
		}
	}
	for _, i := range slices.Backward(c.keyed) {
		if e := &l.keyed[i]; sameContent(&e.request, r) && l.awaits(e) {
			return e
		}
	}
	return nil
}

// awaits reports whether a client could try that call again.
func (l *Lab) awaits(e *effort) bool {
	switch e.state {
	case succeeded, passedOn:
		return false
	case underWay:
		return l.now.Sub(e.arrived) >= patience
	}
	return l.now <= max(e.answered, e.until).Add(memory)
}

func sameContent(a, b *call.Request) bool {
	return a.Path == b.Path && a.Amount == b.Amount && a.Slot == b.Slot && a.IfMatch == b.IfMatch &&
		strings.EqualFold(a.Method, b.Method)
}

// effort returns the call of a request that has been linked, nil if it is not kept any more.
func (l *Lab) effort(r *call.Request) *effort {
	if r.HasKey() {
		if i, known := l.keys[ledger.ScopeOf(*r)]; known {
			return &l.keyed[i]
		}
		return nil
	}
	open := l.clients[r.Client].open
	for i := range open {
		if open[i].request.Call == r.Call {
			return &open[i]
		}
	}
	return nil
}

// pending returns the call of which a request is the latest attempt, nil if it is not.
func (l *Lab) pending(r *call.Request) *effort {
	e := l.effort(r)
	if e == nil || e.request.Attempt != r.Attempt || e.state != underWay {
		return nil
	}
	return e
}

// lost notes that the answer to a request got lost.
func (l *Lab) lost(r *call.Request) {
	if e := l.pending(r); e != nil {
		e.state, e.answered = unknown, l.now
	}
}

// answered notes that the answer to a request has left.
func (l *Lab) answered(r *call.Request, response *call.Response) {
	e := l.pending(r)
	if e == nil {
		return
	}
	e.answered, e.status = l.now, response.Status
	switch (call.Outcome{Response: *response}).Class() {
	case call.Success:
		e.state = succeeded
	case call.Throttled:
		e.state = throttled
	case call.Transient:
		e.state = failed
	default:
		e.state = permanent
		if response.Body.Code == "key_in_flight" {
			e.state = throttled // the same request is right, only later
		}
	}
	if e.state == succeeded || !response.HasRetryAfter {
		return
	}
	if asked, ok := retryafter.Parse(response.RetryAfter); ok && asked > 0 { // a date is not judged
		e.until = l.now.Add(asked)
	}
}
