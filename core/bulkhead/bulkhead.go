// Package bulkhead bounds how much of a caller's own capacity one partner can take: so many tasks run, so many wait in a
// queue, and the next is refused at once.
//
// A caller waits for its task from submission on, queue and work together, and then leaves. Its task keeps its place all
// the same, as it does in an executor that cannot cancel: a slow partner fills the bulkhead even after its callers have
// gone. Whether several partners share a bulkhead or each has its own is a matter of who holds the value.
package bulkhead

import (
	"errors"
	"time"

	"retrylab.example/core/clock"
	"retrylab.example/core/decision"
)

// Config is the setting of a bulkhead. Contract D: 10 running, 20 queued, 3 s.
type Config struct {
	// Running is how many tasks may run at once, 1 to MaxPlaces. 0 is the zero value: no limit.
	Running int
	// Queue is how many tasks may wait for a place, 0 to MaxPlaces. 0: whoever finds no place is refused.
	Queue int
	// CallerTimeout is how long a caller waits from submission on, > 0; 0 means for ever.
	CallerTimeout time.Duration
}

// MaxPlaces bounds the places and the queue, which are kept in memory.
const MaxPlaces = 100_000

// ErrSetting is returned for places or a queue out of range, or a negative timeout.
var ErrSetting = errors.New("a bulkhead has 1 to 100,000 places, a queue of 0 to 100,000, and a timeout of at least 0 s")

// Bulkhead is the state of one bulkhead. Every task that got a place or stands in the queue is in it exactly once, until
// Finish or End takes it out; nothing else does, so no place is ever lost or given twice.
//
// At one instant the order is: tasks finish, callers leave, tasks are submitted.
//
// The zero value has no limit and starts everything at once. Methods return the successor and may reuse storage, as
// append does; Clone before keeping two versions.
type Bulkhead struct {
	config  Config
	issued  uint64
	running []Task
	queue   []Task // a ring: the first is at head
	head    int
	queued  int
}

// Task is one piece of work and the caller that waits for it. The zero value is none.
type Task struct {
	// Serial numbers the tasks of a bulkhead from 1 in the order of their submission. A refused task has none.
	Serial uint64
	// Submitted is when it was submitted, Leaves when its caller leaves: clock.Max if it waits for ever.
	Submitted, Leaves clock.Instant
	// Started is when it got a place. Only a running task has one.
	Started clock.Instant
	// Left says that its caller has gone.
	Left bool
}

// New returns an empty bulkhead.
func New(c Config) (Bulkhead, error) {
	if c.Running < 1 || c.Running > MaxPlaces || c.Queue < 0 || c.Queue > MaxPlaces || c.CallerTimeout < 0 {
		return Bulkhead{}, ErrSetting
	}
	return Bulkhead{config: c}, nil
}

// Config returns the setting.
func (b Bulkhead) Config() Config { return b.config }

// Clone returns a copy that shares no storage.
func (b Bulkhead) Clone() Bulkhead {
	b.running = append([]Task(nil), b.running...)
	b.queue = append([]Task(nil), b.queue...)
	return b
}

// Running returns how many tasks are running, those without a caller among them.
func (b Bulkhead) Running() int { return len(b.running) }

// Queued returns how many tasks wait for a place, those without a caller among them.
func (b Bulkhead) Queued() int { return b.queued }

// Try starts a task, puts it in the queue or refuses it, without a receipt. Whoever runs it has to call Finish or End
// when the work is done, and Leave at the instant Leaves.
func (b Bulkhead) Try(now clock.Instant) (Bulkhead, Task, decision.Reason) {
	full := b.config.Running > 0 && len(b.running) >= b.config.Running
	if full && b.queued >= b.config.Queue {
		return b, Task{}, decision.BulkheadFull
	}
	b.issued++
	t := Task{Serial: b.issued, Submitted: now, Leaves: clock.Max}
	if b.config.CallerTimeout > 0 {
		t.Leaves = now.Add(b.config.CallerTimeout)
	}
	if full {
		b.push(t)
		return b, t, decision.PlaceQueued
	}
	t.Started = now
	b.running = append(b.running, t)
	return b, t, decision.PlaceFree
}

