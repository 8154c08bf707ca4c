package differ

import (
	"container/heap"
	"context"
	"strconv"
	"testing"
	"time"

	"github.com/failsafe-go/failsafe-go/circuitbreaker"
	"github.com/failsafe-go/failsafe-go/ratelimiter"
	"github.com/sony/gobreaker/v2"
	"github.com/throttled/throttled/v2"
	"golang.org/x/time/rate"

	"retrylab.example/core/backoff"
	"retrylab.example/core/breaker"
	"retrylab.example/core/call"
	"retrylab.example/core/clock"
	"retrylab.example/core/event"
	"retrylab.example/core/limit"
	"retrylab.example/core/retry"
	"retrylab.example/core/rng"
	"retrylab.example/core/sim"
)

// quickest keeps the shortest of a measurement that is made again and again: a busy machine only makes it longer.
type quickest struct{ ours, peer time.Duration }

func (q *quickest) add(ours, peer time.Duration) {
	if q.ours == 0 || ours < q.ours {
		q.ours = ours
	}
	if q.peer == 0 || peer < q.peer {
		q.peer = peer
	}
}

// report reports nanoseconds for each of n steps, and their ratio: below 1 ours is the quicker.
func (q *quickest) report(b *testing.B, n int) {
	b.ReportMetric(0, "ns/op") // of both together, which says nothing
	b.ReportMetric(float64(q.ours)/float64(n), "ns-ours")
	b.ReportMetric(float64(q.peer)/float64(n), "ns-peer")
	b.ReportMetric(float64(q.ours)/float64(q.peer), "x-peer")
}

// beside measures ours and a peer in turns of a thousand steps. What ours does alone stands in the benchmarks of its own
// package.
func beside(b *testing.B, ours, peer func()) {
	const turn = 1000
	var q quickest
	for b.Loop() {
		begin := time.Now()
		for range turn {
			ours()
		}
		middle := time.Now()
		for range turn {
			peer()
		}
		q.add(middle.Sub(begin), time.Since(middle))
	}
	q.report(b, turn)
}

// BenchmarkPeers puts our steps beside those of libraries for the same. Theirs lock, and those of failsafe-go and
// gobreaker ask the machine's clock; ours look up a key, where theirs have one limiter for each.
func BenchmarkPeers(b *testing.B) {
	b.Run("limiter", benchLimiters)
	b.Run("breaker", benchBreakers)
	b.Run("retry", benchRetries)
	b.Run("engine", benchEngine)
}

// ticking returns a clock that goes on by 50 ms a call.
func ticking() func() clock.Instant {
	now := clock.Start
	return func() clock.Instant {
		now = now.Add(50 * time.Millisecond)
		return now
	}
}

