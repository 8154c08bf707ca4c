package sim

import (
	"reflect"
	"testing"
	"time"

	"retrylab.example/core/call"
	"retrylab.example/core/decision"
	"retrylab.example/core/event"
	"retrylab.example/core/trace"
)

// brief keeps events and wants no flips.
type brief struct{ trace.Keep }

func (b *brief) Brief() bool { return true }

// A brief sink is shown the same events; only the flips of retry decisions are missing.
func TestABriefSinkMissesFlipsAndNothingElse(t *testing.T) {
	missed := 0
	eachWorld(t, func(t *testing.T, c *choices) {
		taped := tape(c)
		play := func(sink Sink) {
			s := advancedTo(t, fromBytes(taped), sink)
			Step(s, Action{Kind: Advance, To: s.now.Add(time.Hour)}, sink)
		}
		var whole trace.Keep
		var short brief
		play(&whole)
		play(&short)
		if len(whole.Events) != len(short.Events) {
			t.Fatalf("%d events, a brief sink has %d", len(whole.Events), len(short.Events))
		}
		for i := range whole.Events {
			w, b := whole.Events[i], short.Events[i]
			if len(w.Decision.Flips()) > len(b.Decision.Flips()) {
				missed++
				w.Decision, b.Decision = rows(&w.Decision), rows(&b.Decision)
			}
			if w != b {
				t.Fatalf("got\n%s\nwant\n%s", trace.Columns(&b), trace.Columns(&w))
			}
		}
	})
	if *worlds >= 100 && missed == 0 {
		t.Error("no flip was ever missing")
	}
}

// rows returns a decision without its flips.
func rows(d *decision.Decision) decision.Decision {
	r := decision.Decision{Verdict: d.Verdict, Reason: d.Reason, Wait: d.Wait}
	for _, t := range d.Terms() {
		r.Add(t)
	}
	return r
}

func advancedTo(t *testing.T, c *choices, sink Sink) State {
	s, err := New(c.config())
	if err != nil {
		t.Fatal(err)
	}
	for range 20 {
		s = Step(s, c.action(s), sink)
	}
	return s
}

// What one event had never shows in the next: begin clears all that it does not set, also what is added to an event one
// day.
func TestBeginClearsTheEventBefore(t *testing.T) {
	s := State{scratch: new(event.Event)}
	fill(reflect.ValueOf(s.scratch).Elem())
	s.scratch.Decision = decision.Decision{Verdict: decision.Retry, Wait: 1}
	s.scratch.Decision.Add(decision.Term{Name: decision.Cap, Value: 3})
	r := call.Request{Client: 1, Call: 2, Attempt: 3}
	got := *s.begin(event.AttemptSent, event.Network, &r)
	got.Seq, got.At = 0, 0 // set by show
	if want := (event.Event{Kind: event.AttemptSent, Who: event.Network, Request: r}); got != want {
		t.Errorf("got %+v", got)
	}
}

// fill sets every exported field that is no decision to something.
func fill(v reflect.Value) {
	for i := range v.NumField() {
		switch f := v.Field(i); {
		case !f.CanSet() || f.Type() == reflect.TypeFor[decision.Decision]():
		case f.Kind() == reflect.Struct:
			fill(f)
		case f.CanInt():
			f.SetInt(7)
		case f.CanUint():
			f.SetUint(7)
		case f.Kind() == reflect.String:
			f.SetString("x")
		case f.Kind() == reflect.Bool:
			f.SetBool(true)
		}
	}
}
