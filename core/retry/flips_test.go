package retry

import (
	"flag"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"retrylab.example/core/backoff"
	"retrylab.example/core/budget"
	"retrylab.example/core/call"
	"retrylab.example/core/clock"
	"retrylab.example/core/decision"
	"retrylab.example/core/retryafter"
	"retrylab.example/core/rng"
)

var (
	firstSeed = flag.Uint64("seed", 1, "the seed of the first random decision")
	tries     = flag.Int("tries", 50_000, "how many random decisions to try")
)

// Every flip that a receipt tells is true: with the changed value the policy decides as told, and with a value one
// step nearer to the real one it does not.
func TestFlipsAreHonest(t *testing.T) {
	told := map[decision.Reason]map[decision.Name]int{}
	for i := range *tries {
		seed := *firstSeed + uint64(i)
		p, in := randomDecision(rand.New(rand.NewPCG(seed, 0)))
		d := p.Explain(in)
		if plain := p.Decide(in); plain.Verdict != d.Verdict || plain.Reason != d.Reason || plain.Wait != d.Wait {
			t.Errorf("Explain decides %s, Decide %s", d.Reason, plain.Reason)
		}
		for j, f := range d.Flips() {
			if told[d.Reason] == nil {
				told[d.Reason] = map[decision.Name]int{}
			}
			told[d.Reason][f.Name]++
			if slices.Contains(d.Flips()[:j], f) {
				t.Errorf("told twice: %+v", f)
			}
			checkFlip(t, p, in, &d, f)
		}
		if t.Failed() {
			t.Fatalf("policy %+v\ninput %+v\ndecision %s %s, flips %+v\n"+
				"play it again: go test ./core/retry -run '^%s$' -seed=%d -tries=1",
				p, in, d.Reason, d.Wait, d.Flips(), t.Name(), seed)
		}
	}
	if *tries < 10_000 {
		return
	}
	for reason, names := range map[decision.Reason][]decision.Name{
		decision.NotReplaySafe:     {decision.Key},
		decision.NotRetryable:      {decision.Reply, decision.Flag},
		decision.AttemptsSpent:     {decision.AttemptsLeft},
		decision.BudgetTooShort:    {decision.RetryAfter, decision.DeadlineLeft},
		decision.BackoffDecides:    {decision.RetryAfter, decision.DeadlineLeft, decision.AttemptsLeft},
		decision.RetryAfterDecides: {decision.RetryAfter, decision.DeadlineLeft, decision.AttemptsLeft},
		decision.RetryAfterTooLong: {decision.RetryAfter},
		decision.PushbackRefuses:   {decision.RetryAfter},
		decision.RetryBudgetSpent:  {decision.RetryTokens, decision.RetryShare},
	} {
		for _, n := range names {
			if told[reason][n] == 0 {
				t.Errorf("%s never told a flip of %s", reason, n)
			}
		}
	}
}

func checkFlip(t *testing.T, p Policy, in Input, d *decision.Decision, f decision.Flip) {
	t.Helper()
	decide := func(value int64) (decision.Verdict, decision.Reason, time.Duration) {
		other, changed := changedBy(p, in, f.Name, value)
		got := other.Decide(changed)
		return got.Verdict, got.Reason, got.Wait
	}
	step := int64(1)
	if f.Name == decision.RetryAfter {
		step = int64(time.Second)
	}
	at, nearer := f.Value, f.Value-step
	switch f.Bound {
	case decision.MoreThan:
		at, nearer = f.Value+1, f.Value
	case decision.AtMost:
		nearer = f.Value + step
	}
	if v, r, w := decide(at); v != f.Verdict || r != f.Reason || w != f.Wait && f.Bound != decision.MoreThan {
		t.Errorf("%+v: at that value it is %s %s %s", f, v, r, w)
	}
	if f.Verdict == d.Verdict && f.Reason == d.Reason {
		t.Errorf("%+v: that is no other decision", f)
	}
	asked, _ := d.Term(decision.RetryAfter)
	passed := f.Bound == decision.AtMost && nearer > asked.Value || f.Bound == decision.AtLeast && nearer < asked.Value
	if f.Bound == decision.Exactly || f.Name == decision.RetryAfter && asked.Value > 0 && passed {
		return // between two whole seconds lies the value that was sent
	}
	if v, r, _ := decide(nearer); v == f.Verdict && r == f.Reason {
		t.Errorf("%+v: a nearer value, %d, does the same", f, nearer)
	}
}

