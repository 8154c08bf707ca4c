// Package partner is the flaky partner: the one implementation of its routes, limiter, ledger and effects. The
// simulation calls it with virtual instants, an HTTP handler with real ones. Nothing in it waits: delay and drop are
// for whoever carries the reply.
package partner

import (
	"strconv"
	"strings"

	"retrylab.example/core/call"
	"retrylab.example/core/clock"
	"retrylab.example/core/decision"
	"retrylab.example/core/ledger"
	"retrylab.example/core/limit"
)

// Config is the setting of a partner.
type Config struct {
	// Limit admits so many requests of one client in a sliding window. The zero value is no limit.
	Limit limit.Config
	// IgnoreKeys makes a partner that does not look at Idempotency-Keys, so that every arrival has its effect.
	IgnoreKeys bool
	// Ledger says how long keys are remembered.
	Ledger ledger.Config
}

// Partner is the state of one partner. Use New. Handle returns the successor and may reuse storage, as append does;
// Clone before keeping two versions.
type Partner struct {
	config  Config
	limiter limit.Log
	ledger  ledger.Ledger
	total   int64
	keyless int
}

// MaxAmount bounds an amount, so that a total of any bounded run fits 64 bits.
const MaxAmount = 1_000_000_000

// New returns a partner that has seen nothing. The error is the limiter's.
func New(c Config) (Partner, error) {
	p := Partner{config: c, ledger: ledger.New(c.Ledger)}
	if c.Limit != (limit.Config{}) {
		var err error
		if p.limiter, err = limit.New(c.Limit); err != nil {
			return Partner{}, err
		}
	}
	return p, nil
}

// Clone returns a copy that shares no storage.
func (p Partner) Clone() Partner {
	p.limiter, p.ledger = p.limiter.Clone(), p.ledger.Clone()
	return p
}

// Total returns the partner's actual total.
func (p Partner) Total() int64 { return p.total }

// Effects returns how many effects happened: those recorded under a key, and those without a record.
func (p Partner) Effects() (recorded, keyless int) { return p.ledger.Made(), p.keyless }

// Result is what one request led to, for whoever carries the reply and writes the events.
type Result struct {
	Response call.Response
	// Admission is the limiter's decision; its verdict is NoVerdict where the partner has no limit.
	Admission decision.Decision
	// PlaceOpens is when the place that an admitted request took opens again.
	PlaceOpens clock.Instant
	// Answer is what the request then led to: Apply, Replay, Refuse, or Return for a request that reads.
	// NoVerdict if the limiter refused.
	Answer decision.Decision
	// Delta is what the effect changed, Total the total afterwards.
	Delta, Total int64
}

// Handle takes one request that has arrived, in this order: the client's key, the limiter, the route, the ledger, the
// effect with its record. The last two are one step: no other request comes between them.
func (p Partner) Handle(now clock.Instant, r call.Request) (Partner, Result) {
	var res Result
	if p.config.Limit.Limit > 0 {
		if !limit.ValidClientKey(r.ClientID) {
			res.Answer = refusal(decision.ClientKeyInvalid)
			res.Answer.Add(decision.Term{Name: decision.ClientKey, Text: r.ClientID, Mark: decision.Decided})
			return p, p.refuse(res, 400, "invalid_client")
		}
		p.limiter, res.Admission = p.limiter.Take(r.ClientID, now)
		if res.Admission.Verdict == decision.Refuse {
			res.Response = LimitedResponse(int64(res.Admission.Wait / 1e9))
			res.Total = p.total
			return p, res
		}
		res.PlaceOpens = now.Add(p.config.Limit.Window)
	}
	switch answer := route(r); answer {
	case decision.NoReason:
		return p.execute(now, r, res)
	case decision.ReadOnly:
		res.Answer = decision.Decision{Verdict: decision.Return, Reason: answer}
		res.Answer.Add(decision.Term{Name: decision.Method, Text: r.Method, Value: 1, Mark: decision.Decided})
		res.Response, res.Total = call.Response{Status: 200, Body: p.reading(r)}, p.total
		return p, res
	case decision.AmountInvalid:
		res.Answer = refusal(answer)
		res.Answer.Add(decision.Term{Name: decision.Payload, Value: r.Amount, Mark: decision.Decided})
		return p, p.refuse(res, 400, "invalid_amount")
	default:
		res.Answer = refusal(answer)
		res.Answer.Add(decision.Term{Name: decision.Method, Text: r.Method + " " + r.Path, Mark: decision.Decided})
		return p, p.refuse(res, 404, "not_found")
	}
}

