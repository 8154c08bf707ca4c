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

// TestNamesAreReadBack: what writes a name has one that reads it.
func TestNamesAreReadBack(t *testing.T) {
	for _, n := range Names() {
		if got, ok := ParseName(n.String()); !ok || got != n {
			t.Errorf("the row %q is read as %q", n, got)
		}
	}
	for _, v := range append(Verdicts(), NoVerdict) {
		if got, ok := ParseVerdict(v.String()); !ok || got != v {
			t.Errorf("the verdict %q is read as %q", v, got)
		}
	}
	for m := Plain; m <= Off; m++ {
		if got, ok := ParseMark(m.String()); !ok || got != m {
			t.Errorf("the mark %q is read as %q", m, got)
		}
	}
	for b := AtLeast; b <= Exactly; b++ {
		if got, ok := ParseBound(b.String()); !ok || got != b {
			t.Errorf("the bound %q is read as %q", b, got)
		}
	}
	if _, ok := ParseName("nothing"); ok {
		t.Error("a row that there is not is read")
	}
}
