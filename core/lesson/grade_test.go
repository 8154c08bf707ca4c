package lesson

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"retrylab.example/core/document"
	"retrylab.example/core/event"
)

func base(t *testing.T) *Lesson {
	l, err := Read("base.json", []byte(readFile(t, "testdata/base.json")))
	if err != nil {
		t.Fatal(err)
	}
	return &l
}

// A policy that meets its goals on the seed that is shown, and not on a hidden one, does not solve the step; the seed
// that fails can be opened and fails.
func TestPoliciesAreTriedOnHiddenSeeds(t *testing.T) {
	s := base(t).step("tune")
	if g, _ := s.Grade(s.Solution); !g.Solved || g.FailedSeed != 0 {
		t.Fatalf("the solution: solved %t, failed seed %d", g.Solved, g.FailedSeed)
	}
	s.Check("soon").Time = 3 * time.Second
	g, _ := s.Grade(s.Solution)
	for i, r := range g.Results {
		if r.State != Holds {
			t.Fatalf("the check %s does not hold on the seed that is shown", s.Checks[i].ID)
		}
	}
	if g.Solved || g.FailedSeed == 0 {
		t.Fatalf("solved %t, failed seed %d; want a hidden seed that fails", g.Solved, g.FailedSeed)
	}
	if opened, _ := s.run(s.Solution, g.FailedSeed, nil); opened.Solved {
		t.Errorf("opened, the seed %d does not fail", g.FailedSeed)
	}
	s.Kind = Play
	if g, _ := s.Grade(s.Solution); !g.Solved || g.FailedSeed != 0 {
		t.Errorf("a step that is only played: solved %t, failed seed %d; want it solved on its own seed", g.Solved, g.FailedSeed)
	}
}

// A step is not solved before its run is over, nor by a run that its bound stopped, nor by nothing.
func TestOnlyASettledRunSolves(t *testing.T) {
	s := base(t).step("total")
	g, events := s.Grade(s.Solution)
	if !g.Solved || !g.Settled {
		t.Fatalf("the solution: %+v", g)
	}
	if g := s.Judge(events, false, ""); g.Solved {
		t.Error("solved while something was due")
	}
	if g := s.Judge(nil, true, ""); g.Solved {
		t.Error("solved by nothing")
	}
	for n := range events {
		if g := s.Judge(events[:n], false, ""); g.Solved {
			t.Errorf("solved after %d of %d events", n, len(events))
		}
	}
	s.Scenario.MaxEvents = len(events) / 2
	if g, _ := s.Grade(s.Solution); g.Settled || g.Solved {
		t.Errorf("stopped at its bound: settled %t, solved %t", g.Settled, g.Solved)
	}
}

func TestPredictions(t *testing.T) {
	s := base(t).step("guess")
	for _, c := range []struct {
		prediction string
		solved     bool
	}{{"three", true}, {"two", false}, {"", false}} {
		g, _ := s.Grade(Answer{Inputs: s.Solution.Inputs, Prediction: c.prediction})
		if g.Solved != c.solved || g.RightOption != "three" {
			t.Errorf("%q: solved %t, right option %q; want %t, three", c.prediction, g.Solved, g.RightOption, c.solved)
		}
	}
	if g := s.Judge([]event.Event{{Seq: 1, Kind: event.FaultInjected}}, true, ""); g.Right || g.RightOption != "" {
		t.Errorf("before anything was sent: right %t, option %q", g.Right, g.RightOption)
	}
}

func TestProveTellsSteps(t *testing.T) {
	l := base(t)
	if p := l.Prove(); len(p) > 0 {
		t.Fatalf("the base is not proven: %q", p)
	}
	l.step("total").Wrong[0].Fails = "done"
	l.step("guess").Solution.Prediction = "two"
	got := l.Prove()
	if len(got) != 2 || !strings.HasPrefix(got[0], "step total: its wrong answer no-key does not fail done: ten (") ||
		got[1] != "step guess: its solution does not pass: the prediction is wrong, right would be three" {
		t.Errorf("got %q", got)
	}
}

// The names that files use are told apart, and read back.
func TestNames(t *testing.T) {
	for _, k := range CheckKinds() {
		if got, ok := ParseCheckKind(k.String()); got != k || !ok {
			t.Errorf("%s reads back as %s", k, got)
		}
	}
	for k := Explain; k <= Code; k++ {
		if got, ok := ParseKind(k.String()); got != k || !ok {
			t.Errorf("%s reads back as %s", k, got)
		}
	}
	if _, ok := ParseKind("none"); ok {
		t.Error("none is a kind")
	}
}

func TestTextsFallBackToTheLessonsOwnLanguage(t *testing.T) {
	l := base(t)
	for want, in := range map[string]string{"en": "en", "ko": "ko", "ja": "en"} {
		if _, got := l.Title.In(want); got != in {
			t.Errorf("%s: got the title in %s, want %s", want, got, in)
		}
	}
	if text, lang := (Text(nil)).In("ja"); text != "" || lang != "ja" {
		t.Errorf("no text: got %q in %s", text, lang)
	}
}

// Reading never panics and never hangs; the proof of whatever was read neither.
func FuzzRead(f *testing.F) {
	base := readFile(f, "testdata/base.json")
	f.Add([]byte(base))
	files, err := filepath.Glob("testdata/malformed/*.txt")
	if err != nil {
		f.Fatal(err)
	}
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		for _, part := range strings.Split(string(data), "\n\n") {
			if edits, ok := strings.CutPrefix(part, "change\n"); ok {
				f.Add([]byte(edited(base, edits)))
			}
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		l, _, faults := Lint("lesson.json", data)
		if slices.ContainsFunc(faults, func(f document.Fault) bool { return f.Line < 1 && !strings.Contains(f.Problem, "more faults") }) {
			t.Fatalf("a fault without a place: %v", faults)
		}
		if len(faults) == 0 && len(l.Steps) == 0 {
			t.Fatal("a lesson without steps is fine")
		}
	})
}

// edited makes the first edit of a test's changes, if it stands in the text.
func edited(text, edits string) string {
	from, to, _ := strings.Cut(strings.TrimPrefix(edits, "- "), "\n+ ")
	from, _, _ = strings.Cut(from, "\n")
	to, _, _ = strings.Cut(to, "\n")
	return strings.Replace(text, from, to, 1)
}
