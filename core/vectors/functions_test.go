package vectors

import (
	"encoding/json"
	"reflect"
	"slices"
	"testing"
	"time"

	"retrylab.example/core/backoff"
	"retrylab.example/core/budget"
	"retrylab.example/core/call"
	"retrylab.example/core/clock"
	"retrylab.example/core/decision"
	"retrylab.example/core/limit"
	"retrylab.example/core/partner"
	"retrylab.example/core/retry"
	"retrylab.example/core/retryafter"
)

// Contract A.

func TestVectorsRetryable(t *testing.T) {
	policy := retry.Policy{Statuses: retry.LessonStatuses()}
	each(t, "retryable", func(t *testing.T, row struct {
		Args struct{ Status int }
		Want bool
	}) {
		same(t, "retryable", policy.Retryable(call.Outcome{Response: call.Response{Status: row.Args.Status}}), row.Want)
	})
}

func TestVectorsReplaySafe(t *testing.T) {
	each(t, "replay_safe", func(t *testing.T, row struct {
		Args struct {
			Method string
			Key    header
		}
		Want bool
	}) {
		r := call.Request{Method: row.Args.Method, Key: row.Args.Key.text, Keyed: row.Args.Key.sent}
		got, _ := retry.LessonA.ReplaySafe(r)
		same(t, "safe", got, row.Want)
	})
}

func TestVectorsRemaining(t *testing.T) {
	each(t, "remaining", func(t *testing.T, row struct {
		Args struct{ Deadline, Now seconds }
		Want seconds
	}) {
		same(t, "remaining", budget.Remaining(row.Args.Deadline.instant(), row.Args.Now.instant()), row.Want.Duration)
	})
}

func TestVectorsBackoff(t *testing.T) {
	each(t, "backoff", func(t *testing.T, row struct {
		Args struct {
			Attempt   int
			Base, Cap seconds
		}
		Want result
	}) {
		got, err := backoff.Delay(row.Args.Attempt, row.Args.Base.Duration, row.Args.Cap.Duration)
		row.Want.check(t, got, err)
	})
}

func TestVectorsJitter(t *testing.T) {
	each(t, "jitter", func(t *testing.T, row struct {
		Args struct {
			Delay    seconds
			Fraction fraction
		}
		Want result
	}) {
		got, err := backoff.Scale(row.Args.Delay.Duration, row.Args.Fraction.Ratio)
		row.Want.check(t, got, err)
	})
}

type delayRow struct {
	Args struct {
		Local      seconds
		RetryAfter header `json:"retry_after"`
	}
	Want seconds
}

func (row delayRow) check(t *testing.T, rule retryafter.Rule) {
	t.Helper()
	asked, _ := retryafter.Parse(row.Args.RetryAfter.text)
	got, _ := rule.Wait(row.Args.Local.Duration, asked)
	same(t, "wait", got, row.Want.Duration)
}

func TestVectorsWaitDelay(t *testing.T) {
	each(t, "wait_delay", func(t *testing.T, row delayRow) { row.check(t, retryafter.Floor) })
}

func TestVectorsCanAttempt(t *testing.T) {
	each(t, "can_attempt", func(t *testing.T, row struct {
		Args struct {
			Attempts, Maximum int
			Wait, Budget      seconds
		}
		Want bool
	}) {
		a := row.Args
		reason := budget.Allows(a.Attempts, a.Maximum, a.Wait.Duration, a.Budget.Duration)
		same(t, "allowed", reason == decision.NoReason, row.Want)
	})
}

// Contract B.

type windowArgs struct {
	History     []seconds
	Now, Window seconds
}

func (a windowArgs) active() []clock.Instant {
	return limit.Active(instants(a.History), a.Now.instant(), a.Window.Duration)
}

func TestVectorsWindowActive(t *testing.T) {
	each(t, "window_active", func(t *testing.T, row struct {
		Args windowArgs
		Want []seconds
	}) {
		if got, want := row.Args.active(), instants(row.Want); !slices.Equal(got, want) {
			t.Errorf("got %v, want %v", got, want)
		}
	})
}

func TestVectorsWindowRetryAfter(t *testing.T) {
	each(t, "window_retry_after", func(t *testing.T, row struct {
		Args windowArgs
		Want int64
	}) {
		same(t, "seconds", limit.RetryAfter(row.Args.active(), row.Args.Now.instant(), row.Args.Window.Duration), row.Want)
	})
}

