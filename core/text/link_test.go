package text

import (
	"os"
	"strings"
	"testing"

	"retrylab.example/core/clock"
	"retrylab.example/core/event"
	"retrylab.example/core/lesson"
	"retrylab.example/core/link"
	"retrylab.example/core/scenario"
	"retrylab.example/core/sim"
)

// Every problem has its sentences in every language, with its numbers and names filled in.
func TestLinkProblems(t *testing.T) {
	for _, l := range Langs() {
		for _, p := range link.Problems() {
			s := l.LinkProblem(&link.Error{Problem: p, Have: 12, Want: 345, Format: 7, Lesson: "lost", Step: "third"})
			if s == "" || strings.Contains(s, "{") {
				t.Errorf("%s %s: got %q", l, p, s)
			}
			for _, want := range map[link.Problem][]string{
				link.Cut: {"12", "345"}, link.Joined: {"-333"}, link.Newer: {"7", "3"}, link.NoLesson: {"lost"}, link.NoStep: {"lost", "third"},
			}[p] {
				if !strings.Contains(s, want) {
					t.Errorf("%s %s: %q does not say %s", l, p, s, want)
				}
			}
		}
		if s := l.LinkProblem(&link.Error{Problem: link.Cut}); strings.Contains(s, "0") {
			t.Errorf("%s: a link cut within its length says %q", l, s)
		}
	}
}

func TestLinkHolds(t *testing.T) {
	data, err := os.ReadFile("../link/testdata/world.json")
	if err != nil {
		t.Fatal(err)
	}
	s, err := scenario.Read("world.json", data)
	if err != nil {
		t.Fatal(err)
	}
	lk := link.Link{Lesson: "lost", Step: "third", Scenario: s}
	for at := range clock.Instant(3) { // two runs that were left behind, and the one that is shown
		lk.Tree.Act(0, scenario.Input{At: at, Action: sim.Action{Kind: sim.Inject, Mishap: sim.Mishap{Fault: event.LostReply}}})
	}
	text, err := lk.Fragment()
	if err != nil {
		t.Fatal(err)
	}
	sealed, err := link.Read(text)
	if err != nil {
		t.Fatal(err)
	}
	o, err := sealed.Open(lesson.Step{Scenario: s})
	if err != nil {
		t.Fatal(err)
	}
	const want = "Lesson lost, step third\nseed 11 · inputs 1 · other runs 2\nthe clock shows 0.000\u00a0s · events so far 0 of 14"
	if got := strings.Join(English.LinkHolds(&o), "\n"); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	o.Same, o.Lesson = false, ""
	if got := strings.Join(English.LinkHolds(&o), "\n"); !strings.HasPrefix(got, "A scenario of its own\n") || !strings.Contains(got, "may differ") {
		t.Errorf("got %s", got)
	}
}
