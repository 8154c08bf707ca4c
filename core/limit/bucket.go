package limit

import (
	"errors"
	"math/bits"
	"time"

	"retrylab.example/core/clock"
	"retrylab.example/core/decision"
)

// Token is one token in nano-tokens, the unit of all counts of tokens.
const Token = 1_000_000_000

// MaxTokens bounds a capacity and a refill, in whole tokens: their nano-tokens fit 64 bits.
const MaxTokens = 1_000_000_000

// Mode is how a bucket is refilled.
type Mode uint8

const (
	// Batch adds the whole refill at the start of each period.
	Batch Mode = iota
	// Continuous adds it evenly over the period.
	Continuous
)

var modeNames = [...]string{"batch", "continuous"}

// String returns the kebab-case name.
func (m Mode) String() string { return modeNames[m] }

// ParseMode returns the mode of that name.
func ParseMode(name string) (m Mode, ok bool) {
	for i, n := range modeNames {
		if n == name {
			return Mode(i), true
		}
	}
	return Batch, false
}

// BucketConfig is the setting of a token bucket.
type BucketConfig struct {
	// Capacity is the most whole tokens that the bucket holds, and what it starts with: 1 to MaxTokens. 0 is the zero
	// value: no limit.
	Capacity int64
	// Refill is how many whole tokens come in each period, 1 to MaxTokens; 0 means Capacity.
	Refill int64
	// Period is the length of a period, > 0. Under Batch, periods begin at its whole multiples.
	Period time.Duration
	// Mode says whether the refill comes at once or evenly.
	Mode Mode
}

// ErrBucket is returned for a capacity or a refill that is no number of tokens, a period that is not positive, or an
// unknown mode.
var ErrBucket = errors.New("a bucket holds and is refilled with 1 to 1,000,000,000 tokens, in a period longer than 0 s")

// Bucket is a token bucket (contract D) for every key. A request takes what it costs or is refused and takes nothing.
//
// Continuous refill after a time t is t·Refill/Period, in nano-tokens and a remainder, so nothing is ever rounded away:
//
//	capacity 3, refill 3 in 1 s    five in the first second: 0, 0, 0, 0.334, 0.667
//	the same in batches            three: 0, 0, 0, and three more at 1.000
//
// In any time t it admits at most Capacity + t·Refill/Period (batch: Capacity + Refill for each start of a period in
// t). A clock that is set back adds and takes no token: the remembered instant never goes back.
//
// The zero value has no limit and admits everything. Methods return the successor and may reuse storage, as append
// does; Clone before keeping two versions.
type Bucket struct {
	config BucketConfig
	keys   table[tokens]
}

type tokens struct {
	last  clock.Instant // the latest instant seen
	count int64         // nano-tokens, 0 to capacity
	// part is under Continuous what is left of a nano-token, in parts of 1/Period, and 0 in a full bucket; under Batch how
	// much of its period had passed at the latest instant.
	part uint64
}

// NewBucket returns a bucket that is full for every key.
func NewBucket(c BucketConfig) (Bucket, error) {
	if c.Refill == 0 {
		c.Refill = c.Capacity
	}
	if c.Capacity < 1 || c.Capacity > MaxTokens || c.Refill < 1 || c.Refill > MaxTokens || c.Period <= 0 ||
		c.Mode > Continuous {
		return Bucket{}, ErrBucket
	}
	return Bucket{config: c, keys: newTable[tokens]()}, nil
}

// Config returns the setting, with Refill filled in.
func (b Bucket) Config() BucketConfig { return b.config }

// Clone returns a copy that shares no storage.
func (b Bucket) Clone() Bucket {
	b.keys = b.keys.clone()
	return b
}

// Len returns how many keys the bucket holds.
func (b Bucket) Len() int { return len(b.keys.rows) }

// Sweep forgets the keys whose bucket is full again. On a clock that does not run backwards no later decision differs
// for it.
func (b Bucket) Sweep(now clock.Instant) Bucket {
	if b.config.Capacity > 0 {
		b.keys.sweep(func(t *tokens) bool {
			b.config.refill(t, now)
			return t.count == b.config.Capacity*Token
		})
	}
	return b
}

// Tokens returns the nano-tokens that key would find. Looking changes nothing and adds no key.
func (b Bucket) Tokens(key string, now clock.Instant) int64 {
	t := b.keys.look(key, b.config.full(now))
	b.config.refill(&t, now)
	return t.count
}

// Try takes cost whole tokens of key or refuses, without a receipt. A cost of 0 or less takes nothing and passes.
func (b Bucket) Try(key string, now clock.Instant, cost int64) (Bucket, Answer) {
	if b.config.Capacity == 0 {
		return b, Answer{Verdict: decision.Admit, Passes: now}
	}
	a, _ := b.try(key, now, cost)
	return b, a
}

