package vectors

import (
	"testing"
	"time"

	"retrylab.example/core/backoff"
	"retrylab.example/core/budget"
	"retrylab.example/core/call"
	"retrylab.example/core/clock"
	"retrylab.example/core/decision"
	"retrylab.example/core/retry"
	"retrylab.example/core/retryafter"
)

// The method × failure table of the standards (standards.md section 2): what a client of lesson A does, and what one
// does that keeps to the standards.

// answers are the two columns of the table.
type answers struct{ lesson, standard bool }

type methodRow struct {
	id       string
	request  call.Request
	outcome  call.Outcome
	want     answers
	settings func(p *retry.Policy) // what the row says beside request and failure
}

func status(code int) call.Outcome { return call.Outcome{Response: call.Response{Status: code}} }

func failed(f call.Failure) call.Outcome { return call.Outcome{Failure: f} }

func of(method string) call.Request { return call.Request{Method: method, Path: "/add"} }

func keyed(method string) call.Request {
	return call.Request{Method: method, Path: "/add", Key: "k", Keyed: true}
}

func waitFor(o call.Outcome, after string) call.Outcome {
	o.Response.RetryAfter, o.Response.HasRetryAfter = after, true
	return o
}

func inFlight() call.Outcome {
	o := status(409)
	o.Response.Body.Code = "in_flight"
	return o
}

func methodRows() []methodRow {
	documented := func(p *retry.Policy) { p.KeysDocumented = true }
	conditional := call.Request{Method: "PATCH", IfMatch: `"e1"`}
	reset, timedOut, neverSent := failed(call.Reset), failed(call.TimedOut), failed(call.NeverSent)
	both, neither, onlyStandard, onlyLesson := answers{true, true}, answers{}, answers{standard: true}, answers{lesson: true}
	return []methodRow{
		{"M01", of("GET"), reset, both, nil},
		{"M02", of("HEAD"), reset, both, nil},
		{"M03", of("OPTIONS"), reset, onlyStandard, nil}, // contract A's replay_safe decides for the lesson
		{"M04", of("TRACE"), reset, onlyStandard, nil},   // the same
		{"M05", of("PUT"), reset, both, nil},
		{"M06", of("DELETE"), reset, both, nil},
		{"M07", of("POST"), timedOut, neither, nil},
		{"M08", keyed("POST"), timedOut, both, documented},
		{"M09", keyed("POST"), timedOut, onlyLesson, nil},
		{"M10", of("PATCH"), timedOut, neither, nil},
		{"M11", keyed("PATCH"), timedOut, onlyStandard, documented},
		{"M12", conditional, timedOut, onlyStandard, nil},
		{"M12, weak", call.Request{Method: "PATCH", IfMatch: `W/"e1"`}, timedOut, neither, nil},
		{"M13", call.Request{Method: "PUT", IfMatch: `"e1"`}, status(412), neither, nil}, // the caller reads and compares
		{"M14", of("POST"), status(421), onlyStandard, nil},
		{"M15", of("POST"), status(425), onlyStandard, nil},
		{"M16", of("POST"), status(408), onlyStandard, nil},
		{"M17, M18, M19", of("POST"), neverSent, onlyStandard, nil}, // a refused stream or connection, a lost name
		{"M20, not in the set", of("GET"), status(500), neither, nil},
		{"M20, in the set", of("GET"), status(500), both, func(p *retry.Policy) { p.Statuses = append(p.Statuses, 500) }},
		{"M21", of("GET"), status(501), neither, nil},
		{"M22", of("GET"), status(502), both, nil},
		{"M22", of("GET"), status(504), both, nil},
		{"M23", of("POST"), waitFor(status(503), "5"), neither, nil},
		{"M23, documented as not processed", of("POST"), status(503), onlyStandard, func(p *retry.Policy) { p.Unprocessed = []int{503} }},
		{"M24", of("POST"), status(429), neither, nil},
		{"M24, documented as not processed", of("POST"), status(429), onlyStandard, func(p *retry.Policy) { p.Unprocessed = []int{429} }},
		{"M25", of("GET"), waitFor(status(413), "60"), onlyStandard, nil},
		{"M25, without Retry-After", of("GET"), status(413), neither, nil},
		{"M29", keyed("POST"), inFlight(), onlyStandard, documented},
		{"M29, another conflict", keyed("POST"), status(409), neither, documented},
		{"M30", keyed("POST"), status(422), neither, documented},
		{"M31", of("POST"), status(400), neither, nil},
		{"M32", of("QUERY"), reset, onlyStandard, nil},
		{"M33", of("CONNECT"), reset, neither, nil},
		{"M34", of("get"), reset, onlyLesson, nil}, // contract A looks past the letter case, the standard does not
		{"M35", of("FOO"), reset, neither, nil},
		{"M36", of("GET"), failed(call.Garbled), both, nil},
		{"M37", of("GET"), waitFor(status(200), "5"), neither, nil},
	}
}

