package live

import (
	"context"
	"errors"
	"sync"
	"time"

	"retrylab.example/core/call"
	"retrylab.example/core/clock"
	"retrylab.example/core/document"
	"retrylab.example/core/event"
	"retrylab.example/core/lab"
	"retrylab.example/core/partner"
	"retrylab.example/core/scenario"
	"retrylab.example/core/trace"
)

// What a room may refuse before a request arrives.
var (
	errBusy = errors.New("too many requests are under way in this lab")
	errFull = errors.New("this lab has seen as much as it can keep")
	errKept = errors.New("what the lab did cannot be kept")
)

// room is a lab in memory. It is the sink of what happens in the lab.
type room struct {
	house *House
	id    string

	mu       sync.Mutex
	row      Row
	scenario scenario.Scenario
	lab      *lab.Lab // nil: it is not there, or it is over
	epoch    time.Time
	expires  int64 // milliseconds since 1970
	used     int64
	records  int64
	waiting  map[int64]chan lab.Outcome // of arrivals without an outcome
	asking   int64                      // the arrival under way
	outcome  *lab.Outcome               // of it, once there is one
	trace    lines
	snapshot struct { // taken, and not written yet
		at    int64
		state []byte
	}
	full  bool
	timer func() bool // stops what waits for the next thing that is due
	timed clock.Instant
}

// load makes the lab of what the store has.
func (r *room) load(ctx context.Context) error {
	saved, err := r.house.c.Store.Load(ctx, r.id)
	if err != nil {
		return err
	}
	doc, root, err := document.Read("definition", saved.Definition)
	if err != nil {
		return err
	}
	r.scenario = scenario.ForLab(root)
	if err := doc.Err(); err != nil {
		return err
	}
	c := lab.Of(&r.scenario)
	if saved.State == nil {
		r.lab, err = lab.New(c)
	} else {
		r.lab, err = lab.Read(c, saved.State)
	}
	if err != nil {
		r.lab = nil
		return err
	}
	r.row, r.epoch, r.expires = saved.Row, time.UnixMilli(saved.Epoch), saved.Expires
	r.records, r.waiting = saved.At, map[int64]chan lab.Outcome{}
	r.trace.most = r.house.c.MaxTrace
	r.full = len(saved.State) > r.house.c.MaxState
	for _, line := range saved.Records {
		a, err := lab.ReadRecord(line)
		if err != nil {
			r.lab = nil
			return err
		}
		r.apply(&a)
	}
	r.advance()
	return nil
}

// apply lets a request arrive that is kept.
func (r *room) apply(a *lab.Arrival) {
	r.records++
	r.asking, r.outcome = r.lab.Arrivals()+1, nil
	r.lab.Apply(a, r)
	r.asking = 0
	r.trace.end(r.lab.Seq())
	if r.records%r.house.c.SnapshotEvery == 0 {
		r.takeSnapshot()
	}
}

// takeSnapshot writes the last snapshot, and takes the next one: so the store always has as many records at least as lie
// between two, and a trace to show after a restart.
func (r *room) takeSnapshot() {
	state := r.lab.State()
	r.full = len(state) > r.house.c.MaxState
	if r.snapshot.state != nil {
		// One that is not written is missed by nobody: there are the records.
		_ = r.house.c.Store.Snapshot(context.Background(), r.id, r.snapshot.at, r.snapshot.state)
	}
	r.snapshot.at, r.snapshot.state = r.records, state
}

// Event implements lab.Sink.
func (r *room) Event(e *event.Event) { r.trace.add(e) }

// Answered implements lab.Sink.
func (r *room) Answered(n int64, o *lab.Outcome) {
	if n == r.asking {
		copied := *o
		r.outcome = &copied
		return
	}
	if c := r.waiting[n]; c != nil {
		delete(r.waiting, n)
		c <- *o
	}
}

// now returns the instant of the lab.
func (r *room) now() clock.Instant {
	return max(clock.Start.Add(r.house.c.Now().Sub(r.epoch)), r.lab.Now())
}

// advance lets come what is due, and calls for itself when the next thing is.
func (r *room) advance() {
	if r.lab == nil {
		return
	}
	now := r.now()
	if at, due := r.lab.Due(); due && at <= now {
		r.lab.Advance(now, r)
		r.trace.end(r.lab.Seq())
	}
	at, due := r.lab.Due()
	if r.timer != nil && (!due || at != r.timed) {
		r.timer()
		r.timer = nil
	}
	if due && r.timer == nil {
		r.timed = at
		r.timer = r.house.c.AfterFunc(at.Sub(now), func() {
			r.mu.Lock()
			defer r.mu.Unlock()
			r.timer = nil
			r.advance()
		})
	}
}

