package scenario

import (
	"time"

	"retrylab.example/core/backoff"
	"retrylab.example/core/budget"
	"retrylab.example/core/call"
	"retrylab.example/core/retry"
	"retrylab.example/core/retryafter"
	"retrylab.example/core/rng"
)

// Presets returns the names of the ready policies.
//
//	once        one attempt, 1 s for it
//	contract-a  the retry budget's: 3 attempts, 5 s in all, base 0.5 s, cap 4 s, fraction one half, the larger of
//	            Retry-After and backoff
//	contract-c  the lost replies': 4 attempts, waits 1, 2, 4, 4 s, whatever the method, no deadline
//	contract-d  the outbound client's: 3 attempts of 1.5 s, 5 s in all tested before each attempt as now > deadline, base
//	            200 ms, cap 2 s, Retry-After instead of the backoff, an error with its cause at the end
//	contract-e  the gateway's: 4 attempts, full jitter, base 500 ms, cap 8 s, a decimal Retry-After instead, 429 and 502
//	            unless the envelope says otherwise, the response or the failure at the end
func Presets() []string {
	return []string{"once", "contract-a", "contract-c", "contract-d", "contract-e"}
}

// Preset returns the policy of that name. What a contract leaves open is chosen here: D retries the statuses and methods
// of contract A, without jitter; E waits 1.5 s for a reply, as D does.
func Preset(name string) (retry.Policy, bool) {
	failures := []call.Failure{call.TimedOut, call.Reset}
	const ms = time.Millisecond
	switch name {
	case "once":
		return retry.Policy{Attempts: 1, AttemptTimeout: time.Second}, true
	case "contract-a":
		p := retry.Policy{Attempts: 3, Deadline: 5 * time.Second, CutTimeout: true, Statuses: retry.LessonStatuses()}
		p.Backoff = backoff.Config{Base: 500 * ms, Cap: 4 * time.Second}
		p.Jitter, p.RetryAfter, p.Safety = backoff.Fraction, retryafter.Floor, retry.LessonA
		p.Fractions = append(p.Fractions, rng.Ratio{Num: 5, Den: 10})
		p.Failures = failures
		return p, true
	case "contract-c":
		p := retry.Policy{Attempts: 4, AttemptTimeout: 1500 * ms, Exhausted: retry.LastError}
		p.Backoff = backoff.Config{Base: time.Second, Cap: 4 * time.Second}
		p.Statuses, p.Failures = []int{503}, failures
		return p, true
	case "contract-d":
		p := retry.Policy{Attempts: 3, Deadline: 5 * time.Second, DeadlineTest: budget.Greater, AttemptTimeout: 1500 * ms}
		p.Backoff = backoff.Config{Base: 200 * ms, Cap: 2 * time.Second}
		p.RetryAfter, p.Safety, p.Exhausted = retryafter.Replace, retry.LessonA, retry.LastError
		p.Statuses, p.Failures = retry.LessonStatuses(), call.Failures()
		return p, true
	case "contract-e":
		p := retry.Policy{Attempts: 4, AttemptTimeout: 1500 * ms, Envelope: true, Exhausted: retry.LastResponse}
		p.Backoff = backoff.Config{Base: 500 * ms, Cap: 8 * time.Second}
		p.Jitter, p.RetryAfter, p.RetryAfterMode = backoff.Full, retryafter.Replace, retryafter.Decimal
		p.Safety, p.Unchanging = retry.LessonE, []string{"/estimate"}
		p.Statuses, p.Failures = []int{429, 502}, call.Failures()
		return p, true
	}
	return retry.Policy{}, false
}
