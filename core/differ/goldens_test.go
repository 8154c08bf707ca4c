package differ

import (
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	cenk "github.com/cenkalti/backoff/v5"
	"github.com/failsafe-go/failsafe-go"
	"github.com/failsafe-go/failsafe-go/circuitbreaker"
	"github.com/failsafe-go/failsafe-go/ratelimiter"
	"github.com/failsafe-go/failsafe-go/retrypolicy"
	retryable "github.com/hashicorp/go-retryablehttp"
	"github.com/sony/gobreaker/v2"
	"github.com/throttled/throttled/v2"
	"golang.org/x/time/rate"

	"retrylab.example/core/backoff"
	"retrylab.example/core/breaker"
	"retrylab.example/core/call"
	"retrylab.example/core/clock"
	"retrylab.example/core/limit"
	"retrylab.example/core/retry"
	"retrylab.example/core/retryafter"
)

// Whole policies with known runs (resilience A.1 to A.4), against the real library and against ours.

// isRun compares a run with its instants, in seconds as text, and its end.
func isRun(t *testing.T, who string, got run, end time.Duration, sends string) {
	t.Helper()
	var at []string
	for _, s := range got.sends {
		at = append(at, s.String())
	}
	if strings.Join(at, " ") != sends || got.end != end || got.ok {
		t.Errorf("%s: got attempts at %s, end %v, success %v; want %s, end %v", who, strings.Join(at, " "), got.end, got.ok, sends, end)
	}
}

var failing = []answer{{status: 503}}

func TestCenkaltiDefaults(t *testing.T) {
	l := limits{backoff: backoff.Config{Base: 500 * time.Millisecond, Cap: time.Minute, Factor: factors[0]}, elapsed: 15 * time.Minute}
	theirs := cenkaltiRun(t, l, failing, exponential(l.backoff, 0))
	p := l.policy()
	p.Statuses = []int{503}
	ours := ourRun(t, p, "GET", failing)
	if want := time.Duration(848_746_337_887); len(theirs.sends) != 25 || theirs.end != want {
		t.Errorf("theirs: %d attempts, end %v, want 25, %v", len(theirs.sends), theirs.end, want)
	}
	if !slices.Equal(ours.sends, theirs.sends) || ours.end != theirs.end {
		t.Errorf("ours: %v, theirs: %v", ours, theirs)
	}
}

func TestCenkaltiConstant(t *testing.T) {
	constant := cenk.NewConstantBackOff(5 * time.Second)
	l := limits{backoff: backoff.Config{Base: 5 * time.Second, Cap: 5 * time.Second, Shape: backoff.Constant}, elapsed: 15 * time.Second}
	p := l.policy()
	p.Statuses = []int{503}
	isRun(t, "theirs, 15 s in all", cenkaltiRun(t, l, failing, constant), 15*time.Second, "0s 5s 10s 15s")
	isRun(t, "ours, 15 s in all", ourRun(t, p, "GET", failing), 10*time.Second, "0s 5s 10s")
	l.elapsed, l.patience = 0, 7*time.Second
	p = l.policy()
	p.Statuses = []int{503}
	isRun(t, "theirs, a context of 7 s", cenkaltiRun(t, l, failing, constant), 7*time.Second, "0s 5s")
	isRun(t, "ours, a context of 7 s", ourRun(t, p, "GET", failing), 5*time.Second, "0s 5s")
}

func TestRetryablehttpPolicies(t *testing.T) {
	post := httpCase{method: "POST", rule: retryafter.Replace}
	defaults := limits{backoff: backoff.Config{Base: time.Second, Cap: 30 * time.Second}, tries: 5}
	short := defaults
	short.patience = 10 * time.Second
	for _, c := range []struct {
		name             string
		l                limits
		answer           answer
		theirEnd, ourEnd time.Duration
		sends            string
	}{
		{"500", defaults, answer{status: 500}, 15 * time.Second, 15 * time.Second, "0s 1s 3s 7s 15s"},
		{"429, 7 s", defaults, answer{status: 429, wish: makeWish(inSeconds, 7)}, 28 * time.Second, 28 * time.Second, "0s 7s 14s 21s 28s"},
		{"503, 60 s, context 10 s", short, answer{status: 503, wish: makeWish(inSeconds, 60)}, 10 * time.Second, 0, "0s"},
		{"501", defaults, answer{status: 501}, 0, 0, "0s"},
	} {
		script := []answer{c.answer}
		isRun(t, c.name+", theirs", retryableRun(t, c.l, post, script), c.theirEnd, c.sends)
		isRun(t, c.name+", ours", ourRun(t, httpPolicy(c.l, post), "POST", script), c.ourEnd, c.sends)
	}
}