// M26 is a redirect, which this client does not follow, and M27 a proxy, which it is not.
func TestMethodsAndFailures(t *testing.T) {
	lesson := retry.Policy{Attempts: 3, Safety: retry.LessonA, Statuses: retry.LessonStatuses(), Failures: call.Failures()}
	standard := retry.Policy{
		Attempts: 3, Safety: retry.Standard, Statuses: []int{408, 413, 421, 425, 429, 502, 503, 504}, Failures: call.Failures(),
		Codes: []string{"in_flight"}, RetryAfter: retryafter.Floor, RetryAfterMode: retryafter.Standard,
	}
	for _, row := range methodRows() {
		l, s := lesson, standard
		if row.settings != nil {
			row.settings(&l)
			row.settings(&s)
		}
		in := retry.Input{Request: row.request, Outcome: row.outcome}
		if got := (answers{mayRepeat(l, in), mayRepeat(s, in)}); got != row.want {
			t.Errorf("%s: got %+v, want %+v", row.id, got, row.want)
		}
	}
}

// M25: after 60 s, and not sooner.
func TestM25WaitsAsLongAsAsked(t *testing.T) {
	p := retry.Policy{
		Attempts: 2, Safety: retry.Standard, Statuses: []int{413}, RetryAfter: retryafter.Floor, RetryAfterMode: retryafter.Standard,
	}
	in := retry.Input{Deadline: clock.Max, Request: of("GET"), Outcome: waitFor(status(413), "60")}
	in.Request.Attempt = 1
	if d := p.Decide(in); d.Wait != time.Minute {
		t.Errorf("got %s %s", d.Reason, d.Wait)
	}
}

// M28: RFC 9110 section 9.2.2 says that a failed automatic retry should not be retried automatically. A policy of two
// attempts does so; more are a deliberate, budgeted choice.
func TestM28OneAutomaticRetry(t *testing.T) {
	in := retry.Input{Deadline: clock.Max, Request: of("GET"), Outcome: failed(call.Reset)}
	in.Request.Attempt = 2
	p := retry.Policy{Attempts: 2, Safety: retry.Standard, Failures: call.Failures()}
	same(t, "two attempts", p.Decide(in).Reason, decision.AttemptsSpent)
	p.Attempts = 3
	same(t, "three attempts", p.Decide(in).Verdict, decision.Retry)
}

// Contract E: a key counts only if it was there from the first attempt on. A key that comes later makes another request.
func TestALateKeyDoesNotCount(t *testing.T) {
	for _, safety := range []retry.Safety{retry.LessonE, retry.Standard} {
		p := retry.Policy{Attempts: 3, Safety: safety, KeysDocumented: true, Failures: call.Failures()}
		in := retry.Input{Request: keyed("POST"), Outcome: failed(call.TimedOut)}
		same(t, safety.String()+", from the first attempt on", mayRepeat(p, in), true)
		in.LateKey = true
		same(t, safety.String()+", later", mayRepeat(p, in), false)
	}
}

// Contract E: 429 and 502 are retried, nothing else is, and the envelope wins where there is one.
func TestContractEsFailures(t *testing.T) {
	p := retry.Policy{Attempts: 4, Safety: retry.LessonE, Statuses: []int{429, 502}, Failures: call.Failures(), Envelope: true}
	for code := 300; code < 600; code++ {
		for _, flag := range []call.Flag{call.NoFlag, call.FlagFalse, call.FlagTrue} {
			o := status(code)
			o.Response.Body.Flag = flag
			want := flag == call.FlagTrue || flag == call.NoFlag && (code == 429 || code == 502)
			same(t, "retried", mayRepeat(p, retry.Input{Request: of("GET"), Outcome: o}), want)
		}
	}
}

// The deadline tests side by side: one may start at exactly the deadline, or not.
func TestDeadlineTests(t *testing.T) {
	const deadline = clock.Instant(5 * time.Second)
	for _, c := range []struct {
		test budget.DeadlineTest
		now  clock.Instant
		want bool
	}{
		{budget.GreaterOrEqual, deadline - 1, true}, {budget.GreaterOrEqual, deadline, false}, {budget.GreaterOrEqual, deadline + 1, false},
		{budget.Greater, deadline, true}, {budget.Greater, deadline + 1, false},
	} {
		p := retry.Policy{Attempts: 3, DeadlineTest: c.test}
		d := p.BeforeSend(c.now, deadline, of("GET"))
		same(t, c.test.String(), d.Verdict == decision.Admit, c.want)
	}
	p := retry.Policy{
		Attempts: 3, DeadlineTest: budget.Greater, Failures: call.Failures(),
		Backoff: backoff.Config{Base: time.Hour, Cap: time.Hour},
	}
	in := retry.Input{Deadline: deadline, Request: of("GET"), Outcome: failed(call.Reset)}
	in.Request.Attempt = 1
	same(t, "an hour's wait with 5 s left", p.Decide(in).Verdict, decision.Retry)
}
