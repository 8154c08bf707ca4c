package bulkhead

import "retrylab.example/core/rows"

// Write writes the tasks, a line for each: those that run, then those that wait, in their order. The setting is not
// written.
func (b Bulkhead) Write(w *rows.Writer) {
	w.Row("places")
	w.Uint(b.issued)
	for i := range b.running {
		b.running[i].write(w, "running")
	}
	for i := range b.queued {
		b.waiting(i).write(w, "queued")
	}
}

func (t *Task) write(w *rows.Writer, kind string) {
	w.Row(kind)
	w.Uint(t.Serial)
	w.Int(int64(t.Submitted))
	w.Int(int64(t.Leaves))
	w.Int(int64(t.Started))
	w.Bool(t.Left)
}

// Read returns the bulkhead with what is read from lines of Write; only of an empty one that makes sense.
func (b Bulkhead) Read(r *rows.Reader) Bulkhead {
	r.Need("places")
	b.issued = r.Uint()
	r.Next()
	for r.Is("running") {
		if t, ok := b.readTask(r, len(b.running) < b.config.Running); ok {
			b.running = append(b.running, t)
		}
	}
	for r.Is("queued") {
		if t, ok := b.readTask(r, b.queued < b.config.Queue && len(b.running) == b.config.Running); ok {
			b.push(t)
		}
	}
	return b
}

func (b *Bulkhead) readTask(r *rows.Reader, room bool) (Task, bool) {
	t := Task{Serial: r.Uint(), Submitted: r.Instant(), Leaves: r.Instant(), Started: r.Instant(), Left: r.Bool()}
	switch {
	case !room:
		r.Fault("there is no place for this task")
	case t.Serial == 0 || t.Serial > b.issued || b.find(t.Serial) != nil:
		r.Fault("there is no task of that number, or there is another")
	}
	r.Next()
	return t, r.Err() == nil
}

// Has reports whether a task of that number runs or waits.
func (b Bulkhead) Has(serial uint64) bool { return b.find(serial) != nil }

// Runs reports whether a task of that number has a place.
func (b Bulkhead) Runs(serial uint64) bool { return find(b.running, serial) >= 0 }
