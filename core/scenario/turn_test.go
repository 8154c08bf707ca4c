package scenario

import (
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"retrylab.example/core/breaker"
	"retrylab.example/core/sim"
)

// Each knob takes what GuardText writes of it and what a person may type, and nothing else.
func TestTurningGuards(t *testing.T) {
	s := &Scenario{}
	s.Pools = []sim.Pool{{Name: "own"}}
	own := &sim.Guards{Fallback: ScriptedResponse(203)}
	ten, _ := filled(breaker.Config{Window: breaker.Count, Size: 10, Percent: 50, Open: 5 * time.Second})
	for _, c := range []struct {
		turns string // knob=text, one after the other
		want  string // the knobs afterwards; "": the last one is refused
	}{
		{"breaker.window=count", "window=count size=10 percent=50 minimum=10 open=5s probes=1"},
		{"breaker.window=in-a-row", "window=in-a-row failures=1 open=5s probes=1"},
		{"breaker.window=time breaker.percent=20", "window=time percent=20 minimum=1 open=5s probes=1"},
		{"breaker.window=count breaker.size=4", "window=count size=4 percent=50 minimum=4 open=5s probes=1"},
		{"breaker.window=count breaker.minimum=2 breaker.size=4", "window=count size=4 percent=50 minimum=2 open=5s probes=1"},
		{"breaker.window=count breaker.minimum=11", ""},
		{"breaker.window=count breaker.size=0", ""}, {"breaker.window=count breaker.size=129", ""},
		{"breaker.window=count breaker.size=4.5", ""}, {"breaker.window=count breaker.percent=101", ""},
		{"breaker.window=count breaker.open=0s", ""}, {"breaker.window=count breaker.open=25h", ""},
		{"breaker.window=count breaker.probes=9", ""}, {"breaker.window=often", ""},
		{"breaker.window=count breaker.probes=3 breaker.open=2s", "window=count size=10 percent=50 minimum=10 open=2s probes=3"},
		{"breaker.window=count breaker.window=none", "window=none"},
		{"breaker.size=4", "window=none"}, // no breaker, so nothing to turn
		{"pool=own", "window=none pool=own"}, {"pool=other", ""}, {"pool=own pool=none", "window=none"},
		{"limiter=batch", "window=none limiter=batch"}, {"limiter=slow", ""},
		{"fallback=200", "window=none fallback=200"}, {"fallback=99", ""}, {"fallback=200 fallback=none", "window=none"},
	} {
		var g sim.Guards
		ok := true
		for turn := range strings.FieldsSeq(c.turns) {
			knob, text, _ := strings.Cut(turn, "=")
			ok = s.TurnGuard(&g, own, knob, text) && ok
		}
		var parts []string
		for _, knob := range GuardKnobs() {
			if text := s.GuardText(g, knob); text != "" && (text != None || knob == "breaker.window") {
				parts = append(parts, strings.TrimPrefix(knob, "breaker.")+"="+text)
			}
		}
		if got := strings.Join(parts, " "); ok && got != c.want || ok != (c.want != "") {
			t.Errorf("%s: got %q, %t; want %q", c.turns, got, ok, c.want)
		}
	}
	g := sim.Guards{Breaker: ten}
	if s.TurnGuard(&g, own, "breaker.open", "1s"); g.Breaker.Lease != time.Second {
		t.Errorf("the lease, which was as long as the circuit stays open, is %s", g.Breaker.Lease)
	}
}

// Whatever differs is told, so that no setting can be slipped past what a step offers; and turning the knobs that are
// told leads to the other guards.
func TestTurnedGuardsTellEveryDifference(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := &Scenario{}
		s.Pools = []sim.Pool{{Name: "a"}, {Name: "b"}}
		a, b := drawGuards(t, 2), drawGuards(t, 2)
		turned := s.TurnedGuards(nil, a, b)
		same := (a == nil) == (b == nil) && (a == nil || *a == *b)
		if same != (len(turned) == 0) {
			t.Fatalf("turned %v between\n%+v\n%+v", turned, a, b)
		}
		var from, to sim.Guards
		if a != nil {
			from = *a
		}
		if b != nil {
			to = *b
		}
		for _, knob := range turned {
			if knob == "other" {
				return
			}
			s.TurnGuard(&from, nil, knob, s.GuardText(to, knob))
		}
		if from != to {
			t.Fatalf("turning %v leads to\n%+v\nnot\n%+v", turned, from, to)
		}
	})
}
