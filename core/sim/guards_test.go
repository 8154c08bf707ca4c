package sim

import (
	"testing"
	"time"

	"retrylab.example/core/breaker"
	"retrylab.example/core/bulkhead"
	"retrylab.example/core/call"
	"retrylab.example/core/clock"
	"retrylab.example/core/event"
	"retrylab.example/core/limit"
)

func (c *choices) pool() Pool {
	return Pool{Config: bulkhead.Config{
		Running: 1 + c.below(3), Queue: c.below(4), CallerTimeout: choose(c, 0, 300*ms, time.Second, 3*time.Second),
	}}
}

// guards returns some, with one of so many pools.
func (c *choices) guards(pools int) *Guards {
	g := &Guards{Pool: c.below(pools + 1)}
	if c.coin() {
		g.Breaker = c.breaker()
	}
	if c.coin() {
		g.Limiter = limit.BucketConfig{
			Capacity: int64(1 + c.below(3)), Period: choose(c, time.Second, 700*ms), Mode: choose(c, limit.Batch, limit.Continuous),
		}
		g.Poll = choose(c, 0, ms, 50*ms, time.Second)
	}
	if c.coin() {
		g.Fallback = call.Response{Status: 200}
	}
	return g
}

func (c *choices) breaker() breaker.Config {
	b := breaker.Config{
		Window: choose(c, breaker.InARow, breaker.Count, breaker.Time), Open: choose(c, 100*ms, time.Second, 5*time.Second),
		Probes: 1 + c.below(2), Lease: choose(c, 0, 200*ms, 2*time.Second),
	}
	switch b.Window {
	case breaker.InARow:
		b.Failures = 1 + c.below(3)
	case breaker.Count:
		b.Size, b.Percent = 1+c.below(4), choose(c, 1, 50, 100)
	case breaker.Time:
		b.Span, b.Percent, b.Minimum = choose(c, time.Second, 10*time.Second), choose(c, 1, 50, 100), 1+c.below(3)
	}
	if c.below(4) == 3 {
		b.Ignoring = breaker.ClassesOf(call.Permanent, call.Throttled)
	}
	return b
}

func TestSettingsThatMakeNoWorld(t *testing.T) {
	for name, spoil := range map[string]func(*Config){
		"no clients":    func(c *Config) { c.Clients = nil },
		"a bad pool":    func(c *Config) { c.Pools = append(c.Pools, Pool{Name: "small"}) },
		"an odd pool":   func(c *Config) { c.Clients[0].Guards.Pool = 2 },
		"a minus pool":  func(c *Config) { c.Clients[0].Guards.Pool = -1 },
		"a bad breaker": func(c *Config) { c.Clients[0].Guards.Breaker.Percent = 50 },
		"a bad bucket":  func(c *Config) { c.Clients[0].Guards.Limiter.Capacity = 1 },
		"a bad poll":    func(c *Config) { c.Clients[0].Guards.Poll = -1 },
	} {
		c := Config{Clients: []Client{{Name: "a", Guards: &Guards{}}}, Pools: []Pool{{Config: bulkhead.Config{Running: 1}}}}
		if _, err := New(c); err != nil {
			t.Fatal(err)
		}
		if spoil(&c); c.Clients != nil || name == "no clients" {
			if _, err := New(c); err == nil {
				t.Errorf("%s made a world", name)
			}
		}
	}
}

// The instants at which a poller would ask are counted from the refusal; all that are sure to fail are left out.
func TestNextPoll(t *testing.T) {
	for _, c := range []struct {
		now, passes, deadline clock.Instant
		poll                  time.Duration
		want                  clock.Instant
	}{
		{0, 1e9, clock.Max, 50 * ms, 1e9},
		{0, 333_333_334, clock.Max, 50 * ms, 350e6},
		{0, 1, clock.Max, 50 * ms, 50e6},
		{0, 1e9, clock.Max, 300 * ms, 1200e6},
		{0, 1e9, 500e6, 50 * ms, 500e6},
		{500e6, 1e9, 500e6, 50 * ms, 1e9}, // at its deadline, under the test now > deadline, it may still be sent
	} {
		if got := nextPoll(c.now, c.passes, c.deadline, c.poll); got != c.want {
			t.Errorf("%+v: got %d", c, got)
		}
	}
}

// A task that starts and ends at once gives its place on; a thousand of them in a row need no thousand frames, and the
// last has its turn.
func TestALongQueueOfTasksThatEndAtOnce(t *testing.T) {
	conf := Config{
		Pools:   []Pool{{Config: bulkhead.Config{Running: 1, Queue: 20_000}}},
		Clients: []Client{{Name: "a", Guards: &Guards{Pool: 1}}}, MaxEvents: 1 << 30,
	}
	conf.Clients[0].Policy.Attempts, conf.Clients[0].Policy.Deadline = 1, time.Second
	conf.Script = []Mishap{{Delay: 2 * time.Second}}
	s, err := New(conf)
	if err != nil {
		t.Fatal(err)
	}
	var sink counting
	for range 20_001 {
		s = Step(s, Action{Kind: Fire, Request: call.Request{Method: "GET", Path: "/total"}}, &sink)
	}
	s = Step(s, Action{Kind: Advance, To: 3e9}, &sink)
	if running, waits := s.Running(1); running != 0 || waits != 0 {
		t.Errorf("%d running, %d queued", running, waits)
	}
}

type counting struct{ events int }

func (c *counting) Event(*event.Event) { c.events++ }
