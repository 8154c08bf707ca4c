package text

import (
	"time"

	"retrylab.example/core/clock"
	"retrylab.example/core/decision"
	"retrylab.example/core/event"
)

// partnerAnswer answers the one question of a partner's leases and reservations.
func (l Lang) partnerAnswer(r decision.Reason) string {
	switch r {
	case decision.KeyInFlight:
		return l.Say("answer.in-flight")
	case decision.LeaseOver:
		return l.Say("answer.no-result")
	case decision.SlotUnknown:
		return l.Say("answer.no-slot")
	case decision.ReservationUnknown:
		return l.Say("answer.no-reservation")
	case decision.AlreadyCancelled:
		return l.Say("answer.done-before")
	}
	return none
}

// partnerArgs returns the numbers of one row about leases and reservations.
func partnerArgs(t decision.Term) []string {
	switch t.Name {
	case decision.WorkLease:
		return []string{"lease-until", instant(clock.Instant(t.Value)), "begun", seconds(time.Duration(t.A))}
	case decision.Slot:
		return []string{"slot", number(t.Value), "slot-first", number(t.A)}
	case decision.Places:
		return []string{"taken", number(t.Value), "slot-places", number(t.A), "wanted", number(t.B)}
	case decision.Reservation:
		return []string{"reservation", number(t.Value)}
	}
	return nil
}

// partnerValue returns what stands at the end of a row about reservations; ours is false for any other row.
func (l Lang) partnerValue(t decision.Term) (value string, ours bool) {
	switch t.Name {
	case decision.Slot, decision.Reservation:
		return number(t.Value), true
	case decision.Places:
		return l.Say("value.places", "n", number(t.Value), "places", number(t.A)), true
	}
	return "", false
}

// partnerNote returns the message of the small note in a row about leases and reservations.
func partnerNote(e *event.Event, t decision.Term) (name string, ours bool) {
	switch t.Name {
	case decision.WorkLease:
		return variant("note.work-lease", e.Decision.Reason == decision.LeaseOver, "over"), true
	case decision.Slot:
		switch {
		case e.Decision.Reason == decision.SlotUnknown:
			return "note.slot.unknown", true
		case t.Mark != decision.Off && t.Value != t.A:
			return "note.slot.other", true
		}
		return "note.slot", true
	case decision.Places, decision.Reservation:
		return "note." + t.Name.String(), true
	}
	return "", false
}
