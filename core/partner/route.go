package partner

import (
	"strconv"
	"strings"

	"retrylab.example/core/call"
	"retrylab.example/core/clock"
	"retrylab.example/core/decision"
)

// route is what a request asks the partner to do.
type route uint8

const (
	readWork route = iota
	readWindow
	readRate
	readTotal
	readSlots
	readReservation
	readEstimate
	changeTotal
	reserve
	cancel
	joinWaitlist
)

func (r route) changes() bool { return r >= changeTotal }

const (
	ratePath     = "/rate"
	windowPath   = "/window"
	waitlistPath = "/waitlist"
	estimatePath = "/estimate"
)

// route returns what a request asks for, or why the partner does not do it.
//
//	GET  /work               contract B: answers {"ok":true}
//	GET  /window             how many requests of the caller a sliding log counts; itself it does not count
//	POST /add                contract C: adds the amount
//	GET, HEAD, PUT, DELETE, PATCH /total    reads, sets, clears, or adds to the total
//	GET  /rate               contract D: answers {"status":"ok"}, 3 times in each whole second
//	POST /reservations       contract E: takes places of a slot, 409 if too few are left
//	GET  /reservations       how many places of each slot are taken
//	GET, DELETE /reservations/7    reads or cancels one reservation of the caller
//	POST /waitlist           joins the line of a slot
//	POST /estimate           says how many places a slot has left, and changes nothing
func (b *book) route(r *call.Request) (route, decision.Reason) {
	method := strings.ToUpper(r.Method)
	switch {
	case r.Path == "/work" && method == "GET":
		return readWork, decision.NoReason
	case r.Path == windowPath && method == "GET":
		return readWindow, decision.NoReason
	case r.Path == ratePath && method == "GET":
		return readRate, decision.NoReason
	case r.Path == "/total" && (method == "GET" || method == "HEAD"):
		return readTotal, decision.NoReason
	case r.Path == "/total" && method == "DELETE":
		return changeTotal, decision.NoReason
	case r.Path == "/add" && method == "POST", r.Path == "/total" && (method == "PUT" || method == "PATCH"):
		return changeTotal, validAmount(r)
	case r.Path == call.Reservations && method == "GET":
		return readSlots, decision.NoReason
	case method == "POST":
		return b.routePost(r)
	}
	if _, ok := reservationID(r.Path); ok {
		switch method {
		case "GET":
			return readReservation, decision.NoReason
		case "DELETE":
			return cancel, decision.NoReason
		}
	}
	return readWork, decision.Unroutable
}

// Changes reports whether a request asks for a change, so that doing it twice could matter.
func Changes(r *call.Request) bool { return r.Op() != call.Read && r.Path != estimatePath }

func (b *book) routePost(r *call.Request) (to route, why decision.Reason) {
	switch r.Path {
	case call.Reservations:
		to = reserve
	case waitlistPath:
		to = joinWaitlist
	case estimatePath:
		to = readEstimate
	default:
		return to, decision.Unroutable
	}
	if why = validAmount(r); why == decision.NoReason && (r.Slot < 1 || r.Slot > int64(len(b.taken))) {
		why = decision.SlotUnknown
	}
	return to, why
}

func validAmount(r *call.Request) decision.Reason {
	if r.Amount < 1 || r.Amount > MaxAmount {
		return decision.AmountInvalid
	}
	return decision.NoReason
}

// reservationID reads the number in the path of one reservation.
func reservationID(path string) (int64, bool) {
	text, ok := strings.CutPrefix(path, call.Reservations+"/")
	id, err := strconv.ParseInt(text, 10, 64)
	return id, ok && err == nil && id > 0 && strconv.FormatInt(id, 10) == text
}

// instead returns what a request leads to that comes in the place of one that was admitted. Nothing changes, and nothing is
// copied: whoever asks for unknown slots must not cost what the partner keeps.
func (p *Partner) instead(now clock.Instant, r *call.Request) decision.Decision {
	route, _ := p.book.route(r)
	if !route.changes() {
		return decision.Decision{Verdict: decision.Return, Reason: decision.ReadOnly}
	}
	res := Result{Request: *r}
	if !p.unledgered(r, &res.Answer) {
		res.Answer = p.ledger.Look(now, *r)
	}
	if res.Answer.Verdict == decision.Apply {
		p.plan(r, route, &res) // which says why not, if there is nothing to do
	}
	return res.Answer
}

// refuseRoute answers a request that the partner does not execute.
func (p *Partner) refuseRoute(now clock.Instant, res *Result, reason decision.Reason) {
	r := &res.Request
	res.Answer = refusal(reason)
	switch reason {
	case decision.AmountInvalid:
		res.Answer.Add(decision.Term{Name: decision.Payload, Value: r.Amount, Mark: decision.Decided})
		p.refuse(res, 400, "invalid_amount")
	case decision.SlotUnknown:
		res.Answer.Add(decision.Term{Name: decision.Slot, Value: r.Slot, Mark: decision.Decided})
		known, bound := *r, decision.AtMost
		if known.Slot = int64(len(p.book.taken)); r.Slot < 1 {
			known.Slot, bound = 1, decision.Exactly
		}
		then := p.instead(now, &known)
		res.Answer.AddFlip(decision.Flip{
			Name: decision.Slot, Bound: bound, Value: known.Slot, Verdict: then.Verdict, Reason: then.Reason, Wait: then.Wait,
		})
		p.refuse(res, 404, "not_found")
	default:
		res.Answer.Add(decision.Term{Name: decision.Method, Text: r.Method + " " + r.Path, Mark: decision.Decided})
		p.refuse(res, 404, "not_found")
	}
}
