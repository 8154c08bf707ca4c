package limit

import (
	"errors"
	"math/bits"
	"time"

	"retrylab.example/core/clock"
	"retrylab.example/core/decision"
)

// GCRAConfig is the setting of a GCRA limiter: Limit requests per Period in the long run, Burst at once.
type GCRAConfig struct {
	// Limit is how many requests pass per period in the long run, 1 to MaxTokens. 0 is the zero value: no limit.
	Limit int64
	// Period is the length of a period, > 0.
	Period time.Duration
	// Burst is how many may come at once from rest, 1 to MaxTokens; 0 means 1. Some libraries count the burst beyond
	// the first request: there it is Burst − 1.
	Burst int64
}

// ErrGCRA is returned for a limit or a burst that is no number of requests, a period that is not positive, or a burst
// that is spread over more than 146 years.
var ErrGCRA = errors.New("a limit and a burst are 1 to 1,000,000,000 requests, and a period is longer than 0 s")

// GCRA is the generic cell rate algorithm (ITU-T I.371) for every key: each request is due one interval after the one
// before, and may come ahead of its schedule by what the burst allows. It keeps one instant for each key, the
// theoretical arrival time TAT up to which earlier requests are paid for.
//
//	interval = Period / Limit       due = max(now, TAT) + cost · interval
//	admitted iff due − now ≤ Burst · interval; then TAT = due
//
//	6 in 60 s, burst 6    six at 0 → admitted, TAT 60 s    the seventh → refused until 10 s, Retry-After 10
//
// The interval is kept exactly, as nanoseconds and parts of 1/Limit, so what is told is the very instant at which a
// request passes. It admits the same requests as a continuous Bucket of capacity Burst. Refused requests change
// nothing; a clock that is set back grants nothing and costs nobody more than he would have waited before.
//
// The zero value has no limit and admits everything. Methods return the successor and may reuse storage, as append
// does; Clone before keeping two versions.
type GCRA struct {
	config GCRAConfig
	keys   table[schedule]
}

type schedule struct {
	last clock.Instant // the latest instant seen
	paid time.Duration // how far TAT lies after last, 0 or more
	part int64         // and parts of 1/Limit ns, 0 to Limit−1
}

// NewGCRA returns a limiter that has seen nothing.
func NewGCRA(c GCRAConfig) (GCRA, error) {
	if c.Burst == 0 {
		c.Burst = 1
	}
	if c.Limit < 1 || c.Limit > MaxTokens || c.Burst < 1 || c.Burst > MaxTokens || c.Period <= 0 {
		return GCRA{}, ErrGCRA
	}
	if ahead, _ := c.intervals(c.Burst); ahead > clock.MaxDuration/2 {
		return GCRA{}, ErrGCRA // so that no schedule leaves 64 bits
	}
	return GCRA{config: c, keys: newTable[schedule]()}, nil
}

// Config returns the setting, with Burst filled in.
func (g GCRA) Config() GCRAConfig { return g.config }

// Clone returns a copy that shares no storage.
func (g GCRA) Clone() GCRA {
	g.keys = g.keys.clone()
	return g
}

// Len returns how many keys the limiter holds.
func (g GCRA) Len() int { return len(g.keys.rows) }

// Sweep forgets the keys that are not ahead of their schedule. On a clock that does not run backwards no later
// decision differs for it.
func (g GCRA) Sweep(now clock.Instant) GCRA {
	g.keys.sweep(func(s *schedule) bool {
		s.pass(now)
		return s.paid == 0 && s.part == 0
	})
	return g
}

// Try admits or refuses one request of key, without a receipt. A cost of 0 or less takes nothing and passes.
func (g GCRA) Try(key string, now clock.Instant, cost int64) (GCRA, Answer) {
	if g.config.Limit == 0 {
		return g, Answer{Verdict: decision.Admit, Passes: now}
	}
	a, _ := g.try(key, now, cost)
	return g, a
}

// try changes the state of key, and returns it for the receipt.
func (g *GCRA) try(key string, now clock.Instant, cost int64) (Answer, *schedule) {
	c := &g.config
	s := g.keys.at(key, schedule{last: now})
	s.pass(now)
	if cost > c.Burst {
		return Answer{decision.Refuse, decision.CostTooLarge, clock.Max}, s
	}
	paid, part := c.due(s, cost)
	ahead, aheadPart := c.intervals(c.Burst)
	if paid < ahead || paid == ahead && part <= aheadPart {
		s.paid, s.part = paid, part
		return Answer{decision.Admit, decision.OnSchedule, now}, s
	}
	wait := paid - ahead
	if part > aheadPart {
		wait++ // a part of a nanosecond is a whole one to wait
	}
	return Answer{decision.Refuse, decision.AheadOfSchedule, now.Add(wait)}, s
}

// Take admits or refuses one request of key. A refusal's Wait is the whole seconds that Retry-After should say.
func (g GCRA) Take(key string, now clock.Instant) (GCRA, decision.Decision) {
	return g.TakeN(key, now, 1)
}

// TakeN admits or refuses one request of key that costs as much as cost requests.
func (g GCRA) TakeN(key string, now clock.Instant, cost int64) (next GCRA, d decision.Decision) {
	if g.config.Limit == 0 {
		d.Verdict = decision.Admit
		return g, d
	}
	a, s := g.try(key, now, cost)
	a.receipt(&d, key, now)
	due := s.paid
	if a.Verdict == decision.Refuse {
		due, _ = g.config.due(s, cost)
	}
	ahead, _ := g.config.intervals(g.config.Burst)
	d.Add(decision.Term{
		Name: decision.Schedule, Mark: decision.Decided, Value: int64(due), A: int64(ahead), B: int64(s.last.Add(s.paid)),
	})
	a.passes(&d, now, decision.OnSchedule)
	if a.Verdict == decision.Admit && cost > 0 { // what costs nothing always passes
		d.AddFlip(decision.Flip{
			Name: decision.Schedule, Bound: decision.MoreThan, Value: int64(ahead),
			Verdict: decision.Refuse, Reason: decision.AheadOfSchedule,
		})
	}
	return g, d
}

// pass lets time go on: what was paid for ahead comes due.
func (s *schedule) pass(now clock.Instant) {
	if now <= s.last {
		return
	}
	elapsed := now.Sub(s.last)
	s.last = now
	if elapsed > s.paid {
		s.paid, s.part = 0, 0
		return
	}
	s.paid -= elapsed
}

// due returns how far ahead of its schedule a request of that cost would be.
func (c *GCRAConfig) due(s *schedule, cost int64) (time.Duration, int64) {
	d, part := c.intervals(max(cost, 0))
	d, part = clock.Sum(d, s.paid), part+s.part
	if part >= c.Limit {
		d, part = clock.Sum(d, 1), part-c.Limit
	}
	return d, part
}

// intervals returns n · Period/Limit as nanoseconds, saturated, and parts of 1/Limit.
func (c *GCRAConfig) intervals(n int64) (time.Duration, int64) {
	hi, lo := bits.Mul64(uint64(c.Period), uint64(n))
	if hi >= uint64(c.Limit) {
		return clock.MaxDuration, 0
	}
	q, r := bits.Div64(hi, lo, uint64(c.Limit))
	if q > uint64(clock.MaxDuration) {
		return clock.MaxDuration, 0
	}
	return time.Duration(q), int64(r)
}
