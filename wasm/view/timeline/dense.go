package timeline

import (
	"retrylab.example/core/clock"
	"retrylab.example/core/decision"
	"retrylab.example/core/event"
)

// tiny rows are for drawings of many events.
var tiny = rowMetric{pitch: 13, token: 5, bar: 1, barH: 8, diamond: 11}

// dense is a drawing of many events: in each batch of attempts one path for all bars of an outcome, and one for all marks
// of a shape. Labels are left out; the selected event keeps its ring.
type dense struct {
	*wide
	*batch  // that is being drawn
	kept    *Kept
	records path
}

var outcomes = []outcome{flight, succeeded, replayed, throttled, failed}

func drawDense(s *sheet) {
	s.dense = true
	d := &dense{wide: &wide{sheet: s, top: wideTop}, kept: s.in.Kept}
	if d.kept == nil {
		d.kept = &Kept{}
	}
	s.story = d.kept.tell(s.in)
	d.now = s.axis.in(s.in.Now)
	d.layLanes()
	d.frame()
	d.drawBatches()
	for _, r := range s.story.records {
		if !s.axis.sees(r.first().At) {
			continue
		}
		d.records.move(s.axis.in(r.first().At), d.ledger.top+10).v(d.ledger.top + 26)
	}
	for i := range d.clients {
		d.drawNotices(i)
	}
	d.drawGuards()
	d.drawNotes()
	d.drawLoose()
	d.drawPaths()
}

// layLanes gives every client as many rows as its attempts need at the same time, fewer where there are many clients.
func (d *dense) layLanes() {
	n := max(len(d.in.Clients), 1)
	if d.in.Vertical {
		n = 1
	}
	d.m = tiny
	d.m.pitch = min(tiny.pitch, max(6, 400/float64(n*maxRows)))
	d.m.barH = d.m.pitch - 4
	d.m.diamond = d.m.bar + d.m.barH/2
	byClient := make([][]*attemptStory, n)
	for _, a := range d.story.attempts {
		c := min(a.req.Client, n-1)
		byClient[c] = append(byClient[c], a)
	}
	y := d.top
	for i, list := range byClient {
		rows := d.assignRows(list, n)
		l := lane{y, float64(max(rows, 1))*d.m.pitch + 6}
		if n <= 12 {
			l.height = max(l.height, 38)
		}
		d.clients = append(d.clients, l)
		if d.in.Vertical {
			i = d.in.Client
		}
		y = d.layGuards(l.bottom(), d.ownStrips(i))
	}
	y = d.layGuards(y, d.poolStrips())
	d.partner = lane{y, 46}
	d.partnerY = y + 18
	y = d.layGuards(d.partner.bottom(), append(d.limitStrips(), d.workStrips()...))
	if d.in.HasLedger {
		d.ledger = lane{y, 36}
		y = d.ledger.bottom()
	}
	d.effects = lane{y, 40}
	d.height = d.effects.bottom()
	d.bounds = box{d.axis.from, d.top - 2, d.width - d.axis.from + 4, d.height}
}

// assignRows gives the attempts of a client their rows and returns how many those that have begun take.
func (d *dense) assignRows(list []*attemptStory, clients int) int {
	assignRows(list, d.gap(3))
	rows := 1
	for _, a := range list {
		if clients > 12 {
			a.row = 0
		}
		if d.kept.begun(a, d.in) {
			rows = max(rows, a.row+1)
		}
	}
	return rows
}

func (d *dense) attempt(a *attemptStory) {
	b := d.place(a)
	b.bar.y += 4
	mid := b.bar.y + b.bar.h/2
	if from, to, ok := b.waiting(d.in.Now); ok && d.axis.meets(from, to) {
		x := d.axis.in(from)
		d.queue.rect(box{x, mid - 1.5, d.axis.in(to) - x, 3})
	}
	if b.sent == nil && b.notSent == nil {
		d.also(b.call.start, b.x, mid)
	}
	if b.sent != nil {
		if b.barSeen {
			b.bar.w = max(b.bar.w, 1.5)
			d.bars[b.outcome()].rect(b.bar)
		}
		d.spot(b.sent, "sent", b.x, mid)
		d.also(b.call.start, b.x, mid)
	}
	if b.notSent != nil {
		d.spot(b.notSent, "local", b.x, mid)
		d.also(b.call.start, b.x, mid)
	}
	d.spot(b.timedOut, "timeout", b.r, mid)
	d.spot(b.requestLost, "lost", b.x+3, mid+4)
	d.also(b.reply, b.r, mid)
	if e := b.ignored; e != nil {
		d.spot(e, "ignored", d.axis.in(e.At), mid)
	}
	if e := b.decided; e != nil {
		d.spot(e, "decision", b.r+2, mid+2)
		d.wait(e, mid)
	}
	d.atPartner(a)
}

