package differ

import (
	"errors"
	"math/rand/v2"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	failsafebulkhead "github.com/failsafe-go/failsafe-go/bulkhead"

	"retrylab.example/core/bulkhead"
	"retrylab.example/core/clock"
	"retrylab.example/core/decision"
)

// stay is what became of one task: an instant that did not come is −1.
type stay struct {
	arrived, work time.Duration
	started       time.Duration // when it got its place
	left          time.Duration // when its caller went, or was refused
}

// staying is a task about which two bulkheads differ. maxWait is how long a caller waits.
type staying struct {
	maxWait      time.Duration
	theirs, ours stay
}

// intendedStays are the differences of the bulkheads.
var intendedStays = []difference{
	{
		failsafeBH, "a caller waits for its place only, and then for as long as the work takes",
		"a caller waits from submission on, queue and work together (package bulkhead)",
		func(s staying) bool {
			return s.theirs.started == s.ours.started && s.ours.started >= 0 && s.theirs.left < 0 &&
				s.ours.left == s.ours.arrived+s.maxWait
		},
	},
	{
		failsafeBH, "a task whose caller has gone leaves the queue",
		"it keeps its place, as in an executor that cannot cancel (package bulkhead)",
		func(s staying) bool {
			return s.theirs.left == s.theirs.arrived+s.maxWait && s.theirs.left == s.ours.left && s.theirs.started < 0 &&
				s.ours.started > s.ours.left
		},
	},
}

// theirStays runs the tasks through a bulkhead of theirs.
func theirStays(t *testing.T, places int, maxWait time.Duration, tasks []stay) []stay {
	t.Helper()
	got := slices.Clone(tasks)
	synctest.Test(t, func(t *testing.T) {
		b, begin := failsafebulkhead.New[int](uint(places)), time.Now()
		for i := range got {
			go func() {
				s := &got[i]
				<-time.After(s.arrived)
				if err := b.AcquirePermitWithMaxWait(t.Context(), maxWait); errors.Is(err, failsafebulkhead.ErrFull) {
					s.left = time.Since(begin)
					return
				}
				s.started = time.Since(begin)
				<-time.After(s.work)
				b.ReleasePermit()
			}()
		}
		<-time.After(time.Hour)
	})
	return got
}

// ourStays runs the tasks through a bulkhead of ours.
func ourStays(t *testing.T, places int, maxWait time.Duration, tasks []stay) []stay {
	t.Helper()
	c := bulkhead.Config{Running: places, CallerTimeout: maxWait}
	if maxWait > 0 {
		c.Queue = len(tasks)
	}
	b, err := bulkhead.New(c)
	if err != nil {
		t.Fatal(err)
	}
	got := slices.Clone(tasks)
	bySerial := map[uint64]int{}
	ends := map[uint64]clock.Instant{}
	start := func(task bulkhead.Task) {
		s := &got[bySerial[task.Serial]]
		s.started = time.Duration(task.Started)
		ends[task.Serial] = task.Started.Add(s.work)
	}
	// settle does what is due before an instant: work ends, callers leave.
	settle := func(until clock.Instant) {
		for {
			serial, at, leaves := nextDue(ends, bySerial, got, maxWait)
			if at >= until {
				return
			}
			if leaves {
				var d decision.Decision
				if b, d = b.Leave(at, serial); d.Reason != decision.CallerLeft {
					t.Fatalf("task %d does not leave at %d: %v", serial, at, d.Reason)
				}
				got[bySerial[serial]].left = time.Duration(at)
				continue
			}
			delete(ends, serial)
			var task bulkhead.Task
			if b, task = b.End(at, serial); task.Serial > 0 {
				start(task)
			}
		}
	}
	for i, s := range got {
		settle(clock.Instant(s.arrived))
		var task bulkhead.Task
		var reason decision.Reason
		b, task, reason = b.Try(clock.Instant(s.arrived))
		switch reason {
		case decision.BulkheadFull:
			got[i].left = s.arrived
			continue
		case decision.PlaceFree:
			bySerial[task.Serial] = i
			start(task)
		}
		bySerial[task.Serial] = i
	}
	settle(clock.Max)
	return got
}

// nextDue returns what is due first: the end of a task's work, or that its caller leaves while it waits or works.
func nextDue(ends map[uint64]clock.Instant, bySerial map[uint64]int, got []stay, maxWait time.Duration) (serial uint64, at clock.Instant, leaves bool) {
	at = clock.Max
	for s, end := range ends {
		if end < at {
			serial, at, leaves = s, end, false
		}
	}
	for s, i := range bySerial {
		_, works := ends[s]
		leave := clock.Instant(got[i].arrived + maxWait)
		if waits := works || got[i].started < 0; maxWait > 0 && waits && got[i].left < 0 && leave < at {
			serial, at, leaves = s, leave, true
		}
	}
	return serial, at, leaves
}

func compareBulkhead(t *testing.T, b *book, seed uint64) {
	r := rand.New(rand.NewPCG(seed, 11))
	places := 1 + r.IntN(4)
	var maxWait time.Duration
	if seed%4 > 0 { // half a millisecond, so that nobody leaves at the very instant at which a place is free
		maxWait = time.Duration(r.IntN(300))*time.Millisecond + time.Millisecond/2
	}
	tasks := make([]stay, 30)
	var arrived time.Duration
	for i := range tasks { // each at a nanosecond of its own, so that no two things happen at once
		arrived += time.Duration(r.IntN(40)) * time.Millisecond
		tasks[i] = stay{arrived: arrived + time.Duration(i), work: time.Duration(1+r.IntN(100)) * time.Millisecond, started: -1, left: -1}
	}
	theirs, ours := theirStays(t, places, maxWait, tasks), ourStays(t, places, maxWait, tasks)
	for i := range tasks {
		if s := (staying{maxWait, theirs[i], ours[i]}); s.theirs != s.ours {
			attribute(t, b, failsafeBH, seed, s)
			if s.theirs.started != s.ours.started {
				return // from here on places are free at other instants
			}
		}
	}
}
