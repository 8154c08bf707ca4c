package codelab

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"retrylab.example/core/codelab"
	"retrylab.example/core/lesson"
)

// programs reads the programs of a folder of testdata, by their names: the function, a hyphen, and what they are like.
func programs(t testing.TB, folder string) map[string]string {
	t.Helper()
	paths, err := filepath.Glob("testdata/" + folder + "/*.py")
	if err != nil || len(paths) == 0 {
		t.Fatalf("there are no programs in %s: %v", folder, err)
	}
	all := map[string]string{}
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		all[strings.TrimSuffix(filepath.Base(path), ".py")] = string(data)
	}
	return all
}

// stepOf finds the step that asks for a function.
func stepOf(t testing.TB, all []*lesson.Reading, function string) (*lesson.Lesson, int) {
	t.Helper()
	for _, r := range all {
		for i, s := range r.Lesson.Steps {
			if s.Exercise.Function == function {
				return &r.Lesson, i
			}
		}
	}
	t.Fatalf("no step asks for %s", function)
	return nil, 0
}

func judge(t testing.TB, n *Node, all []*lesson.Reading, name, source string) codelab.Verdict {
	t.Helper()
	function, _, _ := strings.Cut(name, "-")
	l, i := stepOf(t, all, function)
	v, err := l.GradeCode(i, source, n)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// TestOtherRightPrograms: there is more than one way to write a function, and each of them passes.
func TestOtherRightPrograms(t *testing.T) {
	n, all := node(t), labs(t)
	for name, source := range programs(t, "right") {
		if v := judge(t, n, all, name, source); !v.Passed() {
			t.Errorf("%s: %s in %v %v: yours %s, wanted %s %s", name, v.Code, v.Setup, v.Calls, v.Yours, v.Wanted, v.Text)
		}
	}
}

// maxSubtle is how long the case of a mistake may be that no fixed case finds.
const maxSubtle = 420

// TestSubtleMistakesAreFoundAndShrunk: no fixed case catches these, a generated one does, and it is made small.
func TestSubtleMistakesAreFoundAndShrunk(t *testing.T) {
	n, all := node(t), labs(t)
	for name, source := range programs(t, "subtle") {
		v := judge(t, n, all, name, source)
		shown := strings.Join(append(append([]string{}, v.Setup...), v.Calls...), "; ")
		t.Logf("%s: %s after %d cases and %d replays: %s → yours %s, wanted %s", name, v.Code, v.Cases, v.Replays, shown, v.Yours, v.Wanted)
		if v.Passed() || v.Replays == 0 || v.Replays > codelab.MaxReplays || len(shown) > maxSubtle {
			t.Errorf("%s: %s, %d replays, %d characters: %s", name, v.Code, v.Replays, len(shown), shown)
		}
	}
}

// TestEveryStepHasItsFunction: the labs ask for every function once.
func TestEveryStepHasItsFunction(t *testing.T) {
	asked := map[string]int{}
	for _, r := range labs(t) {
		for _, s := range r.Lesson.Steps {
			if s.Kind == lesson.Code {
				asked[s.Exercise.Function]++
			}
		}
	}
	for _, name := range codelab.Names() {
		if asked[name] != 1 {
			t.Errorf("%d steps ask for %s", asked[name], name)
		}
	}
}

// BenchmarkFirstVerdict is the time from nothing to a verdict: Node is looked for and started, the engine is loaded.
func BenchmarkFirstVerdict(b *testing.B) {
	f := find(b, "remaining")
	for b.Loop() {
		n, err := New("../..")
		if err != nil {
			b.Fatal(err)
		}
		if v, err := f.Grade(codelab.Program{Source: right}, n); err != nil || !v.Passed() {
			b.Fatal(v.Code, err)
		}
		if err := n.Close(); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkVerdict is the time of further verdicts: of the smallest function and of the longest, right and wrong.
func BenchmarkVerdict(b *testing.B) {
	all := labs(b)
	n := node(b)
	for _, c := range []struct{ name, source string }{
		{"remaining", right},
		{"execute", programs(b, "right")["execute-alone"]},
		{"execute-shrunk", programs(b, "subtle")["execute-late"]},
		{"create_app", programs(b, "right")["create_app-class"]},
	} {
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				judge(b, n, all, c.name, c.source)
			}
		})
	}
}
