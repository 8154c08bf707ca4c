package partner

import (
	"strconv"

	"retrylab.example/core/call"
	"retrylab.example/core/clock"
	"retrylab.example/core/decision"
	"retrylab.example/core/event"
)

// answer executes a request whose work is done, unless its fate comes before.
func (p *Partner) answer(now clock.Instant, j *job, res *Result) {
	switch {
	case j.fate.Fault == event.CrashBefore:
		res.cut()
		res.Total = p.total
		return
	case j.keyed && !p.ledger.Holds(now, j.ticket):
		// The lease ran out over the work: without it nothing may be done, so the key is asked anew.
		if !p.askLedger(now, j, res) {
			return
		}
	}
	switch {
	case j.fate.Fault == event.Fail:
		p.fail(now, j, res)
	case !j.route.changes():
		res.Answer.Verdict, res.Answer.Reason = decision.Return, decision.ReadOnly
		res.Answer.Add(decision.Term{Name: decision.Method, Text: j.request.Method, Value: 1, Mark: decision.Decided})
		p.read(now, j, res)
	default:
		p.execute(now, j, res)
	}
	res.Total = p.total
}

// read answers a request that changes nothing.
func (p *Partner) read(now clock.Instant, j *job, res *Result) {
	res.Response = call.Response{Status: 200}
	b := &res.Response.Body
	switch j.route {
	case readWindow:
		row := p.limiter.counted(j.request.ClientID, now)
		res.Answer.Add(row)
		b.Text = `{"counted":` + strconv.FormatInt(row.Value, 10) + `,"limit":` + strconv.FormatInt(row.A, 10) + `}`
	case readRate:
		b.Text = `{"status":"ok"}`
	case readTotal:
		b.HasTotal, b.Total = true, p.total
	case readSlots:
		b.Text = p.book.text()
	case readReservation:
		id, _ := reservationID(j.request.Path)
		v, ok := p.book.reservation(id, j.request.ClientID)
		if !ok {
			res.Answer = refusal(decision.ReservationUnknown)
			res.Answer.Add(decision.Term{Name: decision.Reservation, Value: id, Mark: decision.Decided})
			p.refuse(res, 404, "not_found")
			return
		}
		b.Text = v.text()
	case readEstimate:
		b.Text = `{"slot":` + strconv.FormatInt(j.request.Slot, 10) + `,"amount":` +
			strconv.FormatInt(j.request.Amount, 10) + `,"free":` + strconv.FormatInt(p.book.free(j.request.Slot), 10) + `}`
	}
}

// fail ends the work in the error that was ordered. Under a key the ledger saves it if it saves such errors.
func (p *Partner) fail(now clock.Instant, j *job, res *Result) {
	r := j.fate.Response
	if r.Status == 0 {
		r = call.Response{Status: 500, Body: call.Body{Code: "internal_error"}}
	}
	res.Response = enveloped(j.request.Path, r)
	res.Answer = refusal(decision.WorkFailed)
	res.Answer.Add(decision.Term{Name: decision.Script, Value: int64(res.Response.Status), Mark: decision.Decided})
	if j.keyed {
		res.Answer.Add(decision.Term{Name: decision.Key, Text: j.request.Key, Value: 1})
		res.Answer.Add(p.save(now, j, res.Response))
	}
}

// save saves a response without an effect, if the ledger saves such, and returns the row that says so.
func (p *Partner) save(now clock.Instant, j *job, response call.Response) decision.Term {
	next, saved := p.ledger.Finish(now, j.ticket, response, false)
	p.ledger = next
	if !saved {
		return decision.Term{Name: decision.Saved, Mark: decision.Off}
	}
	return decision.Term{Name: decision.Saved, Value: int64(response.Status), A: response.Body.Total, B: int64(now)}
}

// execute runs the effect of a valid request, with its record.
func (p *Partner) execute(now clock.Instant, j *job, res *Result) {
	between := j.fate.Fault == event.CrashBetween
	if between && !p.config.SplitRecord {
		res.cut() // the step is undone as a whole
		return
	}
	e, ok := p.plan(&j.request, j.route, res)
	if !ok {
		p.without(now, j, res)
		return
	}
	p.total += e.delta
	p.effects++
	p.book.apply(e)
	switch {
	case e.kind == joinWaitlist && j.listens:
		p.book.line = append(p.book.line, j.request)
	case e.kind == cancel:
		res.Notices = p.book.notify(e.made.slot)
	}
	res.Delta = e.delta
	res.Response.Body.HasTotal, res.Response.Body.Total = true, p.total
	switch {
	case !j.keyed:
		p.keyless++
	case between:
		p.unrecorded++
		res.Answer.Reason = decision.RecordLost
	default:
		p.ledger, _ = p.ledger.Finish(now, j.ticket, res.Response, true)
	}
	if between {
		res.Cut, res.Response = true, call.Response{}
	}
}

// without answers a request that turns out to have no effect: that is a result too, and under a key it is saved.
func (p *Partner) without(now clock.Instant, j *job, res *Result) {
	if j.fate.Fault == event.CrashBetween {
		res.cut() // nothing was done, and nothing recorded
		return
	}
	res.Response = enveloped(j.request.Path, res.Response)
	if j.keyed {
		res.Answer.Add(decision.Term{Name: decision.Key, Text: j.request.Key, Value: 1})
		res.Answer.Add(p.save(now, j, res.Response))
	}
}

// cut takes the answer away: a crash comes before it.
func (res *Result) cut() {
	res.Cut, res.Response, res.Answer = true, call.Response{}, decision.Decision{}
}

// effect is what a request is about to do.
type effect struct {
	delta int64
	// kind says what happens to the book, made is the reservation or the place in line that it is about.
	kind route
	made reservation
}

// plan looks at what a request would do, and writes the response; nothing has changed yet. If it turns out that there is
// nothing to do, ok is false, and the answer says why.
func (p *Partner) plan(r *call.Request, route route, res *Result) (e effect, ok bool) {
	switch route {
	case reserve:
		return p.book.reserve(r, res)
	case cancel:
		return p.book.cancel(r, res)
	case joinWaitlist:
		return p.book.wait(r, res), true
	}
	res.Response.Status = 200
	return effect{delta: r.Op().Apply(p.total, r.Amount) - p.total}, true
}
