package text

import (
	"strings"
	"time"

	"retrylab.example/core/call"
	"retrylab.example/core/decision"
	"retrylab.example/core/event"
	"retrylab.example/core/retryafter"
)

// Row is one row of a receipt. Code says that Value is code, the same in every language. Name is what the row is about;
// a total bears none.
type Row struct {
	Label, Note, Value string
	Code               bool
	Mark               decision.Mark
	Name               decision.Name
}

// Group is the rows that answer one question.
type Group struct {
	Question, Answer string
	Rows             []Row
}

// none stands where there is no value.
const none = "–"

// Receipt returns the rows of a decision in their order, grouped by question, and the total under them. A retry
// decision answers three questions; any other has one group. An event that decides nothing has no groups.
func (l Lang) Receipt(e *event.Event) (groups []Group, total Row) {
	if !e.Decides() {
		return nil, Row{}
	}
	args := l.args(e, nil)
	if mechanismOf(&e.Decision) == byRetry {
		groups = l.threeQuestions(e, args)
	} else {
		groups = []Group{l.oneQuestion(e, args)}
	}
	return groups, l.totalRow(e, args)
}

func (l Lang) threeQuestions(e *event.Event, args []string) []Group {
	d := &e.Decision
	groups := []Group{
		{Question: l.Say("question.may-repeat"), Answer: l.yesNo(replaySafe(d))},
		{Question: l.Say("question.waiting-heals"), Answer: l.heals(e)},
		{Question: l.Say("question.how-long"), Answer: l.howLong(d)},
	}
	for _, t := range d.Terms() {
		if q := t.Name.Question(); q != decision.NoQuestion {
			g := &groups[q-decision.MayRepeat]
			g.Rows = append(g.Rows, l.row(e, t, args))
			if t.Name == decision.AttemptsLeft && !sharesBudget(d) {
				g.Rows = append(g.Rows, l.noBudget())
			}
		}
	}
	return groups
}

func sharesBudget(d *decision.Decision) bool {
	_, tokens := d.Term(decision.RetryTokens)
	_, share := d.Term(decision.RetryShare)
	return tokens || share
}

// noBudget is the row of the budget that the calls of this client do not share: it is listed so that nobody looks for it.
func (l Lang) noBudget() Row {
	return Row{
		Label: l.Say("term.retry-budget"), Note: l.Say("note.off"), Value: none,
		Mark: decision.Off, Name: decision.RetryTokens,
	}
}

// replaySafe reads the answer off the rows: the method alone allows a repeat, or a key makes a POST safe, or what the row
// of the method says beside it.
func replaySafe(d *decision.Decision) bool {
	method, _ := d.Term(decision.Method)
	key, _ := d.Term(decision.Key)
	byKey := strings.EqualFold(method.Text, "POST") && key.Value == 1 && key.Mark != decision.Ignored
	return d.Reason != decision.NotReplaySafe && (method.Value == 1 || method.A != 0 || byKey)
}

func (l Lang) yesNo(yes bool) string {
	if yes {
		return l.Say("answer.yes")
	}
	return l.Say("answer.no")
}

func (l Lang) heals(e *event.Event) string {
	if e.Decision.Reason == decision.Succeeded {
		return l.Say("answer.nothing-to-heal")
	}
	reply, _ := e.Decision.Term(decision.Reply)
	return l.yesNo(reply.A == 1)
}

func (l Lang) howLong(d *decision.Decision) string {
	switch d.Reason {
	case decision.BackoffDecides, decision.RetryAfterDecides:
		return l.Seconds(d.Wait)
	case decision.AttemptsSpent:
		return l.Say("answer.no-attempt")
	case decision.BudgetTooShort, decision.RetryAfterTooLong:
		return l.Say("answer.too-long")
	case decision.RetryBudgetSpent:
		return l.Say("answer.no-budget")
	case decision.PushbackRefuses:
		return l.Say("answer.never")
	}
	return l.Say("answer.not-asked")
}

