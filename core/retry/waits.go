package retry

import (
	"time"

	"retrylab.example/core/backoff"
	"retrylab.example/core/rng"
)

// Span is what the local wait before one retry can be: between Least and Most, of a wait that was Raw before the cap.
type Span struct {
	Raw         time.Duration
	Least, Most time.Duration
}

// LocalWaits returns what the local waits before the first n retries can be, without any wish of a partner. They are
// those of Decide, at both ends of the draw; of backoff.Decorrelated, each after the shortest and the longest before it.
func (p *Policy) LocalWaits(n int) []Span {
	spans := make([]Span, n)
	spread := p.spread()
	var least, most time.Duration
	for i := range spans {
		low, high := rng.Ratio{Den: 1}, rng.One
		if p.Jitter == backoff.Fraction && len(p.Fractions) > 0 {
			low = p.Fractions[i%len(p.Fractions)]
			high = low
		}
		l, h := p.Backoff.After(i+1, spread, least, low), p.Backoff.After(i+1, spread, most, high)
		least, most = l.Wait, h.Wait
		spans[i] = Span{h.Raw, least, most}
	}
	return spans
}
