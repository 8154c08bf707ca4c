package vectors

import (
	"testing"
	"time"

	"retrylab.example/core/breaker"
	"retrylab.example/core/bulkhead"
	"retrylab.example/core/call"
	"retrylab.example/core/clock"
	"retrylab.example/core/decision"
	"retrylab.example/core/limit"
)

// Contract D: the mechanisms of the outbound client and of its partner's /rate.

func TestVectorsCountBreaker(t *testing.T) {
	each(t, "count_breaker", func(t *testing.T, row struct {
		Size, Percent int
		Results       []struct{ Failed, Open bool }
	}) {
		b, err := breaker.New(breaker.Config{
			Window: breaker.Count, Size: row.Size, Percent: row.Percent, Open: 5 * time.Second,
		})
		if err != nil {
			t.Fatal(err)
		}
		for i, r := range row.Results {
			now := clock.Start.Add(time.Duration(i) * time.Millisecond)
			class := call.Success
			if r.Failed {
				class = call.Transient
			}
			var p breaker.Permit
			b, p, _ = b.Admit(now)
			b, _ = b.Record(now, p, class)
			if open := b.State(now) == breaker.Open; open != r.Open {
				t.Fatalf("result %d: open %t, want %t", i, open, r.Open)
			}
		}
	})
}

func TestVectorsFixedWindow(t *testing.T) {
	each(t, "fixed_window", func(t *testing.T, row struct {
		Limit  int
		Period seconds
		Hits   []struct {
			At       seconds
			Admitted bool
		}
	}) {
		w, err := limit.NewFixed(limit.FixedConfig{Limit: row.Limit, Period: row.Period.Duration})
		if err != nil {
			t.Fatal(err)
		}
		for i, hit := range row.Hits {
			var d decision.Decision
			w, d = w.Take("", hit.At.instant())
			if d.Verdict == decision.Admit != hit.Admitted {
				t.Errorf("hit %d at %s: got %s", i, hit.At, d.Verdict)
			}
		}
	})
}

// modeOf reads the mode of a bucket.
func modeOf(t *testing.T, name string) limit.Mode {
	t.Helper()
	mode, ok := limit.ParseMode(name)
	if !ok {
		t.Fatalf("no mode %q", name)
	}
	return mode
}

func TestVectorsTokenBucket(t *testing.T) {
	each(t, "token_bucket", func(t *testing.T, row struct {
		Capacity int64
		Period   seconds
		Mode     string
		Steps    []struct {
			At       seconds
			Acquired bool
		}
	}) {
		b, err := limit.NewBucket(limit.BucketConfig{
			Capacity: row.Capacity, Period: row.Period.Duration, Mode: modeOf(t, row.Mode),
		})
		if err != nil {
			t.Fatal(err)
		}
		for i, step := range row.Steps {
			var d decision.Decision
			b, d = b.Take("", step.At.instant())
			if d.Verdict == decision.Admit != step.Acquired {
				t.Errorf("step %d at %s: got %s", i, step.At, d.Verdict)
			}
		}
	})
}

func TestVectorsBucketBeforeRate(t *testing.T) {
	each(t, "bucket_before_rate", func(t *testing.T, row struct {
		Mode  string
		Poll  seconds
		Calls []struct {
			At     seconds
			Status int
		}
		Refused int
	}) {
		b, err := limit.NewBucket(limit.BucketConfig{Capacity: 3, Period: time.Second, Mode: modeOf(t, row.Mode)})
		if err != nil {
			t.Fatal(err)
		}
		rate, err := limit.NewFixed(limit.FixedConfig{Limit: 3, Period: time.Second})
		if err != nil {
			t.Fatal(err)
		}
		now, refused := clock.Start, 0
		for i, c := range row.Calls {
			var d decision.Decision
			for b, d = b.Take("", now); d.Verdict == decision.Refuse; b, d = b.Take("", now) {
				now = now.Add(row.Poll.Duration)
			}
			status := 200
			if rate, d = rate.Take("", now); d.Verdict == decision.Refuse {
				status = 429
				refused++
			}
			if now != c.At.instant() || status != c.Status {
				t.Errorf("call %d: %d at %s, want %d at %s", i, status, time.Duration(now), c.Status, c.At)
			}
		}
		same(t, "refused", refused, row.Refused)
	})
}

