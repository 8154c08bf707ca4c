package lesson

import (
	"testing"
	"time"

	"retrylab.example/core/call"
	"retrylab.example/core/clock"
	"retrylab.example/core/decision"
	"retrylab.example/core/event"
	"retrylab.example/core/measure"
)

// The facts of the checks below: call 1 of client 0 unless said otherwise.
func fact(k event.Kind, at time.Duration, attempt int) event.Event {
	return event.Event{Kind: k, At: clock.Start.Add(at), Request: call.Request{Call: 1, Attempt: attempt, Method: "POST", Amount: 10}}
}

func retried(at, wait time.Duration, attempt int) event.Event {
	e := fact(event.RetryScheduled, at, attempt)
	e.Decision = decision.Decision{Verdict: decision.Retry, Reason: decision.BackoffDecides, Wait: wait}
	return e
}

func applied(total int64) event.Event {
	e := fact(event.EffectApplied, 0, 1)
	e.Delta, e.Total = 10, total
	return e
}

func succeeded(at time.Duration) event.Event {
	e := fact(event.CallSucceeded, at, 1)
	e.Response.Status = 200
	e.Decision = decision.Decision{Verdict: decision.Return, Reason: decision.Succeeded}
	return e
}

func gaveUp(at time.Duration, status int, r decision.Reason) event.Event {
	e := fact(event.CallGaveUp, at, 1)
	e.Response.Status = status
	e.Decision = decision.Decision{Verdict: decision.GiveUp, Reason: r}
	return e
}

func injected(f event.Fault, status int) event.Event {
	return event.Event{Kind: event.FaultInjected, Who: event.Person, Fault: f, Response: call.Response{Status: status}}
}

func started(key string, keyed bool, amount int64) event.Event {
	e := fact(event.CallStarted, 0, 1)
	e.Request.Key, e.Request.Keyed, e.Request.Amount = key, keyed, amount
	return e
}

// other moves a fact to another client.
func other(e event.Event) event.Event {
	e.Request.Client = 1
	return e
}

type checkCase struct {
	name             string
	check            Check
	events           []event.Event
	state            State
	expected, actual string
	seq              int
}

func testChecks(t *testing.T, cases []checkCase) {
	for _, c := range cases {
		for i := range c.events {
			c.events[i].Seq = i + 1
		}
		if c.check.Call == 0 {
			c.check.Call = 1
		}
		got := c.check.Evaluate(c.events)
		if got.State != c.state || got.Expected.String() != c.expected || got.Actual.String() != c.actual || got.Seq != c.seq {
			t.Errorf("%s %s: got state %d, expected %q, actual %q, event %d; want state %d, %q, %q, event %d", c.check.Kind, c.name,
				got.State, got.Expected, got.Actual, got.Seq, c.state, c.expected, c.actual, c.seq)
		}
	}
}

func TestCountAndTotal(t *testing.T) {
	sent := fact(event.AttemptSent, 0, 1)
	two := []event.Event{sent, sent}
	count := func(b Bound, n int64) Check { return Check{Kind: Count, Of: "sent", Bound: b, Number: n} }
	total := func(b Bound, n int64) Check { return Check{Kind: Total, Of: "actual", Bound: b, Number: n} }
	testChecks(t, []checkCase{
		{"nothing yet", count(Equals, 1), nil, Open, "1", "0", 0},
		{"none wanted, none there", count(Equals, 0), nil, Holds, "0", "0", 0},
		{"equal", count(Equals, 2), two, Holds, "2", "2", 0},
		{"too few", count(Equals, 3), two, Open, "3", "2", 0},
		{"too many: the one too many broke it", count(Equals, 1), two, Fails, "1", "2", 2},
		{"at least, below", count(AtLeast, 3), two, Open, "at least 3", "2", 0},
		{"at least, above", count(AtLeast, 1), two, Holds, "at least 1", "2", 0},
		{"at most, below", count(AtMost, 2), two, Holds, "at most 2", "2", 0},
		{"at most, above: the first above broke it", count(AtMost, 0), two, Fails, "at most 0", "2", 1},

		{"nothing yet", total(Equals, 10), nil, Open, "10", "0", 0},
		{"kept", total(Equals, 10), []event.Event{applied(10)}, Holds, "10", "10", 0},
		{"doubled", total(Equals, 10), []event.Event{sent, applied(10), sent, applied(20)}, Fails, "10", "20", 4},
		{"set back by a DELETE", total(Equals, 10), []event.Event{applied(20), applied(10)}, Holds, "10", "10", 0},
		{"at most", total(AtMost, 20), []event.Event{applied(10), applied(20)}, Holds, "at most 20", "20", 0},
	})
}

