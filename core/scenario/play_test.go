package scenario

import (
	"reflect"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"retrylab.example/core/clock"
	"retrylab.example/core/event"
	"retrylab.example/core/sim"
	"retrylab.example/core/trace"
)

// drawRun draws a scenario whose run is short, and inputs of a person in it.
func drawRun(t *rapid.T) (Scenario, []Input) {
	s := drawScenario(t)
	s.MaxEvents = min(s.MaxEvents, 300)
	return s, drawInputs(t, &s)
}

// sameEvents reports whether two lists hold the same events; an empty list is like none.
func sameEvents(a, b []event.Event) bool {
	return len(a) == len(b) && (len(a) == 0 || reflect.DeepEqual(a, b))
}

// drawInputs draws inputs in the order of time, several of them at one instant.
func drawInputs(t *rapid.T, s *Scenario) []Input {
	var inputs []Input
	at := clock.Start
	for range rapid.IntRange(0, 5).Draw(t, "further") {
		inputs = append(inputs, drawInput(t, s, at))
		at = inputs[len(inputs)-1].At
	}
	return inputs
}

// drawInput draws an input that is not earlier than an instant.
func drawInput(t *rapid.T, s *Scenario, from clock.Instant) Input {
	wait := rapid.SampledFrom([]time.Duration{0, 0, s.Latency, time.Second, time.Hour}).Draw(t, "wait")
	return Input{min(from.Add(wait), clock.Instant(s.MaxTime)), drawAction(t, len(s.Clients), len(s.Pools))}
}

// Play gives the events of Run, and says between which of them each input was done.
func TestPlayIsRunWithItsInputsMarked(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, inputs := drawRun(t)
		p, err := s.Play(inputs)
		if err != nil {
			t.Fatal(err)
		}
		var k trace.Keep
		st, err := s.Run(inputs, &k)
		if err != nil || !sameEvents(p.Events, k.Events) || p.Stopped != st.Stopped() {
			t.Fatalf("%v: played %d events, stopped %t; run %d events, stopped %t", err, len(p.Events), p.Stopped, len(k.Events), st.Stopped())
		}
		if len(p.Begins) != len(inputs) || len(p.Ends) != len(inputs) {
			t.Fatalf("%d inputs have %d beginnings and %d ends", len(inputs), len(p.Begins), len(p.Ends))
		}
		before := 0
		for i, in := range inputs {
			if p.Begins[i] < before || p.Ends[i] < p.Begins[i] || p.Ends[i] > len(p.Events) {
				t.Fatalf("input %d lies between events %d and %d, the one before it ended at %d", i, p.Begins[i], p.Ends[i], before)
			}
			before = p.Ends[i]
			if p.Begins[i] < p.Ends[i] {
				checkFirst(t, in, p.Events[p.Begins[i]])
			} else if !p.Stopped {
				t.Fatalf("input %d did nothing in a run that was not stopped", i)
			}
		}
	})
}

// checkFirst checks the first event of an input.
func checkFirst(t *rapid.T, in Input, e event.Event) {
	want := map[sim.ActionKind]event.Kind{
		sim.Fire: event.CallStarted, sim.Inject: event.FaultInjected, sim.SetPolicy: event.PolicyChanged,
		sim.SetGuards: event.GuardsChanged, sim.SetLimit: event.LimitChanged,
	}[in.Action.Kind]
	if in.Action.Kind == sim.SetLimit && e.Kind == event.LimitRefused {
		want = event.LimitRefused
	}
	if e.Kind != event.RunStopped && (e.Kind != want || e.At != in.At) {
		t.Fatalf("an input at %d began with the event %s at %d", in.At, e.Kind, e.At)
	}
}

// A scenario's own inputs come before a person's at the same instant, and all that was due before both.
func TestOwnInputsComeFirst(t *testing.T) {
	s, err := Read("own.json", []byte(`{"latency": "50ms", "clients": [{"name": "a", "policy": {"attempts": 1}}],
		"inputs": [{"fire": {}}, {"at": "100ms", "inject": {"reply": 503}}, {"at": "1s", "fire": {}}]}`))
	if err != nil {
		t.Fatal(err)
	}
	mine := []Input{
		{clock.Start.Add(100 * time.Millisecond), sim.Action{Kind: sim.Inject, Mishap: sim.Mishap{Fault: event.LostRequest}}},
		{clock.Start.Add(2 * time.Second), sim.Action{Kind: sim.Inject, Mishap: sim.Mishap{Fault: event.LostReply}}},
	}
	p, err := s.Play(mine)
	if err != nil {
		t.Fatal(err)
	}
	var people []event.Kind
	for i := range p.Events {
		if e := &p.Events[i]; e.At == mine[0].At {
			people = append(people, e.Kind)
		}
	}
	// The reply that is due at 100 ms, what it leads to, the scenario's order, then the person's.
	if n := len(people); n < 4 || people[0] != event.ReplyArrived || people[n-2] != event.FaultInjected || people[n-1] != event.FaultInjected {
		t.Errorf("at 100 ms there are the events %v", people)
	}
	if e := p.Events[p.Begins[0]]; e.Fault != event.LostRequest || p.Ends[0] != p.Begins[0]+1 {
		t.Errorf("the person's first input began with %s %s and ended at %d of %d", e.Kind, e.Fault, p.Ends[0], p.Begins[0])
	}
	if got := p.Ends[1]; got != len(p.Events) {
		t.Errorf("the last input ends after event %d of %d", got, len(p.Events))
	}
}

