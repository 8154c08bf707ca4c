package text

import (
	"strconv"
	"strings"
	"time"

	"retrylab.example/core/backoff"
	"retrylab.example/core/budget"
	"retrylab.example/core/decision"
	"retrylab.example/core/retry"
	"retrylab.example/core/retryafter"
)

// policyArgs returns the numbers of a row that only some policies have.
func policyArgs(t decision.Term) []string {
	value, a := time.Duration(t.Value), time.Duration(t.A)
	switch t.Name {
	case decision.Raw:
		return []string{
			"raw", seconds(value), "base", seconds(a), "power", raised(t.B), "failures", number(t.B),
			"before", seconds(time.Duration(t.B)),
		}
	case decision.Above:
		return []string{"above", seconds(value), "above-longest", seconds(a), "above-fraction", fraction(t.B)}
	case decision.RetryTokens:
		return []string{"retry-tokens", tokens(t.Value), "retry-cost", tokens(t.A), "retry-capacity", tokens(t.B)}
	case decision.RetryShare:
		return []string{"retries", number(t.Value), "places", number(t.A), "calls", number(t.B)}
	}
	return nil
}

// policyValue returns what stands at the end of such a row; ours is false for one that is a time, or none of them.
func (l Lang) policyValue(t decision.Term) (value string, code, ours bool) {
	switch t.Name {
	case decision.Flag:
		return strconv.FormatBool(t.Value == 1), true, true
	case decision.Factor:
		return ratio(uint64(t.Value), uint64(t.A)), false, true
	case decision.RetryTokens:
		return tokens(t.Value), false, true
	case decision.RetryShare:
		return l.Say("value.places", "n", number(t.Value), "places", number(t.A)), false, true
	}
	return "", false, false
}

// policyNote returns the message of the small note in such a row, "" for another row.
func policyNote(t decision.Term) string {
	switch t.Name {
	case decision.Raw, decision.RetryTokens:
		return "note." + t.Name.String() + "." + t.Text
	case decision.Flag, decision.Factor, decision.Above, decision.RetryShare:
		return "note." + t.Name.String()
	}
	return ""
}

// ratio returns a fraction as a decimal if three decimals hold it, else as two numbers: "1.5", "7/3".
func ratio(num, den uint64) string {
	if den == 0 || num*1000%den != 0 {
		return strconv.FormatUint(num, 10) + "/" + strconv.FormatUint(den, 10)
	}
	thousandths := num * 1000 / den
	s := strconv.FormatUint(thousandths/1000, 10) + "." + strconv.FormatUint(thousandths%1000+1000, 10)[1:]
	return strings.TrimRight(strings.TrimRight(s, "0"), ".")
}

// moreRows returns what a policy has beside what every policy has.
func (l Lang) moreRows(p *retry.Policy) (rows []Row) {
	add := func(there bool, r Row) {
		if there {
			rows = append(rows, r)
		}
	}
	value := func(knob, value string, name decision.Name) Row {
		return Row{Label: l.Knob(knob), Value: value, Name: name}
	}
	list := func(items []string) string { return strings.Join(items, ", ") }
	b := p.Backoff
	add(p.DeadlineTest != budget.GreaterOrEqual, l.choice("deadline-test", p.DeadlineTest.String(), decision.DeadlineLeft))
	add(b.Shape != backoff.Exponential, l.choice("shape", b.Shape.String(), decision.Raw))
	add(b.Shape == backoff.Exponential && !b.Factor.Doubles(), value("factor", ratio(b.Factor.Num, b.Factor.Den), decision.Factor))
	add(p.Jitter == backoff.PlusMinus, value("share", percent(p.Share.Thousandths()), decision.Jitter))
	add(p.KeepAtCap, l.on("keep-at-cap", decision.Cap))
	add(p.RetryAfterMode != retryafter.Integer, l.choice("retry-after-mode", p.RetryAfterMode.String(), decision.RetryAfter))
	add(p.MaxRetryAfter > 0, l.limit("max-retry-after", p.MaxRetryAfter, decision.RetryAfter))
	add(p.AboveRetryAfter > 0, l.limit("above-retry-after", p.AboveRetryAfter, decision.Above))
	add(len(p.Unchanging) > 0, l.coded("unchanging", list(p.Unchanging), decision.Method))
	add(p.KeysDocumented, l.on("keys-documented", decision.Key))
	add(len(p.Unprocessed) > 0, l.coded("unprocessed", l.statuses(p.Unprocessed), decision.Method))
	add(len(p.Codes) > 0, l.coded("codes", list(p.Codes), decision.Reply))
	add(p.Envelope, l.on("envelope", decision.Flag))
	return rows
}

func (l Lang) coded(knob, value string, name decision.Name) Row {
	return Row{Label: l.Knob(knob), Value: literal(value), Code: true, Name: name}
}

func percent(thousandths int64) string { return ratio(uint64(thousandths), 10) + "\u00a0%" }

// budgetRow returns the row of what the calls of a client share.
func (l Lang) budgetRow(c budget.Config) Row {
	r := Row{Label: l.Knob("retry-budget"), Name: decision.RetryTokens}
	name := "value.budget." + c.Kind.String()
	switch c.Kind {
	case budget.Unlimited:
		r.Value, r.Mark = l.Say("value.off"), decision.Off
	case budget.Share:
		r.Name = decision.RetryShare
		share := ratio(uint64(c.Share.Thousandths()), 10)
		r.Value = l.Say(name, "percent", share, "minimum", strconv.Itoa(c.Minimum))
	default:
		r.Value = l.Say(name, "tokens", tokens(c.Tokens), "cost", tokens(c.Cost))
	}
	return r
}
