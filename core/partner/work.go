package partner

import (
	"strings"
	"time"

	"retrylab.example/core/call"
	"retrylab.example/core/clock"
	"retrylab.example/core/decision"
	"retrylab.example/core/event"
	"retrylab.example/core/ledger"
	"retrylab.example/core/limit"
	"retrylab.example/core/rng"
)

// Work says how long the partner works on a request. The zero value is no time at all.
//
//	time = Least + draw·(Most − Least) + PerBusy · requests that are worked on when it begins, itself not counted
type Work struct {
	// Least and Most bound the time of an idle partner, both ≥ 0; with Most ≤ Least every request takes Least.
	Least, Most time.Duration
	// PerBusy is what each other request that is worked on adds, ≥ 0.
	PerBusy time.Duration
}

// Draws reports whether the time of work is drawn.
func (w Work) Draws() bool { return w.Most > w.Least }

// Takes reports whether work takes any time.
func (w Work) Takes() bool { return w != Work{} }

// PathWork says how long the partner works on requests of one path and of those below it: "/reservations" is the path of
// "/reservations/7" too.
type PathWork struct {
	Path string
	Work
}

// WorkOn returns how long the partner works on a request: what the first entry of Paths says that is about its path,
// else Work.
func (c *Config) WorkOn(path string) Work {
	for i := range c.Paths {
		if below, ok := strings.CutPrefix(path, c.Paths[i].Path); ok && (below == "" || below[0] == '/') {
			return c.Paths[i].Work
		}
	}
	return c.Work
}

// WorkTakes reports whether work on any path takes time.
func (c *Config) WorkTakes() bool {
	for i := range c.Paths {
		if c.Paths[i].Takes() {
			return true
		}
	}
	return c.Work.Takes()
}

func (w Work) time(draw uint64, busy int) time.Duration {
	spread := rng.OfDraw(draw).Scale(max(w.Most-w.Least, 0))
	return clock.Sum(clock.Sum(w.Least, spread), clock.Times(w.PerBusy, uint64(max(busy, 0))))
}

// Arrival is a request that has arrived, with the chance and the fate that it brings along.
type Arrival struct {
	Request call.Request
	// Draw chooses the time of its work; the same draw gives the same time.
	Draw uint64
	Fate Fate
	// Listens says that the caller takes notices: one that joins a waitlist is told when its turn comes.
	Listens bool
}

// Fate is what befalls a request at the partner and on the way back. The partner obeys CrashBefore, CrashBetween and
// Fail; the others are for whoever carries the reply.
type Fate struct {
	Fault event.Fault
	// Response is the error of a Fail, 500 if it has no status; or the answer of a Reply.
	Response call.Response
	// Delay is how long the answer is held back, ≥ 0.
	Delay time.Duration
}

// Began is work on a request that waits for a place or runs.
type Began struct {
	// Job numbers it, for Complete; 0 is none.
	Job     uint64
	Request call.Request
	// Queued says that it waits for a place. It begins when another work ends, whose Result then has it as Next.
	Queued bool
	// Ends is when running work is done; whoever calls the partner then calls Complete. clock.Max while it waits.
	Ends clock.Instant
}

// job is a request that was admitted and has no answer yet.
type job struct {
	serial  uint64
	request call.Request
	route   route
	draw    uint64
	fate    Fate
	permit  limit.Permit
	task    uint64 // in the capacity, 0 where that is not limited
	ticket  ledger.Ticket
	keyed   bool // the ledger watches over it
	listens bool
}

// pending is a job that waits or runs, with the decision that it may be executed.
type pending struct {
	job
	answer decision.Decision
}

// Arrive takes one request that has arrived. The questions come in this order: the client's key, the limiter, the route,
// the ledger, a place to work. Whoever is refused or gets a saved response is answered at once; so is everyone if work
// takes no time. Other work waits or runs until Complete.
func (p Partner) Arrive(now clock.Instant, a Arrival) (Partner, Result) {
	var res Result
	p.Receive(now, &a, &res)
	return p, res
}

