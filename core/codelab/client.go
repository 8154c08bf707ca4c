package codelab

import (
	"time"

	"retrylab.example/core/backoff"
	"retrylab.example/core/breaker"
	"retrylab.example/core/budget"
	"retrylab.example/core/call"
	"retrylab.example/core/clock"
	"retrylab.example/core/decision"
	"retrylab.example/core/event"
	"retrylab.example/core/limit"
	"retrylab.example/core/retry"
	"retrylab.example/core/retryafter"
	"retrylab.example/core/rng"
)

// clientFunctions are contract D, the outbound client.
func clientFunctions() []Function {
	return []Function{
		{"replace_delay", "local, retry_after", func() []Case { return waitCases(3 * time.Second) }, makeWaitDelay, each(wantReplaceDelay)},
		{"record", "results, failed", recordCases, makeRecord, wantRecord},
		{"call_until", "send, clock, sleep, waits, deadline=5", callUntilCases, makeCallUntil, wantCallUntil},
		{"bulkhead", "arrivals, running=10, queue=20, patience=3", bulkheadCases, makeBulkhead, wantBulkhead},
		{"take", "bucket, now, capacity=3", takeCases, makeTake, wantTake},
		{"send_all", "send, clock, sleep, calls, poll=0.25", sendAllCases, makeSendAll, wantSendAll},
	}
}

func wantReplaceDelay(s *Step) Outcome { return waitOf(retryafter.Replace, s) }

// The breaker of contract D counts the last ten results and opens when half of them are failures.
const (
	breakerSize    = 10
	breakerPercent = 50
)

// opensAt returns after how many of these results the circuit is open, 0 if it stays closed.
func opensAt(results []Value) int {
	b, err := breaker.New(breaker.Config{Window: breaker.Count, Size: breakerSize, Percent: breakerPercent, Open: 5 * time.Second})
	if err != nil {
		panic("codelab: " + err.Error())
	}
	for i, failed := range results {
		class := call.Success
		if failed.Int == 1 {
			class = call.Transient
		}
		var p breaker.Permit
		b, p, _ = b.Admit(clock.Start)
		b, _ = b.Record(clock.Start, p, class)
		if b.State(clock.Start) == breaker.Open {
			return i + 1
		}
	}
	return 0
}

func recordCase(results []Value, failed bool) Case {
	c := single(variable("results"), truth(failed))
	c.Vars = []Named{{"results", list(results...)}}
	return c
}

// marks are results: x for a failure, anything else for a success.
func marks(s string) (all []Value) {
	for _, mark := range s {
		all = append(all, truth(mark == 'x'))
	}
	return all
}

func recordCases() []Case {
	return []Case{
		recordCase(nil, false), recordCase(nil, true), recordCase(marks("xxxx....."), true), recordCase(marks("xxxx....."), false),
		recordCase(marks("....xxxx."), true), recordCase(marks("x.x.x.x."), true), recordCase(marks("xxxxxxxx"), true),
		recordCase(marks("x......xxx"), true), recordCase(marks(".......xxxx"[1:]), true), recordCase(marks(".........."), false),
	}
}

func makeRecord(c *choices) Case {
	var results []Value
	for c.more(len(results), breakerSize) || len(results) < breakerSize && c.below(3) > 0 {
		results = append(results, truth(c.flag()))
	}
	if n := opensAt(results); n > 0 {
		results = results[:n-1] // an open circuit records nothing
	}
	return recordCase(results, c.flag())
}

func wantRecord(c *Case) []Outcome {
	results := append(append([]Value{}, c.Vars[0].Value.Items...), c.Steps[0].Args[1])
	o := returned(truth(opensAt(results) > 0))
	o.Vars = []Value{list(results[max(len(results)-breakerSize, 0):]...)}
	return []Outcome{o}
}

func callUntilCase(waits []Value, answers ...Answer) Case {
	c := single(fake("send"), fake("clock"), fake("sleep"), list(waits...))
	c.Answers = answers
	return c
}

func callUntilCases() []Case {
	one, two := []Value{whole(1)}, []Value{whole(1), whole(2)}
	ok := reply(200, 0, Value{})
	busy := func(cost time.Duration) Answer { return reply(503, cost, Value{}) }
	return []Case{
		callUntilCase(one, ok), callUntilCase(one, busy(0), ok), callUntilCase(one, busy(0)), callUntilCase(nil, busy(0)),
		callUntilCase(one, busy(4*time.Second), ok), callUntilCase(one, busy(4250*time.Millisecond), ok),
		callUntilCase(two, busy(time.Second)), callUntilCase(one, busy(time.Second), ok).with("deadline", whole(1)),
		starting(callUntilCase(one, busy(time.Second), ok), 10*time.Second),
		oversleeping(callUntilCase(one, busy(4*time.Second), ok), time.Second/4),
	}
}

func makeCallUntil(c *choices) Case {
	var waits []Value
	for c.more(len(waits), 4) {
		waits = append(waits, c.quarters(8))
	}
	var answers []Answer
	for c.more(len(answers), 5) || len(answers) == 0 {
		answers = append(answers, reply([...]int{503, 503, 503, 200}[c.below(4)], c.quarter(10), Value{}))
	}
	k := callUntilCase(waits, answers...)
	if c.flag() {
		k = k.with("deadline", seconds(c.quarter(24)+time.Second/4))
	}
	k.Over, k.Now = c.quarter(1), clock.Start.Add(c.quarter(8))
	return k
}

