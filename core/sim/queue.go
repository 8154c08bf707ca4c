package sim

import (
	"retrylab.example/core/call"
	"retrylab.example/core/clock"
)

// item is something due at an instant.
type item struct {
	at    clock.Instant
	order order
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
	connectionRefused
	connectionBreaks
	replyBreaksOff
	workEnds
	attemptTimesOut
	waitEnds
	pollDue
	callerLeaves
	noticeArrives
)

// queue holds what is due: a binary heap of small keys, and the items in slots that stay where they are, so that keeping
// the order moves no item. Slots of items that are over are used again.
type queue struct {
	heap  []key
	items []item
	free  []int32
}

// key is an item's place in the order of what is due: by instant, then by order, then by making.
type key struct {
	at   clock.Instant
	rank uint64 // the order in the upper bits, below it the number of the making
	slot int32
}

const orderBit = 60

func (a key) before(b key) bool { return a.at < b.at || a.at == b.at && a.rank < b.rank }

func (q *queue) clone() queue {
	return queue{
		heap: append([]key(nil), q.heap...), items: append([]item(nil), q.items...), free: append([]int32(nil), q.free...),
	}
}

func (q *queue) len() int { return len(q.heap) }

// first returns the item that is due first.
func (q *queue) first() *item { return &q.items[q.heap[0].slot] }

// push adds an item, the made-th of all, and returns it, to be filled in where it is before the next push. Only what the
// slot's last item carried is cleared, as most items carry nothing but their request.
func (q *queue) push(at clock.Instant, o order, kind itemKind, made int) *item {
	slot := int32(len(q.items))
	if n := len(q.free); n > 0 {
		slot, q.free = q.free[n-1], q.free[:n-1]
	} else {
		q.items = append(q.items, item{})
	}
	it := &q.items[slot]
	switch it.kind {
	case requestArrives:
		it.mishap = Mishap{}
	case replyArrives, replyBreaksOff:
		it.response = call.Response{}
	}
	it.at, it.order, it.kind, it.job = at, o, kind, 0
	q.sift(key{at, uint64(o)<<orderBit | uint64(made), slot})
	return it
}

// sift puts a key into the heap.
func (q *queue) sift(k key) {
	q.heap = append(q.heap, k)
	i := len(q.heap) - 1
	for i > 0 {
		parent := (i - 1) / 2
		if !k.before(q.heap[parent]) {
			break
		}
		q.heap[i] = q.heap[parent]
		i = parent
	}
	q.heap[i] = k
}

// take takes the item that is due first out of the order. Its slot stays as it is, whatever is pushed, until release.
func (q *queue) take() (slot int32) {
	slot = q.heap[0].slot
	last := len(q.heap) - 1
	k := q.heap[last]
	q.heap = q.heap[:last]
	if last == 0 {
		return slot
	}
	i := 0
	for {
		child := 2*i + 1
		if child >= last {
			break
		}
		if child+1 < last && q.heap[child+1].before(q.heap[child]) {
			child++
		}
		if !q.heap[child].before(k) {
			break
		}
		q.heap[i] = q.heap[child]
		i = child
	}
	q.heap[i] = k
	return slot
}

// release gives back the slot of an item that is over.
func (q *queue) release(slot int32) { q.free = append(q.free, slot) }
