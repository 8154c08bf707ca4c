package scenario

import (
	"retrylab.example/core/budget"
	"retrylab.example/core/call"
	"retrylab.example/core/clock"
	"retrylab.example/core/document"
	"retrylab.example/core/problem"
	"retrylab.example/core/retry"
	"retrylab.example/core/rng"
)

// Question is one decision that is asked of a policy.
type Question struct {
	Policy retry.Policy
	Input  retry.Input
}

// ReadQuestion reads a question. The error holds every fault, with its place and how to mend it.
//
//	{
//	  "policy": {"preset": "contract-e"},
//	  "attempt": 1, "request": {"method": "POST", "path": "/add", "key": "k-1", "ifMatch": "\"e1\""}, "lateKey": false,
//	  "response": {"status": 429, "retryAfter": "1.5", "code": "rate_limited", "retryable": true,
//	    "fields": [{"name": "Date", "value": "Mon, 30 Nov 2026 12:00:01 GMT"}]},
//	  "now": "200ms", "deadline": "5s",
//	  "fraction": "0.5", "above": "0.5", "previous": "1s",
//	  "budget": {"left": "6", "calls": 25, "retries": 3, "held": "14"}
//	}
//
// Instead of "code" and "retryable" the response may have its "body" as text, with its "contentType": an envelope, or
// problem details. Instead of "response" stands "failure": "timed-out" where there was none. "now" and "deadline" are instants since the
// call began; without "deadline" the policy's own holds. "attempt" is 1 and "now" 0 if they are missing, the fractions one
// half (or the policy's own), and the budget full with nothing else under way. "held" is what the attempt that ended has
// taken: tokens, or 1 for a place.
func ReadQuestion(file string, data []byte) (Question, error) {
	doc, root, err := document.Read(file, data)
	if err != nil {
		return Question{}, err
	}
	r := root.Object()
	q := Question{Policy: retry.Policy{Attempts: 1}}
	if f := r.Need("policy"); f != nil {
		q.Policy = ReadPolicy(f, retry.Policy{})
	}
	in := &q.Input
	in.Request = call.Request{Call: 1, Method: "GET", Path: "/"}
	if f := r.Field("request"); f != nil {
		o := f.Object()
		readRequest(o, &in.Request)
		o.Done()
	}
	in.Request.Attempt = int(r.Int("attempt", 1, 1, retry.MaxAttempts))
	in.LateKey = r.Bool("lateKey")
	in.Renewed = int(r.Int("renewed", 0, 0, int64(in.Request.Attempt-1)))
	readOutcome(r, in)
	in.Now = clock.Instant(r.Duration("now", 0, 0, MaxWait))
	if in.Deadline = clock.Max; q.Policy.Deadline > 0 {
		in.Deadline = clock.Start.Add(q.Policy.Deadline)
	}
	if f := r.Field("deadline"); f != nil {
		in.Deadline = clock.Instant(f.Duration(0, 0, MaxWait))
	}
	half := rng.Ratio{Num: 1, Den: 2}
	if in.Fraction = half; len(q.Policy.Fractions) > 0 {
		in.Fraction = q.Policy.FractionOf(in.Request.Attempt, half.Num)
	}
	in.Fraction, in.Above = readFraction(r, "fraction", in.Fraction), readFraction(r, "above", half)
	in.Previous = r.Duration("previous", 0, 0, MaxWait)
	in.Budget.Calls = 1
	readState(r.Field("budget"), &q)
	r.Done()
	return q, doc.Err()
}

func readFraction(r *document.Reader, name string, missing rng.Ratio) rng.Ratio {
	if f := r.Field(name); f != nil {
		return f.Ratio()
	}
	return missing
}

// readOutcome reads a response or a failure.
func readOutcome(r *document.Reader, in *retry.Input) {
	response, failure := r.Field("response"), r.Field("failure")
	switch {
	case (response == nil) == (failure == nil):
		r.Faultf(`write "failure": "timed-out", or "response": {"status": 503}`, `one of "response" and "failure" is needed`)
	case failure != nil:
		in.Outcome.Failure = document.OneOf(failure, failureNames(), call.ParseFailure)
	default:
		readResponse(response, in)
	}
}

func readResponse(n *document.Node, in *retry.Input) {
	r := n.Object()
	o := &in.Outcome.Response
	o.Status = 503
	if f := r.Need("status"); f != nil {
		o.Status = int(f.Int(503, 100, 599))
	}
	if f := r.Field("retryAfter"); f != nil {
		o.RetryAfter, o.HasRetryAfter = readRetryAfter(f), true
	}
	kind, body := r.Field("contentType"), r.Field("body")
	if body != nil {
		o.Body = readBody(r, kind, body)
	} else if kind != nil {
		kind.Fault("there is no body of that type", `add "body"`)
	}
	if f := r.Field("code"); f != nil {
		o.Body.Code, _ = f.Match(Sendable, "use at most 100 printable ASCII characters", "%q is not an error code")
	}
	if r.Field("retryable") != nil {
		if o.Body.Flag = call.FlagFalse; r.Bool("retryable") {
			o.Body.Flag = call.FlagTrue
		}
	}
	o.Fields = readFields(r)
	r.Done()
}

// readBody reads a body as it was sent, problem details or an envelope: what a policy looks at in it. Its type is
// application/json if it is not given.
func readBody(r *document.Reader, kind, body *document.Node) call.Body {
	for _, name := range [...]string{"code", "retryable"} {
		if f := r.Field(name); f != nil {
			f.Fault("the body says that", `keep one of them, this or "body"`)
		}
	}
	contentType := "application/json"
	if kind != nil {
		contentType, _ = kind.Match(Sendable, "use at most 100 printable ASCII characters", "this cannot be sent as a Content-Type")
	}
	return problem.Body(contentType, body.Str())
}

// readState reads how the budget stands that the client's calls share; without it the budget is full.
func readState(n *document.Node, q *Question) {
	if n == nil {
		return
	}
	r, c, s := n.Object(), q.Policy.Budget, &q.Input.Budget
	b := budgetReader{r, c.Kind, true}
	s.Spent = c.Tokens - min(b.tokens("left", c.Tokens, false, budget.Quota, budget.Throttle), c.Tokens)
	if f := b.field("calls", false, budget.Share); f != nil {
		s.Calls = int(f.Int(1, 1, 1_000_000))
	}
	if f := b.field("retries", false, budget.Share); f != nil {
		s.Retries = int(f.Int(0, 0, 1_000_000))
	}
	if f := b.field("held", false, budget.Quota, budget.Share); f != nil {
		q.Input.Held = budget.Hold(readHeld(f, c.Kind))
	}
	r.Done()
}

func readHeld(f *document.Node, kind budget.Kind) int64 {
	if kind == budget.Share {
		return f.Int(0, 0, 1)
	}
	text, ok := f.Match(func(s string) bool { _, ok := parseTokens(s); return ok },
		`use a decimal from 0 to 1000000, as in "14"`, "%q is not a count of tokens")
	if !ok {
		return 0
	}
	n, _ := parseTokens(text)
	return n
}
