package bulkhead

import (
	"errors"
	"math/rand/v2"
	"testing"
	"time"

	"retrylab.example/core/clock"
	"retrylab.example/core/decision"
)

// slowBulkhead keeps every task for ever and looks each time who is where.
type slowBulkhead struct {
	config Config
	tasks  []slowTask
}

type slowTask struct {
	submitted         clock.Instant
	started, finished bool
	left              bool
}

func (s *slowBulkhead) count() (running, queued int) {
	for _, t := range s.tasks {
		switch {
		case t.started && !t.finished:
			running++
		case !t.started:
			queued++
		}
	}
	return running, queued
}

func (s *slowBulkhead) submit(now clock.Instant) decision.Reason {
	running, queued := s.count()
	switch {
	case running < s.config.Running:
		s.tasks = append(s.tasks, slowTask{submitted: now, started: true})
		return decision.PlaceFree
	case queued < s.config.Queue:
		s.tasks = append(s.tasks, slowTask{submitted: now})
		return decision.PlaceQueued
	}
	return decision.BulkheadFull
}

// finish ends a task, numbered from 1, and returns the one that starts then, 0 for none.
func (s *slowBulkhead) finish(serial int) int {
	t := &s.tasks[serial-1]
	if !t.started || t.finished {
		return 0
	}
	t.finished = true
	for i := range s.tasks {
		if !s.tasks[i].started {
			s.tasks[i].started = true
			return i + 1
		}
	}
	return 0
}

func (s *slowBulkhead) leave(now clock.Instant, serial int) bool {
	t := &s.tasks[serial-1]
	if t.finished || t.left || s.config.CallerTimeout == 0 || now.Sub(t.submitted) < s.config.CallerTimeout {
		return false
	}
	t.left = true
	return true
}

// drawn gives seeds to a twin beyond those that are written out: with them a plain test run goes as far as a short
// campaign of fuzzing.
func drawn(add func(a, b, c uint8, steps []byte)) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 400 {
		steps := make([]byte, 20+r.IntN(200))
		for i := range steps {
			steps[i] = byte(r.Uint32())
		}
		add(uint8(r.Uint32()), uint8(r.Uint32()), uint8(r.Uint32()), steps)
	}
}

func FuzzBulkhead(f *testing.F) {
	f.Add(uint8(1), uint8(1), uint8(3), []byte{0, 0, 0, 0, 128, 129, 0, 192, 193, 130})
	f.Add(uint8(0), uint8(4), uint8(0), []byte{0, 0, 0, 0, 0, 0, 128, 128, 129, 0, 130, 131})
	f.Add(uint8(3), uint8(0), uint8(1), []byte{0, 9, 9, 9, 9, 192, 193, 128, 0, 129, 130, 131})
	drawn(func(a, b, c uint8, steps []byte) { f.Add(a, b, c, steps) })
	f.Fuzz(func(t *testing.T, running, queue, timeout uint8, steps []byte) {
		c := Config{
			Running: int(running%4) + 1, Queue: int(queue % 6), CallerTimeout: time.Duration(timeout%4) * time.Second,
		}
		b, err := New(c)
		if err != nil {
			t.Fatal(err)
		}
		slow := slowBulkhead{config: c}
		now := clock.Start
		given, returned := 0, 0
		for i, x := range steps {
			kept := b.Clone()
			running, queued := slow.count()
			now = now.Add(time.Duration(x%16) * 100 * time.Millisecond)
			serial := int(x&63) % (len(slow.tasks) + 1)
			switch {
			case x < 128:
				var task Task
				var d decision.Decision
				b, task, d = b.Submit(now)
				if want := slow.submit(now); d.Reason != want {
					t.Fatalf("step %d: %s, want %s", i, d.Reason, want)
				}
				if task.Serial != 0 {
					given++
				}
				if task.Serial != 0 && int(task.Serial) != len(slow.tasks) {
					t.Fatalf("step %d: task %d, want %d", i, task.Serial, len(slow.tasks))
				}
			case serial == 0: // nobody has this number
				if after, next, d := b.Clone().Finish(now, 0); next.Serial != 0 || d != (decision.Decision{}) || after.Running() != b.Running() {
					t.Fatalf("step %d: task 0 finished", i)
				}
			case x < 192:
				if task := slow.tasks[serial-1]; task.started && !task.finished {
					returned++
				}
				var next Task
				b, next, _ = b.Finish(now, uint64(serial))
				if want := slow.finish(serial); int(next.Serial) != want || want > 0 && next.Started != now {
					t.Fatalf("step %d: task %d starts at %d, want %d at %d", i, next.Serial, next.Started, want, now)
				}
			default:
				var d decision.Decision
				b, d = b.Leave(now, uint64(serial))
				if want := slow.leave(now, serial); d.Reason == decision.CallerLeft != want {
					t.Fatalf("step %d: left %s, want %t", i, d.Reason, want)
				}
			}
			if kept.Running() != running || kept.Queued() != queued {
				t.Fatalf("step %d changed a clone: %d and %d, want %d and %d", i, kept.Running(), kept.Queued(), running, queued)
			}
			if running, queued = slow.count(); b.Running() != running || b.Queued() != queued {
				t.Fatalf("step %d: %d running, %d queued, want %d and %d", i, b.Running(), b.Queued(), running, queued)
			}
			if running > c.Running || queued > c.Queue || given != returned+running+queued {
				t.Fatalf("step %d: %d given, %d returned, %d running, %d queued", i, given, returned, running, queued)
			}
		}
	})
}

