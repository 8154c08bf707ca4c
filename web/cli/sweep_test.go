package cli

import (
	"os"
	"strings"
	"testing"

	"retrylab.example/core/lesson"
)

// With --seeds the verdict is followed by how the answer does on other seeds; a lucky answer holds on some of them.
func TestCheckOnManySeeds(t *testing.T) {
	data, err := os.ReadFile("../../lessons/020-retry-budget.json")
	if err != nil {
		t.Fatal(err)
	}
	l, err := lesson.Read("l.json", data)
	if err != nil {
		t.Fatal(err)
	}
	for i := range l.Steps {
		s := &l.Steps[i]
		if s.ID != "whole-executor" {
			continue
		}
		status, out, errs := runOn(t, strings.NewReader(string(s.WritePlay(s.Solution))), "check", l.ID, s.ID, "-", "--seeds", "200")
		if status != statusOK || errs != "" || !strings.Contains(out, "It holds on all of 200 other seeds.\n  ") || !strings.Contains(out, ": least ") {
			t.Errorf("status %d, %s%s", status, out, errs)
		}
		for _, w := range s.Wrong {
			_, out, _ := runOn(t, strings.NewReader(string(s.WritePlay(w.Answer))), "check", l.ID, s.ID, "-", "--seeds", "50")
			if !strings.Contains(out, "of 50 other seeds; the first on which it fails is ") {
				t.Errorf("the wrong answer %s: %s", w.ID, out)
			}
		}
		status, _, errs = runOn(t, strings.NewReader("{}"), "check", l.ID, s.ID, "-", "--seeds", "-3")
		if status != statusUsage || !strings.Contains(errs, "from 0 to") {
			t.Errorf("a negative number: %d %s", status, errs)
		}
		return
	}
	t.Fatal("the step is gone")
}
