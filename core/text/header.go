package text

import (
	"strings"
	"time"

	"retrylab.example/core/retryafter"
)

const maxInt64 = 1<<63 - 1

// HeaderReading explains a reading of Retry-After, a sentence for each line: whether it is valid and how long the wait
// is, what it was read as and from where it is counted, or why it was not read and how to mend it.
func (l Lang) HeaderReading(m retryafter.Mode, r retryafter.Reading) []string {
	if !r.Valid {
		return []string{l.Say("header.invalid"), l.Say("header.why." + r.Reason.String()), l.headerMend(m, r.Reason)}
	}
	lines := []string{l.Say("header.zero")}
	switch {
	case r.Seconds == maxInt64: // the number itself did not fit
		lines[0] = l.Say("header.more", "wait", number(r.Seconds))
	case r.Delay > 0:
		lines[0] = l.Say("header.valid", "wait", exactSeconds(r))
	}
	if r.Field != retryafter.Name {
		lines = append(lines, l.Say("header.line", "field", r.Field, "value", r.Text))
	}
	lines = append(lines, l.Say("header.kind."+r.Kind.String(), "form", r.Date.Form.String(), "instant", r.Date.Time.String()))
	if r.Kind == retryafter.HTTPDate {
		from := "header.from.receipt"
		if r.ByDate {
			from = "header.from.date"
		}
		if !r.Warn.Has(retryafter.DateUnread) {
			lines = append(lines, l.Say(from, "from", r.From.String()))
		}
	}
	if r.Age > 0 {
		lines = append(lines, l.Say("header.age", "age", number(int64(r.Age/time.Second))))
	}
	for _, w := range r.Warn.List() {
		lines = append(lines, l.Say("header.warn."+w.String()))
	}
	return lines
}

// OtherModes says which other modes read a value that this one does not.
func (l Lang) OtherModes(modes []retryafter.Mode) string {
	names := make([]string, len(modes))
	for i, m := range modes {
		names[i] = m.String()
	}
	return l.Say("header.other-modes", "modes", strings.Join(names, l.Say("part.list")))
}

// headerMend says what a sender should send instead.
func (l Lang) headerMend(m retryafter.Mode, r retryafter.Reason) string {
	switch {
	case r == retryafter.Repeated:
		return l.Say("header.mend.once")
	case m == retryafter.Integer:
		return l.Say("header.mend.integer")
	case m == retryafter.Decimal:
		return l.Say("header.mend.decimal")
	}
	return l.Say("header.mend.date", "example", "Mon, 30 Nov 2026 12:02:00 GMT")
}

// exactSeconds returns a wait with all of its decimals and no more: "120", "1.5", and what does not fit a duration.
func exactSeconds(r retryafter.Reading) string {
	rest := r.Delay % time.Second
	if rest == 0 || r.Warn.Has(retryafter.Saturated) {
		return number(r.Seconds)
	}
	decimals := number(int64(time.Second + rest))[1:]
	return number(int64(r.Delay/time.Second)) + "." + strings.TrimRight(decimals, "0")
}
