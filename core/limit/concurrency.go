package limit

import (
	"errors"

	"retrylab.example/core/decision"
)

// ConcurrencyConfig is the setting of a concurrency limiter.
type ConcurrencyConfig struct {
	// Limit is how many requests of one key may be in flight, 1 to MaxInFlight. 0 is the zero value: no limit.
	Limit int
}

// MaxInFlight bounds a concurrency limit, whose slots are kept in memory.
const MaxInFlight = 100_000

// ErrConcurrency is returned for a limit that is no number of requests.
var ErrConcurrency = errors.New("a concurrency limit is 1 to 100,000 requests")

// Concurrency limits how many requests of one key are in flight, not how many come in a time. Every request that is
// admitted gets a Permit, which its end returns by Release. A permit that was returned before, or is not of this
// limiter, returns nothing: no request can free the slot of another.
//
// Nobody knows when a request in flight ends, so a refusal names no instant and its Wait is 0: whoever answers has to
// choose a Retry-After by itself.
//
// The zero value has no limit and admits everything. Methods return the successor and may reuse storage, as append
// does; Clone before keeping two versions.
type Concurrency struct {
	config ConcurrencyConfig
	keys   table[slots]
	issued uint64
}

// slots are the places of one key. A free one holds the serial number 0.
type slots struct {
	serials []uint64
	free    []int32 // the places that were used and are free again, the last one first
	taken   int
}

// Permit is the right to be in flight. The zero value is none.
type Permit struct {
	key    string
	slot   int32
	serial uint64
}

// NewConcurrency returns a limiter with nothing in flight.
func NewConcurrency(c ConcurrencyConfig) (Concurrency, error) {
	if c.Limit < 1 || c.Limit > MaxInFlight {
		return Concurrency{}, ErrConcurrency
	}
	return Concurrency{config: c, keys: newTable[slots]()}, nil
}

// Config returns the setting.
func (c Concurrency) Config() ConcurrencyConfig { return c.config }

// Clone returns a copy that shares no storage.
func (c Concurrency) Clone() Concurrency {
	c.keys = c.keys.clone()
	for i := range c.keys.rows {
		s := &c.keys.rows[i].state
		s.serials = append([]uint64(nil), s.serials...)
		s.free = append([]int32(nil), s.free...)
	}
	return c
}

// Len returns how many keys the limiter holds.
func (c Concurrency) Len() int { return len(c.keys.rows) }

// Sweep forgets the keys with nothing in flight. No later decision differs for it.
func (c Concurrency) Sweep() Concurrency {
	c.keys.sweep(func(s *slots) bool { return s.taken == 0 })
	return c
}

// InFlight returns how many requests of key are in flight.
func (c Concurrency) InFlight(key string) int { return c.keys.look(key, slots{}).taken }

// Try takes a slot of key or refuses, without a receipt.
func (c Concurrency) Try(key string) (Concurrency, Permit, decision.Reason) {
	if c.config.Limit == 0 {
		return c, Permit{}, decision.SlotFree
	}
	s := c.keys.at(key, slots{})
	if s.taken == c.config.Limit {
		return c, Permit{}, decision.SlotsTaken
	}
	c.issued++
	s.taken++
	p := Permit{key: key, serial: c.issued}
	if n := len(s.free); n > 0 {
		p.slot = s.free[n-1]
		s.free = s.free[:n-1]
		s.serials[p.slot] = p.serial
	} else {
		p.slot = int32(len(s.serials))
		s.serials = append(s.serials, p.serial)
	}
	return c, p, decision.SlotFree
}

// Acquire takes a slot of key or refuses.
func (c Concurrency) Acquire(key string) (next Concurrency, p Permit, d decision.Decision) {
	c, p, reason := c.Try(key)
	d.Verdict = decision.Admit
	if c.config.Limit == 0 {
		return c, p, d
	}
	d.Reason = reason
	d.Add(decision.Term{Name: decision.ClientKey, Text: key})
	d.Add(decision.Term{
		Name: decision.InFlight, Mark: decision.Decided, Value: int64(c.InFlight(key)), A: int64(c.config.Limit),
	})
	if reason == decision.SlotsTaken {
		d.Verdict = decision.Refuse
	}
	room(&d, decision.InFlight, c.config.Limit, decision.SlotFree, decision.SlotsTaken)
	return c, p, d
}

// Release returns a permit; ok says that it was in flight. One that was returned before changes nothing.
func (c Concurrency) Release(p Permit) (next Concurrency, ok bool) {
	i, known := c.keys.index[p.key]
	if !known || p.serial == 0 {
		return c, false
	}
	s := &c.keys.rows[i].state
	if int(p.slot) >= len(s.serials) || s.serials[p.slot] != p.serial {
		return c, false
	}
	s.serials[p.slot] = 0
	s.free = append(s.free, p.slot)
	s.taken--
	return c, true
}
