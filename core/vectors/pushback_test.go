package vectors

import (
	"testing"
	"time"

	"retrylab.example/core/backoff"
	"retrylab.example/core/call"
	"retrylab.example/core/clock"
	"retrylab.example/core/decision"
	"retrylab.example/core/retry"
	"retrylab.example/core/retryafter"
	"retrylab.example/core/rng"
)

// gRPC's pushback (standards.md section 8, G01 to G12): the column of the proposal A6, which is the standard here. Where
// it is silent, on two values, we do as gRPC for Go does. Contracts and vector rows say nothing of it, so a policy looks
// at it in the mode wild only.

func pushbackPolicy() retry.Policy {
	return retry.Policy{
		Attempts: 5, Statuses: []int{503}, Backoff: backoff.Config{Base: time.Second, Cap: 8 * time.Second}, Jitter: backoff.Full,
		RetryAfter: retryafter.Floor, RetryAfterMode: retryafter.Wild, AboveRetryAfter: time.Second,
	}
}

// pushed is an attempt that was answered 503 with those lines of the field.
func pushed(attempt int, lines ...string) retry.Input {
	in := retry.Input{
		Deadline: clock.Max, Request: call.Request{Method: "POST", Attempt: attempt}, Outcome: status(503),
		Fraction: rng.Ratio{Num: 1, Den: 2}, Above: rng.Ratio{Num: 1, Den: 2},
	}
	for _, line := range lines {
		in.Outcome.Response.Fields += retryafter.PushbackName + ": " + line + "\n"
	}
	return in
}

func TestPushback(t *testing.T) {
	const never = -1
	for _, row := range []struct {
		id    string
		lines []string
		want  time.Duration
	}{
		{"G01", []string{"0"}, 0},
		{"G02", []string{"1000"}, time.Second},
		{"G03", []string{"-1"}, never},
		{"G04", []string{"abc"}, never},
		{"G05", []string{""}, never},
		{"G06", []string{"007"}, never},
		{"G07", []string{"+5"}, never},
		{"G08", []string{"1.5"}, never},
		{"G09", []string{"1000", "1000"}, never},
		{"G10", []string{"2147483647"}, 2147483647 * time.Millisecond},
		{"G11", []string{"2147483648"}, never},
	} {
		p := pushbackPolicy()
		d := p.Decide(pushed(1, row.lines...))
		refused := d.Verdict == decision.GiveUp && d.Reason == decision.PushbackRefuses
		waits := d.Verdict == decision.Retry && d.Reason == decision.RetryAfterDecides && d.Wait == row.want
		if row.want == never && !refused || row.want != never && !waits {
			t.Errorf("%s %q: got %s, %s, %v", row.id, row.lines, d.Verdict, d.Reason, d.Wait)
		}
	}
}

func TestG12APushbackNeverMakesMoreAttempts(t *testing.T) {
	p := pushbackPolicy()
	for attempt, want := range map[int]decision.Reason{4: decision.RetryAfterDecides, 5: decision.AttemptsSpent} {
		if d := p.Decide(pushed(attempt, "1000")); d.Reason != want {
			t.Errorf("attempt %d: got %s", attempt, d.Reason)
		}
	}
}

// After a pushback the backoff begins anew: attempt 4 after a pushback at attempt 3 waits like the first.
func TestAPushbackRenewsTheBackoff(t *testing.T) {
	p := pushbackPolicy()
	p.Jitter = backoff.NoJitter
	d := p.Decide(pushed(3, "1000"))
	in := pushed(4)
	in.Renewed = 3
	if first, later := p.Decide(in), p.Decide(pushed(4)); !retry.Renews(&d) || first.Wait != time.Second || later.Wait != 8*time.Second {
		t.Errorf("renews: %t; waits %v, without it %v", retry.Renews(&d), first.Wait, later.Wait)
	}
	if d := p.Decide(pushed(4)); retry.Renews(&d) {
		t.Error("a wait of the client's own renews the backoff")
	}
}

// A pushback is an order before every wish, and nothing to a policy that does not look.
func TestWhoObeysAPushback(t *testing.T) {
	in := pushed(1, "250")
	in.Outcome.Response.RetryAfter, in.Outcome.Response.HasRetryAfter = "7", true
	in.Outcome.Response.Fields += "retry-after-ms: 9000\n"
	p := pushbackPolicy()
	if d := p.Decide(in); d.Wait != 250*time.Millisecond {
		t.Errorf("got %v", d.Wait)
	}
	p.RetryAfterMode, p.AboveRetryAfter = retryafter.Standard, 0
	if d := p.Decide(in); d.Wait != 7*time.Second {
		t.Errorf("standard: got %v", d.Wait)
	}
	p.RetryAfterMode, p.RetryAfter = retryafter.Wild, retryafter.Ignore
	if d := p.Decide(pushed(1, "-1")); d.Reason != decision.BackoffDecides {
		t.Errorf("ignoring: got %s", d.Reason)
	}
}

// standards.md C19: 429 with x-amz-retry-after, in milliseconds, and a computed backoff b. The SDK for Go of that vendor
// waits min(max(asked, b), b + 5 s) and does not read Retry-After. The strict contract goes before it: a policy of ours
// that reads the field waits at least b and never less than asked, so that the two differ beyond b + 5 s only, where the
// vendor's client comes back too early; and by the standard the field is none.
func TestC19TheFieldOfAWS(t *testing.T) {
	p := pushbackPolicy()
	p.Jitter, p.AboveRetryAfter = backoff.NoJitter, 0
	for _, row := range []struct {
		attempt      int
		field        string
		ours, vendor time.Duration
	}{
		{1, "3000", 3 * time.Second, 3 * time.Second},
		{3, "3000", 4 * time.Second, 4 * time.Second},
		{1, "20000", 20 * time.Second, 6 * time.Second},
	} {
		in := pushed(row.attempt)
		own := p.Decide(in).Wait
		in.Outcome.Response.Fields = "x-amz-retry-after: " + row.field + "\n"
		ms, _ := time.ParseDuration(row.field + "ms")
		if got := p.Decide(in).Wait; got != row.ours || min(max(ms, own), own+5*time.Second) != row.vendor {
			t.Errorf("%s after attempt %d: got %v", row.field, row.attempt, got)
		}
		standard := p
		standard.RetryAfterMode = retryafter.Standard
		if got := standard.Decide(in).Wait; got != own {
			t.Errorf("standard: got %v, not its own %v", got, own)
		}
	}
}
