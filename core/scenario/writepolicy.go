package scenario

import (
	"strconv"

	"retrylab.example/core/backoff"
	"retrylab.example/core/document"
	"retrylab.example/core/retry"
	"retrylab.example/core/retryafter"
	"retrylab.example/core/rng"
)

// policyJSON is how a policy is written: every field, so that no default can change what a saved run means, but those
// that the rule, kind or shape beside them does not look at.
type policyJSON struct {
	Attempts        int         `json:"attempts"`
	Deadline        string      `json:"deadline"`
	DeadlineTest    string      `json:"deadlineTest"`
	FreshDeadline   bool        `json:"freshDeadline"`
	AttemptTimeout  string      `json:"attemptTimeout"`
	CutTimeout      bool        `json:"cutTimeout"`
	Backoff         backoffJSON `json:"backoff"`
	Jitter          jitterJSON  `json:"jitter"`
	RetryAfter      string      `json:"retryAfter"`
	RetryAfterMode  string      `json:"retryAfterMode,omitempty"`
	MaxRetryAfter   string      `json:"maxRetryAfter,omitempty"`
	AboveRetryAfter string      `json:"aboveRetryAfter,omitempty"`
	Methods         string      `json:"methods"`
	Unchanging      *[]string   `json:"unchanging,omitempty"`
	KeysDocumented  *bool       `json:"keysDocumented,omitempty"`
	Unprocessed     *[]int      `json:"unprocessed,omitempty"`
	Retry           retryJSON   `json:"retry"`
	RetryBudget     budgetJSON  `json:"retryBudget"`
	Exhausted       string      `json:"exhausted"`
}

type backoffJSON struct {
	Base   string `json:"base"`
	Cap    string `json:"cap"`
	Shape  string `json:"shape"`
	Factor string `json:"factor,omitempty"`
}

type jitterJSON struct {
	Kind      string   `json:"kind"`
	Fractions []string `json:"fractions,omitempty"`
	Share     string   `json:"share,omitempty"`
	KeepAtCap *bool    `json:"keepAtCap,omitempty"`
}

type retryJSON struct {
	Statuses []int    `json:"statuses"`
	Codes    []string `json:"codes"`
	Failures []string `json:"failures"`
	Envelope bool     `json:"envelope"`
}

// WritePolicy returns a policy as JSON that ReadPolicy reads back to an equal one.
func WritePolicy(p retry.Policy) []byte { return marshal(writePolicy(p)) }

func writePolicy(p retry.Policy) policyJSON {
	j := policyJSON{
		Attempts: p.Attempts, Deadline: document.FormatDuration(p.Deadline), FreshDeadline: p.FreshDeadline,
		AttemptTimeout: document.FormatDuration(p.AttemptTimeout), CutTimeout: p.CutTimeout,
		DeadlineTest: p.DeadlineTest.String(), Backoff: writeBackoff(p.Backoff), Jitter: writeJitter(&p),
		RetryBudget: writeBudget(p.Budget),
		RetryAfter:  p.RetryAfter.String(), Methods: p.Safety.String(), Exhausted: p.Exhausted.String(),
		Retry: retryJSON{
			Statuses: append([]int{}, p.Statuses...), Codes: append([]string{}, p.Codes...), Failures: []string{}, Envelope: p.Envelope,
		},
	}
	if p.RetryAfter != retryafter.Ignore {
		j.RetryAfterMode = p.RetryAfterMode.String()
		j.MaxRetryAfter, j.AboveRetryAfter = document.FormatDuration(p.MaxRetryAfter), document.FormatDuration(p.AboveRetryAfter)
	}
	if p.Safety >= retry.LessonE {
		routes := append([]string{}, p.Unchanging...)
		j.Unchanging = &routes
	}
	if p.Safety == retry.Standard {
		statuses := append([]int{}, p.Unprocessed...)
		j.KeysDocumented, j.Unprocessed = &p.KeysDocumented, &statuses
	}
	for _, f := range p.Failures {
		j.Retry.Failures = append(j.Retry.Failures, f.String())
	}
	return j
}

func writeBackoff(c backoff.Config) backoffJSON {
	j := backoffJSON{
		Base: document.FormatDuration(c.Base), Cap: document.FormatDuration(c.Cap), Shape: c.Shape.String(),
	}
	if c.Shape == backoff.Exponential {
		j.Factor = formatFactor(c.Factor)
	}
	return j
}

// formatFactor writes a decimal where nine of them hold the factor, else a fraction.
func formatFactor(f backoff.Factor) string {
	switch {
	case f.Doubles():
		return "2"
	case 1_000_000_000%f.Den == 0:
		return formatTokens(int64(f.Num * (1_000_000_000 / f.Den)))
	}
	return strconv.FormatUint(f.Num, 10) + "/" + strconv.FormatUint(f.Den, 10)
}

func writeJitter(p *retry.Policy) jitterJSON {
	j := jitterJSON{Kind: p.Jitter.String()}
	if p.Jitter == backoff.Fraction {
		for _, f := range p.Fractions {
			j.Fractions = append(j.Fractions, formatRatio(f))
		}
	}
	if p.Jitter == backoff.PlusMinus {
		j.Share = formatRatio(p.Share)
	}
	if p.Jitter.CrossesCap() {
		j.KeepAtCap = &p.KeepAtCap
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
