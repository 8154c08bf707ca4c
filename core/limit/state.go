package limit

import (
	"time"

	"retrylab.example/core/clock"
	"retrylab.example/core/rows"
)

// maxKey is the longest key that is read; a valid one has 40 bytes.
const maxKey = 1000

// Write writes what the log counts, a line for each key. Its setting is not written.
func (l Log) Write(w *rows.Writer) {
	for _, e := range l.history {
		w.Row("log")
		w.Text(e.key)
		for _, at := range e.times {
			w.Int(int64(at))
		}
	}
}

// Read returns the log with what is read from lines of Write; only of an empty one that makes sense.
func (l Log) Read(r *rows.Reader) Log {
	l = l.With(l.config)
	for r.Is("log") {
		key := r.Text(maxKey)
		if l.Has(key) {
			r.Fault("the key stands twice")
			return l
		}
		e := entry{key: key}
		for last := clock.Start; r.More(); {
			last = clock.Instant(r.Int(int64(last), int64(clock.Max)))
			e.times = append(e.times, last)
		}
		if len(e.times) > l.config.Limit && !l.config.RecordRefused {
			r.Fault("more requests are counted than the limit admits")
			return l
		}
		r.Next()
		l.index[key] = len(l.history)
		l.history = append(l.history, e)
	}
	return l
}

// Write writes what the window counts, a line for each key. Its setting is not written.
func (f Fixed) Write(w *rows.Writer) {
	f.keys.write(w, "fixed", func(p *period) {
		w.Int(p.number)
		w.Int(int64(p.admitted))
	})
}

// Read returns the window with what is read from lines of Write.
func (f Fixed) Read(r *rows.Reader) Fixed {
	f.keys.read(r, "fixed", func() period {
		return period{number: r.Int(int64(clock.Min), int64(clock.Max)), admitted: int(r.Int(0, int64(f.config.Limit)))}
	})
	return f
}

// Write writes the tokens of each key, a line for each. The setting is not written.
func (b Bucket) Write(w *rows.Writer) {
	b.keys.write(w, "bucket", func(t *tokens) {
		w.Int(int64(t.last))
		w.Int(t.count)
		w.Uint(t.part)
	})
}

// Read returns the bucket with what is read from lines of Write.
func (b Bucket) Read(r *rows.Reader) Bucket {
	b.keys.read(r, "bucket", func() tokens {
		t := tokens{last: r.Instant(), count: r.Int(0, b.config.Capacity*Token), part: r.Uint()}
		if t.part >= uint64(b.config.Period) {
			r.Fault("that is more than a part of a period")
		}
		return t
	})
	return b
}

// Write writes the schedule of each key, a line for each. The setting is not written.
func (g GCRA) Write(w *rows.Writer) {
	g.keys.write(w, "gcra", func(s *schedule) {
		w.Int(int64(s.last))
		w.Int(int64(s.paid))
		w.Int(s.part)
	})
}

// Read returns the limiter with what is read from lines of Write.
func (g GCRA) Read(r *rows.Reader) GCRA {
	ahead, _ := g.config.intervals(g.config.Burst)
	g.keys.read(r, "gcra", func() schedule {
		return schedule{
			last: r.Instant(), paid: time.Duration(r.Int(0, int64(ahead))), part: r.Int(0, max(g.config.Limit-1, 0)),
		}
	})
	return g
}

// Write writes the places of each key, a line for each: their serial numbers, and then those that are free, the one that
// is used next last. The setting is not written.
func (c Concurrency) Write(w *rows.Writer) {
	w.Row("issued")
	w.Uint(c.issued)
	c.keys.write(w, "in-flight", func(s *slots) {
		w.Int(int64(len(s.serials)))
		for _, serial := range s.serials {
			w.Uint(serial)
		}
		for _, i := range s.free {
			w.Int(int64(i))
		}
	})
}

// Read returns the limiter with what is read from lines of Write.
func (c Concurrency) Read(r *rows.Reader) Concurrency {
	r.Need("issued")
	c.issued = r.Uint()
	r.Next()
	c.keys.read(r, "in-flight", func() slots { return readSlots(r, c.config.Limit, c.issued) })
	return c
}

func readSlots(r *rows.Reader, limit int, issued uint64) (s slots) {
	used := int(r.Int(0, int64(limit)))
	for range used {
		if !r.More() {
			break
		}
		serial := r.Uint()
		if serial > issued {
			r.Fault("there was no permit of that number")
		}
		if serial != 0 {
			s.taken++
		}
		s.serials = append(s.serials, serial)
	}
	listed := make([]bool, len(s.serials))
	for r.More() {
		i := int32(r.Int(0, int64(limit)))
		if int(i) >= len(s.serials) || s.serials[i] != 0 || listed[i] {
			r.Fault("that place is not free")
			return s
		}
		listed[i] = true
		s.free = append(s.free, i)
	}
	if len(s.serials) != used || s.taken+len(s.free) != used {
		r.Fault("not every place is taken or free")
	}
	return s
}

// Write adds the values of a permit to a line.
func (p Permit) Write(w *rows.Writer) {
	w.Text(p.key)
	w.Int(int64(p.slot))
	w.Uint(p.serial)
}

// ReadPermit reads the values of a permit.
func ReadPermit(r *rows.Reader) Permit {
	return Permit{key: r.Text(maxKey), slot: int32(r.Int(0, MaxInFlight)), serial: r.Uint()}
}

// write writes a line for each key, in the order in which the keys came.
func (t *table[T]) write(w *rows.Writer, kind string, state func(*T)) {
	for i := range t.rows {
		w.Row(kind)
		w.Text(t.rows[i].key)
		state(&t.rows[i].state)
	}
}

// read reads lines of write.
func (t *table[T]) read(r *rows.Reader, kind string, state func() T) {
	for r.Is(kind) {
		key := r.Text(maxKey)
		if t.has(key) {
			r.Fault("the key stands twice")
			return
		}
		one := state()
		r.Next()
		*t.at(key, one) = one
	}
}
