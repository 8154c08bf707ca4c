package scenario

import (
	"strings"

	"retrylab.example/core/backoff"
	"retrylab.example/core/budget"
	"retrylab.example/core/call"
	"retrylab.example/core/document"
	"retrylab.example/core/field"
	"retrylab.example/core/retry"
	"retrylab.example/core/retryafter"
	"retrylab.example/core/rng"
)

// ReadPolicy reads a policy; fields that are missing keep their value from the preset, or from base without one.
func ReadPolicy(n *document.Node, base retry.Policy) retry.Policy {
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
	if f := r.Field("deadlineTest"); f != nil {
		p.DeadlineTest = document.OneOf(f, budget.DeadlineTestNames(), budget.ParseDeadlineTest)
	}
	p.AttemptTimeout = r.Duration("attemptTimeout", p.AttemptTimeout, 0, MaxWait)
	readBool(r, "freshDeadline", &p.FreshDeadline)
	readBool(r, "cutTimeout", &p.CutTimeout)
	if f := r.Field("backoff"); f != nil {
		readBackoff(f, &p.Backoff)
	}
	if f := r.Field("jitter"); f != nil {
		readJitter(f, &p)
	}
	readRetryAfterRule(r, &p)
	readSafety(r, &p)
	if f := r.Field("retry"); f != nil {
		readRetried(f, &p)
	}
	if f := r.Field("retryBudget"); f != nil {
		p.Budget = readBudget(f)
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
	if f := r.Field("shape"); f != nil {
		b.Shape = document.OneOf(f, backoff.ShapeNames(), backoff.ParseShape)
	}
	f := r.Field("factor")
	if f != nil {
		b.Factor = readFactor(f)
	}
	switch {
	case b.Shape == backoff.Exponential:
	case f != nil && !b.Factor.Doubles():
		f.Fault("only an exponential backoff has a factor", `leave it out, or use the shape "exponential"`)
	default:
		b.Factor = backoff.Factor{}
	}
	if b.Factor.Doubles() {
		b.Factor = backoff.Factor{} // the one of two ways to say it
	}
	r.Done()
}

// readFactor reads a decimal or a fraction: "1.5", "3/2".
func readFactor(n *document.Node) (f backoff.Factor) {
	text, ok := n.Match(func(s string) bool { return parseFactor(s).Num > 0 },
		`use a decimal or a fraction from 0.001 to 1000, as in "1.5" or "3/2"`, "%q is not a factor")
	if ok {
		f = parseFactor(text)
	}
	return f
}

// parseFactor returns the reduced factor, the zero value for none.
func parseFactor(s string) backoff.Factor {
	const most, one, million = 1000, 1_000_000_000, 1_000_000
	num, den, cut := strings.Cut(s, "/")
	n, ok := field.ParseNumber(num)
	d := field.Number{Whole: 1}
	if cut {
		var fine bool
		d, fine = field.ParseNumber(den)
		ok = ok && fine && !n.Pointed && !d.Pointed
	}
	if _, decimals, _ := strings.Cut(num, "."); !ok || len(decimals) > 9 || n.Whole > million || d.Whole > million || d.Whole == 0 {
		return backoff.Factor{}
	}
	f := backoff.Factor{Num: uint64(n.Whole)*one + uint64(n.Nanos), Den: uint64(d.Whole) * one}
	if f.Num > most*f.Den || f.Num < f.Den/most || f.Num == 0 {
		return backoff.Factor{}
	}
	a, b := f.Num, f.Den
	for b > 0 {
		a, b = b, a%b
	}
	return backoff.Factor{Num: f.Num / a, Den: f.Den / a}
}

func readBool(r *document.Reader, name string, to *bool) {
	if r.Field(name) != nil {
		*to = r.Bool(name)
	}
}

func readJitter(n *document.Node, p *retry.Policy) {
	r := n.Object()
	p.Fractions, p.Share, p.KeepAtCap = nil, rng.Ratio{}, false
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
	if f := r.Field("share"); f != nil {
		if p.Share = f.Ratio(); known && p.Jitter != backoff.PlusMinus {
			f.Fault(`only the kind "plus-minus" has a share`, `leave it out, or use the kind "plus-minus"`)
		}
	} else if p.Jitter == backoff.PlusMinus {
		r.Faultf(`add "share", as in "0.25"`, "a jitter of plus-minus does not say by how much")
	}
	if f := r.Field("keepAtCap"); f != nil {
		if p.KeepAtCap = r.Bool("keepAtCap"); p.KeepAtCap && known && !p.Jitter.CrossesCap() {
			f.Fault("this jitter never leaves the cap, so there is nothing to keep",
				`leave it out, or use the kind "plus-minus" or "decorrelated"`)
		}
	}
	r.Done()
}

// readRetryAfterRule reads what the policy does with a Retry-After. Under "ignore" nothing else of it matters.
func readRetryAfterRule(r *document.Reader, p *retry.Policy) {
	rule := r.Field("retryAfter")
	if rule != nil {
		p.RetryAfter = document.OneOf(rule, retryafter.RuleNames(), retryafter.ParseRule)
	}
	mode, longest, above := r.Field("retryAfterMode"), r.Field("maxRetryAfter"), r.Field("aboveRetryAfter")
	if p.RetryAfter == retryafter.Ignore {
		p.RetryAfterMode, p.MaxRetryAfter, p.AboveRetryAfter = retryafter.Integer, 0, 0
	}
	if mode != nil {
		p.RetryAfterMode = document.OneOf(mode, retryafter.ModeNames(), retryafter.ParseMode)
	}
	p.MaxRetryAfter = r.Duration("maxRetryAfter", p.MaxRetryAfter, 0, MaxWait)
	p.AboveRetryAfter = r.Duration("aboveRetryAfter", p.AboveRetryAfter, 0, MaxWait)
	if p.RetryAfter != retryafter.Ignore {
		return
	}
	const problem, mend = "this policy ignores Retry-After", `leave it out, or use "floor" or "replace" as "retryAfter"`
	for _, f := range [...]struct {
		node *document.Node
		set  bool
	}{{mode, p.RetryAfterMode != retryafter.Integer}, {longest, p.MaxRetryAfter > 0}, {above, p.AboveRetryAfter > 0}} {
		if f.node != nil && f.set && (rule == nil || rule.Text == retryafter.Ignore.String()) {
			f.node.Fault(problem, mend)
		}
	}
}

// readSafety reads which requests may be repeated. What only some rules look at is gone with them.
func readSafety(r *document.Reader, p *retry.Policy) {
	known := true
	if f := r.Field("methods"); f != nil {
		p.Safety = document.OneOf(f, retry.SafetyNames(), retry.ParseSafety)
		_, known = retry.ParseSafety(f.Text)
	}
	if p.Safety < retry.LessonE {
		p.Unchanging = nil
	}
	if p.Safety != retry.Standard {
		p.KeysDocumented, p.Unprocessed = false, nil
	}
	routes, keys, statuses := r.Field("unchanging"), r.Field("keysDocumented"), r.Field("unprocessed")
	if routes != nil {
		p.Unchanging = nil
		for _, item := range r.Items("unchanging", 20) {
			path, _ := item.Match(validPath, "begin it with / and use plain characters, at most 200", "%q is not a path")
			p.Unchanging = append(p.Unchanging, path)
		}
	}
	readBool(r, "keysDocumented", &p.KeysDocumented)
	if statuses != nil {
		p.Unprocessed = readStatuses(r, "unprocessed")
	}
	if !known {
		return
	}
	if routes != nil && len(p.Unchanging) > 0 && p.Safety < retry.LessonE {
		routes.Fault("this rule does not look at the path", `leave it out, or use "lesson-e" or "standard" as "methods"`)
	}
	const problem, mend = "only the standard's rule asks for this", `leave it out, or use "standard" as "methods"`
	if keys != nil && p.KeysDocumented && p.Safety != retry.Standard {
		keys.Fault(problem, mend)
	}
	if statuses != nil && len(p.Unprocessed) > 0 && p.Safety != retry.Standard {
		statuses.Fault(problem, mend)
	}
}

func readStatuses(r *document.Reader, name string) (list []int) {
	for _, item := range r.Items(name, 50) {
		list = append(list, int(item.Int(0, 100, 599)))
	}
	return list
}

// readRetried reads what is retried. "envelope" keeps its value if it is missing, the lists are empty then.
func readRetried(n *document.Node, p *retry.Policy) {
	r := n.Object()
	p.Codes, p.Failures = nil, nil
	p.Statuses = readStatuses(r, "statuses")
	for _, item := range r.Items("codes", 50) {
		code, _ := item.Match(func(s string) bool { return s != "" && printable(s, 100) },
			"use 1 to 100 printable ASCII characters", "%q is not an error code")
		p.Codes = append(p.Codes, code)
	}
	for _, item := range r.Items("failures", len(call.Failures())) {
		p.Failures = append(p.Failures, document.OneOf(item, failureNames(), call.ParseFailure))
	}
	readBool(r, "envelope", &p.Envelope)
	r.Done()
}

func failureNames() (names []string) {
	for _, f := range call.Failures() {
		names = append(names, f.String())
	}
	return names
}