// Every name that a check may use names its own number.
func TestTotalNames(t *testing.T) {
	counts, totals := TotalNames()
	events := []event.Event{
		started("k", true, 10), fact(event.AttemptSent, 0, 1), fact(event.RequestArrived, 0, 1), applied(10),
		fact(event.ReplyReplayed, 0, 1), fact(event.RequestRefused, 0, 1), fact(event.SendRefused, 0, 1), applied(20),
		succeeded(0), gaveUp(0, 0, decision.DeadlinePassed),
	}
	want := map[string]int64{"applied": 2, "attempts-per-100-calls": 100, "naive": 30, "deduped": 30, "actual": 20}
	for _, name := range append(counts, totals...) {
		n, special := want[name]
		if !special {
			n = 1
		}
		c := Check{Kind: Count, Of: name, Number: n}
		if r := c.Evaluate(events); r.State != Holds {
			t.Errorf("%s: got %s, want %d", name, r.Actual, n)
		}
	}
}

func TestWaits(t *testing.T) {
	waits := func(ds ...time.Duration) Check { return Check{Kind: Waits, Waits: ds} }
	first, second := retried(0, time.Second, 1), retried(0, 2*time.Second, 2)
	testChecks(t, []checkCase{
		{"nothing yet", waits(time.Second), nil, Open, "1.000 s", "no-waits", 0},
		{"the first is right", waits(time.Second, 2*time.Second), []event.Event{first}, Open, "1.000 s, 2.000 s", "1.000 s", 0},
		{"all there, not ended", waits(time.Second), []event.Event{first}, Open, "1.000 s", "1.000 s", 0},
		{"all there", waits(time.Second, 2*time.Second), []event.Event{first, second, succeeded(0)}, Holds, "1.000 s, 2.000 s", "1.000 s, 2.000 s", 0},
		{"none wanted", waits(), []event.Event{succeeded(0)}, Holds, "no-waits", "no-waits", 0},
		{"one too many", waits(time.Second), []event.Event{first, second, succeeded(0)}, Fails, "1.000 s", "1.000 s, 2.000 s", 2},
		{"another one", waits(2 * time.Second), []event.Event{first, succeeded(0)}, Fails, "2.000 s", "1.000 s", 1},
		{"one too few: the end broke it", waits(time.Second, 2*time.Second), []event.Event{first, succeeded(0)}, Fails, "1.000 s, 2.000 s", "1.000 s", 2},
		{"of another client", waits(time.Second), []event.Event{other(second), first, other(succeeded(0)), succeeded(0)}, Holds, "1.000 s", "1.000 s", 0},
	})
}

func TestOutcome(t *testing.T) {
	success := Check{Kind: Outcome, Outcome: "succeeded"}
	spent := Check{Kind: Outcome, Outcome: "gave-up", Status: 503, Reason: decision.AttemptsSpent}
	testChecks(t, []checkCase{
		{"nothing yet", success, []event.Event{fact(event.AttemptSent, 0, 1)}, Open, "succeeded", "not-ended", 0},
		{"success", success, []event.Event{succeeded(0)}, Holds, "succeeded", "succeeded 200", 1},
		{"gave up instead", success, []event.Event{gaveUp(0, 503, decision.AttemptsSpent)}, Fails, "succeeded", "attempts-spent 503", 1},
		{"another client's end", success, []event.Event{other(gaveUp(0, 503, decision.AttemptsSpent))}, Open, "succeeded", "not-ended", 0},
		{"all parts", spent, []event.Event{gaveUp(0, 503, decision.AttemptsSpent)}, Holds, "attempts-spent 503", "attempts-spent 503", 1},
		{"another status", spent, []event.Event{gaveUp(0, 429, decision.AttemptsSpent)}, Fails, "attempts-spent 503", "attempts-spent 429", 1},
		{"another reason", spent, []event.Event{gaveUp(0, 503, decision.BudgetTooShort)}, Fails, "attempts-spent 503", "budget-too-short 503", 1},
		{"success instead", spent, []event.Event{succeeded(0)}, Fails, "attempts-spent 503", "succeeded 200", 1},
	})
}

