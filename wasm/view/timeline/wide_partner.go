package timeline

import (
	"time"

	"retrylab.example/core/clock"
	"retrylab.example/core/decision"
	"retrylab.example/core/event"
	"retrylab.example/wasm/view"
)

// placeRow is how high the bars of taken places are, by how many must lie below each other.
func placeRow(rows int) (height, pitch float64) {
	switch {
	case rows <= 3:
		return 17, 20
	case rows <= 8:
		return 8, 10
	}
	return 3, max(80/float64(rows), 1)
}

// layPlaces gives every taken place a row of its own while it is taken, and returns how many rows there are, 1 at least.
func layPlaces(attempts []*attemptStory) int {
	var busy []clock.Instant
	for _, a := range attempts {
		a.place = -1
		if takesPlace(a.admitted) {
			a.place = 0
			for a.place < len(busy) && busy[a.place] > a.admitted.At {
				a.place++
			}
			if a.place == len(busy) {
				busy = append(busy, 0)
			}
			busy[a.place] = a.admitted.Until
		}
	}
	return max(len(busy), 1)
}

// takesPlace reports whether an admitted request takes a place of the sliding window for a time.
func takesPlace(e *event.Event) bool {
	if e == nil || e.Until <= e.At {
		return false
	}
	_, ok := e.Decision.Term(decision.Counted)
	return ok
}

func (w *wide) partnerHeight() float64 {
	if !w.in.HasLimit {
		return 38
	}
	n := w.story.placeRows
	height, pitch := placeRow(n)
	return 32 + pitch*float64(n-1) + height + 29
}

// drawPartner draws what reached the partner and what its limiter made of it.
func (w *wide) drawPartner() {
	for _, a := range w.story.attempts {
		w.drawDoor(a)
		if a.place >= 0 {
			w.drawPlace(a)
		}
	}
	w.drawWindow()
	for _, a := range w.story.attempts {
		w.sayDoor(a)
	}
}

// drawDoor marks the arrival of a request by what became of it.
func (w *wide) drawDoor(a *attemptStory) {
	e := a.arrival()
	if e == nil {
		return
	}
	x := w.axis.in(e.At)
	w.also(a.arrived, x, w.partnerY)
	if a.admitted != nil && e != a.admitted {
		w.also(a.admitted, x, w.partnerY)
	}
	w.mark(e, doorMark(e), x, w.partnerY)
	if a.crash != nil && e != a.crash {
		w.mark(a.crash, "crash", x+10, w.partnerY)
	}
}

// doorMark is the shape of an arrival in the partner's lane.
func doorMark(e *event.Event) string {
	switch e.Kind {
	case event.RequestRefused:
		return refusalMark(e)
	case event.PartnerCrashed:
		return "crash"
	}
	return "admitted"
}

func refusalMark(e *event.Event) string {
	if e.Response.Status == 429 {
		return "throttled"
	}
	return "refused"
}

func (w *wide) sayDoor(a *attemptStory) {
	e := a.arrival()
	if e == nil || !w.axis.sees(e.At) {
		return
	}
	x, y := w.axis.in(e.At), w.partnerY+4
	f, gap := strong, 13.0
	texts := []string{}
	switch e.Kind {
	case event.RequestRefused, event.RequestAnswered:
		status := count(e.Response.Status)
		if e.Response.HasRetryAfter {
			texts = append(texts, status+", Retry-After: "+clip(e.Response.RetryAfter, strong, 84))
		}
		texts = append(texts, status)
	case event.RequestAdmitted:
		f, gap = plain, 9
		texts = append(texts, w.in.say("admitted"))
	case event.RequestArrived:
		f, gap = plain, 9
		if !w.in.HasLimit && a.applied == nil && a.replay == nil {
			texts = append(texts, w.in.say("arrived"))
		}
	}
	if a.crash != nil {
		f, gap = failure, 12
		if e != a.crash {
			gap = 20
		}
		texts = []string{w.in.say(a.crash.Fault.String()), w.in.say("crash")}
	}
	var places []place
	for _, t := range texts {
		places = append(places, place{t, x + gap, y, left}, place{t, x - gap, y, right})
		if f == failure {
			places = append(places, place{t, x + 4, y - 15.5, left})
		}
	}
	w.say(f, places...)
}

