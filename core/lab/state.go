package lab

import (
	"fmt"
	"slices"

	"retrylab.example/core/ledger"
	"retrylab.example/core/partner"
	"retrylab.example/core/rows"
)

// Format is the version of a snapshot.
const Format = 1

// MaxState is the longest snapshot that is read, in bytes.
const MaxState = 64 << 20

// State returns the whole state as lines of JSON, a snapshot: Read makes the same lab of it.
func (l *Lab) State() []byte {
	var w rows.Writer
	w.Row("lab")
	w.Int(Format)
	w.Int(int64(l.now))
	w.Int(int64(l.sweeps))
	w.Int(l.arrivals)
	w.Int(int64(l.scripted))
	w.Int(int64(l.seq))
	w.Uint(l.made)
	w.Row("totals")
	t := &l.totals
	for _, n := range [...]int{t.Sent, t.Arrived, t.Applied, t.Replayed, t.Refused, t.Duplicates, t.Calls} {
		w.Int(int64(n))
	}
	w.Int(t.Naive)
	w.Int(t.Deduped)
	w.Int(t.Actual)
	l.partner.Write(&w)
	for _, k := range l.working {
		w.Row("working")
		w.Uint(k.job)
		w.Int(k.arrival)
	}
	for i := range l.due {
		d := &l.due[i]
		w.Row("due")
		w.Int(int64(d.at))
		w.Uint(d.made)
		w.Uint(d.job)
		w.Request(&d.request)
		w.Response(&d.response)
	}
	for i := range l.keyed {
		l.keyed[i].write(&w, "keyed")
	}
	for i := range l.clients {
		l.clients[i].write(&w)
	}
	return w.Bytes()
}

func (e *effort) write(w *rows.Writer, kind string) {
	w.Row(kind)
	w.Request(&e.request)
	w.Int(int64(e.effects))
	w.Bool(e.counts)
	w.Text(stateNames[e.state])
	w.Int(int64(e.arrived))
	w.Int(int64(e.answered))
	w.Int(int64(e.until))
	w.Int(int64(e.seq))
	w.Int(int64(e.status))
}

func (c *client) write(w *rows.Writer) {
	w.Row("client")
	w.Text(c.id)
	w.Int(int64(c.requests))
	w.Int(int64(c.calls))
	w.Int(int64(c.seen.retries))
	for _, i := range c.keyed {
		w.Int(int64(i))
	}
	for i := range c.open {
		c.open[i].write(w, "open")
	}
	for i := range c.seen.tallies {
		t := &c.seen.tallies[i]
		w.Row("check")
		w.Int(int64(t.chances))
		w.Int(int64(t.faults))
		for _, p := range t.proofs {
			w.Int(int64(p.Before))
			w.Int(int64(p.Seq))
			w.Int(int64(p.At))
			w.Int(int64(p.Waited))
			w.Int(int64(p.Asked))
			w.Int(int64(p.Attempt))
			w.Int(int64(p.Status))
		}
	}
	for i := range c.seen.waits {
		s := &c.seen.waits[i]
		w.Row("waits")
		w.Int(int64(s.count))
		w.Int(int64(s.least))
		w.Int(int64(s.most))
		w.Int(int64(s.sum))
	}
}

// Read returns the lab that State wrote down. c is what it began with. It holds every invariant, or there is an error that
// names the line and the value.
func Read(c Config, state []byte) (*Lab, error) {
	if len(state) > MaxState {
		return nil, fmt.Errorf("a snapshot has at most %d bytes, and this one has %d", MaxState, len(state))
	}
	l, err := New(c)
	if err != nil {
		return nil, err
	}
	r := rows.NewReader(state)
	l.readHead(r)
	p, err := partner.Read(c.Partner, r)
	if err != nil {
		return nil, err
	}
	l.partner = p
	for r.Is("working") {
		l.working = append(l.working, working{r.Uint(), r.Int(1, max(l.arrivals, 1))})
		r.Next()
	}
	for r.Is("due") {
		l.readDue(r)
	}
	for r.Is("keyed") {
		l.readKeyed(r)
	}
	for r.Is("client") {
		l.readClient(r)
	}
	r.End()
	if r.Err() == nil {
		l.connect(r)
	}
	return l, r.Err()
}

