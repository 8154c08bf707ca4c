package sim

import (
	"cmp"
	"slices"
	"testing"

	"retrylab.example/core/clock"
)

// The heap against a list that is sorted anew each time: by instant, arrivals first, then the order of making.
func FuzzQueue(f *testing.F) {
	f.Add([]byte{})
	f.Add([]byte{0, 0, 0, 128, 128, 128})
	f.Add([]byte{9, 8, 7, 6, 5, 4, 3, 2, 1, 128, 64, 128, 65, 128})
	f.Add([]byte{1, 64, 1, 64, 1, 64, 128, 1, 128, 1, 128})
	f.Fuzz(func(t *testing.T, data []byte) {
		var heap queue
		var list []item
		for i, b := range data {
			if b < 128 {
				it := heap.push(clock.Instant(b%8), order(b>>6), workEnds, i)
				it.job = uint64(i)
				list = append(list, *it)
			} else if heap.len() > 0 {
				if first, want := *heap.first(), heap.items[heap.heap[0].slot]; first != want {
					t.Fatalf("step %d: first %+v, want %+v", i, first, want)
				}
				slot := heap.take()
				got := heap.items[slot]
				heap.release(slot)
				slices.SortFunc(list, func(a, b item) int {
					return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.order, b.order), cmp.Compare(a.job, b.job))
				})
				if want := list[0]; got != want {
					t.Fatalf("step %d: got %+v, want %+v", i, got, want)
				}
				list = list[1:]
			}
			if heap.len() != len(list) {
				t.Fatalf("step %d: got %d items, want %d", i, heap.len(), len(list))
			}
		}
	})
}
