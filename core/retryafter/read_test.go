package retryafter

import (
	"math/big"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"retrylab.example/core/clock"
	"retrylab.example/core/field"
)

// noon is Mon, 30 Nov 2026 12:00:00 GMT, the instant of all tables of standards.md.
var noon = field.Moment{Time: 1796040000}

func fields(pairs ...string) (list []field.Field) {
	for i := 0; i < len(pairs); i += 2 {
		list = append(list, field.Field{Name: pairs[i], Value: pairs[i+1]})
	}
	return list
}

// told writes a reading in one line: what is asked for, or why nothing is.
func told(r Reading) string {
	if !r.Valid {
		return r.Reason.String()
	}
	s := r.Delay.String() + " " + r.Kind.String()
	for _, w := range r.Warn.List() {
		s += ", " + w.String()
	}
	return s
}

func TestModes(t *testing.T) {
	const max = "2562047h47m16.854775807s delay-seconds, saturated"
	for _, c := range []struct{ value, integer, decimal, standard, strict, vendor string }{
		{"5", "5s delay-seconds", "5s delay-seconds", "5s delay-seconds", "5s delay-seconds", "5s delay-seconds"},
		{"0", "0s delay-seconds", "0s delay-seconds", "0s delay-seconds", "0s delay-seconds", "0s delay-seconds"},
		{"9223372037", max, max, max, max, max},
		{"1.5", "not-digits", "1.5s decimal-seconds", "no-form", "no-form", "2s decimal-seconds, rounded-up"},
		{"2.0", "not-digits", "2s decimal-seconds", "no-form", "no-form", "2s decimal-seconds"},
		{"0.0", "not-digits", "0s decimal-seconds", "no-form", "no-form", "0s decimal-seconds"},
		{"0.0000000001", "not-digits", "1ns decimal-seconds", "no-form", "no-form", "1s decimal-seconds, rounded-up"},
		{"-1", "not-digits", "not-decimal", "no-form", "no-form", "no-form"},
		{"1e3", "not-digits", "not-decimal", "no-form", "no-form", "no-form"},
		{"", "empty", "empty", "empty", "empty", "empty"},
		{"Mon, 30 Nov 2026 12:02:00 GMT", "not-digits", "not-decimal", "2m0s http-date", "2m0s http-date", "2m0s http-date"},
		{"Tue, 30 Nov 2026 12:02:00 GMT", "not-digits", "not-decimal", "2m0s http-date, weekday-mismatch", "weekday-mismatch", "2m0s http-date, weekday-mismatch"},
		{"Mon, 30 Nov 2026 23:59:60 GMT", "not-digits", "not-decimal", "12h0m0s http-date, leap-second", "12h0m0s http-date, leap-second", "12h0m0s http-date, leap-second"},
		{"Fri, 31 Dec 9999 23:59:59 GMT", "not-digits", "not-decimal", "2562047h47m16.854775807s http-date, saturated", "2562047h47m16.854775807s http-date, saturated", "2562047h47m16.854775807s http-date, saturated"},
		{"Mon, 30 Nov 2026 12:02:60 GMT", "not-digits", "not-decimal", "time-of-day", "time-of-day", "time-of-day"},
		{"Mon, 31 Nov 2026 12:02:00 GMT", "not-digits", "not-decimal", "no-such-day", "no-such-day", "no-such-day"},
		{"Mon, 30 nov 2026 12:02:00 GMT", "not-digits", "not-decimal", "month-name", "month-name", "month-name"},
	} {
		for m, want := range map[Mode]string{Integer: c.integer, Decimal: c.decimal, Standard: c.standard, Strict: c.strict, Vendor: c.vendor, Wild: c.vendor} {
			if got := told(Read(m, []string{c.value}, Context{Now: noon})); got != want {
				t.Errorf("%s of %q: got %s, want %s", m, c.value, got, want)
			}
		}
	}
	for _, name := range ModeNames() {
		m, ok := ParseMode(name)
		if !ok || m.String() != name {
			t.Errorf("%s reads back as %s", name, m)
		}
		for _, c := range []struct {
			lines []string
			want  Reason
		}{{nil, Absent}, {[]string{"5", "5"}, Repeated}, {[]string{"", ""}, Repeated}, {[]string{" \t"}, Empty}} {
			if r := Read(m, c.lines, Context{Now: noon}); r.Valid || r.Reason != c.want || r.Delay != 0 {
				t.Errorf("%s of %q: got %+v, want %s", name, c.lines, r, c.want)
			}
		}
	}
	if _, ok := ParseMode("lenient"); ok {
		t.Error("lenient is no mode")
	}
}

