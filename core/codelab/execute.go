package codelab

import (
	"time"

	"retrylab.example/core/call"
	"retrylab.example/core/clock"
	"retrylab.example/core/decision"
	"retrylab.example/core/event"
	"retrylab.example/core/retry"
	"retrylab.example/core/sim"
	"retrylab.example/core/trace"
)

// executeCase is a case of contract A's execute, in a world whose partner answers by script.
func executeCase(method, key Value, answers ...Answer) Case {
	c := single(fake("send"), fake("clock"), fake("sleep"), method, key).with("random_fraction", fake("draw"))
	c.Answers, c.Draws = answers, []Value{whole(1)}
	return c
}

func reply(status int, cost time.Duration, after Value) Answer {
	return Answer{Status: status, Cost: cost, After: after}
}

func executeCases() []Case {
	var none Value
	get, post, key := text("GET"), text("POST"), text("k-1")
	quarter, ok := time.Second/4, reply(200, 0, none)
	busy := reply(503, 0, none)
	slow := reply(503, quarter, none)
	return []Case{
		executeCase(get, none, ok),
		executeCase(get, none, busy, ok),
		executeCase(post, none, busy, ok),
		executeCase(post, text(" "), busy, ok),
		executeCase(post, key, busy, ok),
		executeCase(get, none, reply(400, 0, none), ok),
		executeCase(get, none, busy),
		executeCase(get, none, reply(429, 0, text("3")), ok),
		executeCase(get, none, reply(429, 0, text("7")), ok),
		executeCase(get, none, slow, ok).with("timeout", seconds(3*quarter)),
		executeCase(get, none, slow, ok).with("timeout", whole(1)),
		executeCase(get, none, busy).with("maximum", whole(1)),
		executeCase(get, none, ok).with("maximum", whole(0)),
		executeCase(get, none, ok).with("timeout", whole(0)),
		executeCase(get, none, ok).with("timeout", whole(-1)),
		oversleeping(executeCase(get, none, busy, ok).with("timeout", whole(1)), 2*quarter),
		oversleeping(executeCase(get, none, busy, slow, ok), quarter),
		starting(executeCase(get, none, slow, ok), 10*time.Second),
	}
}

func oversleeping(c Case, by time.Duration) Case {
	c.Over = by
	return c
}

func starting(c Case, at time.Duration) Case {
	c.Now = clock.Start.Add(at)
	return c
}

func makeExecute(c *choices) Case {
	var answers []Answer
	for c.more(len(answers), 5) || len(answers) == 0 {
		a := reply(c.retried(), c.quarter(8), Value{})
		if c.below(3) == 2 {
			a.After = c.after()
		}
		answers = append(answers, a)
	}
	method := text("GET")
	if c.flag() {
		method = c.pick(methods()...)
	}
	k := executeCase(method, c.pick(keys()...), answers...)
	if c.flag() {
		k = k.with("timeout", c.quarters(80))
	}
	if c.flag() {
		k = k.with("maximum", c.span(0, 6))
	}
	k.Draws = nil
	for c.more(len(k.Draws), 4) || len(k.Draws) == 0 {
		k.Draws = append(k.Draws, seconds(time.Second-c.quarter(4)))
	}
	if c.below(4) == 3 {
		k.Over = c.quarter(4)
	}
	k.Now = clock.Start.Add(c.quarter(4))
	return k
}

// retried chooses a status that is mostly one which is retried.
func (c *choices) retried() int {
	if n := c.below(7); n < 5 {
		return [...]int{503, 429, 502, 504, 200}[n]
	}
	return c.status()
}

// wantExecute plays a case in the simulated world, whose clock begins at 0.
func wantExecute(c *Case) []Outcome {
	s := &c.Steps[0]
	timeout, maximum := s.key("timeout", whole(5)).duration(), s.key("maximum", whole(3))
	policy, err := retry.NewLessonA(timeout, int(maximum.Int))
	if err != nil {
		return []Outcome{argument()}
	}
	for _, d := range c.Draws {
		policy.Fractions = append(policy.Fractions, ratio(d))
	}
	return []Outcome{c.read(c.play(policy, request(s.Args[3], s.Args[4])))}
}

// play runs one call to its end, with the case's answers as the partner's.
func (c *Case) play(policy retry.Policy, r call.Request) []event.Event {
	config := sim.Config{RepeatLast: true, Clients: []sim.Client{{Name: "caller", Policy: policy, Oversleep: c.Over}}}
	for _, a := range c.Answers {
		config.Script = append(config.Script, a.mishap())
	}
	state, err := sim.New(config)
	if err != nil {
		panic("codelab: a case that makes no world: " + err.Error())
	}
	var keep trace.Keep
	state = sim.Step(state, sim.Action{Kind: sim.Fire, Request: r}, &keep)
	for _, due := state.Due(); due; _, due = state.Due() {
		state = sim.Step(state, sim.Action{Kind: sim.Next}, &keep)
	}
	return keep.Events
}

func (a Answer) mishap() sim.Mishap {
	if a.Raise != "" {
		return sim.Mishap{Fault: event.CrashBefore, Delay: a.Cost}
	}
	r := call.Response{Status: a.Status, RetryAfter: asField(a.After), HasRetryAfter: a.After.Kind != None}
	if a.Retryable.Kind == Bool {
		r.Body.Flag = [...]call.Flag{call.FlagFalse, call.FlagTrue}[a.Retryable.Int]
	}
	return sim.Mishap{Fault: event.Reply, Delay: a.Cost, Response: r}
}

// read reads events as the caller of execute sees them.
func (c *Case) read(events []event.Event) Outcome {
	var o Outcome
	var deadline clock.Instant
	sent := 0
	did := func(name string, at clock.Instant, d time.Duration) {
		o.Trace = append(o.Trace, Call{name, c.Now.Add(at.Sub(clock.Start)), []Value{seconds(d)}})
	}
	for i := range events {
		switch e := &events[i]; e.Kind {
		case event.CallStarted:
			deadline = e.Until
		case event.AttemptSent:
			sent++
			did("send", e.At, deadline.Sub(e.At))
		case event.RetryScheduled:
			did("sleep", e.At, e.Decision.Wait)
		case event.CallSucceeded, event.CallGaveUp:
			if e.Decision.Reason == decision.DeadlinePassed {
				o.Raised = "TimeoutError"
			} else {
				o.Result = replyNumber(sent)
			}
		}
	}
	return o
}
