package timeline

import (
	"retrylab.example/core/event"
)

// drawPartner draws the arrivals of the client's requests and the places that they took.
func (t *tall) drawPartner() {
	width := max(14/float64(t.story.placeRows), 2)
	for _, a := range t.story.attempts {
		e := a.arrival()
		if e == nil {
			continue
		}
		y := t.axis.in(e.At)
		if a.place >= 0 && t.axis.meets(a.admitted.At, a.admitted.Until) {
			t.drawPlace(a, t.partnerX-7+width*float64(a.place), width)
		}
		t.also(a.arrived, t.partnerX, y)
		if a.admitted != nil && e != a.admitted {
			t.also(a.admitted, t.partnerX, y)
		}
		t.mark(e, doorMark(e), t.partnerX, y)
		if a.crash != nil && e != a.crash {
			t.mark(a.crash, "crash", t.partnerX, y+12)
		}
	}
	for _, a := range t.story.attempts {
		if e := a.arrival(); e != nil && t.axis.sees(e.At) {
			t.sayDoor(a, e)
			if a.place >= 0 && a.admitted.Until < t.axis.end {
				word := t.in.say("room")
				t.say(plain, place{word, t.partnerX + 13, t.axis.in(a.admitted.Until) + 1, left})
			}
		}
	}
}

func (t *tall) drawPlace(a *attemptStory, x, width float64) {
	e := a.admitted
	y := t.axis.in(e.At)
	if e.Until > t.axis.end {
		var p path
		p.move(x, t.height).v(y).h(x + width).v(t.height)
		t.put(barLayer, p.node("pl-place pl-place--open", t.click(e.Seq))...)
		return
	}
	t.put(barLayer, rect("pl-place", box{x, y, width, t.axis.in(e.Until) - y}, min(3, width/2), ""))
}

func (t *tall) sayDoor(a *attemptStory, e *event.Event) {
	f, texts := strong, []string{}
	switch {
	case a.crash != nil:
		f, texts = failure, []string{t.in.say("crash")}
	case e.Kind == event.RequestRefused || e.Kind == event.RequestAnswered:
		texts = []string{count(e.Response.Status)}
	case e.Kind == event.RequestAdmitted:
		f, texts = plain, []string{t.in.say("admitted")}
	case a.applied == nil && a.replay == nil:
		f, texts = plain, []string{t.in.say("arrived")}
	}
	y := t.axis.in(e.At) + 4
	if y-4 > t.now-8 {
		y += 13 // not on the line of now
	}
	for _, text := range texts {
		if textWidth(text, f) <= t.wordsEnd()-t.partnerX-14 {
			x := t.partnerX + 13
			t.say(f, place{text, x, y, left}, place{text, x, y + 13, left}, place{text, x, y - 13, left})
		}
	}
}

// The ledger's column: its width, and where its first record stands, and each further one.
const (
	ledgerWidth  = 44.0
	recordInset  = 6.0
	recordAcross = 9.0
)

// wordsEnd is where what the partner did may be written up to.
func (t *tall) wordsEnd() float64 {
	if t.ledger > 0 {
		return t.ledger
	}
	return t.effects
}

// drawLedger draws how long the ledger kept each key, and each time that it was looked up; what is saved stands in the
// table.
func (t *tall) drawLedger() {
	if t.ledger == 0 {
		return
	}
	x := func(r *record) float64 { return t.ledger + recordInset + recordAcross*float64(r.row) }
	for _, r := range t.story.records {
		end := t.axis.in(min(r.until, t.in.Now))
		if !t.axis.meets(r.first().At, min(r.until, t.in.Now)) {
			continue
		}
		if r.begun != nil {
			to := end
			if r.made != nil {
				to = t.axis.in(r.made.At)
			}
			var p path
			p.rect(vertical(x(r), recordAcross-2, t.axis.in(r.begun.At), to))
			t.put(barLayer, p.node("lg-flight", t.click(r.begun.Seq))...)
		}
		if r.made != nil {
			from := t.axis.in(r.made.At)
			var p path
			p.rect(vertical(x(r), recordAcross-2, from, max(end, from+1)))
			t.put(barLayer, p.node("lg-key", t.click(r.made.Seq))...)
		}
	}
	for _, a := range t.story.attempts {
		for _, e := range []*event.Event{a.replay, a.refused} {
			if r := t.story.recordAt(e); r != nil && t.axis.sees(e.At) {
				t.put(tokenLayer, lookUp(x(r)+recordAcross/2-1, t.axis.in(e.At)))
			}
		}
	}
}

// drawEffects draws what was added, and the replays joined to their first effect.
func (t *tall) drawEffects() {
	for _, a := range t.story.attempts {
		if e, shape := a.effect(); e != nil {
			t.mark(e, shape, t.effectsX, t.axis.in(e.At))
		}
	}
	named := false
	for _, a := range t.story.attempts {
		if a.replay == nil || a.first == nil {
			continue
		}
		from, to := t.axis.in(a.first.applied.At)+8, t.axis.in(a.replay.At)-8
		if to <= from || !t.axis.meets(a.first.applied.At, a.replay.At) {
			continue
		}
		var p path
		t.put(linkLayer, p.move(t.effectsX, from).v(to).node("tl-link tl-link--replay")...)
		if !named && to-from > 40 {
			_, named = t.sheet.say(mono, place{clip(a.req.Key, mono, t.width-t.effectsX-8), t.effectsX + 7, (from+to)/2 + 4, left})
		}
	}
	for _, a := range t.story.attempts {
		e, _ := a.effect()
		if e == nil || !t.axis.sees(e.At) {
			continue
		}
		y := t.axis.in(e.At)
		if a.replay != nil {
			word := t.in.say("replayed")
			x := min(t.effectsX+4, t.width-textWidth(word, strong)/2)
			t.say(strong, place{word, x, y + 21, middle}, place{word, x, y - 14, middle})
			continue
		}
		delta := signed(e.Delta)
		t.say(strong, place{delta, t.effectsX + 13, y + 4, left}, place{delta, t.effectsX + 13, y - 9, left})
	}
}
