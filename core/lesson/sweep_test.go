package lesson

import (
	"slices"
	"testing"
)

// On many seeds an answer holds or fails as on each by itself, however few are tried at a time; the first that fails is
// really the first, and the numbers are those that the checks measured.
func TestSweep(t *testing.T) {
	l := base(t)
	for i := range l.Steps {
		s := &l.Steps[i]
		if !s.Plays() {
			continue
		}
		answers := []Answer{s.Solution}
		for _, w := range s.Wrong {
			answers = append(answers, w.Answer)
		}
		for _, a := range answers {
			w := s.Sweep(a, 30)
			for w.Run(7) {
			}
			held, failed := 0, []uint64{}
			for k := range 30 {
				if g, _ := s.run(a, s.otherSeed(k), nil); g.Solved {
					held++
				} else {
					failed = append(failed, s.otherSeed(k))
				}
			}
			if w.Done != 30 || w.Held != held || w.Failed != (len(failed) > 0) || w.Failed && w.FailedSeed != failed[0] {
				t.Errorf("%s: %d of %d hold, first failing %d; one by one %d hold, failing %v", s.ID, w.Held, w.Done, w.FailedSeed, held, failed)
			}
			for k := range w.Numbers {
				n := &w.Numbers[k]
				if n.Len() > 30 || n.At(0) > n.At(50) || n.At(50) > n.At(100) || n.Len() > 0 && !slices.Contains(n.values, n.At(50)) {
					t.Errorf("%s: the numbers of check %d are %+v", s.ID, k, n)
				}
			}
		}
	}
	if w := l.Steps[1].Sweep(Answer{}, -1); w.Run(1) || w.Done != 0 {
		t.Error("on no seed something was tried")
	}
}
