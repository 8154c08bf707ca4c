package vectors

import (
	"slices"
	"testing"
	"time"

	"retrylab.example/core/backoff"
	"retrylab.example/core/call"
	"retrylab.example/core/clock"
	"retrylab.example/core/decision"
	"retrylab.example/core/event"
	"retrylab.example/core/measure"
	"retrylab.example/core/retry"
	"retrylab.example/core/retryafter"
	"retrylab.example/core/rng"
	"retrylab.example/core/sim"
	"retrylab.example/core/trace"
)

// runCall plays one call of a one-client world to its end and returns the events.
func runCall(t *testing.T, c sim.Config, r call.Request) []event.Event {
	t.Helper()
	s, err := sim.New(c)
	if err != nil {
		t.Fatal(err)
	}
	var keep trace.Keep
	s = sim.Step(s, sim.Action{Kind: sim.Fire, Request: r}, &keep)
	for _, due := s.Due(); due; _, due = s.Due() {
		s = sim.Step(s, sim.Action{Kind: sim.Next}, &keep)
	}
	return keep.Events
}

// exchange is one element of a script.
type exchange struct {
	Cost       seconds
	Status     int
	RetryAfter header `json:"retry_after"`
}

func (x exchange) mishap() sim.Mishap {
	r := call.Response{Status: x.Status, RetryAfter: x.RetryAfter.text, HasRetryAfter: x.RetryAfter.sent}
	return sim.Mishap{Fault: event.Reply, Delay: x.Cost.Duration, Response: r}
}

type executeArgs struct {
	Script    []exchange
	Method    *string
	Key       header
	Timeout   *seconds
	Maximum   *int
	Fractions []fraction
	Oversleep seconds
}

type send struct{ at, timeout time.Duration }

// executed is what a caller of execute can see.
type executed struct {
	status int
	err    string
	sends  []send
	waits  []time.Duration
	end    time.Duration
}

func TestVectorsExecute(t *testing.T) {
	type wanted struct {
		Status int
		Error  string
		Sends  []struct{ At, Timeout seconds }
		Waits  []seconds
		End    seconds
	}
	each(t, "execute", func(t *testing.T, row struct {
		Args executeArgs
		Want wanted
	}) {
		got := execute(t, row.Args)
		same(t, "status", got.status, row.Want.Status)
		same(t, "error", got.err, row.Want.Error)
		same(t, "end", got.end, row.Want.End.Duration)
		if want := durations(row.Want.Waits); !slices.Equal(got.waits, want) {
			t.Errorf("waits: got %v, want %v", got.waits, want)
		}
		var sends []send
		for _, s := range row.Want.Sends {
			sends = append(sends, send{s.At.Duration, s.Timeout.Duration})
		}
		if !slices.Equal(got.sends, sends) {
			t.Errorf("sends: got %v, want %v", got.sends, sends)
		}
	})
}

// execute runs contract A's executor: a policy in a world without latency whose partner answers by script.
func execute(t *testing.T, a executeArgs) executed {
	method, timeout, maximum := "GET", 5*time.Second, 3
	if a.Method != nil {
		method = *a.Method
	}
	if a.Timeout != nil {
		timeout = a.Timeout.Duration
	}
	if a.Maximum != nil {
		maximum = *a.Maximum
	}
	policy, err := retry.NewLessonA(timeout, maximum)
	if err != nil {
		return executed{err: "invalid_argument"}
	}
	policy.Fractions = []rng.Ratio{{Num: 1, Den: 2}}
	if len(a.Fractions) > 0 {
		policy.Fractions = nil
	}
	for _, f := range a.Fractions {
		policy.Fractions = append(policy.Fractions, f.Ratio)
	}
	c := sim.Config{RepeatLast: true, Clients: []sim.Client{{
		Name: "caller", Policy: policy, Oversleep: a.Oversleep.Duration,
	}}}
	for _, x := range a.Script {
		c.Script = append(c.Script, x.mishap())
	}
	events := runCall(t, c, call.Request{Method: method, Path: "/total", Key: a.Key.text, Keyed: a.Key.sent, Amount: 1})
	return readExecution(events, policy)
}

// readExecution reads events as the caller of execute sees them. The engine goes on where contract A's backoff and
// jitter refuse their argument in the middle of a call, because a world checks its settings before it starts; here the
// call ends at that instant.
func readExecution(events []event.Event, policy retry.Policy) executed {
	var got executed
	var deadline clock.Instant
	for i := range events {
		e := &events[i]
		got.end = time.Duration(e.At)
		if argumentRefused(e, policy) {
			got.err = "invalid_argument"
			return got
		}
		switch e.Kind {
		case event.CallStarted:
			deadline = e.Until
		case event.AttemptSent:
			got.sends = append(got.sends, send{time.Duration(e.At), deadline.Sub(e.At)})
		case event.RetryScheduled:
			got.waits = append(got.waits, e.Decision.Wait)
		case event.CallSucceeded, event.CallGaveUp:
			got.status = e.Response.Status
			if e.Decision.Reason == decision.DeadlinePassed {
				got.err = "timeout"
			}
			return got
		}
	}
	return got
}