func (l Lang) oneQuestion(e *event.Event, args []string) Group {
	d := &e.Decision
	g := Group{Question: l.Say("question." + string(mechanismOf(d))), Answer: l.answer(d)}
	for _, t := range d.Terms() {
		g.Rows = append(g.Rows, l.row(e, t, args))
	}
	return g
}

// answer answers the one question of a mechanism other than retry.
func (l Lang) answer(d *decision.Decision) string {
	switch d.Reason {
	case decision.WindowHasRoom, decision.Scripted, decision.KeyKnown, decision.PeriodHasRoom, decision.TokensTaken,
		decision.OnSchedule, decision.SlotFree, decision.CircuitClosed, decision.ThresholdReached, decision.ProbeFailed,
		decision.ProbesSucceeded, decision.PlaceFree, decision.TurnCame, decision.WorkFailed, decision.LimitValid:
		return l.Say("answer.yes")
	case decision.WindowFull, decision.ClientKeyInvalid, decision.KeyNew, decision.DeadlinePassed,
		decision.AmountInvalid, decision.PeriodFull, decision.TokensMissing, decision.CostTooLarge,
		decision.AheadOfSchedule, decision.SlotsTaken, decision.CircuitOpen, decision.ProbesRunning,
		decision.BelowThreshold, decision.ProbeSucceeded, decision.PermitStale, decision.ResultIgnored,
		decision.BulkheadFull, decision.SlotFull, decision.RecordLost, decision.LimitNotWhole, decision.LimitBelowOne,
		decision.WindowNotNumber, decision.WindowNotPositive, decision.WindowNotFinite:
		return l.Say("answer.no")
	case decision.CallerLeft:
		return l.Say("answer.caller-left")
	case decision.ProbeAdmitted:
		return l.Say("answer.as-probe")
	case decision.PlaceQueued:
		return l.Say("answer.queued")
	case decision.KeyMismatch:
		if otherSlot(d) {
			return l.Say("answer.other-slot")
		}
		return l.Say("answer.other-amount")
	case decision.KeyAbsent, decision.KeyMissing:
		return l.Say("answer.no-key")
	case decision.KeysIgnored:
		return l.Say("answer.not-looked-at")
	case decision.Unroutable:
		return l.Say("answer.no-route")
	case decision.ReadOnly:
		return l.Say("answer.reads")
	}
	return l.partnerAnswer(d.Reason)
}

// row returns the row of one term.
func (l Lang) row(e *event.Event, t decision.Term, args []string) Row {
	r := Row{Label: l.Say(labelName(e, t)), Mark: t.Mark, Name: t.Name}
	if note := noteName(e, t); note != "" {
		r.Note = l.Say(note, args...)
	}
	if t.Name == decision.Payload && t.Mark == decision.Off {
		r.Mark = decision.Plain // an amount is there; what is missing is one to compare it with
	}
	r.Value, r.Code = l.value(e, t)
	return r
}

func labelName(e *event.Event, t decision.Term) string {
	if t.Name == decision.Method && e.Decision.Reason == decision.Unroutable {
		return "term.route"
	}
	return "term." + t.Name.String()
}

// value returns what stands at the end of a row, and whether it is code.
func (l Lang) value(e *event.Event, t decision.Term) (value string, code bool) {
	switch t.Name {
	case decision.Method, decision.ClientKey, decision.LimitCount, decision.LimitWindow:
		return codeOrNone(t.Text)
	case decision.Key:
		return codeOrNone(strings.TrimSpace(t.Text))
	case decision.Reply, decision.Saved, decision.Script:
		if t.Value == 0 {
			return none, false
		}
		return number(t.Value), true
	case decision.RetryAfter:
		if t.Mark == decision.Off || malformed(t) {
			return none, false
		}
	case decision.DeadlineLeft, decision.Jitter:
		if t.Mark == decision.Off {
			return none, false
		}
	case decision.AttemptsLeft:
		return number(max(t.B-made(e, t), 0)), false
	case decision.Counted:
		return l.Say("value.counted", termArgs(e, t)...), false
	case decision.Payload:
		return number(t.Value), false
	default:
		if value, code, ours := l.policyValue(t); ours {
			return value, code
		}
		if value, ours := l.partnerValue(t); ours {
			return value, false
		}
		if value, ours := l.mechanismValue(t); ours {
			return value, false
		}
	}
	return l.Seconds(time.Duration(t.Value)), false
}

