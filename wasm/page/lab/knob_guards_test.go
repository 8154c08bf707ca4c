package lab

import (
	"strings"
	"testing"

	"retrylab.example/core/event"
	"retrylab.example/core/lesson"
	"retrylab.example/core/scenario"
	"retrylab.example/core/sim"
)

// guarded is a step that opens some knobs, with two pools and a limit.
func guarded(t *testing.T, knobs ...string) *person {
	t.Helper()
	p := knobbed(t)
	st := p.current()
	st.Allow.Knobs, st.Allow.Fire = knobs, true
	sc, err := scenario.Read("guards.json", []byte(`{"partner": {"limit": {"count": 2, "window": "10s"}},
		"pools": [{"name": "shared", "running": 10, "queue": 20, "callerTimeout": "3s"}, {"name": "own", "running": 2}],
		"clients": [{"name": "site", "policy": {"preset": "once"}, "request": {"method": "GET", "path": "/work"}, "pool": "shared"}]}`))
	if err != nil {
		t.Fatal(err)
	}
	st.Scenario = sc
	return at(t, p.lesson, st.ID)
}

// What wraps the calls is listed, turned with the fields that the step opens, and goes on as typed: a size is there only
// where the window counts results.
func TestGuardsAreListedAndTurned(t *testing.T) {
	p := guarded(t, "breaker.window", "breaker.size", "breaker.open", "pool", "limiter", "fallback")
	html := p.lessonColumn().HTML()
	for _, text := range []string{"shared: 10 run, 20 queue", "Caller waits at most", "knob-breaker.window", "knob-pool"} {
		if !strings.Contains(html, text) {
			t.Errorf("the page does not say %q", text)
		}
	}
	if strings.Contains(html, "knob-breaker.size") {
		t.Error("there is a field for the size of no window")
	}
	p.send(SetKnob{"breaker.window", "count"}, SetKnob{"breaker.size", ""})
	if html = p.lessonColumn().HTML(); !strings.Contains(html, "knob-breaker.size") || !strings.Contains(html, "is-bad") {
		t.Error("the size of a window is not asked for, or an empty one is taken")
	}
	p.send(ReplayPolicy{})
	if p.knobTrouble == "" || p.guardsNow().Breaker.Size != 0 {
		t.Errorf("an empty size was taken: %+v", p.guardsNow())
	}
	p.use(SetKnob{"breaker.size", "4"}, SetKnob{"breaker.open", "2.5"}, SetKnob{"pool", "own"}, SetKnob{"limiter", "batch"},
		SetKnob{"fallback", "200"}, ReplayPolicy{})
	g := p.guardsNow()
	if b := g.Breaker; b.Size != 4 || b.Minimum != 4 || b.Open != 2500e6 || g.Pool != 2 || g.Limiter.Capacity != 3 || g.Fallback.Status != 200 {
		t.Errorf("got %+v", g)
	}
	if path := p.tree.Path(); len(path) != 1 || path[0].Action.Kind != sim.SetGuards || p.played.Events[0].Kind != event.GuardsChanged {
		t.Errorf("the run has %d inputs", len(path))
	}
	if html = p.lessonColumn().HTML(); !strings.Contains(html, "of the last 4 results, from 4 on") || !strings.Contains(html, "own: 2 run, 0 queue") {
		t.Error("the new guards are not listed")
	}
	if f := p.current().Forbidden(lesson.Answer{Inputs: p.tree.Path()}); len(f) > 0 {
		t.Errorf("what the page did is not offered: %v", f)
	}
	if got := reload(p); got.notice != "" || got.guardsNow() != g {
		t.Errorf("after a reload: %q, %+v", got.notice, got.guardsNow())
	}
	if p.use(SetKnob{"breaker.window", "none"}, SetKnob{"limiter", "none"}, SetKnob{"pool", "none"}, SetKnob{"fallback", "none"}, ReplayPolicy{}); p.guardsNow() != (sim.Guards{}) {
		t.Errorf("guards were left: %+v", p.guardsNow())
	}
}

// A limit is typed freely. What the partner refuses changes nothing and stands in the events; a limit holds from then on.
func TestLimitsAreTypedFreely(t *testing.T) {
	for _, c := range []struct{ count, window, reason string }{
		{"0", "10 s", "limit-below-one"}, {"2.5", "10 s", "limit-not-whole"}, {`"2"`, "10", "limit-not-whole"}, {"two", "10", "limit-not-whole"},
		{"3", "NaN", "window-not-finite"}, {"3", "1e400", "window-not-finite"}, {"3", "-1 s", "window-not-positive"}, {"3", "true", "window-not-number"},
		{"3", "5 s", "limit-valid"}, {"3", "0.5", "limit-valid"},
	} {
		p := guarded(t, "limit.count", "limit.window")
		was := p.limitNow()
		p.use(SetKnob{"limit.count", c.count}, SetKnob{"limit.window", c.window}, ReplayPolicy{})
		e := p.played.Events[0]
		if got := e.Decision.Reason.String(); got != c.reason || p.knobTrouble != "" {
			t.Errorf("%s in %s: %s, want %s; the page says %q", c.count, c.window, got, c.reason, p.knobTrouble)
		}
		if valid := c.reason == "limit-valid"; valid == (p.limitNow() == was) {
			t.Errorf("%s in %s: the limit is %+v, was %+v", c.count, c.window, p.limitNow(), was)
		}
		if got := reload(p); got.notice != "" {
			t.Errorf("%s in %s: %s", c.count, c.window, got.notice)
		}
	}
	p := guarded(t, "limit.count", "limit.window")
	p.use(SetKnob{"limit.count", "0"}, ReplayPolicy{}, SetKnob{"limit.count", "3"}, ApplyPolicy{})
	if n := len(p.played.Events); n != 2 || p.knobText("limit.count") != "3" || p.knobText("limit.window") != "10 s" {
		t.Errorf("after a refusal and a limit: %d events, %s in %s", n, p.knobText("limit.count"), p.knobText("limit.window"))
	}
}

// Each jitter can be chosen where the jitter is open, also those with a setting of their own.
func TestEveryJitterCanBeChosen(t *testing.T) {
	p := knobbed(t)
	p.current().Allow.Knobs = []string{"jitter"}
	for _, kind := range []string{"plus-minus", "decorrelated", "equal"} {
		p.use(SetKnob{"jitter", kind}, ReplayPolicy{})
		policy := p.policyNow()
		if policy.Jitter.String() != kind || (policy.Share.Num > 0) != (kind == "plus-minus") {
			t.Errorf("%s: got %s with the share %v", kind, policy.Jitter, policy.Share)
		}
		if got := reload(p); got.notice != "" || got.policyNow().Jitter != policy.Jitter {
			t.Errorf("%s: %s", kind, got.notice)
		}
	}
}