// drawPlace draws how long an admitted request takes a place.
func (w *wide) drawPlace(a *attemptStory) {
	e := a.admitted
	if !w.axis.meets(e.At, e.Until) {
		return
	}
	height, pitch := placeRow(w.story.placeRows)
	b := box{w.axis.in(e.At), w.partner.top + 32 + float64(a.place)*pitch, 0, height}
	b.w = w.axis.in(e.Until) - b.x
	if e.Until > w.axis.end {
		var p path
		p.move(w.plotEnd(), b.y).h(b.x).v(b.y + b.h).h(w.plotEnd())
		w.put(barLayer, p.node("pl-place pl-place--open", w.click(e.Seq))...)
	} else {
		n := rect("pl-place", b, min(3, height/2), "")
		if h, ok := w.click(e.Seq).(*view.Handler); ok {
			n.On = append(n.On, *h)
		}
		w.put(barLayer, n)
	}
	if height < 17 {
		return
	}
	who := count(a.req.Attempt)
	if len(w.in.Clients) > 1 {
		who = w.in.clientName(a.req.Client) + " " + who
	}
	until := decimals(e.Until)
	for _, t := range []string{
		w.in.say("place.long", "attempt", who, "until", until), w.in.say("place.short", "until", until),
	} {
		if textWidth(t, inBar) <= b.w-16 {
			w.put(textLayer, label(faceClass[inBar], b.x+10, b.y+12.5, left, t))
			return
		}
	}
}

// drawWindow draws the requests that the limiter counted: its left end is open, its right end is closed.
func (w *wide) drawWindow() {
	e := w.story.counted
	if e == nil || !w.in.HasLimit {
		return
	}
	counted, _ := e.Decision.Term(decision.Counted)
	height, pitch := placeRow(w.story.placeRows)
	bottom := w.partner.top + 32 + pitch*float64(w.story.placeRows-1) + height
	y := bottom + 13
	to, opens := w.axis.in(e.At), e.At.Add(-time.Duration(counted.B))
	if !w.axis.meets(opens, e.At) {
		return
	}
	from := w.axis.in(opens)
	var p path
	if opens >= 0 && w.axis.sees(opens) {
		p.move(from+3.5, y).h(to).move(from, y-3.5).v(y - 9)
		w.put(barLayer, circle("pl-window__open", from, y, 3.5))
	} else {
		p.move(from, y).h(to)
	}
	if w.axis.sees(e.At) {
		p.move(to, y).v(y - 9)
	}
	w.put(barLayer, p.node("pl-window")...)
	if w.axis.sees(e.At) {
		w.put(barLayer, circle("pl-window__closed", to, y, 3.5))
	}
	w.take(box{to - 4, y - 4, 8, 8}, box{from - 4, y - 4, 8, 8})
	w.sayWindow(e, counted, from, to, y)
}

func (w *wide) sayWindow(e *event.Event, counted decision.Term, from, to, y float64) {
	text := w.in.say("window",
		"window", w.in.say("seconds", "n", tick(clock.Instant(counted.B))),
		"counted", count(int(counted.Value)), "limit", count(int(counted.A)))
	if len(w.in.Clients) > 1 {
		text = e.Request.ClientID + ": " + text
	}
	if textWidth(text, plain)+24 < to-from {
		w.plate(text, (from+to)/2, y+4)
		return
	}
	w.say(plain, place{text, to + 10, y + 4, left}, place{text, from - 10, y + 4, right})
}

// plate writes a text in the middle of a line, which it interrupts.
func (w *wide) plate(text string, x, y float64) {
	b := place{text, x, y, middle}.box(plain)
	w.put(textLayer, rect("plate", box{b.x - 6, y - 13, b.w + 12, 18}, 0, ""), label(faceClass[plain], x, y, middle, text))
	w.take(b)
}
