package ratelimit

import (
	"strings"
	"time"

	"retrylab.example/core/clock"
	"retrylab.example/core/field"
)

// resetFields are the fields from before the draft that say when a limit resets, each with the one that says what
// remains. No document defines them; the order is that of how common they are.
var resetFields = [...]struct{ reset, remaining string }{
	{"RateLimit-Reset", "RateLimit-Remaining"}, // drafts 03 to 06
	{"X-RateLimit-Reset", "X-RateLimit-Remaining"},
	{"X-RateLimit-Reset-Requests", "X-RateLimit-Remaining-Requests"},
	{"X-RateLimit-Reset-Tokens", "X-RateLimit-Remaining-Tokens"},
}

// LegacyWait returns the longest wait to a reset among the fields from before the draft, and the name of its field. A
// limit of which something remains asks for no wait. ok is false if no field can be read.
func LegacyWait(fields []field.Field, now field.Moment) (wait time.Duration, name string, ok bool) {
	for _, f := range resetFields {
		value, sent := field.Single(fields, f.reset)
		if !sent {
			continue
		}
		if left, sent := field.Single(fields, f.remaining); sent {
			if n, ok := field.ParseDigits(left); ok && n > 0 {
				continue
			}
		}
		if d, known := ParseReset(value, now); known && (!ok || d > wait) {
			wait, name, ok = d, f.reset, true
		}
	}
	return wait, name, ok
}

// A number without a unit is told by its size. These are ours, and a heuristic: nobody waits for 30 years, and 10⁹
// seconds after 1970 was in 2001.
const (
	leastEpochSeconds = 1_000_000_000
	leastEpochMillis  = 1_000_000_000_000
)

// ParseReset reads the ways in which partners say when a limit resets, as the wait from now; an instant that has passed
// is 0.
//
//	30                             seconds from now
//	1796040030                     an instant, in seconds since 1970 (10⁹ or more)
//	1796040030000                  the same in milliseconds (10¹² or more)
//	6m0s                           a duration as Go writes it
//	2026-11-30T12:00:30Z           RFC 3339
//	Mon, 30 Nov 2026 12:00:30 GMT  an HTTP-date
//
// ok is false for anything else, such as -1.
func ParseReset(value string, now field.Moment) (wait time.Duration, ok bool) {
	value = field.Trim(value)
	if n, ok := field.ParseNumber(value); ok {
		switch {
		case n.Whole >= leastEpochMillis:
			seconds, millis := n.Whole/1000, n.Whole%1000
			return until(field.Moment{Time: field.Time(seconds), Nanos: millis*1_000_000 + (n.Nanos+999)/1000}, now), true
		case n.Whole >= leastEpochSeconds:
			return until(field.Moment{Time: field.Time(n.Whole), Nanos: n.Nanos}, now), true
		}
		return n.Of(time.Second), true
	}
	if d, ok := parseGoDuration(value); ok {
		return d, true
	}
	if at, ok := field.ParseTimestamp(value); ok {
		return until(at, now), true
	}
	date, fault := field.ParseDate(value, now.Time)
	return now.Until(date.Time), fault == field.NoFault
}

// until returns how long it is from now to an instant, 0 if it has passed.
func until(at, now field.Moment) time.Duration {
	if at.Time < now.Time {
		return 0
	}
	whole := field.Moment{Time: now.Time}.Until(at.Time)
	return max(clock.Sum(whole, time.Duration(at.Nanos-now.Nanos)), 0)
}

// goUnits are the units of a Go duration, a longer name before the one it begins with.
var goUnits = [...]struct {
	name string
	unit time.Duration
}{
	{"ns", 1}, {"us", time.Microsecond}, {"µs", time.Microsecond}, {"ms", time.Millisecond},
	{"h", time.Hour}, {"m", time.Minute}, {"s", time.Second},
}

// parseGoDuration reads one or more numbers with units, 6m0s or 1.5s, without a sign. It saturates.
func parseGoDuration(value string) (sum time.Duration, ok bool) {
	for ok = value != ""; value != ""; {
		end := strings.IndexFunc(value, func(r rune) bool { return r != '.' && (r < '0' || r > '9') })
		if end < 0 {
			return 0, false
		}
		n, isNumber := field.ParseNumber(value[:end])
		unit, rest := cutUnit(value[end:])
		if !isNumber || unit == 0 {
			return 0, false
		}
		sum, value = clock.Sum(sum, n.Of(unit)), rest
	}
	return sum, ok
}

func cutUnit(s string) (time.Duration, string) {
	for _, u := range goUnits {
		if rest, ok := strings.CutPrefix(s, u.name); ok {
			return u.unit, rest
		}
	}
	return 0, s
}
