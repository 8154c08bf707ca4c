package codelab

import (
	"time"

	"retrylab.example/core/backoff"
	"retrylab.example/core/call"
	"retrylab.example/core/clock"
	"retrylab.example/core/decision"
	"retrylab.example/core/event"
	"retrylab.example/core/retry"
	"retrylab.example/core/retryafter"
)

// gatewayFunctions are contract E, the gateway rules.
func gatewayFunctions() []Function {
	return []Function{
		{"may_repeat", "method, has_key, changes_state", mayRepeatCases, makeMayRepeat, each(wantMayRepeat)},
		{"heals", "failure, retryable", healsCases, makeHeals, each(wantHeals)},
		{"full_jitter", "failures, draw, base=0.5, cap=8.0", fullJitterCases, makeFullJitter, wantFullJitter},
		{"decimal_delay", "local, retry_after", decimalDelayCases, makeDecimalDelay, each(wantDecimalDelay)},
		{"fetch", "request, send, sleep, draw, attempts=4", fetchCases, makeFetch, wantFetch},
	}
}

// lessonE is contract E's policy. The fractions of its full jitter are given, so that they can be tested.
func lessonE(attempts int, draws ...Value) retry.Policy {
	p := retry.Policy{
		Attempts: attempts, Safety: retry.LessonE, Statuses: []int{429, 502}, Failures: call.Failures(), Envelope: true,
		Unchanging: []string{unchanging}, Backoff: backoff.Config{Base: time.Second / 2, Cap: 8 * time.Second}, Jitter: backoff.Fraction,
		RetryAfter: retryafter.Replace, RetryAfterMode: retryafter.Decimal, Exhausted: retry.LastResponse,
	}
	for _, d := range draws {
		p.Fractions = append(p.Fractions, ratio(d))
	}
	return p
}

// repeats reports whether contract E's policy would send a request again after an outcome.
func repeats(r call.Request, o call.Outcome) bool {
	p := lessonE(2, whole(0))
	r.Attempt = 1
	return p.Decide(retry.Input{Request: r, Outcome: o, Deadline: clock.Max}).Verdict == decision.Retry
}

func gatewayMethods() []Value {
	return []Value{text("GET"), text("POST"), text("DELETE"), text("PATCH"), text("PUT"), text("HEAD")}
}

func mayRepeatCases() []Case {
	yes, no := truth(true), truth(false)
	return singles(
		[]Value{text("GET"), no, no}, []Value{text("DELETE"), no, yes}, []Value{text("POST"), no, yes}, []Value{text("POST"), yes, yes},
		[]Value{text("POST"), no, no}, []Value{text("PATCH"), yes, yes},
	)
}

func makeMayRepeat(c *choices) Case {
	return single(c.pick(gatewayMethods()...), truth(c.flag()), truth(c.flag()))
}

const (
	reservations = "/reservations"
	estimate     = "/estimate"
	// unchanging and changing stand for them in the core, whose partner would write envelopes of its own on them.
	unchanging = "/quote"
	changing   = "/book"
)

func pathOf(changesState bool) string {
	if changesState {
		return reservations
	}
	return estimate
}

// inCore is a path as the core's world has it.
func inCore(path string) string {
	if path == estimate {
		return unchanging
	}
	return changing
}

func wantMayRepeat(s *Step) Outcome {
	r := call.Request{Method: s.Args[0].Text, Path: inCore(pathOf(s.Args[2].Int == 1)), Amount: 1}
	if s.Args[1].Int == 1 {
		r.Key, r.Keyed = "k-1", true
	}
	return returned(truth(repeats(r, call.Outcome{Response: call.Response{Status: 502}})))
}

// network is the failure without a status.
const network = "network"

func healsCases() []Case {
	var none Value
	yes, no := truth(true), truth(false)
	return singles(
		[]Value{whole(502), none}, []Value{whole(429), none}, []Value{whole(503), none}, []Value{whole(500), none}, []Value{whole(504), none},
		[]Value{text(network), none}, []Value{whole(429), no}, []Value{whole(503), yes}, []Value{whole(409), none}, []Value{whole(409), no},
	)
}

