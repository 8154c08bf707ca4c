package scenario

import (
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"retrylab.example/core/trace"
)

// What a pruned tree keeps is the run that is shown, what redo leads to, and the latest others, each as it was.
func TestPrune(t *testing.T) {
	s := treeScenario(t)
	rapid.Check(t, func(t *rapid.T) {
		var tree Tree
		for range rapid.IntRange(0, 12).Draw(t, "acts") {
			path := tree.Path()
			done := rapid.IntRange(0, len(path)).Draw(t, "done")
			tree.Act(done, drawNext(t, path[:done]))
		}
		for range rapid.IntRange(0, 3).Draw(t, "undone") {
			tree.Undo()
		}
		most := rapid.IntRange(1, 5).Draw(t, "most")
		pruned := tree.Prune(most)

		if !reflect.DeepEqual(pruned.Path(), tree.Path()) {
			t.Errorf("shows %s, not %s", s.WriteInputs(pruned.Path()), s.WriteInputs(tree.Path()))
		}
		var want [][]Input
		redone := tree
		for redone.Redo() {
		}
		for _, id := range tree.Branches() {
			if id == redone.at {
				want = append(want, tree.PathOf(id))
			}
		}
		shown := len(want)
		for _, id := range tree.Branches() {
			if id != redone.at && len(want)-shown < most-1 {
				want = append(want, tree.PathOf(id))
			}
		}
		var got [][]Input
		for _, id := range pruned.Branches() {
			got = append(got, pruned.PathOf(id))
		}
		if len(got) != len(want) || slices.ContainsFunc(want, func(path []Input) bool {
			return !slices.ContainsFunc(got, func(p []Input) bool { return reflect.DeepEqual(p, path) })
		}) {
			t.Errorf("at most %d: got %d runs, want %d", most, len(got), len(want))
		}
		back, now, err := s.ReadTree("pruned", s.WriteTree(&pruned, 5))
		if err != nil || now != 5 || !reflect.DeepEqual(back, pruned) {
			t.Errorf("reads back as %+v, %v", back, err)
		}
		for pruned.Redo() {
		}
		if !reflect.DeepEqual(pruned.Path(), redone.Path()) {
			t.Errorf("redo leads to %s, not %s", s.WriteInputs(pruned.Path()), s.WriteInputs(redone.Path()))
		}
	})
}

// A scenario with the inputs of a person is read back and runs as it did with them beside it.
func TestWithInputsIsTheSameRun(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, inputs := drawRun(t)
		want, err := s.Play(inputs)
		if err != nil {
			t.Fatal(err)
		}
		own := len(s.Inputs)
		with := s.With(inputs)
		back, err := Read("with.json", with.Write())
		if err != nil {
			t.Fatal(err)
		}
		got, err := back.Play(nil)
		if err != nil || trace.Digest(got.Events) != trace.Digest(want.Events) || len(s.Inputs) != own {
			t.Errorf("got %d events, want %d; %v", len(got.Events), len(want.Events), err)
		}
	})
}
