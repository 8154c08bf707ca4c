package text

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"retrylab.example/core/field"
	"retrylab.example/core/retryafter"
)

// TestHeaderReadings: each kind, reason and warning of a reading has its sentence in each language.
func TestHeaderReadings(t *testing.T) {
	for k := retryafter.DelaySeconds; k <= retryafter.Reset; k++ {
		if !Has("header.kind." + k.String()) {
			t.Errorf("no message for the kind %s", k)
		}
	}
	for _, w := range (^retryafter.Warnings(0)).List() {
		if !Has("header.warn." + w.String()) {
			t.Errorf("no message for the warning %s", w)
		}
	}
	for _, r := range retryafter.Reasons() {
		for _, l := range Langs() {
			lines := l.HeaderReading(retryafter.Standard, retryafter.Reading{Reason: r})
			if len(lines) != 3 || slices.Contains(lines, "") {
				t.Errorf("%s, %s: %q", l, r, lines)
			}
		}
	}
}

// TestHeaderSentencesEndPolitely holds them to the polite style, and Korean to 합니다.
func TestHeaderSentencesEndPolitely(t *testing.T) {
	ko := regexp.MustCompile(`(니다|십시오|니다\(.*\))$`)
	ja := regexp.MustCompile(`(ます|です|ました|ません|ください|ます（.*）|ました（.*）|ません（.*）)$`)
	for _, name := range sortedNames() {
		if !strings.HasPrefix(name, "header.") || name == "header.line" || name == "header.other-modes" {
			continue
		}
		s := catalog[name]
		first, _, _ := strings.Cut(strings.TrimSuffix(s[Korean], "."), ". ")
		last := strings.Split(strings.TrimSuffix(s[Japanese], "。"), "。")[0]
		if !ko.MatchString(first) || !ja.MatchString(last) {
			t.Errorf("%s: %q, %q", name, first, last)
		}
	}
}

func TestHeaderReadingSaysHowLong(t *testing.T) {
	now := field.Moment{Time: 1796040000}
	for _, c := range []struct {
		mode  retryafter.Mode
		value string
		want  string
	}{
		{retryafter.Integer, "120", "Valid: wait 120\u00a0s after the response arrives."},
		{retryafter.Decimal, "1.500", "Valid: wait 1.5\u00a0s after the response arrives."},
		{retryafter.Decimal, "0.000000001", "Valid: wait 0.000000001\u00a0s after the response arrives."},
		{retryafter.Standard, "Fri, 31 Dec 9999 23:59:59 GMT", "Valid: wait 251606260799\u00a0s after the response arrives."},
		{retryafter.Standard, "9223372037", "Valid: wait 9223372037\u00a0s after the response arrives."},
		{retryafter.Standard, strings.Repeat("9", 40), "Valid: wait 9223372036854775807\u00a0s or more after the response arrives."},
		{retryafter.Standard, "0", "Valid: it asks for 0\u00a0s, so the client waits its own backoff."},
	} {
		got := English.HeaderReading(c.mode, retryafter.Read(c.mode, []string{c.value}, retryafter.Context{Now: now}))
		if got[0] != c.want {
			t.Errorf("%q: got %q, want %q", c.value, got[0], c.want)
		}
	}
}
