package timeline

import (
	"slices"
	"sort"

	"retrylab.example/core/event"
	"retrylab.example/wasm/view"
)

// batchSize is how many attempts are drawn together. What has happened to all of them does not change any more, so that
// a step draws the last batch or two of a long run and nothing else.
const batchSize = 64

// Kept is what the drawings of one run have in common: the run as it is told, and the batches of attempts that are over.
// The zero value has nothing yet.
type Kept struct {
	of      Input // whose run this is
	whole   *story
	guards  bool // there is a guard, which changes with each of its events
	lasts   []int
	layout  layout
	batches []*batch // over and drawn; nil where not yet
}

// layout is where a batch is drawn.
type layout struct {
	axis                     axis
	m                        rowMetric
	clients                  []lane
	partner, ledger, effects lane
}

func (l *layout) equal(o *layout) bool {
	return l.axis == o.axis && l.m == o.m && slices.Equal(l.clients, o.clients) &&
		l.partner == o.partner && l.ledger == o.ledger && l.effects == o.effects
}

// batch is the drawing of some attempts.
type batch struct {
	bars                          map[outcome]*path // looked up in the order of outcomes
	waits, afters, windows, queue path
	spots, own                    []spot
	under, tracks, marks          view.Node
}

// tell returns the story of the events that have happened. It tells the whole run once, and then leaves out what is yet
// to come; the attempts stay as they will be, and each is cut where it is drawn.
func (k *Kept) tell(in Input) *story {
	run := in.Run
	if run == nil {
		run = in.Events
	}
	in.Run = run
	if !k.tells(in) {
		whole := in
		whole.Events = run
		*k = Kept{of: in, whole: tell(whole)}
		g := &k.whole.guards
		k.guards = len(g.circuits)+len(g.buckets)+len(g.pools)+len(g.limits)+len(g.works) > 0 || g.capacity != nil || g.moved != nil
		for _, a := range k.whole.attempts {
			last := 0
			for _, e := range a.events() {
				if *e != nil {
					last = max(last, (*e).Seq)
				}
			}
			k.lasts = append(k.lasts, last)
		}
	}
	seen := len(in.Events)
	before := func(e *event.Event) bool { return e != nil && e.Seq <= seen }
	s := &story{attempts: k.whole.attempts, keyed: k.whole.keyed}
	s.calls = k.whole.calls[:sort.Search(len(k.whole.calls), func(i int) bool { return !before(k.whole.calls[i].start) })]
	for _, r := range k.whole.records {
		if before(r.first()) {
			s.records = append(s.records, r)
		}
	}
	for _, n := range k.whole.notices {
		if before(n.told) {
			s.notices = append(s.notices, n)
		}
	}
	s.notes, s.loose = until(k.whole.notes, seen), until(k.whole.loose, seen)
	if k.guards {
		for i := range in.Events {
			s.guards.event(&in, &in.Events[i])
		}
	}
	return s
}

// tells reports whether what is kept is of the same run, told in the same way.
func (k *Kept) tells(in Input) bool {
	o := &k.of
	return k.whole != nil && len(o.Run) == len(in.Run) && (len(in.Run) == 0 || &o.Run[0] == &in.Run[0]) &&
		o.Vertical == in.Vertical && o.Client == in.Client && o.KeyLifetime == in.KeyLifetime && o.KeyLease == in.KeyLease
}

// until returns the events that have happened when so many have.
func until(list []*event.Event, seen int) []*event.Event {
	return list[:sort.Search(len(list), func(i int) bool { return list[i].Seq > seen })]
}

// begun reports whether anything of an attempt has happened.
func (k *Kept) begun(a *attemptStory, in Input) bool { return a.begin().Seq <= len(in.Events) }

// begin returns the first event of an attempt.
func (a *attemptStory) begin() *event.Event {
	switch {
	case a.waits != nil:
		return a.waits
	case a.sent != nil:
		return a.sent
	}
	return a.notSent
}

// events returns the places of all events of an attempt.
func (a *attemptStory) events() []**event.Event {
	return []**event.Event{
		&a.waits, &a.gone, &a.sent, &a.notSent, &a.requestLost, &a.arrived, &a.admitted, &a.refused, &a.applied, &a.answered,
		&a.replay, &a.crash, &a.replyLost, &a.reply, &a.ignored, &a.timedOut, &a.decided,
	}
}

// cut returns the attempt as it is when so many events have happened.
func (a *attemptStory) cut(seen int) *attemptStory {
	c := *a
	for _, e := range c.events() {
		if *e != nil && (*e).Seq > seen {
			*e = nil
		}
	}
	return &c
}

// drawBatches draws the attempts that have begun.
func (d *dense) drawBatches() {
	k, seen, all := d.kept, len(d.in.Events), d.story.attempts
	now := layout{d.axis, d.m, d.clients, d.partner, d.ledger, d.effects}
	if !now.equal(&k.layout) {
		k.layout, k.batches = now, nil
	}
	count := sort.Search(len(all), func(i int) bool { return all[i].begin().Seq > seen })
	under, tracks, marks := []any{}, []any{}, []any{}
	for from := 0; from < count; from += batchSize {
		n := from / batchSize
		if n == len(k.batches) {
			k.batches = append(k.batches, nil)
		}
		to := min(from+batchSize, len(all))
		b := k.batches[n]
		switch over := slices.Max(k.lasts[from:to]) <= seen; {
		case !over:
			var list []*attemptStory
			for _, a := range all[from:min(to, count)] {
				list = append(list, a.cut(seen))
			}
			b = d.drawBatch(list)
		case b == nil:
			b = d.drawBatch(all[from:to])
			k.batches[n] = b
		}
		d.sheet.batches = append(d.sheet.batches, b)
		under, tracks, marks = append(under, b.under), append(tracks, b.tracks), append(marks, b.marks)
	}
	d.put(barLayer, view.El("g", under...))
	d.put(trackLayer, view.El("g", tracks...))
	d.put(markLayer, view.El("g", marks...))
}

func (d *dense) drawBatch(list []*attemptStory) *batch {
	outside := d.sheet.spots
	d.sheet.spots = nil
	b := &batch{bars: map[outcome]*path{}}
	for _, o := range outcomes {
		b.bars[o] = &path{}
	}
	d.batch = b
	for _, a := range list {
		if d.shows(a) {
			d.attempt(a)
		}
	}
	b.spots, d.sheet.spots = d.sheet.spots, outside
	b.own = own(b.spots)
	under := append(b.queue.node("mt mt--queued", view.A("fill", "url(#p-queued)")), b.windows.node("pl-place")...)
	for _, o := range outcomes {
		fill := []any{view.A("fill", "url(#p-"+string(o)+")")}
		if o == succeeded || o == flight {
			fill = nil
		}
		under = append(under, b.bars[o].node("bar bar--"+string(o), fill...)...)
	}
	shapes := map[string]*path{} // looked up in the order of the shapes
	for _, sp := range b.own {
		paintOn(shapes, sp)
	}
	b.under, b.marks = view.El("g", under), view.El("g", shapeNodes(shapes))
	b.tracks = view.El("g", b.waits.node("dn dn--wait"), b.afters.node("dn dn--after"))
	return b
}
