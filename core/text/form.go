package text

import (
	"strconv"
	"strings"
	"time"

	"retrylab.example/core/backoff"
	"retrylab.example/core/retry"
	"retrylab.example/core/rng"
)

// Field returns the label of a field of the format in a form: that of the field in this kind of object, else that of any
// field of the name.
func (l Lang) Field(object, name string) string {
	own := "field." + strings.ReplaceAll(object, " ", "-") + "." + Dashed(name)
	if Has(own) {
		return l.Say(own)
	}
	return l.Say("field." + Dashed(name))
}

// FieldChoice returns the label of a value that has a name, the value itself where it has none.
func (l Lang) FieldChoice(field, value string) string {
	if Has("choice." + Dashed(field) + "." + value) {
		return l.Choice(Dashed(field), value)
	}
	return value
}

// Dashed turns the name of a field into that of its message: attemptTimeout, attempt-timeout.
func Dashed(name string) string {
	var b strings.Builder
	for _, r := range name {
		if r >= 'A' && r <= 'Z' {
			b.WriteByte('-')
			r += 'a' - 'A'
		}
		b.WriteRune(r)
	}
	return b.String()
}

// Formula returns the local wait of a policy before retry k, with its numbers: min(4 s, 0.5 s × 2^(k−1)) × U[0, 1).
func (l Lang) Formula(p *retry.Policy) string {
	b := p.Backoff
	base, limit := brief(b.Base), brief(b.Cap)
	args := []string{"base", base, "cap", limit, "factor", "2", "share", "", "less", "", "more", ""}
	if !b.Factor.Doubles() {
		args[5] = ratio(b.Factor.Num, b.Factor.Den)
	}
	if p.Jitter == backoff.Decorrelated {
		return l.Say("formula.decorrelated", args...)
	}
	args = append(args, "wait", l.Say("formula."+b.Shape.String(), args...))
	if p.Jitter == backoff.PlusMinus {
		t := uint64(p.Share.Thousandths())
		args = append(args, "low", ratio(1000-t, 1000), "high", ratio(1000+t, 1000))
	}
	if p.Jitter == backoff.Fraction && len(p.Fractions) > 0 {
		return l.Say("formula.fractions", append(args, "fractions", fractionsOf(p.Fractions))...)
	}
	return l.Say("formula.jitter."+p.Jitter.String(), args...)
}

// brief writes seconds without zeros at the end.
func brief(d time.Duration) string {
	s := short(d)
	if strings.Contains(s, ".") {
		s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	}
	return s
}

func fractionsOf(list []rng.Ratio) string {
	words := make([]string, len(list))
	for i, f := range list {
		words[i] = ratio(uint64(f.Thousandths()), 1000)
	}
	return strings.Join(words, ", ")
}

// Wait returns what the local wait before a retry can be: a time, or the two ends of it.
func (l Lang) Wait(s retry.Span) string {
	if s.Least == s.Most {
		return l.Say("seconds", "n", brief(s.Least))
	}
	return l.Say("formula.range", "least", brief(s.Least), "most", brief(s.Most))
}

// Retry returns the label of a retry by its number.
func (l Lang) Retry(n int) string { return l.Say("formula.retry", "n", strconv.Itoa(n)) }
