package breaker

import (
	"time"

	"retrylab.example/core/clock"
	"retrylab.example/core/decision"
)

// tally is the results that count while the circuit is closed. It holds no pointer, so a copy is a tally of its own.
type tally struct {
	// InARow: failures since the last success. Count, Time: failures that are known, of known results.
	failures, known int64
	cells           cells
	slices          slices
}

// cells are the last results, one bit each, 1 for a failure: low holds the latest 64, its lowest bit the latest.
type cells struct{ low, high uint64 }

// push adds a result and returns the one that leaves a window of size cells.
func (c *cells) push(failed bool, size int) (leaving bool) {
	if size <= 64 {
		leaving = c.low>>(size-1)&1 == 1
	} else {
		leaving = c.high>>(size-65)&1 == 1
	}
	c.high = c.high<<1 | c.low>>63
	c.low <<= 1
	if failed {
		c.low |= 1
	}
	switch {
	case size < 64:
		c.low, c.high = c.low&(1<<size-1), 0
	case size == 64:
		c.high = 0
	case size < 128:
		c.high &= 1<<(size-64) - 1
	}
	return leaving
}

// slices are the tenths of a time window, at their number modulo ten.
type slices struct {
	latest int64 // the number of the latest slice
	cells  [Slices]slice
}

type slice struct{ failures, known uint32 }

// count adds one result.
func (t *tally) count(c *Config, now clock.Instant, failed bool) {
	switch c.Window {
	case InARow:
		t.known++
		t.failures++
		if !failed {
			t.failures = 0
		}
	case Count:
		if t.cells.push(failed, c.Size) {
			t.failures--
		}
		t.known = min(t.known+1, int64(c.Size))
		if failed {
			t.failures++
		}
	case Time:
		t.forget(c, now)
		s := &t.slices.cells[place(t.slices.latest)]
		if s.known == 1<<32-1 {
			return // four thousand million results in one slice: they are no fewer failures in a hundred than before
		}
		s.known++
		t.known++
		if failed {
			s.failures++
			t.failures++
		}
	}
}

// forget drops the slices that have left a time window.
func (t *tally) forget(c *Config, now clock.Instant) {
	number := sliceNumber(now, c.Span/Slices)
	s := &t.slices
	if t.known == 0 {
		s.latest = max(s.latest, number)
		return
	}
	if number-s.latest >= Slices {
		*t = tally{slices: slices{latest: number}}
		return
	}
	for s.latest < number {
		s.latest++
		old := &s.cells[place(s.latest)]
		t.failures -= int64(old.failures)
		t.known -= int64(old.known)
		*old = slice{}
	}
}

// sliceNumber returns how many whole slices lie before now, rounded down.
func sliceNumber(now clock.Instant, length time.Duration) int64 {
	n := int64(now) / int64(length)
	if int64(now)%int64(length) < 0 {
		n--
	}
	return n
}

// place returns where the slice of that number stands.
func place(number int64) int { return int((number%Slices + Slices) % Slices) }

// reached reports whether the results open the circuit.
func (t *tally) reached(c *Config) bool {
	if c.Window == InARow {
		return t.failures >= int64(c.Failures)
	}
	return t.known >= int64(c.Minimum) && t.failures*100 >= int64(c.Percent)*t.known
}

// explain writes the counts, the threshold and the exact cells.
func (t *tally) explain(c *Config, d *decision.Decision) {
	failures := decision.Term{Name: decision.Failures, Value: t.failures, A: t.known, B: int64(c.Minimum)}
	threshold := decision.Term{Name: decision.Threshold, Value: int64(c.Percent), A: 1}
	if c.Window == InARow {
		threshold.Value, threshold.A = int64(c.Failures), 0
	}
	d.Add(failures)
	d.Add(threshold)
	switch c.Window {
	case Count:
		d.Add(decision.Term{
			Name: decision.Cells, Value: int64(t.cells.low), A: int64(t.cells.high), B: t.known,
		})
	case Time:
		packed := [Slices + 2]int64{-1, -1} // what fills the first row
		for i := range Slices {
			s := t.slices.cells[place(t.slices.latest+1+int64(i))]
			packed[i+2] = int64(s.failures)<<32 | int64(s.known)
		}
		for i := 0; i < len(packed); i += 3 {
			d.Add(decision.Term{Name: decision.Slices, Value: packed[i], A: packed[i+1], B: packed[i+2]})
		}
	}
}
