package field

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"retrylab.example/core/clock"
)

const now Time = 1796040000 // Mon, 30 Nov 2026 12:00:00 GMT

func TestDates(t *testing.T) {
	for _, c := range []struct {
		value string
		want  string // the instant, or the fault
		form  Form
		note  string
	}{
		{"Sun, 06 Nov 1994 08:49:37 GMT", "1994-11-06T08:49:37Z", IMFFixdate, "RFC 9110 section 5.6.7"},
		{"Sunday, 06-Nov-94 08:49:37 GMT", "1994-11-06T08:49:37Z", RFC850, "RFC 9110 section 5.6.7"},
		{"Sun Nov  6 08:49:37 1994", "1994-11-06T08:49:37Z", Asctime, "RFC 9110 section 5.6.7"},
		{"Sun Nov 06 08:49:37 1994", "1994-11-06T08:49:37Z", Asctime, "2DIGIT is a day of asctime too"},
		{" \tSun, 06 Nov 1994 08:49:37 GMT\t", "1994-11-06T08:49:37Z", IMFFixdate, "blanks around"},
		{"Thu, 01 Jan 1970 00:00:00 GMT", "1970-01-01T00:00:00Z", IMFFixdate, "the epoch"},
		{"Sat, 01 Jan 0000 00:00:00 GMT", "0000-01-01T00:00:00Z", IMFFixdate, "the first day there is"},
		{"Fri, 31 Dec 9999 23:59:59 GMT", "9999-12-31T23:59:59Z", IMFFixdate, "the last"},
		{"Thu, 31 Dec 2026 23:59:60 GMT", "2027-01-01T00:00:00Z leap", IMFFixdate, "S44"},
		{"Thursday, 31-Dec-26 23:59:60 GMT", "2027-01-01T00:00:00Z leap", RFC850, "S44"},
		{"Mon Nov 30 23:59:60 2026", "2026-12-01T00:00:00Z leap", Asctime, "the grammar names no days for it"},
		{"Tue, 30 Nov 2026 12:02:00 GMT", "2026-11-30T12:02:00Z weekday", IMFFixdate, "S45"},
		{"Tue, 29 Feb 2000 00:00:00 GMT", "2000-02-29T00:00:00Z", IMFFixdate, "every 400 years there is one"},
		{"Mon, 29 Feb 2100 00:00:00 GMT", "no-such-day", NoForm, "and every 100 there is none"},
		{"Mon, 00 Nov 2026 00:00:00 GMT", "no-such-day", NoForm, "a day 0"},
		{"Mon Nov  0 00:00:00 2026", "no-such-day", NoForm, "a day 0"},
		{"Mon, 30 Nov 2026 23:59:61 GMT", "time-of-day", NoForm, "no second 61"},
		{"Mon, 30 Nov 2026 23:60:00 GMT", "time-of-day", NoForm, "no minute 60"},
		{"Mon, 30 Nov 2026 22:59:60 GMT", "time-of-day", NoForm, "a leap second ends a day"},
		{"Mon, 30 nov 2026 12:02:00 GMT", "month-name", NoForm, "letter case"},
		{"Mon, 30 Nov 2026 12:02:00 gmt", "punctuation", NoForm, "letter case"},
		{"Mon, 3O Nov 2026 12:02:00 GMT", "punctuation", NoForm, "a letter O"},
		{"Mon, 30 Nov 2026 12-02:00 GMT", "punctuation", NoForm, "a hyphen"},
		{"Mon, +3 Nov 2026 12:02:00 GMT", "punctuation", NoForm, "a sign"},
		{"Monday, 30 Nov 26 12:02:00 GMT", "punctuation", NoForm, "blanks in RFC 850"},
		{"monday, 30-Nov-26 12:02:00 GMT", "day-name", NoForm, "letter case"},
		{"Fooday, 30-Nov-26 12:02:00 GMT", "day-name", NoForm, "no such name"},
		{"Mon, 30-Nov-26 12:02:00 GMT", "no-form", NoForm, "a short name in RFC 850"},
		{"Mon, 30 Nov 2099 12:02:00 PST", "punctuation", NoForm, "resilience A.2: must be GMT"},
		{"Sun Nov  6 08:49:37 1994 GMT", "no-form", NoForm, "asctime has no zone"},
		{"", "no-form", NoForm, ""},
	} {
		d, fault := ParseDate(c.value, now)
		if got := written(d, fault); got != c.want || d.Form != c.form {
			t.Errorf("%q (%s): got %s, %s; want %s, %s", c.value, c.note, got, d.Form, c.want, c.form)
		}
	}
}

