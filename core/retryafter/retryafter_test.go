package retryafter

import (
	"strings"
	"testing"
	"time"

	"retrylab.example/core/clock"
)

func TestParse(t *testing.T) {
	for _, c := range []struct {
		value string
		want  time.Duration
		ok    bool
	}{
		{"0", 0, true}, {"7", 7 * time.Second, true}, {" \t120\t ", 120 * time.Second, true}, {"007", 7 * time.Second, true},
		{"9223372036", 9223372036 * time.Second, true}, {"9223372037", clock.MaxDuration, true},
		{"18446744073709551617", clock.MaxDuration, true}, {strings.Repeat("9", 1000), clock.MaxDuration, true},
		{strings.Repeat("0", 1000) + "3", 3 * time.Second, true},
		{"", 0, false}, {" ", 0, false}, {"-1", 0, false}, {"+1", 0, false}, {"1.5", 0, false}, {"1e3", 0, false},
		{"1 2", 0, false}, {"\n1", 0, false}, {"\u00a01", 0, false}, {"９", 0, false},
		{"Wed, 21 Oct 2037 07:28:00 GMT", 0, false},
	} {
		if got, ok := Parse(c.value); got != c.want || ok != c.ok {
			t.Errorf("%q: got %d, %t; want %d, %t", c.value, got, ok, c.want, c.ok)
		}
	}
}

func TestWait(t *testing.T) {
	for _, c := range []struct {
		rule         Rule
		local, asked time.Duration
		want         time.Duration
		decided      bool
	}{
		{Ignore, 1, 7, 1, false},
		{Floor, 1, 7, 7, true}, {Floor, 7, 7, 7, false}, {Floor, 8, 7, 8, false}, {Floor, 1, 0, 1, false},
		{Replace, 8, 7, 7, true}, {Replace, 7, 7, 7, true}, {Replace, 8, 0, 8, false},
	} {
		if wait, decided := c.rule.Wait(c.local, c.asked); wait != c.want || decided != c.decided {
			t.Errorf("%s of %d and %d: got %d, %t", c.rule, c.local, c.asked, wait, decided)
		}
	}
}
