package timeline

import (
	"retrylab.example/core/event"
	"retrylab.example/wasm/view"
)

// guardLane is the lane of one mechanism in the wide drawing.
type guardLane struct {
	lane
	strip
	name, sub string
}

// Heights of the lanes of mechanisms.
const (
	circuitHeight = 46
	meterHeight   = 52
	workPitch     = 14
)

// layGuards sets lanes out from y on, and returns where they end.
func (w *wide) layGuards(y float64, strips []strip) float64 {
	for _, s := range strips {
		g := guardLane{strip: s, lane: lane{y, meterHeight}}
		switch {
		case s.circuit != nil:
			g.height = circuitHeight
			g.low, g.high = y+8, y+23
		case s.meter == nil:
			g.height = max(float64(w.story.guards.workRows())*workPitch+12, 40)
		default:
			g.low, g.high = y+45, y+10
		}
		g.name, g.sub = s.names()
		w.guards = append(w.guards, g)
		y = g.bottom()
	}
	return y
}

// names returns what a mechanism is called, and whose it is.
func (s *strip) names() (name, sub string) {
	whose := ""
	if len(s.in.Clients) > 1 {
		switch {
		case s.circuit != nil:
			whose = s.in.clientName(s.circuit.client)
		case s.meter != nil && s.meter.client >= 0:
			whose = s.in.clientName(s.meter.client)
		}
	}
	switch {
	case s.circuit != nil:
		return s.in.say("lane.breaker"), whose
	case s.works:
		return s.in.say("lane.work"), s.in.say("lane.partner")
	case s.meter.client >= 0:
		return s.in.say("lane.tokens"), whose
	case s.meter.kind == placesMeter:
		return s.meter.name, s.in.say("lane.places")
	}
	return s.in.say("lane." + meterNames[s.meter.kind]), s.meter.name
}

// drawGuards draws the lanes of the mechanisms.
func (w *wide) drawGuards() {
	for i := range w.guards {
		g := &w.guards[i]
		w.drawLane(g.lane, g.name, g.sub)
		g.draw()
		if g.works && g.meter == nil {
			w.drawWorks(g)
		}
	}
	for i := range w.guards {
		g := &w.guards[i]
		switch {
		case g.circuit != nil:
			w.sayCircuit(g)
		case g.meter != nil:
			mid := (g.low+g.high)/2 + 4
			text := g.meter.say(w.in)
			w.say(strong, place{text, w.now + 10, mid, left}, place{text, w.now - 8, mid, right})
		}
	}
}

// sayCircuit writes the states below their bands, the latest first, and the results that decide now beside the line of
// now.
func (w *wide) sayCircuit(g *guardLane) {
	c := g.circuit
	if cells := c.window(); cells != nil {
		x := w.now - 8 - cellsWidth(cells)
		if x < w.axis.from+2 {
			x = max(min(w.now+8, w.width-cellsWidth(cells)-2), w.axis.from+2)
		}
		w.drawCells(cells, x, g.top+30)
		text := c.say(w.in)
		after := max(x+cellsWidth(cells), w.now) + 8
		w.say(plain, place{text, after, g.top + 38, left}, place{text, x - 6, g.top + 38, right})
	} else if text := c.say(w.in); text != "" {
		w.say(plain, place{text, w.now - 8, g.top + 38, right}, place{text, w.now + 8, g.top + 38, left})
	}
	for i := len(c.spans) - 1; i >= 0; i-- {
		sp := c.spans[i]
		if i+1 < len(c.spans) && c.spans[i+1].from < w.axis.start || sp.from > w.axis.end {
			continue
		}
		state := w.in.Lang.Say("circuit." + sp.state)
		x, y := w.axis.in(sp.from)+2, g.top+38
		if sp.state == "open" {
			until := w.in.say("breaker.until", "until", decimals(sp.until))
			w.say(strong, place{until, x, y, left}, place{state, x, y, left})
		} else {
			w.say(plain, place{state, x, y, left})
		}
	}
}

// drawWorks draws what the partner works on, and what waits for that.
func (w *wide) drawWorks(g *guardLane) {
	var queued, began path
	for _, k := range w.story.guards.works {
		y := g.top + 6 + float64(k.row)*workPitch
		if k.queued != nil {
			x, end := w.axis.in(k.queued.At), w.in.Now
			if k.began != nil {
				end = k.began.At
			}
			if w.axis.meets(k.queued.At, end) {
				queued.rect(box{x, y + 2.5, w.axis.in(end) - x, workPitch - 8})
			}
			w.paint(noted{k.queued, ""}, x, y+5)
		}
		if k.began == nil || !w.axis.meets(k.began.At, k.end) {
			continue
		}
		x := w.axis.in(k.began.At)
		b := box{x, y, max(w.axis.in(min(k.end, w.axis.end))-x, 1), workPitch - 3}
		began.rect(b)
		w.paint(noted{k.began, ""}, x, y+5)
		w.sayWork(k.began, b)
	}
	w.put(barLayer, queued.node("mt mt--queued", view.A("fill", "url(#p-queued)"))...)
	w.put(barLayer, began.node("pl-place pl-work")...)
}

func (w *wide) sayWork(e *event.Event, b box) {
	if w.dense {
		return
	}
	until := w.in.say("place.short", "until", decimals(e.Until))
	who := w.in.say("work", "client", w.in.clientName(e.Request.Client), "call", count(e.Request.Call))
	for _, t := range []string{who + ", " + until, who} {
		if textWidth(t, inBar)+12 < b.w {
			w.put(textLayer, label(faceClass[inBar], b.x+6, b.y+9, left, t))
			return
		}
	}
}

// drawLoose finds a place for events that no lane shows: those of calls without an attempt, and answers that stand in.
func (w *wide) drawLoose() {
	for _, c := range w.story.calls {
		if c.last == nil {
			l := w.clients[min(c.start.Request.Client, len(w.clients)-1)]
			w.also(c.start, w.axis.in(c.start.At), l.top+w.m.token)
		}
	}
	for _, e := range w.story.loose {
		x, y := w.axis.in(e.At), w.partnerY
		if e.Who == event.Client {
			l := w.clients[min(e.Request.Client, len(w.clients)-1)]
			y = l.top + w.m.token
		}
		w.also(e, x, y)
	}
}