// Play returns the error of a world that cannot be.
func TestPlayReturnsTheWorldsError(t *testing.T) {
	if _, err := new(Scenario).Play(nil); err == nil {
		t.Error("a scenario without a client was played")
	}
}

// At every position: what has happened is a prefix in time, and the ways to reach a position agree.
func TestPositions(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, inputs := drawRun(t)
		p, err := s.Play(inputs)
		if err != nil {
			t.Fatal(err)
		}
		pos := Position{}
		for n := range len(p.Events) + 1 {
			at := p.After(n, pos)
			if at.Count != n || at.Now < pos.Now || n > 0 && at.Now < p.Events[n-1].At {
				t.Fatalf("after %d events from %v: %v", n, pos, at)
			}
			if back := p.After(n-1, at); n > 0 && (back.Count != n-1 || back != p.After(n-1, Position{})) {
				t.Fatalf("back from %v: %v, not the position after %d events", at, back, n-1)
			}
			if all := p.At(at.Now); all.Count < n || all.Count < len(p.Events) && p.Events[all.Count].At <= at.Now {
				t.Fatalf("at %d there are %d events, after stepping %d", at.Now, all.Count, n)
			}
			if settled := p.Settled(at); settled != (n == len(p.Events) && !p.Stopped) {
				t.Fatalf("after %d of %d events: settled %t", n, len(p.Events), settled)
			}
			pos = at
		}
		if end := p.End(Position{}); end.Count != len(p.Events) || end != pos {
			t.Fatalf("the end is %v, stepping came to %v", end, pos)
		}
		if p.After(-5, pos).Count != 0 || p.After(len(p.Events)+5, pos).Count != len(p.Events) {
			t.Fatal("a position lies outside of the run")
		}
	})
}

// The clock never goes back when time is given, also where no event is.
func TestAfterKeepsALaterClock(t *testing.T) {
	p := Played{Events: []event.Event{{At: 5}, {At: 5}, {At: 9}}}
	for _, c := range []struct {
		count int
		from  Position
		want  Position
	}{
		{1, Position{0, 0}, Position{1, 5}},
		{1, Position{0, 3}, Position{1, 5}},
		{3, Position{2, 7}, Position{3, 9}},
		{3, Position{3, 20}, Position{3, 20}}, // nothing more to come: the clock stays
		{2, Position{3, 20}, Position{2, 5}},  // taken back: the clock shows the event before
		{0, Position{1, 5}, Position{0, 0}},
		{0, Position{0, 4}, Position{0, 4}},
	} {
		if got := p.After(c.count, c.from); got != c.want {
			t.Errorf("after %d from %v: got %v, want %v", c.count, c.from, got, c.want)
		}
	}
	if got := p.At(5); got != (Position{2, 5}) {
		t.Errorf("at 5: got %v, want both events of that instant", got)
	}
}

// Acting at any position leaves what has happened as it was, drops the inputs after it, and is done at once.
func TestActingNeverChangesThePast(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, inputs := drawRun(t)
		p, err := s.Play(inputs)
		if err != nil {
			t.Fatal(err)
		}
		n := rapid.IntRange(0, len(p.Events)).Draw(t, "events")
		pos := p.After(n, Position{})
		if rapid.Bool().Draw(t, "advanced") {
			pos = p.At(min(pos.Now.Add(time.Minute), clock.Instant(s.MaxTime)))
		}
		if p.Stopped && pos.Count == len(p.Events) {
			t.Skip("nothing is done after the end of all time")
		}
		done := p.Done(pos)
		for i := range inputs {
			if happened := p.Begins[i] < pos.Count; happened != (i < done) {
				t.Fatalf("input %d begins at event %d; at event %d there are %d done", i, p.Begins[i], pos.Count, done)
			}
		}
		in := Input{pos.Now, drawAction(t, len(s.Clients), len(s.Pools))}
		q, err := s.Play(append(slices.Clone(inputs[:done]), in))
		if err != nil {
			t.Fatal(err)
		}
		if len(q.Events) < pos.Count || !sameEvents(q.Events[:pos.Count], p.Events[:pos.Count]) {
			t.Fatalf("the first %d events are others after acting at %v", pos.Count, pos)
		}
		if q.Begins[done] < pos.Count || q.Done(Position{q.Ends[done], pos.Now}) < done {
			t.Fatalf("the new input begins at event %d, before the position %d", q.Begins[done], pos.Count)
		}
	})
}
