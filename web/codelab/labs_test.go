package codelab

import (
	"io/fs"
	"strings"
	"testing"

	"retrylab.example/core/codelab"
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
					if len(shown) > maxShown || v.Replays > codelab.MaxReplays {
						t.Errorf("%s, %s: %d characters after %d replays: %s", s.ID, w.ID, len(shown), v.Replays, shown)
					}
				}
			}
		})
	}
}
