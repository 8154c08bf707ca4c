package field

import "strings"

// Date is an HTTP-date (RFC 9110 section 5.6.7).
type Date struct {
	Time Time
	Form Form
	// Leap says that it is a leap second, 23:59:60, which is reckoned as the midnight after it.
	Leap bool
	// WeekdayMismatch says that the name of the day is not that of the date. The grammar asks for the right one
	// (RFC 5322 section 3.3) and for robust readers; whether it counts is the reader's rule.
	WeekdayMismatch bool
}

// Form is one of the three that a recipient must accept.
type Form uint8

const (
	// NoForm: it is no HTTP-date.
	NoForm Form = iota
	// IMFFixdate: Mon, 30 Nov 2026 12:02:00 GMT. The only form that may be sent.
	IMFFixdate
	// RFC850: Monday, 30-Nov-26 12:02:00 GMT. Obsolete.
	RFC850
	// Asctime: Mon Nov 30 12:02:00 2026. Obsolete; in UTC.
	Asctime
)

var formNames = [...]string{"none", "imf-fixdate", "rfc850", "asctime"}

// String returns the name of the form in RFC 9110, in small letters.
func (f Form) String() string { return formNames[f] }

// DateFault says why a text is no HTTP-date.
type DateFault uint8

const (
	// NoFault: it is one.
	NoFault DateFault = iota
	// NoDateForm: the text has the shape of none of the three forms.
	NoDateForm
	// DayName: the day of the week is not one of the seven names, in their letter case.
	DayName
	// MonthName: the month is not one of the twelve names, in their letter case.
	MonthName
	// Punctuation: a blank, comma, hyphen, colon, digit or the zone GMT is not where the form has it.
	Punctuation
	// TimeOfDay: the time of day is later than 23:59:59, and is not 23:59:60.
	TimeOfDay
	// NoSuchDay: the month has no such day.
	NoSuchDay
)

var (
	longDays  = [...]string{"Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"}
	monthsOf  = [...]string{"Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"}
	dayLength = 3 // of a short name, of a day or a month
)

// ParseDate reads the three forms of an HTTP-date, exactly: letter case, single blanks, two digits, GMT. Only a year of
// two digits depends on near, the instant of reading.
func ParseDate(value string, near Time) (Date, DateFault) {
	value = Trim(value)
	comma := strings.IndexByte(value, ',')
	switch {
	case len(value) == 29 && value[3:5] == ", ":
		return readIMF(value)
	case len(value) == 24 && value[3] == ' ' && value[7] == ' ':
		return readAsctime(value)
	case comma >= len("Sunday") && len(value) == comma+24 && value[comma+1] == ' ':
		return readRFC850(value, comma, near)
	}
	return Date{}, NoDateForm
}

func readIMF(value string) (Date, DateFault) {
	c := cursor{rest: value}
	weekday := c.day(dayLength)
	c.literal(", ")
	at := civil{day: c.digits(2)}
	c.literal(" ")
	at.month = c.month()
	c.literal(" ")
	at.year = c.digits(4)
	c.literal(" ")
	c.timeOfDay(&at)
	c.literal(" GMT")
	return c.date(at, weekday, IMFFixdate)
}

func readRFC850(value string, comma int, near Time) (Date, DateFault) {
	c := cursor{rest: value}
	weekday := c.day(comma)
	c.literal(", ")
	at := civil{day: c.digits(2)}
	c.literal("-")
	at.month = c.month()
	c.literal("-")
	at.year = c.digits(2)
	c.literal(" ")
	c.timeOfDay(&at)
	c.literal(" GMT")
	at.year = fullYear(at, near)
	return c.date(at, weekday, RFC850)
}

func readAsctime(value string) (Date, DateFault) {
	c := cursor{rest: value}
	weekday := c.day(dayLength)
	c.literal(" ")
	at := civil{month: c.month()}
	c.literal(" ")
	if strings.HasPrefix(c.rest, " ") {
		c.literal(" ")
		at.day = c.digits(1)
	} else {
		at.day = c.digits(2)
	}
	c.literal(" ")
	c.timeOfDay(&at)
	c.literal(" ")
	at.year = c.digits(4)
	return c.date(at, weekday, Asctime)
}

// fullYear returns the latest year that ends in the two digits of at.year and does not put at more than 50 years ahead
// of near. Read on 2026-11-30 12:00:00, 30-Nov-76 12:00:00 is 2076 and a second later is 1976; 25 is 2025.
func fullYear(at civil, near Time) int64 {
	now := near.civil()
	latest := now.year + 50
	year := latest - floorMod(latest-at.year, 100)
	later := at
	later.year, now.year = 0, 0
	if year == latest && later.after(now) {
		year -= 100
	}
	return year
}

