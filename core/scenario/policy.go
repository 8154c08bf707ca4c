package scenario

import (
	"strconv"
	"time"

	"retrylab.example/core/backoff"
	"retrylab.example/core/call"
	"retrylab.example/core/document"
	"retrylab.example/core/retry"
	"retrylab.example/core/retryafter"
	"retrylab.example/core/rng"
)

// Presets returns the names of the ready policies: "once" sends once; "contract-a" is the retry budget's (3 attempts,
// 5 s in all, base 0.5 s, cap 4 s, fraction one half, the larger of Retry-After and backoff); "contract-c" is the lost
// replies' (4 attempts, waits 1, 2, 4, 4 s, whatever the method, no deadline).
func Presets() []string { return []string{"once", "contract-a", "contract-c"} }

// Preset returns the policy of that name.
func Preset(name string) (retry.Policy, bool) {
	failures := []call.Failure{call.TimedOut, call.Reset}
	switch name {
	case "once":
		return retry.Policy{Attempts: 1, AttemptTimeout: time.Second}, true
	case "contract-a":
		half, _ := document.ParseRatio("0.5")
		p := retry.Policy{Attempts: 3, Deadline: 5 * time.Second, CutTimeout: true, Statuses: retry.LessonStatuses()}
		p.Backoff = backoff.Config{Base: 500 * time.Millisecond, Cap: 4 * time.Second}
		p.Jitter, p.RetryAfter, p.Safety = backoff.Fraction, retryafter.Floor, retry.LessonA
		p.Fractions = append(p.Fractions, half)
		p.Failures = failures
		return p, true
	case "contract-c":
		p := retry.Policy{Attempts: 4, AttemptTimeout: 1500 * time.Millisecond, Exhausted: retry.LastError}
		p.Backoff = backoff.Config{Base: time.Second, Cap: 4 * time.Second}
		p.Statuses, p.Failures = []int{503}, failures
		return p, true
	}
	return retry.Policy{}, false
}

// readPolicy reads a policy; fields that are missing keep their value from the preset, or from base without one.
func readPolicy(n *document.Node, base retry.Policy) retry.Policy {
	r := n.Object()
	if f := r.Field("preset"); f != nil {
		base = document.OneOf(f, Presets(), Preset)
		base.Attempts = max(base.Attempts, 1) // of a preset that is not known, which was told
	}
	p := base
	if base.Attempts < 1 && r.Field("attempts") == nil {
		r.Faultf(`add "attempts", or a "preset"`, "the policy does not say how many attempts it makes")
	}
	p.Attempts = int(r.Int("attempts", int64(p.Attempts), 1, retry.MaxAttempts))
	p.Deadline = r.Duration("deadline", p.Deadline, 0, MaxWait)
	p.AttemptTimeout = r.Duration("attemptTimeout", p.AttemptTimeout, 0, MaxWait)
	readBool(r, "freshDeadline", &p.FreshDeadline)
	readBool(r, "cutTimeout", &p.CutTimeout)
	if f := r.Field("backoff"); f != nil {
		readBackoff(f, &p.Backoff)
	}
	if f := r.Field("jitter"); f != nil {
		readJitter(f, &p)
	}
	if f := r.Field("retryAfter"); f != nil {
		p.RetryAfter = document.OneOf(f, retryafter.RuleNames(), retryafter.ParseRule)
	}
	if f := r.Field("methods"); f != nil {
		p.Safety = document.OneOf(f, retry.SafetyNames(), retry.ParseSafety)
	}
	if f := r.Field("retry"); f != nil {
		readRetried(f, &p)
	}
	if f := r.Field("exhausted"); f != nil {
		p.Exhausted = document.OneOf(f, retry.ExhaustedNames(), retry.ParseExhausted)
	}
	p.Attempts = max(p.Attempts, 1)
	r.Done()
	return p
}

func readBackoff(n *document.Node, b *backoff.Config) {
	r := n.Object()
	b.Base = r.Duration("base", b.Base, 0, MaxWait)
	b.Cap = r.Duration("cap", b.Cap, 0, MaxWait)
	if b.Base > 0 && b.Cap == 0 && r.Field("cap") == nil {
		r.Faultf(`add "cap", the longest wait`, "the backoff has no cap, so it would never wait")
	}
	r.Done()
}

