package timeline

import (
	"time"

	"retrylab.example/core/clock"
	"retrylab.example/core/decision"
	"retrylab.example/core/event"
)

// maxRows is how many rows a lane has at most. More attempts than that fold back to the rows above.
const maxRows = 6

// assignRows gives every attempt of a client its row, and returns how many rows there are. The attempts of one call
// step down; the next call begins at the top again if there is room. A row is chosen by what was known when the
// attempt was sent, so that it never changes later.
func assignRows(attempts []*attemptStory, pad clock.Instant) int {
	var busy []usedRow
	prev := map[*callStory]int{}
	for _, a := range attempts {
		from := 0
		if last, ok := prev[a.call]; ok {
			from = last + 1
		}
		row := freeRow(&busy, from, a.from())
		a.row, prev[a.call] = row, row
		busy[row] = usedRow{a.from(), a.busyUntil().Add(time.Duration(pad))}
	}
	return len(busy)
}

// usedRow is from when and until when a row is used.
type usedRow struct{ from, until clock.Instant }

// freeRow returns a row that is free, else the one whose attempt began first: when that one ends is not known yet.
func freeRow(busy *[]usedRow, from int, start clock.Instant) int {
	for r := from; r < len(*busy); r++ {
		if (*busy)[r].until <= start {
			return r
		}
	}
	if len(*busy) < maxRows {
		*busy = append(*busy, usedRow{})
		return len(*busy) - 1
	}
	oldest := 0
	for r, u := range *busy {
		if u.from < (*busy)[oldest].from {
			oldest = r
		}
	}
	return oldest
}

// busyUntil is how far to the right the row of an attempt is used.
func (a *attemptStory) busyUntil() clock.Instant {
	until, ended := a.end()
	switch {
	case !ended && a.notSent != nil:
		return a.notSent.At
	case a.gone != nil:
		return a.gone.At
	case !ended || a.decided == nil:
		return clock.Max
	case !drawsWait(a.decided):
		return until
	}
	w := waitOf(a.decided)
	return until.Add(max(w.longest, w.local, w.asked, w.chosen))
}

// wait is what a decision to wait chose from.
type wait struct {
	longest, local, asked, chosen time.Duration
	// drawn says that jitter was used; text is Retry-After as sent, with sent false where there was none.
	drawn         bool
	text          string
	sent, ignored bool
	// by is the row that decided.
	by decision.Name
}

func waitOf(e *event.Event) wait {
	w := wait{chosen: e.Decision.Wait}
	if j, ok := e.Decision.Term(decision.Jitter); ok {
		w.local, w.longest, w.drawn = time.Duration(j.Value), time.Duration(j.A), j.Mark != decision.Off
	}
	if r, ok := e.Decision.Term(decision.RetryAfter); ok && r.Mark != decision.Off {
		w.asked, w.text, w.sent, w.ignored = time.Duration(r.Value), r.Text, true, r.Mark == decision.Ignored
	}
	for _, t := range e.Decision.Terms() {
		if t.Mark == decision.Decided {
			w.by = t.Name
		}
	}
	return w
}