func codeOrNone(s string) (value string, code bool) {
	if s == "" {
		return none, false
	}
	return literal(s), true
}

// totalRow returns the row under the double rule: what was decided, why in a few words, and the number that follows.
func (l Lang) totalRow(e *event.Event, args []string) Row {
	d := &e.Decision
	r := Row{Label: l.Say("total." + d.Verdict.String()), Value: none, Mark: decision.Decided}
	if note := totalNote(e); note != "" {
		r.Note = l.Say(note, args...)
	}
	if e.Kind == event.AttemptHeld {
		r.Label, r.Value = l.Say("total.held"), l.Seconds(d.Wait)
		return r
	}
	status, coded := codeOrNone(statusText(e))
	switch d.Verdict {
	case decision.Retry:
		r.Value = l.Seconds(d.Wait)
	case decision.Return:
		r.Value, r.Code = status, coded
		if mechanismOf(d) != byRetry {
			r.Label = l.Say("total.answer")
		}
	case decision.Refuse, decision.Replay:
		r.Value, r.Code = status, coded
	case decision.Trip:
		r.Value = l.Seconds(d.Wait)
	case decision.Apply:
		r.Value = signed(e.Delta)
	}
	return r
}

func statusText(e *event.Event) string {
	if e.Response.Status == 0 {
		return ""
	}
	return number(int64(e.Response.Status))
}

func totalNote(e *event.Event) string {
	d := &e.Decision
	switch d.Reason {
	case decision.RetryAfterDecides:
		if _, above := d.Term(decision.Above); above {
			return "total.note.above"
		}
		if byPartner(d) == "replaces" {
			return "total.note.replaces"
		}
		return "total.note.larger"
	case decision.BackoffDecides:
		if afterName(d) == "verdict.after.shorter" {
			return "total.note.larger"
		}
		return "total.note." + decider(d).String()
	case decision.KeyNew, decision.KeyAbsent, decision.KeysIgnored, decision.LeaseOver, decision.RecordLost:
		return "total.note.total"
	case decision.KeyMismatch, decision.Scripted, decision.ReadOnly, decision.Unroutable, decision.AmountInvalid,
		decision.ClientKeyInvalid, decision.KeyMissing, decision.KeyInFlight, decision.WorkFailed, decision.SlotUnknown,
		decision.SlotFull, decision.ReservationUnknown, decision.AlreadyCancelled:
		return "total.note.unchanged"
	case decision.TokensMissing:
		return variant("total.note.tokens-missing", e.Who == event.Client, "own")
	case decision.NoReason:
		return ""
	}
	return "total.note." + d.Reason.String()
}

// noteName returns the message of the small note in a row, "" for none.
func noteName(e *event.Event, t decision.Term) string {
	switch t.Name {
	case decision.Method:
		return "note.method." + methodNote(e, t)
	case decision.Key:
		return "note." + keyNote(e, t)
	case decision.Reply:
		return "note.reply." + replyNote(e, t)
	case decision.Cap:
		return "note.cap." + capNote(&e.Decision, t)
	case decision.Jitter:
		return "note." + jitterNote(t)
	case decision.RetryAfter:
		return "note." + retryAfterNote(&e.Decision, t)
	case decision.DeadlineLeft:
		if t.Mark == decision.Off {
			return "note.off"
		}
	case decision.ClientKey:
		return variant("note.client-key", e.Decision.Reason == decision.ClientKeyInvalid, "invalid")
	case decision.Saved:
		return variant("note.saved", t.Mark == decision.Off, "none")
	case decision.Payload:
		return "note.payload." + payloadNote(e, t)
	}
	if note := policyNote(t); note != "" {
		return note
	}
	if note, ours := partnerNote(e, t); ours {
		return note
	}
	return mechanismNote(t)
}

