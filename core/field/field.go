// Package field reads what the fields of HTTP messages are made of: lines, blanks around values, numbers and dates
// (RFC 9110 section 5). It knows no field by name; the packages that do stand on it.
package field

import (
	"math/bits"
	"strings"
	"time"

	"retrylab.example/core/clock"
)

// Field is one field line of a message, as received: its value may have blanks at both ends.
type Field struct{ Name, Value string }

// Split reads fields that stand in one text, each as "Name: value" on a line of its own: call.Response.Fields. nil means
// that there are none.
func Split(text string) (fields []Field) {
	for line := range strings.Lines(text) {
		name, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), ": ")
		fields = append(fields, Field{name, value})
	}
	return fields
}

// Join writes fields into one text that Split reads. Names are tokens (RFC 9110 section 5.6.2), values have no line feed.
func Join(fields []Field) string {
	text := ""
	for _, f := range fields {
		text += f.Name + ": " + f.Value + "\n"
	}
	return text
}

// IsToken reports whether s can be the name of a field: letters, digits and some signs, at least one (RFC 9110 section
// 5.6.2).
func IsToken(s string) bool {
	for _, c := range []byte(s) {
		if (c|0x20 < 'a' || c|0x20 > 'z') && (c < '0' || c > '9') && strings.IndexByte("!#$%&'*+-.^_`|~", c) < 0 {
			return false
		}
	}
	return s != ""
}

// Lines returns the values of all lines with that name, in whatever letter case (RFC 9110 section 5.1), in their order.
// nil means that the field was not sent, which an empty line is not.
func Lines(fields []Field, name string) []string {
	var lines []string
	for _, f := range fields {
		if strings.EqualFold(f.Name, name) {
			lines = append(lines, f.Value)
		}
	}
	return lines
}

// Single returns the trimmed value of a field that is sent once, and false if it is missing or repeated.
func Single(fields []Field, name string) (string, bool) {
	lines := Lines(fields, name)
	if len(lines) != 1 {
		return "", false
	}
	return Trim(lines[0]), true
}

// Trim removes the spaces and tabs around a value, which are not part of it (RFC 9110 section 5.5). Other blanks, such
// as the no-break space, are.
func Trim(value string) string {
	for value != "" && isBlank(value[0]) {
		value = value[1:]
	}
	for value != "" && isBlank(value[len(value)-1]) {
		value = value[:len(value)-1]
	}
	return value
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' }

// Number is a number without a sign, exact to a billionth.
type Number struct {
	// Whole is the part before the point; what does not fit stays at the greatest int64.
	Whole int64
	// Nanos is the part behind the point in billionths, rounded up: 0 to 1e9, so that no number comes out smaller.
	Nanos int64
	// Pointed says that there was a point.
	Pointed bool
}

const (
	maxInt64 = 1<<63 - 1
	billion  = 1_000_000_000
)

// ParseNumber reads 1*DIGIT or 1*DIGIT "." 1*DIGIT, ASCII digits only. There is no sign, exponent, unit or separator.
func ParseNumber(s string) (n Number, ok bool) {
	whole, fraction, pointed := strings.Cut(s, ".")
	n.Pointed = pointed
	if n.Whole, ok = ParseDigits(whole); !ok || !pointed {
		return n, ok
	}
	if _, ok = ParseDigits(fraction); !ok {
		return Number{}, false
	}
	unit := int64(billion / 10)
	for _, c := range []byte(fraction) {
		switch {
		case unit > 0:
			n.Nanos += int64(c-'0') * unit
			unit /= 10
		case c != '0':
			n.Nanos++ // once: more digits are more of the same billionth
			return n, true
		}
	}
	return n, true
}

// ParseDigits reads 1*DIGIT; a number that does not fit stays at the greatest int64 and never wraps.
func ParseDigits(s string) (n int64, ok bool) {
	if s == "" {
		return 0, false
	}
	for _, c := range []byte(s) {
		switch {
		case c < '0' || c > '9':
			return 0, false
		case n > (maxInt64-int64(c-'0'))/10:
			n = maxInt64 // stays there: every further digit only makes it longer
		default:
			n = n*10 + int64(c-'0')
		}
	}
	return n, true
}

// Of returns n units, rounded up to a nanosecond and saturated.
func (n Number) Of(unit time.Duration) time.Duration {
	hi, lo := bits.Mul64(uint64(n.Nanos), uint64(unit))
	part, rest := bits.Div64(hi, lo, billion) // hi < billion, because Nanos ≤ billion and unit fits 63 bits
	if rest > 0 {
		part++
	}
	return clock.Sum(clock.Times(unit, uint64(n.Whole)), time.Duration(part))
}
