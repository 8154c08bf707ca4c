package vectors

import (
	"encoding/json"
	"slices"
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
	"retrylab.example/core/sim"
)

// Contracts D and E: what a client's policy decides.

// mayRepeat is what the contracts' yes-or-no functions ask of a policy: whether it would send the request again.
func mayRepeat(p retry.Policy, in retry.Input) bool {
	in.Deadline, in.Request.Attempt = clock.Max, max(in.Request.Attempt, 1)
	d := p.Decide(in)
	return d.Verdict == decision.Retry
}

func TestVectorsGatewayRetry(t *testing.T) {
	each(t, "gateway_retry", func(t *testing.T, row struct {
		Args struct {
			Method       string
			HasKey       bool `json:"has_key"`
			ChangesState bool `json:"changes_state"`
			Failure      json.RawMessage
			Flag         *bool
			By           string
		}
		Want bool
	}) {
		a := row.Args
		p := retry.Policy{
			Attempts: 4, Safety: retry.LessonE, Statuses: []int{429, 502}, Failures: call.Failures(), Envelope: a.By == "flag",
		}
		if !a.ChangesState {
			p.Unchanging = []string{"/estimate"}
		}
		in := retry.Input{Request: call.Request{Method: a.Method, Path: "/estimate", Keyed: a.HasKey, Key: "k"}}
		if a.Flag != nil {
			in.Outcome.Response.Body.Flag = call.FlagFalse
			if *a.Flag {
				in.Outcome.Response.Body.Flag = call.FlagTrue
			}
		}
		if string(a.Failure) != `"network"` {
			if err := json.Unmarshal(a.Failure, &in.Outcome.Response.Status); err != nil {
				t.Fatal(err)
			}
			same(t, "retried", mayRepeat(p, in), row.Want)
			return
		}
		for _, f := range call.Failures() { // each of them is a network error
			in.Outcome = call.Outcome{Failure: f}
			same(t, f.String(), mayRepeat(p, in), row.Want)
		}
	})
}

func TestVectorsReplaceDelayNumberByThePolicy(t *testing.T) {
	each(t, "replace_delay_number", func(t *testing.T, row delayRow) {
		p := retry.Policy{
			Attempts: 2, Backoff: backoff.Config{Base: row.Args.Local.Duration, Cap: row.Args.Local.Duration},
			RetryAfter: retryafter.Replace, RetryAfterMode: retryafter.Decimal, Statuses: []int{429},
		}
		d := p.Decide(retry.Input{
			Deadline: clock.Max, Request: call.Request{Method: "GET", Attempt: 1},
			Outcome: call.Outcome{Response: call.Response{
				Status: 429, RetryAfter: row.Args.RetryAfter.text, HasRetryAfter: row.Args.RetryAfter.sent,
			}},
		})
		same(t, "wait", d.Wait, row.Want.Duration)
	})
}

// The waits of a row are given, so the policy waits a fraction of one second, or of as many as a row needs.
func TestVectorsDeadlineStrictGreater(t *testing.T) {
	each(t, "deadline_strict_greater", func(t *testing.T, row struct {
		Args struct {
			Costs, Waits []seconds
			Deadline     seconds
		}
		Want struct {
			Starts  []seconds
			Outcome string
			End     seconds
		}
	}) {
		const unit = 10 * time.Second
		p := retry.Policy{
			Attempts: len(row.Args.Costs), Deadline: row.Args.Deadline.Duration, DeadlineTest: budget.Greater,
			Backoff: backoff.Config{Base: unit, Cap: unit, Shape: backoff.Constant}, Jitter: backoff.Fraction,
			Statuses: []int{503}, Exhausted: retry.LastError,
		}
		for _, w := range row.Args.Waits {
			p.Fractions = append(p.Fractions, rng.Ratio{Num: uint64(w.Duration), Den: uint64(unit)})
		}
		c := sim.Config{Clients: []sim.Client{{Name: "caller", Policy: p}}}
		for _, cost := range row.Args.Costs {
			c.Script = append(c.Script, exchange{Cost: cost, Status: 503}.mishap())
		}
		starts := []time.Duration{}
		events := runCall(t, c, call.Request{Method: "GET", Path: "/rate"})
		for _, e := range events {
			if e.Kind == event.AttemptSent {
				starts = append(starts, time.Duration(e.At))
			}
		}
		if want := durations(row.Want.Starts); !slices.Equal(starts, want) {
			t.Errorf("starts: got %v, want %v", starts, want)
		}
		last := events[len(events)-1]
		outcome := map[decision.Reason]string{decision.AttemptsSpent: "attempts", decision.DeadlinePassed: "deadline"}
		same(t, "outcome", outcome[last.Decision.Reason], row.Want.Outcome)
		same(t, "end", time.Duration(last.At), row.Want.End.Duration)
	})
}