// changedBy returns policy and input with one row at another value.
func changedBy(p Policy, in Input, n decision.Name, value int64) (Policy, Input) {
	switch n {
	case decision.Key:
		in.Request.Key, in.Request.Keyed = "any", value == 1
	case decision.Reply:
		in.Outcome = call.Outcome{Response: call.Response{Status: int(value)}}
	case decision.Flag:
		in.Outcome.Response.Body.Flag = call.FlagFalse + call.Flag(value)
	case decision.RetryTokens:
		if in.Budget.Spent = p.Budget.Tokens - value; p.Budget.Kind == budget.Throttle {
			in.Budget.Spent -= budget.Token // the row tells what this failure leaves
		}
	case decision.RetryShare:
		in.Budget.Retries, in.Held = int(value), 0
	case decision.RetryAfter:
		if strings.HasPrefix(in.Outcome.Response.Fields, retryafter.PushbackName) {
			in.Outcome.Response.Fields = retryafter.PushbackName + ": " + strconv.FormatInt(value/int64(time.Millisecond), 10) + "\n"
		}
		in.Outcome.Response.HasRetryAfter = value > 0 || p.RetryAfterMode == retryafter.Wild
		in.Outcome.Response.RetryAfter = strconv.FormatInt(value/int64(time.Second), 10)
	case decision.DeadlineLeft:
		in.Deadline = in.Now.Add(time.Duration(value))
	case decision.AttemptsLeft:
		p.Attempts = int(value)
	}
	return p, in
}

func pick[T any](r *rand.Rand, from ...T) T { return from[r.IntN(len(from))] }

func randomDecision(r *rand.Rand) (Policy, Input) {
	p, in := plainDecision(r)
	if r.IntN(3) == 0 {
		return p, in
	}
	const ms = time.Millisecond
	p.DeadlineTest = pick(r, budget.GreaterOrEqual, budget.GreaterOrEqual, budget.Greater)
	p.Backoff.Shape = pick(r, backoff.Exponential, backoff.Exponential, backoff.Linear, backoff.Constant)
	p.Backoff.Factor = pick(r, backoff.Factor{}, backoff.Factor{Num: 3, Den: 2}, backoff.Factor{Num: 1, Den: 2})
	p.Jitter = pick(r, p.Jitter, backoff.Decorrelated, backoff.PlusMinus)
	p.Share, p.KeepAtCap = pick(r, rng.Ratio{}, rng.One, rng.Ratio{Num: 1, Den: 4}), r.IntN(2) == 0
	p.RetryAfterMode = retryafter.Mode(r.IntN(len(retryafter.ModeNames())))
	p.MaxRetryAfter = pick(r, 0, 0, ms, 1500*ms, 2*time.Second, 5*time.Second)
	p.AboveRetryAfter = pick(r, 0, 0, 1, 700*ms, 3*time.Second)
	p.Safety, p.KeysDocumented = pick(r, p.Safety, AnyMethod, LessonE, Standard), r.IntN(2) == 0
	p.Unchanging, p.Unprocessed = pick(r, nil, []string{"/"}), pick(r, nil, []int{503})
	p.Envelope, p.Codes = r.IntN(2) == 0, pick(r, nil, []string{"busy"})
	p.Budget = pick(r, budget.Config{},
		budget.Config{Kind: budget.Quota, Tokens: 20 * budget.Token, Cost: 7 * budget.Token, ThrottledCost: pick[int64](r, 0, 30*budget.Token)},
		budget.Config{Kind: budget.Throttle, Tokens: pick[int64](r, budget.Token, 7*budget.Token)},
		budget.Config{Kind: budget.Share, Share: rng.Ratio{Num: 1, Den: 5}, Minimum: r.IntN(3)})
	in.Above, in.Previous = rng.OfDraw(r.Uint64()), pick(r, 0, ms, 5*time.Second)
	in.Budget = budget.State{Calls: r.IntN(30), Retries: r.IntN(7), Spent: min(r.Int64N(22*budget.Token), p.Budget.Tokens)}
	if p.Budget.Kind == budget.Share && in.Budget.Retries > 0 {
		in.Held = budget.Hold(r.IntN(2))
	}
	in.LateKey = r.IntN(3) == 0
	in.Request.Path, in.Request.IfMatch = pick(r, "/", "/add"), pick(r, "", `"e1"`, `W/"e1"`)
	body := &in.Outcome.Response.Body
	if body.Code = pick(r, "", "busy"); in.Outcome.Failure == call.None {
		body.Flag = call.Flag(r.IntN(3))
		in.Outcome.Response.Fields = pick(r, "", "retry-after-ms: 1300\n", "RateLimit: \"a\";r=0;t=4\n",
			"grpc-retry-pushback-ms: 1000\n", "grpc-retry-pushback-ms: -1\n")
		in.Renewed = r.IntN(in.Request.Attempt)
	}
	return p, in
}

