package ratelimit

import (
	"strings"
	"testing"
	"time"

	"retrylab.example/core/clock"
	"retrylab.example/core/field"
)

func TestLimitsThatBind(t *testing.T) {
	for _, c := range []struct {
		lines   string
		binding string
		wait    int64
		waits   bool
	}{
		{`"a";r=5;t=9, "b";r=3;t=1`, "b", 0, false}, {`"a";r=3;t=9, "b";r=3;t=12`, "b", 0, false},
		{`"a";r=3, "b";r=3;t=12`, "a", 0, false}, {`"a";r=3;t=12, "b";r=3`, "b", 0, false},
		{`"a";r=0;t=9, "b";r=0;t=12, "c";r=1;t=99`, "b", 12, true}, {`"a";r=0, "b";r=0;t=12`, "a", 12, true},
		{`"a";r=0`, "a", 0, false}, {`"a";r=0;t=0`, "a", 0, true}, {`"a";r=0;t=999999999999999`, "a", Most, true}, {"", "", 0, false},
	} {
		l := ReadLimits(Draft, []string{c.lines})
		binding, ok := l.Binding()
		wait, waits := l.Wait()
		if binding.Name != c.binding || ok != (c.lines != "") || wait != c.wait || waits != c.waits {
			t.Errorf("%s: got %s, %d, %t; want %s, %d, %t", c.lines, binding.Name, wait, waits, c.binding, c.wait, c.waits)
		}
	}
}

// One malformed member makes the whole field malformed (draft-10 section 7).
func TestMalformedFieldsAreIgnored(t *testing.T) {
	for value, problem := range map[string]string{
		`"a";r=1, b;r=1`: "name", `"a";r=1, (1)`: "name", `1;r=1`: "name", `"a";r=-1`: "r must", `"a";r`: "r must", `"a";r="1"`: "r must", `"a";t=1`: "r is",
		`"a";r=1;t`: "t must", `"a";r=1;t="1"`: "t must", `"a";r=1;pk="x"`: "pk must", `"a";r=1;pk`: "pk must",
	} {
		if l := ReadLimits(Draft, []string{value}); l.Status != Malformed || len(l.Items) > 0 || !strings.Contains(l.Problem, problem) {
			t.Errorf("%s: got %+v, want %s", value, l, problem)
		}
	}
	for value, problem := range map[string]string{
		`"a";q=1, b;q=1`: "name", `"a";w=1`: "q is", `"a";q=-1`: "q must", `"a";q=1.0`: "q must", `"a";q=1;w=-1`: "w must", `"a";q=1;w`: "w must",
		`"a";q=1;qu=requests`: "qu must", `"a";q=1;pk=1`: "pk must", `100;w=60`: "name",
	} {
		if p := ReadPolicies(Draft, []string{value}); p.Status != Malformed || len(p.Items) > 0 || !strings.Contains(p.Problem, problem) {
			t.Errorf("%s: got %+v, want %s", value, p, problem)
		}
	}
}

func TestPolicies(t *testing.T) {
	p := ReadPolicies(Draft, []string{`"a";q=0;w=60;qu="content-bytes";pk=:YQ==:;x=1`, `"b";q=2147483648`})
	if p.Status != OK || len(p.Items) != 2 || !p.Capped || p.Problem != "" {
		t.Fatalf("got %+v", p)
	}
	if a := p.Items[0]; a != (Policy{"a", 0, 60, true, "content-bytes", true, "a", true}) || !a.UnitKnown() {
		t.Errorf("got %+v", a)
	}
	if b := p.Items[1]; b != (Policy{Name: "b", Quota: 1 << 31, Unit: "requests"}) || !b.UnitKnown() {
		t.Errorf("got %+v", b)
	}
}

