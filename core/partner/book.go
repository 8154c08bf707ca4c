package partner

import (
	"cmp"
	"errors"
	"slices"
	"strconv"

	"retrylab.example/core/call"
	"retrylab.example/core/decision"
)

// Slots are what reservations take places of. The zero value is DefaultSlots.
type Slots struct {
	// Count is how many slots there are, numbered from 1, and Places how many places each has.
	Count  int
	Places int64
}

// DefaultSlots are three slots with one place each: the second to ask for one meets a conflict.
var DefaultSlots = Slots{Count: 3, Places: 1}

// MaxSlots bounds the slots, which are kept in memory.
const MaxSlots = 100

// ErrSlots is returned for slots or places out of range.
var ErrSlots = errors.New("a partner has 1 to 100 slots with 1 to 1,000,000,000 places each")

// book holds the reservations. A place is taken by exactly one of them, until that is cancelled.
type book struct {
	places  int64
	taken   []int64 // by slot
	waiting []int64
	line    []call.Request // those of the waitlist who take notices, in their order
	made    []reservation  // by number
	issued  int64
}

type reservation struct {
	id     int64
	by     string
	slot   int64
	amount int64
}

func newBook(s Slots) book {
	if s.Count == 0 {
		s.Count = DefaultSlots.Count
	}
	if s.Places == 0 {
		s.Places = DefaultSlots.Places
	}
	count := min(max(s.Count, 0), MaxSlots)
	return book{places: s.Places, taken: make([]int64, count), waiting: make([]int64, count)}
}

func (b book) clone() book {
	b.taken = append([]int64(nil), b.taken...)
	b.waiting = append([]int64(nil), b.waiting...)
	b.made = append([]reservation(nil), b.made...)
	b.line = append([]call.Request(nil), b.line...)
	return b
}

func (b *book) free(slot int64) int64 { return b.places - b.taken[slot-1] }

// find returns the place of a reservation in the list.
func (b *book) find(id int64) (int, bool) {
	return slices.BinarySearchFunc(b.made, id, func(v reservation, id int64) int { return cmp.Compare(v.id, id) })
}

// reservation returns a reservation of a caller; another's is not there for it.
func (b *book) reservation(id int64, by string) (reservation, bool) {
	i, ok := b.find(id)
	if !ok || b.made[i].by != by {
		return reservation{}, false
	}
	return b.made[i], true
}

// reserve plans to take places of a slot, if it has as many left.
func (b *book) reserve(r *call.Request, res *Result) (e effect, ok bool) {
	if free := b.free(r.Slot); r.Amount > free {
		reason := res.Answer.Reason // with which it would be executed
		d := refusal(decision.SlotFull)
		d.Add(decision.Term{
			Name: decision.Places, Value: b.taken[r.Slot-1], A: b.places, B: r.Amount, Mark: decision.Decided,
		})
		d.Add(decision.Term{Name: decision.Slot, Value: r.Slot, Mark: decision.Off})
		if r.Amount <= b.places {
			d.AddFlip(decision.Flip{
				Name: decision.Places, Bound: decision.AtMost, Value: b.places - r.Amount,
				Verdict: decision.Apply, Reason: reason,
			})
		}
		if free > 0 {
			d.AddFlip(decision.Flip{
				Name: decision.Payload, Bound: decision.AtMost, Value: free, Verdict: decision.Apply, Reason: reason,
			})
		}
		res.Answer, res.Response = d, call.Response{Status: 409, Body: call.Body{Code: "conflict"}}
		return e, false
	}
	v := reservation{id: b.issued + 1, by: r.ClientID, slot: r.Slot, amount: r.Amount}
	res.Response = call.Response{Status: 201, Location: v.path(), Body: call.Body{Text: v.text()}}
	return effect{delta: r.Amount, made: v, kind: reserve}, true
}

// cancel plans to give the places of a reservation back. Of one that was cancelled before it says so: whoever asks again
// because the first answer was lost wants nothing else.
func (b *book) cancel(r *call.Request, res *Result) (e effect, ok bool) {
	id, _ := reservationID(r.Path)
	i, there := b.find(id)
	mine := there && b.made[i].by == r.ClientID
	if !mine && (there || id > b.issued) {
		res.Answer, res.Response = refusal(decision.ReservationUnknown), call.Response{Status: 404, Body: call.Body{Code: "not_found"}}
		res.Answer.Add(decision.Term{Name: decision.Reservation, Value: id, Mark: decision.Decided})
		return e, false
	}
	res.Response = call.Response{Status: 200, Body: call.Body{
		Text: `{"reservation":` + strconv.FormatInt(id, 10) + `,"cancelled":true}`,
	}}
	if !there {
		res.Answer = decision.Decision{Verdict: decision.Return, Reason: decision.AlreadyCancelled}
		res.Answer.Add(decision.Term{Name: decision.Reservation, Value: id, Mark: decision.Decided})
		return e, false
	}
	return effect{delta: -b.made[i].amount, made: b.made[i], kind: cancel}, true
}

// wait plans to join the line of a slot, which has no end.
func (b *book) wait(r *call.Request, res *Result) effect {
	res.Response = call.Response{Status: 201, Body: call.Body{
		Text: `{"slot":` + strconv.FormatInt(r.Slot, 10) + `,"ahead":` + strconv.FormatInt(b.waiting[r.Slot-1], 10) + `}`,
	}}
	return effect{delta: r.Amount, made: reservation{slot: r.Slot, amount: r.Amount}, kind: joinWaitlist}
}

// apply does what was planned.
func (b *book) apply(e effect) {
	v := e.made
	switch e.kind {
	case reserve:
		b.issued++
		b.taken[v.slot-1] += v.amount
		b.made = append(b.made, v)
	case cancel:
		i, _ := b.find(v.id)
		b.taken[v.slot-1] -= v.amount
		b.made = append(b.made[:i], b.made[i+1:]...)
	case joinWaitlist:
		b.waiting[v.slot-1] += v.amount
	}
}

// notify takes those out of the line of a slot whose turn has come: the first, if there are as many places as it waits for,
// and those behind it as far as the places reach. Whoever comes first takes them, told or not.
func (b *book) notify(slot int64) (told []call.Request) {
	free, kept := b.free(slot), b.line[:0]
	for _, r := range b.line {
		if r.Slot != slot || r.Amount > free {
			if r.Slot == slot {
				free = 0 // nobody overtakes
			}
			kept = append(kept, r)
			continue
		}
		free -= r.Amount
		b.waiting[slot-1] -= r.Amount
		told = append(told, r)
	}
	b.line = kept
	return told
}

func (v reservation) path() string { return call.Reservations + "/" + strconv.FormatInt(v.id, 10) }

func (v reservation) text() string {
	return `{"reservation":` + strconv.FormatInt(v.id, 10) + `,"slot":` + strconv.FormatInt(v.slot, 10) +
		`,"amount":` + strconv.FormatInt(v.amount, 10) + `}`
}

// text lists the slots.
func (b *book) text() string {
	list := []byte(`{"slots":[`)
	for i := range b.taken {
		if i > 0 {
			list = append(list, ',')
		}
		list = strconv.AppendInt(append(list, `{"slot":`...), int64(i+1), 10)
		list = strconv.AppendInt(append(list, `,"free":`...), b.free(int64(i+1)), 10)
		list = append(list, '}')
	}
	return string(append(list, "]}"...))
}