func TestVectorsWindowAdmit(t *testing.T) {
	each(t, "window_admit", func(t *testing.T, row struct {
		Limit  int
		Window seconds
		Steps  []struct {
			At         seconds
			Key        string
			Admitted   bool
			RetryAfter int64 `json:"retry_after"`
		}
	}) {
		log, err := limit.New(limit.Config{Limit: row.Limit, Window: row.Window.Duration})
		if err != nil {
			t.Fatal(err)
		}
		for i, step := range row.Steps {
			var d decision.Decision
			log, d = log.Take(step.Key, step.At.instant())
			if d.Verdict == decision.Admit != step.Admitted || d.Wait != time.Duration(step.RetryAfter)*time.Second {
				t.Errorf("step %d: got %v, wait %v; want %v, %d s", i, d.Verdict, d.Wait, step.Admitted, step.RetryAfter)
			}
		}
	})
}

func TestVectorsValidateLimit(t *testing.T) {
	each(t, "validate_limit", func(t *testing.T, row struct {
		Args struct{ Limit, Window json.RawMessage }
		OK   bool
	}) {
		_, d := limit.Setting{Count: string(row.Args.Limit), Window: string(row.Args.Window)}.Decide()
		same(t, "accepted", d.Verdict == decision.Admit, row.OK)
	})
}

func TestVectorsClientKey(t *testing.T) {
	each(t, "client_key", func(t *testing.T, row struct {
		Args struct{ Value header }
		Want bool
	}) {
		same(t, "valid", limit.ValidClientKey(row.Args.Value.text), row.Want)
	})
}

func TestVectorsHistoryFor(t *testing.T) {
	each(t, "history_for", func(t *testing.T, row struct {
		State map[string][]seconds
		Key   string
		Want  []seconds
	}) {
		log, err := limit.New(limit.Config{Limit: 1000, Window: clock.MaxDuration})
		if err != nil {
			t.Fatal(err)
		}
		for key, times := range row.State {
			for _, at := range times {
				log, _ = log.Take(key, at.instant())
			}
		}
		before := log.Clone()
		got := log.History(row.Key)
		if want := instants(row.Want); !slices.Equal(got, want) {
			t.Errorf("got %v, want %v", got, want)
		}
		if len(got) > 0 {
			got[0] = -1 // a copy: the log does not change with it
		}
		if !reflect.DeepEqual(log, before) {
			t.Errorf("looking changed the log: %v, before %v", log, before)
		}
	})
}

func TestVectorsLimitedResponse(t *testing.T) {
	each(t, "limited_response", func(t *testing.T, row struct {
		Args struct{ Wait int64 }
		Want struct {
			Status  int
			Body    any
			Headers map[string]string
		}
	}) {
		got := partner.LimitedResponse(row.Args.Wait)
		same(t, "status", got.Status, row.Want.Status)
		sameBody(t, got.Body, row.Want.Body)
		headers := map[string]string{}
		if got.HasRetryAfter {
			headers["Retry-After"] = got.RetryAfter
		}
		if !reflect.DeepEqual(headers, row.Want.Headers) {
			t.Errorf("headers: got %v, want %v", headers, row.Want.Headers)
		}
	})
}

func sameBody(t *testing.T, body call.Body, want any) {
	t.Helper()
	var got any
	if err := json.Unmarshal([]byte(body.String()), &got); err != nil {
		t.Fatalf("body %s: %v", body, err)
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("body: got %v, want %v", got, want)
	}
}

func TestVectorsWorkRequests(t *testing.T) {
	each(t, "work_requests", func(t *testing.T, row struct {
		Limit  int
		Window seconds
		Steps  []struct {
			At         seconds
			Client     header
			Status     int
			Body       any
			RetryAfter header `json:"retry_after"`
		}
	}) {
		p, err := partner.New(partner.Config{Limit: limit.Config{Limit: row.Limit, Window: row.Window.Duration}})
		if err != nil {
			t.Fatal(err)
		}
		for _, step := range row.Steps {
			var got partner.Result
			p, got = p.Handle(step.At.instant(), call.Request{Method: "GET", Path: "/work", ClientID: step.Client.text})
			same(t, "status", got.Response.Status, step.Status)
			sameBody(t, got.Response.Body, step.Body)
			same(t, "Retry-After", header{got.Response.RetryAfter, got.Response.HasRetryAfter}, step.RetryAfter)
		}
	})
}

// Contracts D and E, as far as the lessons of A use them.

func TestVectorsReplaceDelayInteger(t *testing.T) {
	each(t, "replace_delay_integer", func(t *testing.T, row delayRow) { row.check(t, retryafter.Replace) })
}

func TestVectorsFullJitter(t *testing.T) {
	each(t, "full_jitter", func(t *testing.T, row struct {
		Args struct {
			Attempt   int
			U         fraction
			Base, Cap seconds
		}
		Want seconds
	}) {
		c := backoff.Config{Base: row.Args.Base.Duration, Cap: row.Args.Cap.Duration}
		got, _ := backoff.Full.Apply(min(c.Raw(row.Args.Attempt-1), c.Cap), row.Args.U.Ratio)
		same(t, "wait", got, row.Want.Duration)
	})
}
