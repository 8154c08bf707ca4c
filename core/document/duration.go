package document

import (
	"math/bits"
	"strconv"
	"strings"
	"time"

	"retrylab.example/core/clock"
)

var units = []struct {
	name string
	unit time.Duration
}{
	{"ns", 1}, {"us", time.Microsecond}, {"ms", time.Millisecond}, {"s", time.Second}, {"m", time.Minute}, {"h", time.Hour},
}

// ParseDuration reads one decimal number with one unit (ns, us, ms, s, m, h), exactly: "250ms", "1.5s", "24h", "0s". A
// value finer than a nanosecond or longer than 292 years is refused. It is stricter than time.ParseDuration, which
// computes fractions with floats.
func ParseDuration(s string) (time.Duration, bool) {
	digits := strings.TrimRight(s, "abcdefghijklmnopqrstuvwxyz")
	for _, u := range units {
		if s[len(digits):] == u.name {
			return scale(digits, u.unit)
		}
	}
	return 0, false
}

// scale returns digits·unit, exactly, with the fraction in 128 bits.
func scale(digits string, unit time.Duration) (time.Duration, bool) {
	digits, negative := strings.CutPrefix(digits, "-")
	whole, frac, dotted := strings.Cut(digits, ".")
	if whole == "" || dotted && frac == "" || len(frac) > 18 || !allDigits(whole) || !allDigits(frac) {
		return 0, false
	}
	n, err := strconv.ParseInt(whole, 10, 64)
	if err != nil {
		return 0, false
	}
	part, power := uint64(0), uint64(1)
	for _, c := range []byte(frac) {
		part, power = part*10+uint64(c-'0'), power*10
	}
	hi, lo := bits.Mul64(part, uint64(unit))
	quo, rest := bits.Div64(hi, lo, power) // hi < power because part < power and unit fits 63 bits
	d := clock.Sum(clock.Times(unit, uint64(n)), time.Duration(quo))
	if rest != 0 || d == clock.MaxDuration {
		return 0, false
	}
	if negative {
		d = -d
	}
	return d, true
}

func allDigits(s string) bool {
	for _, c := range []byte(s) {
		if c < '0' || c > '9' {
			return false
		}
	}
	return true
}

// FormatDuration writes d so that ParseDuration reads it back: in hours if whole, else in seconds, milliseconds or
// nanoseconds. The two ends of the range, which stand for "more", are written and cannot be read.
func FormatDuration(d time.Duration) string {
	switch {
	case d == clock.MinDuration:
		return strconv.FormatInt(int64(d), 10) + "ns"
	case d < 0:
		return "-" + FormatDuration(-d)
	case d >= time.Hour && d%time.Hour == 0:
		return strconv.FormatInt(int64(d/time.Hour), 10) + "h"
	case d == 0 || d >= time.Second:
		return decimal(d, time.Second) + "s"
	case d >= time.Millisecond:
		return decimal(d, time.Millisecond) + "ms"
	}
	return strconv.FormatInt(int64(d), 10) + "ns"
}

func decimal(d, unit time.Duration) string {
	s := strconv.FormatInt(int64(d/unit), 10)
	if rest := d % unit; rest > 0 {
		s += "." + strings.TrimRight(strconv.FormatInt(int64(unit+rest), 10)[1:], "0")
	}
	return s
}