func (d *dense) wait(e *event.Event, y float64) {
	if e.Kind != event.RetryScheduled || !d.axis.meets(e.At, e.Until) {
		return
	}
	p := &d.waits
	if waitOf(e).by == decision.RetryAfter {
		p = &d.afters
	}
	p.move(d.axis.in(e.At), y).h(d.axis.in(e.Until))
}

func (d *dense) atPartner(a *attemptStory) {
	e := a.arrival()
	if e == nil {
		return
	}
	x := d.axis.in(e.At)
	d.also(a.arrived, x, d.partnerY)
	if a.admitted != nil && e != a.admitted {
		d.also(a.admitted, x, d.partnerY)
	}
	d.spot(e, doorMark(e), x, d.partnerY)
	if a.crash != nil && a.crash != e {
		d.spot(a.crash, "crash", x, d.partnerY+9)
	}
	if a.replyLost != nil {
		d.spot(a.replyLost, "lost", x, d.partnerY-9)
	}
	if takesPlace(a.admitted) && a.admitted.Until < clock.Max && d.axis.meets(a.admitted.At, a.admitted.Until) {
		d.windows.move(x, d.partnerY+16).h(d.axis.in(a.admitted.Until))
	}
	if effect, shape := a.effect(); effect != nil {
		d.spot(effect, shape, x, d.effects.top+18)
	}
}

// spot notes a mark that its shape's path draws.
func (d *dense) spot(e *event.Event, shape string, x, y float64) {
	if e != nil && d.axis.sees(e.At) {
		d.sheet.spots = append(d.sheet.spots, spot{seq: e.Seq, x: x, y: y, mark: shape})
	}
}

// drawPaths draws what is in no batch.
func (d *dense) drawPaths() {
	d.put(barLayer, d.records.node("lg-key")...)
	shapes := map[string]*path{} // looked up in the order of the shapes
	for _, sp := range own(d.sheet.spots) {
		paintOn(shapes, sp)
	}
	d.put(markLayer, shapeNodes(shapes)...)
}

// glyph adds the outline of a small mark to a path.
func glyph(p *path, name string, x, y float64) {
	switch name {
	case "decision":
		p.move(x, y-2.5).line(x+2.5, y).line(x, y+2.5).line(x-2.5, y)
	case "lost", "timeout":
		p.move(x-2.5, y-2.5).line(x+2.5, y+2.5).move(x+2.5, y-2.5).line(x-2.5, y+2.5)
		return
	case "dup", "injected":
		p.move(x, y-4).line(x+4, y+3).h(x - 4)
	case "sent":
		p.move(x-1, y-2.5).line(x+3, y).line(x-1, y+2.5)
	case "admitted", "local", "policy", "stopped":
		p.rect(box{x - 2, y - 2, 4, 4})
		return
	case "trip", "mend", "probe", "held", "left", "queued", "began", "ended", "passed", "failed", "uncounted":
		if name == "trip" || name == "mend" {
			p.rect(box{x - 6, y - 5.5, 12, 11}) // a ground, so that it is seen on any band
		}
		p.dx, p.dy = x, y
		strokes(p, name, func(v float64) float64 { return v * 0.55 })
		p.dx, p.dy = 0, 0
		return
	case hidden:
		return
	case "crash":
		p.move(x+1, y-4).line(x-3, y+1).h(x).line(x-1, y+4).line(x+3, y-1).h(x)
	case "ignored":
		p.move(x-3, y).h(x+3).move(x-2, y+3).line(x+2, y-3)
		return
	default:
		p.move(x-1.5, y-4).h(x+1.5).line(x+4, y-1.5).v(y+1.5).line(x+1.5, y+4).h(x-1.5).line(x-4, y+1.5).v(y - 1.5)
	}
	p.b = append(p.b, 'Z')
}
