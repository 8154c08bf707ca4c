package sandbox

import (
	"strings"
	"testing"

	"retrylab.example/core/lesson"
	"retrylab.example/core/text"
)

// TestGoals: goals are checks that stand beside the scenario in the one text; the form adds and changes them, and a wrong
// value is named at its goal.
func TestGoals(t *testing.T) {
	m := open(Kept{})
	asks := func() []lesson.Check { return m.bench.(*still).l.Steps[0].Checks }
	said := func() string {
		c := asks()
		return text.English.Goal(&c[len(c)-1], m.bench.(*still).l.Steps[0].Scenario.Names())
	}
	m.Update(AddGoal{})
	if len(asks()) != 1 || said() != "duplicate effects: 0" && !strings.HasSuffix(said(), ": 0") {
		t.Fatalf("the first goal: %v", said())
	}
	for _, step := range []struct {
		msg  any
		want string
	}{
		{GoalWhat{0, "applied"}, "applied: 0"}, {GoalValue{0, "1"}, "applied: 1"}, {GoalBound{0, "max"}, "applied: 1 or less"},
		{GoalWhat{0, "attempts-per-100-calls"}, "attempts per 100 calls (amplification): 1 or less"},
		{GoalValue{0, "200"}, "attempts per 100 calls (amplification): 200 or less"},
		{GoalWhat{0, "ends"}, "the first call has ended by: 200.000\u00a0s or less"},
		{GoalValue{0, "10 s"}, "the first call has ended by: 10.000\u00a0s or less"},
		{GoalWhat{0, "actual"}, "partner’s total: 10 or less"},
	} {
		m.Update(step.msg)
		if len(m.faults) > 0 || len(asks()) != 1 || asks()[0].Kind != lesson.Total && said() != step.want {
			t.Errorf("after %#v: %v, faults %v; want %q", step.msg, said(), m.faults, step.want)
		}
	}
	m.Update(AddGoal{})
	m.Update(GoalValue{1, "few"})
	if len(m.faults) != 1 || m.faults[0].Pointer != "/goals/1/equals" || !strings.Contains(m.View().HTML(), `id="fault/goals/1/equals"`) {
		t.Errorf("the faults are %v", m.faults)
	}
	m.Update(Undo{})
	m.Update(Typed{strings.Replace(m.text, `"goals": [`, `"goals": [{"kind": "decided", "reason": "attempts-spent"}, `, 1)})
	if len(m.faults) > 0 || len(asks()) != 3 {
		t.Fatalf("%d goals, faults %v", len(asks()), m.faults)
	}
	if html := m.View().HTML(); !strings.Contains(html, "kind: decided") {
		t.Error("a goal that only the text can hold is not shown")
	}
	m.Update(GoalValue{0, "1"}) // which has no value
	m.Update(Remove{"/goals/0"})
	m.Update(Remove{"/goals/0"})
	m.Update(Remove{"/goals/0"})
	if len(asks()) != 0 || len(m.faults) > 0 {
		t.Errorf("%d goals are left, faults %v", len(asks()), m.faults)
	}
}