// resilience.md A.2, the column of the strict contract. The wait for 0 is max(backoff, 0), a second step.
func TestGoldensOfOtherLibraries(t *testing.T) {
	const backoff, longest = time.Second, 30 * time.Second
	for _, c := range []struct {
		value string
		want  time.Duration // under the floor rule, cut to the cap
	}{
		{"120", longest}, {"0", backoff}, {"-1", backoff}, {"1.5", backoff}, {" 20", 20 * time.Second}, {"20 ", 20 * time.Second},
		{"+120", backoff}, {"9223372036", longest}, {"9223372037", longest}, {"18446744074", longest},
		{"99999999999999999999", longest}, {"Mon, 30 Nov 2026 12:00:09 GMT", 9 * time.Second}, {"Mon, 30 Nov 2026 11:00:00 GMT", backoff},
		{"Monday, 30-Nov-26 12:00:09 GMT", 9 * time.Second}, {"Mon Nov 30 12:00:09 2026", 9 * time.Second}, {"Mon, 30 Nov 2099 12:00:00 PST", backoff},
	} {
		r := Read(Standard, []string{c.value}, Context{Now: noon})
		wait, _ := Floor.Wait(backoff, r.Delay)
		if got := min(wait, longest); got != c.want {
			t.Errorf("%q: got %v, want %v", c.value, got, c.want)
		}
	}
}

// standards.md section 4: a date is counted from the response's own Date.
func TestSkew(t *testing.T) {
	day := func(clock string) string { return "Mon, 30 Nov 2026 " + clock + " GMT" }
	for _, c := range []struct {
		id, date, asked, now string
		age                  string
		want, naive          int64
	}{
		{"D1", day("12:00:00"), day("12:02:00"), "2026-11-30T12:00:00Z", "", 120, 120},
		{"D2, a fast clock", day("12:00:00"), day("12:02:00"), "2026-11-30T12:10:00Z", "", 120, 0},
		{"D3, a slow clock", day("12:00:00"), day("12:02:00"), "2026-11-30T11:50:00Z", "", 120, 720},
		{"D4", day("12:00:00"), day("11:59:00"), "2026-11-30T11:50:00Z", "", 0, 540},
		{"D5", day("12:00:00"), day("12:00:00"), "2026-11-30T12:00:30Z", "", 0, 0},
		{"D6", day("23:59:58"), "Tue, 01 Dec 2026 00:00:03 GMT", "2026-11-30T23:59:58Z", "", 5, 5},
		{"D7", "Monday, 30-Nov-26 12:00:00 GMT", "Mon Nov 30 12:02:00 2026", "2026-11-30T12:00:00Z", "", 120, 120},
		{"D8", day("11:58:30"), day("12:00:30"), "2026-11-30T12:00:00Z", "", 120, 30},
		{"D8 with an Age", day("11:58:30"), day("12:00:30"), "2026-11-30T12:00:00Z", "90", 30, 30},
		{"an Age beyond the wait", day("11:58:30"), day("12:00:30"), "2026-11-30T12:00:00Z", "99999999999999999999", 0, 30},
		{"an Age that is none", day("11:58:30"), day("12:00:30"), "2026-11-30T12:00:00Z", "-90", 120, 30},
		{"D-none", "", day("12:02:00"), "2026-11-30T12:00:00Z", "", 120, 120},
		{"D-none with an Age", "", day("12:02:00"), "2026-11-30T12:00:00Z", "60", 120, 120},
		{"a Date that is none", "yesterday", day("12:02:00"), "2026-11-30T12:10:00Z", "", 0, 0},
		{"an empty Date", " ", day("12:02:00"), "2026-11-30T12:10:00Z", "", 0, 0},
	} {
		now, _ := field.ParseTimestamp(c.now)
		naive := Context{Now: now}
		skewed := naive
		if c.date != "" {
			skewed.Fields = fields("date", c.date)
		}
		if c.age != "" {
			skewed.Fields = append(skewed.Fields, fields("Age", c.age)...)
		}
		r := Read(Standard, []string{c.asked}, skewed)
		_, fault := field.ParseDate(c.date, now.Time)
		readable := fault == field.NoFault
		if r.Seconds != c.want || r.Delay != time.Duration(c.want)*time.Second || r.ByDate != readable || r.Warn.Has(DateUnread) != (c.date != "" && !readable) {
			t.Errorf("%s: got %+v, want %d s", c.id, r, c.want)
		}
		if got := Read(Standard, []string{c.asked}, naive); got.Seconds != c.naive || got.ByDate {
			t.Errorf("%s: without the Date got %d s, want %d s", c.id, got.Seconds, c.naive)
		}
	}
	twice := Context{Now: noon, Fields: fields("Date", day("12:01:00"), "Date", day("12:01:00"))}
	if r := Read(Standard, []string{day("12:02:00")}, twice); r.Seconds != 120 || !r.Warn.Has(DateUnread) {
		t.Errorf("two Dates: got %+v", r)
	}
}

