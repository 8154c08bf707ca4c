package codelab

import (
	"slices"
	"time"

	"retrylab.example/core/backoff"
	"retrylab.example/core/call"
	"retrylab.example/core/event"
	"retrylab.example/core/measure"
	"retrylab.example/core/retry"
	"retrylab.example/core/retryafter"
	"retrylab.example/core/sim"
	"retrylab.example/core/trace"
)

// repliesFunctions are contract C, lost replies.
func repliesFunctions() []Function {
	return []Function{
		{"retry", "operation, attempts, wait", retryCases, makeRetry, wantRetry},
		{"scripted", "outcomes", scriptedCases, makeScripted, wantScripted},
		{"add_without_key", "state, amount, lost", addWithoutKeyCases, makeAddWithoutKey, wantAdds},
		{"add_once", "state, key, amount, lost", addOnceCases, makeAddOnce, wantAdds},
	}
}

// lessonC is contract C's caller: waits of 1, 2, 4, 4, … s.
func lessonC(attempts int) retry.Policy {
	return retry.Policy{
		Attempts: attempts, Backoff: backoff.Config{Base: time.Second, Cap: 4 * time.Second}, RetryAfter: retryafter.Ignore,
		Safety: retry.AnyMethod, Statuses: retry.LessonStatuses(), Exhausted: retry.LastError,
	}
}

// The outcomes of an operation, and the statuses that stand for them in the core.
const (
	temporary = "temporary"
	invalid   = "invalid"
)

func statusOf(outcome Value) int {
	switch outcome.Text {
	case temporary:
		return 503
	case invalid:
		return 400
	}
	return 200
}

// failureOf is the exception of a status, empty for a success.
func failureOf(status int) string {
	switch status {
	case 503:
		return "TemporaryError"
	case 400:
		return "InvalidError"
	}
	return ""
}

func retryCase(attempts Value, outcomes ...Value) Case {
	c := single(fake("operation"), attempts, fake("wait"))
	for _, o := range outcomes {
		c.Answers = append(c.Answers, Answer{Raise: failureOf(statusOf(o)), Value: o})
	}
	return c
}

func retryCases() []Case {
	ok, busy, bad := text("ok"), text(temporary), text(invalid)
	return []Case{
		retryCase(whole(1), ok), retryCase(whole(3), busy, ok), retryCase(whole(3), bad, ok), retryCase(whole(1), busy, ok),
		retryCase(whole(4), busy, busy, ok), retryCase(whole(5), busy), retryCase(whole(0), ok), retryCase(whole(-1), ok),
		retryCase(whole(3), busy, bad, ok), retryCase(whole(2), whole(0)),
	}
}

func (c *choices) outcome() Value {
	return c.pick(text("ok"), text(temporary), text(temporary), text(temporary), text(invalid), whole(7))
}

func makeRetry(c *choices) Case {
	var outcomes []Value
	for c.more(len(outcomes), 7) || len(outcomes) == 0 {
		outcomes = append(outcomes, c.outcome())
	}
	attempts := c.span(1, 7)
	if c.below(8) == 7 {
		attempts = c.span(-2, 0)
	}
	return retryCase(attempts, outcomes...)
}

func wantRetry(c *Case) []Outcome {
	attempts := int(c.Steps[0].Args[1].Int)
	if attempts < 1 {
		return []Outcome{argument()}
	}
	script := *c
	script.Answers = nil
	for _, a := range c.Answers {
		script.Answers = append(script.Answers, Answer{Status: statusOf(a.Value)})
	}
	var o Outcome
	sent := 0
	for _, e := range script.play(lessonC(attempts), call.Request{Method: "POST", Path: "/add", Amount: 10}) {
		switch e.Kind {
		case event.AttemptSent:
			sent++
			o.Trace = append(o.Trace, Call{Name: "operation"})
		case event.RetryScheduled:
			o.Trace = append(o.Trace, Call{Name: "wait", Args: []Value{seconds(e.Decision.Wait)}})
		case event.CallSucceeded:
			o.Result = c.Answers[min(sent, len(c.Answers))-1].Value
		case event.CallGaveUp:
			o.Raised = failureOf(e.Response.Status)
		}
	}
	return []Outcome{o}
}

