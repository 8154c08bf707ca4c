package golden

import (
	"time"

	"retrylab.example/core/breaker"
	"retrylab.example/core/bulkhead"
	"retrylab.example/core/call"
	"retrylab.example/core/clock"
	"retrylab.example/core/decision"
	"retrylab.example/core/event"
	"retrylab.example/core/limit"
	"retrylab.example/core/rng"
)

// bench asks mechanisms that no world holds, and keeps each decision as an event. Its draws choose what is asked.
type bench struct {
	now    clock.Instant
	events []event.Event
}

func (b *bench) draw(purpose, n int) int {
	return int(rng.Draw(7, 0, len(b.events), purpose, rng.Latency) % uint64(n))
}

func (b *bench) keep(d decision.Decision) {
	kind := event.RequestAdmitted
	if d.Verdict == decision.Refuse {
		kind = event.RequestRefused
	}
	b.events = append(b.events, event.Event{Seq: len(b.events) + 1, At: b.now, Kind: kind, Decision: d})
}

// must is for the settings here, which are fixed.
func must[T any](v T, err error) T {
	if err != nil {
		panic("golden: " + err.Error())
	}
	return v
}

// limiters goes through fixed windows, both kinds of bucket, GCRA and slots, with periods that no rate divides evenly.
func limiters() []event.Event {
	var b bench
	fixed := must(limit.NewFixed(limit.FixedConfig{Limit: 3, Period: 700 * ms}))
	batch := must(limit.NewBucket(limit.BucketConfig{Capacity: 5, Refill: 2, Period: 700 * ms}))
	even := must(limit.NewBucket(limit.BucketConfig{Capacity: 3, Period: 1100 * ms, Mode: limit.Continuous}))
	gcra := must(limit.NewGCRA(limit.GCRAConfig{Limit: 7, Period: time.Second, Burst: 3}))
	slots := must(limit.NewConcurrency(limit.ConcurrencyConfig{Limit: 2}))
	var permits []limit.Permit
	for range 100 {
		b.now = b.now.Add(time.Duration(b.draw(1, 90_000_001)) - 9*ms)
		key, cost := []string{"a", "b"}[b.draw(2, 2)], int64(b.draw(3, 5))
		var d decision.Decision
		fixed, d = fixed.Take(key, b.now)
		b.keep(d)
		batch, d = batch.TakeN(key, b.now, cost)
		b.keep(d)
		even, d = even.TakeN(key, b.now, cost)
		b.keep(d)
		gcra, d = gcra.TakeN(key, b.now, cost)
		b.keep(d)
		var p limit.Permit
		slots, p, d = slots.Acquire(key)
		b.keep(d)
		permits = append(permits, p)
		if b.draw(4, 2) == 0 {
			slots, _ = slots.Release(permits[b.draw(5, len(permits))])
		}
	}
	return b.events
}

// breakers goes through all windows, with probes that fail, succeed, are lost, come late or are ignored.
func breakers() []event.Event {
	var b bench
	for _, c := range []breaker.Config{
		{Window: breaker.InARow, Failures: 2, Open: time.Second, Probes: 2, Successes: 3, Lease: 300 * ms},
		{Window: breaker.Count, Size: 70, Minimum: 5, Percent: 40, Open: time.Second, Ignoring: breaker.ClassesOf(call.Permanent)},
		{Window: breaker.Time, Span: 3 * time.Second, Minimum: 4, Percent: 34, Open: time.Second},
	} {
		circuit := must(breaker.New(c))
		var permits []breaker.Permit
		for range 150 {
			b.now = b.now.Add(time.Duration(b.draw(1, 200_000_001)))
			var p breaker.Permit
			var d decision.Decision
			if circuit, p, d = circuit.Admit(b.now); d.Verdict == decision.Admit {
				permits = append(permits, p)
			}
			b.keep(d)
			if len(permits) > 0 && b.draw(2, 4) > 0 {
				i := max(len(permits)-1-b.draw(3, 3), 0)
				classes := []call.Class{call.Success, call.Success, call.Transient, call.Permanent, call.Unknown}
				circuit, d = circuit.Record(b.now, permits[i], classes[b.draw(4, len(classes))])
				permits = append(permits[:i], permits[i+1:]...)
				b.keep(d)
			}
		}
	}
	return b.events
}

// bulkheads fills places and a queue, lets callers leave, and ends tasks in another order than they came.
func bulkheads() []event.Event {
	var b bench
	pool := must(bulkhead.New(bulkhead.Config{Running: 2, Queue: 2, CallerTimeout: 300 * ms}))
	var tasks []bulkhead.Task
	for range 100 {
		b.now = b.now.Add(time.Duration(b.draw(1, 150_000_001)))
		var t bulkhead.Task
		var d decision.Decision
		if pool, t, d = pool.Submit(b.now); t.Serial != 0 {
			tasks = append(tasks, t)
		}
		b.keep(d)
		for _, t := range tasks {
			if pool, d = pool.Leave(b.now, t.Serial); d.Verdict != decision.NoVerdict {
				b.keep(d)
			}
		}
		if pool, _, d = pool.Finish(b.now, tasks[b.draw(2, len(tasks))].Serial); d.Verdict != decision.NoVerdict {
			b.keep(d)
		}
	}
	return b.events
}
