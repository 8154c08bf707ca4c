package lesson

import (
	"reflect"
	"slices"
	"strings"
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
			so := w.So()
			if so.Done != 30 || so.Held != held || so.Failed != (len(failed) > 0) || so.Failed && so.FailedSeed != failed[0] {
				t.Errorf("%s: %d of %d hold, first failing %d; one by one %d hold, failing %v", s.ID, so.Held, so.Done, so.FailedSeed, held, failed)
			}
			for k := range so.Numbers {
				n := &so.Numbers[k]
				if n.Of > 30 || n.Least > n.Middle || n.Middle > n.Tenth || n.Tenth > n.Most || n.Of > 0 && !slices.Contains(w.values[k], n.Middle) {
					t.Errorf("%s: the numbers of check %d are %+v", s.ID, k, n)
				}
			}
			trial(t, s, a, so)
		}
	}
	if w := l.Steps[1].Sweep(Answer{}, -1); w.Run(1) || w.So().Done != 0 {
		t.Error("on no seed something was tried")
	}
}

// trial holds that a worker, which gets the trial as a message, finds the same.
func trial(t *testing.T, s *Step, a Answer, want Swept) {
	t.Helper()
	w, err := ReadTrial(s.WriteTrial(a, 30))
	if s.Kind == Predict { // there the answer has a prediction, of which no trial is made
		return
	}
	if err != nil {
		t.Fatalf("%s: %v", s.ID, err)
	}
	w.Run(30)
	if got := w.So(); !reflect.DeepEqual(got, want) {
		t.Errorf("%s: the worker finds %+v, want %+v", s.ID, got, want)
	}
}

// A message that is no trial says what is wrong with it.
func TestBadTrials(t *testing.T) {
	l := base(t)
	good := string(l.Steps[1].WriteTrial(l.Steps[1].Solution, 10))
	for _, bad := range []string{"", "{}", good[:len(good)-2], strings.Replace(good, `"count":10`, `"count":100000`, 1),
		strings.Replace(good, `"kind"`, `"kid"`, 1)} {
		if _, err := ReadTrial([]byte(bad)); err == nil {
			t.Errorf("%.60q is taken for a trial", bad)
		}
	}
}
