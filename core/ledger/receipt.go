package ledger

import (
	"retrylab.example/core/call"
	"retrylab.example/core/decision"
)

// explainFirst writes the rows of a request that is the first under its key.
func explainFirst(d *decision.Decision, r call.Request) {
	d.Add(decision.Term{Name: decision.Saved, Mark: decision.Off})
	d.Add(decision.Term{Name: decision.Payload, Value: r.Amount, Mark: decision.Off})
	if r.Slot != 0 {
		d.Add(decision.Term{Name: decision.Slot, Value: r.Slot, Mark: decision.Off})
	}
}

// explainKnown writes the rows of a request whose key is known.
func (l *Ledger) explainKnown(d *decision.Decision, rec *record, r call.Request) {
	if rec.ticket == 0 {
		d.Add(decision.Term{
			Name: decision.Saved, Value: int64(rec.response.Status), A: rec.response.Body.Total, B: int64(rec.created),
		})
	} else {
		d.Add(decision.Term{Name: decision.Saved, Mark: decision.Off})
		d.Add(l.leaseTerm(rec, decision.Plain))
	}
	d.Add(decision.Term{Name: decision.Payload, Value: r.Amount, A: rec.payload.amount})
	if r.Slot != 0 || rec.payload.slot != 0 {
		d.Add(decision.Term{Name: decision.Slot, Value: r.Slot, A: rec.payload.slot})
	}
}

func (l *Ledger) leaseTerm(rec *record, m decision.Mark) decision.Term {
	return decision.Term{Name: decision.WorkLease, Mark: m, Value: int64(l.until(rec)), A: int64(rec.created)}
}

// explainMismatch marks what differs. If it is one thing only, it says what would have followed without it.
func explainMismatch(d *decision.Decision, rec *record, sent fingerprint) {
	same := decision.Flip{Bound: decision.Exactly, Verdict: decision.Replay, Reason: decision.KeyKnown}
	if rec.ticket != 0 {
		same.Verdict, same.Reason, same.Wait = decision.Refuse, decision.KeyInFlight, InFlightWait
	}
	d.Mark(decision.Key, decision.Plain)
	amount, slot := rec.payload.amount != sent.amount, rec.payload.slot != sent.slot
	if amount {
		d.Mark(decision.Payload, decision.Decided)
		same.Name, same.Value = decision.Payload, rec.payload.amount
	}
	if slot {
		d.Mark(decision.Slot, decision.Decided)
		same.Name, same.Value = decision.Slot, rec.payload.slot
	}
	if amount != slot {
		d.AddFlip(same)
	}
}
