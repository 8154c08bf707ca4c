package limit

import (
	"strconv"
	"testing"
	"time"

	"retrylab.example/core/clock"
)

// One step of each limiter: Try decides, Take decides and writes the receipt.

func BenchmarkLog(b *testing.B) {
	for _, most := range []int{2, 100} {
		l, _ := New(Config{Limit: most, Window: 10 * time.Second})
		now := clock.Start
		b.Run(strconv.Itoa(most)+"/Try", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				now = now.Add(50 * time.Millisecond)
				l, _ = l.Try("client-1", now)
			}
		})
		b.Run(strconv.Itoa(most)+"/Take", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				now = now.Add(50 * time.Millisecond)
				l, _ = l.Take("client-1", now)
			}
		})
	}
}

func BenchmarkFixed(b *testing.B) {
	f, _ := NewFixed(FixedConfig{Limit: 3, Period: time.Second})
	now := clock.Start
	b.Run("Try", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			now = now.Add(50 * time.Millisecond)
			f, _ = f.Try("client-1", now)
		}
	})
	b.Run("Take", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			now = now.Add(50 * time.Millisecond)
			f, _ = f.Take("client-1", now)
		}
	})
}

func BenchmarkBucket(b *testing.B) {
	for _, mode := range []Mode{Batch, Continuous} {
		l, _ := NewBucket(BucketConfig{Capacity: 3, Period: time.Second, Mode: mode})
		now := clock.Start
		b.Run(mode.String()+"/Try", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				now = now.Add(50 * time.Millisecond)
				l, _ = l.Try("client-1", now, 1)
			}
		})
		b.Run(mode.String()+"/Take", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				now = now.Add(50 * time.Millisecond)
				l, _ = l.Take("client-1", now)
			}
		})
	}
}

func BenchmarkGCRA(b *testing.B) {
	g, _ := NewGCRA(GCRAConfig{Limit: 3, Period: time.Second, Burst: 3})
	now := clock.Start
	b.Run("Try", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			now = now.Add(50 * time.Millisecond)
			g, _ = g.Try("client-1", now, 1)
		}
	})
	b.Run("Take", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			now = now.Add(50 * time.Millisecond)
			g, _ = g.Take("client-1", now)
		}
	})
}

func BenchmarkConcurrency(b *testing.B) {
	c, _ := NewConcurrency(ConcurrencyConfig{Limit: 10})
	var p Permit
	b.Run("Try+Release", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			c, p, _ = c.Try("client-1")
			c, _ = c.Release(p)
		}
	})
	b.Run("Acquire+Release", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			c, p, _ = c.Acquire("client-1")
			c, _ = c.Release(p)
		}
	})
}