type arrival struct {
	At, Work seconds
	Outcome  string
	Started  *seconds
}

func TestVectorsBulkhead(t *testing.T) {
	each(t, "bulkhead", func(t *testing.T, row struct {
		Running, Queue int
		CallerTimeout  seconds `json:"caller_timeout"`
		Arrivals       []arrival
	}) {
		b, err := bulkhead.New(bulkhead.Config{
			Running: row.Running, Queue: row.Queue, CallerTimeout: row.CallerTimeout.Duration,
		})
		if err != nil {
			t.Fatal(err)
		}
		p := pool{Bulkhead: b, arrivals: row.Arrivals, of: map[uint64]int{}}
		for i := range row.Arrivals {
			p.submit(i)
		}
		p.runUntil(clock.Max)
		for i, a := range row.Arrivals {
			got := p.seen[i]
			same(t, "outcome", got.outcome, a.Outcome)
			same(t, "was started", got.hasStarted, a.Started != nil)
			if a.Started != nil {
				same(t, "started", got.started, a.Started.instant())
			}
			if t.Failed() {
				t.Fatalf("arrival %d", i)
			}
		}
		same(t, "running at the end", p.Running()+p.Queued(), 0)
	})
}

// pool plays arrivals through a bulkhead. Events at one instant: works end, callers leave, tasks are submitted.
type pool struct {
	bulkhead.Bulkhead
	arrivals []arrival
	of       map[uint64]int // serial → arrival
	seen     [100]struct {
		outcome    string
		hasStarted bool
		started    clock.Instant
	}
	timers []timer
}

type timer struct {
	at     clock.Instant
	serial uint64
	leaves bool
}

func (p *pool) submit(i int) {
	now := p.arrivals[i].At.instant()
	p.runUntil(now)
	var task bulkhead.Task
	var d decision.Decision
	p.Bulkhead, task, d = p.Submit(now)
	if d.Verdict == decision.Refuse {
		p.seen[i].outcome = "refused"
		return
	}
	p.of[task.Serial] = i
	p.timers = append(p.timers, timer{task.Leaves, task.Serial, true})
	if d.Verdict == decision.Admit {
		p.start(task)
	}
}

func (p *pool) start(task bulkhead.Task) {
	i := p.of[task.Serial]
	p.seen[i].started, p.seen[i].hasStarted = task.Started, true
	p.timers = append(p.timers, timer{task.Started.Add(p.arrivals[i].Work.Duration), task.Serial, false})
}

// runUntil handles all timers up to now, the earliest first, at one instant the ends of works before callers' leaves.
func (p *pool) runUntil(now clock.Instant) {
	for {
		first := -1
		for i, x := range p.timers {
			if x.at > now {
				continue
			}
			if first < 0 || x.at < p.timers[first].at || x.at == p.timers[first].at && !x.leaves && p.timers[first].leaves {
				first = i
			}
		}
		if first < 0 {
			return
		}
		x := p.timers[first]
		p.timers = append(p.timers[:first], p.timers[first+1:]...)
		p.fire(x)
	}
}

func (p *pool) fire(x timer) {
	i := p.of[x.serial]
	if x.leaves {
		var d decision.Decision
		if p.Bulkhead, d = p.Leave(x.at, x.serial); d.Reason == decision.CallerLeft {
			p.seen[i].outcome = "caller_left"
		}
		return
	}
	if p.seen[i].outcome == "" {
		p.seen[i].outcome = "done"
	}
	var next bulkhead.Task
	if p.Bulkhead, next, _ = p.Finish(x.at, x.serial); next.Serial != 0 {
		p.start(next)
	}
}
