package sim

import (
	"retrylab.example/core/call"
	"retrylab.example/core/clock"
)

// item is something due at an instant.
type item struct {
	at    clock.Instant
	order order
	seq   int // of its making; breaks ties
	kind  itemKind
	// request is the attempt that it belongs to; response what a reply carries; mishap what befalls a request.
	request  call.Request
	response call.Response
	mishap   Mishap
	// job is the work that ends.
	job uint64
}

// order sorts what is due at one instant: a reply that arrives at the very end of its timeout counts.
type order uint8

const (
	arrival order = iota
	expiry
	leaving // of a caller: a call that ends at the very end of its patience counts
)

type itemKind uint8

const (
	requestArrives itemKind = iota
	replyArrives
	connectionBreaks
	replyBreaksOff
	workEnds
	attemptTimesOut
	waitEnds
	pollDue
	callerLeaves
)

func (a item) before(b item) bool {
	switch {
	case a.at != b.at:
		return a.at < b.at
	case a.order != b.order:
		return a.order < b.order
	}
	return a.seq < b.seq
}

// queue is a binary heap ordered by item.before.
type queue []item

func (q queue) clone() queue { return append(queue(nil), q...) }

func (q queue) push(it item) queue {
	q = append(q, it)
	i := len(q) - 1
	for i > 0 {
		parent := (i - 1) / 2
		if !q[i].before(q[parent]) {
			break
		}
		q[i], q[parent] = q[parent], q[i]
		i = parent
	}
	return q
}

func (q queue) pop() (item, queue) {
	first := q[0]
	last := len(q) - 1
	q[0] = q[last]
	q = q[:last]
	i := 0
	for {
		least := i
		for _, child := range [...]int{2*i + 1, 2*i + 2} {
			if child < last && q[child].before(q[least]) {
				least = child
			}
		}
		if least == i {
			return first, q
		}
		q[i], q[least] = q[least], q[i]
		i = least
	}
}
