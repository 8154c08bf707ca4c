package sim_test

import (
	"runtime"
	"strconv"
	"testing"
	"time"

	"retrylab.example/core/backoff"
	"retrylab.example/core/call"
	"retrylab.example/core/event"
	"retrylab.example/core/limit"
	"retrylab.example/core/measure"
	"retrylab.example/core/retry"
	"retrylab.example/core/sim"
)

// counter is a sink that keeps nothing.
type counter struct{ events int }

func (c *counter) Event(*event.Event) { c.events++ }

// BenchmarkEngine is a run of 20 clients under a limit with retries, draws and keys, and reports events per second.
func BenchmarkEngine(b *testing.B) {
	policy, err := retry.NewLessonA(8*time.Second, 4)
	if err != nil {
		b.Fatal(err)
	}
	policy.Jitter, policy.AttemptTimeout = backoff.Full, time.Second
	c := sim.Config{Latency: 17 * time.Millisecond, MaxEvents: 1 << 30}
	c.Partner.Limit = limit.Config{Limit: 3, Window: time.Second}
	for i := range 20 {
		c.Clients = append(c.Clients, sim.Client{Name: "client-" + strconv.Itoa(i), Policy: policy})
	}
	for _, bench := range []struct {
		name string
		sink func() counted
	}{
		{"receipts", func() counted { return &counter{} }},
		{"totals", func() counted { return &folder{} }},
	} {
		b.Run(bench.name, func(b *testing.B) {
			b.ReportAllocs()
			events := 0
			for b.Loop() {
				sink := bench.sink()
				fleet(b, c, sink)
				events += sink.count()
			}
			b.ReportMetric(float64(events)/b.Elapsed().Seconds(), "events/s")
			b.ReportMetric(float64(events)/float64(b.N), "events/op")
		})
	}
}

// counted is a sink that knows how many events it was shown.
type counted interface {
	sim.Sink
	count() int
}

func (c *counter) count() int { return c.events }

// folder makes totals, and needs no receipt for that.
type folder struct {
	measure.Fold
	events int
}

func (f *folder) Event(e *event.Event) { f.events++; f.Fold.Event(e) }
func (f *folder) count() int           { return f.events }

func fleet(b *testing.B, c sim.Config, sink sim.Sink) {
	s, err := sim.New(c)
	if err != nil {
		b.Fatal(err)
	}
	r := call.Request{Method: "POST", Path: "/add", Keyed: true, Amount: 1}
	for n := range 50 {
		r.Key = "order-" + strconv.Itoa(n/2)
		for i := range c.Clients {
			s = sim.Step(s, sim.Action{Kind: sim.Fire, Client: i, Request: r}, sink)
		}
		s = sim.Step(s, sim.Action{Kind: sim.Advance, To: s.Now().Add(150 * time.Millisecond)}, sink)
	}
	sim.Step(s, sim.Action{Kind: sim.Advance, To: s.Now().Add(time.Minute)}, sink)
}

// BenchmarkFleet is a round in which every client of a fleet makes one call, with a retry for one in three, in a world
// that is warm. It reports the time and the allocations for each event, and the memory of a client that has made no call.
func BenchmarkFleet(b *testing.B) {
	for _, clients := range []int{1_000, 100_000} {
		b.Run(strconv.Itoa(clients), func(b *testing.B) {
			idle, s := newFleet(b, clients)
			var sink folder
			s = round(s, clients, &sink)
			before, begin := memory(), sink.events
			b.ResetTimer()
			for range b.N {
				s = round(s, clients, &sink)
			}
			b.StopTimer()
			events := float64(sink.events - begin)
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/events, "ns/event")
			b.ReportMetric(float64(memory().Mallocs-before.Mallocs)/events, "allocs/event")
			b.ReportMetric(float64(idle)/float64(clients), "B/idle-client")
		})
	}
}

func memory() (m runtime.MemStats) {
	runtime.GC()
	runtime.ReadMemStats(&m)
	return m
}

func newFleet(b *testing.B, clients int) (bytes uint64, s sim.State) {
	policy, err := retry.NewLessonA(8*time.Second, 4)
	if err != nil {
		b.Fatal(err)
	}
	policy.Jitter, policy.AttemptTimeout = backoff.Full, time.Second
	c := sim.Config{Latency: 17 * time.Millisecond, MaxEvents: 1 << 40, RepeatLast: true}
	c.Script = []sim.Mishap{{}}
	for i := range clients {
		c.Clients = append(c.Clients, sim.Client{Name: "client-" + strconv.Itoa(i), Policy: policy})
	}
	before := memory()
	if s, err = sim.New(c); err != nil {
		b.Fatal(err)
	}
	bytes = memory().HeapAlloc - before.HeapAlloc
	runtime.KeepAlive(c)
	return bytes, s
}

// round makes one call for each client, a thousand in each millisecond.
func round(s sim.State, clients int, sink sim.Sink) sim.State {
	unavailable := sim.Mishap{Fault: event.Reply, Response: call.Response{Status: 503}}
	r := call.Request{Method: "GET", Path: "/total"}
	for i := range clients {
		if i%3 == 0 {
			s = sim.Step(s, sim.Action{Kind: sim.Inject, Mishap: unavailable}, sink)
		}
		s = sim.Step(s, sim.Action{Kind: sim.Fire, Client: i, Request: r}, sink)
		if i%1000 == 999 {
			s = sim.Step(s, sim.Action{Kind: sim.Advance, To: s.Now().Add(time.Millisecond)}, sink)
		}
	}
	return sim.Step(s, sim.Action{Kind: sim.Advance, To: s.Now().Add(10 * time.Second)}, sink)
}
