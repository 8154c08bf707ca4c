// Package live is the flaky partner over real HTTP: one handler over core/partner, which runs on one machine and on
// Cloudflare Workers alike. No rule of the partner is in it; it reads requests, gives the partner a real instant, and
// writes responses.
//
// A client's id, the header X-Client-ID, is a test key and no identity: anyone may send any. Whoever limits real
// clients takes the key from the authenticated subject. The limit lives in one process's memory and is not shared
// between servers.
package live

import (
	"fmt"
	"strconv"
	"time"

	"retrylab.example/core/clock"
	"retrylab.example/core/document"
	"retrylab.example/core/limit"
)

// Config is the setting of a Handler.
type Config struct {
	// Limit is the limit of each client; the zero value is contract B's, 2 requests in any 10 s.
	Limit limit.Config
	// Clock gives the instant of a request; nil is the time since New. An instant before an earlier one counts as that
	// earlier one, so that the partner's time never goes back.
	Clock func() clock.Instant
	// MaxClients is how many clients are kept in memory at once; 0 is 10,000.
	MaxClients int
}

// withDefaults fills in what the zero values mean.
func (c Config) withDefaults() Config {
	if c.Limit == (limit.Config{}) {
		c.Limit = limit.Config{Limit: 2, Window: 10 * time.Second}
	}
	if c.Clock == nil {
		c.Clock = sinceNow()
	}
	if c.MaxClients == 0 {
		c.MaxClients = 10_000
	}
	return c
}

// sinceNow is a clock that starts now and does not follow changes of the machine's date.
func sinceNow() func() clock.Instant {
	begun := time.Now()
	return func() clock.Instant { return clock.Start.Add(time.Since(begun)) }
}

// ParseLimit reads a limit from two texts of an environment, such as "2" and "10s". Two empty ones are the zero value.
func ParseLimit(most, window string) (limit.Config, error) {
	if most == "" && window == "" {
		return limit.Config{}, nil
	}
	n, err := strconv.Atoi(most)
	if err != nil || n < 1 {
		return limit.Config{}, fmt.Errorf("the limit %q is not a whole number of at least 1", most)
	}
	d, ok := document.ParseDuration(window)
	if !ok || d <= 0 {
		return limit.Config{}, fmt.Errorf("the window %q is not a time longer than 0s, written like 10s or 250ms", window)
	}
	return limit.Config{Limit: n, Window: d}, nil
}
