package limit

import (
	"testing"
	"time"

	"retrylab.example/core/clock"
	"retrylab.example/core/decision"
)

// The public bugs with limiters, by their id, and what is measured of real limiters. Each test names where it comes from.

const ms = time.Millisecond

func newFixed(t *testing.T, c FixedConfig) Fixed {
	t.Helper()
	f, err := NewFixed(c)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func newBucket(t *testing.T, c BucketConfig) Bucket {
	t.Helper()
	b, err := NewBucket(c)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func newGCRA(t *testing.T, c GCRAConfig) GCRA {
	t.Helper()
	g, err := NewGCRA(c)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func newLog(t *testing.T, c Config) Log {
	t.Helper()
	l, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func wants(t *testing.T, what string, d decision.Decision, admitted bool, wait time.Duration) {
	t.Helper()
	if d.Verdict == decision.Admit != admitted || d.Wait != wait {
		t.Errorf("%s: got %s, wait %s; want admitted %t, wait %s", what, d.Verdict, d.Wait, admitted, wait)
	}
}

// asks sends requests at these instants and checks each.
func asks[L limiter[L]](t *testing.T, l L, admitted bool, at ...time.Duration) L {
	t.Helper()
	for _, a := range at {
		var d decision.Decision
		if l, d = l.Take("", clock.Start.Add(a)); d.Verdict == decision.Admit != admitted {
			t.Errorf("at %s: got %s, want admitted %t", a, d.Verdict, admitted)
		}
	}
	return l
}

// 13 (brandur/redis-cell#56, hashicorp/boundary PR#4094, balena-io/open-balena-api PR#1472): a wait of 1.4 s is 2 whole
// seconds.
func TestCase13AWaitIsRoundedUp(t *testing.T) {
	b := newBucket(t, BucketConfig{Capacity: 1, Period: 1400 * ms, Mode: Continuous})
	b, _ = b.Take("", 0)
	_, d := b.Take("", 0)
	wants(t, "bucket", d, false, 2*time.Second)
	l := newLog(t, Config{Limit: 1, Window: 1400 * ms})
	l, _ = l.Take("", 0)
	_, d = l.Take("", 0)
	wants(t, "log", d, false, 2*time.Second)
}

// 15 (dotnet/runtime#92557): a fixed window of 60 s, exhausted, asked at 45 s.
func TestCase15AFixedWindowTellsWhatIsLeftOfIt(t *testing.T) {
	f := asks(t, newFixed(t, FixedConfig{Limit: 1, Period: time.Minute}), true, 0)
	_, d := f.Take("", clock.Start.Add(45*time.Second))
	wants(t, "at 45 s", d, false, 15*time.Second)
}

// 17 (Losant/redis-gcra#3): 6 per minute, burst 6. The wait that is told is exactly the wait there is.
func TestCase17GCRAAdmitsExactlyWhenItSays(t *testing.T) {
	g := asks(t, newGCRA(t, GCRAConfig{Limit: 6, Period: time.Minute, Burst: 6}), true, 0, 0, 0, 0, 0, 0)
	g, d := g.Take("", 0)
	wants(t, "the seventh", d, false, 10*time.Second)
	g = asks(t, g, false, 5*time.Second, 10*time.Second-1)
	asks(t, g, true, 10*time.Second)
}

// 19 (redis/redis PR#14826, with throttled v2.15.0's 1.5 s): a cost equal to the capacity, on a partly used bucket.
func TestCase19ACostEqualToTheCapacityHasAFiniteWait(t *testing.T) {
	g := newGCRA(t, GCRAConfig{Limit: 2, Period: time.Second, Burst: 3})
	g = asks(t, g, true, 0, 0, 0)
	_, a := g.Try("", 0, 3)
	b := newBucket(t, BucketConfig{Capacity: 3, Refill: 2, Period: time.Second, Mode: Continuous})
	b = asks(t, b, true, 0, 0, 0)
	_, same := b.Try("", 0, 3)
	if want := clock.Start.Add(1500 * ms); a.Passes != want || same.Passes != want {
		t.Errorf("passes at %d and %d, want %d", a.Passes, same.Passes, want)
	}
}

// 57 (golang/go#56287, #71360; reproduced on x/time v0.16.0): 1 a second, burst 10, asked at t + 10 s and at t in turn.
func TestCase57AClockThatSwingsGrantsNoMoreThanItsSpan(t *testing.T) {
	b := newBucket(t, BucketConfig{Capacity: 10, Refill: 1, Period: time.Second, Mode: Continuous})
	g := newGCRA(t, GCRAConfig{Limit: 1, Period: time.Second, Burst: 10})
	granted := [2]int{}
	for i := range 2000 {
		now := clock.Start.Add(time.Duration((i+1)%2) * 10 * time.Second)
		var d [2]decision.Decision
		b, d[0] = b.Take("", now)
		g, d[1] = g.Take("", now)
		for k := range d {
			if d[k].Verdict == decision.Admit {
				granted[k]++
			}
		}
	}
	if granted[0] > 20 || granted[1] > 20 {
		t.Errorf("granted %v, at most 20", granted)
	}
}

// 59a (sethvargo/go-limiter#41): the clock is set back; the tokens stay, and refill goes on later.
func TestCase59aAClockSetBackTakesNoToken(t *testing.T) {
	b := newBucket(t, BucketConfig{Capacity: 5, Refill: 1, Period: time.Second, Mode: Continuous})
	b = asks(t, b, true, time.Hour, time.Hour)
	if got := b.Tokens("", 0); got != 3*Token {
		t.Errorf("%d nano-tokens after the clock was set back", got)
	}
	b = asks(t, b, true, 0, time.Minute, 0)
	b = asks(t, b, false, time.Minute)
	asks(t, b, true, time.Hour+time.Second)
}

// 59b (ProfessionalWiki/MediaWiki-MCP-Server#557): the clock steps back by 11 s after three requests.
func TestCase59bAClockSetBackAfterThreeRequestsAdmits(t *testing.T) {
	b := newBucket(t, BucketConfig{Capacity: 5, Refill: 1, Period: time.Second, Mode: Continuous})
	b = asks(t, b, true, time.Minute, time.Minute, time.Minute)
	asks(t, b, true, 49*time.Second)
	f := asks(t, newFixed(t, FixedConfig{Limit: 5, Period: time.Minute}), true, time.Minute, time.Minute, time.Minute)
	asks(t, f, true, 49*time.Second)
	g := asks(t, newGCRA(t, GCRAConfig{Limit: 1, Period: time.Second, Burst: 5}), true, time.Minute, time.Minute, time.Minute)
	asks(t, g, true, 49*time.Second)
}

// 59c (JSONbored/loopover PR#5855): the clock steps back by x; nobody waits for a window and x.
func TestCase59cAClockSetBackCostsAtMostOneWindow(t *testing.T) {
	const window = 10 * time.Second
	f := asks(t, newFixed(t, FixedConfig{Limit: 1, Period: window}), true, time.Hour)
	b := asks(t, newBucket(t, BucketConfig{Capacity: 1, Period: window}), true, time.Hour)
	g := asks(t, newGCRA(t, GCRAConfig{Limit: 1, Period: window}), true, time.Hour)
	l := asks(t, newLog(t, Config{Limit: 1, Window: window}), true, time.Hour)
	_, dl := l.Take("", 0)
	_, df := f.Take("", 0)
	_, db := b.Take("", 0)
	_, dg := g.Take("", 0)
	for i, d := range []decision.Decision{df, db, dg, dl} {
		if d.Verdict != decision.Refuse || d.Wait > window {
			t.Errorf("%d: %s, wait %s", i, d.Verdict, d.Wait)
		}
	}
}

// 59d (libvmod-vsthrottle#4): the clock steps back by two days; no count becomes negative.
func TestCase59dAClockSetBackByDaysLeavesNoDebt(t *testing.T) {
	b := newBucket(t, BucketConfig{Capacity: 2, Refill: 1, Period: time.Second, Mode: Continuous})
	b = asks(t, b, true, 0)
	b = asks(t, b, true, -48*time.Hour)
	b = asks(t, b, false, -48*time.Hour)
	if got := b.Tokens("", clock.Start.Add(-48*time.Hour)); got != 0 {
		t.Errorf("%d nano-tokens", got)
	}
	asks(t, b, true, time.Second)
}

// 61a (rolling-rate-limiter#9, rcarmo/piclaw PR#105): a client that keeps asking while it is limited is let in again.
func TestCase61aRefusedRequestsAreNotCounted(t *testing.T) {
	var asked []time.Duration
	for at := 20 * ms; at < time.Second; at += 20 * ms {
		asked = append(asked, at)
	}
	asks(t, asks(t, asks(t, newLog(t, Config{Limit: 1, Window: time.Second}), true, 0), false, asked...), true, time.Second)
	asks(t, asks(t, asks(t, newFixed(t, FixedConfig{Limit: 1, Period: time.Second}), true, 0), false, asked...), true, time.Second)
	asks(t, asks(t, asks(t, newGCRA(t, GCRAConfig{Limit: 1, Period: time.Second}), true, 0), false, asked...), true, time.Second)
	asks(t, asks(t, asks(t, newBucket(t, BucketConfig{Capacity: 1, Period: time.Second, Mode: Continuous}), true, 0), false, asked...), true, time.Second)
}

// 61b (alisaifee/limits#28): 2 in 6 s, one request every 5 s: all pass.
func TestCase61bOneRequestInFiveSecondsAlwaysPasses(t *testing.T) {
	var at []time.Duration
	for n := range 20 {
		at = append(at, time.Duration(n)*5*time.Second)
	}
	asks(t, newLog(t, Config{Limit: 2, Window: 6 * time.Second}), true, at...)
	asks(t, newFixed(t, FixedConfig{Limit: 2, Period: 6 * time.Second}), true, at...)
	asks(t, newGCRA(t, GCRAConfig{Limit: 2, Period: 6 * time.Second, Burst: 2}), true, at...)
	asks(t, newBucket(t, BucketConfig{Capacity: 2, Period: 6 * time.Second, Mode: Batch}), true, at...)
}

// 63 (RussellLuo/slidingwindow#5): a sliding counter lets 1500 through in a second of 1000; the log never does.
func TestCase63NoWindowOfTheLogHoldsMoreThanTheLimit(t *testing.T) {
	l := newLog(t, Config{Limit: 1000, Window: time.Second})
	var admitted []clock.Instant
	for i := range 6000 {
		now := clock.Start.Add(time.Duration(i) * 500 * time.Microsecond)
		var d decision.Decision
		if l, d = l.Take("", now); d.Verdict == decision.Admit {
			admitted = append(admitted, now)
		}
	}
	for i := 1000; i < len(admitted); i++ {
		if span := admitted[i].Sub(admitted[i-1000]); span < time.Second {
			t.Fatalf("1001 requests in %s, from %d on", span, admitted[i-1000])
		}
	}
	if len(admitted) != 3000 {
		t.Errorf("%d admitted in 3 s", len(admitted))
	}
}

// x/time/rate, measured: 10 a second, burst 5.
func TestGoldenOfXTimeRate(t *testing.T) {
	b := newBucket(t, BucketConfig{Capacity: 5, Refill: 10, Period: time.Second, Mode: Continuous})
	b = asks(t, b, true, 0, 0, 0, 0, 0)
	b = asks(t, b, false, 99*ms)
	b = asks(t, b, true, 100*ms)
	b = asks(t, b, false, 199*ms)
	b = asks(t, b, true, 200*ms)
	at := clock.Start.Add(time.Second)
	if got := b.Tokens("", at); got != 5*Token {
		t.Errorf("%d nano-tokens at 1 s", got)
	}
	b = asks(t, b, true, time.Second)
	if got := b.Tokens("", at); got != 4*Token {
		t.Errorf("%d nano-tokens after one more", got)
	}
	if _, a := b.Try("", at, 6); a.Reason != decision.CostTooLarge || a.Passes != clock.Max {
		t.Errorf("a cost above the burst: %+v", a)
	}
}

// throttled v2.15.0, measured: 2 a second, MaxBurst 2, which is a burst of 3 here. Headers are rounded up.
func TestGoldenOfThrottled(t *testing.T) {
	g := newGCRA(t, GCRAConfig{Limit: 2, Period: time.Second, Burst: 3})
	g = asks(t, g, true, 0, 0, 0)
	g, a := g.Try("", 0, 1)
	if a.Passes != clock.Start.Add(500*ms) || a.Wait(0) != time.Second {
		t.Errorf("the fourth: %+v, Retry-After %s", a, a.Wait(0))
	}
	if _, a = g.Try("", clock.Start.Add(499*ms), 1); a.Passes.Sub(clock.Start.Add(499*ms)) != ms {
		t.Errorf("at 499 ms: %+v", a)
	}
	if _, a = g.Clone().Try("", 0, 0); a.Verdict != decision.Admit {
		t.Errorf("a cost of 0 looks: %+v", a)
	}
	g = asks(t, g, true, 500*ms)
	asks(t, g, false, 500*ms)
	// Differs on purpose: throttled says that all 3 remain after a request of more than the burst; here it never passes.
	if _, a = g.Try("", clock.Start.Add(500*ms), 4); a.Reason != decision.CostTooLarge {
		t.Errorf("a cost above the burst: %+v", a)
	}
}

// failsafe-go v0.9.8, measured: its bursty limiter of 3 a second starts anew at whole periods, as a fixed window does.
// Its smooth one is a grid that lets two requests through 50 ms apart at 10 a second; neither GCRA nor a bucket does.
func TestGoldenOfFailsafe(t *testing.T) {
	f := asks(t, newFixed(t, FixedConfig{Limit: 3, Period: time.Second}), true, 900*ms, 900*ms, 900*ms)
	asks(t, asks(t, f, false, 999*ms), true, time.Second, time.Second, time.Second)
	g := asks(t, newGCRA(t, GCRAConfig{Limit: 10, Period: time.Second}), true, 0, 350*ms)
	asks(t, asks(t, g, false, 400*ms), true, 450*ms)
}
