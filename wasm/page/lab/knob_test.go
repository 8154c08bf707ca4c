package lab

import (
	"strings"
	"testing"
	"time"

	"retrylab.example/core/event"
	"retrylab.example/core/lesson"
	"retrylab.example/core/retry"
	"retrylab.example/wasm/view"
)

// knobbed is a step whose every knob is open, with a request that fails for a while.
func knobbed(t *testing.T) *person {
	t.Helper()
	for _, l := range course(t) {
		for i := range l.Steps {
			if l.Steps[i].Kind == lesson.Policy {
				l.Steps[i].Allow.Knobs = lesson.Knobs()
				return at(t, l, l.Steps[i].ID)
			}
		}
	}
	t.Fatal("no step of the course asks for a policy")
	return nil
}

// Each knob takes what it can mean, and nothing else.
func TestKnobs(t *testing.T) {
	for _, c := range []struct {
		knob, text string
		part       func(p retry.Policy) any
		want       any // nil: cannot be read
	}{
		{"attempts", "7", func(p retry.Policy) any { return p.Attempts }, 7},
		{"attempts", " 1 ", func(p retry.Policy) any { return p.Attempts }, 1},
		{"attempts", "0", nil, nil}, {"attempts", "1001", nil, nil}, {"attempts", "", nil, nil}, {"attempts", "2.5", nil, nil}, {"attempts", "many", nil, nil},
		{"deadline", "8 s", func(p retry.Policy) any { return p.Deadline }, 8 * time.Second},
		{"deadline", "1.5", func(p retry.Policy) any { return p.Deadline }, 1500 * time.Millisecond}, // seconds
		{"deadline", "0", func(p retry.Policy) any { return p.Deadline }, time.Duration(0)},
		{"deadline", "25h", nil, nil}, {"deadline", "-1s", nil, nil}, {"deadline", "", nil, nil}, {"deadline", ".", nil, nil},
		{"attemptTimeout", "250ms", func(p retry.Policy) any { return p.AttemptTimeout }, 250 * time.Millisecond},
		{"attemptTimeout", "x", nil, nil},
		{"base", "2s", func(p retry.Policy) any { return p.Backoff.Base }, 2 * time.Second}, {"base", "s", nil, nil},
		{"cap", "4s", func(p retry.Policy) any { return p.Backoff.Cap }, 4 * time.Second}, {"cap", "1e9", nil, nil},
		{"jitter", "none", func(p retry.Policy) any { return p.Jitter.String() }, "none"}, {"jitter", "some", nil, nil},
		{"jitter", "full", func(p retry.Policy) any { return p.Jitter.String() }, "full"},
		{"retryAfter", "ignore", func(p retry.Policy) any { return p.RetryAfter.String() }, "ignore"}, {"retryAfter", "", nil, nil},
		{"methods", "any", func(p retry.Policy) any { return p.Safety.String() }, "any"}, {"methods", "none", nil, nil},
		{"statuses", "503, 429 500", func(p retry.Policy) any { return len(p.Statuses) }, 3},
		{"statuses", "", func(p retry.Policy) any { return len(p.Statuses) }, 0},
		{"statuses", "99", nil, nil}, {"statuses", "600", nil, nil}, {"statuses", "503 503", nil, nil}, {"statuses", "all", nil, nil},
		{"freshDeadline", "true", func(p retry.Policy) any { return p.FreshDeadline }, true},
	} {
		p := knobbed(t)
		p.use(Fire{})
		before := p.policyNow()
		p.send(SetKnob{c.knob, c.text})
		bad := strings.Contains(p.lessonColumn().HTML(), "is-bad")
		p.send(ReplayPolicy{})
		if c.want == nil {
			if len(lesson.Turned(before, p.policyNow())) > 0 || p.knobTrouble == "" || !bad || !strings.Contains(p.lessonColumn().HTML(), p.knobTrouble) {
				t.Errorf("%s %q was taken; bad %t, it says %q", c.knob, c.text, bad, p.knobTrouble)
			}
			continue
		}
		if got := c.part(p.policyNow()); got != c.want || p.knobTrouble != "" || bad {
			t.Errorf("%s %q: got %v, want %v; bad %t, it says %q", c.knob, c.text, got, c.want, bad, p.knobTrouble)
		}
		if turned := lesson.Turned(before, p.policyNow()); len(turned) > 1 || len(turned) == 1 && turned[0] != c.knob {
			t.Errorf("%s %q turned %v", c.knob, c.text, turned)
		}
		if got := reload(p); got.notice != "" {
			t.Errorf("%s %q: %s", c.knob, c.text, got.notice)
		}
	}
}

// What a knob shows is what it takes: applying without a change changes nothing.
func TestKnobsShowWhatTheyTake(t *testing.T) {
	for _, l := range course(t) {
		for i := range l.Steps {
			st := &l.Steps[i]
			if !st.Plays() {
				continue
			}
			st.Allow.Knobs = lesson.Knobs()
			p := at(t, l, st.ID)
			policy, ok := p.knobPolicy()
			if turned := lesson.Turned(p.policyNow(), policy); !ok || len(turned) > 0 {
				t.Errorf("%s/%s: the knobs show others than %v; all can be read: %t", l.ID, st.ID, turned, ok)
			}
		}
	}
}