// scriptCase makes one or two operations from the same outcomes, and calls them by their numbers.
func scriptCase(outcomes []Value, operations int, calls ...int) Case {
	c := Case{Vars: []Named{{"outcomes", list(outcomes...)}}}
	for range operations {
		c.Steps = append(c.Steps, Step{Args: []Value{variable("outcomes")}})
	}
	for _, on := range calls {
		c.Steps = append(c.Steps, Step{On: on})
	}
	return c
}

func scriptedCases() []Case {
	ok, busy, bad := text("ok"), text(temporary), text(invalid)
	return []Case{
		scriptCase([]Value{ok}, 1, 1), scriptCase([]Value{busy}, 1, 1), scriptCase([]Value{bad}, 1, 1),
		scriptCase([]Value{busy, ok}, 1, 1, 1), scriptCase([]Value{busy, ok}, 1, 1, 1, 1),
		scriptCase([]Value{busy, ok}, 2, 1, 2), scriptCase([]Value{busy, ok}, 2, 1, 2, 1, 2),
	}
}

func makeScripted(c *choices) Case {
	var outcomes []Value
	for c.more(len(outcomes), 5) || len(outcomes) == 0 {
		outcomes = append(outcomes, c.outcome())
	}
	operations := 1 + c.below(2)
	calls := []int{1 + c.below(operations)}
	for c.more(len(calls), 8) {
		calls = append(calls, 1+c.below(operations))
	}
	return scriptCase(outcomes, operations, calls...)
}

// wantScripted lets a partner answer by the script, with one call of one attempt for each call of the operation.
func wantScripted(c *Case) []Outcome {
	outcomes := c.Vars[0].Value.Items
	var all []Outcome
	var worlds []sim.State
	called := map[int]int{}
	for _, s := range c.Steps {
		if s.On == 0 {
			config := sim.Config{RepeatLast: true, Clients: []sim.Client{{Name: "caller", Policy: lessonC(1)}}}
			for _, o := range outcomes {
				config.Script = append(config.Script, Answer{Status: statusOf(o)}.mishap())
			}
			worlds = append(worlds, newWorld(config))
			all = append(all, returned(Value{Kind: Other, Text: "function"}))
			continue
		}
		var events []event.Event
		worlds[s.On-1], events = fire(worlds[s.On-1], call.Request{Method: "POST", Path: "/add", Amount: 10})
		number := min(called[s.On], len(outcomes)-1)
		called[s.On]++
		if failed := failureOf(events[len(events)-1].Response.Status); failed != "" {
			all = append(all, raised(failed))
		} else {
			all = append(all, returned(outcomes[number]))
		}
	}
	return all
}

func newWorld(config sim.Config) sim.State {
	s, err := sim.New(config)
	if err != nil {
		panic("codelab: a case that makes no world: " + err.Error())
	}
	return s
}

// fire plays one call to its end, mishaps first, and a minute more.
func fire(s sim.State, r call.Request, mishaps ...sim.Mishap) (sim.State, []event.Event) {
	var keep trace.Keep
	for _, m := range mishaps {
		s = sim.Step(s, sim.Action{Kind: sim.Inject, Mishap: m}, &keep)
	}
	s = sim.Step(s, sim.Action{Kind: sim.Fire, Request: r}, &keep)
	s = sim.Step(s, sim.Action{Kind: sim.Advance, To: s.Now().Add(time.Minute)}, &keep)
	return s, keep.Events
}

func addition(args ...Value) Step { return Step{Args: append([]Value{variable("state")}, args...)} }

