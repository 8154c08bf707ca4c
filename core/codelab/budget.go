package codelab

import (
	"time"

	"retrylab.example/core/backoff"
	"retrylab.example/core/budget"
	"retrylab.example/core/call"
	"retrylab.example/core/clock"
	"retrylab.example/core/decision"
	"retrylab.example/core/retry"
	"retrylab.example/core/retryafter"
	"retrylab.example/core/rng"
)

// budgetFunctions are contract A, the retry budget.
func budgetFunctions() []Function {
	return []Function{
		{"retryable", "status", retryableCases, makeRetryable, each(wantRetryable)},
		{"replay_safe", "method, key", replaySafeCases, makeReplaySafe, each(wantReplaySafe)},
		{"remaining", "deadline, now", remainingCases, makeRemaining, each(wantRemaining)},
		{"backoff", "attempt, base=0.5, cap=4.0", backoffCases, makeBackoff, each(wantBackoff)},
		{"jitter", "delay, fraction", jitterCases, makeJitter, each(wantJitter)},
		{"wait_delay", "local, retry_after", waitDelayCases, makeWaitDelay, each(wantWaitDelay)},
		{"can_attempt", "attempts, maximum, wait, budget", canAttemptCases, makeCanAttempt, each(wantCanAttempt)},
		{"execute", "send, clock, sleep, method, key, timeout=5, maximum=3, *, random_fraction", executeCases, makeExecute, wantExecute},
	}
}

// singles makes a case of one call for each list of arguments.
func singles(calls ...[]Value) []Case {
	var all []Case
	for _, args := range calls {
		all = append(all, single(args...))
	}
	return all
}

func retryableCases() []Case {
	var all []Case
	for _, status := range []int64{200, 503, 429, 502, 504, 500, 400, 401, 409} {
		all = append(all, single(whole(status)))
	}
	return all
}

func makeRetryable(c *choices) Case { return single(whole(int64(c.status()))) }

func wantRetryable(s *Step) Outcome {
	policy := retry.Policy{Statuses: retry.LessonStatuses()}
	return returned(truth(policy.Retryable(call.Outcome{Response: call.Response{Status: int(s.Args[0].Int)}})))
}

func methods() []Value {
	return []Value{
		text("GET"), text("POST"), text("PUT"), text("DELETE"), text("HEAD"), text("PATCH"), text("OPTIONS"),
		text("get"), text("Post"), text("patch"), text("head"), text("dElEtE"), text("TRACE"), text(""),
	}
}

func keys() []Value { return []Value{{}, text("k-1"), text(""), text(" "), text("\t "), text(" k ")} }

func replaySafeCases() []Case {
	var none Value
	return singles(
		[]Value{text("GET"), none}, []Value{text("POST"), none}, []Value{text("POST"), text("k-1")}, []Value{text("POST"), text("")},
		[]Value{text("POST"), text("  ")}, []Value{text("PATCH"), text("k-1")}, []Value{text("put"), none}, []Value{text("OPTIONS"), text("k-1")},
	)
}

func makeReplaySafe(c *choices) Case { return single(c.pick(methods()...), c.pick(keys()...)) }

// request is a request of a method, with a key or None.
func request(method, key Value) call.Request {
	return call.Request{Method: method.Text, Path: "/total", Amount: 1, Key: key.Text, Keyed: key.Kind == Str}
}

func wantReplaySafe(s *Step) Outcome {
	safe, _ := retry.LessonA.ReplaySafe(request(s.Args[0], s.Args[1]))
	return returned(truth(safe))
}

func remainingCases() []Case {
	return singles([]Value{whole(5), whole(2)}, []Value{whole(5), whole(5)}, []Value{whole(5), seconds(5250 * time.Millisecond)})
}

func makeRemaining(c *choices) Case { return single(c.quarters(40), c.quarters(40)) }

// at is a number of seconds as an instant.
func (v Value) at() clock.Instant { return clock.Start.Add(v.duration()) }

func wantRemaining(s *Step) Outcome {
	return returned(seconds(budget.Remaining(s.Args[0].at(), s.Args[1].at())))
}

func backoffCases() []Case {
	var all []Case
	for _, n := range []int64{0, 1, 3, 4, 30, 31, -1} {
		all = append(all, single(whole(n)))
	}
	half, four := seconds(time.Second/2), whole(4)
	return append(all,
		single(whole(0)).with("base", whole(1)), single(whole(2)).with("cap", whole(1)),
		single(whole(0), seconds(-time.Second/4), four), single(whole(0), half, seconds(-time.Second/4)),
		single(whole(0), whole(0), whole(0)), single(whole(5), whole(1), whole(100)),
	)
}

