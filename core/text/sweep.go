package text

import (
	"strconv"
	"time"

	"retrylab.example/core/lesson"
)

// Sweep says on how many other seeds an answer holds, and the first on which it does not.
func (l Lang) Sweep(so *lesson.Swept) string {
	n, count := strconv.Itoa(so.Held), strconv.Itoa(so.Done)
	if !so.Failed {
		return l.Say("sweep.all", "count", count)
	}
	return l.Say("sweep.some", "n", n, "count", count, "seed", strconv.FormatUint(so.FailedSeed, 10))
}

// SweepNumbers says what a check measured on those seeds: the least, the middle and the greatest number; empty for a check
// that measures none.
func (l Lang) SweepNumbers(n *lesson.Numbers) string {
	if n.Of == 0 {
		return ""
	}
	show := number
	if n.Time {
		show = func(ns int64) string { return l.Seconds(time.Duration(ns)) }
	}
	return l.Say("sweep.numbers", "least", show(n.Least), "middle", show(n.Middle), "tenth", show(n.Tenth), "most", show(n.Most))
}
