package retryafter

import (
	"time"

	"retrylab.example/core/clock"
	"retrylab.example/core/field"
)

// Context is what a reading needs beside the lines of Retry-After.
type Context struct {
	// Now is the instant of receipt on the client's own clock, which may be wrong.
	Now field.Moment
	// Fields are the other fields of the response. Date and Age correct a date for a wrong clock and for the time that
	// the response lay in a cache; the rest is read by Wild only.
	Fields []field.Field
}

// Reading is what a response asks for. The zero value asks for nothing, and says no reason.
type Reading struct {
	// Valid says that something was read. A valid reading may ask for 0.
	Valid bool
	// Delay is the wait from receipt, ≥ 0, saturated. It is what the partner says; the wait that a client makes of it is
	// a second step (Rule, budgets).
	Delay time.Duration
	// Seconds is the same in whole seconds, rounded up: it does not saturate where Delay does.
	Seconds int64
	Kind    Kind
	// Never says that the partner wants no retry; Delay is 0 then. Only a Pushback says so.
	Never bool
	// Field is the name of the field that it was read from, and Text its value without the blanks around it.
	Field, Text string
	// Date is the instant that was asked for, if Kind is HTTPDate.
	Date field.Date
	// From is the instant that the wait to the Date is counted from. ByDate says that it is the response's own Date,
	// which takes the client's clock out (RFC 9111 section 4.2.1 does the same for Expires); else it is that of receipt.
	From   field.Time
	ByDate bool
	// Age is what was taken off for the time in a cache: only beside a Date.
	Age time.Duration
	// Reason says why nothing was read.
	Reason Reason
	Warn   Warnings
}

// Name is the field's.
const Name = "Retry-After"

// Read reads the lines of Retry-After as received: one text for each line, blanks included; none if it was not sent.
//
//	value                          integer   decimal   standard   vendor
//	5                              5 s       5 s       5 s        5 s
//	1.5                            –         1.5 s     –          2 s
//	Mon, 30 Nov 2026 12:02:00 GMT  –         –         to then    to then
//	-1, 1e3, 5s, "5", 5,5, 5 twice –         –         –          –
//
// A number that does not fit asks for the longest wait there is: it is a valid way of saying "very long", and to ignore
// it or to let it wrap would be to retry at once.
func Read(m Mode, lines []string, c Context) Reading {
	r := read(m, lines, c)
	if m == Wild {
		return wild(r, c)
	}
	return r
}

func read(m Mode, lines []string, c Context) Reading {
	switch len(lines) {
	case 0:
		return Reading{Reason: Absent}
	case 1:
	default:
		return invalid(field.Trim(lines[0]), Repeated)
	}
	text := field.Trim(lines[0])
	n, isNumber := field.ParseNumber(text)
	switch {
	case text == "":
		return invalid(text, Empty)
	case isNumber && (!n.Pointed || m.decimals()):
		return seconds(m, text, n)
	case m == Integer:
		return invalid(text, NotDigits)
	case m == Decimal:
		return invalid(text, NotDecimal)
	}
	return date(m, text, c)
}

func invalid(text string, why Reason) Reading { return Reading{Field: Name, Text: text, Reason: why} }

// seconds makes the reading of a number of seconds.
func seconds(m Mode, text string, n field.Number) Reading {
	r := Reading{Valid: true, Field: Name, Text: text, Kind: DelaySeconds}
	if n.Pointed {
		r.Kind = DecimalSeconds
	}
	r.Seconds = n.Whole
	if n.Nanos > 0 && n.Whole < 1<<63-1 {
		r.Seconds++
	}
	if m >= Vendor && n.Nanos > 0 {
		n = field.Number{Whole: r.Seconds}
		r.Warn.add(RoundedUp, true)
	}
	r.Delay = n.Of(time.Second)
	r.Warn.add(Saturated, r.Delay == clock.MaxDuration)
	return r
}

var dateReasons = [...]Reason{
	field.NoFault: NoReason, field.NoDateForm: NoForm, field.DayName: DayName, field.MonthName: MonthName,
	field.Punctuation: Punctuation, field.TimeOfDay: TimeOfDay, field.NoSuchDay: NoSuchDay,
}

// date makes the reading of an HTTP-date: max(0, date − Date − Age) where the response has a Date, else
// max(0, date − receipt).
func date(m Mode, text string, c Context) Reading {
	from, byDate, unread := c.sent()
	d, fault := field.ParseDate(text, from.Time)
	if fault != field.NoFault {
		return invalid(text, dateReasons[fault])
	}
	if m == Strict && d.WeekdayMismatch {
		return invalid(text, WrongWeekday)
	}
	r := Reading{
		Valid: true, Kind: HTTPDate, Field: Name, Text: text, Date: d, From: from.Time, ByDate: byDate,
		Delay: from.Until(d.Time), Seconds: max(int64(d.Time-from.Time), 0),
	}
	r.Warn.add(WeekdayMismatch, d.WeekdayMismatch)
	r.Warn.add(LeapSecond, d.Leap)
	r.Warn.add(DateUnread, unread)
	if age := c.age(); byDate && age > 0 {
		whole := field.Number{Whole: age}
		r.Age = whole.Of(time.Second)
		r.Seconds = max(r.Seconds-age, 0)
		r.Delay = field.Number{Whole: r.Seconds}.Of(time.Second)
	}
	r.Warn.add(Saturated, r.Delay == clock.MaxDuration)
	return r
}

// sent returns the instant that a date is counted from: the response's own Date if it has one that can be read, else
// that of receipt (RFC 9110 section 6.6.1 lets a recipient put it in).
func (c Context) sent() (from field.Moment, byDate, unread bool) {
	if len(field.Lines(c.Fields, "Date")) == 0 {
		return c.Now, false, false
	}
	value, _ := field.Single(c.Fields, "Date")
	d, fault := field.ParseDate(value, c.Now.Time)
	if fault != field.NoFault {
		return c.Now, false, true
	}
	return field.Moment{Time: d.Time}, true, false
}

// age returns the seconds that the response lay in caches, 0 if it does not say (RFC 9111 section 5.1).
func (c Context) age() int64 {
	value, _ := field.Single(c.Fields, "Age")
	age, _ := field.ParseDigits(value)
	return age
}
