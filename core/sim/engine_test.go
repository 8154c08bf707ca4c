package sim_test

import (
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