func makeBackoff(c *choices) Case {
	k := single(c.span(0, 32))
	if c.flag() {
		k.Steps[0].Args[0].Int *= -1
	}
	if c.flag() {
		k = k.with("base", c.signed(16))
	}
	if c.flag() {
		k = k.with("cap", c.signed(64))
	}
	return k
}

// signed chooses quarters, which are seldom negative.
func (c *choices) signed(most int) Value {
	v := c.quarters(most)
	if c.below(8) == 7 {
		v.Int *= -1
	}
	return v
}

func wantBackoff(s *Step) Outcome {
	base, longest := seconds(time.Second/2), seconds(4*time.Second)
	if len(s.Args) == 3 {
		base, longest = s.Args[1], s.Args[2]
	}
	d, err := backoff.Delay(int(s.Args[0].Int), s.key("base", base).duration(), s.key("cap", longest).duration())
	if err != nil {
		return argument()
	}
	return returned(seconds(d))
}

// ratio is a fraction in the core's terms. One outside of [0, 1] is invalid there too.
func ratio(v Value) rng.Ratio {
	if v.duration() < 0 {
		return rng.Ratio{Num: 2, Den: 1}
	}
	return rng.Ratio{Num: uint64(v.duration()), Den: uint64(time.Second)}
}

func jitterCases() []Case {
	quarter := time.Second / 4
	return singles(
		[]Value{whole(4), seconds(2 * quarter)}, []Value{whole(4), whole(0)}, []Value{whole(4), whole(1)},
		[]Value{whole(-1), seconds(quarter)}, []Value{whole(1), seconds(-quarter)}, []Value{whole(1), seconds(5 * quarter)},
	)
}

func makeJitter(c *choices) Case { return single(c.signed(32), seconds(c.signed(5).duration())) }

func wantJitter(s *Step) Outcome {
	d, err := backoff.Scale(s.Args[0].duration(), ratio(s.Args[1]))
	if err != nil {
		return argument()
	}
	return returned(seconds(d))
}

// asked are the values that a Retry-After may come with. The core reads what JSON would say of each: a number by its
// digits, a Boolean as no number.
func asked() []Value {
	return []Value{
		{}, text("1"), text("7"), text("0"), text("-1"), text("1.5"), text(""), text("abc"), text("120"), text("007"), text("+5"), text("5s"),
		whole(7), whole(0), whole(-3), seconds(7500 * time.Millisecond), truth(true), text("Wed, 21 Oct 2037 07:28:00 GMT"), text("1e3"),
	}
}

// asField is a Retry-After as the text of a field.
func asField(v Value) string {
	if v.Kind == Str || v.Kind == None {
		return v.Text
	}
	return v.String()
}

func waitCases(local time.Duration) []Case {
	var all []Case
	for _, after := range asked() {
		all = append(all, single(seconds(local), after))
	}
	return all
}

func waitDelayCases() []Case {
	return append(waitCases(time.Second/2), single(seconds(3*time.Second), text("1")))
}

func makeWaitDelay(c *choices) Case { return single(c.quarters(32), c.after()) }

// after chooses a Retry-After, mostly a good one.
func (c *choices) after() Value {
	if c.flag() {
		return c.pick(asked()...)
	}
	if n := c.span(0, 12); n.Int > 0 {
		return text(n.String())
	}
	return Value{}
}

func wantWaitDelay(s *Step) Outcome { return waitOf(retryafter.Floor, s) }

func waitOf(rule retryafter.Rule, s *Step) Outcome {
	wish, _ := retryafter.Parse(asField(s.Args[1]))
	wait, _ := rule.Wait(s.Args[0].duration(), wish)
	return returned(seconds(wait))
}

func canAttemptCases() []Case {
	return singles(
		[]Value{whole(1), whole(3), whole(1), whole(2)}, []Value{whole(1), whole(3), whole(2), whole(2)},
		[]Value{whole(3), whole(3), whole(0), whole(2)}, []Value{whole(1), whole(3), whole(-1), whole(2)},
		[]Value{whole(0), whole(1), whole(0), whole(0)}, []Value{whole(2), whole(3), whole(0), seconds(time.Second / 4)},
	)
}

func makeCanAttempt(c *choices) Case {
	return single(c.span(0, 5), c.span(0, 5), c.signed(12), c.quarters(12))
}

func wantCanAttempt(s *Step) Outcome {
	reason := budget.Allows(int(s.Args[0].Int), int(s.Args[1].Int), s.Args[2].duration(), s.Args[3].duration())
	return returned(truth(reason == decision.NoReason))
}