func (l *Lab) readHead(r *rows.Reader) {
	r.Need("lab")
	if n := r.Int(1, 1<<31); r.Err() == nil && n != Format {
		r.Fault(fmt.Sprintf("this is of a newer Retry Lab: format %d, and this one reads %d", n, Format))
	}
	l.now, l.sweeps, l.arrivals = r.Instant(), r.Instant(), r.Int(0, rows.MaxCount)
	l.scripted, l.seq, l.made = int(r.Int(0, int64(len(l.config.Script)))), r.Count(), r.Uint()
	r.Next()
	r.Need("totals")
	t := &l.totals
	for _, n := range [...]*int{&t.Sent, &t.Arrived, &t.Applied, &t.Replayed, &t.Refused, &t.Duplicates, &t.Calls} {
		*n = r.Count()
	}
	for _, n := range [...]*int64{&t.Naive, &t.Deduped, &t.Actual} {
		*n = r.Int(-1<<62, 1<<62)
	}
	r.Next()
}

func (l *Lab) readDue(r *rows.Reader) {
	d := due{at: r.Instant(), made: r.Uint(), job: r.Uint(), request: r.Request(), response: r.Response()}
	var last due
	if n := len(l.due); n > 0 {
		last = l.due[n-1]
	}
	switch {
	case d.made == 0 || d.made > l.made:
		r.Fault("nothing of that number became due")
	case d.at < last.at || d.at == last.at && d.made <= last.made:
		r.Fault("what is due is not in order")
	case len(l.due) >= 2*MaxWorking:
		r.Fault("too much is due")
	}
	r.Next()
	l.due = append(l.due, d)
}

func readEffort(r *rows.Reader) effort {
	e := effort{request: r.Request(), effects: r.Count(), counts: r.Bool(), state: rows.One(r, parseState)}
	e.arrived, e.answered, e.until = r.Instant(), r.Instant(), r.Instant()
	e.seq, e.status = r.Count(), int(r.Int(0, 999))
	r.Next()
	return e
}

func (l *Lab) readKeyed(r *rows.Reader) {
	e := readEffort(r)
	scope := ledger.ScopeOf(e.request)
	if _, known := l.keys[scope]; known || !e.request.HasKey() {
		r.Fault("the call above has no key, or that of another")
	}
	if r.Err() == nil {
		l.keys[scope] = len(l.keyed)
		l.keyed = append(l.keyed, e)
	}
}

func (l *Lab) readClient(r *rows.Reader) {
	c := client{id: r.Text(40), requests: r.Count(), calls: r.Count()}
	c.seen.retries = r.Count()
	for r.More() && len(c.keyed) < latest {
		c.keyed = append(c.keyed, int(r.Int(0, int64(len(l.keyed))-1)))
	}
	if _, known := l.index[c.id]; known {
		r.Fault("the client stands twice")
	}
	r.Next()
	for r.Is("open") && len(c.open) < latest {
		c.open = append(c.open, readEffort(r))
	}
	for i := range c.seen.tallies {
		c.seen.tallies[i].read(r)
	}
	for i := range c.seen.waits {
		r.Need("waits")
		c.seen.waits[i] = spread{count: r.Count(), least: r.Duration(), most: r.Duration(), sum: r.Duration()}
		r.Next()
	}
	if r.Err() == nil {
		l.index[c.id] = len(l.clients)
		l.clients = append(l.clients, c)
	}
}

func (t *tally) read(r *rows.Reader) {
	r.Need("check")
	t.chances, t.faults = r.Count(), r.Count()
	for r.More() && len(t.proofs) < keptProofs {
		t.proofs = append(t.proofs, Evidence{
			Before: r.Count(), Seq: r.Count(), At: r.Instant(), Waited: r.Duration(), Asked: r.Duration(),
			Attempt: r.Count(), Status: int(r.Int(0, 999)),
		})
	}
	r.Next()
}

// connect holds the parts of what was read against each other.
func (l *Lab) connect(r *rows.Reader) {
	waits := 0
	for i := range l.due {
		d := &l.due[i]
		if d.request.Client >= len(l.clients) {
			r.Fault("what is due is nobody's")
			return
		}
		if d.job != 0 {
			waits++
			if !slices.ContainsFunc(l.working, func(w working) bool { return w.job == d.job }) {
				r.Fault("work is due that nobody waits for")
				return
			}
		}
	}
	if err := l.Check(); err != nil {
		r.Fault(err.Error())
		return
	}
	running := 0
	for i, w := range l.working {
		client, runs, ok := l.partner.Job(w.job)
		same := func(o working) bool { return o.job == w.job }
		if !ok || client >= len(l.clients) || slices.ContainsFunc(l.working[:i], same) {
			r.Fault("work under way is not the partner's")
			return
		}
		due := slices.ContainsFunc(l.due, func(d due) bool { return d.job == w.job })
		if runs != due {
			r.Fault("work that runs ends at an instant, and other work does not")
			return
		}
		if runs {
			running++
		}
	}
	if waits != running {
		r.Fault("one work ends twice")
	}
}
