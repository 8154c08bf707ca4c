package lesson

import (
	"strings"
	"testing"
)

// A text that is missing or empty is a gap of its language; the lesson can be looked at all the same.
func TestGaps(t *testing.T) {
	base := readFile(t, "testdata/base.json")
	whole := Inspect("base.json", []byte(base))
	if n := len(whole.Gaps()); n != 0 || len(whole.Faults()) > 0 {
		t.Fatalf("the base has %d gaps and these faults: %v", n, whole.Faults())
	}
	lang := whole.Lesson.Languages[0]
	text, _ := whole.Lesson.Title.In(lang)
	at := whole.Root.Find("/title/" + lang)
	for _, edit := range []string{at.Replace(`" "`).Apply(base), at.Remove().Apply(base)} {
		r := Inspect("base.json", []byte(edit))
		if got := r.Gaps(); len(got) != 1 || got[0] != (Gap{lang, "/title"}) {
			t.Errorf("without the title %q the gaps are %v", text, got)
		}
		if r.Lesson.Steps[0].ID != whole.Lesson.Steps[0].ID {
			t.Error("a lesson with a gap has no steps")
		}
	}
}

// A proof counts what it has shown, step by step.
func TestProofCounts(t *testing.T) {
	r := Inspect("base.json", []byte(readFile(t, "testdata/base.json")))
	for i := range r.Lesson.Steps {
		s, p := &r.Lesson.Steps[i], r.Prove(i)
		if p.Step != s.ID || p.Plays != s.Plays() || p.Plays && !(p.Start && p.Solution && p.Wrong == len(s.Wrong)) || len(p.Faults) > 0 {
			t.Errorf("step %s: %+v", s.ID, p)
		}
		if want := HiddenSeeds; p.Plays && s.Scenario.NeedsDraw(s.Solution.Inputs) != (p.Seeds == want) {
			t.Errorf("step %s was tried on %d seeds", s.ID, p.Seeds)
		}
	}
}

// What is no JSON has a fault and no root, and never a panic.
func TestInspectNoLesson(t *testing.T) {
	for _, text := range []string{"", "{", "[]", "1", strings.Repeat("[", 10_000), `{"__proto__": {"x": 1}, "steps": [{"id": "a/b"}]}`} {
		r := Inspect("x.json", []byte(text))
		if len(r.Faults()) == 0 {
			t.Errorf("%.20q has no fault", text)
		}
	}
}
