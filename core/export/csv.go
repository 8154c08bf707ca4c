package export

import (
	"strconv"
	"strings"

	"retrylab.example/core/call"
	"retrylab.example/core/clock"
	"retrylab.example/core/event"
)

// Columns returns the names of the columns of CSV, in their order. Columns are added at the end, and never moved.
//
// Instants and durations are whole nanoseconds, as in JSON Lines; what an event does not have is an empty cell.
func Columns() []string {
	return []string{
		"seq", "at_ns", "event", "who", "client", "call", "attempt", "method", "path", "key", "amount", "slot", "if_match",
		"status", "retry_after", "fields", "replayed", "location", "body", "failure", "fault", "until_ns", "delta", "total",
		"verdict", "reason", "wait_ns",
	}
}

// CSV returns the events as RFC 4180 has it, with a header row.
//
// A spreadsheet takes a cell that begins with =, +, - or @ for a formula. What others wrote into a request or a response
// is guarded by an apostrophe before it, and so is what begins with one, so that taking one away gives the text again.
func (r *Run) CSV() []byte {
	names := r.Scenario.Names()
	b := appendRow(nil, Columns())
	for i := range r.Events {
		b = appendRow(b, cells(&r.Events[i], names))
	}
	return b
}

// cells returns one event by columns.
func cells(e *event.Event, names []string) []string {
	row := []string{number(int64(e.Seq)), number(int64(e.At)), e.Kind.String(), e.Who.String()}
	q := e.Request
	client := ""
	if c := q.Client; c < len(names) && (q.Call > 0 || e.Kind == event.PolicyChanged || e.Kind == event.GuardsChanged) {
		client = names[c]
	}
	row = append(row, guarded(client))
	if q.Call > 0 {
		key := ""
		if q.Keyed {
			key = guarded(q.Key)
		}
		row = append(row, number(int64(q.Call)), number(int64(q.Attempt)), guarded(q.Method), guarded(q.Path), key,
			number(q.Amount), unlessZero(q.Slot), guarded(q.IfMatch))
	} else {
		row = append(row, make([]string, 8)...)
	}
	row = append(row, response(e.Response)...)
	failure, fault, until, delta, total := "", "", "", "", ""
	if e.Failure != call.None {
		failure = e.Failure.String()
	}
	if e.Fault != event.NoFault {
		fault = e.Fault.String()
	}
	if e.Until != 0 && e.Until != clock.Max {
		until = number(int64(e.Until))
	}
	if e.Kind == event.EffectApplied || e.Kind == event.ReplyReplayed {
		delta, total = number(e.Delta), number(e.Total)
	}
	row = append(row, failure, fault, until, delta, total)
	if e.Decides() {
		return append(row, e.Decision.Verdict.String(), e.Decision.Reason.String(), number(int64(e.Decision.Wait)))
	}
	return append(row, "", "", "")
}

func response(r call.Response) []string {
	if r.Status == 0 {
		return make([]string, 6)
	}
	after := ""
	if r.HasRetryAfter {
		after = guarded(r.RetryAfter)
	}
	return []string{
		number(int64(r.Status)), after, guarded(r.Fields), strconv.FormatBool(r.Replayed), guarded(r.Location),
		guarded(r.Body.String()),
	}
}

func number(n int64) string { return strconv.FormatInt(n, 10) }

func unlessZero(n int64) string {
	if n == 0 {
		return ""
	}
	return number(n)
}

// risky are the beginnings that make a cell a formula, the wide ones of East Asian keyboards among them; the apostrophe
// is the guard itself.
const risky = "=+-@\t\r\n'＝＋－＠"

// guarded keeps a text a text.
func guarded(s string) string {
	if first := []rune(s); len(first) > 0 && strings.ContainsRune(risky, first[0]) {
		return "'" + s
	}
	return s
}

// appendRow quotes what needs it and ends the row.
func appendRow(b []byte, row []string) []byte {
	for i, cell := range row {
		if i > 0 {
			b = append(b, ',')
		}
		if !strings.ContainsAny(cell, "\",\r\n") {
			b = append(b, cell...)
			continue
		}
		b = append(b, '"')
		b = append(b, strings.ReplaceAll(cell, `"`, `""`)...)
		b = append(b, '"')
	}
	return append(b, '\r', '\n')
}
