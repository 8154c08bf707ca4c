package partner

import (
	"slices"

	"retrylab.example/core/decision"
	"retrylab.example/core/event"
	"retrylab.example/core/limit"
	"retrylab.example/core/rows"
)

// maxTotal bounds a total that is read: far more than requests can add up to, and no sum with an amount wraps.
const maxTotal = 1 << 62

// Write writes all that the partner knows but its setting, from which New makes an empty one for Read.
func (p *Partner) Write(w *rows.Writer) {
	w.Row("partner")
	w.Int(p.total)
	w.Int(int64(p.effects))
	w.Int(int64(p.keyless))
	w.Int(int64(p.unrecorded))
	w.Uint(p.begun)
	p.limiter.write(w)
	w.Row("rate")
	p.rate.Write(w)
	p.ledger.Write(w)
	p.capacity.Write(w)
	p.book.write(w)
	for i := range p.jobs {
		p.jobs[i].write(w)
	}
}

// Read returns a partner of a setting with what is read from lines of Write. It holds every invariant of Check, or the
// reader has a fault.
func Read(c Config, r *rows.Reader) (Partner, error) {
	p, err := New(c)
	if err != nil {
		return Partner{}, err
	}
	r.Need("partner")
	p.total = r.Int(-maxTotal, maxTotal)
	p.effects, p.keyless, p.unrecorded = r.Count(), r.Count(), r.Count()
	p.begun = r.Uint()
	r.Next()
	p.limiter.read(r)
	r.Need("rate")
	r.Next()
	p.rate = p.rate.Read(r)
	p.ledger = p.ledger.Read(r)
	p.capacity = p.capacity.Read(r)
	p.book.read(r)
	for r.Is("job") {
		p.readJob(r)
	}
	if r.Err() == nil {
		if err := p.Check(); err != nil {
			r.Fault("the state above contradicts itself: " + err.Error())
		}
	}
	return p, r.Err()
}

var kindNames = [...]string{"none", "sliding-log", "fixed-window", "token-bucket", "gcra", "concurrency"}

func parseKind(name string) (kind, bool) {
	i := slices.Index(kindNames[:], name)
	return kind(max(i, 0)), i >= 0
}

// write writes which limiter it is, and its state. The setting of a sliding log may have been changed, so it is written.
func (l *limiter) write(w *rows.Writer) {
	w.Row("limiter")
	w.Text(kindNames[l.kind])
	switch l.kind {
	case slidingLog:
		c := l.log.Config()
		w.Int(int64(c.Limit))
		w.Int(int64(c.Window))
		l.log.Write(w)
	case fixedWindow:
		l.fixed.Write(w)
	case tokenBucket:
		l.bucket.Write(w)
	case cellRate:
		l.gcra.Write(w)
	case concurrency:
		l.slots.Write(w)
	}
}

func (l *limiter) read(r *rows.Reader) {
	r.Need("limiter")
	k := rows.One(r, parseKind)
	if k == slidingLog {
		c := l.log.Config()
		c.Limit, c.Window = int(r.Int(1, rows.MaxCount)), r.Duration()
		if c.Window <= 0 {
			r.Fault("a window is longer than nothing")
		}
		l.kind, l.log = k, l.log.With(c)
	}
	if k != l.kind {
		r.Fault("the partner has another limiter")
	}
	r.Next()
	switch l.kind {
	case slidingLog:
		l.log = l.log.Read(r)
	case fixedWindow:
		l.fixed = l.fixed.Read(r)
	case tokenBucket:
		l.bucket = l.bucket.Read(r)
	case cellRate:
		l.gcra = l.gcra.Read(r)
	case concurrency:
		l.slots = l.slots.Read(r)
	}
}

func (b *book) write(w *rows.Writer) {
	w.Row("slots")
	w.Int(b.issued)
	for _, n := range b.waiting {
		w.Int(n)
	}
	for _, v := range b.made {
		w.Row("reservation")
		w.Int(v.id)
		w.Text(v.by)
		w.Int(v.slot)
		w.Int(v.amount)
	}
	for i := range b.line {
		w.Row("line")
		w.Request(&b.line[i])
	}
}