// Receive is Arrive in place: p becomes its successor, and res, whatever it held, what the request led to. To hand both
// around as values is a quarter of the work of an arrival.
func (p *Partner) Receive(now clock.Instant, a *Arrival, res *Result) {
	res.clear()
	res.Request, res.Fate = a.Request, a.Fate
	j := job{request: a.Request, draw: a.Draw, fate: a.Fate, listens: a.Listens}
	switch {
	case !p.admit(now, &j, res):
		res.cutAtTheDoor()
	case !p.ask(now, &j, res):
		p.limiter.release(j.permit)
		res.cutAtTheDoor()
	default:
		p.begin(now, &j, res)
	}
}

// clear makes a result the zero value but for its request and its fate.
func (res *Result) clear() {
	res.Admission.Clear()
	res.Answer.Clear()
	res.Place.Clear()
	res.Response, res.PlaceOpens, res.Delta, res.Total, res.Cut, res.Notices = call.Response{}, 0, 0, 0, false, nil
	if res.Work.Job != 0 {
		res.Work = Began{}
	}
	if res.Next.Job != 0 {
		res.Next = Began{}
	}
}

// cutAtTheDoor lets a crash before the effect strike a request that would have had none: its answer is lost.
func (res *Result) cutAtTheDoor() {
	if res.Fate.Fault == event.CrashBefore {
		res.cut()
	}
}

// admit asks for the client's key, and the limiter.
func (p *Partner) admit(now clock.Instant, j *job, res *Result) bool {
	r := &j.request
	switch {
	case r.Path == ratePath:
		p.rate, res.Admission = p.rate.Take(ratePath, now)
		res.PlaceOpens = periodEnd(rateLimit, now)
	case p.limiter.kind == noLimiter:
		return true
	case !limit.ValidClientKey(r.ClientID):
		res.Answer = refusal(decision.ClientKeyInvalid)
		res.Answer.Add(decision.Term{Name: decision.ClientKey, Text: r.ClientID, Mark: decision.Decided})
		res.Response, res.Total = InvalidClient(r.Path), p.total
		return false
	case p.looksUp(r):
		return true
	default:
		res.PlaceOpens, j.permit = p.limiter.take(r.ClientID, now, &res.Admission)
	}
	if res.Admission.Verdict == decision.Refuse {
		res.Response, res.PlaceOpens = limited(r.Path, res.Admission.Wait), 0
		res.Total = p.total
		return false
	}
	return true
}

// ask asks the route and the ledger. It is false if the request is answered thereby.
func (p *Partner) ask(now clock.Instant, j *job, res *Result) bool {
	r := &j.request
	route, reason := p.book.route(r)
	if route == readWindow && p.limiter.kind != slidingLog {
		reason = decision.Unroutable
	}
	j.route = route
	switch {
	case reason != decision.NoReason:
		p.refuseRoute(now, res, reason)
		return false
	case !route.changes():
		return true
	case p.unledgered(r, &res.Answer):
		p.heed(j, &res.Answer)
		if res.Answer.Verdict == decision.Refuse {
			p.refuse(res, 400, "key_missing")
		}
		return res.Answer.Verdict == decision.Apply
	}
	j.keyed = true
	return p.askLedger(now, j, res)
}

// heed looks at what the flips of a ledger's decision would have led to: whatever the key, a slot may have no place left, and
// a reservation be cancelled.
func (p *Partner) heed(j *job, d *decision.Decision) {
	if j.route != reserve && j.route != cancel {
		return
	}
	for i := range d.Flips() {
		f := &d.Flips()[i]
		res := Result{Request: j.request, Answer: decision.Decision{Verdict: f.Verdict, Reason: f.Reason}}
		if f.Verdict != decision.Apply {
			continue
		}
		if _, ok := p.plan(&j.request, j.route, &res); !ok {
			f.Verdict, f.Reason = res.Answer.Verdict, res.Answer.Reason
		}
	}
}

// unledgered decides about a request of which the ledger is not asked, because the partner looks at no key or there is
// none, and reports whether it is one.
func (p *Partner) unledgered(r *call.Request, d *decision.Decision) bool {
	if r.HasKey() {
		if p.config.IgnoreKeys {
			d.Verdict, d.Reason = decision.Apply, decision.KeysIgnored
			d.Add(decision.Term{Name: decision.Key, Text: r.Key, Value: 1, Mark: decision.Ignored})
		}
		return p.config.IgnoreKeys
	}
	d.Verdict, d.Reason = decision.Apply, decision.KeyAbsent
	missing := p.config.RequireKeys && r.Op() == call.Add
	if missing {
		d.Verdict, d.Reason = decision.Refuse, decision.KeyMissing
	}
	d.Add(decision.Term{Name: decision.Key, Mark: decision.Decided})
	keyed := decision.Flip{Name: decision.Key, Bound: decision.Exactly, Value: 1, Verdict: decision.Apply, Reason: decision.KeyNew}
	if p.config.IgnoreKeys {
		keyed.Reason = decision.KeysIgnored
	}
	if missing || !p.config.IgnoreKeys { // else a key changes nothing
		d.AddFlip(keyed)
	}
	return true
}