func refusal(r decision.Reason) decision.Decision {
	return decision.Decision{Verdict: decision.Refuse, Reason: r}
}

func (p Partner) refuse(res Result, status int, code string) Result {
	res.Response = call.Response{Status: status, Body: call.Body{Code: code}}
	res.Total = p.total
	return res
}

func (p Partner) reading(r call.Request) call.Body {
	if r.Path == "/work" {
		return call.Body{}
	}
	return call.Body{HasTotal: true, Total: p.total}
}

// LimitedResponse is contract B's answer when the window is full.
func LimitedResponse(wait int64) call.Response {
	return call.Response{
		Status: 429, RetryAfter: strconv.FormatInt(wait, 10), HasRetryAfter: true, Body: call.Body{Code: "rate_limited"},
	}
}

// execute runs the effect of a valid request: once per key where keys count, each time otherwise.
func (p Partner) execute(now clock.Instant, r call.Request, res Result) (Partner, Result) {
	switch {
	case p.config.IgnoreKeys && r.HasKey():
		res.Answer = decision.Decision{Verdict: decision.Apply, Reason: decision.KeysIgnored}
		res.Answer.Add(decision.Term{Name: decision.Key, Text: r.Key, Value: 1, Mark: decision.Ignored})
	case !r.HasKey():
		res.Answer = decision.Decision{Verdict: decision.Apply, Reason: decision.KeyAbsent}
		res.Answer.Add(decision.Term{Name: decision.Key, Mark: decision.Decided})
		res.Answer.AddFlip(decision.Flip{
			Name: decision.Key, Bound: decision.Exactly, Value: 1, Verdict: decision.Apply, Reason: decision.KeyNew,
		})
	default:
		var saved call.Response
		saved, res.Answer = p.ledger.Begin(now, r)
		switch res.Answer.Verdict {
		case decision.Replay:
			res.Response, res.Total = saved, p.total
			return p, res
		case decision.Refuse:
			return p, p.refuse(res, 422, "key_mismatch")
		}
	}
	before := p.total
	p.total = r.Op().Apply(p.total, r.Amount)
	res.Delta, res.Total = p.total-before, p.total
	res.Response = call.Response{Status: 200, Body: call.Body{HasTotal: true, Total: p.total}}
	if res.Answer.Reason == decision.KeyNew {
		p.ledger = p.ledger.Finish(now, r, res.Response)
	} else {
		p.keyless++
	}
	return p, res
}

// route returns NoReason for a request with an effect, ReadOnly for one without, else why it is refused.
//
//	GET  /work           contract B: answers {"ok":true}
//	POST /add            contract C: adds the amount
//	GET, HEAD, PUT, DELETE, PATCH /total    reads, sets, clears, or adds to the total
func route(r call.Request) decision.Reason {
	switch method := strings.ToUpper(r.Method); {
	case r.Path == "/work" && method == "GET":
		return decision.ReadOnly
	case r.Path == "/total" && (method == "GET" || method == "HEAD"):
		return decision.ReadOnly
	case r.Path == "/total" && method == "DELETE":
		return decision.NoReason
	case r.Path == "/add" && method == "POST", r.Path == "/total" && (method == "PUT" || method == "PATCH"):
		if r.Amount < 1 || r.Amount > MaxAmount {
			return decision.AmountInvalid
		}
		return decision.NoReason
	}
	return decision.Unroutable
}