func (c *choices) retryable() Value { return c.pick(Value{}, truth(true), truth(false)) }

// failed chooses a status that is no success.
func (c *choices) failed() int {
	if n := c.below(5); n < 3 {
		return [...]int{502, 429, 409}[n]
	}
	return 400 + c.below(110)
}

func makeHeals(c *choices) Case {
	if c.below(5) == 4 {
		return single(text(network), Value{})
	}
	return single(whole(int64(c.failed())), c.retryable())
}

func wantHeals(s *Step) Outcome {
	o := call.Outcome{Failure: call.Reset}
	if s.Args[0].Kind == Int {
		o = call.Outcome{Response: Answer{Status: int(s.Args[0].Int), Retryable: s.Args[1]}.mishap().Response}
	}
	return returned(truth(repeats(call.Request{Method: "GET", Path: changing}, o)))
}

func fullJitterCase(failures, draw Value) Case {
	c := single(failures, fake("draw"))
	c.Draws = []Value{draw}
	return c
}

func fullJitterCases() []Case {
	half := seconds(time.Second / 2)
	return []Case{
		fullJitterCase(whole(1), half), fullJitterCase(whole(1), seconds(0)), fullJitterCase(whole(2), half), fullJitterCase(whole(5), half),
		fullJitterCase(whole(9), half), fullJitterCase(whole(1), half).with("base", whole(1)), fullJitterCase(whole(4), half).with("cap", whole(1)),
	}
}

func makeFullJitter(c *choices) Case {
	k := fullJitterCase(c.span(1, 12), seconds(c.quarter(3)))
	if c.flag() {
		k = k.with("base", c.quarters(16))
	}
	if c.flag() {
		k = k.with("cap", c.quarters(64))
	}
	return k
}

func wantFullJitter(c *Case) []Outcome {
	s := &c.Steps[0]
	b := backoff.Config{
		Base: s.key("base", seconds(time.Second/2)).duration(), Cap: s.key("cap", seconds(8*time.Second)).duration(),
	}
	wait, _ := backoff.Full.Apply(min(b.Raw(int(s.Args[0].Int)-1), b.Cap), ratio(c.Draws[0]))
	return []Outcome{returned(seconds(wait))}
}

func decimals() []Value {
	return []Value{
		{}, text("1"), text("1.5"), text("0.25"), text("0"), text("0.0"), text("-1"), text("x"), text(""), text("1e3"), text("inf"), text("nan"),
		text("+5"), text("1.2.3"), text("12"), text("Wed, 21 Oct 2037 07:28:00 GMT"), text("5s"),
	}
}

func decimalDelayCases() []Case {
	var all []Case
	for _, after := range decimals() {
		all = append(all, single(seconds(3*time.Second), after))
	}
	return all
}

func makeDecimalDelay(c *choices) Case {
	if c.flag() {
		return single(c.quarters(32), c.pick(decimals()...))
	}
	return single(c.quarters(32), text(c.quarters(80).String()))
}

func wantDecimalDelay(s *Step) Outcome {
	unit := s.Args[0].duration()
	p := lessonE(2)
	p.Backoff, p.Jitter = backoff.Config{Base: unit, Cap: unit}, backoff.NoJitter
	d := p.Decide(retry.Input{
		Deadline: clock.Max, Request: call.Request{Method: "GET", Path: changing, Attempt: 1},
		Outcome: call.Outcome{Response: Answer{Status: 429, After: s.Args[1]}.mishap().Response},
	})
	return returned(seconds(d.Wait))
}

// fetchCase is one call through contract E's wrapper, on a network that answers by script.
func fetchCase(method, path string, key Value, answers ...Answer) Case {
	headers := dict()
	if key.Kind == Str {
		headers = dict(text("Idempotency-Key"), key)
	}
	c := single(variable("request"), fake("send"), fake("sleep"), fake("draw"))
	c.Vars = []Named{{"request", Value{Kind: Request, Items: []Value{text(method), text(path), headers}}}}
	c.Answers, c.Draws = answers, []Value{seconds(time.Second / 2)}
	return c
}

