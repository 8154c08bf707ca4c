package retryafter

import (
	"strings"
	"time"

	"retrylab.example/core/clock"
	"retrylab.example/core/field"
	"retrylab.example/core/ratelimit"
)

// millisFields are the fields of some partners for waits in milliseconds, in the order in which their clients look.
var millisFields = [...]string{"retry-after-ms", "x-ms-retry-after-ms", "x-amz-retry-after"}

// wild chooses among all that the response says: milliseconds before Retry-After, because the partners that send both
// mean the finer one, but not 0 of them; then RateLimit, which a Retry-After overrides even with 0
// (draft-ietf-httpapi-ratelimit-headers-10 sections 6 and 7); then the fields from before it. If none can be read, the
// reading of Retry-After says why.
//
// Before them all comes gRPC's pushback: it is an order, and no wish.
func wild(r Reading, c Context) Reading {
	if p, sent := pushback(c); sent {
		return p
	}
	limit := rateLimit(c)
	r.Warn.add(BeforeReset, r.Valid && r.Delay < limit.Delay)
	if ms := millis(c); ms.Delay > 0 {
		return ms
	}
	for _, next := range [...]Reading{r, limit, reset(c)} {
		if next.Valid {
			return next
		}
	}
	return r
}

// millis reads the first field of milliseconds that can be read: digits, or a decimal.
func millis(c Context) Reading {
	for _, name := range millisFields {
		value, sent := field.Single(c.Fields, name)
		n, ok := field.ParseNumber(value)
		if sent && ok {
			return waiting(Milliseconds, name, value, n.Of(time.Millisecond))
		}
	}
	return Reading{}
}

// rateLimit reads RateLimit: only an exhausted limit asks for a wait. On a response from a cache the field is of
// another moment, and is ignored (section 7.3).
func rateLimit(c Context) Reading {
	lines := field.Lines(c.Fields, "RateLimit")
	limits := ratelimit.ReadLimits(ratelimit.Compatible, lines)
	s, ok := limits.Wait()
	if !ok || c.age() > 0 {
		return Reading{}
	}
	return waiting(RateLimit, "RateLimit", field.Trim(strings.Join(lines, ", ")), time.Duration(s)*time.Second)
}

func reset(c Context) Reading {
	d, name, ok := ratelimit.LegacyWait(c.Fields, c.Now)
	if !ok || c.age() > 0 {
		return Reading{}
	}
	value, _ := field.Single(c.Fields, name)
	return waiting(Reset, name, value, d)
}

func waiting(k Kind, name, text string, d time.Duration) Reading {
	r := Reading{Valid: true, Kind: k, Field: name, Text: text, Delay: d, Seconds: int64(d / time.Second)}
	if d%time.Second > 0 {
		r.Seconds++
	}
	r.Warn.add(Saturated, d == clock.MaxDuration)
	return r
}
