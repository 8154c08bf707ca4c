package lab

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"retrylab.example/core/backoff"
	"retrylab.example/core/document"
	"retrylab.example/core/retry"
	"retrylab.example/core/retryafter"
	"retrylab.example/core/rng"
	"retrylab.example/core/sim"
)

// knobText returns what a knob shows: what was typed, else the policy's value.
func (m *Model) knobText(name string) string {
	if s, typed := m.typed(name); typed {
		return s
	}
	if !isPolicyKnob(name) {
		return m.guardText(name)
	}
	p := m.policyNow()
	return policyText(&p, name)
}

// policyText returns what a knob shows for a policy.
func policyText(p *retry.Policy, name string) string {
	switch name {
	case "attempts":
		return strconv.Itoa(p.Attempts)
	case "deadline":
		return spaced(p.Deadline)
	case "attemptTimeout":
		return spaced(p.AttemptTimeout)
	case "base":
		return spaced(p.Backoff.Base)
	case "cap":
		return spaced(p.Backoff.Cap)
	case "jitter":
		return p.Jitter.String()
	case "retryAfter":
		return p.RetryAfter.String()
	case "methods":
		return p.Safety.String()
	case "freshDeadline":
		return strconv.FormatBool(p.FreshDeadline)
	}
	statuses := make([]string, len(p.Statuses))
	for i, s := range p.Statuses {
		statuses[i] = strconv.Itoa(s)
	}
	return strings.Join(statuses, " ")
}

// knobPolicy returns the policy that the knobs say; ok is false if one of them cannot be read.
func (m *Model) knobPolicy() (p retry.Policy, ok bool) {
	p, ok = m.policyNow(), true
	for _, name := range m.current().Allow.Knobs {
		if isPolicyKnob(name) {
			ok = setKnob(&p, name, strings.TrimSpace(m.knobText(name))) && ok
		}
	}
	return p, ok
}

// turned reports whether the knobs say something else than what holds now.
func (m *Model) turned() bool {
	list, ok := m.changes(false)
	return !ok || len(list) > 0
}

// fired reports whether the client of the form has sent something in the run up to now.
func (m *Model) fired() bool {
	for _, in := range m.tree.Path()[:m.played.Done(m.pos)] {
		if in.Action.Kind == sim.Fire && in.Action.Client == m.form.client {
			return true
		}
	}
	return false
}

// takeKnobs sets the policy that was typed, before the client's first request. Later only the person can say from when
// on it shall hold; ok is then false, as it is for a text that cannot be read.
func (m *Model) takeKnobs() (ok bool) {
	switch {
	case !m.turned():
		return true
	case m.fired():
		m.notice = m.lang().Say("lab.knobs-wait")
		return false
	}
	m.applyPolicy(false)
	return m.problem == "" && m.knobTrouble == ""
}

// knobOK reports whether what a knob shows can be read.
func (m *Model) knobOK(name string) bool {
	if !isPolicyKnob(name) {
		_, bad := m.knobGuards()
		return !slices.Contains(bad, name)
	}
	p := m.policyNow()
	return setKnob(&p, name, strings.TrimSpace(m.knobText(name)))
}

func setKnob(p *retry.Policy, name, s string) (ok bool) {
	switch name {
	case "attempts":
		n, err := strconv.Atoi(s)
		p.Attempts, ok = n, err == nil && n >= 1 && n <= retry.MaxAttempts
	case "deadline":
		p.Deadline, ok = knobDuration(s)
	case "attemptTimeout":
		p.AttemptTimeout, ok = knobDuration(s)
	case "base":
		p.Backoff.Base, ok = knobDuration(s)
	case "cap":
		p.Backoff.Cap, ok = knobDuration(s)
	case "jitter":
		var j backoff.Jitter
		if j, ok = backoff.ParseJitter(s); j != p.Jitter {
			p.Jitter, p.Share, p.KeepAtCap = j, rng.Ratio{}, false
			if j == backoff.PlusMinus {
				p.Share = rng.Ratio{Num: 25, Den: 100} // what is common where nothing is said
			}
			if j != backoff.Fraction {
				p.Fractions = nil
			}
		}
	case "retryAfter":
		p.RetryAfter, ok = retryafter.ParseRule(s)
	case "methods":
		p.Safety, ok = retry.ParseSafety(s)
	case "freshDeadline":
		p.FreshDeadline, ok = s == "true", true
	case "statuses":
		p.Statuses, ok = knobStatuses(s)
	}
	return ok
}

// knobDuration reads "1.5 s" or, as most people type it, "1.5": seconds.
func knobDuration(s string) (time.Duration, bool) {
	s = strings.ReplaceAll(s, " ", "")
	if s != "" && strings.Trim(s, "0123456789.") == "" {
		s += "s"
	}
	d, ok := document.ParseDuration(s)
	return d, ok && d >= 0 && d <= 24*time.Hour
}

func knobStatuses(s string) ([]int, bool) {
	var list []int
	for _, word := range strings.FieldsFunc(s, func(r rune) bool { return r == ' ' || r == ',' }) {
		n, err := strconv.Atoi(word)
		if err != nil || n < 100 || n > 599 || slices.Contains(list, n) {
			return nil, false
		}
		list = append(list, n)
	}
	return list, len(list) <= 50
}

// spaced writes a duration as people do, with a space before its unit: "1.5 s".
func spaced(d time.Duration) string {
	s := document.FormatDuration(d)
	number := strings.TrimRight(s, "nmsh")
	return number + " " + s[len(number):]
}
