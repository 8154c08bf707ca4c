package limit

import (
	"strconv"
	"strings"
	"time"

	"retrylab.example/core/clock"
	"retrylab.example/core/decision"
)

// Setting is a setting of a sliding log as somebody wrote it, right or wrong: the JSON literals of its two values, as 2,
// 2.5, true or "2". The window is in seconds.
type Setting struct{ Count, Window string }

// Decide reads a setting and admits or refuses it (contract B, validate_limit). The count is a whole number of at least
// 1; the window a finite number above 0, rounded up to nanoseconds. Nothing is guessed: true is no 1, and "2" no 2.
// Numbers beyond what fits are the greatest that does. The texts "NaN", "Infinity" and "-Infinity" stand for the numbers
// that JSON cannot write. The count is judged first.
func (s Setting) Decide() (c Config, d decision.Decision) {
	count, why := readCount(s.Count)
	window, whyWindow := readWindow(s.Window)
	d.Verdict, d.Reason = decision.Refuse, why
	marks := [2]decision.Mark{decision.Plain, decision.Plain}
	switch {
	case why != decision.NoReason:
		marks[0] = decision.Decided
	case whyWindow != decision.NoReason:
		d.Reason, marks[1] = whyWindow, decision.Decided
	default:
		d.Verdict, d.Reason = decision.Admit, decision.LimitValid
		c = Config{Limit: count, Window: window}
	}
	d.Add(decision.Term{Name: decision.LimitCount, Text: s.Count, Value: int64(count), Mark: marks[0]})
	d.Add(decision.Term{Name: decision.LimitWindow, Text: s.Window, Value: int64(window), Mark: marks[1]})
	return c, d
}

func readCount(s string) (int, decision.Reason) {
	digits, negative := strings.CutPrefix(s, "-")
	if digits == "" || strings.Trim(digits, "0123456789") != "" {
		return 0, decision.LimitNotWhole
	}
	n, err := strconv.ParseInt(digits, 10, 64)
	switch {
	case negative || err == nil && n == 0:
		return 0, decision.LimitBelowOne
	case err != nil:
		n = int64(clock.MaxDuration) // more than any run can count
	}
	return int(n), decision.NoReason
}

// The greatest finite number of 64 bits has greatestDigits digits before its point and begins with greatest.
const (
	greatestDigits = 309
	greatest       = "179769313486231580793"
	leastDigits    = -323 // anything smaller is 0 in 64 bits
)

func readWindow(s string) (time.Duration, decision.Reason) {
	switch s {
	case `"NaN"`, `"Infinity"`, `"-Infinity"`:
		return 0, decision.WindowNotFinite
	}
	n, ok := readDecimal(s)
	switch {
	case !ok:
		return 0, decision.WindowNotNumber
	case n.point > greatestDigits || n.point == greatestDigits && n.digits > greatest:
		return 0, decision.WindowNotFinite
	case n.negative || n.digits == "" || n.point < leastDigits:
		return 0, decision.WindowNotPositive
	}
	return n.nanoseconds(), decision.NoReason
}

// decimal is 0.digits · 10^point; the digits begin with none that is 0, and are "" for 0.
type decimal struct {
	negative bool
	digits   string
	point    int
}

// readDecimal reads a number as JSON writes it.
func readDecimal(s string) (d decimal, ok bool) {
	s, d.negative = strings.CutPrefix(s, "-")
	mantissa, exponent, powered := strings.Cut(strings.ToLower(s), "e")
	whole, part, pointed := strings.Cut(mantissa, ".")
	if whole == "" || pointed && part == "" || strings.Trim(whole+part, "0123456789") != "" {
		return d, false
	}
	if powered {
		digits := strings.TrimLeft(exponent, "+-")
		if len(exponent)-len(digits) > 1 || digits == "" || strings.Trim(digits, "0123456789") != "" {
			return d, false
		}
		const far = 100_000 // beyond any number that has a meaning here
		if n, err := strconv.Atoi(digits); err == nil && n < far {
			d.point = n
		} else {
			d.point = far
		}
		if exponent[0] == '-' {
			d.point = -d.point
		}
	}
	d.digits = strings.TrimLeft(whole+part, "0")
	d.point += len(d.digits) - len(part)
	return d, true
}

// nanoseconds returns a number of seconds, rounded up, the greatest duration if it is longer.
func (d decimal) nanoseconds() time.Duration {
	kept := d.point + 9
	switch {
	case kept <= 0:
		return 1
	case kept > 19:
		return clock.MaxDuration
	}
	digits, rest := d.digits, ""
	if len(digits) > kept {
		digits, rest = digits[:kept], digits[kept:]
	}
	n, err := strconv.ParseInt(digits+strings.Repeat("0", kept-len(digits)), 10, 64)
	if err != nil || n == int64(clock.MaxDuration) {
		return clock.MaxDuration
	}
	if strings.Trim(rest, "0") != "" {
		n++
	}
	return time.Duration(n)
}
