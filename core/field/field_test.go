package field

import (
	"math/big"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"retrylab.example/core/clock"
)

func TestLines(t *testing.T) {
	fields := []Field{{"Retry-After", " 5 "}, {"Date", ""}, {"retry-after", "7"}}
	for name, want := range map[string][]string{"RETRY-AFTER": {" 5 ", "7"}, "date": {""}, "Age": nil} {
		if got := Lines(fields, name); !slices.Equal(got, want) || (got == nil) != (want == nil) {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
	for name, want := range map[string]string{"Date": "", "Retry-After": "", "Age": ""} {
		if got, ok := Single(fields, name); got != want || ok != (name == "Date") {
			t.Errorf("%s: got %q, %t", name, got, ok)
		}
	}
	if got := Trim("\t 5\u00a0 \t"); got != "5\u00a0" {
		t.Errorf("got %q: the no-break space is no blank around a value", got)
	}
}

func TestNumbers(t *testing.T) {
	for _, c := range []struct {
		text    string
		seconds time.Duration
		millis  time.Duration
	}{
		{"0", 0, 0}, {"007", 7 * time.Second, 7 * time.Millisecond}, {"1.5", 1500 * time.Millisecond, 1500 * time.Microsecond},
		{"2.0", 2 * time.Second, 2 * time.Millisecond}, {"0.000000001", 1, 1}, {"0.0000000001", 1, 1},
		{"1.9999999999", 2 * time.Second, 2 * time.Millisecond}, {"0.0000010", 1000, 1},
		{"9223372036.854775807", clock.MaxDuration, 9223372036854776},
		{"9223372036.854775808", clock.MaxDuration, 9223372036854776},
		{strings.Repeat("9", 100) + ".5", clock.MaxDuration, clock.MaxDuration},
	} {
		n, ok := ParseNumber(c.text)
		if !ok || n.Of(time.Second) != c.seconds || n.Of(time.Millisecond) != c.millis {
			t.Errorf("%s: got %d s, %d ms, %t; want %d, %d", c.text, n.Of(time.Second), n.Of(time.Millisecond), ok, c.seconds, c.millis)
		}
	}
	for _, text := range []string{"", ".", "5.", ".5", "-1", "+1", "1.5.", "1.-5", "1e3", "0x10", "1_000", "٥", "1 ", "1.5s"} {
		if n, ok := ParseNumber(text); ok {
			t.Errorf("%q is read as %+v", text, n)
		}
	}
}

var decimal = regexp.MustCompile(`^[0-9]+(\.[0-9]+)?$`)

// FuzzNumber holds numbers to a twin in exact fractions, rounded up.
func FuzzNumber(f *testing.F) {
	for _, s := range []string{"0", "5", "1.5", "5.", ".5", "1.0000000001", "9223372036.854775807", "9223372036854775807", "18446744073709551616", "-1", "1e3", "0.9999999999", "9223372036854775800"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		n, ok := ParseNumber(s)
		if ok != decimal.MatchString(s) {
			t.Fatalf("%q: read: %t", s, ok)
		}
		if !ok {
			return
		}
		for _, unit := range []time.Duration{1, time.Millisecond, time.Second, time.Hour} {
			got := n.Of(unit)
			low, high := twinOf(s, unit), twinOf(s, unit)+unit/billion+1 // a billionth of a unit may be lost, upwards
			if got < low || high > 0 && got > high || unit == time.Second && got != low {
				t.Fatalf("%q of %v: got %d, want %d to %d", s, unit, got, low, high)
			}
		}
	})
}

// twinOf multiplies in exact fractions and rounds up.
func twinOf(s string, unit time.Duration) time.Duration {
	r, _ := new(big.Rat).SetString(s)
	r.Mul(r, new(big.Rat).SetInt64(int64(unit)))
	n := new(big.Int).Add(r.Num(), new(big.Int).Sub(r.Denom(), big.NewInt(1)))
	if n.Div(n, r.Denom()); !n.IsInt64() {
		return clock.MaxDuration
	}
	return time.Duration(n.Int64())
}

func FuzzDigits(f *testing.F) {
	for _, s := range []string{"", "0", "007", "9223372036854775807", "9223372036854775808", "9223372036854775800", "99999999999999999999", "-1", "9", "１"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		want, ok := int64(0), regexp.MustCompile(`^[0-9]+$`).MatchString(s)
		if ok {
			n, _ := new(big.Int).SetString(s, 10)
			if want = int64(maxInt64); n.IsInt64() {
				want = n.Int64()
			}
		}
		if got, read := ParseDigits(s); read != ok || ok && got != want {
			t.Fatalf("%q: got %d, %t; want %d, %t", s, got, read, want, ok)
		}
	})
}

// What Join writes, Split reads, whatever stands in the values; and a name is one token.
func TestFieldsInOneText(t *testing.T) {
	for _, fields := range [][]Field{
		nil, {{"Date", "Mon, 30 Nov 2026 12:00:00 GMT"}}, {{"A", ""}, {"a", " : "}, {"B", "\t1\r"}},
	} {
		if got := Split(Join(fields)); !slices.Equal(got, fields) {
			t.Errorf("%q: got %q", fields, got)
		}
	}
	if got := Join([]Field{{"Age", "30"}, {"RateLimit", `"a";r=0`}}); got != "Age: 30\nRateLimit: \"a\";r=0\n" {
		t.Errorf("got %q", got)
	}
	for name, want := range map[string]bool{
		"Retry-After": true, "x_ms.9~": true, "!#$%&'*+-.^_`|~": true, "": false, "a b": false, "a:": false, "é": false, "a\n": false, "[": false, "@": false, "{": false,
	} {
		if IsToken(name) != want {
			t.Errorf("%q: got %t", name, !want)
		}
	}
}
