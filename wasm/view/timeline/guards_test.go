package timeline

import (
	"math"
	"strings"
	"testing"
	"time"

	"retrylab.example/core/breaker"
	"retrylab.example/core/bulkhead"
	"retrylab.example/core/decision"
	"retrylab.example/core/event"
	"retrylab.example/core/ledger"
	"retrylab.example/core/limit"
	"retrylab.example/core/partner"
	"retrylab.example/core/retry"
	"retrylab.example/core/sim"
)

// once is the policy of a caller that tries once.
func once() retry.Policy { return retry.Policy{Attempts: 1} }

// guarded returns a client with guards.
func guarded(name string, g sim.Guards) sim.Client {
	return sim.Client{Name: name, Policy: once(), Guards: &g}
}

// volley fires so many requests of one client, one each gap.
func volley(at, gap time.Duration, client, n int) (steps []step) {
	for i := range n {
		steps = append(steps, fire(at+time.Duration(i)*gap, client, ""))
	}
	return steps
}

// guardRuns returns a run for each mechanism that has a lane of its own.
func guardRuns(t testing.TB) map[string]Input {
	all := map[string]Input{
		"breaker": simulate(t, tripping(), 6800*ms, volley(0, 400*ms, 0, 17)...),
		"pools":   simulate(t, starving(), 5*time.Second, append(volley(0, 100*ms, 0, 3), volley(500*ms, 150*ms, 1, 6)...)...),
	}
	bucket := limit.BucketConfig{Capacity: 3, Period: time.Second}
	own := sim.Config{
		Latency: 50 * ms, Partner: partner.Config{Fixed: limit.FixedConfig{Limit: 3, Period: time.Second}},
		Clients: []sim.Client{guarded("page", sim.Guards{Limiter: bucket, Poll: 50 * ms})},
	}
	all["bucket"] = simulate(t, own, 2400*ms, volley(0, 100*ms, 0, 9)...)

	bucket.Mode = limit.Continuous
	for name, p := range map[string]partner.Config{
		"partner-bucket":    {Bucket: bucket},
		"partner-schedule":  {GCRA: limit.GCRAConfig{Limit: 2, Period: time.Second, Burst: 3}},
		"partner-in-flight": {Concurrency: limit.ConcurrencyConfig{Limit: 2}, Work: partner.Work{Least: time.Second}},
	} {
		c := sim.Config{Latency: 50 * ms, Partner: p, Clients: []sim.Client{{Name: "page", Policy: once()}}}
		all[name] = simulate(t, c, 3*time.Second, volley(0, 250*ms, 0, 8)...)
	}
	all["partner-work"] = simulate(t, working(), 1700*ms, fire(0, 0, "req-1"), fire(200*ms, 1, "b-1"), fire(300*ms, 0, "req-1"),
		fire(500*ms, 1, "b-2"), fire(600*ms, 1, "b-3"), fire(700*ms, 1, "b-4"))
	all["partner-work"] = withLease(all["partner-work"])
	return all
}

func withLease(in Input) Input {
	in.KeyLease, in.KeyLifetime = time.Minute, time.Hour
	return in
}

func tripping() sim.Config {
	c := sim.Config{
		Latency: 50 * ms, RepeatLast: true,
		Clients: []sim.Client{guarded("page", sim.Guards{Breaker: breaker.Config{
			Window: breaker.Count, Size: 10, Minimum: 10, Percent: 50, Open: 2 * time.Second, Probes: 1, Successes: 2,
		}})},
	}
	for i := range 10 {
		m := sim.Mishap{}
		if i%2 == 1 {
			m = status(503, "")
		}
		c.Script = append(c.Script, m)
	}
	c.Script = append(c.Script, sim.Mishap{})
	return c
}

