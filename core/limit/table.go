package limit

import (
	"time"

	"retrylab.example/core/clock"
	"retrylab.example/core/decision"
)

// table holds one state for each key, in the order in which the keys came.
type table[T any] struct {
	index map[string]int // key → place in rows; never ranged over, so its order cannot matter
	rows  []row[T]
}

type row[T any] struct {
	key   string
	state T
}

func newTable[T any]() table[T] { return table[T]{index: map[string]int{}} }

// at returns the state of key, and first if the key is new; it is then kept.
func (t *table[T]) at(key string, first T) *T {
	i, known := t.index[key]
	if !known {
		i = len(t.rows)
		t.rows = append(t.rows, row[T]{key, first})
		t.index[key] = i
	}
	return &t.rows[i].state
}

// look returns the state of key without keeping a new one.
func (t *table[T]) look(key string, first T) T {
	if i, known := t.index[key]; known {
		return t.rows[i].state
	}
	return first
}

// clone returns a copy; a state that holds storage needs a copy of its own.
func (t *table[T]) clone() table[T] {
	if t.index == nil {
		return table[T]{}
	}
	c := table[T]{index: make(map[string]int, len(t.rows)), rows: append([]row[T](nil), t.rows...)}
	for i := range c.rows {
		c.index[c.rows[i].key] = i
	}
	return c
}

// sweep forgets the keys whose state is as good as none.
func (t *table[T]) sweep(idle func(*T) bool) {
	kept := t.rows[:0]
	for i := range t.rows {
		r := t.rows[i]
		if idle(&r.state) {
			delete(t.index, r.key)
			continue
		}
		t.index[r.key] = len(kept)
		kept = append(kept, r)
	}
	clear(t.rows[len(kept):]) // so that what was forgotten can be freed
	t.rows = kept
}

// Answer is a limiter's decision without its receipt, for runs that keep none.
type Answer struct {
	Verdict decision.Verdict
	Reason  decision.Reason
	// Passes is the instant from which the same request passes if nobody else comes: now for one that was admitted,
	// clock.Max for one that can never pass. On a clock that does not run backwards it is exact: one nanosecond
	// earlier the request is refused.
	Passes clock.Instant
}

// Wait returns the whole seconds, rounded up, that a Retry-After should say at the instant now. It is 0 for a request
// that passes, and for one that never does.
func (a Answer) Wait(now clock.Instant) time.Duration {
	if a.Reason == decision.CostTooLarge {
		return 0
	}
	return clock.Times(time.Second, uint64(ceilSeconds(a.Passes.Sub(now))))
}

// receipt begins the receipt of an answer to one request of key. Receipts are large, so they are written in place.
func (a Answer) receipt(d *decision.Decision, key string, now clock.Instant) {
	d.Verdict, d.Reason = a.Verdict, a.Reason
	if a.Verdict == decision.Refuse {
		d.Wait = a.Wait(now)
	}
	d.Add(decision.Term{Name: decision.ClientKey, Text: key})
}

// passes writes when a refused request passes, and that it would have been admitted then.
func (a Answer) passes(d *decision.Decision, now clock.Instant, instead decision.Reason) {
	if a.Verdict == decision.Admit {
		return
	}
	if a.Reason == decision.CostTooLarge {
		d.Add(decision.Term{Name: decision.Passes, Value: int64(clock.Max)})
		return
	}
	d.Add(decision.Term{Name: decision.Passes, Value: int64(a.Passes), A: int64(a.Passes.Sub(now))})
	d.AddFlip(decision.Flip{
		Name: decision.Passes, Bound: decision.AtLeast, Value: int64(a.Passes), Verdict: decision.Admit, Reason: instead,
	})
}

// aligned returns how many whole periods lie before now, rounded down, also before the start of the run.
func aligned(now clock.Instant, period time.Duration) int64 {
	n := int64(now) / int64(period)
	if int64(now)%int64(period) < 0 {
		n--
	}
	return n
}

// begins returns the first instant of the n-th period, saturated.
func begins(n int64, period time.Duration) clock.Instant {
	if n < 0 {
		return clock.Start.Add(-clock.Times(period, uint64(-n)))
	}
	return clock.Start.Add(clock.Times(period, uint64(n)))
}