// idle reports whether the lab can leave memory: nobody waits for it, and nothing is due.
func (r *room) idle() bool {
	if r.lab == nil {
		return false
	}
	_, due := r.lab.Due()
	return !due && len(r.waiting) == 0 && r.trace.watched == 0
}

// end makes the lab one that is not there.
func (r *room) end() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.lab = nil
	if r.timer != nil {
		r.timer()
		r.timer = nil
	}
	for n, c := range r.waiting {
		delete(r.waiting, n)
		close(c)
	}
	r.trace.wake()
}

// ask lets a request arrive and returns how it is answered, once it may be: everything that it led to is kept.
func (r *room) ask(ctx context.Context, q call.Request, fate partner.Fate, asked bool) (lab.Outcome, error) {
	r.mu.Lock()
	if r.lab == nil {
		r.mu.Unlock()
		return lab.Outcome{}, ErrNotFound
	}
	r.advance()
	switch {
	case r.lab.Busy():
		r.mu.Unlock()
		return lab.Outcome{}, errBusy
	case r.full:
		r.mu.Unlock()
		return lab.Outcome{}, errFull
	}
	a := lab.Arrival{At: r.now(), Request: q, Asked: asked, Fate: fate}
	expires := r.house.c.Now().Add(r.row.Idle).Truncate(time.Minute).Add(time.Minute).UnixMilli()
	r.expires = max(r.expires, expires)
	kept := r.house.c.Store.Append(context.WithoutCancel(ctx), r.id, r.records+1, expires, a.Record())
	r.apply(&a)
	var later chan lab.Outcome
	var o lab.Outcome
	if r.outcome != nil {
		o = *r.outcome
	} else {
		later = make(chan lab.Outcome, 1)
		r.waiting[r.lab.Arrivals()] = later
	}
	r.advance()
	r.mu.Unlock()
	if err := kept(); err != nil {
		r.house.drop(r) // it is ahead of the store
		if errors.Is(err, ErrNotFound) {
			return lab.Outcome{}, ErrNotFound
		}
		return lab.Outcome{}, errors.Join(errKept, err)
	}
	if later == nil {
		return o, nil
	}
	select {
	case o, ok := <-later:
		if !ok {
			return lab.Outcome{}, ErrNotFound
		}
		return o, nil
	case <-ctx.Done():
		return lab.Outcome{}, ctx.Err()
	}
}

// until returns how long it is until an instant of the lab.
func (r *room) until(at clock.Instant) time.Duration {
	return at.Sub(clock.Start.Add(r.house.c.Now().Sub(r.epoch)))
}

// lines are the last events of a lab as lines of JSON.
type lines struct {
	most    int // bytes
	chunks  []chunk
	bytes   int
	buffer  []byte
	last    int           // the number of the last event that is in a chunk
	more    chan struct{} // closed when there is more
	watched int
}

// chunk holds the lines after event `after` up to event `to`.
type chunk struct {
	after, to int
	text      []byte
}

func (t *lines) add(e *event.Event) { t.buffer = trace.AppendJSON(t.buffer, e) }

// end makes a chunk of what was added since the last.
func (t *lines) end(seq int) {
	if len(t.buffer) == 0 {
		return
	}
	text := append(make([]byte, 0, len(t.buffer)), t.buffer...)
	after := t.last
	if len(t.chunks) == 0 {
		after = seq - countLines(text)
	}
	t.chunks = append(t.chunks, chunk{after, seq, text})
	t.bytes += len(text)
	t.buffer, t.last = t.buffer[:0], seq
	old := 0
	for t.bytes > t.most && old < len(t.chunks)-1 {
		t.bytes -= len(t.chunks[old].text)
		t.chunks[old].text = nil
		old++
	}
	t.chunks = t.chunks[old:]
	t.wake()
}

func countLines(text []byte) (n int) {
	for _, c := range text {
		if c == '\n' {
			n++
		}
	}
	return n
}

func (t *lines) wake() {
	if t.more != nil {
		close(t.more)
		t.more = nil
	}
}

// changed returns a channel that is closed when there is more.
func (t *lines) changed() <-chan struct{} {
	if t.more == nil {
		t.more = make(chan struct{})
	}
	return t.more
}

// since returns the chunks that hold what came after an event, the first one perhaps more. gap says that some of it is
// not kept any more.
func (t *lines) since(after int) (list []chunk, gap bool) {
	i := len(t.chunks)
	for i > 0 && t.chunks[i-1].to > after {
		i--
	}
	list = append(list, t.chunks[i:]...)
	return list, len(list) > 0 && list[0].after > after
}