// after compares two instants of the calendar part by part, so that no 29 February has to exist in both years.
func (c civil) after(o civil) bool {
	a := [...]int64{c.year, c.month, c.day, c.hour, c.minute, c.second}
	b := [...]int64{o.year, o.month, o.day, o.hour, o.minute, o.second}
	for i := range a {
		if a[i] != b[i] {
			return a[i] > b[i]
		}
	}
	return false
}

// cursor reads a text from its beginning. The first fault stays, and later reads give zeros.
type cursor struct {
	rest  string
	fault DateFault
}

func (c *cursor) fail(f DateFault) {
	if c.fault == NoFault {
		c.fault = f
	}
	c.rest = ""
}

func (c *cursor) literal(s string) {
	rest, ok := strings.CutPrefix(c.rest, s)
	if !ok {
		c.fail(Punctuation)
		return
	}
	c.rest = rest
}

func (c *cursor) digits(n int) int64 {
	if len(c.rest) < n {
		c.fail(Punctuation)
		return 0
	}
	value, ok := ParseDigits(c.rest[:n])
	if !ok {
		c.fail(Punctuation)
		return 0
	}
	c.rest = c.rest[n:]
	return value
}

// day reads a name of n letters: a short name is the first three letters of a long one.
func (c *cursor) day(n int) int64 {
	for i, name := range longDays {
		if n == dayLength {
			name = name[:dayLength]
		}
		if len(name) == n && strings.HasPrefix(c.rest, name) {
			c.rest = c.rest[n:]
			return int64(i)
		}
	}
	c.fail(DayName)
	return 0
}

func (c *cursor) month() int64 {
	for i, name := range monthsOf {
		if rest, ok := strings.CutPrefix(c.rest, name); ok {
			c.rest = rest
			return int64(i) + 1
		}
	}
	c.fail(MonthName)
	return 0
}

func (c *cursor) timeOfDay(at *civil) {
	at.hour = c.digits(2)
	c.literal(":")
	at.minute = c.digits(2)
	c.literal(":")
	at.second = c.digits(2)
}

func (c *cursor) date(at civil, weekday int64, form Form) (Date, DateFault) {
	if c.fault == NoFault {
		c.fault = at.valid()
	}
	if c.fault != NoFault {
		return Date{}, c.fault
	}
	days := daysOf(at.year, at.month, at.day)
	actual := floorMod(days+4, 7) // 1970-01-01 was a Thursday
	return Date{Time: at.time(), Form: form, Leap: at.second == 60, WeekdayMismatch: weekday != actual}, NoFault
}

func floorMod(a, b int64) int64 { return a - floorDiv(a, b)*b }

// ParseTimestamp reads an instant as RFC 3339 has it, 2026-11-30T12:00:30Z or with a zone such as +09:00, and with a
// fraction of a second or without. Billionths and less are cut off.
func ParseTimestamp(value string) (m Moment, ok bool) {
	c := cursor{rest: value}
	at := civil{year: c.digits(4)}
	c.literal("-")
	at.month = c.digits(2)
	c.literal("-")
	at.day = c.digits(2)
	c.literal("T")
	c.timeOfDay(&at)
	if rest, ok := strings.CutPrefix(c.rest, "."); ok {
		end := strings.IndexFunc(rest, func(r rune) bool { return r < '0' || r > '9' })
		if end < 1 {
			return Moment{}, false
		}
		m.Nanos, _ = ParseDigits((rest[:end] + "000000000")[:9])
		c.rest = rest[end:]
	}
	offset := c.zone()
	if c.fault != NoFault || c.rest != "" || at.valid() != NoFault {
		return Moment{}, false
	}
	m.Time = at.time() - Time(offset)
	return m, true
}

// zone reads Z or ±hh:mm and returns the seconds that such a clock is ahead of UTC.
func (c *cursor) zone() int64 {
	sign := int64(1)
	switch {
	case strings.HasPrefix(c.rest, "Z"):
		c.literal("Z")
		return 0
	case strings.HasPrefix(c.rest, "-"):
		sign = -1
		c.literal("-")
	default:
		c.literal("+")
	}
	hours := c.digits(2)
	c.literal(":")
	minutes := c.digits(2)
	if hours > 23 || minutes > 59 {
		c.fail(TimeOfDay)
	}
	return sign * (hours*3600 + minutes*60)
}
