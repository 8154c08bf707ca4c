package differ

import (
	"context"
	"math/rand/v2"
	"testing"
	"testing/synctest"
	"time"

	"github.com/failsafe-go/failsafe-go/ratelimiter"
	"github.com/throttled/throttled/v2"
	"golang.org/x/time/rate"

	"retrylab.example/core/clock"
	"retrylab.example/core/decision"
	"retrylab.example/core/limit"
)

// passing is a request about which two limiters differ.
type passing struct {
	now, latest time.Duration // this instant, and the latest before it
	back        time.Duration // how far the clock has been set back at most
	cost, burst int64
	interval    time.Duration // between requests in the long run, rounded down
	exact       bool          // that it is not rounded
	theirs      quota
	ours        quota
	// last is when both let a request pass before; used is what has passed in this period, and total in all.
	last        time.Duration
	used, total int64
}

// quota is what a limiter says. What a library does not tell is the same in both.
type quota struct {
	passes    bool
	wait      time.Duration // until the same request passes; −1 if it passes or never will
	remaining int64
}

// intendedPasses are the differences of the limiters.
var intendedPasses = []difference{
	{
		timeRate, "what is missing of a token is rounded down to whole nanoseconds of waiting, so a request may pass one early",
		"nano-tokens and a remainder, so nothing is ever rounded away (limit.Bucket)",
		func(p passing) bool {
			return p.now >= p.latest && p.theirs.passes && !p.ours.passes && p.ours.wait == 1
		},
	},
	{
		timeRate, "a request that passes on a clock that was set back takes the remembered instant back too, so the time between refills twice",
		"the remembered instant never decreases, and goes on to count as now: rule 8 (resilience A.7)",
		func(p passing) bool { return p.now < p.latest && (p.theirs.passes || p.ours.passes) },
	},
	{
		smooth, "permits lie on a grid from the start on, so two may pass at less than an interval",
		"a GCRA counts the interval from the request before (ITU-T I.371; resilience A.4)",
		func(p passing) bool {
			cell := p.now / p.interval
			return p.theirs.passes && !p.ours.passes && p.last/p.interval < cell && p.now-p.last < p.interval
		},
	},
	{
		bursty, "all permits come back at the start of a period, so twice as many pass around it",
		"a GCRA gives back one in each interval, so no span of a period sees more than burst and rate allow (limit.GCRA)",
		func(p passing) bool {
			return p.theirs.passes && !p.ours.passes && p.used+p.cost <= p.burst && p.used < p.total
		},
	},
	{
		bursty, "no permit comes back before the next period, however long ago the last one was taken",
		"a GCRA gives back one in each interval (limit.GCRA)",
		func(p passing) bool { return !p.theirs.passes && p.ours.passes && p.used+p.cost > p.burst },
	},
	{
		throttledGCRA, "the interval is rounded down to whole nanoseconds, so more pass than the limit says",
		"the interval is kept exactly, in nanoseconds and parts of 1/Limit (limit.GCRA)",
		func(p passing) bool {
			off := p.ours.wait - p.theirs.wait
			more := p.theirs.passes == p.ours.passes && p.theirs.remaining == p.ours.remaining+1
			return !p.exact && p.back == 0 && (p.theirs.passes && !p.ours.passes || off > 0 && off < 1000 || more)
		},
	},
	{
		throttledGCRA, "a request larger than the limit is told that everything is left, of a bucket that is not full",
		"a refused request is told what is left: its size changes nothing (resilience A.4)",
		func(p passing) bool {
			return p.cost > p.burst && !p.theirs.passes && !p.ours.passes && p.theirs.remaining == p.burst && p.ours.remaining < p.burst
		},
	},
	{
		throttledGCRA, "a clock that is set back is believed: waits grow by as much, and what passes then is paid for from then on",
		"elapsed time clamps to 0, and the remembered instant never decreases: rule 8",
		func(p passing) bool {
			off := p.ours.wait - p.theirs.wait
			return p.back > 0 && (p.ours != p.theirs) && (p.ours.passes != p.theirs.passes || off <= p.back && off >= -p.back)
		},
	},
}

func (p *passing) period() time.Duration { return p.interval * time.Duration(p.burst) }

// ourBucket asks our bucket: what is left are nano-tokens before the request.
func ourBucket(b *limit.Bucket, now time.Duration, cost int64) (q quota) {
	var a limit.Answer
	q.remaining = b.Tokens("k", clock.Instant(now))
	*b, a = b.Try("k", clock.Instant(now), cost)
	q.passes, q.wait = a.Verdict == decision.Admit, max(a.Passes.Sub(clock.Instant(now)), 0)
	return q
}

