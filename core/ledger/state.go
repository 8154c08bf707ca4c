package ledger

import (
	"retrylab.example/core/call"
	"retrylab.example/core/clock"
	"retrylab.example/core/rows"
)

const maxText = 1000

// Write writes the records, a line for each. The setting is not written.
func (l Ledger) Write(w *rows.Writer) {
	w.Row("ledger")
	w.Int(int64(l.made))
	w.Uint(l.issued)
	for i := range l.records {
		rec := &l.records[i]
		w.Row("key")
		w.Text(rec.scope.ClientID)
		w.Text(rec.scope.Method)
		w.Text(rec.scope.Path)
		w.Text(rec.scope.Key)
		w.Int(rec.payload.amount)
		w.Int(rec.payload.slot)
		w.Int(int64(rec.created))
		w.Uint(rec.ticket)
		w.Response(&rec.response)
	}
}

// Read returns the ledger with what is read from lines of Write; only of an empty one that makes sense.
func (l Ledger) Read(r *rows.Reader) Ledger {
	r.Need("ledger")
	l.made, l.issued = r.Count(), r.Uint()
	r.Next()
	for r.Is("key") {
		rec := record{
			scope:   Scope{r.Text(maxText), r.Text(maxText), r.Text(maxText), r.Text(maxText)},
			payload: fingerprint{r.Int(int64(clock.Min), int64(clock.Max)), r.Int(int64(clock.Min), int64(clock.Max))},
			created: r.Instant(), ticket: r.Uint(), response: r.Response(),
		}
		switch {
		case l.Has(rec.scope):
			r.Fault("the key stands twice")
		case rec.ticket > l.issued:
			r.Fault("there was no execution of that number")
		case (rec.ticket == 0) != (rec.response.Status != 0):
			r.Fault("a key is in flight or has an answer")
		}
		r.Next()
		if r.Err() == nil {
			l.put(rec)
		}
	}
	return l
}

// Serial numbers the execution that a ticket allows; 0 if no key is marked for it.
func (t Ticket) Serial() uint64 { return t.serial }

// TicketOf returns the ticket of a request under way, as it was issued under that number. ok is false for a number that
// was never issued.
func (l Ledger) TicketOf(r call.Request, serial uint64) (t Ticket, ok bool) {
	return Ticket{scope: ScopeOf(r), payload: fingerprintOf(r), serial: serial}, serial <= l.issued
}