func (p *Partner) askLedger(now clock.Instant, j *job, res *Result) bool {
	var saved call.Response
	p.ledger, j.ticket, saved, res.Answer = p.ledger.Begin(now, j.request)
	p.heed(j, &res.Answer)
	switch {
	case res.Answer.Verdict == decision.Apply:
		return true
	case res.Answer.Verdict == decision.Replay:
		res.Response, res.Total = saved, p.total
	case res.Answer.Reason == decision.KeyInFlight:
		p.refuse(res, 409, "key_in_flight")
		res.Response.RetryAfter, res.Response.HasRetryAfter = "1", true // ledger.InFlightWait
	default:
		p.refuse(res, 422, "key_mismatch")
	}
	return false
}

// begin gives the request a place, if there is one, and does its work at once if that takes no time.
func (p *Partner) begin(now clock.Instant, j *job, res *Result) {
	queued := false
	if p.config.Capacity.Running > 0 {
		next, task, d := p.capacity.Submit(now)
		if d.Verdict == decision.Refuse {
			p.ledger = p.ledger.Abandon(j.ticket)
			p.limiter.release(j.permit)
			res.Answer = d
			p.refuse(res, 503, "overloaded")
			res.cutAtTheDoor()
			return
		}
		p.capacity, res.Place, j.task = next, d, task.Serial
		queued = d.Verdict == decision.Enqueue
	}
	ends := clock.Max
	if !queued {
		ends = now.Add(p.config.WorkOn(j.request.Path).time(j.draw, p.busy(j.task)))
	}
	p.begun++
	j.serial = p.begun
	if ends == now {
		res.Place = decision.Decision{}
		p.end(now, j, res)
		return
	}
	p.jobs = append(p.jobs, pending{*j, res.Answer})
	res.Answer = decision.Decision{}
	res.Work = Began{Job: j.serial, Request: j.request, Queued: queued, Ends: ends}
}

// busy returns how many other requests are worked on.
func (p *Partner) busy(task uint64) int {
	if task != 0 {
		return p.capacity.Running() - 1
	}
	return len(p.jobs)
}

// Complete ends the work on a request at its instant: effect, record and answer are one step. A number that is not of a
// running work changes nothing.
func (p Partner) Complete(now clock.Instant, serial uint64) (Partner, Result) {
	for i := range p.jobs {
		if p.jobs[i].serial != serial {
			continue
		}
		j := p.jobs[i].job
		res := Result{Request: j.request, Fate: j.fate, Answer: p.jobs[i].answer}
		last := len(p.jobs) - 1
		p.jobs[i], p.jobs[last] = p.jobs[last], pending{}
		p.jobs = p.jobs[:last]
		p.end(now, &j, &res)
		return p, res
	}
	return p, Result{}
}

// end answers the request, and gives its place to the next.
func (p *Partner) end(now clock.Instant, j *job, res *Result) {
	p.answer(now, j, res)
	p.limiter.release(j.permit)
	if j.task == 0 {
		return
	}
	next, task, place := p.capacity.Finish(now, j.task)
	p.capacity = next
	for i := range p.jobs {
		if q := &p.jobs[i]; task.Serial != 0 && q.task == task.Serial {
			ends := now.Add(p.config.WorkOn(q.request.Path).time(q.draw, p.capacity.Running()-1))
			res.Next, res.Place = Began{Job: q.serial, Request: q.request, Ends: ends}, place
		}
	}
}

// Working returns how many requests have begun and have no answer yet, those that wait for a place among them.
func (p Partner) Working() int { return len(p.jobs) }

// MarksKeys reports whether a crash before the effect leaves a trace: a key in flight, or time that has passed.
func (p Partner) MarksKeys() bool { return p.config.Ledger.Lease > 0 || p.config.WorkTakes() }