func addWithoutKeyCases() []Case {
	state := dict(text("total"), whole(0))
	ten, kept, lost := whole(10), truth(false), truth(true)
	return []Case{
		stateCase(state, addition(ten, kept)), stateCase(state, addition(ten, lost)),
		stateCase(state, addition(ten, lost), addition(ten, kept)), stateCase(state, addition(ten, kept), addition(whole(5), kept)),
	}
}

func makeAddWithoutKey(c *choices) Case {
	var steps []Step
	for c.more(len(steps), 5) || len(steps) == 0 {
		steps = append(steps, addition(c.span(1, 20), truth(c.flag())))
	}
	return stateCase(dict(text("total"), whole(0)), steps...)
}

func savedState() Value { return dict(text("total"), whole(0), text("saved"), dict()) }

func addOnceCases() []Case {
	a, b, ten, kept, lost := text("a"), text("b"), whole(10), truth(false), truth(true)
	of := func(steps ...Step) Case { return stateCase(savedState(), steps...) }
	return []Case{
		of(addition(a, ten, kept)), of(addition(a, ten, lost)), of(addition(a, ten, lost), addition(a, ten, kept)),
		of(addition(a, ten, kept), addition(a, whole(11), kept)), of(addition(a, ten, kept), addition(b, ten, kept)),
		of(addition(a, ten, kept), addition(a, ten, lost)), of(addition(a, ten, kept), addition(b, ten, kept), addition(a, ten, kept)),
	}
}

func makeAddOnce(c *choices) Case {
	var steps []Step
	for c.more(len(steps), 7) || len(steps) == 0 {
		steps = append(steps, addition(c.pick(text("a"), text("b"), text("c")), c.pick(whole(10), whole(5)), truth(c.flag())))
	}
	return stateCase(savedState(), steps...)
}

// wantAdds lets contract C's partner do the additions, with a key or without.
func wantAdds(c *Case) []Outcome {
	policy := lessonC(1)
	policy.AttemptTimeout = time.Second
	world := newWorld(sim.Config{Clients: []sim.Client{{Name: "caller", Policy: policy}}})
	var all []Outcome
	var totals measure.Fold
	saved := dict()
	for _, s := range c.Steps {
		last := len(s.Args) - 1
		r := call.Request{Method: "POST", Path: "/add", Amount: s.Args[last-1].Int}
		if keyed := last == 3; keyed {
			r.Key, r.Keyed = s.Args[1].Text, true
		}
		var events []event.Event
		world, events = add(world, r, s.Args[last].Int == 1)
		for i := range events {
			totals.Event(&events[i])
		}
		o := learned(events)
		state := dict(text("total"), whole(totals.Totals().Actual))
		if r.Keyed {
			if applied(events) {
				saved.Items = append(slices.Clip(saved.Items), text(r.Key), tuple(whole(r.Amount), whole(totals.Totals().Actual)))
			}
			state.Items = append(state.Items, text("saved"), saved)
		}
		o.Vars = []Value{state}
		all = append(all, o)
	}
	return all
}

// add sends one addition. Only the reply to an effect can be lost, so it is first tried with a good network on a clone.
func add(world sim.State, r call.Request, lose bool) (sim.State, []event.Event) {
	after, events := fire(world.Clone(), r)
	if lose && applied(events) {
		return fire(world, r, sim.Mishap{Fault: event.LostReply})
	}
	return after, events
}

func applied(events []event.Event) bool {
	return slices.ContainsFunc(events, func(e event.Event) bool { return e.Kind == event.EffectApplied })
}

// learned is what the caller of one addition learns.
func learned(events []event.Event) Outcome {
	last := &events[len(events)-1]
	switch {
	case last.Failure == call.TimedOut:
		return raised("ReplyLost")
	case last.Response.Status != 200:
		return argument()
	}
	return returned(whole(last.Response.Body.Total))
}
