package link

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"retrylab.example/core/scenario"
)

const oneGoal = `[{"kind": "count", "of": "duplicates", "equals": 0}]`

// Goals go along with a scenario of its own, in format 3; without any, and in a lesson, the link is of format 1.
func TestGoalsGoAlong(t *testing.T) {
	l := Link{Scenario: world(t), Goals: oneGoal}
	text := fragment(t, &l)
	if !strings.HasPrefix(text, Route+"3.") {
		t.Errorf("with goals: %.20s", text)
	}
	o := open(t, text, scenario.Scenario{})
	if o.Goals != oneGoal || len(o.Of.Checks) != 1 || o.Of.Checks[0].Of != "duplicates" || !o.Same {
		t.Errorf("opened with %s, %+v", o.Goals, o.Of.Checks)
	}
	if again := fragment(t, &o.Link); again != text {
		t.Errorf("the second time it is\n%s, not\n%s", again, text)
	}
	l.Lesson, l.Step = "a", "b"
	if text := fragment(t, &l); !strings.HasPrefix(text, Route+"1.") {
		t.Errorf("in a lesson: %.20s", text)
	}
}

// Goals of a forged link are told their faults, and an old format has none.
func TestForgedGoals(t *testing.T) {
	s := world(t)
	body := strings.TrimSuffix(string(s.Write()), "}")
	for _, c := range []struct {
		format      int
		goals, want string
	}{
		{1, oneGoal, `the field "goals" is not known`},
		{3, `[{"kind": "total", "of": "nothing", "equals": 0}]`, "/scenario/goals/0/of: \"nothing\" is not known"},
		{3, `{}`, "/scenario/goals"},
		{3, `[` + strings.TrimSuffix(strings.Repeat(oneGoal[1:len(oneGoal)-1]+",", 100), ",") + `]`, "/scenario/goals: the list has 100 elements"},
		{4, oneGoal, "newer (format 4)"},
	} {
		text, _ := seal(deflated(t, `{"scenario":`+body+`,"goals":`+c.goals+`},"tree":{}}`), c.format)
		_, err := Read(text)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%d, %.40s: got %v, want %s", c.format, c.goals, err, c.want)
		}
	}
}

// Links of format 3 open for ever, too: each line is a link, and what it holds.
func TestFormat3OpensForEver(t *testing.T) {
	data, err := os.ReadFile("testdata/format3.txt")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(data)) {
		text, want, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		o := open(t, text, scenario.Scenario{})
		if got := fmt.Sprintf("%s goals=%s", held(&o), o.Goals); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
}
