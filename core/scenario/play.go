package scenario

import (
	"sort"

	"retrylab.example/core/clock"
	"retrylab.example/core/event"
	"retrylab.example/core/sim"
	"retrylab.example/core/trace"
)

// Played is a whole run: what a player steps through. It is made again at every input, which for a lesson takes well
// under a millisecond; stepping itself simulates nothing.
type Played struct {
	Inputs []Input
	Events []event.Event
	// Begins and Ends hold for each input how many events there were just before it and just after it.
	Begins, Ends []int
	// Stopped says that the run reached its bound.
	Stopped bool
}

// Play runs the scenario with its own inputs and further ones, to the end. At one instant its own come first.
func (s *Scenario) Play(inputs []Input) (Played, error) {
	p := Played{Inputs: inputs}
	st, err := sim.New(s.Config)
	if err != nil {
		return p, err
	}
	var k trace.Keep
	own := 0
	for _, in := range inputs {
		for ; own < len(s.Inputs) && s.Inputs[own].At <= in.At; own++ {
			st = do(st, s.Inputs[own], &k)
		}
		st = sim.Step(st, sim.Action{Kind: sim.Advance, To: in.At}, &k)
		begin := len(k.Events)
		st = sim.Step(st, in.Action, &k)
		p.Begins, p.Ends = append(p.Begins, begin), append(p.Ends, len(k.Events))
	}
	for ; own < len(s.Inputs); own++ {
		st = do(st, s.Inputs[own], &k)
	}
	for {
		if _, due := st.Due(); !due {
			break
		}
		st = sim.Step(st, sim.Action{Kind: sim.Next}, &k)
	}
	p.Events, p.Stopped = k.Events, st.Stopped()
	return p, nil
}

// Position is where a player stands in a run: how many events have happened, and what the clock shows.
type Position struct {
	Count int
	Now   clock.Instant
}

// At returns the position after everything that is due up to and including an instant.
func (p *Played) At(now clock.Instant) Position {
	return Position{sort.Search(len(p.Events), func(i int) bool { return p.Events[i].At > now }), now}
}

// End returns the position after the last event; the clock does not go back.
func (p *Played) End(from Position) Position {
	return p.After(len(p.Events), from)
}

// After returns the position after so many events. The clock shows the last of them, but never an earlier instant than
// from when nothing was taken back.
func (p *Played) After(count int, from Position) Position {
	count = min(max(count, 0), len(p.Events))
	at := clock.Start
	if count > 0 {
		at = p.Events[count-1].At
	}
	if count >= from.Count {
		at = max(at, from.Now)
	}
	return Position{count, at}
}

// Done returns how many of the further inputs have been done at a position.
func (p *Played) Done(at Position) int {
	n := 0
	for n < len(p.Begins) && p.Begins[n] < at.Count {
		n++
	}
	return n
}

// Settled reports whether nothing is due any more at a position.
func (p *Played) Settled(at Position) bool { return at.Count == len(p.Events) && !p.Stopped }
