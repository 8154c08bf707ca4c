// Package partner is the flaky partner: the one implementation of its routes, limiters, ledger, slots and effects. The
// simulation calls it with virtual instants, an HTTP handler with real ones. Nothing in it waits: how long work takes
// and what befalls it are data in its outcome, for whoever carries the reply.
package partner

import (
	"errors"

	"retrylab.example/core/bulkhead"
	"retrylab.example/core/call"
	"retrylab.example/core/clock"
	"retrylab.example/core/decision"
	"retrylab.example/core/ledger"
	"retrylab.example/core/limit"
)

// Config is the setting of a partner. The zero value has no limit and answers at once.
type Config struct {
	// Limit admits so many requests of one client in a sliding window. The zero value is no limit; so it is with the
	// other limiters, and at most one of the five may be set. GET /rate has a limiter of its own instead.
	Limit       limit.Config
	Fixed       limit.FixedConfig
	Bucket      limit.BucketConfig
	GCRA        limit.GCRAConfig
	Concurrency limit.ConcurrencyConfig

	// IgnoreKeys makes a partner that does not look at Idempotency-Keys, so that every arrival has its effect.
	IgnoreKeys bool
	// RequireKeys refuses a POST or PATCH with an effect that has no key.
	RequireKeys bool
	// SplitRecord makes the effect and its record two steps, so that a crash can come between them.
	SplitRecord bool
	// Ledger says how long keys are remembered, and which errors.
	Ledger ledger.Config

	// Work says how long the partner works on a request, Paths how long on those of some paths instead.
	Work  Work
	Paths []PathWork
	// Capacity bounds how many requests are worked on and how many wait for that. The zero value is no bound.
	Capacity bulkhead.Config
	// Slots are what reservations take places of.
	Slots Slots
}

// ErrLimiters is returned for a partner with two limiters, ErrWork for work of negative time.
var (
	ErrLimiters = errors.New("a partner has at most one limiter")
	ErrWork     = errors.New("work takes a time of at least 0 s")
)

// Partner is the state of one partner. Use New. Methods return the successor and may reuse storage, as append does;
// Clone before keeping two versions.
type Partner struct {
	config   Config
	limiter  limiter
	rate     limit.Fixed
	ledger   ledger.Ledger
	capacity bulkhead.Bulkhead
	book     book
	jobs     []pending
	begun    uint64

	total                        int64
	effects, keyless, unrecorded int
}

// MaxAmount bounds an amount, so that a total of any bounded run fits 64 bits.
const MaxAmount = 1_000_000_000

// New returns a partner that has seen nothing. The error is that of a setting.
func New(c Config) (Partner, error) {
	p := Partner{config: c, ledger: ledger.New(c.Ledger), book: newBook(c.Slots)}
	var err error
	if p.limiter, err = newLimiter(&c); err != nil {
		return Partner{}, err
	}
	if p.rate, err = limit.NewFixed(rateLimit); err != nil {
		return Partner{}, err
	}
	for _, w := range append([]PathWork{{Work: c.Work}}, c.Paths...) {
		if w.Least < 0 || w.PerBusy < 0 {
			return Partner{}, ErrWork
		}
	}
	if c.Slots.Count < 0 || c.Slots.Places < 0 || c.Slots.Count > MaxSlots || c.Slots.Places > MaxAmount {
		return Partner{}, ErrSlots
	}
	if c.Capacity != (bulkhead.Config{}) {
		if p.capacity, err = bulkhead.New(c.Capacity); err != nil {
			return Partner{}, err
		}
	}
	return p, nil
}

// Clone returns a copy that shares no storage.
func (p Partner) Clone() Partner {
	p.limiter, p.rate, p.ledger = p.limiter.clone(), p.rate.Clone(), p.ledger.Clone()
	p.capacity, p.book = p.capacity.Clone(), p.book.clone()
	p.jobs = append([]pending(nil), p.jobs...)
	return p
}

// Total returns the partner's actual total: what its effects add up to.
func (p Partner) Total() int64 { return p.total }

// Effects returns how many effects happened: those recorded under a key, those without a key, and those whose record was
// lost in a crash.
func (p Partner) Effects() (recorded, keyless, unrecorded int) {
	return p.ledger.Made(), p.keyless, p.unrecorded
}

// Result is what one request led to, for whoever carries the reply and writes the events.
type Result struct {
	Request  call.Request
	Response call.Response
	// Admission is the limiter's decision; its verdict is NoVerdict where no limit applies.
	Admission decision.Decision
	// PlaceOpens is when the place that an admitted request took opens again: now if it holds none for a time.
	PlaceOpens clock.Instant
	// Answer is what the request then led to: Apply, Replay, Refuse, or Return for a request that reads. NoVerdict if the
	// limiter refused, and while the partner works on it.
	Answer decision.Decision
	// Delta is what the effect changed, Total the total afterwards.
	Delta, Total int64
	// Cut says that a crash came before there was an answer. An effect may have happened: then Answer says so.
	Cut bool
	// Fate is what befalls the answer, as it was given with the request.
	Fate Fate
	// Notices are the requests by which those joined a waitlist who are now told that there are places, in the order of the
	// line. They have left it, and no place is kept for them.
	Notices []call.Request
	// Work is the work on this request that now waits or runs; there is no answer before Complete. Next is the work on
	// another one that this answer made room for. They are never both there: Place is the decision about the place of
	// either, NoVerdict where places are not limited.
	Work, Next Began
	Place      decision.Decision
}

// Handle takes one request that has arrived and answers it in the same step, whatever time its work takes: no other
// request comes between its question, its effect and its record. The order is that of Arrive.
func (p Partner) Handle(now clock.Instant, r call.Request) (Partner, Result) {
	p, res := p.Arrive(now, Arrival{Request: r})
	if res.Work.Job == 0 {
		return p, res
	}
	door := res
	p, res = p.Complete(now, res.Work.Job)
	res.Admission, res.PlaceOpens = door.Admission, door.PlaceOpens
	return p, res
}

func refusal(r decision.Reason) decision.Decision {
	return decision.Decision{Verdict: decision.Refuse, Reason: r}
}

// refuse answers with an error. The caller has written the decision.
func (p *Partner) refuse(res *Result, status int, code string) {
	res.Response = errorResponse(res.Request.Path, status, code)
	res.Total = p.total
}
