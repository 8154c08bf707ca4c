package measure_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"retrylab.example/core/call"
	"retrylab.example/core/clock"
	"retrylab.example/core/event"
	"retrylab.example/core/golden"
	"retrylab.example/core/measure"
)

const ms = time.Millisecond

// told returns events of the first attempts of calls, each at an instant in milliseconds.
func told(at int, number int, kinds ...event.Kind) []event.Event {
	var list []event.Event
	for _, k := range kinds {
		e := event.Event{Kind: k, At: clock.Start.Add(time.Duration(at) * ms), Request: call.Request{Call: number, Attempt: 1}}
		switch k {
		case event.EffectApplied, event.RequestAnswered:
			e.Response.Status = 200
		case event.RequestRefused:
			e.Response.Status = 429
		}
		list = append(list, e)
	}
	return list
}

func TestAnAttemptCountsWhereItArrivedAsWhatBecameOfIt(t *testing.T) {
	failed := told(20, 1, event.EffectApplied)
	failed[0].Response.Status = 500
	for _, c := range []struct {
		name   string
		events []event.Event
		fate   measure.Fate
		bucket int
	}{
		{"done and answered", slices.Concat(told(5, 1, event.RequestArrived), told(25, 1, event.EffectApplied, event.ReplyArrived)), measure.Served, 0},
		{"read", told(10, 1, event.RequestArrived, event.RequestAnswered), measure.Served, 1},
		{"a reply that comes late was given", told(10, 1, event.RequestArrived, event.RequestAnswered, event.ReplyIgnored), measure.Served, 1},
		{"still worked on", told(9, 1, event.RequestArrived, event.RequestAdmitted, event.WorkBegan), measure.Waiting, 0},
		{"replayed", told(10, 1, event.RequestArrived, event.ReplyReplayed), measure.Repeated, 1},
		{"refused", told(10, 1, event.RequestArrived, event.RequestRefused, event.ReplyArrived), measure.TurnedAway, 1},
		{"crashed before its effect", told(10, 1, event.RequestArrived, event.PartnerCrashed), measure.Broken, 1},
		{"crashed after its effect", told(10, 1, event.RequestArrived, event.EffectApplied, event.PartnerCrashed), measure.Broken, 1},
		{"ended in an error", slices.Concat(told(0, 1, event.RequestArrived), failed), measure.Broken, 0},
		{"done, and its reply lost", slices.Concat(told(0, 1, event.RequestArrived), told(20, 1, event.EffectApplied, event.ReplyLost)), measure.ReplyMissing, 0},
		{"done, and its reply broken off", told(0, 1, event.RequestArrived, event.EffectApplied, event.ReplyTruncated, event.ReplyArrived), measure.ReplyMissing, 0},
		{"lost on its way", told(19, 1, event.RequestLost), measure.NeverArrived, 1},
	} {
		buckets := measure.LoadOf(c.events, clock.Start, 10*ms, 3).Buckets()
		var want [3]measure.Bucket
		want[c.bucket][c.fate] = 1
		if !slices.Equal(buckets, want[:]) {
			t.Errorf("%s: got %v, want one %s in bucket %d", c.name, buckets, c.fate, c.bucket)
		}
	}
}

func TestWhatHappensOutsideOfTheBucketsIsNotCounted(t *testing.T) {
	events := slices.Concat(told(9, 1, event.RequestArrived), told(30, 2, event.RequestArrived, event.RequestAnswered),
		told(31, 1, event.EffectApplied), told(30, 3, event.RequestLost), told(29, 4, event.RequestArrived))
	l := measure.LoadOf(events, clock.Start.Add(10*ms), 10*ms, 2)
	if got, want := fmt.Sprint(l.Buckets()), fmt.Sprint([]measure.Bucket{{}, {measure.Waiting: 1}}); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if l.Begins(1) != clock.Start.Add(20*ms) || l.Width() != 10*ms {
		t.Errorf("bucket 1 begins at %d and is %v long", l.Begins(1), l.Width())
	}
	if n := len(measure.NewLoad(0, 0, 1<<40).Buckets()); n != measure.MaxBuckets {
		t.Errorf("%d buckets, want %d", n, measure.MaxBuckets)
	}
}

// A load says of the golden runs, at every event, what the totals say, however it is cut into buckets.
func TestTheBucketsOfAnyRunAddUpToItsTotals(t *testing.T) {
	for _, run := range golden.Runs() {
		events := run.Events()
		var f measure.Fold
		width := time.Hour * 24 * 365
		if n := len(events); n > 0 {
			width = events[n-1].At.Sub(clock.Start)/7 + 1
		}
		l, fine, lost := measure.NewLoad(0, 2*width, 20), measure.NewLoad(0, width, 40), 0
		for i := range events {
			f.Event(&events[i])
			l.Event(&events[i])
			fine.Event(&events[i])
			if events[i].Kind == event.RequestLost {
				lost++
			}
			arrived, never := sum(l)
			served, _ := l.Calls()
			if tt := f.Totals(); arrived != tt.Arrived || never != lost || served != tt.Succeeded {
				t.Fatalf("%s, after event %d: %d arrived, %d never, %d served; the totals are %+v, and %d lost",
					run.Name, i+1, arrived, never, served, tt, lost)
			}
		}
		for i, b := range l.Buckets() {
			var two measure.Bucket
			for f := range two {
				two[f] = fine.Buckets()[2*i][f] + fine.Buckets()[2*i+1][f]
			}
			if b != two {
				t.Errorf("%s: bucket %d is %v, and its halves together %v", run.Name, i, b, two)
			}
		}
	}
}

func sum(l *measure.Load) (arrived, never int) {
	for _, b := range l.Buckets() {
		arrived += b.Arrived()
		never += b[measure.NeverArrived]
	}
	return arrived, never
}

func TestAmplification(t *testing.T) {
	for _, c := range []struct {
		sent, calls int
		tenths      int64
	}{{0, 0, 0}, {84, 30, 28}, {65, 30, 21}, {3, 3, 10}, {0, 4, 0}, {19999, 1, 199990}} {
		if got := (measure.Totals{Sent: c.sent, Calls: c.calls}).Amplification(); got != c.tenths {
			t.Errorf("%d sent for %d calls: got %d tenths, want %d", c.sent, c.calls, got, c.tenths)
		}
	}
}

func TestRoundWidth(t *testing.T) {
	for _, c := range []struct {
		span time.Duration
		n    int
		want time.Duration
	}{
		{5 * time.Second, 50, 100 * ms}, {5 * time.Second, 49, 200 * ms}, {5 * time.Second, 5, time.Second}, {0, 0, 1},
		{-5, 3, 1}, {7, 3, 2}, {clock.MaxDuration, 1, 5_000_000_000 * time.Second},
	} {
		if got := measure.RoundWidth(c.span, c.n); got != c.want {
			t.Errorf("%v in %d: got %v, want %v", c.span, c.n, got, c.want)
		}
	}
}
