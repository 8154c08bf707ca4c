package text_test

import (
	"math/rand/v2"
	"testing"
	"time"

	"retrylab.example/core/breaker"
	"retrylab.example/core/bulkhead"
	"retrylab.example/core/call"
	"retrylab.example/core/clock"
	"retrylab.example/core/decision"
	"retrylab.example/core/event"
	"retrylab.example/core/limit"
	"retrylab.example/core/text"
)

// mechanismEvents are decisions of random limiters, breakers and bulkheads, each in an event that could hold it.
func mechanismEvents(r *rand.Rand) []event.Event {
	var all []event.Event
	now := clock.Start
	add := func(d decision.Decision) {
		if d.Verdict == decision.NoVerdict {
			return
		}
		e := event.Event{
			Seq: len(all) + 1, At: now, Kind: event.AttemptFailed, Decision: d,
			Request: call.Request{Call: 1, Attempt: 1 + r.IntN(3), ClientID: "a**b", Method: "GET", Path: "/rate"},
		}
		_, limiter := d.Term(decision.ClientKey)
		switch {
		case limiter && d.Verdict == decision.Admit:
			e.Kind = event.RequestAdmitted
		case limiter:
			e.Kind = event.RequestRefused
			e.Response = call.Response{Status: 429, HasRetryAfter: true, RetryAfter: "1"}
		}
		all = append(all, e)
	}
	steps := []func(clock.Instant){
		limiterStep(r, add), bucketStep(r, add), gcraStep(r, add), slotStep(r, add), breakerStep(r, add),
		bulkheadStep(r, add),
	}
	for range 300 {
		now = now.Add(time.Duration(r.IntN(400)) * time.Millisecond)
		steps[r.IntN(len(steps))](now)
	}
	return all
}

type step = func(clock.Instant)

func limiterStep(r *rand.Rand, add func(decision.Decision)) step {
	f, _ := limit.NewFixed(limit.FixedConfig{Limit: 1 + r.IntN(3), Period: 3 * time.Second})
	return func(now clock.Instant) {
		var d decision.Decision
		f, d = f.Take("a**b", now)
		add(d)
	}
}

func bucketStep(r *rand.Rand, add func(decision.Decision)) step {
	b, _ := limit.NewBucket(limit.BucketConfig{Capacity: 3, Refill: 1, Period: 7 * time.Second, Mode: pick(r, limit.Batch, limit.Continuous)})
	return func(now clock.Instant) {
		var d decision.Decision
		b, d = b.TakeN("a", now, int64(r.IntN(5)))
		add(d)
	}
}

func gcraStep(r *rand.Rand, add func(decision.Decision)) step {
	g, _ := limit.NewGCRA(limit.GCRAConfig{Limit: 1, Period: 7 * time.Second, Burst: 3})
	return func(now clock.Instant) {
		var d decision.Decision
		g, d = g.TakeN("a", now, int64(r.IntN(5)))
		add(d)
	}
}

func slotStep(r *rand.Rand, add func(decision.Decision)) step {
	c, _ := limit.NewConcurrency(limit.ConcurrencyConfig{Limit: 1 + r.IntN(2)})
	var held []limit.Permit
	return func(clock.Instant) {
		var p limit.Permit
		var d decision.Decision
		if c, p, d = c.Acquire("a"); d.Verdict == decision.Admit {
			held = append(held, p)
		}
		add(d)
		if len(held) > 0 && r.IntN(3) == 0 {
			c, _ = c.Release(held[0])
			held = held[1:]
		}
	}
}

func breakerStep(r *rand.Rand, add func(decision.Decision)) step {
	b, _ := breaker.New(pick(r,
		breaker.Config{Window: breaker.InARow, Failures: 2, Open: time.Second, Probes: 2, Successes: 2},
		breaker.Config{
			Window: breaker.Count, Size: 70, Minimum: 4, Percent: 50, Open: time.Second, Lease: 5 * time.Second,
			Ignoring: breaker.ClassesOf(call.Permanent),
		},
		breaker.Config{Window: breaker.Time, Span: 10 * time.Second, Minimum: 3, Percent: 50, Open: 2 * time.Second, Successes: 3},
	))
	var held []breaker.Permit
	return func(now clock.Instant) {
		var p breaker.Permit
		var d decision.Decision
		if b, p, d = b.Admit(now); d.Verdict == decision.Admit {
			held = append(held, p)
		}
		add(d)
		if len(held) > 0 && r.IntN(3) > 0 {
			i := r.IntN(len(held))
			b, d = b.Record(now, held[i], pick(r, call.Success, call.Transient, call.Unknown, call.Permanent))
			held = append(held[:i], held[i+1:]...)
			add(d)
		}
	}
}

func bulkheadStep(r *rand.Rand, add func(decision.Decision)) step {
	b, _ := bulkhead.New(bulkhead.Config{
		Running: r.IntN(3) + 1, Queue: r.IntN(3), CallerTimeout: pick(r, 0, 3*time.Second),
	})
	var held []bulkhead.Task
	return func(now clock.Instant) {
		var task bulkhead.Task
		var d decision.Decision
		if b, task, d = b.Submit(now); task.Serial != 0 {
			held = append(held, task)
		}
		add(d)
		for _, t := range held {
			b, d = b.Leave(now, t.Serial)
			add(d)
		}
		if r.IntN(2) == 0 && len(held) > 0 {
			b, _, d = b.Finish(now, held[r.IntN(len(held))].Serial)
			add(d)
		}
	}
}

// The zero values of the mechanisms decide too, and what they say can be told.
func TestMechanismsWithoutALimitCanBeTold(t *testing.T) {
	_, _, d := bulkhead.Bulkhead{}.Submit(0)
	e := event.Event{At: 0, Kind: event.AttemptFailed, Decision: d, Request: call.Request{Call: 1, Attempt: 1}}
	for _, l := range text.Langs() {
		checkTold(t, 0, l, everything(l, []event.Event{e}, 0, nil))
	}
}