// standards.md section 3.2, what is read from the fields; whether the status is retried at all is the policy's question.
// C09 is a test of the policy, C16 has no failure, and what one library makes of C19 is in core/vectors.
func TestContextVectors(t *testing.T) {
	for _, c := range []struct {
		id             string
		fields         []field.Field
		standard, wild string
		lesson         string
	}{
		{"C01, 503", fields("Retry-After", "120"), "2m0s delay-seconds", "2m0s delay-seconds", "2m0s delay-seconds"},
		{"C02, 429", fields("Retry-After", "0"), "0s delay-seconds", "0s delay-seconds", "0s delay-seconds"},
		{"C03, 301", fields("Retry-After", "3", "Location", "/"), "3s delay-seconds", "3s delay-seconds", "3s delay-seconds"},
		{"C04, 413", fields("Retry-After", "60"), "1m0s delay-seconds", "1m0s delay-seconds", "1m0s delay-seconds"},
		{"C05, 413", nil, "absent", "absent", "absent"},
		{"C06 and C08, 200 and 404", fields("Retry-After", "5"), "5s delay-seconds", "5s delay-seconds", "5s delay-seconds"},
		{"C10, 429", fields("Retry-After", "10", "RateLimit", `"d";r=0;t=5`), "10s delay-seconds", "10s delay-seconds", "10s delay-seconds"},
		{"C11, 429", fields("Retry-After", "3", "RateLimit", `"d";r=0;t=10`), "3s delay-seconds", "3s delay-seconds, before-reset", "3s delay-seconds"},
		{"C12, 429", fields("RateLimit", `"d";r=0;t=5`), "absent", "5s rate-limit", "absent"},
		{"C13, 503", fields("Retry-After", "120", "Age", "30"), "2m0s delay-seconds", "2m0s delay-seconds", "2m0s delay-seconds"},
		{"C14, 429", fields("retry-after-ms", "1500", "Retry-After", "2"), "2s delay-seconds", "1.5s milliseconds", "2s delay-seconds"},
		{"C15, 429", fields("Retry-After", "1.5", "retry-after-ms", "1500"), "no-form", "1.5s milliseconds", "not-digits"},
		{"C17, 200", fields("Age", "40", "RateLimit", `"d";r=0;t=30`), "absent", "absent", "absent"},
		{"C18, 503", nil, "absent", "absent", "absent"},
		{"C19, 429", fields("x-amz-retry-after", "3000"), "absent", "3s milliseconds", "absent"},
		{"C20, 403", fields("x-ratelimit-remaining", "0", "x-ratelimit-reset", "1796040060"), "absent", "1m0s reset", "absent"},
		{"X12", fields("RateLimit", "limit=100, remaining=0, reset=30"), "absent", "30s rate-limit", "absent"},

		{"a 0 of milliseconds says nothing", fields("retry-after-ms", "0", "Retry-After", "2"), "2s delay-seconds", "2s delay-seconds", "2s delay-seconds"},
		{"the first of milliseconds", fields("x-ms-retry-after-ms", "7", "retry-after-ms", "1.25"), "absent", "1.25ms milliseconds", "absent"},
		{"the second", fields("X-MS-Retry-After-MS", "7"), "absent", "7ms milliseconds", "absent"},
		{"one that is none, then the second", fields("retry-after-ms", "soon", "x-ms-retry-after-ms", "7"), "absent", "7ms milliseconds", "absent"},
		{"milliseconds without an end", fields("retry-after-ms", strings.Repeat("9", 30)), "absent", "2562047h47m16.854775807s milliseconds, saturated", "absent"},
		{"S74: Retry-After wins, even with 0", fields("Retry-After", "0", "RateLimit", `"d";r=0;t=5`), "0s delay-seconds", "0s delay-seconds, before-reset", "0s delay-seconds"},
		{"one that is none does not", fields("Retry-After", "soon", "RateLimit", `"d";r=0;t=5`), "no-form", "5s rate-limit", "not-digits"},
		{"S75: something remains", fields("RateLimit", `"d";r=1;t=5`), "absent", "absent", "absent"},
		{"S73: malformed", fields("RateLimit", `"d";r=0;t=5.0`, "X-RateLimit-Reset", "9"), "absent", "9s reset", "absent"},
		{"RateLimit before what was before it", fields("RateLimit", `"d";r=0;t=5`, "X-RateLimit-Reset", "9"), "absent", "5s rate-limit", "absent"},
		{"S76 of what was before it", fields("Age", "1", "X-RateLimit-Reset", "9"), "absent", "absent", "absent"},
	} {
		ctx := Context{Now: noon, Fields: c.fields}
		for m, want := range map[Mode]string{Standard: c.standard, Wild: c.wild, Integer: c.lesson} {
			r := Read(m, field.Lines(c.fields, Name), ctx)
			if got := told(r); got != want {
				t.Errorf("%s: %s: got %s, want %s", c.id, m, got, want)
			}
			if r.Valid != (r.Reason == NoReason) || r.Valid != (r.Kind != NoKind) || r.Valid && r.Field == "" {
				t.Errorf("%s: %s: inconsistent: %+v", c.id, m, r)
			}
		}
	}
}