func (b *book) read(r *rows.Reader) {
	r.Need("slots")
	b.issued = r.Int(0, rows.MaxCount)
	for i := range b.waiting {
		b.waiting[i] = r.Int(0, maxTotal)
	}
	r.Next()
	for last := int64(0); r.Is("reservation"); {
		v := reservation{
			id: r.Int(last+1, max(b.issued, last+1)), by: r.Text(1000), slot: r.Int(1, int64(len(b.taken))),
			amount: r.Int(1, MaxAmount),
		}
		if r.Next(); r.Err() != nil {
			return
		}
		if v.id > b.issued {
			r.Fault("there was no reservation of that number")
			return
		}
		last = v.id
		b.taken[v.slot-1] += v.amount
		b.made = append(b.made, v)
	}
	for r.Is("line") {
		q := r.Request()
		if q.Slot < 1 || q.Slot > int64(len(b.taken)) || q.Amount < 1 || q.Amount > MaxAmount {
			r.Fault("nobody can wait for that")
			return
		}
		r.Next()
		b.line = append(b.line, q)
	}
}

func (j *pending) write(w *rows.Writer) {
	w.Row("job")
	w.Uint(j.serial)
	w.Uint(j.draw)
	w.Uint(j.task)
	w.Bool(j.keyed)
	w.Uint(j.ticket.Serial())
	w.Bool(j.listens)
	j.permit.Write(w)
	w.Request(&j.request)
	j.fate.Write(w)
	w.Decision(&j.answer)
}

// Write adds the values of a fate to a line.
func (f *Fate) Write(w *rows.Writer) {
	w.Text(f.Fault.String())
	w.Int(int64(f.Delay))
	w.Response(&f.Response)
}

// ReadFate reads the values of a fate.
func ReadFate(r *rows.Reader) Fate {
	return Fate{Fault: rows.One(r, parseFault), Delay: r.Duration(), Response: r.Response()}
}

func parseFault(name string) (event.Fault, bool) {
	if name == event.NoFault.String() {
		return event.NoFault, true
	}
	return event.ParseFault(name)
}

// maxJobs bounds the work under way that is read.
const maxJobs = 10_000

func (p *Partner) hasJob(serial, task uint64) bool {
	for i := range p.jobs {
		if p.jobs[i].serial == serial || task != 0 && p.jobs[i].task == task {
			return true
		}
	}
	return false
}

// readJob reads one job, whose request must be one that the partner works on.
func (p *Partner) readJob(r *rows.Reader) {
	var j pending
	j.serial, j.draw, j.task, j.keyed = r.Uint(), r.Uint(), r.Uint(), r.Bool()
	ticket := r.Uint()
	j.listens = r.Bool()
	j.permit = limit.ReadPermit(r)
	j.request = r.Request()
	j.fate = ReadFate(r)
	route, reason := p.book.route(&j.request)
	j.route = route
	var issued bool
	j.ticket, issued = p.ledger.TicketOf(j.request, ticket)
	switch {
	case reason != decision.NoReason:
		r.Fault("nobody works on such a request")
	case j.serial == 0 || j.serial > p.begun || p.hasJob(j.serial, j.task) || len(p.jobs) == maxJobs:
		r.Fault("there is no work of that number, or there is another")
	case p.config.Capacity.Running > 0 && !p.capacity.Has(j.task), p.config.Capacity.Running == 0 && j.task != 0:
		r.Fault("the work has no place")
	case !issued:
		r.Fault("there was no execution of that number")
	case j.keyed && !j.request.HasKey():
		r.Fault("the request has no key")
	}
	r.Next()
	j.answer = r.Decision()
	if r.Err() == nil {
		p.jobs = append(p.jobs, j)
	}
}

// Job returns whose request a job is about, by the client's number, and whether it runs rather than waits for a place.
func (p *Partner) Job(serial uint64) (client int, runs, ok bool) {
	for i := range p.jobs {
		if j := &p.jobs[i]; j.serial == serial {
			return j.request.Client, j.task == 0 || p.capacity.Runs(j.task), true
		}
	}
	return 0, false, false
}
