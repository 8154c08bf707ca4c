package bulkhead

// push puts a task at the end of the queue. The ring grows to the length of the queue and no further.
func (b *Bulkhead) push(t Task) {
	if b.queued == len(b.queue) {
		grown := make([]Task, min(max(2*len(b.queue), 4), b.config.Queue))
		for i := range b.queued {
			grown[i] = *b.waiting(i)
		}
		b.queue, b.head = grown, 0
	}
	b.queued++
	*b.waiting(b.queued - 1) = t
}

// pop takes the first task out of the queue.
func (b *Bulkhead) pop() Task {
	t := *b.waiting(0)
	b.head = (b.head + 1) % len(b.queue)
	b.queued--
	return t
}

// waiting returns the i-th task in the queue.
func (b *Bulkhead) waiting(i int) *Task { return &b.queue[(b.head+i)%len(b.queue)] }

// find returns the task of that number, running or waiting, or nil.
func (b *Bulkhead) find(serial uint64) *Task {
	if i := find(b.running, serial); i >= 0 {
		return &b.running[i]
	}
	for i := range b.queued {
		if t := b.waiting(i); t.Serial == serial {
			return t
		}
	}
	return nil
}

// find returns the place of a task, −1 for none.
func find(tasks []Task, serial uint64) int {
	for i := range tasks {
		if tasks[i].Serial == serial {
			return i
		}
	}
	return -1
}