// From the start the whole run is made again; from now, only what comes after changes. The limits that are listed are
// those of the run at the clock: after going back, undoing, and in another run.
func TestApplyAndReplay(t *testing.T) {
	p := knobbed(t).use(Fire{}).send(Run{}, Run{}, Run{}, Run{}, Run{}, Run{})
	was, end := p.policyNow().Attempts, p.pos
	events := len(p.played.Events)
	p.use(SetKnob{"attempts", "9"}, ApplyPolicy{})
	path := p.tree.Path()
	if len(path) != 2 || path[1].At != end.Now || p.played.Events[events].Kind != event.PolicyChanged || p.policyNow().Attempts != 9 {
		t.Fatalf("from now: %d inputs, %d attempts", len(path), p.policyNow().Attempts)
	}
	if p.send(Start{}); p.policyNow().Attempts != was {
		t.Errorf("at the start the page lists %d attempts, the run has %d", p.policyNow().Attempts, was)
	}
	if p.send(Scrub{float64(end.Now) / 1e6}, Advance{time.Millisecond}, Undo{}); p.policyNow().Attempts != was {
		t.Errorf("after undo the page lists %d attempts, the run has %d", p.policyNow().Attempts, was)
	}
	p.use(SetKnob{"attempts", "5"}, ReplayPolicy{})
	if path := p.tree.Path(); len(path) != 2 || path[0].At != 0 || path[0].Action.Policy.Attempts != 5 || p.played.Events[0].Kind != event.PolicyChanged {
		t.Errorf("from the start: %d inputs, first event %s", len(path), p.played.Events[0].Kind)
	}
	p.use(SetKnob{"attempts", "6"}, ReplayPolicy{})
	if path := p.tree.Path(); len(path) != 2 || path[0].Action.Policy.Attempts != 6 {
		t.Errorf("from the start once more: %d inputs, %d attempts", len(path), path[0].Action.Policy.Attempts)
	}
	if p.use(Restart{}); p.policyNow().Attempts != was || len(p.form.knobs) != 0 {
		t.Errorf("started over, the page lists %d attempts", p.policyNow().Attempts)
	}
	if p.use(ShowSolution{}); p.policyNow().Attempts != p.current().Solution.Inputs[0].Action.Policy.Attempts {
		t.Errorf("the solution's policy is not listed")
	}
}

// A policy that holds on the seed that is shown is tried on others only when everything holds, and says which one fails.
func TestHiddenSeeds(t *testing.T) {
	l := small(t)
	st := &l.Steps[stepIndex(t, l, "tune")]
	st.Checks[1].Time = 2500 * time.Millisecond // the draws of the seed that is shown are short enough, others are not
	p := at(t, l, st.ID).play(st.Solution)
	if p.grade.FailedSeed == 0 || p.grade.Solved || held(p.grade) != len(p.grade.Results) || p.state() != "" {
		t.Fatalf("the lucky answer: %+v", p.grade)
	}
	if got := strings.Join(p.spoken(), " "); !strings.Contains(got, p.failedSeed()) || !strings.Contains(plain(p.lessonColumn()), plain(view.El("p", p.failedSeed()))) {
		t.Errorf("spoken %q", got)
	}
	if p.send(Back{}); p.grade.FailedSeed != 0 {
		t.Error("before its end the run was tried on other seeds")
	}
	if p.send(Next{}); p.judgedBranch(p.tree.Branches()[0]).holds {
		t.Error("the run is listed as one that meets the goal")
	}
}

// What was typed is never left out of a run in silence: the first request takes it, and later the page asks.
func TestFireTakesWhatWasTyped(t *testing.T) {
	p := knobbed(t)
	p.use(SetKnob{"attempts", "7"}, Fire{})
	if path := p.tree.Path(); len(path) != 2 || path[0].Action.Policy.Attempts != 7 || p.turned() {
		t.Fatalf("before the first request: %d inputs, %d attempts", len(path), p.policyNow().Attempts)
	}
	p.use(SetKnob{"attempts", "8"})
	if page := p.lessonColumn().HTML(); !strings.Contains(page, p.lang().Say("lab.ask-from")) {
		t.Error("nothing asks from when on the change shall hold")
	}
	if p.send(Fire{}); len(p.tree.Path()) != 2 || p.notice == "" {
		t.Errorf("in a run: %d inputs, it says %q", len(p.tree.Path()), p.notice)
	}
	if p.use(ApplyPolicy{}, Fire{}); len(p.tree.Path()) != 4 || p.policyNow().Attempts != 8 {
		t.Errorf("applied and fired: %d inputs, %d attempts", len(p.tree.Path()), p.policyNow().Attempts)
	}
	p = knobbed(t)
	if p.send(SetKnob{"attempts", "many"}, Fire{}); len(p.tree.Path()) != 0 || p.knobTrouble == "" {
		t.Errorf("what cannot be read was fired with: %d inputs, it says %q", len(p.tree.Path()), p.knobTrouble)
	}
}

// Each client keeps what was typed into its knobs while another one is set up.
func TestKnobsOfEachClient(t *testing.T) {
	for _, l := range course(t) {
		for _, st := range l.Steps {
			if len(st.Allow.Knobs) == 0 || len(st.Scenario.Clients) < 2 {
				continue
			}
			p := at(t, l, st.ID)
			p.send(SetKnob{"jitter", "equal"}, SetClient{1})
			if p.knobText("jitter") == "equal" {
				t.Error("the second client shows what was typed for the first")
			}
			if p.send(SetClient{0}); p.knobText("jitter") != "equal" {
				t.Error("what was typed for the first client is gone")
			}
			return
		}
	}
	t.Fatal("no step of the course has knobs and two clients")
}