func benchLimiters(b *testing.B) {
	bucket, _ := limit.NewBucket(limit.BucketConfig{Capacity: 3, Period: time.Second, Mode: limit.Continuous})
	g, _ := limit.NewGCRA(limit.GCRAConfig{Limit: 3, Period: time.Second, Burst: 3})
	batch, _ := limit.NewBucket(limit.BucketConfig{Capacity: 3, Period: time.Second})
	tick, peerTick := ticking(), ticking()
	bucketTry := func() { bucket, _ = bucket.Try("k", tick(), 1) }
	bucketTake := func() { bucket, _ = bucket.Take("k", tick()) }
	gcraTry := func() { g, _ = g.Try("k", tick(), 1) }
	gcraTake := func() { g, _ = g.Take("k", tick()) }
	batchTry := func() { batch, _ = batch.Try("k", tick(), 1) }
	batchTake := func() { batch, _ = batch.Take("k", tick()) }

	limiter := rate.NewLimiter(3, 3)
	allow := func() { limiter.AllowN(epoch.Add(time.Duration(peerTick())), 1) }
	even, inPeriods := ratelimiter.NewSmooth[int](3, time.Second), ratelimiter.NewBursty[int](3, time.Second)
	s := &store{}
	gcras, err := throttled.NewGCRARateLimiterCtx(s, throttled.RateQuota{MaxRate: throttled.PerSec(3), MaxBurst: 2})
	if err != nil {
		b.Fatal(err)
	}
	ctx := context.Background()
	for _, c := range []struct {
		name       string
		ours, peer func()
	}{
		{"Bucket.Try/x-time-rate.AllowN", bucketTry, allow},
		{"Bucket.Take/x-time-rate.AllowN", bucketTake, allow},
		{"GCRA.Try/throttled", gcraTry, func() {
			s.now = epoch.Add(time.Duration(peerTick()))
			_, _, _ = gcras.RateLimitCtx(ctx, "k", 1)
		}},
		{"GCRA.Take/throttled", gcraTake, func() {
			s.now = epoch.Add(time.Duration(peerTick()))
			_, _, _ = gcras.RateLimitCtx(ctx, "k", 1)
		}},
		{"GCRA.Try/failsafe-smooth", gcraTry, func() { even.TryAcquirePermit() }},
		{"Bucket.Try/failsafe-bursty", batchTry, func() { inPeriods.TryAcquirePermit() }},
		{"Bucket.Take/failsafe-bursty", batchTake, func() { inPeriods.TryAcquirePermit() }},
	} {
		b.Run(c.name, func(b *testing.B) { beside(b, c.ours, c.peer) })
	}
}

// benchBreakers makes one call in a closed circuit of which one in four fails.
func benchBreakers(b *testing.B) {
	ours, err := breaker.New(breaker.Config{Failures: 5, Open: time.Minute})
	if err != nil {
		b.Fatal(err)
	}
	tick, n, m := ticking(), 0, 0
	try := func() {
		n++
		now := tick()
		var p breaker.Permit
		ours, p, _ = ours.Try(now)
		ours, _ = ours.Note(now, p, call.Class(n%4/3))
	}
	admit := func() {
		n++
		now := tick()
		var p breaker.Permit
		ours, p, _ = ours.Admit(now)
		ours, _ = ours.Record(now, p, call.Class(n%4/3))
	}
	sony := gobreaker.NewTwoStepCircuitBreaker[int](gobreaker.Settings{})
	allow := func() {
		done, err := sony.Allow()
		if m++; err == nil && m%4 == 3 {
			done(errTemporary)
		} else if err == nil {
			done(nil)
		}
	}
	failsafe := circuitbreaker.NewBuilder[int]().WithFailureThreshold(5).Build()
	acquire := func() {
		if m++; !failsafe.TryAcquirePermit() {
			return
		}
		if m%4 == 3 {
			failsafe.RecordFailure()
		} else {
			failsafe.RecordSuccess()
		}
	}
	b.Run("Try+Note/gobreaker", func(b *testing.B) { beside(b, try, allow) })
	b.Run("Admit+Record/gobreaker", func(b *testing.B) { beside(b, admit, allow) })
	b.Run("Try+Note/failsafe", func(b *testing.B) { beside(b, try, acquire) })
	b.Run("Admit+Record/failsafe", func(b *testing.B) { beside(b, admit, acquire) })
}

func benchRetries(b *testing.B) {
	c := backoff.Config{Base: 500 * time.Millisecond, Cap: time.Minute, Factor: factors[0]}
	spread := backoff.Spread{Kind: backoff.PlusMinus, Share: rng.Ratio{Num: 1, Den: 2}}
	p := retry.Policy{Attempts: 10, Backoff: c, Jitter: spread.Kind, Share: spread.Share, Statuses: []int{503}}
	in := retry.Input{Deadline: clock.Max, Request: call.Request{Method: "GET", Path: "/total"}}
	in.Outcome.Response.Status = 503
	theirs, n := exponential(c, .5), 0
	next := func() {
		if n++; n%8 == 0 {
			theirs.Reset()
		}
		theirs.NextBackOff()
	}
	draw := func() rng.Ratio { n++; return rng.OfDraw(rng.Draw(1, 0, n, n%8, rng.Jitter)) }
	b.Run("backoff.After/cenkalti.NextBackOff", func(b *testing.B) {
		beside(b, func() { c.After(n%8+1, spread, 0, draw()) }, next)
	})
	b.Run("Policy.Decide/cenkalti.NextBackOff", func(b *testing.B) {
		beside(b, func() {
			in.Fraction, in.Request.Attempt = draw(), n%8+1
			p.Decide(in)
		}, next)
	})
}

