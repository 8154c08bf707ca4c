package breaker

import (
	"errors"
	"testing"
	"time"

	"retrylab.example/core/call"
)

func TestSettingsThatMakeNoBreaker(t *testing.T) {
	count := Config{Window: Count, Size: 10, Percent: 50, Open: 1}
	long := Config{Window: Time, Span: 10, Percent: 50, Open: 1}
	row := Config{Failures: 1, Open: 1}
	for _, x := range []struct {
		base   Config
		change func(*Config)
		want   error
	}{
		{row, func(c *Config) { c.Failures = 0 }, ErrThreshold},
		{row, func(c *Config) { c.Window = numWindows }, ErrThreshold},
		{row, func(c *Config) { c.Open = 0 }, ErrOpen},
		{row, func(c *Config) { c.Lease = -1 }, ErrOpen},
		{row, func(c *Config) { c.Probes = MaxProbes + 1 }, ErrProbes},
		{row, func(c *Config) { c.Probes = -1 }, ErrProbes},
		{row, func(c *Config) { c.Probes, c.Successes = 3, 2 }, ErrProbes},
		{row, func(c *Config) { c.Failing, c.Ignoring = ClassesOf(call.Unknown), ClassesOf(call.Unknown) }, ErrClasses},
		{count, func(c *Config) { c.Size = 0 }, ErrSize},
		{count, func(c *Config) { c.Size = MaxSize + 1 }, ErrSize},
		{count, func(c *Config) { c.Minimum = -1 }, ErrMinimum},
		{count, func(c *Config) { c.Percent = 0 }, ErrThreshold},
		{count, func(c *Config) { c.Percent = 101 }, ErrThreshold},
		{long, func(c *Config) { c.Span = 0 }, ErrSpan},
		{long, func(c *Config) { c.Span = 15 }, ErrSpan},
		{long, func(c *Config) { c.Minimum = -1 }, ErrMinimum},
	} {
		c := x.base
		if _, err := New(c); err != nil {
			t.Errorf("%+v: %v", c, err)
		}
		x.change(&c)
		if _, err := New(c); !errors.Is(err, x.want) {
			t.Errorf("%+v: %v, want %v", c, err, x.want)
		}
	}
}

func TestDefaults(t *testing.T) {
	b, err := New(Config{Window: Count, Size: 10, Percent: 50, Open: 5 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	got := b.Config()
	if got.Minimum != 10 || got.Probes != 1 || got.Successes != 1 || got.Lease != 5*time.Second {
		t.Errorf("defaults: %+v", got)
	}
	for class, failing := range map[call.Class]bool{
		call.Success: false, call.Permanent: false, call.Transient: true, call.Throttled: true, call.Unknown: true,
	} {
		if got.Failing.Has(class) != failing {
			t.Errorf("%s: failing %t", class, got.Failing.Has(class))
		}
	}
	for w := InARow; w < numWindows; w++ {
		if back, ok := ParseWindow(w.String()); !ok || back != w {
			t.Errorf("window %s reads back as %s", w, back)
		}
	}
	if _, ok := ParseWindow("moon"); ok {
		t.Error("a window moon")
	}
}