func compareTimeRate(t *testing.T, b *book, seed uint64) {
	r := rand.New(rand.NewPCG(seed, 6))
	c := limit.BucketConfig{
		Capacity: 1 + r.Int64N(10), Refill: 1 + r.Int64N(10), Period: time.Duration(1+r.IntN(10)) * 100 * time.Millisecond,
		Mode: limit.Continuous,
	}
	ours, err := limit.NewBucket(c)
	if err != nil {
		t.Fatal(err)
	}
	theirs := rate.NewLimiter(rate.Limit(float64(c.Refill)/c.Period.Seconds()), int(c.Capacity))
	p := passing{interval: c.Period / time.Duration(c.Refill)}
	theirs.AllowN(epoch, 0) // so that both have seen the start
	ours, _ = ours.Try("k", 0, 0)
	for range 60 {
		p.latest = max(p.latest, p.now)
		switch r.IntN(40) {
		case 0:
			if seed%8 == 0 {
				p.now -= time.Duration(r.IntN(300)) * time.Millisecond
			}
		case 1, 2, 3, 4:
			p.now += p.ours.wait // where the last part of a token comes
		case 5, 6, 7, 8:
			p.now += max(p.ours.wait-1, 0)
		default:
			p.now += time.Duration(r.IntN(300)) * time.Millisecond
		}
		p.cost = r.Int64N(4)
		p.ours = ourBucket(&ours, p.now, p.cost)
		tokens := theirs.TokensAt(epoch.Add(p.now))
		p.theirs = quota{passes: theirs.AllowN(epoch.Add(p.now), int(p.cost)), wait: p.ours.wait, remaining: p.ours.remaining}
		if p.now < p.latest && (p.theirs.passes || p.ours.passes) { // from here on they have more
			attribute(t, b, timeRate, seed, p)
			return
		}
		if off := tokens*limit.Token - float64(p.ours.remaining); p.now >= p.latest && (off < -1000 || off > 1000) {
			t.Errorf("seed %d: at %v they have %v tokens, we %d billionths: %+v", seed, p.now, tokens, p.ours.remaining, p)
		}
		if p.theirs != p.ours {
			attribute(t, b, timeRate, seed, p)
			return
		}
	}
}

// steps play random requests in a bubble until the two differ. unit is what most pauses are a multiple of.
func steps(t *testing.T, b *book, library string, seed uint64, p passing, unit time.Duration,
	theirs func(cost int64) bool, ours func(now time.Duration, cost int64) bool) {
	r, begin := rand.New(rand.NewPCG(seed, 7)), time.Now()
	for range 80 {
		pause := time.Duration(r.IntN(3)) * unit
		if seed%2 == 0 {
			pause = time.Duration(r.Int64N(int64(3 * unit)))
		}
		<-time.After(pause)
		if p.now = time.Since(begin); p.now/p.period() > p.last/p.period() {
			p.used = 0
		}
		p.cost = 1
		if p.burst > 1 {
			p.cost += r.Int64N(3)
		}
		p.theirs.passes, p.ours.passes = theirs(p.cost), ours(p.now, p.cost)
		if p.theirs != p.ours {
			attribute(t, b, library, seed, p)
			return
		}
		if p.ours.passes {
			p.last, p.used, p.total = p.now, p.used+p.cost, p.total+p.cost
		}
	}
}

// gcra returns a limiter of ours as a function.
func gcra(t *testing.T, c limit.GCRAConfig) func(now time.Duration, cost int64) bool {
	t.Helper()
	g, err := limit.NewGCRA(c)
	if err != nil {
		t.Fatal(err)
	}
	return func(now time.Duration, cost int64) bool {
		var a limit.Answer
		g, a = g.Try("k", clock.Instant(now), cost)
		return a.Verdict == decision.Admit
	}
}

// batches returns a bucket of ours that is refilled at once, as a function.
func batches(t *testing.T, capacity int64, period time.Duration) func(now time.Duration, cost int64) bool {
	t.Helper()
	bucket, err := limit.NewBucket(limit.BucketConfig{Capacity: capacity, Period: period})
	if err != nil {
		t.Fatal(err)
	}
	return func(now time.Duration, cost int64) bool { return ourBucket(&bucket, now, cost).passes }
}

// compareSmooth: their grid is our bucket of one token in batches, exactly, and our GCRA but for the grid.
func compareSmooth(t *testing.T, b *book, seed uint64) {
	r := rand.New(rand.NewPCG(seed, 8))
	interval := time.Duration(1+r.IntN(20)) * 10 * time.Millisecond
	p := passing{interval: interval, burst: 1, exact: true}
	for _, ours := range []func(time.Duration, int64) bool{
		batches(t, 1, interval), gcra(t, limit.GCRAConfig{Limit: 1, Period: interval}),
	} {
		synctest.Test(t, func(t *testing.T) {
			l := ratelimiter.NewSmoothWithMaxRate[int](interval)
			steps(t, b, smooth, seed, p, interval, func(cost int64) bool { return l.TryAcquirePermits(uint(cost)) }, ours)
		})
	}
}

