package lesson

import (
	"slices"

	"retrylab.example/core/event"
)

// MaxSeeds bounds on how many seeds an answer is tried.
const MaxSeeds = 10_000

// Sweep tries an answer on many seeds that are not shown, a few at a time. Use Step.Sweep.
type Sweep struct {
	step   *Step
	answer Answer
	room   []event.Event
	// Count is on how many seeds it is tried in all, Done on how many so far, and Held on how many of those it held.
	Count, Done, Held int
	// FailedSeed is the first on which it does not hold; Failed says whether there is one.
	FailedSeed uint64
	Failed     bool
	// Numbers are what the checks measured, in the order of the step's checks; of one that measures no number it is empty.
	Numbers []Numbers
}

// Numbers is what a check measured on the seeds so far.
type Numbers struct {
	// Time says that they are durations in nanoseconds, and not counts.
	Time   bool
	values []int64
}

// Len returns on how many seeds there was a number.
func (n *Numbers) Len() int { return len(n.values) }

// At returns the number below which so many per cent of them lie, 0 for the least and 100 for the greatest; 0 where there
// is none.
func (n *Numbers) At(percent int) int64 {
	if len(n.values) == 0 {
		return 0
	}
	sorted := slices.Clone(n.values)
	slices.Sort(sorted)
	return sorted[(len(sorted)-1)*min(max(percent, 0), 100)/100]
}

// Sweep returns the trial of an answer on so many seeds, at most MaxSeeds. The first HiddenSeeds of them are those on which
// Grade tries it.
func (s *Step) Sweep(a Answer, count int) *Sweep {
	return &Sweep{step: s, answer: a, Count: min(max(count, 0), MaxSeeds), Numbers: make([]Numbers, len(s.Checks))}
}

// otherSeed returns a seed that is not shown, by its place from 0.
func (s *Step) otherSeed(i int) uint64 { return s.Scenario.Seed + 1 + uint64(i)*7919 }

// Run tries so many further seeds, and reports whether any are left.
func (w *Sweep) Run(n int) bool {
	for ; n > 0 && w.Done < w.Count; n-- {
		seed := w.step.otherSeed(w.Done)
		var g Grade
		g, w.room = w.step.run(w.answer, seed, w.room)
		w.Done++
		if g.Solved {
			w.Held++
		} else if !w.Failed {
			w.FailedSeed, w.Failed = seed, true
		}
		for i := range w.step.Checks {
			w.measure(i)
		}
	}
	return w.Done < w.Count
}

// measure notes the number that a check measured in the last run.
func (w *Sweep) measure(i int) {
	j := w.step.Checks[i].Judge()
	for k := range w.room {
		j.Event(&w.room[k])
	}
	if value, isTime, ok := j.Number(); ok {
		w.Numbers[i].Time = isTime
		w.Numbers[i].values = append(w.Numbers[i].values, value)
	}
}

// Number returns what the check has measured so far where that is a number: a count, or a time in nanoseconds since the
// instant from which it counts.
func (j *Judge) Number() (value int64, isTime, ok bool) {
	switch j.check.Kind {
	case Count, Total:
		return j.before, false, true
	case Happens, Decided, FiredCheck, Injected:
		return j.times, false, true
	case StateCheck:
		return j.times, false, j.check.Of != circuitState
	case Ends, Starts:
		return int64(j.at), true, j.timed
	}
	return 0, false, false
}