func TestEndsAndStarts(t *testing.T) {
	ends := func(b Bound, d time.Duration) Check { return Check{Kind: Ends, Bound: b, Time: d} }
	starts := func(b Bound, d time.Duration) Check { return Check{Kind: Starts, Attempt: 2, Bound: b, Time: d} }
	after := func(c Check) Check {
		c.First = Moment{Kind: event.AttemptFailed, Client: 1, Call: 1, Attempt: 1}
		return c
	}
	failed := fact(event.AttemptFailed, 500*time.Millisecond, 1)
	again := fact(event.AttemptSent, 2*time.Second, 2)
	testChecks(t, []checkCase{
		{"nothing yet", ends(Equals, time.Second), nil, Open, "1.000 s", "not-yet", 0},
		{"equal", ends(Equals, time.Second), []event.Event{succeeded(time.Second)}, Holds, "1.000 s", "1.000 s", 1},
		{"a nanosecond late", ends(Equals, time.Second), []event.Event{succeeded(time.Second + 1)}, Fails, "1.000000000 s", "1.000000001 s", 1},
		{"in time", ends(AtMost, time.Second), []event.Event{gaveUp(time.Second, 0, decision.DeadlinePassed)}, Holds, "at most 1.000 s", "1.000 s", 1},
		{"late", ends(AtMost, time.Second), []event.Event{again, succeeded(3 * time.Second)}, Fails, "at most 1.000 s", "3.000 s", 2},
		{"early", ends(AtLeast, time.Second), []event.Event{succeeded(0)}, Fails, "at least 1.000 s", "0.000 s", 1},
		{"late enough", ends(AtLeast, time.Second), []event.Event{succeeded(time.Second)}, Holds, "at least 1.000 s", "1.000 s", 1},

		{"only the first attempt", starts(Equals, 2*time.Second), []event.Event{fact(event.AttemptSent, 0, 1)}, Open, "2.000 s", "not-yet", 0},
		{"equal", starts(Equals, 2*time.Second), []event.Event{again, succeeded(3 * time.Second)}, Holds, "2.000 s", "2.000 s", 1},
		{"too early", starts(AtLeast, 3*time.Second), []event.Event{again}, Fails, "at least 3.000 s", "2.000 s", 1},
		{"never: the end broke it", starts(Equals, 2*time.Second), []event.Event{fact(event.AttemptSent, 0, 1), succeeded(0)}, Fails, "2.000 s", "never", 2},
		{"of another client", starts(Equals, 2*time.Second), []event.Event{other(again)}, Open, "2.000 s", "not-yet", 0},

		{"counted from an event", after(starts(Equals, 1500*time.Millisecond)), []event.Event{failed, again}, Holds, "1.500 s", "1.500 s", 2},
		{"the first like it counts", after(ends(AtMost, time.Second)), []event.Event{failed, fact(event.AttemptFailed, 2*time.Second, 1), succeeded(2 * time.Second)}, Fails, "at most 1.000 s", "1.500 s", 3},
		{"of another client", after(ends(AtMost, time.Second)), []event.Event{other(failed), succeeded(time.Second)}, Fails, "at most 1.000 s", "too-early", 2},
		{"before that event", after(starts(AtMost, time.Second)), []event.Event{again, failed}, Fails, "at most 1.000 s", "too-early", 1},
		{"only the event", after(starts(AtMost, time.Second)), []event.Event{failed}, Open, "at most 1.000 s", "not-yet", 0},
	})
}

