package limit

import (
	"time"

	"retrylab.example/core/clock"
	"retrylab.example/core/decision"
)

// FixedConfig is the setting of a fixed window: at most Limit requests of one key in each period.
type FixedConfig struct {
	// Limit is how many requests one period admits, ≥ 1. 0 is the zero value: no limit.
	Limit int
	// Period is the length of a period, > 0. Periods begin at its whole multiples, whenever the first request came.
	Period time.Duration
}

// Fixed is a fixed window (contract D, the partner's /rate): for every key a count that starts anew with each period.
//
//	limit 3, period 1 s    0.05 0.10 0.40 → admitted    0.45 0.95 → refused, Retry-After 1    1.00 → admitted
//
// No period admits more than Limit. Around a boundary twice as many can come close together, 3 at 0.999 s and 3 at
// 1.000 s: that is the price of one counter instead of a log. Refused requests are not recorded. A clock that is set
// back changes nothing: the latest instant seen goes on to count as now, so nobody waits longer than a period.
//
// The zero value has no limit and admits everything. Methods return the successor and may reuse storage, as append
// does; Clone before keeping two versions.
type Fixed struct {
	config FixedConfig
	keys   table[period]
}

type period struct {
	number   int64 // the last period with a request
	admitted int
}

// NewFixed returns a window that has seen nothing.
func NewFixed(c FixedConfig) (Fixed, error) {
	if c.Limit < 1 || c.Period <= 0 {
		return Fixed{}, ErrSetting
	}
	return Fixed{config: c, keys: newTable[period]()}, nil
}

// Config returns the setting.
func (f Fixed) Config() FixedConfig { return f.config }

// Clone returns a copy that shares no storage.
func (f Fixed) Clone() Fixed {
	f.keys = f.keys.clone()
	return f
}

// Len returns how many keys the window holds.
func (f Fixed) Len() int { return len(f.keys.rows) }

// Sweep forgets the keys whose last period is over. No later decision differs for it.
func (f Fixed) Sweep(now clock.Instant) Fixed {
	if f.config.Limit > 0 {
		current := aligned(now, f.config.Period)
		f.keys.sweep(func(p *period) bool { return p.number < current })
	}
	return f
}

// Try admits or refuses one request of key, without a receipt.
func (f Fixed) Try(key string, now clock.Instant) (Fixed, Answer) {
	if f.config.Limit == 0 {
		return f, Answer{Verdict: decision.Admit, Passes: now}
	}
	a, _ := f.try(key, now)
	return f, a
}

// try changes the state of key, and returns it for the receipt.
func (f *Fixed) try(key string, now clock.Instant) (Answer, *period) {
	number := aligned(now, f.config.Period)
	p := f.keys.at(key, period{number: number})
	if number > p.number {
		*p = period{number: number}
	}
	if p.admitted < f.config.Limit {
		p.admitted++
		return Answer{decision.Admit, decision.PeriodHasRoom, now}, p
	}
	// Seen from a clock that was set back, the period that counts lies ahead: the wait is one period then, not more.
	ends := min(begins(p.number+1, f.config.Period), now.Add(f.config.Period))
	return Answer{decision.Refuse, decision.PeriodFull, ends}, p
}

// Take admits or refuses one request of key. A refusal's Wait is the whole seconds that Retry-After should say.
func (f Fixed) Take(key string, now clock.Instant) (next Fixed, d decision.Decision) {
	if f.config.Limit == 0 {
		d.Verdict = decision.Admit
		return f, d
	}
	a, p := f.try(key, now)
	a.receipt(&d, key, now)
	d.Add(decision.Term{
		Name: decision.InPeriod, Mark: decision.Decided, Value: int64(p.admitted),
		A: int64(f.config.Limit), B: int64(f.config.Period),
	})
	a.passes(&d, now, decision.PeriodHasRoom)
	room(&d, decision.InPeriod, f.config.Limit, decision.PeriodHasRoom, decision.PeriodFull)
	return f, d
}