func argumentRefused(e *event.Event, policy retry.Policy) bool {
	exponential, waits := e.Decision.Term(decision.Exponential)
	if !waits {
		return false
	}
	_, err := backoff.Delay(int(exponential.B), policy.Backoff.Base, policy.Backoff.Cap)
	return err != nil || !policy.FractionOf(e.Request.Attempt, 0).Valid()
}

// lessonC is contract C's caller: waits 1, 2, 4, 4, … s.
func lessonC(attempts int) retry.Policy {
	return retry.Policy{
		Attempts:   attempts,
		Backoff:    backoff.Config{Base: time.Second, Cap: 4 * time.Second},
		RetryAfter: retryafter.Ignore,
		Safety:     retry.AnyMethod,
		Statuses:   retry.LessonStatuses(),
		Exhausted:  retry.LastError,
	}
}

func TestVectorsRetryScript(t *testing.T) {
	statuses := map[string]int{"ok": 200, "temporary": 503, "invalid": 400}
	each(t, "retry_script", func(t *testing.T, row struct {
		Args struct {
			Outcomes []string
			Attempts int
		}
		Want struct {
			Outcome, Value string
			Attempts       int
			Waits          []seconds
		}
	}) {
		c := sim.Config{RepeatLast: true, Clients: []sim.Client{{Name: "caller", Policy: lessonC(row.Args.Attempts)}}}
		for _, o := range row.Args.Outcomes {
			c.Script = append(c.Script, exchange{Status: statuses[o]}.mishap())
		}
		events := runCall(t, c, call.Request{Method: "POST", Path: "/add", Amount: 10})
		waits := []time.Duration{}
		for _, e := range events {
			if e.Kind == event.RetryScheduled {
				waits = append(waits, e.Decision.Wait)
			}
		}
		last := events[len(events)-1]
		outcome, value := "temporary_error", ""
		switch {
		case last.Kind == event.CallSucceeded:
			outcome, value = "ok", "ok"
		case last.Decision.Reason == decision.NotRetryable:
			outcome = "invalid"
		}
		same(t, "outcome", outcome, row.Want.Outcome)
		same(t, "value", value, row.Want.Value)
		same(t, "attempts", measure.Of(events).Sent, row.Want.Attempts)
		if want := durations(row.Want.Waits); !slices.Equal(waits, want) {
			t.Errorf("waits: got %v, want %v", waits, want)
		}
	})
}

type ledgerStep struct {
	Key          header
	Amount       int64
	LoseReply    bool `json:"lose_reply"`
	Outcome      string
	Value        *int64
	Total        int64
	NaiveTotal   int64 `json:"naive_total"`
	DedupedTotal int64 `json:"deduped_total"`
}

func TestVectorsLedger(t *testing.T) {
	each(t, "ledger", func(t *testing.T, row struct{ Steps []ledgerStep }) {
		policy := lessonC(1)
		policy.AttemptTimeout = time.Second
		s, err := sim.New(sim.Config{Clients: []sim.Client{{Name: "caller", Policy: policy}}})
		if err != nil {
			t.Fatal(err)
		}
		var totals measure.Fold
		for i, step := range row.Steps {
			var events []event.Event
			s, events = addOnce(s, step)
			for j := range events {
				totals.Event(&events[j])
			}
			outcome, value := readOutcome(events)
			if got := totals.Totals(); outcome != step.Outcome || got.Actual != step.Total ||
				got.Naive != step.NaiveTotal || got.Deduped != step.DedupedTotal {
				t.Errorf("step %d: got %s, totals %d naive %d deduped %d; want %+v",
					i, outcome, got.Actual, got.Naive, got.Deduped, step)
			}
			if (value == nil) != (step.Value == nil) || value != nil && *value != *step.Value {
				t.Errorf("step %d: got value %v, want %v", i, value, step.Value)
			}
		}
	})
}

// addOnce sends one addition. Only the reply to an effect can be lost, so the step is first tried with a good network
// on a clone.
func addOnce(s sim.State, step ledgerStep) (sim.State, []event.Event) {
	play := func(s sim.State, lose bool) (sim.State, []event.Event) {
		var keep trace.Keep
		if lose {
			s = sim.Step(s, sim.Action{Kind: sim.Inject, Mishap: sim.Mishap{Fault: event.LostReply}}, &keep)
		}
		s = sim.Step(s, sim.Action{Kind: sim.Fire, Request: call.Request{
			Method: "POST", Path: "/add", Amount: step.Amount, Key: step.Key.text, Keyed: step.Key.sent,
		}}, &keep)
		s = sim.Step(s, sim.Action{Kind: sim.Advance, To: s.Now().Add(time.Minute)}, &keep)
		return s, keep.Events
	}
	after, events := play(s.Clone(), false)
	effect := slices.ContainsFunc(events, func(e event.Event) bool { return e.Kind == event.EffectApplied })
	if step.LoseReply && effect {
		return play(s, true)
	}
	return after, events
}

// readOutcome reads what the caller of one addition learns.
func readOutcome(events []event.Event) (outcome string, value *int64) {
	last := events[len(events)-1]
	switch r := last.Response; {
	case last.Failure == call.TimedOut:
		return "lost", nil
	case r.Status == 422:
		return "mismatch", nil
	case r.Replayed:
		return "replay", &r.Body.Total
	case last.Kind == event.CallSucceeded:
		return "ok", &r.Body.Total
	}
	return last.Decision.Reason.String(), nil
}
