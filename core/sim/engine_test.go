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
		sink func() sim.Sink
	}{
		{"events", func() sim.Sink { return &counter{} }},
		{"totals", func() sim.Sink { return &measure.Fold{} }},
	} {
		b.Run(bench.name, func(b *testing.B) {
			b.ReportAllocs()
			events := 0
			for b.Loop() {
				tee := &tee{Sink: bench.sink()}
				fleet(b, c, tee)
				events += tee.events
			}
			b.ReportMetric(float64(events)/b.Elapsed().Seconds(), "events/s")
			b.ReportMetric(float64(events)/float64(b.N), "events/op")
		})
	}
}

type tee struct {
	sim.Sink
	events int
}

func (t *tee) Event(e *event.Event) { t.events++; t.Sink.Event(e) }

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
