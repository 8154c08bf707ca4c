package decision

import (
	"regexp"
	"testing"
)

var kebab = regexp.MustCompile(`^[a-z]+(-[a-z]+)*$`)

func TestNamesAreKebabCaseAndDifferent(t *testing.T) {
	seen := map[string]bool{}
	for _, n := range Names() {
		if !kebab.MatchString(n.String()) || seen[n.String()] {
			t.Errorf("name %d: %q", n, n)
		}
		seen[n.String()] = true
	}
	for _, r := range Reasons() {
		back, ok := ParseReason(r.String())
		if !kebab.MatchString(r.String()) || !ok || back != r {
			t.Errorf("reason %d: %q reads back as %q", r, r, back)
		}
	}
	if _, ok := ParseReason("none"); ok {
		t.Error("none is not a reason")
	}
}

// A copy of a receipt is a receipt of its own.
func TestReceiptsAreValues(t *testing.T) {
	var a Decision
	a.Add(Term{Name: Key, Value: 1})
	b := a
	b.Mark(Key, Decided)
	b.Add(Term{Name: Saved})
	if got, _ := a.Term(Key); got.Mark != Plain || len(a.Terms()) != 1 {
		t.Errorf("the copy changed the original: %+v", a.Terms())
	}
	for range MaxFlips + 3 {
		a.AddFlip(Flip{Name: Key})
	}
	if len(a.Flips()) != MaxFlips {
		t.Errorf("%d flips", len(a.Flips()))
	}
	if _, ok := a.Term(Script); ok {
		t.Error("found a row that is not there")
	}
}