func plainDecision(r *rand.Rand) (Policy, Input) {
	const ms = time.Millisecond
	p := Policy{
		Attempts: 1 + r.IntN(5),
		Backoff: backoff.Config{
			Base: pick(r, 0, 1, ms, 500*ms, time.Second, 3*time.Second), Cap: pick(r, 0, time.Second, 4*time.Second),
		},
		Jitter:     pick(r, backoff.NoJitter, backoff.Fraction, backoff.Full, backoff.Equal),
		RetryAfter: pick(r, retryafter.Ignore, retryafter.Floor, retryafter.Replace),
		Safety:     pick(r, AnyMethod, LessonA, LessonA),
		Statuses:   pick(r, nil, LessonStatuses(), LessonStatuses(), []int{500}),
		Failures:   pick(r, nil, []call.Failure{call.TimedOut}),
	}
	in := Input{
		Now:      clock.Instant(r.Int64N(int64(10 * time.Second))),
		Deadline: clock.Max,
		Request: call.Request{
			Method: pick(r, "GET", "POST", "POST", "PATCH", "delete"), Key: pick(r, "", " ", "k"), Keyed: r.IntN(2) == 0,
			Attempt: 1 + r.IntN(5),
		},
		Fraction: pick(r, rng.Ratio{}, rng.One, rng.Ratio{Num: 1, Den: 2}, rng.OfDraw(r.Uint64())),
	}
	if r.IntN(4) > 0 {
		left := pick(r, 0, 1, 250*ms, 500*ms, time.Second, 2*time.Second, 4*time.Second, time.Duration(r.Int64N(1e10)))
		in.Deadline = in.Now.Add(left - pick(r, 0, 0, ms))
	}
	if r.IntN(5) == 0 {
		in.Outcome.Failure = pick(r, call.TimedOut, call.Reset, call.NeverSent, call.Garbled)
		return p, in
	}
	response := &in.Outcome.Response
	response.Status = pick(r, 200, 400, 429, 429, 500, 503, 503, 503)
	if response.HasRetryAfter = r.IntN(2) == 0; response.HasRetryAfter {
		response.RetryAfter = pick(r, "0", "1", "2", "3", "7", "-1", "", "9999999999", "99999999999999999999999", "1.5",
			"Mon, 30 Nov 2026 12:00:07 GMT")
	}
	return p, in
}

func BenchmarkDecide(b *testing.B) {
	p, err := NewLessonA(5*time.Second, 3)
	if err != nil {
		b.Fatal(err)
	}
	in := Input{
		Deadline: clock.Instant(5 * time.Second),
		Request:  call.Request{Method: "POST", Path: "/add", Key: "k", Keyed: true, Attempt: 1},
		Outcome:  call.Outcome{Response: call.Response{Status: 503, RetryAfter: "1", HasRetryAfter: true}},
		Fraction: rng.OfDraw(1 << 62),
	}
	for _, c := range []struct {
		name   string
		decide func(Input) decision.Decision
	}{{"decide", p.Decide}, {"explain", p.Explain}} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				c.decide(in)
			}
		})
	}
}

// Neither a decision nor its explanation allocates, but for the other fields that the mode wild reads and the texts of
// the whole seconds that are tried.
func TestDecideAllocatesNothing(t *testing.T) {
	for seed := range uint64(300) {
		p, in := randomDecision(rand.New(rand.NewPCG(seed, 3)))
		if in.Outcome.Response.Fields = ""; p.RetryAfterMode == retryafter.Wild {
			p.RetryAfterMode = retryafter.Standard
		}
		if n := testing.AllocsPerRun(3, func() { p.Decide(in) }); n != 0 {
			t.Fatalf("seed %d: %v allocations\npolicy %+v\ninput %+v", seed, n, p, in)
		}
	}
}
