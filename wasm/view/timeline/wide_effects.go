package timeline

import (
	"retrylab.example/core/clock"
	"retrylab.example/core/decision"
	"retrylab.example/core/event"
	"retrylab.example/core/ledger"
	"retrylab.example/wasm/view"
)

// recordRows is how many records the ledger's lane shows below each other; further ones share the last row.
const recordRows = 4

// layRecords gives every record its row, and returns how many rows there are.
func layRecords(records []*record) int {
	n := 0
	var busy []clock.Instant
	for _, r := range records {
		r.row = 0
		for r.row < len(busy) && busy[r.row] > r.first().At {
			r.row++
		}
		if r.row == len(busy) && len(busy) < recordRows {
			busy = append(busy, 0)
		}
		r.row = min(r.row, recordRows-1)
		busy[r.row] = r.until
		n = max(n, r.row+1)
	}
	return n
}

func (w *wide) ledgerHeight() float64 { return 14 + 22*float64(max(w.story.recordRows, 1)) }

// drawLedger draws what is kept under each key, and each time that it was looked up.
func (w *wide) drawLedger() {
	if !w.in.HasLedger {
		return
	}
	if len(w.story.calls) > 0 && !w.story.keyed {
		text := w.in.say("ledger.noKey")
		w.say(plain, place{text, w.axis.from + 10, w.ledger.top + 22, left})
	}
	for _, a := range w.story.attempts {
		for _, e := range []*event.Event{a.replay, a.refused} {
			if r := w.story.recordAt(e); r != nil && w.axis.sees(e.At) {
				x, y := w.axis.in(e.At), w.ledger.top+17+22*float64(r.row)
				w.put(tokenLayer, lookUp(x, y))
				w.take(box{x - 6, y - 9, 12, 18})
			}
		}
	}
	for _, r := range w.story.records {
		w.drawRecord(r)
	}
}

// recordAt returns the record that an event looked up.
func (s *story) recordAt(e *event.Event) *record {
	if e == nil || !looksUp(e) {
		return nil
	}
	for _, r := range s.records {
		if f := r.first(); ledger.ScopeOf(f.Request) == ledger.ScopeOf(e.Request) && f.At <= e.At && e.At < r.until {
			return r
		}
	}
	return nil
}

func lookUp(x, y float64) view.Node {
	var p path
	p.move(x-5, y).line(x, y-5).line(x+5, y).line(x, y+5)
	p.b = append(p.b, 'Z')
	return p.node("lg-look")[0]
}

func (w *wide) drawRecord(r *record) {
	w.drawInFlight(r)
	if r.made == nil || !w.axis.meets(r.made.At, min(r.until, w.in.Now)) {
		return
	}
	x, end := w.axis.in(r.made.At), w.now
	over := r.until < w.in.Now
	if over {
		end = w.axis.in(r.until)
	}
	y := w.ledger.top + 8 + 22*float64(r.row)
	var p path
	if end-x > 8 {
		p.move(end, y).h(x + 4)
		p.b = append(p.b, "q-4 0-4 4"...)
		p.v(y + 14)
		p.b = append(p.b, "q0 4 4 4"...)
		p.h(end)
	} else {
		p.move(max(end, x+1), y).h(x).v(y + 18).h(max(end, x+1))
	}
	if over {
		p.v(y) // a record that has come to its end is closed
	}
	w.put(barLayer, p.node("lg-key", w.click(r.made.Seq))...)
	q := r.made.Request
	saved := w.in.say("ledger.saved", "status", count(r.made.Response.Status), "total", count(int(r.made.Total)))
	long := q.Key + ": " + requestText(q, false) + " → " + saved
	for _, t := range []string{long, q.Key + " → " + saved, q.Key} {
		if textWidth(t, monoInBar) > end-x-20 {
			continue
		}
		if _, ok := w.say(monoInBar, place{t, x + 12, y + 13, left}); ok {
			return
		}
	}
	// A record that was just made is narrower than its text, which then stands beside it.
	if r.until > w.in.Now {
		w.say(mono, place{long, end + 12, y + 13, left}, place{q.Key + " → " + saved, end + 12, y + 13, left},
			place{q.Key, end + 12, y + 13, left}, place{q.Key, x - 8, y + 13, right})
	} else if w.in.KeyLifetime > 0 && r.until == r.first().At.Add(w.in.KeyLifetime) {
		w.say(plain, place{w.in.say("ledger.expired", "key", q.Key), end + 6, y + 13, left})
	}
}