func readBool(r *document.Reader, name string, to *bool) {
	if r.Field(name) != nil {
		*to = r.Bool(name)
	}
}

func readJitter(n *document.Node, p *retry.Policy) {
	r := n.Object()
	p.Fractions = nil
	known := false
	if f := r.Need("kind"); f != nil {
		p.Jitter = document.OneOf(f, backoff.JitterNames(), backoff.ParseJitter)
		_, known = backoff.ParseJitter(f.Text)
	}
	for _, item := range r.Items("fractions", 20) {
		p.Fractions = append(p.Fractions, item.Ratio())
	}
	if f := r.Field("fractions"); f != nil && known && p.Jitter != backoff.Fraction {
		f.Fault(`only the kind "fraction" takes given fractions`, `leave them out, or use the kind "fraction"`)
	}
	r.Done()
}

func readRetried(n *document.Node, p *retry.Policy) {
	r := n.Object()
	p.Statuses, p.Failures = nil, nil
	for _, item := range r.Items("statuses", 50) {
		p.Statuses = append(p.Statuses, int(item.Int(0, 100, 599)))
	}
	for _, item := range r.Items("failures", len(call.Failures())) {
		p.Failures = append(p.Failures, document.OneOf(item, failureNames(), call.ParseFailure))
	}
	r.Done()
}

// policyJSON is how a policy is written: every field, so that no default can change what a saved run means.
type policyJSON struct {
	Attempts       int         `json:"attempts"`
	Deadline       string      `json:"deadline"`
	FreshDeadline  bool        `json:"freshDeadline"`
	AttemptTimeout string      `json:"attemptTimeout"`
	CutTimeout     bool        `json:"cutTimeout"`
	Backoff        backoffJSON `json:"backoff"`
	Jitter         jitterJSON  `json:"jitter"`
	RetryAfter     string      `json:"retryAfter"`
	Methods        string      `json:"methods"`
	Retry          retryJSON   `json:"retry"`
	Exhausted      string      `json:"exhausted"`
}

type backoffJSON struct {
	Base string `json:"base"`
	Cap  string `json:"cap"`
}

type jitterJSON struct {
	Kind      string   `json:"kind"`
	Fractions []string `json:"fractions,omitempty"`
}

type retryJSON struct {
	Statuses []int    `json:"statuses"`
	Failures []string `json:"failures"`
}

func writePolicy(p retry.Policy) policyJSON {
	j := policyJSON{
		Attempts: p.Attempts, Deadline: document.FormatDuration(p.Deadline), FreshDeadline: p.FreshDeadline,
		AttemptTimeout: document.FormatDuration(p.AttemptTimeout), CutTimeout: p.CutTimeout,
		Backoff:    backoffJSON{document.FormatDuration(p.Backoff.Base), document.FormatDuration(p.Backoff.Cap)},
		Jitter:     jitterJSON{Kind: p.Jitter.String()},
		RetryAfter: p.RetryAfter.String(), Methods: p.Safety.String(), Exhausted: p.Exhausted.String(),
		Retry: retryJSON{Statuses: append([]int{}, p.Statuses...), Failures: []string{}},
	}
	for _, f := range p.Failures {
		j.Retry.Failures = append(j.Retry.Failures, f.String())
	}
	for _, f := range p.Fractions {
		j.Jitter.Fractions = append(j.Jitter.Fractions, formatRatio(f))
	}
	return j
}

// formatRatio writes a fraction so that ParseRatio reads the same one back. One whose denominator is no power of ten,
// which no file can give, is rounded down.
func formatRatio(r rng.Ratio) string {
	digits := 0
	for power := uint64(1); power != r.Den; power *= 10 {
		if digits++; digits > 18 {
			if r.Num == 0 {
				return "0"
			}
			r, digits = rng.Ratio{Num: uint64(r.Scale(1e18)), Den: 1e18}, 18
			break
		}
	}
	s := strconv.FormatUint(r.Num/r.Den, 10)
	if digits > 0 {
		s += "." + strconv.FormatUint(r.Den+r.Num%r.Den, 10)[1:]
	}
	return s
}

// failureNames are the failures that a policy may name.
func failureNames() []string {
	var names []string
	for _, f := range call.Failures() {
		names = append(names, f.String())
	}
	return names
}