func methodNote(e *event.Event, t decision.Term) string {
	op := call.Request{Method: t.Text}.Op()
	switch method := strings.ToUpper(t.Text); {
	case e.Decision.Reason == decision.Unroutable:
		return "no-route"
	case mechanismOf(&e.Decision) == byRetry && t.A > 0:
		return [...]string{"", "outcome", "key", "condition", "route"}[t.A]
	case method == "GET" || method == "HEAD" || method == "OPTIONS" || method == "TRACE" || method == "QUERY",
		e.Decision.Reason == decision.ReadOnly:
		return "reads"
	case op == call.Set || op == call.Clear || op == call.Cancel:
		return "idempotent"
	case t.Value == 1:
		return "any"
	}
	return "changes"
}

func keyNote(e *event.Event, t decision.Term) string {
	switch {
	case t.Text != "" && strings.TrimSpace(t.Text) == "":
		return "key.blank"
	case t.Mark == decision.Off || t.Value == 0:
		return "none-sent"
	}
	switch e.Decision.Reason {
	case decision.NotReplaySafe:
		if t.Mark == decision.Decided {
			return "key.unused"
		}
	case decision.KeyNew, decision.RecordLost:
		return "key.new"
	case decision.KeyKnown, decision.KeyMismatch, decision.KeyInFlight, decision.LeaseOver:
		return "key.known"
	case decision.KeysIgnored:
		return "key.ignored"
	}
	if t.Mark == decision.Ignored {
		return "key.unused"
	}
	return "key.sent"
}

func replyNote(e *event.Event, t decision.Term) string {
	kind := classOf(e).String()
	switch {
	case e.Failure != call.None:
		kind = e.Failure.String()
	case classOf(e) == call.Success:
		return "success"
	}
	if t.A == 1 {
		return kind + ".retried"
	}
	return kind + ".not"
}

func capNote(d *decision.Decision, t decision.Term) string {
	raw, classic := d.Term(decision.Exponential)
	if !classic {
		raw, _ = d.Term(decision.Raw)
	}
	switch {
	case t.B != 0:
		return "kept"
	case t.A == 1:
		return "cuts"
	case raw.Value == t.Value:
		return "equal"
	}
	return "below"
}

// jitterNote tells the range that the draw came from. The row does not hold the kind of jitter, but the draw and the
// wait do: whole is the fraction of the longest wait, half begins at half of it. Where both fit, no range is claimed.
func jitterNote(t decision.Term) string {
	switch {
	case t.Mark == decision.Off:
		return "off"
	case t.Text != "":
		return "jitter.up-to"
	}
	longest, half := time.Duration(t.A), time.Duration(t.A)/2
	whole := within(longest, 0, t)
	upper := t.B < 1000 && within(longest-half, half, t)
	switch {
	case whole && !upper:
		return "jitter.whole"
	case upper && !whole:
		return "jitter.half"
	}
	return "jitter.drew"
}

// within reports whether the wait is offset + a fraction of span, where the fraction is known to a thousandth.
func within(span, offset time.Duration, t decision.Term) bool {
	wait, perMille := time.Duration(t.Value)-offset, time.Duration(t.B)
	part := func(n time.Duration) time.Duration { return span/1000*n + span%1000*n/1000 }
	return wait >= part(perMille)-1 && wait <= part(perMille+1)
}

func retryAfterNote(d *decision.Decision, t decision.Term) string {
	switch {
	case t.Mark == decision.Off:
		return "none-sent"
	case t.B < 0:
		return "retry-after.unreadable"
	case t.B == int64(retryafter.Pushback) && t.Mark != decision.Ignored:
		return variant("retry-after.pushback", d.Reason == decision.PushbackRefuses, "refuses")
	case malformed(t):
		return "retry-after.malformed"
	case t.Mark == decision.Ignored:
		return "retry-after.ignored"
	}
	return variant("retry-after", t.A != 0, "limited")
}

func payloadNote(e *event.Event, t decision.Term) string {
	switch {
	case e.Decision.Reason == decision.AmountInvalid:
		return "invalid"
	case t.Mark == decision.Off:
		return "first"
	case t.Value == t.A:
		return "same"
	}
	return "other"
}
