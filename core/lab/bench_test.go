package lab

import (
	"fmt"
	"testing"
	"time"

	"retrylab.example/core/call"
	"retrylab.example/core/clock"
	"retrylab.example/core/event"
)

// BenchmarkRead reads the snapshot of a lab with ten thousand keys.
func BenchmarkRead(b *testing.B) {
	const keys = 10_000
	l := newLab(b, Config{})
	for i := range keys {
		l.Apply(&Arrival{At: clock.Start.Add(time.Duration(i) * time.Millisecond), Request: call.Request{
			ClientID: fmt.Sprint("client-", i%50), Method: "POST", Path: "/add", Amount: 1, Keyed: true,
			Key: fmt.Sprintf("6d1c2a52-0d5a-4d3c-9d8a-%012d", i),
		}}, &kept{})
	}
	state := l.State()
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Read(Config{}, state); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(len(state))/keys, "bytes/key")
}

// BenchmarkApply replays requests under keys that are known.
func BenchmarkApply(b *testing.B) {
	l := newLab(b, Config{})
	n := 0
	b.ReportAllocs()
	for b.Loop() {
		n++
		l.Apply(&Arrival{At: clock.Start.Add(time.Duration(n) * time.Millisecond), Request: call.Request{
			ClientID: "a", Method: "POST", Path: "/add", Amount: 1, Keyed: true, Key: fmt.Sprint(n % 100),
		}}, nothing{})
	}
}

// nothing is a sink that keeps nothing.
type nothing struct{}

func (nothing) Event(*event.Event)       {}
func (nothing) Answered(int64, *Outcome) {}