// wantCallUntil waits constantly, by fractions of the longest wait.
func wantCallUntil(c *Case) []Outcome {
	const unit = 10 * time.Second
	s := &c.Steps[0]
	waits := s.Args[3].Items
	policy := retry.Policy{
		Attempts: len(waits) + 1, Deadline: s.key("deadline", whole(5)).duration(), DeadlineTest: budget.Greater,
		Backoff: backoff.Config{Base: unit, Cap: unit, Shape: backoff.Constant}, Jitter: backoff.Fraction,
		Statuses: []int{503}, Exhausted: retry.LastError,
	}
	for _, w := range waits {
		policy.Fractions = append(policy.Fractions, rng.Ratio{Num: uint64(w.duration()), Den: uint64(unit)})
	}
	var o Outcome
	sent := 0
	for _, e := range c.play(policy, call.Request{Method: "GET", Path: "/rate"}) {
		at := c.Now.Add(e.At.Sub(clock.Start))
		switch e.Kind {
		case event.AttemptSent:
			sent++
			o.Trace = append(o.Trace, Call{Name: "send", At: at})
		case event.RetryScheduled:
			o.Trace = append(o.Trace, Call{"sleep", at, []Value{seconds(e.Decision.Wait)}})
		case event.CallSucceeded:
			o.Result = replyNumber(sent)
		case event.CallGaveUp:
			o.Raised = "TemporaryError"
			if e.Decision.Reason == decision.DeadlinePassed {
				o.Raised = "TimeoutError"
			}
		}
	}
	return []Outcome{o}
}

func takeCase(capacity int64, times ...time.Duration) Case {
	c := Case{Vars: []Named{{"bucket", dict(text("tokens"), whole(capacity), text("period"), whole(0))}}}
	for _, at := range times {
		s := Step{Args: []Value{variable("bucket"), seconds(at)}}
		if capacity != 3 {
			s.Keys = []Named{{"capacity", whole(capacity)}}
		}
		c.Steps = append(c.Steps, s)
	}
	return c
}

func takeCases() []Case {
	const half = time.Second / 2
	return []Case{
		takeCase(3, 0), takeCase(1, 0, 0), takeCase(1, 0, half), takeCase(1, 0, time.Second), takeCase(1, half, time.Second),
		takeCase(3, 0, 0, 0, half, time.Second), takeCase(2, half, half, half, time.Second, 3*half, 3*half), takeCase(2, 0, 3*time.Second, 3*time.Second, 3*time.Second),
	}
}

func makeTake(c *choices) Case {
	capacity := c.span(1, 3)
	var times []time.Duration
	for at := time.Duration(0); c.more(len(times), 9) || len(times) == 0; {
		at += c.quarter(6)
		times = append(times, at)
	}
	return takeCase(capacity.Int, times...)
}

// batches is a bucket that is refilled at the start of each second.
func batches(capacity int64) limit.Bucket {
	b, err := limit.NewBucket(limit.BucketConfig{Capacity: capacity, Period: time.Second, Mode: limit.Batch})
	if err != nil {
		panic("codelab: " + err.Error())
	}
	return b
}

func wantTake(c *Case) []Outcome {
	b := batches(c.Vars[0].Value.Items[1].Int)
	var all []Outcome
	for _, s := range c.Steps {
		now := s.Args[1].at()
		var d decision.Decision
		b, d = b.Take("", now)
		o := returned(truth(d.Verdict == decision.Admit))
		period := int64(now.Sub(clock.Start) / time.Second)
		o.Vars = []Value{dict(text("tokens"), whole(b.Tokens("", now)/limit.Token), text("period"), whole(period))}
		all = append(all, o)
	}
	return all
}

func sendAllCase(calls int64, at time.Duration, answers ...Answer) Case {
	c := single(fake("send"), fake("clock"), fake("sleep"), whole(calls))
	c.Answers = answers
	return starting(c, at)
}

func sendAllCases() []Case {
	ok := reply(200, 0, Value{})
	return []Case{
		sendAllCase(1, 0, ok), sendAllCase(4, 0, ok), sendAllCase(0, 0, ok), sendAllCase(4, 750*time.Millisecond, ok), sendAllCase(20, 0, ok),
		sendAllCase(4, 0, ok).with("poll", seconds(time.Second/8)), sendAllCase(5, 0, reply(200, time.Second/2, Value{})),
	}
}

func makeSendAll(c *choices) Case {
	k := sendAllCase(c.span(0, 12).Int, c.quarter(7), reply(200, c.quarter(3), Value{}))
	if c.flag() {
		k = k.with("poll", seconds(time.Second>>uint(1+c.below(4))))
	}
	return k
}

// wantSendAll asks the bucket before each call, and the partner of three calls a second, which never refuses one.
func wantSendAll(c *Case) []Outcome {
	s := &c.Steps[0]
	bucket := batches(3)
	rate, err := limit.NewFixed(limit.FixedConfig{Limit: 3, Period: time.Second})
	if err != nil {
		panic("codelab: " + err.Error())
	}
	poll := s.key("poll", seconds(time.Second/4))
	o := returned(list())
	now := c.Now
	for range s.Args[3].Int {
		var d decision.Decision
		for bucket, d = bucket.Take("", now); d.Verdict == decision.Refuse; bucket, d = bucket.Take("", now) {
			o.Trace = append(o.Trace, Call{"sleep", now, []Value{poll}})
			now = now.Add(poll.duration())
		}
		o.Trace = append(o.Trace, Call{Name: "send", At: now})
		status := int64(200)
		if rate, d = rate.Take("", now); d.Verdict == decision.Refuse {
			status = 429
		}
		o.Result.Items = append(o.Result.Items, whole(status))
		now = now.Add(c.Answers[0].Cost)
	}
	return []Outcome{o}
}