// drawInFlight draws a key whose request is worked on: nothing is saved under it yet.
func (w *wide) drawInFlight(r *record) {
	if r.begun == nil {
		return
	}
	to := min(r.until, w.in.Now)
	if r.made != nil {
		to = r.made.At
	}
	if !w.axis.meets(r.begun.At, to) {
		return
	}
	x, end := w.axis.in(r.begun.At), w.axis.in(to)
	y := w.ledger.top + 8 + 22*float64(r.row)
	var p path
	w.put(barLayer, p.move(end, y).h(x).v(y+18).h(end).node("lg-flight", w.click(r.begun.Seq))...)
	text := w.in.say("ledger.in-flight", "key", r.begun.Request.Key)
	for _, t := range []string{text, r.begun.Request.Key} {
		if textWidth(t, monoInBar) < end-x-10 {
			w.say(monoInBar, place{t, x + 6, y + 13, left})
			return
		}
	}
	if r.made == nil {
		w.say(mono, place{text, end + 10, y + 13, left})
	}
}

// drawEffects draws what was really added, and the replays that added nothing.
func (w *wide) drawEffects() {
	y := w.effects.top + 18
	for _, a := range w.story.attempts {
		e, shape := a.effect()
		if e == nil {
			continue
		}
		x := w.axis.in(e.At)
		w.mark(e, shape, x, y)
		if !w.axis.sees(e.At) {
			continue
		}
		var p path
		w.put(linkLayer, p.move(x, w.partnerY).v(y+2).node("tl-stem")...)
	}
	explained := false
	for _, a := range w.story.attempts {
		if a.replay != nil && a.first != nil {
			explained = w.joinReplay(a, y, !explained) || explained
		}
	}
	for _, a := range w.story.attempts {
		if e, _ := a.effect(); e != nil && w.axis.sees(e.At) {
			w.sayEffect(a, e, w.axis.in(e.At), y)
		}
	}
}

// effect returns the event that changed the total, or repeated a change, and its shape.
func (a *attemptStory) effect() (*event.Event, string) {
	switch {
	case a.replay != nil:
		return a.replay, "replayed"
	case a.applied != nil && a.duplicate:
		return a.applied, "dup"
	case a.applied != nil:
		return a.applied, "applied"
	}
	return nil, ""
}

// joinReplay draws the dashed line from a replay back to its first effect, and says why if there is room.
func (w *wide) joinReplay(a *attemptStory, y float64, explain bool) bool {
	from, to := w.axis.in(a.replay.At), w.axis.in(a.first.applied.At)
	if from-to < 20 {
		return false
	}
	bend := min(40, (from-to)/3)
	var p path
	p.move(from-8, y+2).op('C', from-bend, y+14, to+bend, y+14, to+9, y+3)
	w.put(linkLayer, p.node("tl-link tl-link--replay")...)
	for _, t := range []string{w.in.say("replay.long"), w.in.say("replay.short")} {
		b := place{t, (from + to) / 2, y + 15, middle}.box(plain)
		if explain && b.w+2*bend < from-to && w.free(b) {
			w.plate(t, (from+to)/2, y+15)
			return true
		}
	}
	return false
}

func (w *wide) sayEffect(a *attemptStory, e *event.Event, x, y float64) {
	delta := signed(e.Delta)
	texts := []string{w.in.say("effect", "delta", delta, "total", count(int(e.Total))), delta}
	base := y - 1
	if a.replay != nil {
		texts = []string{w.in.say("replayed.zero"), w.in.say("replayed")}
		base = y + 4
	}
	var places []place
	for _, t := range texts {
		places = append(places, place{t, x + 13, base, left}, place{t, x - 13, base, right})
	}
	w.say(strong, places...)
}

func signed(n int64) string {
	if n < 0 {
		return "−" + count(int(-n))
	}
	return "+" + count(int(n))
}

// looksUp reports whether an event found a record under its key.
func looksUp(e *event.Event) bool {
	switch e.Decision.Reason {
	case decision.KeyMismatch, decision.KeyInFlight:
		return true
	}
	return e.Kind == event.ReplyReplayed
}