func written(d Date, fault DateFault) string {
	if fault != NoFault {
		return []string{"", "no-form", "day-name", "month-name", "punctuation", "time-of-day", "no-such-day"}[fault]
	}
	s := d.Time.String()
	if d.Leap {
		s += " leap"
	}
	if d.WeekdayMismatch {
		s += " weekday"
	}
	return s
}

// S43: more than 50 years ahead is the most recent past year with the same digits. The day must exist in that year.
func TestYearsOfTwoDigits(t *testing.T) {
	for _, c := range []struct{ now, date, want string }{
		{"2026-11-30T12:00:00Z", "30-Nov-76 12:00:00", "2076-11-30T12:00:00Z"},
		{"2026-11-30T12:00:00Z", "30-Nov-76 12:00:01", "1976-11-30T12:00:01Z"},
		{"2026-11-30T12:00:00Z", "01-Jan-77 00:00:00", "1977-01-01T00:00:00Z"},
		{"2026-11-30T12:00:00Z", "31-Dec-75 00:00:00", "2075-12-31T00:00:00Z"},
		{"2026-11-30T12:00:00Z", "30-Nov-25 12:00:00", "2025-11-30T12:00:00Z"},
		{"2026-11-30T12:00:00Z", "29-Feb-00 00:00:00", "2000-02-29T00:00:00Z"},
		{"2060-06-01T00:00:00Z", "29-Feb-00 00:00:00", "no-such-day"}, // 2100
		{"2060-06-01T00:00:00Z", "01-Jan-09 00:00:00", "2109-01-01T00:00:00Z"},
		{"1999-12-31T23:59:59Z", "01-Jan-00 00:00:00", "2000-01-01T00:00:00Z"},
		{"2028-02-29T12:00:00Z", "28-Feb-78 12:00:01", "2078-02-28T12:00:01Z"},
		{"2028-02-29T12:00:00Z", "01-Mar-78 00:00:00", "1978-03-01T00:00:00Z"},
	} {
		near, ok := ParseTimestamp(c.now)
		d, fault := ParseDate("Monday, "+c.date+" GMT", near.Time)
		if got := strings.TrimSuffix(written(d, fault), " weekday"); !ok || got != c.want {
			t.Errorf("%s at %s: got %s, want %s", c.date, c.now, got, c.want)
		}
	}
}

func TestTimestamps(t *testing.T) {
	for text, want := range map[string]Moment{
		"2026-11-30T12:00:00Z":                 {Time: now},
		"2026-11-30T21:00:00+09:00":            {Time: now},
		"2026-11-30T04:30:00.25-07:30":         {Time: now, Nanos: 250_000_000},
		"2026-11-30T12:00:00.9999999999Z":      {Time: now, Nanos: 999_999_999},
		"1969-12-31T23:59:59Z":                 {Time: -1},
		"2026-11-30T12:00:00":                  {},
		"2026-11-30 12:00:00Z":                 {},
		"2026-11-30T12:00:00.Z":                {},
		"2026-11-30T12:00:00+24:00":            {},
		"2026-11-31T12:00:00Z":                 {},
		"2026-11-30T12:00:00Z ":                {},
		"26-11-30T12:00:00Z":                   {},
		"2026-11-30T12:00:00+0900":             {},
		"":                                     {},
		"2026-11-30T12:00:00.1234567890123-00": {},
	} {
		if got, ok := ParseTimestamp(text); got != want || ok != (want != Moment{}) {
			t.Errorf("%q: got %+v, %t; want %+v", text, got, ok, want)
		}
	}
}

// The calendar against package time, over all that dates can say.
func TestTheCalendarIsThatOfPackageTime(t *testing.T) {
	const first, last = -62167219200, 253402300799
	for at := Time(first); at <= last; at += 86400*13 + 4799 {
		if got, want := at.String(), time.Unix(int64(at), 0).UTC().Format("2006-01-02T15:04:05Z"); got != want {
			t.Fatalf("%d: got %s, want %s", at, got, want)
		}
		if back := at.civil().time(); back != at {
			t.Fatalf("%d comes back as %d", at, back)
		}
	}
}

func TestUntil(t *testing.T) {
	for _, c := range []struct {
		from Moment
		to   Time
		want time.Duration
	}{
		{Moment{Time: now}, now + 120, 120 * time.Second}, {Moment{Time: now}, now, 0}, {Moment{Time: now}, now - 1, 0},
		{Moment{now, 600_000_000}, now + 1, 400 * time.Millisecond}, {Moment{now, 1}, now, 0},
		{Moment{}, 1 << 62, clock.MaxDuration}, {Moment{Time: now}, now + 9223372036, 9223372036 * time.Second},
		{Moment{Nanos: 1}, 9223372037, clock.MaxDuration - 1},
	} {
		if got := c.from.Until(c.to); got != c.want {
			t.Errorf("from %+v to %d: got %d, want %d", c.from, c.to, got, c.want)
		}
	}
}

