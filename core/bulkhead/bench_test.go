package bulkhead

import (
	"testing"
	"time"

	"retrylab.example/core/clock"
)

// One task from end to end, through a free place and through the queue.
func BenchmarkBulkhead(b *testing.B) {
	l, err := New(Config{Running: 10, Queue: 20, CallerTimeout: 3 * time.Second})
	if err != nil {
		b.Fatal(err)
	}
	now := clock.Start
	var t Task
	b.Run("Try+End", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			now = now.Add(time.Millisecond)
			l, t, _ = l.Try(now)
			l, _ = l.End(now, t.Serial)
		}
	})
	b.Run("Submit+Finish", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			now = now.Add(time.Millisecond)
			l, t, _ = l.Submit(now)
			l, _, _ = l.Finish(now, t.Serial)
		}
	})
	for range 20 {
		l, _, _ = l.Submit(now)
	}
	first := l.running[0].Serial
	b.Run("queue", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			now = now.Add(time.Millisecond)
			l, _, _ = l.Try(now)
			l, _ = l.End(now, first)
			first = l.running[0].Serial
		}
	})
}