// starving returns a pool in which the calls to a slow partner leave no place to the others.
func starving() sim.Config {
	slow := sim.Mishap{Fault: event.Slow, Delay: 3 * time.Second}
	return sim.Config{
		Latency: 50 * ms, Script: []sim.Mishap{slow, slow, slow, {}}, RepeatLast: true,
		Pools:   []sim.Pool{{Name: "shared", Config: bulkhead.Config{Running: 3, Queue: 4, CallerTimeout: 2 * time.Second}}},
		Clients: []sim.Client{guarded("reports", sim.Guards{Pool: 1}), guarded("pages", sim.Guards{Pool: 1})},
	}
}

func working() sim.Config {
	return sim.Config{
		Latency: 50 * ms,
		Partner: partner.Config{
			Ledger: ledger.Config{Lifetime: time.Hour, Lease: time.Minute}, Work: partner.Work{Least: time.Second},
			Capacity: bulkhead.Config{Running: 2, Queue: 2},
		},
		Clients: []sim.Client{{Name: "alice", Policy: once()}, {Name: "bob", Policy: once()}},
	}
}

// stormy returns a long run with every guard of a client.
func stormy(t testing.TB, n int) Input {
	c := tripping()
	c.Pools = starving().Pools
	g := c.Clients[0].Guards
	g.Pool, g.Limiter, g.Poll = 1, limit.BucketConfig{Capacity: 3, Period: time.Second}, 50*ms
	c.Partner = partner.Config{Work: partner.Work{Least: 200 * ms}, Capacity: bulkhead.Config{Running: 2, Queue: 2}}
	for i := range 20 {
		c.Script[i%len(c.Script)] = []sim.Mishap{{}, status(503, ""), status(503, "")}[i%3]
	}
	in := simulate(t, c, time.Duration(n)*20*ms, volley(0, 90*ms, 0, n/4)...)
	if len(in.Events) < n {
		t.Fatalf("got %d events, want at least %d", len(in.Events), n)
	}
	in.Events = in.Events[:n]
	in.Now = in.Events[n-1].At
	return in
}

// The cells beside the line of now are those of the latest receipt, and empty again once the circuit has closed.
func TestCellsAreThoseOfTheReceipt(t *testing.T) {
	in := guardRuns(t)["breaker"]
	want := map[event.Kind]string{
		event.CircuitOpened: ".x.x.x.x.x", event.CircuitHalfOpened: "__", event.CircuitClosed: "__________",
	}
	for k := range in.Events {
		e := &in.Events[k]
		if want[e.Kind] == "" {
			continue
		}
		got := ""
		for _, c := range tell(prefix(in, k+1)).guards.circuits[0].window() {
			got += string("_.x"[c])
		}
		if got != want[e.Kind] {
			t.Errorf("%s: got cells %s, want %s", e.Kind, got, want[e.Kind])
		}
		delete(want, e.Kind)
	}
	if len(want) > 0 {
		t.Errorf("the run has no %v", want)
	}
}

// What a meter shows at an event is what its receipt says, also where it went on by itself since the last one.
func TestMetersAgreeWithReceipts(t *testing.T) {
	for name, in := range guardRuns(t) {
		for k := range in.Events {
			e := &in.Events[k]
			before, after := tell(prefix(in, k)).guards, tell(prefix(in, k+1)).guards
			switch at, _ := e.Decision.Term(decision.Tokens); {
			case e.Kind == event.AttemptHeld || e.Decision.Reason == decision.TokensMissing:
				if m := first(before); math.Abs(m.now(e.At).n-float64(at.Value)) > 1 {
					t.Errorf("%s: before event %d %f tokens, its receipt says %d", name, e.Seq, m.now(e.At).n, at.Value)
				}
			case e.Decision.Reason == decision.TokensTaken:
				if m := first(after); m.now(e.At).n != float64(at.Value) {
					t.Errorf("%s: after event %d %f tokens, its receipt says %d", name, e.Seq, m.now(e.At).n, at.Value)
				}
			}
			running, ok := e.Decision.Term(decision.Running)
			if !ok || len(after.pools) == 0 {
				continue
			}
			queued, _ := e.Decision.Term(decision.Queued)
			if l := after.pools[0].now(e.At); l.n != float64(running.Value) || l.queued != float64(queued.Value) {
				t.Errorf("%s: after event %d %v run and %v wait, its receipt says %d and %d", name, e.Seq, l.n, l.queued, running.Value, queued.Value)
			}
		}
	}
}

