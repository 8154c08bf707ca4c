package partner

import "retrylab.example/core/clock"

// Clients returns how many clients the limiter holds in memory.
func (p Partner) Clients() int { return p.limiter.Len() }

// Knows reports whether the limiter holds that client, so that a request of it takes no further memory.
func (p Partner) Knows(clientID string) bool { return p.limiter.Has(clientID) }

// Sweep forgets what no later decision of the limiter depends on. Effects and their records stay.
func (p Partner) Sweep(now clock.Instant) Partner {
	p.limiter = p.limiter.Sweep(now)
	return p
}
