package text

import (
	"strconv"
	"strings"
	"time"

	"retrylab.example/core/backoff"
	"retrylab.example/core/call"
	"retrylab.example/core/decision"
	"retrylab.example/core/event"
	"retrylab.example/core/retry"
	"retrylab.example/core/retryafter"
)

// Seconds returns d with three decimals and the language's unit: "1.850 s", "1.850초", "1.850秒".
func (l Lang) Seconds(d time.Duration) string { return l.Say("seconds", "n", seconds(d)) }

// Length returns a duration with no more decimals than it needs: "10 s".
func (l Lang) Length(d time.Duration) string { return l.Say("seconds", "n", short(d)) }

// Reason returns a reason in a few words.
func (l Lang) Reason(r decision.Reason) string { return l.Say("reason." + r.String()) }

// Fault returns the name of a fault for a button: "lost reply".
func (l Lang) Fault(f event.Fault) string { return l.Say("fault." + f.String()) }

// Knob returns the label of a policy's setting: attempts, deadline, fresh-deadline, attempt-timeout, cut-timeout, base,
// cap, jitter, retry-after, methods, statuses, failures, exhausted, retry-budget, or a client's oversleep. Those that only
// some policies have are deadline-test, shape, factor, share, keep-at-cap, retry-after-mode, max-retry-after,
// above-retry-after, unchanging, keys-documented, unprocessed, codes and envelope.
func (l Lang) Knob(name string) string { return l.Say("knob." + name) }

// Choice returns the label of one value of a setting that has names: jitter, retry-after, methods, exhausted,
// failures, deadline-test, shape, retry-after-mode. The values are the names used in scenarios.
func (l Lang) Choice(knob, value string) string { return l.Say("choice." + knob + "." + value) }

// PolicyRows returns everything in a policy that can stop or delay a call. A limit that is off is listed too; what only
// some policies have is listed where it is on.
func (l Lang) PolicyRows(p retry.Policy) []Row {
	attempts := l.Say("value.attempts", "n", strconv.Itoa(p.Attempts))
	rows := []Row{
		{Label: l.Knob("attempts"), Value: attempts, Name: decision.AttemptsLeft},
		l.limit("deadline", p.Deadline, decision.DeadlineLeft),
		l.limit("attempt-timeout", p.AttemptTimeout, decision.DeadlineLeft),
		{Label: l.Knob("base"), Value: l.Seconds(p.Backoff.Base), Name: decision.Exponential},
		{Label: l.Knob("cap"), Value: l.Seconds(p.Backoff.Cap), Name: decision.Cap},
		l.choice("jitter", p.Jitter.String(), decision.Jitter),
		l.choice("retry-after", p.RetryAfter.String(), decision.RetryAfter),
		l.choice("methods", p.Safety.String(), decision.Method),
		{Label: l.Knob("statuses"), Value: l.statuses(p.Statuses), Code: len(p.Statuses) > 0, Name: decision.Reply},
		{Label: l.Knob("failures"), Value: l.failures(p.Failures), Name: decision.Reply},
		l.choice("exhausted", p.Exhausted.String(), decision.AttemptsLeft),
		l.budgetRow(p.Budget),
	}
	if p.Jitter == backoff.NoJitter {
		rows[5].Mark = decision.Off
	}
	if p.RetryAfter == retryafter.Ignore {
		rows[6].Mark = decision.Ignored
	}
	if p.FreshDeadline {
		rows = append(rows, l.on("fresh-deadline", decision.DeadlineLeft))
	}
	if p.CutTimeout {
		rows = append(rows, l.on("cut-timeout", decision.DeadlineLeft))
	}
	return append(rows, l.moreRows(&p)...)
}

// limit returns the row of a duration where 0 means that there is none.
func (l Lang) limit(knob string, d time.Duration, name decision.Name) Row {
	if d == 0 {
		return Row{Label: l.Knob(knob), Value: l.Say("value.off"), Mark: decision.Off, Name: name}
	}
	return Row{Label: l.Knob(knob), Value: l.Seconds(d), Name: name}
}

func (l Lang) choice(knob, value string, name decision.Name) Row {
	return Row{Label: l.Knob(knob), Value: l.Choice(knob, value), Name: name}
}

func (l Lang) on(knob string, name decision.Name) Row {
	return Row{Label: l.Knob(knob), Value: l.Say("value.on"), Name: name}
}

func (l Lang) statuses(list []int) string {
	if len(list) == 0 {
		return l.Say("value.none")
	}
	parts := make([]string, len(list))
	for i, s := range list {
		parts[i] = strconv.Itoa(s)
	}
	return strings.Join(parts, ", ")
}

func (l Lang) failures(list []call.Failure) string {
	if len(list) == 0 {
		return l.Say("value.none")
	}
	parts := make([]string, len(list))
	for i, f := range list {
		parts[i] = l.Choice("failures", f.String())
	}
	return strings.Join(parts, l.Say("part.list"))
}

// TotalsLabels are the labels under the counts and beside the amounts of a run.
type TotalsLabels struct {
	Sent, Arrived, Applied, Replayed, Refused, RefusedLocally, Duplicates string
	Naive, NaiveNote, Deduped, DedupedNote, Actual                        string
}

// Totals returns the labels of the totals.
func (l Lang) Totals() TotalsLabels {
	say := func(name string) string { return l.Say("totals." + name) }
	return TotalsLabels{
		Sent: say("sent"), Arrived: say("arrived"), Applied: say("applied"), Replayed: say("replayed"),
		Refused: say("refused"), RefusedLocally: say("refused-locally"), Duplicates: say("duplicates"),
		Naive: say("naive"), NaiveNote: say("naive.note"), Deduped: say("deduped"), DedupedNote: say("deduped.note"),
		Actual: say("actual"),
	}
}

// SameAs says which of the two totals the partner's actual one is the same as.
func (l Lang) SameAs(naive, deduped, actual int64) string {
	switch {
	case actual == naive && actual == deduped:
		return l.Say("totals.same.both")
	case actual == deduped:
		return l.Say("totals.same.deduped")
	case actual == naive:
		return l.Say("totals.same.naive")
	}
	return l.Say("totals.same.neither")
}
