package text

import (
	"strings"
	"testing"

	"retrylab.example/core/codelab"
)

// TestCodeVerdicts: each code has a sentence in each language, which names what the verdict says.
func TestCodeVerdicts(t *testing.T) {
	for _, c := range codelab.Codes() {
		v := codelab.Verdict{Code: c, Yours: "YOURS", Wanted: "WANTED", Name: "NAME", Text: "TEXT", Line: 17, Number: 3, YoursAt: 5e8, WantedAt: 25e7, Cases: 309}
		for _, l := range Langs() {
			s := l.CodeVerdict(&v)
			for _, part := range mentioned(c) {
				if !strings.Contains(s, part) {
					t.Errorf("%s, %s: %q does not say %s", c, l, s, part)
				}
			}
		}
	}
	more := codelab.Verdict{Code: codelab.OtherCall, Yours: "sleep(1.0)", Number: 2, YoursAt: 5e8}
	if got, want := English.CodeVerdict(&more), "Call 2 of the world: yours is sleep(1.0) at 0.5\u00a0s, expected is nothing more."; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	less := codelab.Verdict{Code: codelab.OtherCall, Wanted: "sleep(1.0)", Number: 2, WantedAt: 5e8}
	if got, want := English.CodeVerdict(&less), "Call 2 of the world: yours does nothing more, expected is sleep(1.0) at 0.5\u00a0s."; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// mentioned is what the sentence of a code must hold.
func mentioned(c codelab.Code) []string {
	switch c {
	case codelab.Passed:
		return []string{"309"}
	case codelab.WrongValue, codelab.NotRaised:
		return []string{"YOURS", "WANTED"}
	case codelab.Raised, codelab.OtherRaised:
		return []string{"YOURS", "WANTED", "TEXT", "17"}
	case codelab.OtherCall:
		return []string{"YOURS", "WANTED", "3", "0.5", "0.25"}
	case codelab.OtherVariable:
		return []string{"YOURS", "WANTED", "NAME"}
	case codelab.Shared, codelab.NotDefined, codelab.RealTime, codelab.NoModule, codelab.NoFunction:
		return []string{"NAME"}
	case codelab.Syntax, codelab.LoadRaised:
		return []string{"17", "TEXT"}
	case codelab.TooMuchMemory, codelab.TooDeep, codelab.TooMuchOutput, codelab.TooManyCalls:
		return []string{"17"}
	}
	return nil // TooLong and Crashed know nothing more
}
