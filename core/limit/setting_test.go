package limit

import (
	"math"
	"testing"
	"time"

	"retrylab.example/core/decision"
)

func TestSettings(t *testing.T) {
	const valid, refused = decision.LimitValid, 0
	for _, c := range []struct {
		count, window string
		reason        decision.Reason
		limit         int
		span          time.Duration
	}{
		{"2", "10", valid, 2, 10 * time.Second},
		{"1", "0.5", valid, 1, 500 * time.Millisecond},
		{"1", "1.5E+1", valid, 1, 15 * time.Second},
		{"1", "25e-1", valid, 1, 2500 * time.Millisecond},
		{"1", "1e-9", valid, 1, 1},
		{"1", "1e-10", valid, 1, 1},
		{"1", "1.0000000001", valid, 1, time.Second + 1},
		{"1", "1.0000000000", valid, 1, time.Second},
		{"1", "5e-324", valid, 1, 1},
		{"1", "1.7976931348623157e308", valid, 1, math.MaxInt64},
		{"1", "9223372036.854775807", valid, 1, math.MaxInt64},
		{"1", "9223372036.854775806", valid, 1, math.MaxInt64 - 1},
		{"1", "9999999999", valid, 1, math.MaxInt64},
		{"99999999999999999999", "1", valid, math.MaxInt64, time.Second},
		{"0", "1", decision.LimitBelowOne, refused, 0},
		{"-0", "1", decision.LimitBelowOne, refused, 0},
		{"-1", "0", decision.LimitBelowOne, refused, 0},
		{"-99999999999999999999", "1", decision.LimitBelowOne, refused, 0},
		{"2.5", "1", decision.LimitNotWhole, refused, 0},
		{"1.0", "1", decision.LimitNotWhole, refused, 0},
		{"1e1", "1", decision.LimitNotWhole, refused, 0},
		{"true", "1", decision.LimitNotWhole, refused, 0},
		{"null", "1", decision.LimitNotWhole, refused, 0},
		{`"2"`, "true", decision.LimitNotWhole, refused, 0},
		{"", "1", decision.LimitNotWhole, refused, 0},
		{"1", "true", decision.WindowNotNumber, refused, 0},
		{"1", `"1"`, decision.WindowNotNumber, refused, 0},
		{"1", "", decision.WindowNotNumber, refused, 0},
		{"1", "1.", decision.WindowNotNumber, refused, 0},
		{"1", ".5", decision.WindowNotNumber, refused, 0},
		{"1", "1e", decision.WindowNotNumber, refused, 0},
		{"1", "1e+-1", decision.WindowNotNumber, refused, 0},
		{"1", "0", decision.WindowNotPositive, refused, 0},
		{"1", "-0.0e5", decision.WindowNotPositive, refused, 0},
		{"1", "-1", decision.WindowNotPositive, refused, 0},
		{"1", "1e-400", decision.WindowNotPositive, refused, 0},
		{"1", "1e-99999999999999999999", decision.WindowNotPositive, refused, 0},
		{"1", "1e400", decision.WindowNotFinite, refused, 0},
		{"1", "-1e400", decision.WindowNotFinite, refused, 0},
		{"1", "1.798e308", decision.WindowNotFinite, refused, 0},
		{"1", `"NaN"`, decision.WindowNotFinite, refused, 0},
		{"1", `"-Infinity"`, decision.WindowNotFinite, refused, 0},
	} {
		got, d := Setting{c.count, c.window}.Decide()
		want := Config{Limit: c.limit, Window: c.span}
		verdict := decision.Refuse
		if c.reason == valid {
			verdict = decision.Admit
		}
		if got != want || d.Reason != c.reason || d.Verdict != verdict {
			t.Errorf("%s in %s: got %+v, %s; want %+v, %s", c.count, c.window, got, d.Reason, want, c.reason)
		}
		if _, err := New(got); (err == nil) != (c.reason == valid) {
			t.Errorf("%s in %s: a log says %v", c.count, c.window, err)
		}
	}
}

// A log keeps what it counts when its setting changes; what has left a shorter window does not come back.
func TestANewSettingKeepsTheHistories(t *testing.T) {
	l, err := New(Config{Limit: 3, Window: 10 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	var d decision.Decision
	for range 3 {
		l, _ = l.Take("a", 0)
	}
	l = l.With(Config{Limit: 4, Window: 10 * time.Second})
	if l, d = l.Take("a", 1e9); d.Verdict != decision.Admit || len(l.History("a")) != 4 {
		t.Errorf("with one place more: %s, %v", d.Reason, l.History("a"))
	}
	l = l.With(Config{Limit: 4, Window: time.Second})
	if l, d = l.Take("a", 1e9+5e8); d.Verdict != decision.Admit || len(l.History("a")) != 2 {
		t.Errorf("in a shorter window: %s, %v", d.Reason, l.History("a"))
	}
	if l, d = (Log{}).With(Config{Limit: 1, Window: 1}).Take("b", 0); d.Verdict != decision.Admit || l.Len() != 1 {
		t.Errorf("a log that had no limit: %s, %d clients", d.Reason, l.Len())
	}
}