// try changes the state of key, and returns it for the receipt.
func (b *Bucket) try(key string, now clock.Instant, cost int64) (Answer, *tokens) {
	c := &b.config
	t := b.keys.at(key, c.full(now))
	c.refill(t, now)
	if cost > c.Capacity {
		return Answer{decision.Refuse, decision.CostTooLarge, clock.Max}, t
	}
	price := max(cost, 0) * Token
	if t.count >= price {
		t.count -= price
		return Answer{decision.Admit, decision.TokensTaken, now}, t
	}
	return Answer{decision.Refuse, decision.TokensMissing, now.Add(c.wait(t, price-t.count))}, t
}

// Take takes one token of key or refuses. A refusal's Wait is the whole seconds that Retry-After should say.
func (b Bucket) Take(key string, now clock.Instant) (Bucket, decision.Decision) {
	return b.TakeN(key, now, 1)
}

// TakeN takes cost whole tokens of key or refuses.
func (b Bucket) TakeN(key string, now clock.Instant, cost int64) (next Bucket, d decision.Decision) {
	if b.config.Capacity == 0 {
		d.Verdict = decision.Admit
		return b, d
	}
	a, t := b.try(key, now, cost)
	a.receipt(&d, key, now)
	capacity, price := b.config.Capacity*Token, priceOf(cost)
	d.Add(decision.Term{
		Name: decision.Tokens, Mark: decision.Decided,
		Value: t.count, A: capacity, B: price,
	})
	refill := decision.Term{Name: decision.Refill, Value: b.config.Refill * Token, A: int64(b.config.Period)}
	if b.config.Mode == Batch {
		refill.B = 1
	}
	d.Add(refill)
	a.passes(&d, now, decision.TokensTaken)
	switch {
	case a.Reason == decision.TokensMissing:
		d.AddFlip(decision.Flip{
			Name: decision.Tokens, Bound: decision.AtLeast, Value: price,
			Verdict: decision.Admit, Reason: decision.TokensTaken,
		})
	case a.Reason == decision.TokensTaken && price > 0: // what costs nothing always passes
		d.AddFlip(decision.Flip{
			Name: decision.Tokens, Bound: decision.AtMost, Value: price - 1,
			Verdict: decision.Refuse, Reason: decision.TokensMissing,
		})
	}
	return b, d
}

// priceOf returns a cost in nano-tokens, saturated.
func priceOf(cost int64) int64 { return int64(clock.Times(Token, uint64(max(cost, 0)))) }

func (c *BucketConfig) full(now clock.Instant) tokens {
	t := tokens{last: now, count: c.Capacity * Token}
	if c.Mode == Batch {
		t.part = uint64(now.Sub(begins(aligned(now, c.Period), c.Period)))
	}
	return t
}

// refill adds what has come since the last instant.
func (c *BucketConfig) refill(t *tokens, now clock.Instant) {
	if now <= t.last {
		return
	}
	passed := uint64(now) - uint64(t.last)
	t.last = now
	if c.Mode == Batch {
		c.refillBatch(t, passed)
	} else {
		c.refillEvenly(t, passed)
	}
}

// refillBatch adds a refill for each period that began. Most requests come in the period of the one before, and cost no
// division.
func (c *BucketConfig) refillBatch(t *tokens, passed uint64) {
	if passed < uint64(c.Period)-t.part {
		t.part += passed
		return
	}
	passed -= uint64(c.Period) - t.part // since the first of them began
	periods := passed/uint64(c.Period) + 1
	t.part = passed % uint64(c.Period)
	gained := clock.Times(time.Duration(c.Refill*Token), periods)
	t.count = int64(min(clock.Sum(time.Duration(t.count), gained), time.Duration(c.Capacity*Token)))
}

func (c *BucketConfig) refillEvenly(t *tokens, passed uint64) {
	capacity := c.Capacity * Token
	if t.count == capacity {
		return
	}
	gained := clock.MaxDuration // where it is so much that the quotient does not fit
	hi, lo := bits.Mul64(passed, uint64(c.Refill*Token))
	lo, carry := bits.Add64(lo, t.part, 0)
	hi += carry
	if hi < uint64(c.Period) {
		var q uint64
		q, t.part = bits.Div64(hi, lo, uint64(c.Period))
		gained = time.Duration(min(q, uint64(clock.MaxDuration)))
	}
	t.count = int64(min(clock.Sum(time.Duration(t.count), gained), time.Duration(capacity)))
	if t.count == capacity {
		t.part = 0
	}
}

// wait returns how long it takes until missing nano-tokens have come, rounded up.
func (c *BucketConfig) wait(t *tokens, missing int64) time.Duration {
	refill := c.Refill * Token
	if c.Mode == Batch {
		return begins(aligned(t.last, c.Period)+(missing-1)/refill+1, c.Period).Sub(t.last)
	}
	hi, lo := bits.Mul64(uint64(missing), uint64(c.Period))
	lo, borrow := bits.Sub64(lo, t.part, 0)
	return ceilDiv(hi-borrow, lo, uint64(refill))
}

// ceilDiv returns (2⁶⁴·hi + lo) / d, rounded up and saturated.
func ceilDiv(hi, lo, d uint64) time.Duration {
	if hi >= d {
		return clock.MaxDuration
	}
	q, r := bits.Div64(hi, lo, d)
	if r > 0 {
		q++
	}
	return time.Duration(min(q, uint64(clock.MaxDuration)))
}
