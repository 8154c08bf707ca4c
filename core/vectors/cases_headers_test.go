package vectors

import (
	"testing"
	"time"

	"retrylab.example/core/backoff"
	"retrylab.example/core/call"
	"retrylab.example/core/clock"
	"retrylab.example/core/decision"
	"retrylab.example/core/field"
	"retrylab.example/core/idemkey"
	"retrylab.example/core/limit"
	"retrylab.example/core/retry"
	"retrylab.example/core/retryafter"
	"retrylab.example/core/rng"
)

// Public bug reports on header fields, by their number in the list of cases: each has one right answer under the
// strict contract.

// received is the instant at which every response of these cases arrives: 2026-11-30T12:00:00Z.
const received field.Time = 1796040000

// after decides after a first attempt that was answered 429 with that Retry-After; 1 s is the local wait.
func after(value string, deadline time.Duration) decision.Decision {
	p := retry.Policy{
		Attempts: 3, Backoff: backoff.Config{Base: time.Second, Cap: time.Second}, RetryAfter: retryafter.Floor,
		Statuses: retry.LessonStatuses(), Safety: retry.LessonA,
	}
	return p.Decide(retry.Input{
		Now: clock.Start, Deadline: clock.Start.Add(deadline), Request: call.Request{Method: "GET", Attempt: 1},
		Outcome:  call.Outcome{Response: call.Response{Status: 429, RetryAfter: value, HasRetryAfter: true}},
		Fraction: rng.One,
	})
}

// waitOf is the wait of the floor rule over 1 s for a value that a client reads by the standard.
func waitOf(now field.Moment, value string) time.Duration {
	r := retryafter.Read(retryafter.Standard, []string{value}, retryafter.Context{Now: now})
	wait, _ := retryafter.Floor.Wait(time.Second, r.Delay)
	return wait
}

// hashicorp/go-retryablehttp#247: 3600 s, or an epoch value read as seconds, with 30 s to spend.
func TestCase1TooLongAWaitGivesUp(t *testing.T) {
	for _, value := range []string{"3600", "1796040120", "9223372037", "99999999999999999999"} {
		if d := after(value, 30*time.Second); d.Verdict != decision.GiveUp || d.Reason != decision.BudgetTooShort {
			t.Errorf("Retry-After: %s: got %s, %s", value, d.Verdict, d.Reason)
		}
	}
}

// standards.md C09: 503, Retry-After: 120 and 60 s left.
func TestC09GivesUpAtOnce(t *testing.T) {
	if d := after("120", time.Minute); d.Reason != decision.BudgetTooShort || d.Wait != 2*time.Minute {
		t.Errorf("got %s after %v", d.Reason, d.Wait)
	}
}

// kubescape/kubevuln PR#637: a date 400 ms ahead is no wait of 0.
func TestCase3ADateShortlyAheadIsWaitedFor(t *testing.T) {
	now := field.Moment{Time: received, Nanos: 600_000_000}
	r := retryafter.Read(retryafter.Standard, []string{"Mon, 30 Nov 2026 12:00:01 GMT"}, retryafter.Context{Now: now})
	same(t, "delay", r.Delay, 400*time.Millisecond)
	same(t, "whole seconds, rounded up", r.Seconds, 1)
}

// pydantic/pydantic-ai#7065: a negative value is the fallback's.
func TestCase5ANegativeValueIsTheLocalWait(t *testing.T) {
	same(t, "wait", waitOf(field.Moment{Time: received}, "-1"), time.Second)
	d := after("-1", time.Hour)
	same(t, "reason", d.Reason, decision.BackoffDecides)
	same(t, "wait", d.Wait, time.Second)
}

// nodejs/undici PR#4084: a date is the time to it.
func TestCase7ADateIsTheTimeToIt(t *testing.T) {
	for _, value := range []string{"Mon, 30 Nov 2026 12:02:00 GMT", "Monday, 30-Nov-26 12:02:00 GMT", "Mon Nov 30 12:02:00 2026"} {
		same(t, value, waitOf(field.Moment{Time: received}, value), 2*time.Minute)
	}
}

// will-ockmore/httpx-retries#13: a date in the past is no hot loop.
func TestCase9ADateInThePastIsTheLocalWait(t *testing.T) {
	same(t, "wait", waitOf(field.Moment{Time: received}, "Mon, 30 Nov 2026 11:59:59 GMT"), time.Second)
}

// brandur/redis-cell#56: a true wait of 1.4 s is told as 2, and a client that waits so passes.
func TestCase13ARetryAfterIsRoundedUp(t *testing.T) {
	l, err := limit.New(limit.Config{Limit: 1, Window: 1400 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	l, _ = l.Take("a", clock.Start)
	l, d := l.Take("a", clock.Start)
	same(t, "wait", d.Wait, 2*time.Second)
	if _, d = l.Take("a", clock.Start.Add(d.Wait)); d.Verdict != decision.Admit {
		t.Errorf("after it: %s", d.Verdict)
	}
}

// Case 77 is about new keys for each attempt; the same bug by quoting is standards.md's key trap (I19).
func TestI19QuotesDoNotMakeAnotherKey(t *testing.T) {
	quoted, plain := idemkey.Read(idemkey.Lab, []string{`"a"`}), idemkey.Read(idemkey.Lab, []string{"a"})
	same(t, "key", quoted.Text, plain.Text)
	same(t, "warned about", plain.Unquoted && !quoted.Unquoted, true)
	if a, b := idemkey.Read(idemkey.Raw, []string{`"a"`}), idemkey.Read(idemkey.Raw, []string{"a"}); a.Text == b.Text {
		t.Errorf("to a raw server %s and %s are two keys", a.Text, b.Text)
	}
}
