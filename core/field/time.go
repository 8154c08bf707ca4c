package field

import (
	"time"

	"retrylab.example/core/clock"
)

// Time is an instant of the calendar: whole seconds since 1970-01-01 00:00:00 UTC, leap seconds not counted. It is
// not simulated time: a run that wants dates says at which Time it began.
type Time int64

// Moment is an instant of a machine's clock. The zero value is the beginning of 1970.
type Moment struct {
	Time Time
	// Nanos is the part of the second that has passed, 0 to 999,999,999.
	Nanos int64
}

// Until returns how long it is from m to t: 0 when t has passed, and saturated.
func (m Moment) Until(t Time) time.Duration {
	if t <= m.Time {
		return 0
	}
	return clock.Times(time.Second, uint64(t-m.Time)) - time.Duration(m.Nanos)
}

const daySeconds = 24 * 3600

// civil is a date and a time of day in UTC, in the Gregorian calendar reckoned backwards too.
type civil struct{ year, month, day, hour, minute, second int64 }

// daysOf returns the days from 1970-01-01 to a date, by years that begin in March, so that the leap day is the last
// one (Hinnant, "chrono-compatible low-level date algorithms"). 1970-01-01 → 0, 2000-03-01 → 11017.
func daysOf(year, month, day int64) int64 {
	if month <= 2 {
		year--
		month += 12
	}
	era := floorDiv(year, 400)
	ofEra := year - era*400
	ofYear := (153*(month-3)+2)/5 + day - 1
	return era*146097 + ofEra*365 + ofEra/4 - ofEra/100 + ofYear - 719468
}

// time returns the instant. The second 60 is the first of the next minute.
func (c civil) time() Time {
	return Time(daysOf(c.year, c.month, c.day)*daySeconds + c.hour*3600 + c.minute*60 + c.second)
}

// civil is the inverse of civil.time.
func (t Time) civil() civil {
	days := floorDiv(int64(t), daySeconds)
	rest := int64(t) - days*daySeconds
	days += 719468
	era := floorDiv(days, 146097)
	ofEra := days - era*146097
	year := (ofEra - ofEra/1460 + ofEra/36524 - ofEra/146096) / 365
	ofYear := ofEra - (365*year + year/4 - year/100)
	fromMarch := (5*ofYear + 2) / 153
	c := civil{year: year + era*400, month: fromMarch + 3, day: ofYear - (153*fromMarch+2)/5 + 1}
	if c.month > 12 {
		c.month -= 12
		c.year++
	}
	c.hour, c.minute, c.second = rest/3600, rest/60%60, rest%60
	return c
}

func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

func isLeap(year int64) bool { return year%4 == 0 && (year%100 != 0 || year%400 == 0) }

func daysIn(year, month int64) int64 {
	switch month {
	case 2:
		if isLeap(year) {
			return 29
		}
		return 28
	case 4, 6, 9, 11:
		return 30
	}
	return 31
}

// valid reports whether there is such a day and such a time of it. The second 60 is there only as 23:59:60: that a leap
// second is legal is all that RFC 9110 section 5.6.7 says, and it names no days.
func (c civil) valid() DateFault {
	switch {
	case c.hour > 23 || c.minute > 59 || c.second > 60 || c.second == 60 && (c.hour != 23 || c.minute != 59):
		return TimeOfDay
	case c.month < 1 || c.month > 12 || c.day < 1 || c.day > daysIn(c.year, c.month):
		return NoSuchDay
	}
	return NoFault
}

// String returns the instant as RFC 3339 has it: 2026-11-30T12:00:00Z.
func (t Time) String() string {
	c := t.civil()
	b := appendDigits(nil, c.year, 4)
	for _, part := range [...]struct {
		before byte
		value  int64
	}{{'-', c.month}, {'-', c.day}, {'T', c.hour}, {':', c.minute}, {':', c.second}} {
		b = appendDigits(append(b, part.before), part.value, 2)
	}
	return string(append(b, 'Z'))
}

// appendDigits appends n ≥ 0 with at least that many digits, and a minus before n < 0.
func appendDigits(b []byte, n int64, least int) []byte {
	if n < 0 {
		b, n = append(b, '-'), -n
	}
	var digits [20]byte
	i := len(digits)
	for n > 0 || least > 0 {
		i--
		digits[i] = byte('0' + n%10)
		n, least = n/10, least-1
	}
	return append(b, digits[i:]...)
}