// due is an event of the plain loop.
type due struct {
	at   int64
	made int
}

// dues are events by instant, and at one instant in the order of their making.
type dues []due

func (d dues) Len() int { return len(d) }

func (d dues) Less(i, j int) bool {
	return d[i].at < d[j].at || d[i].at == d[j].at && d[i].made < d[j].made
}

func (d dues) Swap(i, j int) { d[i], d[j] = d[j], d[i] }
func (d *dues) Push(x any)   { *d = append(*d, x.(due)) }

func (d *dues) Pop() any {
	last := (*d)[len(*d)-1]
	*d = (*d)[:len(*d)-1]
	return last
}

// sum is a sink that reads only when events were. flips says whether it wants them.
type sum struct {
	events, at int64
	flips      bool
}

func (s *sum) Brief() bool          { return !s.flips }
func (s *sum) Event(e *event.Event) { s.events, s.at = s.events+1, s.at+int64(e.At) }

// benchEngine puts a run of our world beside a plain loop over container/heap that handles as many events and does
// nothing with them: what the rules, the events and the receipts cost.
func benchEngine(b *testing.B) {
	policy, err := retry.NewLessonA(8*time.Second, 4)
	if err != nil {
		b.Fatal(err)
	}
	policy.Jitter, policy.AttemptTimeout = backoff.Full, time.Second
	c := sim.Config{Latency: 17 * time.Millisecond, MaxEvents: 1 << 30}
	c.Partner.Limit = limit.Config{Limit: 1, Window: time.Second} // so that there are retries
	for i := range 20 {
		c.Clients = append(c.Clients, sim.Client{Name: "client-" + strconv.Itoa(i), Policy: policy})
	}
	for _, flips := range []bool{false, true} {
		b.Run(map[bool]string{false: "decisions", true: "decisions+flips"}[flips]+"/container-heap", func(b *testing.B) {
			var q quickest
			events := 0
			for b.Loop() {
				sink, begin := &sum{flips: flips}, time.Now()
				world(b, c, sink)
				events = int(sink.events)
				middle := time.Now()
				plain(len(c.Clients), events)
				q.add(middle.Sub(begin), time.Since(middle))
			}
			q.report(b, events)
		})
	}
}

// world runs three rounds of calls of all clients: short enough that some run is not interrupted.
func world(b *testing.B, c sim.Config, sink sim.Sink) {
	s, err := sim.New(c)
	if err != nil {
		b.Fatal(err)
	}
	r := call.Request{Method: "POST", Path: "/add", Key: "k", Keyed: true, Amount: 1}
	for range 3 {
		for i := range c.Clients {
			s = sim.Step(s, sim.Action{Kind: sim.Fire, Client: i, Request: r}, sink)
		}
		s = sim.Step(s, sim.Action{Kind: sim.Advance, To: s.Now().Add(150 * time.Millisecond)}, sink)
	}
	sim.Step(s, sim.Action{Kind: sim.Advance, To: s.Now().Add(time.Minute)}, sink)
}

// plain handles so many events, each of which makes the next.
func plain(pending, events int) (last int64) {
	var d dues
	for i := range pending {
		heap.Push(&d, due{int64(i), i})
	}
	for i := range events {
		e := heap.Pop(&d).(due)
		last = e.at
		heap.Push(&d, due{e.at + int64(rng.Draw(1, 0, i, 0, rng.Latency)>>40), pending + i})
	}
	return last
}