// first returns the bucket of a run that has one.
func first(g guards) *meter {
	if len(g.buckets) > 0 {
		return g.buckets[0]
	}
	if len(g.limits) > 0 {
		return g.limits[0]
	}
	return nil
}

// A pool is empty when all its tasks have ended, and a partner that has answered everything works on nothing.
func TestMetersComeDown(t *testing.T) {
	for name, of := range map[string]func(g *guards) *meter{
		"pools":             func(g *guards) *meter { return g.pools[0] },
		"partner-in-flight": func(g *guards) *meter { return g.limits[0] },
	} {
		in := guardRuns(t)[name]
		m := of(&tell(in).guards)
		if l := m.now(in.Now); l.n != 0 || l.queued != 0 {
			t.Errorf("%s: at the end %v and %v, want nothing", name, l.n, l.queued)
		}
		peak := 0.0
		for _, l := range m.levels {
			peak = max(peak, l.n)
		}
		if peak != m.most {
			t.Errorf("%s: at most %v, want all %v", name, peak, m.most)
		}
	}
}

func TestLanesWithoutEventsAreNotDrawn(t *testing.T) {
	for name, in := range guardRuns(t) {
		for _, vertical := range []bool{false, true} {
			if in.Vertical = vertical; vertical {
				in = phone(in)
			}
			lanes := func(in Input) int {
				html := Draw(in).HTML()
				return strings.Count(html, `class="mt mt--`) + strings.Count(html, `class="br br--`) + strings.Count(html, "pl-work")
			}
			if n := lanes(prefix(in, 0)); n != 0 {
				t.Errorf("%s, vertical=%v: %d lanes before anything has happened", name, vertical, n)
			}
			if lanes(in) == 0 {
				t.Errorf("%s, vertical=%v: no lane", name, vertical)
			}
		}
	}
}

// A key is in flight until its result is saved, and gone at the end of its lifetime.
func TestKeysAreInFlightThenSavedThenGone(t *testing.T) {
	in := guardRuns(t)["partner-work"]
	in.KeyLifetime = 1300 * ms
	r := tell(in).records[0]
	if r.begun == nil || r.made == nil || r.begun.At >= r.made.At {
		t.Fatalf("the first record: begun %v, made %v", r.begun, r.made)
	}
	if want := r.begun.At.Add(1300 * ms); r.until != want {
		t.Errorf("it is kept until %v, want %v", r.until, want)
	}
	if html := Draw(in).HTML(); !strings.Contains(html, "req-1 has expired") || !strings.Contains(html, "lg-flight") {
		t.Error("the drawing does not show that the key was in flight and has expired")
	}
}

// Whose guards are changed has a closed circuit that knows no result.
func TestChangedGuardsCloseTheCircuit(t *testing.T) {
	in := guardRuns(t)["breaker"]
	for k := range in.Events {
		if in.Events[k].Kind != event.CircuitOpened {
			continue
		}
		in = prefix(in, k+1)
		in.Events = append(in.Events[:k+1:k+1], event.Event{Seq: k + 2, At: in.Now, Kind: event.GuardsChanged, Who: event.Person})
		if c := tell(in).guards.circuits[0]; c.state() != "closed" || c.window() != nil {
			t.Errorf("got %s with %v, want closed without results", c.state(), c.window())
		}
		return
	}
	t.Error("the circuit never opened")
}

func TestAStormStaysSmall(t *testing.T) {
	in := stormy(t, 1000)
	for _, in.Vertical = range []bool{false, true} {
		if n := nodes(Draw(in)); n > 190 {
			t.Errorf("vertical=%v: got %d elements and texts for %d events, want at most 190", in.Vertical, n, len(in.Events))
		}
	}
}