func fetchCases() []Case {
	var none Value
	ok, bad, key := reply(200, 0, none), reply(502, 0, none), text("k-1")
	lost := Answer{Raise: "NetworkError"}
	flagged := func(status int, flag bool) Answer { return Answer{Status: status, Retryable: truth(flag)} }
	return []Case{
		fetchCase("GET", reservations, none, ok), fetchCase("GET", reservations, none, bad, ok), fetchCase("POST", reservations, none, bad, ok),
		fetchCase("POST", reservations, key, bad, ok), fetchCase("POST", estimate, none, bad, ok), fetchCase("GET", reservations, none, lost, ok),
		fetchCase("GET", reservations, none, lost), fetchCase("GET", reservations, none, bad), fetchCase("POST", reservations, none, lost, ok),
		fetchCase("GET", reservations, none, reply(503, 0, none), ok), fetchCase("GET", reservations, none, flagged(503, true), ok),
		fetchCase("GET", reservations, none, flagged(429, false), ok), fetchCase("GET", reservations, none, flagged(409, false), ok),
		fetchCase("GET", reservations, none, reply(429, 0, text("1.5")), ok), fetchCase("GET", reservations, none, bad, bad, ok),
		fetchCase("GET", reservations, none, bad, ok).with("attempts", whole(1)),
		fetchCase("GET", reservations, none, reply(429, 0, text("1.5")), bad, ok),
	}
}

// gatewayAnswer chooses a failure that is repeated, one of any kind, a network error or a success.
func (c *choices) gatewayAnswer() Answer {
	kind := c.below(8)
	if kind >= 6 {
		return Answer{Raise: "NetworkError"}
	}
	a := reply([...]int{502, 429, 429, 502, 200, 0}[kind], 0, Value{})
	if kind == 5 {
		a.Status, a.Retryable = c.failed(), c.retryable()
	}
	if a.Status != 200 && c.below(3) == 2 {
		a.After = c.pick(decimals()...)
	}
	a.Cost = c.quarter(4)
	return a
}

func makeFetch(c *choices) Case {
	var answers []Answer
	for c.more(len(answers), 6) || len(answers) == 0 {
		answers = append(answers, c.gatewayAnswer())
	}
	method := "GET"
	if c.flag() {
		method = c.pick(gatewayMethods()[:4]...).Text
	}
	k := fetchCase(method, pathOf(c.flag()), c.pick(Value{}, text("k-1"), text("k-1")), answers...)
	if c.flag() {
		k = k.with("attempts", c.span(1, 6))
	}
	k.Draws = nil
	for c.more(len(k.Draws), 4) || len(k.Draws) == 0 {
		k.Draws = append(k.Draws, seconds(c.quarter(3)))
	}
	return k
}

func wantFetch(c *Case) []Outcome {
	s := &c.Steps[0]
	asked := c.Vars[0].Value
	r := call.Request{Method: asked.Items[0].Text, Path: inCore(asked.Items[1].Text), Amount: 1}
	if headers := asked.Items[2].Items; len(headers) == 2 {
		r.Key, r.Keyed = headers[1].Text, true
	}
	var o Outcome
	sent := 0
	for _, e := range c.play(lessonE(int(s.key("attempts", whole(4)).Int), c.Draws...), r) {
		switch e.Kind {
		case event.AttemptSent:
			sent++
			o.Trace = append(o.Trace, Call{"send", e.At, []Value{asked}})
		case event.RetryScheduled:
			o.Trace = append(o.Trace, Call{"sleep", e.At, []Value{seconds(e.Decision.Wait)}})
		case event.CallSucceeded, event.CallGaveUp:
			if o.Result = replyNumber(sent); e.Failure != call.None {
				o = Outcome{Trace: o.Trace, Raised: "NetworkError"}
			}
		}
	}
	return []Outcome{o}
}