// compareBursty: their periods are our bucket in batches, exactly, and our GCRA but for the periods.
func compareBursty(t *testing.T, b *book, seed uint64) {
	r := rand.New(rand.NewPCG(seed, 9))
	interval, n := time.Duration(1+r.IntN(20))*10*time.Millisecond, 2+r.Int64N(6)
	p := passing{interval: interval, burst: n, exact: true}
	for _, ours := range []func(time.Duration, int64) bool{
		batches(t, n, p.period()), gcra(t, limit.GCRAConfig{Limit: n, Period: p.period(), Burst: n}),
	} {
		synctest.Test(t, func(t *testing.T) {
			l := ratelimiter.NewBursty[int](uint(n), p.period())
			steps(t, b, bursty, seed, p, interval, func(cost int64) bool { return l.TryAcquirePermits(uint(cost)) }, ours)
		})
	}
}

// store keeps one key of throttled, at a time that is set.
type store struct {
	now   time.Time
	value int64
	known bool
}

func (s *store) GetWithTime(context.Context, string) (int64, time.Time, error) {
	if !s.known {
		return -1, s.now, nil
	}
	return s.value, s.now, nil
}

func (s *store) SetIfNotExistsWithTTL(_ context.Context, _ string, value int64, _ time.Duration) (bool, error) {
	if s.known {
		return false, nil
	}
	s.value, s.known = value, true
	return true, nil
}

func (s *store) CompareAndSwapWithTTL(_ context.Context, _ string, old, value int64, _ time.Duration) (bool, error) {
	if !s.known || s.value != old {
		return false, nil
	}
	s.value = value
	return true, nil
}

// ourGCRA asks our limiter: what is left is counted by asking how much more would pass.
func ourGCRA(g *limit.GCRA, now time.Duration, cost int64) (q quota) {
	var a limit.Answer
	*g, a = g.Try("k", clock.Instant(now), cost)
	q.passes, q.wait = a.Verdict == decision.Admit, -1
	if a.Reason == decision.AheadOfSchedule {
		q.wait = a.Passes.Sub(clock.Instant(now))
	}
	for n := int64(1); n <= g.Config().Burst; n++ {
		if _, a := g.Clone().Try("k", clock.Instant(now), n); a.Verdict == decision.Admit {
			q.remaining = n
		}
	}
	return q
}

func theirGCRA(t *testing.T, l *throttled.GCRARateLimiterCtx, cost int64) quota {
	t.Helper()
	limited, res, err := l.RateLimitCtx(t.Context(), "k", int(cost))
	if err != nil {
		t.Fatal(err)
	}
	return quota{passes: !limited, wait: res.RetryAfter, remaining: int64(res.Remaining)}
}

func compareThrottled(t *testing.T, b *book, seed uint64) {
	r := rand.New(rand.NewPCG(seed, 10))
	c := limit.GCRAConfig{Limit: 1 + r.Int64N(10), Burst: 1 + r.Int64N(8)}
	if c.Period = time.Duration(c.Limit) * time.Duration(1+r.IntN(50)) * 10 * time.Millisecond; seed%4 == 0 {
		c.Period = time.Duration(1+r.IntN(9)) * 100 * time.Millisecond // the interval need not be whole
	}
	ours, err := limit.NewGCRA(c)
	if err != nil {
		t.Fatal(err)
	}
	s := &store{now: epoch}
	theirs, err := throttled.NewGCRARateLimiterCtx(s, throttled.RateQuota{
		MaxRate: throttled.PerDuration(int(c.Limit), c.Period), MaxBurst: int(c.Burst) - 1,
	})
	if err != nil {
		t.Fatal(err)
	}
	p := passing{burst: c.Burst, interval: c.Period / time.Duration(c.Limit), exact: c.Period%time.Duration(c.Limit) == 0}
	for range 60 {
		p.latest = max(p.latest, p.now)
		switch r.IntN(40) {
		case 0:
			if seed%8 == 1 {
				p.now -= time.Duration(r.Int64N(int64(p.interval)))
			}
		case 1, 2, 3, 4:
			p.now += time.Duration(r.IntN(3)) * p.interval
		default:
			p.now += time.Duration(r.Int64N(int64(p.interval)))
		}
		p.back = max(p.back, p.latest-p.now)
		p.cost = 1 + r.Int64N(3)
		s.now = epoch.Add(p.now)
		if p.theirs, p.ours = theirGCRA(t, theirs, p.cost), ourGCRA(&ours, p.now, p.cost); p.theirs != p.ours {
			attribute(t, b, throttledGCRA, seed, p)
			return
		}
	}
}