func TestSettingsThatMakeNoBulkhead(t *testing.T) {
	for _, c := range []Config{
		{}, {Running: -1}, {Running: 1, Queue: -1}, {Running: 1, CallerTimeout: -1},
		{Running: MaxPlaces + 1}, {Running: 1, Queue: MaxPlaces + 1},
	} {
		if _, err := New(c); !errors.Is(err, ErrSetting) {
			t.Errorf("%+v: %v", c, err)
		}
	}
}

// Contract D: 10 running, 20 queued, and the 31st refused at once.
func TestTheThirtyFirstIsRefusedAtOnce(t *testing.T) {
	b, err := New(Config{Running: 10, Queue: 20, CallerTimeout: 3 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	seen := map[decision.Reason]int{}
	for range 40 {
		var d decision.Decision
		b, _, d = b.Submit(0)
		seen[d.Reason]++
	}
	if seen[decision.PlaceFree] != 10 || seen[decision.PlaceQueued] != 20 || seen[decision.BulkheadFull] != 10 {
		t.Errorf("got %v", seen)
	}
}

// The zero value starts everything at once, and can let nobody go.
func TestTheZeroBulkheadStartsEverything(t *testing.T) {
	var b Bulkhead
	for i := range 100 {
		var d decision.Decision
		var task Task
		b, task, d = b.Submit(clock.Instant(i))
		if d.Reason != decision.PlaceFree || task.Leaves != clock.Max || task.Started != clock.Instant(i) {
			t.Errorf("%s, %+v", d.Reason, task)
		}
	}
	if b, _ = b.Leave(clock.Max-1, 5); b.Running() != 100 || b.Queued() != 0 {
		t.Errorf("%d running, %d queued", b.Running(), b.Queued())
	}
}

// page is one kind of request: one arrives every 100 ms, and its work takes so long.
type page struct {
	work time.Duration
	done int
}

// serve plays 20 s of two pages through bulkheads, one for each page or one for both, and counts the tasks of each that
// end before their caller leaves.
func serve(t *testing.T, pools []Bulkhead, pages []*page) {
	t.Helper()
	type work struct {
		ends clock.Instant
		page int
		task Task
	}
	var running []work
	queued := map[[2]uint64]int{} // pool and task → page
	for now := clock.Start; now < 20e9; now += 1e8 {
		for i := 0; i < len(running); i++ {
			w := running[i]
			if w.ends > now {
				continue
			}
			if w.ends <= w.task.Leaves {
				pages[w.page].done++
			}
			running = append(running[:i], running[i+1:]...)
			i--
			k := w.page % len(pools)
			var next Task
			if pools[k], next, _ = pools[k].Finish(now, w.task.Serial); next.Serial != 0 {
				p := queued[[2]uint64{uint64(k), next.Serial}]
				running = append(running, work{now.Add(pages[p].work), p, next})
			}
		}
		for p := range pages {
			k := p % len(pools)
			var task Task
			var d decision.Decision
			pools[k], task, d = pools[k].Submit(now)
			switch d.Verdict {
			case decision.Admit:
				running = append(running, work{now.Add(pages[p].work), p, task})
			case decision.Enqueue:
				queued[[2]uint64{uint64(k), task.Serial}] = p
			}
		}
	}
}

// Contract D: in a shared bulkhead a slow partner starves the other pages; with one of their own they do not notice it.
func TestASlowPartnerStarvesThePagesThatShareItsBulkhead(t *testing.T) {
	make10 := func() Bulkhead {
		b, err := New(Config{Running: 10, Queue: 20, CallerTimeout: 3 * time.Second})
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	own := []*page{{work: 100 * time.Millisecond}, {work: 10 * time.Second}}
	serve(t, []Bulkhead{make10(), make10()}, own)
	shared := []*page{{work: 100 * time.Millisecond}, {work: 10 * time.Second}}
	serve(t, []Bulkhead{make10()}, shared)
	if own[0].done != 199 || shared[0].done > own[0].done/4 {
		t.Errorf("the fast page: %d of 200 with a bulkhead of its own, %d in a shared one", own[0].done, shared[0].done)
	}
}
