package timeline

import (
	"cmp"
	"slices"

	"retrylab.example/core/clock"
	"retrylab.example/core/decision"
	"retrylab.example/core/event"
)

// guards are the mechanisms of a run as their lanes need them: what wraps the clients' calls, and what the partner has
// beside its sliding window. What no event was about is not there, and its lane is not drawn.
type guards struct {
	circuits []*circuit
	buckets  []*meter // of clients
	pools    []*meter
	limits   []*meter // of the partner: one for each key of clients
	capacity *meter   // of the partner
	works    []*work
	open     map[attemptID]*work  // works without an end; looked up, never ranged over
	flying   map[attemptID]*meter // requests that hold a slot; looked up, never ranged over
	moved    map[int]int          // clients to the pool in which their calls begin since their guards changed; looked up
	began    map[attemptID]int    // calls to the pool in which they began; looked up
}

// circuit is the breaker of one client.
type circuit struct {
	client int
	spans  []span
	marks  []noted
	// What the latest results were, as the receipts say. Terms that never came have no name.
	cells, failures, threshold, proved decision.Term
	counts                             bool // cells or failures are of the state that the circuit is in
}

// span is one state of a circuit. It ends where the next begins.
type span struct {
	state string
	from  clock.Instant
	until clock.Instant // open: from when probes may pass
	begin *event.Event
}

// noted is an event on a lane, with the shape of its mark. Without a shape it is found there and not drawn.
type noted struct {
	e     *event.Event
	shape string
}

// work is one request that takes the partner time, or waits for that.
type work struct {
	queued, began *event.Event
	end           clock.Instant // clock.Max as long as it is not known
	row           int
}

func (g *guards) circuit(client int) *circuit {
	for _, c := range g.circuits {
		if c.client == client {
			return c
		}
	}
	c := &circuit{client: client}
	g.circuits = append(g.circuits, c)
	return c
}

// event notes an event, and reports whether a lane has taken it.
func (g *guards) event(in *Input, e *event.Event) bool {
	if e.Who == event.Partner {
		return g.atPartner(e)
	}
	if e.Kind == event.GuardsChanged {
		g.reset(e)
		if g.moved == nil {
			g.moved = map[int]int{}
		}
		g.moved[e.Request.Client] = e.Pool
	}
	if e.Who != event.Client {
		return false
	}
	switch e.Kind {
	case event.TaskQueued, event.TaskStarted, event.TaskEnded:
		return g.task(in, e)
	case event.SendRefused, event.AttemptAdmitted, event.AttemptHeld, event.CallGaveUp:
		return g.guarded(in, e)
	case event.CircuitOpened, event.CircuitHalfOpened, event.CircuitClosed, event.ResultRecorded:
		g.circuit(e.Request.Client).event(e)
		return true
	}
	return false
}

// guarded notes what one of a client's guards decided about an attempt.
func (g *guards) guarded(in *Input, e *event.Event) bool {
	d := &e.Decision
	switch d.Reason {
	case decision.CircuitClosed, decision.ProbeAdmitted, decision.CircuitOpen, decision.ProbesRunning:
		g.circuit(e.Request.Client).event(e)
	case decision.TokensTaken, decision.TokensMissing:
		g.bucket(e.Request.Client).take(e)
	case decision.BulkheadFull, decision.CallerLeft:
		return g.task(in, e)
	default:
		return false
	}
	return true
}

func (c *circuit) event(e *event.Event) {
	if len(c.spans) == 0 {
		c.spans = append(c.spans, span{state: "closed"})
	}
	d := &e.Decision
	if t, ok := d.Term(decision.Failures); ok {
		c.failures, c.counts = t, true
		c.threshold, _ = d.Term(decision.Threshold)
		c.cells, _ = d.Term(decision.Cells)
	}
	if t, ok := d.Term(decision.Proved); ok {
		c.proved = t
	}
	switch e.Kind {
	case event.CircuitOpened:
		c.spans = append(c.spans, span{state: "open", from: e.At, until: e.Until, begin: e})
		c.note(e, "trip")
	case event.CircuitHalfOpened:
		c.spans = append(c.spans, span{state: "half-open", from: e.At, begin: e})
		c.note(e, "probe")
	case event.CircuitClosed:
		c.spans = append(c.spans, span{state: "closed", from: e.At, begin: e})
		c.counts = false
		c.note(e, "mend")
	case event.ResultRecorded:
		c.note(e, resultMark(d))
	case event.AttemptAdmitted:
		shape := ""
		if d.Reason == decision.ProbeAdmitted {
			shape = "probe"
		}
		c.note(e, shape)
	case event.SendRefused:
		c.note(e, "local")
	}
}

// reset closes the circuit of a client whose guards were changed: it knows no result.
func (g *guards) reset(e *event.Event) {
	for _, c := range g.circuits {
		if c.client == e.Request.Client {
			c.spans = append(c.spans, span{state: "closed", from: e.At})
			c.counts, c.failures = false, decision.Term{}
		}
	}
}

func (c *circuit) note(e *event.Event, shape string) { c.marks = append(c.marks, noted{e, shape}) }

// resultMark is the cell of a result: whether it counted as a failure.
func resultMark(d *decision.Decision) string {
	switch t, _ := d.Term(decision.Result); {
	case t.A == 1:
		return "uncounted"
	case t.Value == 1:
		return "failed"
	}
	return "passed"
}