// FuzzDate holds dates to a twin that lets package time read them, and then asks whether the date is written back as
// the same text: package time is laxer than the grammar.
func FuzzDate(f *testing.F) {
	for _, s := range []string{
		"Mon, 30 Nov 2026 12:02:00 GMT", "Monday, 30-Nov-26 12:02:00 GMT", "Mon Nov 30 12:02:00 2026", "Tue Dec  1 00:00:00 2026",
		"Monday, 30-Nov-76 12:00:00 GMT", "Monday, 30-Nov-76 12:00:01 GMT", "Tue, 29 Feb 2000 00:00:00 GMT", "Thu, 31 Dec 2026 23:59:60 GMT",
		"mon, 30 nov 2026 12:02:00 gmt", "Mon, 30 Nov 2026 12:02:60 GMT", "Wednesday, 29-Feb-28 23:59:60 GMT", "Sun Nov 06 08:49:37 1994",
		"Monday, 10-Nov-0A 00:00:00 GMT",
	} {
		f.Add(s, int64(now))
	}
	f.Fuzz(func(t *testing.T, s string, near int64) {
		near = floorMod(near, 200*366*86400) // 1970 to 2169
		d, fault := ParseDate(s, Time(near))
		wantTime, wantForm := twinDate(Trim(s), near)
		if (fault == NoFault) != (wantForm != NoForm) || d.Form != wantForm || fault == NoFault && int64(d.Time) != wantTime {
			t.Fatalf("%q at %d: got %d, %s, fault %d; want %d, %s", s, near, d.Time, d.Form, fault, wantTime, wantForm)
		}
	})
}

func twinDate(s string, near int64) (int64, Form) {
	plain, leap := s, int64(0)
	if strings.Count(s, "23:59:60") == 1 {
		plain, leap = strings.Replace(s, "23:59:60", "23:59:59", 1), 1
	}
	for _, c := range []struct {
		form   Form
		layout string
	}{
		{IMFFixdate, "Mon, 02 Jan 2006 15:04:05 GMT"}, {Asctime, "Mon Jan _2 15:04:05 2006"}, {Asctime, "Mon Jan 02 15:04:05 2006"},
	} {
		at, err := time.Parse(c.layout, plain)
		if err == nil && sameButWeekday(at.Format(c.layout), plain, 3) {
			return at.Unix() + leap, c.form
		}
	}
	comma := strings.Index(s, ", ")
	if comma < 0 || len(s) != comma+24 {
		return 0, NoForm
	}
	year := comma + len(", 30-Nov-")
	full := twinYear(s[comma+2:], near)
	plain = plain[:year] + full + plain[year+2:]
	const layout = "Monday, 02-Jan-2006 15:04:05 GMT"
	at, err := time.Parse(layout, plain)
	if err != nil || !sameButWeekday(at.Format(layout), plain, comma) {
		return 0, NoForm
	}
	return at.Unix() + leap, RFC850
}

// twinYear tries the years one by one, and compares what follows them as text: month, day, hour, minute, second.
func twinYear(s string, near int64) string {
	bound := time.Unix(near, 0).UTC()
	month := strings.Index("JanFebMarAprMayJunJulAugSepOctNovDec", s[3:6])/3 + 1
	rest := fmt.Sprintf("%02d%s%s%s%s", month, s[:2], s[10:12], s[13:15], s[16:18])
	for year := bound.Year() + 50; ; year-- {
		full := fmt.Sprintf("%04d", year)
		if year < bound.Year()-50 {
			return "none" // these are no digits
		}
		if full[2:] == s[7:9] && (year < bound.Year()+50 || rest <= bound.Format("0102150405")) {
			return full
		}
	}
}

// sameButWeekday compares two texts behind names of the day, of which the second must be one, with n letters.
func sameButWeekday(a, b string, n int) bool {
	known := false
	for day := time.Sunday; day <= time.Saturday; day++ {
		name := day.String()
		known = known || strings.HasPrefix(b, name[:3]) && n == 3 || len(name) == n && strings.HasPrefix(b, name)
	}
	_, a, _ = strings.Cut(a, " ")
	_, b, _ = strings.Cut(b, " ")
	return known && a == b
}