// The forms of earlier drafts are read in the compatible mode only, and no laxer than they were.
func TestEarlierForms(t *testing.T) {
	p := ReadPolicies(Compatible, []string{"100;w=60, 1000;w=3600"})
	if p.Status != OK || len(p.Items) != 2 || p.Items[0].Quota != 100 || p.Items[1].Window != 3600 {
		t.Errorf("got %+v", p)
	}
	for value, want := range map[string]Limits{
		"limit=100, remaining=0, reset=30":        {Status: OK, Items: []Limit{{Remaining: 0, Reset: 30, HasReset: true}}},
		"limit=100, remaining=7":                  {Status: OK, Items: []Limit{{Remaining: 7}}},
		"remaining=7, policy=x, reset=9999999999": {Status: OK, Items: []Limit{{Remaining: 7, Reset: 9999999999, HasReset: true}}, Capped: true},
		"limit=100, reset=30":                     {Status: NotAList},
		"limit=100, remaining=-1":                 {Status: NotAList},
		"limit=100, remaining=1.5":                {Status: NotAList},
		"limit=x, remaining=1":                    {Status: NotAList},
		"limit=100, remaining=1,":                 {Status: NotAList},
		"remaining":                               {Status: Malformed},
	} {
		got := ReadLimits(Compatible, []string{value})
		same := got.Status == want.Status && got.Capped == want.Capped && len(got.Items) == len(want.Items)
		if !same || len(got.Items) > 0 && got.Items[0] != want.Items[0] {
			t.Errorf("%s: got %+v, want %+v", value, got, want)
		}
		if got := ReadLimits(Draft, []string{value}); got.Status <= OK {
			t.Errorf("%s: the draft reads it as %+v", value, got)
		}
	}
}

var now = field.Moment{Time: 1796040000}

// standards.md section 7, X01 to X10: the ways to say when a limit resets.
func TestResets(t *testing.T) {
	for _, c := range []struct {
		id, value string
		want      time.Duration
		ok        bool
	}{
		{"X01", "30", 30 * time.Second, true},
		{"X02", "1796040030", 30 * time.Second, true},
		{"X03", "1796040030000", 30 * time.Second, true},
		{"X04", "1s", time.Second, true},
		{"X05", "6m0s", 6 * time.Minute, true},
		{"X06", "2026-11-30T12:00:30Z", 30 * time.Second, true},
		{"X07", "Mon, 30 Nov 2026 12:00:30 GMT", 30 * time.Second, true},
		{"X08", "0", 0, true},
		{"X09", "-1", 0, false},
		{"X10", "1796039970", 0, true},
		{"X11", "40/40", 0, false},
		{"decimal", "1.25", 1250 * time.Millisecond, true},
		{"the greatest delta", "999999999", 999999999 * time.Second, true},
		{"the least instant", "1000000000", 0, true},
		{"the greatest instant in seconds", "999999999999", clock.MaxDuration, true},
		{"the least in milliseconds", "1000000000000", 0, true},
		{"milliseconds", "1796040000250", 250 * time.Millisecond, true},
		{"a part of one", "1796040000250.5", 250_500_000, true},
		{"a part of a second", "1796040000.5", 500 * time.Millisecond, true},
		{"years of digits", strings.Repeat("9", 40), clock.MaxDuration, true},
		{"blanks", " 30\t", 30 * time.Second, true},
		{"all units", "1h2m3s4ms5µs6us7ns", time.Hour + 2*time.Minute + 3*time.Second + 4*time.Millisecond + 11*time.Microsecond + 7, true},
		{"parts", "1.5h0.25s", 90*time.Minute + 250*time.Millisecond, true},
		{"too long", "9999999999h", clock.MaxDuration, true},
		{"a sign", "-1s", 0, false}, {"no unit", "1s2", 0, false}, {"no number", "s", 0, false}, {"days", "1d", 0, false}, {"empty", "", 0, false},
		{"half an instant", "2026-11-30T12:00:00.500Z", 500 * time.Millisecond, true},
		{"a word", "soon", 0, false},
	} {
		if got, ok := ParseReset(c.value, now); got != c.want || ok != c.ok {
			t.Errorf("%s, %q: got %v, %t; want %v, %t", c.id, c.value, got, ok, c.want, c.ok)
		}
	}
	late := field.Moment{Time: now.Time, Nanos: 700_000_000}
	for value, want := range map[string]time.Duration{
		"1796040001": 300 * time.Millisecond, "1796040000": 0, "1796040000700": 0, "1796040000701": time.Millisecond, "1": time.Second,
	} {
		if got, _ := ParseReset(value, late); got != want {
			t.Errorf("%s, 0.7 s later: got %v, want %v", value, got, want)
		}
	}
}