func TestNamesOfReadings(t *testing.T) {
	kebab := regexp.MustCompile(`^[a-z]+(-[a-z]+)*$`)
	seen := map[string]bool{}
	for _, r := range Reasons() {
		if !kebab.MatchString(r.String()) || seen[r.String()] {
			t.Errorf("reason %q", r)
		}
		seen[r.String()] = true
	}
	all := Warnings(1<<numWarnings - 1).List()
	for _, w := range all {
		if !kebab.MatchString(w.String()) {
			t.Errorf("warning %q", w)
		}
	}
	if len(all) != int(numWarnings) || !slices.Equal(Warnings(0).List(), nil) {
		t.Errorf("got %v", all)
	}
}

var (
	digits  = regexp.MustCompile(`^[0-9]+$`)
	decimal = regexp.MustCompile(`^[0-9]+(\.[0-9]+)?$`)
)

// FuzzRead holds integers and decimals to a twin in exact fractions, and every mode to what all have in common. The
// twin of dates is in package field.
func FuzzRead(f *testing.F) {
	for _, s := range []string{
		"0", "5", "007", "1.5", "2.0", "5.", "-1", "+1", "9223372036", "9223372037", "18446744074", "9223372036854775808", "1e3", "0x10", " 5\t", "5,5", "",
		"0.0000000001", "9223372036.854775807", "Mon, 30 Nov 2026 12:02:00 GMT", "Monday, 30-Nov-76 12:00:00 GMT", "Tue Dec  1 00:00:00 2026", "Thu, 31 Dec 2026 23:59:60 GMT", "Fri, 31 Dec 9999 23:59:59 GMT",
	} {
		f.Add(s, "", int64(1796040000), int64(0))
	}
	f.Add("Mon, 30 Nov 2026 12:02:00 GMT", "Mon, 30 Nov 2026 12:00:00 GMT", int64(1796040600), int64(500_000_000))
	f.Fuzz(func(t *testing.T, s, date string, at, nanos int64) {
		c := Context{Now: field.Moment{Time: field.Time(at & (1<<38 - 1)), Nanos: nanos & (1<<29 - 1)}}
		if date != "" {
			c.Fields = fields("Date", date)
		}
		for m := Integer; m <= Wild; m++ {
			r := Read(m, []string{s}, c)
			if r.Delay < 0 || r.Seconds < 0 || r.Valid != (r.Reason == NoReason) || !r.Valid && (r.Delay != 0 || r.Warn != 0) {
				t.Fatalf("%s of %q: %+v", m, s, r)
			}
			if seconds := clock.Times(time.Second, uint64(r.Seconds)); seconds < r.Delay || seconds-r.Delay >= time.Second && r.Delay < clock.MaxDuration {
				t.Fatalf("%s of %q: %v is not %d s rounded up", m, s, r.Delay, r.Seconds)
			}
		}
		text := strings.Trim(s, " \t")
		integer, exact, vendor := Read(Integer, []string{s}, c), Read(Decimal, []string{s}, c), Read(Vendor, []string{s}, c)
		parsed, ok := Parse(s)
		if integer.Valid != digits.MatchString(text) || integer.Valid != ok || integer.Delay != parsed {
			t.Fatalf("%q: integer %+v, Parse %d, %t", s, integer, parsed, ok)
		}
		if exact.Valid != decimal.MatchString(text) {
			t.Fatalf("%q: decimal %+v", s, exact)
		}
		if exact.Valid && exact.Delay != twin(text, time.Second, 1) || exact.Valid && vendor.Delay != twin(text, 1, time.Second) {
			t.Fatalf("%q: decimal %d, vendor %d", s, exact.Delay, vendor.Delay)
		}
	})
}

// twin returns ⌈s·times⌉·unit in exact fractions.
func twin(s string, times, unit time.Duration) time.Duration {
	r, _ := new(big.Rat).SetString(s)
	r.Mul(r, new(big.Rat).SetInt64(int64(times)))
	n := new(big.Int).Add(r.Num(), new(big.Int).Sub(r.Denom(), big.NewInt(1)))
	n.Div(n, r.Denom()).Mul(n, big.NewInt(int64(unit)))
	if !n.IsInt64() {
		return clock.MaxDuration
	}
	return time.Duration(n.Int64())
}
