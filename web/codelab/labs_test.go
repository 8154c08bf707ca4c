package codelab

import (
	"io/fs"
	"slices"
	"strings"
	"testing"

	"retrylab.example/core/codelab"
	"retrylab.example/core/compare"
	"retrylab.example/core/lesson"
	"retrylab.example/lessons"
)

// labs reads every lesson of code exercises.
func labs(t testing.TB) (all []*lesson.Reading) {
	t.Helper()
	files, err := fs.Glob(lessons.Labs, "code/*.json")
	if err != nil || len(files) == 0 {
		t.Fatalf("there are no labs: %v", err)
	}
	for _, file := range files {
		data, err := lessons.Labs.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		r := lesson.Inspect(file, data)
		if f := r.Faults(); len(f) > 0 {
			t.Fatal(f)
		}
		all = append(all, r)
	}
	return all
}

// TestLabsAreProven: every starter fails, every solution passes, every wrong program is judged as it says.
func TestLabsAreProven(t *testing.T) {
	for _, r := range labs(t) {
		t.Run(r.Lesson.ID, func(t *testing.T) {
			t.Parallel()
			n := node(t)
			for i, s := range r.Lesson.Steps {
				if s.Kind != lesson.Code {
					continue
				}
				p, err := r.ProveCode(i, n)
				if err != nil {
					t.Fatal(err)
				}
				for _, f := range p.Faults {
					t.Error(f)
				}
				if !p.Start || !p.Solution || p.Wrong < 3 {
					t.Errorf("%s: start %t, solution %t, %d wrong programs", s.ID, p.Start, p.Solution, p.Wrong)
				}
			}
		})
	}
}

// maxShown is how long a counter-example may be, in characters of Python.
const maxShown = 200

// TestCounterExamplesAreSmall: what a learner sees of a wrong program can be read at a glance.
func TestCounterExamplesAreSmall(t *testing.T) {
	for _, r := range labs(t) {
		t.Run(r.Lesson.ID, func(t *testing.T) {
			t.Parallel()
			n := node(t)
			for i, s := range r.Lesson.Steps {
				f, _ := codelab.Find(s.Exercise.Function)
				for _, w := range s.Exercise.Wrong {
					v, err := r.Lesson.GradeCode(i, w.Program, n)
					if err != nil {
						t.Fatal(err)
					}
					shown := strings.Join(append(append([]string{}, v.Setup...), v.Calls...), "; ")
					t.Logf("%s %s: %s: %s → yours %s at %d, wanted %s at %d %s (%d replays)", s.ID, w.ID, v.Code, shown, v.Yours, v.YoursAt, v.Wanted, v.WantedAt, v.Name, v.Replays)
					if v.Code.String() != w.Fails {
						t.Errorf("%s, %s: judged %s", s.ID, w.ID, v.Code)
					}
					if spec, ok := f.SpecOf(&v); !ok || !sameCase(t, &f, spec, &v) {
						t.Errorf("%s, %s: the case of its verdict cannot be made again", s.ID, w.ID)
					}
					if len(shown) > maxShown || v.Replays > codelab.MaxReplays {
						t.Errorf("%s, %s: %d characters after %d replays: %s", s.ID, w.ID, len(shown), v.Replays, shown)
					}
				}
			}
		})
	}
}

// sameCase reports whether a case is the one that a verdict shows: all of its calls may be more than were judged.
func sameCase(t *testing.T, f *codelab.Function, spec codelab.Spec, v *codelab.Verdict) bool {
	t.Helper()
	c, err := f.Make(spec)
	if err != nil {
		t.Fatal(err)
	}
	trial, err := f.Trial(&c, nil, "crash")
	if err != nil {
		t.Fatal(err)
	}
	return v.Code >= codelab.Syntax && v.Calls == nil || slices.Equal(trial.Setup, v.Setup) && slices.Equal(trial.Calls[:len(v.Calls)], v.Calls)
}

// TestSolutionsRunAsTheCore: on the timeline, the run of a solution is that of the core.
func TestSolutionsRunAsTheCore(t *testing.T) {
	n := node(t)
	for _, r := range labs(t) {
		for i, s := range r.Lesson.Steps {
			f, ok := codelab.Find(s.Exercise.Function)
			if !ok || !f.Runs() {
				continue
			}
			drawn := 0
			for number := range 12 {
				c, err := f.Make(f.Seeded(number + 1))
				if err != nil {
					t.Fatal(err)
				}
				line, stopped, err := f.Run(codelab.Program{Given: r.Lesson.Given(i), Source: s.Exercise.Solution}, &c, n)
				if err != nil {
					t.Fatal(err)
				}
				trial, err := f.Trial(&c, line, stopped)
				if err != nil || !trial.Verdict.Passed() {
					t.Errorf("%s, case %d: %v %s", s.ID, number, err, trial.Verdict.Code)
				}
				yours, wanted := trial.Events()
				found := compare.Of(yours, wanted)
				if drawn += len(wanted); !found.Same() {
					t.Errorf("%s, case %d: they part %+v", s.ID, number, found.Parting)
				}
			}
			if drawn < 24 {
				t.Errorf("%s: %d events in all cases", s.ID, drawn)
			}
		}
	}
}
