package trace

import (
	"strconv"
	"strings"
	"time"

	"retrylab.example/core/clock"
	"retrylab.example/core/decision"
)

// Receipt returns a decision as lines of text with codes: what was decided, its rows with their marks and numbers, and
// what would change it.
func Receipt(d *decision.Decision) string {
	var b strings.Builder
	b.WriteString(d.Verdict.String() + ":" + d.Reason.String() + waiting(d.Wait) + "\n")
	for _, t := range d.Terms() {
		b.WriteString("  ")
		pad(&b, t.Name.String(), 13)
		pad(&b, t.Mark.String(), 7)
		u := unitsOf(t)
		b.WriteString(quantity(u[0], t.Value))
		if t.A != 0 || t.B != 0 {
			b.WriteString(" (" + quantity(u[1], t.A) + ", " + quantity(u[2], t.B) + ")")
		}
		if t.Text != "" {
			b.WriteString(" " + strconv.Quote(t.Text))
		}
		b.WriteByte('\n')
	}
	for _, f := range d.Flips() {
		b.WriteString("  if " + f.Name.String() + " were " + strings.ReplaceAll(f.Bound.String(), "-", " ") + " " +
			quantity(units(f.Name)[0], f.Value) + ": " + f.Verdict.String() + ":" + f.Reason.String() + waiting(f.Wait) + "\n")
	}
	return b.String()
}

func waiting(d time.Duration) string {
	if d == 0 {
		return ""
	}
	return " wait=" + d.String()
}

// unit is what a number of a row counts.
type unit uint8

const (
	plain  unit = iota
	timed       // nanoseconds
	nano        // nano-tokens
	bits        // the last results, one bit each
	packed      // failures·2³² + results
)

// units returns what the three numbers of a row count: Value, A, B.
func units(n decision.Name) [3]unit {
	switch n {
	case decision.Exponential, decision.Jitter, decision.Opens, decision.Passes, decision.ProbesFrom, decision.Started,
		decision.Raw, decision.RetryAfter, decision.Above, decision.WorkLease:
		return [3]unit{timed, timed, plain}
	case decision.Cap, decision.Lease:
		return [3]unit{timed, plain, plain}
	case decision.DeadlineLeft, decision.Schedule, decision.CallerWaits:
		return [3]unit{timed, timed, timed}
	case decision.Counted, decision.Saved, decision.InPeriod, decision.Permit:
		return [3]unit{plain, plain, timed}
	case decision.Tokens, decision.RetryTokens:
		return [3]unit{nano, nano, nano}
	case decision.Refill:
		return [3]unit{nano, timed, plain}
	case decision.Circuit:
		return [3]unit{plain, timed, plain}
	case decision.Cells:
		return [3]unit{bits, bits, plain}
	case decision.Slices:
		return [3]unit{packed, packed, packed}
	}
	return [3]unit{}
}

// unitsOf returns what the numbers of this row count, where that depends on more than its name.
func unitsOf(t decision.Term) [3]unit {
	u := units(t.Name)
	switch {
	case t.Name == decision.Cap && t.B != 0, t.Name == decision.Raw && t.Text == "decorrelated":
		u[2] = timed
	case t.Name == decision.RetryAfter && t.A == 0:
		u[1] = plain // no limit, and not one of 0 s
	}
	return u
}

func quantity(u unit, v int64) string {
	switch {
	case clock.Instant(v) == clock.Max:
		return "never"
	case u == timed:
		return time.Duration(v).String()
	case u == nano:
		return tokens(v)
	case u == bits:
		return strconv.FormatUint(uint64(v), 2)
	case u == packed && v >= 0:
		return strconv.FormatInt(v>>32, 10) + "/" + strconv.FormatInt(v&(1<<32-1), 10)
	case u == packed:
		return "-"
	}
	return strconv.FormatInt(v, 10)
}

// tokens returns nano-tokens as tokens with as many decimals as they have.
func tokens(nano int64) string {
	const one = 1_000_000_000
	s := strconv.FormatInt(nano/one, 10)
	if part := nano % one; part != 0 {
		s += "." + strings.TrimRight(strconv.FormatInt(one+part, 10)[1:], "0")
	}
	return s
}