// state is the state that the circuit is in.
func (c *circuit) state() string { return c.spans[len(c.spans)-1].state }

// mostCells is how many results are drawn one by one: those of contract D's window, and some more.
const mostCells = 20

// cell is one place of a window of results.
type cell uint8

const (
	emptyCell cell = iota
	passedCell
	failedCell
)

// window returns the results that decide now, the oldest first, with the places that are still empty; nil where they
// are too many, or are counted by time.
func (c *circuit) window() []cell {
	size := int64(0)
	switch {
	case c.state() == "half-open":
		size = c.proved.A
	case c.failures.Name == 0:
		return nil
	case c.failures.B == 0: // in a row
		size = c.threshold.Value
	case c.cells.Name == decision.Cells:
		size = max(c.failures.B, c.cells.B)
	}
	if size == 0 || size > mostCells {
		return nil
	}
	cells := make([]cell, size)
	switch {
	case c.state() == "half-open":
		for i := range min(c.proved.Value, size) {
			cells[i] = passedCell
		}
	case !c.counts:
	case c.failures.B == 0:
		for i := range min(c.failures.Value, size) {
			cells[i] = failedCell
		}
	default:
		for i := range c.cells.B {
			cells[c.cells.B-1-i] = passedCell
			if c.cells.Value>>i&1 == 1 {
				cells[c.cells.B-1-i] = failedCell
			}
		}
	}
	return cells
}

// say puts the numbers that decide now into words; empty while the circuit is open.
func (c *circuit) say(in Input) string {
	switch state := c.state(); {
	case state == "half-open":
		return in.say("breaker.proved", "proved", amount(c.proved.Value), "needed", amount(c.proved.A))
	case state == "open" || c.failures.Name == 0 || !c.counts:
		return ""
	case c.failures.B == 0:
		return in.say("breaker.row", "failures", amount(c.failures.Value), "threshold", amount(c.threshold.Value))
	}
	return in.say("breaker.count", "failures", amount(c.failures.Value), "known", amount(c.failures.A),
		"percent", amount(c.threshold.Value), "minimum", amount(c.failures.B))
}

// atPartner notes what the partner's limiter decided, and its work.
func (g *guards) atPartner(e *event.Event) bool {
	id := attemptID{e.Request.Client, e.Request.Call, e.Request.Attempt}
	switch e.Kind {
	case event.RequestAdmitted, event.RequestRefused:
		if g.limited(id, e) {
			return true
		}
		if e.Kind == event.RequestRefused && e.Decision.Reason == decision.BulkheadFull {
			g.places(e)
		}
	case event.RequestQueued:
		g.places(e)
		g.begin(id, &work{queued: e, end: clock.Max})
		return true
	case event.WorkBegan:
		g.places(e)
		if w := g.open[id]; w != nil {
			w.began, w.end = e, e.Until
		} else {
			g.begin(id, &work{began: e, end: e.Until})
		}
		return true
	}
	switch e.Kind {
	case event.RequestRefused, event.EffectApplied, event.RequestAnswered, event.ReplyReplayed, event.PartnerCrashed:
		g.finish(id, e)
	}
	return false
}

func (g *guards) begin(id attemptID, w *work) {
	if g.open == nil {
		g.open = map[attemptID]*work{}
	}
	g.open[id] = w
	g.works = append(g.works, w)
}

// finish ends the work on a request, and gives its slot back.
func (g *guards) finish(id attemptID, e *event.Event) {
	if w := g.open[id]; w != nil && w.began != nil {
		w.end = e.At
		if g.capacity != nil {
			last := g.capacity.levels[len(g.capacity.levels)-1]
			g.capacity.level(e.At, last.n-1, last.queued)
		}
		delete(g.open, id)
	}
	if m := g.flying[id]; m != nil {
		m.level(e.At, m.levels[len(m.levels)-1].n-1, 0)
		delete(g.flying, id)
	}
}

// load returns how many works there were at the same time, up to now.
func (g *guards) load(now clock.Instant) *meter {
	type edge struct {
		at clock.Instant
		by float64
	}
	var edges []edge
	m := &meter{kind: loadMeter, client: -1}
	for _, w := range g.works {
		if w.began == nil {
			continue
		}
		m.note(w.began, "")
		edges = append(edges, edge{w.began.At, 1})
		if w.end <= now {
			edges = append(edges, edge{w.end, -1})
		}
	}
	slices.SortStableFunc(edges, func(a, b edge) int { return cmp.Compare(a.at, b.at) })
	n := 0.0
	for _, e := range edges {
		n += e.by
		m.level(e.at, n, 0)
	}
	for _, l := range m.levels { // one at an instant, after all that happened in it
		m.most = max(m.most, l.n)
	}
	return m
}

// workRows gives every work a row of its own from its arrival on, and returns how many there are.
func (g *guards) workRows() int {
	var busy []clock.Instant
	for _, w := range g.works {
		at := w.from()
		w.row = 0
		for w.row < len(busy) && busy[w.row] > at {
			w.row++
		}
		if w.row == len(busy) {
			busy = append(busy, 0)
		}
		busy[w.row] = w.end
	}
	return len(busy)
}

// from is when the work arrived.
func (w *work) from() clock.Instant {
	if w.queued != nil {
		return w.queued.At
	}
	return w.began.At
}
