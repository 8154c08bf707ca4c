package sim

import (
	"testing"
	"time"

	"retrylab.example/core/breaker"
	"retrylab.example/core/call"
	"retrylab.example/core/clock"
	"retrylab.example/core/event"
	"retrylab.example/core/trace"
)

// fataler is a test or a fuzz target's.
type fataler interface {
	Helper()
	Fatalf(format string, args ...any)
}

// both is a sink that writes down and audits.
type both struct {
	trace.Keep
	*audit
}

func (b *both) Event(e *event.Event) { b.Keep.Event(e); b.audit.Event(e) }

// live plays a random world: first actions, then what is due. between is called before each step.
func live(t fataler, c *choices, between func(s State)) (State, []event.Event) {
	t.Helper()
	conf := c.config()
	c.busy(&conf.Partner)
	s, err := New(conf)
	if err != nil {
		t.Fatalf("%v", err)
	}
	sink := &both{audit: newAudit(conf)}
	step := func(a Action) {
		between(s)
		sink.pending, sink.guard.pending = a.Policy, a.Guards
		s = Step(s, a, sink)
		err := Check(s)
		if err == nil {
			err = sink.check(s)
		}
		if err != nil {
			t.Fatalf("%+v\nafter %+v: %v\n%s", conf, a, err, columns(sink.Events))
		}
	}
	for range c.below(40) {
		step(c.action(s))
	}
	for range 500 {
		step(Action{Kind: Next})
		if _, due := s.Due(); !due {
			break
		}
	}
	return s, sink.Events
}

func columns(events []event.Event) (text string) {
	for i := range events {
		text += trace.Columns(&events[i]) + "\n"
	}
	return text
}

func TestRandomWorldsKeepTheirInvariants(t *testing.T) {
	kinds := map[event.Kind]int{}
	eachWorld(t, func(t *testing.T, c *choices) {
		_, events := live(t, c, func(State) {})
		for _, e := range events {
			kinds[e.Kind]++
		}
	})
	if *worlds < 100 {
		return
	}
	for _, k := range event.Kinds() {
		if kinds[k] == 0 {
			t.Errorf("no random world has the event %s", k)
		}
	}
}

func FuzzStep(f *testing.F) {
	f.Add([]byte{})
	f.Add([]byte("one client, many retries"))
	f.Add([]byte{1, 2, 1, 0, 0, 1, 0, 0, 3, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23})
	f.Fuzz(func(t *testing.T, data []byte) { live(t, fromBytes(data), func(State) {}) })
}

// What is done to a clone never shows in the original.
func TestAClonesStepsLeaveTheOriginalAlone(t *testing.T) {
	eachWorld(t, func(t *testing.T, c *choices) {
		taped := tape(c)
		_, quiet := live(t, fromBytes(taped), func(State) {})
		_, disturbed := live(t, fromBytes(taped), func(s State) {
			var sink trace.Keep
			d := s.Clone()
			for client := range d.clients {
				d = Step(d, Action{Kind: Inject, Mishap: Mishap{Fault: event.LostReply}}, &sink)
				d = Step(d, Action{Kind: SetPolicy, Client: client}, &sink)
				d = Step(d, Action{Kind: SetGuards, Client: client, Guards: &Guards{Breaker: breaker.Config{Failures: 1, Open: 1}}}, &sink)
				r := call.Request{Method: "POST", Path: "/add", Key: "k", Keyed: true, Amount: 1}
				d = Step(d, Action{Kind: Fire, Client: client, Request: r}, &sink)
				d = Step(d, Action{Kind: Next}, &sink)
			}
			Step(d, Action{Kind: Advance, To: d.now.Add(time.Hour)}, &sink)
		})
		if got, want := trace.Digest(disturbed), trace.Digest(quiet); got != want {
			t.Errorf("got\n%swant\n%s", columns(disturbed), columns(quiet))
		}
	})
}

// tape writes down enough choices for one world, so that it can be made twice.
func tape(c *choices) []byte {
	data := make([]byte, 1000)
	for i := range data {
		data[i] = c.byte()
	}
	return data
}

// An advance is the same as handling one item after the other.
func TestAdvancingIsTheSameAsStepping(t *testing.T) {
	eachWorld(t, func(t *testing.T, c *choices) {
		taped := tape(c)
		whole := advanced(t, fromBytes(taped), func(s State, to clock.Instant, sink Sink) State {
			return Step(s, Action{Kind: Advance, To: to}, sink)
		})
		single := advanced(t, fromBytes(taped), func(s State, to clock.Instant, sink Sink) State {
			for at, due := s.Due(); due && at <= to; at, due = s.Due() {
				s = Step(s, Action{Kind: Next}, sink)
			}
			return Step(s, Action{Kind: Advance, To: to}, sink)
		})
		if trace.Digest(whole) != trace.Digest(single) {
			t.Errorf("advancing:\n%sstepping:\n%s", columns(whole), columns(single))
		}
	})
}

func advanced(t *testing.T, c *choices, advance func(State, clock.Instant, Sink) State) []event.Event {
	conf := c.config()
	c.busy(&conf.Partner)
	s, err := New(conf)
	if err != nil {
		t.Fatal(err)
	}
	var keep trace.Keep
	for range 20 {
		if a := c.action(s); a.Kind == Advance {
			s = advance(s, a.To, &keep)
		} else if a.Kind != Next {
			s = Step(s, a, &keep)
		}
	}
	advance(s, s.now.Add(time.Hour), &keep)
	return keep.Events
}

// A sink is shown the same event again and again: it must copy what it keeps, and a step allocates none.
func TestEventsAreReused(t *testing.T) {
	s, err := New(Config{Clients: []Client{{Name: "a"}}})
	if err != nil {
		t.Fatal(err)
	}
	seen := map[*event.Event]bool{}
	s = Step(s, Action{Kind: Fire, Request: call.Request{Method: "GET", Path: "/total"}}, sinkFunc(func(e *event.Event) { seen[e] = true }))
	if _, due := s.Due(); !due || len(seen) != 1 {
		t.Errorf("due %v, %d different events", due, len(seen))
	}
}

type sinkFunc func(*event.Event)

func (f sinkFunc) Event(e *event.Event) { f(e) }
