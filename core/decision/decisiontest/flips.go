// Package decisiontest is what every mechanism's receipts must keep.
package decisiontest

import (
	"testing"

	"retrylab.example/core/decision"
)

// Told counts the flips that were told, by the reason of their decision and their name.
type Told map[string]int

// Flips asks a mechanism itself about each flip of a decision: with the value that it names the decision falls as it says,
// and with the nearest value on the other side it does not. ask decides with the flip's row at a value.
func Flips(t *testing.T, d decision.Decision, told Told, ask func(f decision.Flip, value int64) decision.Decision) {
	t.Helper()
	for _, f := range d.Flips() {
		told[d.Reason.String()+" "+f.Name.String()]++
		holds, not := f.Edge()
		if other := ask(f, holds); other.Verdict != f.Verdict || other.Reason != f.Reason {
			t.Errorf("%s: with %s %d it is %s %s, not %s %s", d.Reason, f.Name, holds, other.Verdict, other.Reason, f.Verdict, f.Reason)
		}
		if f.Bound == decision.Exactly {
			continue
		}
		if other := ask(f, not); other.Verdict == f.Verdict && other.Reason == f.Reason {
			t.Errorf("%s: already with %s %d it is %s", d.Reason, f.Name, not, f.Reason)
		}
	}
}

// Want wants each of these to have been told: a reason, a blank and a name.
func (told Told) Want(t *testing.T, all ...string) {
	t.Helper()
	for _, each := range all {
		if told[each] == 0 {
			t.Errorf("%s was never told: %v", each, told)
		}
	}
}
