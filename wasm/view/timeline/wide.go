package timeline

import (
	"math"
	"strconv"

	"retrylab.example/core/clock"
	"retrylab.example/core/decision"
	"retrylab.example/core/event"
	"retrylab.example/wasm/view"
)

// rowMetric is how an attempt's row is set out, in pixels below the top of the row.
type rowMetric struct {
	pitch, token      float64
	bar, barH         float64
	diamond           float64
	rangeY, rangeH    float64 // the three tracks of a wait, below the top of the bar
	jitterY, jitterH  float64
	afterY, afterH    float64
	tickFrom, tickTo  float64
	heavyFrom, heavyT float64
	flagH             float64
}

// roomy rows are for the usual three attempts, tight ones for more of them or several clients.
var (
	roomy = rowMetric{
		pitch: 52, token: 17, bar: 29, barH: 20, diamond: 57, rangeY: 0.75, rangeH: 5, jitterY: 8, jitterH: 5,
		afterY: 16, afterH: 3, tickFrom: 5.5, tickTo: 15.5, heavyFrom: -4, heavyT: 22, flagH: 17,
	}
	tight = rowMetric{
		pitch: 37, token: 13, bar: 23, barH: 16, diamond: 46, rangeY: 0.75, rangeH: 4, jitterY: 7, jitterH: 4,
		afterY: 13.5, afterH: 2.5, tickFrom: 4.5, tickTo: 13.5, heavyFrom: -4, heavyT: 18, flagH: 14,
	}
)

// laneFoot is the room below the last row of a lane, for its decision and for what got lost.
const laneFoot = 20

// wideTop is where the lanes begin, below the axis: a change at the start stands between its label and the first disc.
const wideTop = 36

// minRows is how many rows a lane has before they are needed, so that it does not grow at the first attempts.
func minRows(clients int) int { return max(3-(clients-1), 2) }

// lane is a horizontal band.
type lane struct{ top, height float64 }

func (l lane) bottom() float64 { return l.top + l.height }

// wide is the drawing in which time runs to the right.
type wide struct {
	*sheet
	m                        rowMetric
	clients                  []lane
	partner, ledger, effects lane
	guards                   []guardLane
	partnerY                 float64 // of the dots
	top                      float64
	now                      float64
}

func drawWide(s *sheet) {
	s.story = tell(s.in)
	w := &wide{sheet: s, top: wideTop}
	w.now = s.axis.in(s.in.Now)
	w.layLanes()
	s.cull()
	w.frame()
	for i := range w.clients {
		w.drawClient(i)
	}
	w.drawGuards()
	w.drawPartner()
	w.drawLedger()
	w.drawEffects()
	w.drawNotes()
	w.drawLoose()
	w.drawInvitation()
}

// layLanes gives every lane its height.
func (w *wide) layLanes() {
	n := max(len(w.in.Clients), 1)
	rows := make([]int, n)
	total := 0
	for i := range rows {
		rows[i] = max(assignRows(w.attemptsOf(i), w.gap(14)), minRows(n))
		total += rows[i]
	}
	w.m = tight
	if total <= 3 {
		w.m = roomy
	}
	y := w.top
	for i, r := range rows {
		l := lane{y, float64(r)*w.m.pitch + laneFoot}
		if n == 1 {
			l.height = max(l.height, roomy.pitch*3+laneFoot)
		}
		w.clients = append(w.clients, l)
		y = w.layGuards(l.bottom(), w.ownStrips(i))
	}
	y = w.layGuards(y, w.poolStrips())
	w.partner = lane{y, w.partnerHeight()}
	w.partnerY = y + 20
	y = w.layGuards(w.partner.bottom(), append(w.limitStrips(), w.workStrips()...))
	if w.in.HasLedger {
		w.ledger = lane{y, w.ledgerHeight()}
		y = w.ledger.bottom()
	}
	w.effects = lane{y, 40}
	w.height = w.effects.bottom()
	w.bounds = box{w.axis.from, w.top - 2, w.width - w.axis.from + 4, w.height}
}

// gap returns the time that so many pixels stand for.
func (w *wide) gap(px float64) clock.Instant { return w.axis.time(px) }

func (w *wide) attemptsOf(client int) []*attemptStory {
	var list []*attemptStory
	for _, a := range w.story.attempts {
		if a.req.Client == client {
			list = append(list, a)
		}
	}
	return list
}

// plotEnd is the right end of the plot.
func (w *wide) plotEnd() float64 { return w.axis.from + w.axis.span }

// frame draws what stands before any event: the axis, the lanes, now and the future.
func (w *wide) frame() {
	w.drawNow()
	w.drawGrid()
	for i, l := range w.clients {
		if w.in.Vertical {
			i = w.in.Client
		}
		w.drawLane(l, w.in.clientName(i), w.in.say("lane.client"))
	}
	note := w.in.PartnerNote
	w.drawLane(w.partner, w.in.say("lane.partner"), note)
	if w.in.HasLedger {
		w.drawLane(w.ledger, w.in.say("lane.ledger"), w.in.say("lane.keys"))
	}
	w.drawLane(w.effects, w.in.say("lane.effects"), w.in.say("lane.total"))
}

