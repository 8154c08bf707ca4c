package breaker

import (
	"testing"
	"time"

	"retrylab.example/core/call"
	"retrylab.example/core/clock"
)

// One call through each window: Try and Note decide, Admit and Record decide and write the receipts.
func BenchmarkBreaker(b *testing.B) {
	for _, c := range []Config{
		{Window: InARow, Failures: 5, Open: 5 * time.Second},
		{Window: Count, Size: 10, Percent: 50, Open: 5 * time.Second},
		{Window: Time, Span: 10 * time.Second, Percent: 50, Minimum: 10, Open: 5 * time.Second},
	} {
		br, err := New(c)
		if err != nil {
			b.Fatal(err)
		}
		now, n := clock.Start, 0
		br, p, _ := br.Try(now)
		b.Run(c.Window.String()+"/Try", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				now = now.Add(5 * time.Millisecond)
				br, p, _ = br.Try(now)
			}
		})
		b.Run(c.Window.String()+"/Note", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				now, n = now.Add(5*time.Millisecond), n+1
				br, _ = br.Note(now, p, call.Class(n%4/3))
			}
		})
		b.Run(c.Window.String()+"/Admit", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				now = now.Add(5 * time.Millisecond)
				br, p, _ = br.Admit(now)
			}
		})
		b.Run(c.Window.String()+"/Record", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				now, n = now.Add(5*time.Millisecond), n+1
				br, _ = br.Record(now, p, call.Class(n%4/3))
			}
		})
	}
}
