package text

import (
	"strconv"
	"time"

	"retrylab.example/core/lesson"
)

// Sweep says on how many other seeds an answer holds, and the first on which it does not.
func (l Lang) Sweep(w *lesson.Sweep) string {
	n, count := strconv.Itoa(w.Held), strconv.Itoa(w.Done)
	if !w.Failed {
		return l.Say("sweep.all", "count", count)
	}
	return l.Say("sweep.some", "n", n, "count", count, "seed", strconv.FormatUint(w.FailedSeed, 10))
}

// SweepNumbers says what a check measured on those seeds: the least, the middle and the greatest number; empty for a check
// that measures none.
func (l Lang) SweepNumbers(n *lesson.Numbers) string {
	if n.Len() == 0 {
		return ""
	}
	show := func(percent int) string {
		if n.Time {
			return l.Seconds(time.Duration(n.At(percent)))
		}
		return number(n.At(percent))
	}
	return l.Say("sweep.numbers", "least", show(0), "middle", show(50), "tenth", show(90), "most", show(100))
}