func (w *wide) drawLane(l lane, name, sub string) {
	var p path
	w.put(backLayer, p.move(0, l.top).h(w.plotEnd()).node("tl-lane")...)
	room := w.axis.from - 4
	w.put(backLayer, label("tl-name", 0, l.top+17, left, clip(name, strong, room)))
	if sub != "" {
		w.put(backLayer, label("tl-sub", 0, l.top+32, left, clip(sub, plain, room)))
	}
}

func (w *wide) drawGrid() {
	end := w.plotEnd()
	if w.now < end {
		future := box{w.now, w.top - 4, end - w.now, w.height - w.top + 4}
		w.put(backLayer, rect("tl-future", future, 0, "p-future"))
	}
	major, minor := w.axis.steps(70)
	var thin, thick path
	for t := w.axis.first(minor); t <= w.axis.end; t += minor {
		if t%major != 0 {
			thin.move(w.axis.at(t), w.top-4).v(w.height)
		}
	}
	for t := w.axis.first(major); t <= w.axis.end; t += major {
		thick.move(w.axis.at(t), w.top-4).v(w.height)
	}
	w.put(backLayer, w.ticks()...)
	w.put(backLayer, thin.node("tl-grid")...)
	w.put(backLayer, thick.node("tl-grid tl-grid--major")...)
}

// ticks are the labels of the axis, but for those that the plate of now would meet.
func (w *wide) ticks() (nodes []view.Node) {
	major, _ := w.axis.steps(70)
	first := w.axis.first(major)
	for t := first; t <= w.axis.end; t += major {
		x, s := w.axis.at(t), tick(t)
		if t == first {
			s = w.in.say("seconds", "n", s)
		}
		if b := (place{s, x, 17, middle}).box(plain); math.Abs(x-w.pillX()) > 38+b.w/2 {
			nodes = append(nodes, label("tl-tick", x, 17, middle, s))
		}
	}
	return nodes
}

// pillX is the middle of the plate that says what now is.
func (w *wide) pillX() float64 { return min(w.now, w.width-34) }

func (w *wide) drawNow() {
	if !w.axis.sees(w.in.Now) {
		return
	}
	var p path
	w.put(nowLayer, p.move(w.now, 20).v(w.height).node("tl-now")...)
	draw := pill
	if w.in.Below {
		draw = plate
	}
	w.put(tokenLayer, draw(w.pillX(), 12, 66, 20, w.in.seconds(w.in.Now)))
}

// drawNotes marks what a person ordered, on the edge of the lane that it is about.
func (w *wide) drawNotes() {
	for _, e := range w.story.notes {
		if !w.axis.sees(e.At) {
			continue
		}
		x := w.axis.in(e.At)
		switch e.Kind {
		case event.FaultInjected:
			w.mark(e, "injected", x, w.partner.top+6) // clear of the labels of the lane above
		case event.PolicyChanged, event.GuardsChanged:
			w.mark(e, "policy", x, w.clients[min(e.Request.Client, len(w.clients)-1)].top-3)
		case event.LimitChanged, event.LimitRefused:
			w.mark(e, kindMark[e.Kind], x, w.partner.top)
			text := limitText(w.in, e)
			w.say(strong, place{text, x + 12, w.partner.top + 4, left}, place{text, x - 12, w.partner.top + 4, right})
		case event.RunStopped:
			w.mark(e, "stopped", x, w.height-8)
		}
	}
}

// limitText says what was set as the partner's limit, or that it was refused.
func limitText(in Input, e *event.Event) string {
	if e.Kind == event.LimitRefused {
		return in.say("limit.refused")
	}
	n, _ := e.Decision.Term(decision.LimitCount)
	window, _ := e.Decision.Term(decision.LimitWindow)
	return in.say("limit.set", "n", amount(n.Value), "window", in.say("seconds", "n", tick(clock.Instant(window.Value))))
}

// drawInvitation fills the lanes of a run in which nothing was sent yet.
func (w *wide) drawInvitation() {
	if len(w.story.calls) > 0 {
		return
	}
	x := w.axis.from + 16
	hint := func(y float64, s string) { w.say(plain, place{s, x, y, left}) }
	first := w.in.say("hint.fire", "client", w.in.clientName(w.in.Client))
	if w.in.Due {
		first = w.in.say("hint.next")
	}
	lane := w.clients[min(w.in.Client, len(w.clients)-1)]
	hint(lane.top+lane.height/2+5, first)
	if w.in.HasLimit {
		hint(w.partner.top+42, w.in.say("hint.limit"))
	} else {
		hint(w.partner.top+24, w.in.say("hint.partner"))
	}
	if w.in.HasLedger {
		hint(w.ledger.top+22, w.in.say("hint.ledger"))
	}
	hint(w.effects.top+24, w.in.say("hint.effects"))
}

func count(n int) string { return strconv.Itoa(n) }
