package text

import (
	"math/rand/v2"
	"strconv"
	"testing"
	"time"

	"retrylab.example/core/backoff"
	"retrylab.example/core/budget"
	"retrylab.example/core/call"
	"retrylab.example/core/clock"
	"retrylab.example/core/decision"
	"retrylab.example/core/event"
	"retrylab.example/core/retry"
	"retrylab.example/core/retryafter"
	"retrylab.example/core/rng"
)

// TestFlipsSayWhatThePolicyWouldDo asks the policy itself about each value of Retry-After that a flip names.
func TestFlipsSayWhatThePolicyWouldDo(t *testing.T) {
	for seed := range uint64(3000) {
		p, in := randomDecision(rand.New(rand.NewPCG(seed, 1)))
		d := p.Explain(in)
		e := event.Event{
			Kind: event.RetryScheduled, Request: in.Request, Response: in.Outcome.Response, Decision: d,
		}
		for i, f := range d.Flips() {
			if f.Name != decision.RetryAfter {
				continue
			}
			from, to, message := asks(&d, f)
			switch message {
			case "at-most":
				from = 0
			case "at-least":
				to = from + 2
			}
			for _, n := range []int64{from, from + 1, (from + to) / 2, to} {
				if n > to {
					continue
				}
				other := in
				other.Outcome.Response.HasRetryAfter = n > 0
				other.Outcome.Response.RetryAfter = strconv.FormatInt(n, 10)
				got := p.Decide(other)
				// a wait that fits may be either one
				exact := d.Reason != decision.BudgetTooShort && d.Reason != decision.RetryAfterTooLong
				if got.Reason == decision.RetryAfterTooLong { // where both limits are passed, either one is told
					exact = exact && f.Reason != decision.BudgetTooShort
				}
				if got.Verdict != f.Verdict || exact && got.Reason != f.Reason {
					t.Errorf("seed %d: Retry-After %d leads to %s, %s", seed, n, got.Verdict, got.Reason)
					t.Fatalf("  but: %s\n  decision: %s, %s, flip %+v\n  policy %+v", English.Flips(&e)[i], d.Verdict, d.Reason, f, p)
				}
			}
		}
	}
}

func randomDecision(r *rand.Rand) (retry.Policy, retry.Input) {
	p := retry.Policy{
		Attempts:   1 + r.IntN(4),
		Backoff:    backoff.Config{Base: time.Duration(r.IntN(3000)) * time.Millisecond, Cap: 8 * time.Second},
		Jitter:     backoff.Jitter(r.IntN(4)),
		RetryAfter: retryafter.Rule(r.IntN(3)),
		Statuses:   retry.LessonStatuses(),
	}
	if r.IntN(2) == 0 {
		p.MaxRetryAfter, p.AboveRetryAfter = time.Duration(r.IntN(7000))*time.Millisecond, time.Duration(r.IntN(3))*time.Second
		p.DeadlineTest = budget.DeadlineTest(r.IntN(2))
	}
	in := retry.Input{
		Now: clock.Start, Deadline: clock.Start.Add(time.Duration(r.IntN(10_000)) * time.Millisecond),
		Request:  call.Request{Method: "GET", Attempt: 1 + r.IntN(3)},
		Outcome:  call.Outcome{Response: call.Response{Status: 429}},
		Fraction: rng.OfDraw(r.Uint64()),
		Above:    rng.OfDraw(r.Uint64()),
	}
	if r.IntN(5) == 0 {
		in.Deadline = clock.Max
	}
	if r.IntN(3) > 0 {
		in.Outcome.Response.HasRetryAfter = true
		in.Outcome.Response.RetryAfter = strconv.Itoa(r.IntN(9))
	}
	return p, in
}

// TestJitterRangeIsReadOffTheRow holds the range in the note to the kind of jitter that made the row.
func TestJitterRangeIsReadOffTheRow(t *testing.T) {
	for seed := range uint64(2000) {
		p, in := randomDecision(rand.New(rand.NewPCG(seed, 2)))
		p.Jitter, in.Request.Attempt, p.Attempts = backoff.Jitter(1+seed%3), 1, 2
		d := p.Decide(in)
		row, _ := d.Term(decision.Jitter)
		if row.A < int64(time.Millisecond) {
			continue
		}
		wrong := map[bool]string{true: "jitter.whole", false: "jitter.half"}[p.Jitter == backoff.Equal]
		if got := jitterNote(row); got == wrong {
			t.Fatalf("seed %d: %s jitter told as %s: %+v", seed, p.Jitter, got, row)
		}
	}
}

// TestEveryDecisionSaysWhatWouldChangeIt: where no value near would change a decision, that is said, for every reason and
// in every language.
func TestEveryDecisionSaysWhatWouldChangeIt(t *testing.T) {
	said := map[string]int{}
	for _, r := range decision.Reasons() {
		for _, l := range Langs() {
			e := event.Event{Decision: decision.Decision{Verdict: decision.Refuse, Reason: r}}
			lines := l.Flips(&e)
			if len(lines) != 1 || lines[0] == "" {
				t.Fatalf("%s in %s says %q", r, l, lines)
			}
			said[lines[0]]++
		}
	}
	if len(said) < 3*13 {
		t.Errorf("only %d different sentences are said", len(said))
	}
	plain := event.Event{Kind: event.AttemptSent}
	if lines := English.Flips(&plain); len(lines) != 0 {
		t.Errorf("of what decides nothing it says %q", lines)
	}
}
