package text

import (
	"strconv"
	"strings"
	"time"

	"retrylab.example/core/clock"
	"retrylab.example/core/decision"
	"retrylab.example/core/event"
	"retrylab.example/core/retryafter"
	"retrylab.example/core/trace"
)

// Names are the names of the clients by index.
type Names []string

// args returns what messages about an event may name: its numbers and codes, and those of its receipt. Numbers come
// without a unit, which the message adds.
func (l Lang) args(e *event.Event, names Names) []string {
	r := &e.Request
	a := []string{
		"seq", strconv.Itoa(e.Seq), "at", instant(e.At), "until", instant(e.Until),
		"client", l.client(e, names), "call", strconv.Itoa(r.Call),
		"attempt", strconv.Itoa(r.Attempt), "next", strconv.Itoa(r.Attempt + 1),
		"method", literal(r.Method), "path", literal(r.Path), "key", literal(r.Key), "amount", number(r.Amount),
		"status", strconv.Itoa(e.Response.Status), "after", literal(e.Response.RetryAfter), "answer", answer(e),
		"delta", signed(e.Delta), "total", number(e.Total), "wait", seconds(e.Decision.Wait),
	}
	for _, t := range e.Decision.Terms() {
		a = append(a, termArgs(e, t)...)
	}
	return a
}

// termArgs returns the numbers of one row of the receipt.
func termArgs(e *event.Event, t decision.Term) []string {
	value := time.Duration(t.Value)
	switch t.Name {
	case decision.Method:
		return []string{"route", literal(t.Text)}
	case decision.Exponential:
		return []string{"raw", seconds(value), "base", seconds(time.Duration(t.A)), "power", power(t.B)}
	case decision.Cap:
		return []string{"cap", seconds(value), "whole-cap", seconds(time.Duration(t.B))}
	case decision.Jitter:
		longest := time.Duration(t.A)
		return []string{
			"local", seconds(value), "longest", seconds(longest), "half", seconds(longest / 2), "fraction", fraction(t.B),
		}
	case decision.RetryAfter:
		header := literal(strings.Trim(t.Text, " \t"))
		most := short(time.Duration(t.A))
		return []string{"asked", short(value), "asked-full", seconds(value), "asked-most", most, "header", header}
	case decision.DeadlineLeft:
		return []string{
			"left", seconds(value), "deadline", instant(clock.Instant(t.A)), "now", instant(clock.Instant(t.B)),
		}
	case decision.AttemptsLeft:
		return []string{"made", number(made(e, t)), "allowed", number(t.B)}
	case decision.Counted:
		return []string{"counted", number(t.Value), "limit", number(t.A), "window", short(time.Duration(t.B))}
	case decision.Opens:
		return []string{
			"opens", instant(clock.Instant(t.Value)), "oldest", instant(clock.Instant(t.A)),
			"in", seconds(clock.Instant(t.Value).Sub(e.At)),
		}
	case decision.ClientKey:
		return []string{"client-key", literal(t.Text)}
	case decision.Saved:
		return []string{"saved", number(t.Value), "saved-total", number(t.A), "saved-at", instant(clock.Instant(t.B))}
	case decision.Payload:
		return []string{"sent", number(t.Value), "first", number(t.A)}
	case decision.Script:
		return []string{"script", number(t.Value)}
	}
	all := append(append(limiterArgs(t), breakerArgs(e, t)...), bulkheadArgs(t)...)
	return append(append(all, policyArgs(t)...), partnerArgs(t)...)
}

// made returns the attempts made: the guard before a send speaks about one that was not.
func made(e *event.Event, t decision.Term) int64 {
	if e.Decision.Reason == decision.DeadlinePassed {
		return int64(e.Request.Attempt - 1)
	}
	return t.A
}

func (l Lang) client(e *event.Event, names Names) string {
	i := e.Request.Client
	switch {
	case i >= 0 && i < len(names) && names[i] != "":
		return literal(names[i])
	case e.Request.ClientID != "":
		return literal(e.Request.ClientID)
	}
	return l.Say("who.client", "n", strconv.Itoa(i+1))
}

// answer returns a response as status and Retry-After: "429, Retry-After 2".
func answer(e *event.Event) string {
	s := strconv.Itoa(e.Response.Status)
	if e.Response.HasRetryAfter {
		s += ", Retry-After " + literal(e.Response.RetryAfter)
	}
	return s
}

// literal returns a text that somebody typed so that it cannot be taken for the marks around a number.
func literal(s string) string { return strings.ReplaceAll(s, "**", "*\u2060*") }

func number(n int64) string { return strconv.FormatInt(n, 10) }

// signed returns n with a sign: "+10", "−5".
func signed(n int64) string {
	if n < 0 {
		return "−" + strings.TrimPrefix(number(n), "-")
	}
	return "+" + number(n)
}

// seconds returns d in seconds with three decimals and no unit.
func seconds(d time.Duration) string { return strings.TrimSuffix(trace.Seconds(d), " s") }

func instant(i clock.Instant) string { return seconds(time.Duration(i)) }

// short returns whole seconds without decimals, as a header or a setting says them.
func short(d time.Duration) string {
	if d%time.Second == 0 {
		return number(int64(d / time.Second))
	}
	return seconds(d)
}

// fraction returns thousandths with two or three decimals: "0.25", "0.137".
func fraction(thousandths int64) string {
	s := number(thousandths/1000) + "." + number(thousandths%1000 + 1000)[1:]
	return strings.TrimSuffix(s, "0")
}

// power returns 2 with its exponent raised: "2¹".
func power(exponent int64) string { return "2" + raised(exponent) }

func raised(exponent int64) string {
	digits := [...]string{"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"}
	s := ""
	for _, c := range []byte(number(max(exponent, 0))) {
		s += digits[c-'0']
	}
	return s
}

// malformed reports whether a Retry-After was sent that is not a number of whole seconds.
func malformed(t decision.Term) bool {
	_, ok := retryafter.Parse(t.Text)
	return t.Mark == decision.Ignored && !ok && t.B <= 0
}

// pick returns the first message that exists: the more special ones come first.
func pick(names ...string) string {
	for _, n := range names {
		if Has(n) {
			return n
		}
	}
	return names[len(names)-1]
}
