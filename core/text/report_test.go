package text

import (
	"strings"
	"testing"
	"time"

	"retrylab.example/core/lab"
)

// TestFindings: there is a sentence for each check and each verdict, with all of its parameters.
func TestFindings(t *testing.T) {
	for _, l := range Langs() {
		for _, c := range lab.Checks() {
			for _, v := range []lab.Verdict{lab.NotSeen, lab.Good, lab.Bad} {
				f := lab.Finding{Check: c, Verdict: v, Chances: 9, Faults: 3, Need: 5, Least: time.Second, Most: 2 * time.Second, Attempt: 2}
				for _, s := range []string{l.CheckName(c), l.LabVerdict(v), l.Finding(&f)} {
					if s == "" || strings.ContainsAny(s, "{}") {
						t.Errorf("%s: %s, %s: %q", l, c, v, s)
					}
				}
			}
		}
		for _, e := range []lab.Evidence{
			{Before: 3, Seq: 9, Attempt: 2, Waited: time.Second, Asked: 9 * time.Second, Status: 429},
			{Before: 3, Seq: 9, Attempt: 2, Waited: time.Millisecond, Status: 503}, {Before: 3, Seq: 9, Attempt: 5},
		} {
			if s := l.Evidence(&e); strings.ContainsAny(s, "{}") {
				t.Errorf("%s: %q", l, s)
			}
		}
	}
}