func TestDecidedFiredAndInjected(t *testing.T) {
	decided := func(attempt int, times int64) Check {
		return Check{Kind: Decided, Reason: decision.BackoffDecides, Attempt: attempt, Number: times}
	}
	yes, no := true, false
	fired := func(f Fired) Check { return Check{Kind: FiredCheck, Fired: f} }
	lost := Check{Kind: Injected, Fault: event.LostReply, Number: 1}
	unavailable := Check{Kind: Injected, Fault: event.Reply, Status: 503, Number: 2}
	distinct := func(f event.Fault) Check { return Check{Kind: Injected, Fault: f, Number: 2, Distinct: true} }
	w := retried(0, time.Second, 1)
	testChecks(t, []checkCase{
		{"not yet", decided(0, 1), []event.Event{succeeded(0)}, Open, "at least 1", "0", 0},
		{"once", decided(0, 1), []event.Event{succeeded(0), w}, Holds, "at least 1", "1", 2},
		{"once of two", decided(0, 2), []event.Event{w}, Open, "at least 2", "1", 1},
		{"it rests on the one that sufficed", decided(0, 2), []event.Event{w, w, w}, Holds, "at least 2", "3", 2},
		{"another attempt", decided(2, 1), []event.Event{w}, Open, "at least 1", "0", 0},
		{"that attempt", decided(2, 1), []event.Event{w, retried(0, 0, 2)}, Holds, "at least 1", "1", 2},

		{"anything", fired(Fired{}), []event.Event{started("", false, 5)}, Holds, "at least 1", "1", 1},
		{"method, in any case", fired(Fired{Method: "post"}), []event.Event{started("", false, 5)}, Holds, "at least 1", "1", 1},
		{"another method", fired(Fired{Method: "PUT"}), []event.Event{started("", false, 5)}, Open, "at least 1", "0", 0},
		{"that key", fired(Fired{Key: "k"}), []event.Event{started("j", true, 5), started("k", true, 5)}, Holds, "at least 1", "1", 2},
		{"some key", fired(Fired{Keyed: &yes}), []event.Event{started("k", true, 5)}, Holds, "at least 1", "1", 1},
		{"a blank key is none", fired(Fired{Keyed: &yes}), []event.Event{started(" ", true, 5)}, Open, "at least 1", "0", 0},
		{"no key", fired(Fired{Keyed: &no}), []event.Event{started(" ", true, 5)}, Holds, "at least 1", "1", 1},
		{"that amount", fired(Fired{Amount: 5}), []event.Event{started("", false, 6)}, Open, "at least 1", "0", 0},

		{"not yet", lost, []event.Event{injected(event.LostRequest, 0)}, Open, "at least 1", "0", 0},
		{"ordered", lost, []event.Event{injected(event.LostReply, 0)}, Holds, "at least 1", "1", 1},
		{"a reply of another status", unavailable, []event.Event{injected(event.Reply, 503), injected(event.Reply, 429)}, Open, "at least 2", "1", 1},
		{"two replies", unavailable, []event.Event{injected(event.Reply, 503), injected(event.Reply, 503)}, Holds, "at least 2", "2", 2},

		{"twice the same", distinct(event.NoFault), []event.Event{injected(event.Reply, 503), injected(event.Reply, 503)}, Open, "at least 2", "1", 1},
		{"two statuses", distinct(event.NoFault), []event.Event{injected(event.Reply, 503), injected(event.Reply, 503), injected(event.Reply, 429)}, Holds, "at least 2", "2", 3},
		{"a status and a fault", distinct(event.NoFault), []event.Event{injected(event.Reply, 503), injected(event.LostReply, 0)}, Holds, "at least 2", "2", 2},
		{"a status and a fault, statuses wanted", distinct(event.Reply), []event.Event{injected(event.Reply, 503), injected(event.LostReply, 0)}, Open, "at least 2", "1", 1},
	})
}

// Attempts per hundred calls are rounded up: one attempt more than allowed is more.
func TestAttemptsPer100Calls(t *testing.T) {
	for _, c := range []struct {
		sent, calls int
		want        int64
	}{{0, 0, 0}, {1, 1, 100}, {2, 1, 200}, {3, 2, 150}, {4, 3, 134}, {1001, 1000, 101}} {
		if got := TotalOf(measure.Totals{Sent: c.sent, Calls: c.calls}, "attempts-per-100-calls"); got != c.want {
			t.Errorf("%d attempts of %d calls are %d per hundred, want %d", c.sent, c.calls, got, c.want)
		}
	}
}
