package partner

import (
	"strconv"
	"strings"
	"time"

	"retrylab.example/core/call"
	"retrylab.example/core/clock"
	"retrylab.example/core/decision"
	"retrylab.example/core/limit"
)

// limiter is the one limiter of a partner. The kind says which field counts.
type limiter struct {
	kind   kind
	log    limit.Log
	fixed  limit.Fixed
	bucket limit.Bucket
	gcra   limit.GCRA
	slots  limit.Concurrency
}

type kind uint8

const (
	noLimiter kind = iota
	slidingLog
	fixedWindow
	tokenBucket
	cellRate
	concurrency
)

// rateLimit is contract D's for GET /rate: 3 in each whole second.
var rateLimit = limit.FixedConfig{Limit: 3, Period: time.Second}

func newLimiter(c *Config) (l limiter, err error) {
	set := 0
	use := func(k kind, is bool) {
		if is {
			l.kind = k
			set++
		}
	}
	use(slidingLog, c.Limit != limit.Config{})
	use(fixedWindow, c.Fixed != limit.FixedConfig{})
	use(tokenBucket, c.Bucket != limit.BucketConfig{})
	use(cellRate, c.GCRA != limit.GCRAConfig{})
	use(concurrency, c.Concurrency != limit.ConcurrencyConfig{})
	if set > 1 {
		return limiter{}, ErrLimiters
	}
	switch l.kind {
	case slidingLog:
		l.log, err = limit.New(c.Limit)
	case fixedWindow:
		l.fixed, err = limit.NewFixed(c.Fixed)
	case tokenBucket:
		l.bucket, err = limit.NewBucket(c.Bucket)
	case cellRate:
		l.gcra, err = limit.NewGCRA(c.GCRA)
	case concurrency:
		l.slots, err = limit.NewConcurrency(c.Concurrency)
	}
	return l, err
}

func (l limiter) clone() limiter {
	switch l.kind {
	case slidingLog:
		l.log = l.log.Clone()
	case fixedWindow:
		l.fixed = l.fixed.Clone()
	case tokenBucket:
		l.bucket = l.bucket.Clone()
	case cellRate:
		l.gcra = l.gcra.Clone()
	case concurrency:
		l.slots = l.slots.Clone()
	}
	return l
}

// take admits or refuses one request of a client. opens is when its place opens again; the permit is that of a
// concurrency limiter, which its end returns.
func (l *limiter) take(key string, now clock.Instant, d *decision.Decision) (opens clock.Instant, p limit.Permit) {
	opens = now
	switch l.kind {
	case slidingLog:
		l.log, *d = l.log.Take(key, now)
		opens = now.Add(l.log.Config().Window)
	case fixedWindow:
		l.fixed, *d = l.fixed.Take(key, now)
		opens = periodEnd(l.fixed.Config(), now)
	case tokenBucket:
		l.bucket, *d = l.bucket.Take(key, now)
	case cellRate:
		l.gcra, *d = l.gcra.Take(key, now)
	case concurrency:
		l.slots, p, *d = l.slots.Acquire(key)
		if d.Verdict == decision.Refuse {
			d.Wait = time.Second // nobody knows when a slot becomes free, and whole seconds are the unit
		}
	}
	return opens, p
}

// looksUp reports whether a request only asks how many of its caller's requests are counted: a look-up takes no place.
func (p *Partner) looksUp(r *call.Request) bool {
	return p.limiter.kind == slidingLog && r.Path == windowPath && strings.EqualFold(r.Method, "GET")
}

// counted returns the row that says how many requests of a client a sliding log counts. Looking changes nothing and adds
// no client. Without such a log the row is zero.
func (l *limiter) counted(key string, now clock.Instant) decision.Term {
	c := l.log.Config()
	n := len(limit.Active(l.log.History(key), now, c.Window))
	return decision.Term{Name: decision.Counted, Value: int64(n), A: int64(c.Limit), B: int64(c.Window)}
}

// SetLimit sets the sliding log: what it says when it is refused is in the decision, and nothing changes. An accepted
// setting keeps the histories of a sliding log; any other limiter it replaces.
func (p Partner) SetLimit(s limit.Setting) (Partner, decision.Decision) {
	c, d := s.Decide()
	if d.Verdict == decision.Refuse {
		return p, d
	}
	if p.limiter.kind != slidingLog {
		p.limiter = limiter{kind: slidingLog}
	}
	c.RecordRefused = p.config.Limit.RecordRefused // whatever else is set, what is recorded stays
	p.limiter.log = p.limiter.log.With(c)
	return p, d
}

// periodEnd returns the end of the period in which now lies.
func periodEnd(c limit.FixedConfig, now clock.Instant) clock.Instant {
	into := time.Duration(now) % c.Period
	if into < 0 {
		into += c.Period
	}
	return now.Add(c.Period - into)
}

func (l *limiter) release(p limit.Permit) { l.slots, _ = l.slots.Release(p) }

// clients returns how many clients the limiter holds in memory, knows whether it holds that one.
func (l *limiter) clients() int {
	switch l.kind {
	case slidingLog:
		return l.log.Len()
	case fixedWindow:
		return l.fixed.Len()
	case tokenBucket:
		return l.bucket.Len()
	case cellRate:
		return l.gcra.Len()
	case concurrency:
		return l.slots.Len()
	}
	return 0
}

func (l *limiter) knows(key string) bool {
	switch l.kind {
	case slidingLog:
		return l.log.Has(key)
	case fixedWindow:
		return l.fixed.Has(key)
	case tokenBucket:
		return l.bucket.Has(key)
	case cellRate:
		return l.gcra.Has(key)
	case concurrency:
		return l.slots.Has(key)
	}
	return true
}

func (l *limiter) sweep(now clock.Instant) {
	switch l.kind {
	case slidingLog:
		l.log = l.log.Sweep(now)
	case fixedWindow:
		l.fixed = l.fixed.Sweep(now)
	case tokenBucket:
		l.bucket = l.bucket.Sweep(now)
	case cellRate:
		l.gcra = l.gcra.Sweep(now)
	case concurrency:
		l.slots = l.slots.Sweep()
	}
}

// LimitedResponse is contract B's answer when the window is full.
func LimitedResponse(wait int64) call.Response {
	return call.Response{
		Status: 429, RetryAfter: strconv.FormatInt(wait, 10), HasRetryAfter: true, Body: call.Body{Code: "rate_limited"},
	}
}

// limited is the answer of a limiter's refusal on a path.
func limited(path string, wait time.Duration) call.Response {
	r := LimitedResponse(int64(wait / time.Second))
	if path == ratePath {
		r.Body.Code = "rate limit"
	}
	return enveloped(path, r)
}
