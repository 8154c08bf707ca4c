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
	so     Swept
	values [][]int64 // of each check
}

// Swept is what came of an answer on many seeds so far.
type Swept struct {
	// Count is on how many seeds it is tried in all, Done on how many so far, and Held on how many of those it held.
	Count int `json:"count"`
	Done  int `json:"done"`
	Held  int `json:"held"`
	// FailedSeed is the first on which it does not hold; Failed says whether there is one.
	FailedSeed uint64 `json:"failedSeed"`
	Failed     bool   `json:"failed"`
	// Numbers are what the checks measured, in the order of the step's checks.
	Numbers []Numbers `json:"numbers"`
}

// Numbers is what a check measured: the least number, that up to which half of them lie, that up to which nine in ten do,
// and the greatest.
type Numbers struct {
	// Of is on how many seeds there was a number, 0 for a check that measures none.
	Of int `json:"of"`
	// Time says that they are durations in nanoseconds, and not counts.
	Time   bool  `json:"time,omitempty"`
	Least  int64 `json:"least"`
	Middle int64 `json:"middle"`
	Tenth  int64 `json:"tenth"`
	Most   int64 `json:"most"`
}

// Sweep returns the trial of an answer on so many seeds, at most MaxSeeds. The first HiddenSeeds of them are those on which
// Grade tries it.
func (s *Step) Sweep(a Answer, count int) *Sweep {
	w := &Sweep{step: s, answer: a, values: make([][]int64, len(s.Checks))}
	w.so.Count, w.so.Numbers = min(max(count, 0), MaxSeeds), make([]Numbers, len(s.Checks))
	return w
}

// So returns what came of it so far.
func (w *Sweep) So() Swept {
	so := w.so
	so.Numbers = slices.Clone(so.Numbers)
	for i := range so.Numbers {
		n, v := &so.Numbers[i], w.values[i]
		if n.Of = len(v); n.Of == 0 {
			continue
		}
		slices.Sort(v)
		at := func(percent int) int64 { return v[(len(v)-1)*percent/100] }
		n.Least, n.Middle, n.Tenth, n.Most = at(0), at(50), at(90), at(100)
	}
	return so
}

// otherSeed returns a seed that is not shown, by its place from 0.
func (s *Step) otherSeed(i int) uint64 { return s.Scenario.Seed + 1 + uint64(i)*7919 }

// Run tries so many further seeds, and reports whether any are left.
func (w *Sweep) Run(n int) bool {
	so := &w.so
	for ; n > 0 && so.Done < so.Count; n-- {
		seed := w.step.otherSeed(so.Done)
		var g Grade
		g, w.room = w.step.run(w.answer, seed, w.room)
		so.Done++
		if g.Solved {
			so.Held++
		} else if !so.Failed {
			so.FailedSeed, so.Failed = seed, true
		}
		for i := range w.step.Checks {
			w.measure(i)
		}
	}
	return so.Done < so.Count
}

// measure notes the number that a check measured in the last run.
func (w *Sweep) measure(i int) {
	j := w.step.Checks[i].Judge()
	for k := range w.room {
		j.Event(&w.room[k])
	}
	if value, isTime, ok := j.Number(); ok {
		w.so.Numbers[i].Time = isTime
		w.values[i] = append(w.values[i], value)
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