// Submit starts a task, puts it in the queue or refuses it at once.
func (b Bulkhead) Submit(now clock.Instant) (next Bulkhead, t Task, d decision.Decision) {
	b, t, reason := b.Try(now)
	d.Verdict, d.Reason = decision.Admit, reason
	b.explain(&d)
	switch reason {
	case decision.PlaceFree:
		b.explainTask(&d, t, true)
		d.Mark(decision.Running, decision.Decided)
		b.noPlace(&d)
	case decision.PlaceQueued:
		d.Verdict = decision.Enqueue
		b.explainTask(&d, t, false)
		d.Mark(decision.Running, decision.Decided)
		b.freePlace(&d)
		d.AddFlip(decision.Flip{
			Name: decision.Queued, Bound: decision.AtLeast, Value: int64(b.config.Queue),
			Verdict: decision.Refuse, Reason: decision.BulkheadFull,
		})
	case decision.BulkheadFull:
		d.Verdict = decision.Refuse
		b.freePlace(&d)
		if b.config.Queue == 0 {
			d.Mark(decision.Running, decision.Decided)
		} else {
			d.Mark(decision.Queued, decision.Decided)
			d.AddFlip(decision.Flip{
				Name: decision.Queued, Bound: decision.AtMost, Value: int64(b.config.Queue - 1),
				Verdict: decision.Enqueue, Reason: decision.PlaceQueued,
			})
		}
	}
	return b, t, d
}

// End takes out a running task and starts the first in the queue, if there is one, without a receipt; next is that task,
// with serial 0 if there is none. A task that is not running changes nothing.
func (b Bulkhead) End(now clock.Instant, serial uint64) (after Bulkhead, next Task) {
	i := find(b.running, serial)
	if i < 0 {
		return b, Task{}
	}
	b.running = append(b.running[:i], b.running[i+1:]...)
	if b.queued == 0 {
		return b, Task{}
	}
	next = b.pop()
	next.Started = now
	b.running = append(b.running, next)
	return b, next
}

// Finish does what End does. The decision is about the task that starts now; without one nothing is decided.
func (b Bulkhead) Finish(now clock.Instant, serial uint64) (after Bulkhead, next Task, d decision.Decision) {
	if b, next = b.End(now, serial); next.Serial == 0 {
		return b, next, d
	}
	d.Verdict, d.Reason = decision.Admit, decision.TurnCame
	b.explain(&d)
	b.explainTask(&d, next, true)
	d.Mark(decision.Started, decision.Decided)
	return b, next, d
}

// Leave lets the caller of a task go, once it has waited for as long as it may. The task keeps its place. Before that
// instant, or for a task that is done or has no caller, it changes nothing and decides nothing.
func (b Bulkhead) Leave(now clock.Instant, serial uint64) (next Bulkhead, d decision.Decision) {
	t := b.find(serial)
	if t == nil || t.Left || now < t.Leaves {
		return b, d
	}
	t.Left = true
	d.Verdict, d.Reason = decision.GiveUp, decision.CallerLeft
	b.explain(&d)
	b.explainTask(&d, *t, find(b.running, serial) >= 0)
	d.Mark(decision.CallerWaits, decision.Decided)
	return b, d
}

// explain writes the tasks as they are after the decision.
func (b *Bulkhead) explain(d *decision.Decision) {
	running := decision.Term{Name: decision.Running, Value: int64(len(b.running)), A: int64(b.config.Running)}
	queued := decision.Term{Name: decision.Queued, Value: int64(b.queued), A: int64(b.config.Queue)}
	if b.config.Running == 0 {
		running.Mark, queued.Mark = decision.Off, decision.Off
	}
	d.Add(running)
	d.Add(queued)
}

func (b *Bulkhead) explainTask(d *decision.Decision, t Task, started bool) {
	waits := decision.Term{
		Name: decision.CallerWaits, Value: int64(t.Leaves), A: int64(t.Submitted), B: int64(b.config.CallerTimeout),
	}
	if t.Leaves == clock.Max {
		waits.Mark = decision.Off
	}
	d.Add(waits)
	start := decision.Term{Name: decision.Started, Mark: decision.Off}
	if started {
		start = decision.Term{Name: decision.Started, Value: int64(t.Started), A: int64(t.Started.Sub(t.Submitted))}
	}
	d.Add(start)
}

// noPlace says with how many running before it a task would not have started.
func (b *Bulkhead) noPlace(d *decision.Decision) {
	if b.config.Running == 0 {
		return // there is a place for each
	}
	flip := decision.Flip{
		Name: decision.Running, Bound: decision.AtLeast, Value: int64(b.config.Running),
		Verdict: decision.Enqueue, Reason: decision.PlaceQueued,
	}
	if b.config.Queue == 0 {
		flip.Verdict, flip.Reason = decision.Refuse, decision.BulkheadFull
	}
	d.AddFlip(flip)
}

// freePlace says that a task would have started with one less running.
func (b *Bulkhead) freePlace(d *decision.Decision) {
	d.AddFlip(decision.Flip{
		Name: decision.Running, Bound: decision.AtMost, Value: int64(b.config.Running - 1),
		Verdict: decision.Admit, Reason: decision.PlaceFree,
	})
}
