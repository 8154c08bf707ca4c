package partner

import (
	"retrylab.example/core/call"
	"retrylab.example/core/clock"
	"retrylab.example/core/ledger"
)

// Clients returns how many clients the limiter holds in memory.
func (p Partner) Clients() int { return p.limiter.clients() }

// Knows reports whether the limiter holds that client, so that a request of it takes no further memory.
func (p Partner) Knows(clientID string) bool { return p.limiter.knows(clientID) }

// Records returns how many keys the ledger holds in memory.
func (p Partner) Records() int { return p.ledger.Len() }

// Remembers reports whether the ledger holds the key of a request, so that the request takes no further memory there.
func (p Partner) Remembers(r call.Request) bool { return p.ledger.Has(ledger.ScopeOf(r)) }

// Sweep forgets what no later decision depends on: clients whose limits are as good as new, and keys whose lifetime is
// over. Effects stay.
func (p Partner) Sweep(now clock.Instant) Partner {
	p.limiter.sweep(now)
	p.rate, p.ledger = p.rate.Sweep(now), p.ledger.Sweep(now)
	return p
}