func TestRetryablehttpBackoff(t *testing.T) {
	for _, c := range []struct {
		base, maximum time.Duration
		a             int
	}{{1e9, 30e9, 0}, {1e9, 30e9, 4}, {1e9, 30e9, 5}, {1e9, 30e9, 63}, {1e9, 30e9, 1000}, {60e9, 30e9, 0}, {0, 30e9, 10}} {
		ours := backoff.Config{Base: c.base, Cap: c.maximum}.After(c.a+1, backoff.Spread{}, 0, one).Wait
		if theirs := retryable.DefaultBackoff(c.base, c.maximum, c.a, nil); theirs != ours {
			t.Errorf("base %v, cap %v, attempt %d: theirs %v, ours %v", c.base, c.maximum, c.a, theirs, ours)
		}
	}
	// Nothing doubled stays nothing; their float is Inf · 0, which they take for the cap.
	ours := backoff.Config{Cap: 30e9}.After(2001, backoff.Spread{}, 0, one).Wait
	if theirs := retryable.DefaultBackoff(0, 30e9, 2000, nil); theirs != 30e9 || ours != 0 {
		t.Errorf("base 0, attempt 2000: theirs %v, ours %v", theirs, ours)
	}
}

func TestFailsafeBackoffs(t *testing.T) {
	l := limits{backoff: backoff.Config{Base: time.Millisecond, Cap: 10 * time.Millisecond, Factor: factors[1]}, tries: 9}
	p := l.policy()
	p.Statuses = []int{503}
	want := "0s 1ms 3ms 7ms 15ms 25ms 35ms 45ms 55ms"
	isRun(t, "theirs", failsafeRun(t, l, failing), 55*time.Millisecond, want)
	isRun(t, "ours", ourRun(t, p, "GET", failing), 55*time.Millisecond, want)

	l = limits{backoff: backoff.Config{Base: time.Second, Cap: 30 * time.Second, Factor: factors[1]}, elapsed: 20 * time.Second}
	slow := []answer{{status: 503, cost: time.Millisecond}}
	p = l.policy()
	p.Statuses = []int{503}
	isRun(t, "theirs", failsafeRun(t, l, slow), 20001*time.Millisecond, "0s 1.001s 3.002s 7.003s 15.004s 20s")
	isRun(t, "ours", ourRun(t, p, "GET", slow), 15005*time.Millisecond, "0s 1.001s 3.002s 7.003s 15.004s")
}

// TestFailsafeStandsStill: with attempts that take no time their policy repeats at the instant of the deadline for ever.
// Ours makes progress or ends.
func TestFailsafeStandsStill(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		begin, at := time.Now(), map[time.Duration]int{}
		policy := retrypolicy.NewBuilder[int]().WithMaxRetries(-1).WithMaxDuration(5 * time.Second).WithDelay(2 * time.Second).Build()
		err := failsafe.With(policy).Run(func() error {
			if at[time.Since(begin)]++; at[5*time.Second] == 1000 {
				return nil // the only way out
			}
			return errTemporary
		})
		if err != nil || at[5*time.Second] != 1000 {
			t.Errorf("%d attempts at 5 s, %v", at[5*time.Second], err)
		}
	})
	p := retry.Policy{Attempts: retry.MaxAttempts, Deadline: 5 * time.Second, Statuses: []int{503}}
	p.Backoff = backoff.Config{Base: 2 * time.Second, Cap: 2 * time.Second}
	isRun(t, "ours", ourRun(t, p, "GET", failing), 4*time.Second, "0s 2s 4s")
}

