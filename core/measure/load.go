package measure

import (
	"time"

	"retrylab.example/core/call"
	"retrylab.example/core/clock"
	"retrylab.example/core/event"
)

// Fate is what became of an attempt that was sent to the partner.
type Fate uint8

const (
	// Served: its work was done and ended well.
	Served Fate = iota
	// Repeated: the saved response was given again.
	Repeated
	// Waiting: it has arrived and has no answer yet.
	Waiting
	// TurnedAway: the partner answered it without doing it.
	TurnedAway
	// Broken: the partner crashed, or the work ended in an error.
	Broken
	// ReplyMissing: the partner answered it, and the reply got lost or broke off.
	ReplyMissing
	// NeverArrived: it got lost on its way, or could not leave.
	NeverArrived
	numFates
)

var fateNames = [numFates]string{
	"served", "repeated", "waiting", "turned-away", "broken", "reply-missing", "never-arrived",
}

// String returns the kebab-case name.
func (f Fate) String() string { return fateNames[f] }

// Fates returns every fate, in the order in which they are stacked.
func Fates() []Fate {
	all := make([]Fate, numFates)
	for f := range all {
		all[f] = Fate(f)
	}
	return all
}

// Bucket counts the attempts of one stretch of time by what became of them.
type Bucket [numFates]int

// Arrived returns how many of them reached the partner.
func (b *Bucket) Arrived() int {
	n := 0
	for f, count := range b {
		if Fate(f) != NeverArrived {
			n += count
		}
	}
	return n
}

// MaxBuckets bounds the buckets of a Load.
const MaxBuckets = 1000

// Load counts what came to the partner per bucket of time, and what became of it. An attempt counts in the bucket in
// which it arrived, also when its fate is known later; one that got lost on its way in the bucket in which it did. The
// memory is that of the buckets and of the attempts that are under way.
type Load struct {
	from       clock.Instant
	width      time.Duration
	buckets    []Bucket
	open       map[attemptID]openAttempt // looked up, never ranged over
	lastServed clock.Instant
	served     int
}

type attemptID struct{ client, call, attempt int }

// openAttempt is where an attempt counts as long as that may change.
type openAttempt struct {
	bucket int
	fate   Fate
}

// NewLoad returns the load of n buckets of a width from an instant on; what happens outside of them is not counted.
// A width below 1 ns is 1 ns, and n is held between 1 and MaxBuckets.
func NewLoad(from clock.Instant, width time.Duration, n int) *Load {
	return &Load{
		from: from, width: max(width, 1), buckets: make([]Bucket, min(max(n, 1), MaxBuckets)),
		open: map[attemptID]openAttempt{},
	}
}

// LoadOf returns the load of a list of events.
func LoadOf(events []event.Event, from clock.Instant, width time.Duration, n int) *Load {
	l := NewLoad(from, width, n)
	for i := range events {
		l.Event(&events[i])
	}
	return l
}

// Buckets returns the buckets. It is the load's own storage, to be read only.
func (l *Load) Buckets() []Bucket { return l.buckets }

// Begins returns the instant at which bucket i begins; it ends where the next one begins, which it excludes.
func (l *Load) Begins(i int) clock.Instant {
	return l.from.Add(clock.Times(l.width, uint64(max(i, 0))))
}

// Width returns the length of a bucket.
func (l *Load) Width() time.Duration { return l.width }

// Calls returns how many calls have ended in a success so far, and the instant of the latest of them, the start if there
// is none.
func (l *Load) Calls() (served int, last clock.Instant) { return l.served, l.lastServed }

// Brief says that a load needs no receipt: see sim.Brief.
func (l *Load) Brief() bool { return true }

// Event adds one event.
func (l *Load) Event(e *event.Event) {
	switch e.Kind {
	case event.RequestLost:
		l.lose(e.At)
	case event.RequestArrived:
		l.arrive(e)
	case event.EffectApplied, event.RequestAnswered:
		fate := Served
		if (call.Outcome{Response: e.Response}).Class() != call.Success {
			fate = Broken
		}
		l.change(e, fate)
	case event.ReplyReplayed:
		l.change(e, Repeated)
	case event.RequestRefused:
		l.change(e, TurnedAway)
	case event.PartnerCrashed:
		l.change(e, Broken)
		delete(l.open, idOf(e))
	case event.ReplyLost, event.ReplyTruncated:
		l.change(e, ReplyMissing)
		delete(l.open, idOf(e))
	case event.ReplyArrived, event.ReplyIgnored:
		delete(l.open, idOf(e))
	case event.CallSucceeded:
		l.served++
		l.lastServed = e.At
	}
}

func idOf(e *event.Event) attemptID {
	return attemptID{e.Request.Client, e.Request.Call, e.Request.Attempt}
}

// bucketAt returns the bucket of an instant, and whether there is one.
func (l *Load) bucketAt(at clock.Instant) (i int, ok bool) {
	if at < l.from {
		return 0, false
	}
	n := at.Sub(l.from) / l.width
	return int(min(n, MaxBuckets)), n < time.Duration(len(l.buckets))
}

func (l *Load) lose(at clock.Instant) {
	if i, ok := l.bucketAt(at); ok {
		l.buckets[i][NeverArrived]++
	}
}

func (l *Load) arrive(e *event.Event) {
	if i, ok := l.bucketAt(e.At); ok {
		l.buckets[i][Waiting]++
		l.open[idOf(e)] = openAttempt{i, Waiting}
	}
}

// change counts an attempt under another fate.
func (l *Load) change(e *event.Event, fate Fate) {
	id := idOf(e)
	if o, ok := l.open[id]; ok {
		l.buckets[o.bucket][o.fate]--
		l.buckets[o.bucket][fate]++
		l.open[id] = openAttempt{o.bucket, fate}
	}
}

// Amplification returns attempts per call in tenths, rounded down, 0 where no call was started: 28 is 2.8.
func (t Totals) Amplification() int64 {
	if t.Calls == 0 {
		return 0
	}
	return 10 * int64(t.Sent) / int64(t.Calls)
}

// RoundWidth returns the smallest 1, 2 or 5 times a power of ten nanoseconds of which at most n fit into a span. A span
// or an n below 1 is taken as 1.
func RoundWidth(span time.Duration, n int) time.Duration {
	most := time.Duration(max(n, 1))
	for p := time.Duration(1); ; p *= 10 {
		for _, f := range [...]time.Duration{1, 2, 5} {
			if span/(p*f) <= most {
				return p * f
			}
		}
	}
}