func TestLegacyWait(t *testing.T) {
	f := func(pairs ...string) (list []field.Field) {
		for i := 0; i < len(pairs); i += 2 {
			list = append(list, field.Field{Name: pairs[i], Value: pairs[i+1]})
		}
		return list
	}
	for _, c := range []struct {
		fields []field.Field
		wait   time.Duration
		name   string
	}{
		{nil, 0, ""},
		{f("x-ratelimit-remaining", "0", "x-ratelimit-reset", "1796040060"), time.Minute, "X-RateLimit-Reset"}, // C20
		{f("x-ratelimit-remaining", "1", "x-ratelimit-reset", "1796040060"), 0, ""},
		{f("ratelimit-reset", "30"), 30 * time.Second, "RateLimit-Reset"},
		{f("ratelimit-reset", "30", "x-ratelimit-reset", "20"), 30 * time.Second, "RateLimit-Reset"},
		{f("ratelimit-reset", "20", "x-ratelimit-reset", "30"), 30 * time.Second, "X-RateLimit-Reset"},
		{f("x-ratelimit-reset-requests", "1s", "x-ratelimit-remaining-requests", "9", "x-ratelimit-reset-tokens", "6m0s", "x-ratelimit-remaining-tokens", "0"), 6 * time.Minute, "X-RateLimit-Reset-Tokens"},
		{f("x-ratelimit-reset", "-1", "x-ratelimit-reset-tokens", "1s"), time.Second, "X-RateLimit-Reset-Tokens"},
		{f("x-ratelimit-reset", "1", "x-ratelimit-reset", "2"), 0, ""}, // twice: nobody says which counts
		{f("x-ratelimit-reset", "0"), 0, "X-RateLimit-Reset"},
		{f("x-shopify-shop-api-call-limit", "40/40"), 0, ""}, // X11
	} {
		wait, name, ok := LegacyWait(c.fields, now)
		if wait != c.wait || name != c.name || ok != (name != "") {
			t.Errorf("%v: got %v by %q, %t; want %v by %q", c.fields, wait, name, ok, c.wait, c.name)
		}
	}
}

// FuzzReset holds Go durations to those of package time, and nothing to be negative.
func FuzzReset(f *testing.F) {
	for _, s := range []string{"30", "1796040030", "1796040030000", "6m0s", "1.5h0.25s", "2026-11-30T12:00:30Z", "Mon, 30 Nov 2026 12:00:30 GMT", "-1", "1h2m3s4ms5µs6us7ns", "9999999999h"} {
		f.Add(s, int64(1796040000), int64(5))
	}
	f.Fuzz(func(t *testing.T, s string, at, nanos int64) {
		got, ok := ParseReset(s, field.Moment{Time: field.Time(at & (1<<40 - 1)), Nanos: nanos & (1<<29 - 1)})
		if got < 0 || !ok && got != 0 {
			t.Fatalf("%q: got %v, %t", s, got, ok)
		}
		want, err := time.ParseDuration(s)
		if _, number := field.ParseNumber(s); err != nil || number || strings.ContainsAny(s, "-+μ") || strings.HasPrefix(s, ".") {
			return
		}
		if !ok {
			for i, c := range s { // package time also reads "1.s" and ".5s"
				if c == '.' && (i == 0 || i+1 == len(s) || s[i-1] < '0' || s[i-1] > '9' || s[i+1] < '0' || s[i+1] > '9') {
					return
				}
			}
		}
		if !ok || got < want || got-want > time.Microsecond*4*time.Duration(strings.Count(s, ".")) {
			t.Fatalf("%q: got %v, %t; package time reads %v", s, got, ok, want)
		}
	})
}