// results puts results into a new breaker of ours, at these instants, and returns its state after the last.
func results(t *testing.T, c breaker.Config, classes []call.Class, at ...time.Duration) breaker.State {
	t.Helper()
	b, err := breaker.New(c)
	if err != nil {
		t.Fatal(err)
	}
	for i, class := range classes {
		var p breaker.Permit
		b, p, _ = b.Try(clock.Instant(at[i]))
		b, _ = b.Note(clock.Instant(at[i]), p, class)
	}
	return b.State(clock.Instant(at[len(classes)-1]))
}

func TestFailsafeTimeWindow(t *testing.T) {
	fails := []call.Class{call.Transient, call.Transient, call.Transient}
	c := breaker.Config{Window: breaker.Time, Span: 10 * time.Second, Percent: 1, Minimum: 3, Open: time.Minute}
	for last, want := range map[time.Duration]breaker.State{9999 * time.Millisecond: breaker.Open, 10 * time.Second: breaker.Closed} {
		synctest.Test(t, func(t *testing.T) {
			b := circuitbreaker.NewBuilder[int]().WithFailureThresholdPeriod(3, 10*time.Second).Build()
			b.RecordFailure()
			b.RecordFailure()
			<-time.After(last)
			if b.RecordFailure(); (failsafePeer{b}).state() != want {
				t.Errorf("theirs, third failure at %v: %v, want %v", last, b.State(), want)
			}
		})
		if got := results(t, c, fails, 0, 0, last); got != want {
			t.Errorf("ours, third failure at %v: %v, want %v", last, got, want)
		}
	}
}

func TestFailsafeRoundsRates(t *testing.T) {
	classes := append(slices.Repeat([]call.Class{call.Success}, 7), call.Transient)
	c := breaker.Config{Window: breaker.Time, Span: 10 * time.Second, Percent: 13, Minimum: 8, Open: time.Minute}
	b := circuitbreaker.NewBuilder[int]().WithFailureRateThreshold(.13, 8, 10*time.Second).Build()
	for range 7 {
		b.RecordSuccess()
	}
	b.RecordFailure()
	if ours := results(t, c, classes, make([]time.Duration, 8)...); !b.IsOpen() || ours != breaker.Closed {
		t.Errorf("1 of 8 at 13 %%: theirs %v, want open; ours %v, want closed", b.State(), ours)
	}
}

// TestFailsafeLateSuccess: a success of a call from before the circuit opened closes theirs, and not ours.
func TestFailsafeLateSuccess(t *testing.T) {
	ours, err := breaker.New(breaker.Config{Failures: 1, Open: time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	ours, late, _ := ours.Try(0)
	ours, p, _ := ours.Try(0)
	ours, _ = ours.Note(0, p, call.Transient)
	ours, _, _ = ours.Try(clock.Instant(time.Minute))
	ours, _ = ours.Note(clock.Instant(time.Minute), late, call.Success)
	synctest.Test(t, func(t *testing.T) {
		b := circuitbreaker.NewBuilder[int]().WithDelay(time.Minute).Build()
		b.TryAcquirePermit()
		b.RecordFailure()
		<-time.After(time.Minute)
		b.TryAcquirePermit()
		b.RecordSuccess() // which of the two calls it was, they cannot tell
		if got := ours.State(clock.Instant(time.Minute)); !b.IsClosed() || got != breaker.HalfOpen {
			t.Errorf("theirs %v, want closed; ours %v, want half-open", b.State(), got)
		}
	})
}

func TestGobreakerTimeout(t *testing.T) {
	c := breaker.Config{Failures: 6, Open: time.Minute}
	fails := slices.Repeat([]call.Class{call.Transient}, 6)
	synctest.Test(t, func(t *testing.T) {
		b := gobreaker.NewCircuitBreaker[int](gobreaker.Settings{}) // opens at the sixth failure, for 60 s
		for i := range 6 {
			if b.State() != gobreaker.StateClosed {
				t.Fatalf("after %d failures: %v", i, b.State())
			}
			_, _ = b.Execute(func() (int, error) { return 0, errTemporary })
		}
		<-time.After(time.Minute)
		at := b.State()
		<-time.After(1)
		if after := b.State(); at != gobreaker.StateOpen || after != gobreaker.StateHalfOpen {
			t.Errorf("theirs: at 60 s %v, 1 ns later %v", at, after)
		}
	})
	b, err := breaker.New(c)
	if err != nil {
		t.Fatal(err)
	}
	for _, class := range fails {
		var p breaker.Permit
		b, p, _ = b.Try(0)
		b, _ = b.Note(0, p, class)
	}
	if before, at := b.State(clock.Instant(time.Minute)-1), b.State(clock.Instant(time.Minute)); before != breaker.Open || at != breaker.HalfOpen {
		t.Errorf("ours: 1 ns before 60 s %v, at 60 s %v", before, at)
	}
}

func TestTimeRateSteps(t *testing.T) {
	theirs := rate.NewLimiter(10, 5)
	ours, err := limit.NewBucket(limit.BucketConfig{Capacity: 5, Refill: 10, Period: time.Second, Mode: limit.Continuous})
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []struct {
		ms   time.Duration
		want bool
	}{{0, true}, {0, true}, {0, true}, {0, true}, {0, true}, {99, false}, {100, true}, {199, false}, {200, true}, {1000, true}} {
		at := s.ms * time.Millisecond
		their, our := theirs.AllowN(epoch.Add(at), 1), ourBucket(&ours, at, 1).passes
		if their != s.want || our != s.want {
			t.Errorf("at %v: theirs %v, ours %v, want %v", at, their, our, s.want)
		}
	}
	if their, our := theirs.TokensAt(epoch.Add(time.Second)), ours.Tokens("k", clock.Instant(time.Second)); their != 4 || our != 4*limit.Token {
		t.Errorf("at 1 s: theirs %v tokens, ours %d billionths, want 4", their, our)
	}
}

func TestThrottledSteps(t *testing.T) {
	s := &store{}
	theirs, err := throttled.NewGCRARateLimiterCtx(s, throttled.RateQuota{MaxRate: throttled.PerSec(2), MaxBurst: 2})
	if err != nil {
		t.Fatal(err)
	}
	ours, err := limit.NewGCRA(limit.GCRAConfig{Limit: 2, Period: time.Second, Burst: 3})
	if err != nil {
		t.Fatal(err)
	}
	for _, step := range []struct {
		ms   time.Duration
		want quota
	}{
		{0, quota{true, -1, 2}}, {0, quota{true, -1, 1}}, {0, quota{true, -1, 0}},
		{0, quota{false, 500 * time.Millisecond, 0}}, {499, quota{false, time.Millisecond, 0}}, {500, quota{true, -1, 0}},
	} {
		at := step.ms * time.Millisecond
		s.now = epoch.Add(at)
		their, our := theirGCRA(t, theirs, 1), ourGCRA(&ours, at, 1)
		if their != step.want || our != step.want {
			t.Errorf("at %v: theirs %+v, ours %+v, want %+v", at, their, our, step.want)
		}
	}
	their, our := theirGCRA(t, theirs, 4), ourGCRA(&ours, 500*time.Millisecond, 4)
	if their.passes || our.passes || their.remaining != 3 || our.remaining != 0 {
		t.Errorf("4 of 3: theirs %+v, ours %+v", their, our)
	}
}

// TestFailsafeSmoothGrid: 350 and 400 ms are 50 ms apart, at 10 in a second.
func TestFailsafeSmoothGrid(t *testing.T) {
	ours := gcra(t, limit.GCRAConfig{Limit: 10, Period: time.Second})
	grid := batches(t, 1, 100*time.Millisecond)
	synctest.Test(t, func(t *testing.T) {
		l, begin := ratelimiter.NewSmooth[int](10, time.Second), time.Now()
		for _, ms := range []time.Duration{350, 400} {
			at := ms * time.Millisecond
			<-time.After(at - time.Since(begin))
			if their, our, cell := l.TryAcquirePermit(), ours(at, 1), grid(at, 1); !their || our != (ms == 350) || !cell {
				t.Errorf("at %v: theirs %v, our GCRA %v, our batches %v", at, their, our, cell)
			}
		}
	})
}
