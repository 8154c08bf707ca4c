package timeline

import (
	"time"

	"retrylab.example/core/clock"
	"retrylab.example/core/event"
	"retrylab.example/wasm/view"
)

// tall is the drawing in which time runs down: one client, the partner and the effects as columns. An attempt steps
// one column to the right of the one before it.
type tall struct {
	*sheet
	pitch, barW        float64 // of the attempts' columns
	unit               float64 // scale of the tracks, 1 where a bar is 20 wide
	partner, effects   float64 // left edges of the columns
	ledger             float64 // the same; 0 as long as nothing is kept
	partnerX, effectsX float64 // of their marks
	now, end           float64
	boxes              []tallBox
	guards             []guardColumn
	attemptsEnd        float64 // right edge of the attempts' columns
}

// Where the columns begin, and the room of one second.
const (
	tallLeft      = 40.0
	tallTop       = 38.0
	tallPerSecond = 58.0
)

// tallAxis gives each second its room, within bounds: a short run still fills a hand's breadth, a long one is pressed.
func tallAxis(in Input) axis {
	span := min(max(float64(AxisEnd(in))/1e9*tallPerSecond, 260), 1200)
	if !in.Span.Whole() {
		span = max(span, 420) // there is more to be seen
	}
	return axisOf(in, tallTop, span)
}

// tallBox is an attempt in its column.
type tallBox struct {
	*attemptStory
	x, top, bottom float64
	over, barSeen  bool
}

func drawTall(s *sheet) {
	s.story = tell(s.in)
	t := &tall{sheet: s}
	t.layColumns()
	t.frame()
	for _, b := range t.boxes {
		t.drawAttempt(b)
	}
	for i, b := range t.boxes {
		t.drawWait(b, t.following(t.boxes[i+1:], b))
	}
	t.drawGuards()
	t.drawPartner()
	t.drawLedger()
	t.drawEffects()
	t.drawNotices()
	t.drawNotes()
	t.drawLoose()
	t.drawDeadline()
	for _, b := range t.boxes {
		t.sayAttempt(b)
	}
	t.drawInvitation()
}

func (t *tall) layColumns() {
	s := t.sheet
	t.effects = s.width - max(64, s.width*0.19)
	right := t.effects
	if s.in.HasLedger && len(s.story.records) > 0 {
		t.ledger = t.effects - ledgerWidth
		right = t.ledger + 8 // what arrived is named in a word
	}
	t.partner = right - max(92, s.width*0.25)
	t.partnerX, t.effectsX = t.partner+16, t.effects+16
	t.layGuards()
	t.end = s.axis.from + s.axis.span
	s.height = t.end + 8
	s.bounds = box{min(float64(len(t.guards)), 1) * 30, s.axis.from - 20, s.width, s.height - s.axis.from + 20}
	t.now = s.axis.in(s.in.Now)
	cols := max(assignRows(s.story.attempts, s.axis.time(26)), 3)
	s.cull()
	t.pitch = min(34, (t.attemptsEnd-tallLeft)/float64(cols))
	t.barW = max(min(20, t.pitch-8), 4)
	t.unit = t.barW / 20
	for _, a := range s.story.attempts {
		b := tallBox{attemptStory: a, x: tallLeft + float64(a.row)*t.pitch, top: s.axis.in(a.start())}
		end, over := a.end()
		if !over {
			end = max(s.in.Now, a.start())
		}
		b.bottom, b.over, b.barSeen = s.axis.in(end), over, s.axis.meets(a.start(), end)
		t.boxes = append(t.boxes, b)
	}
}

func (t *tall) frame() {
	s := t.sheet
	if t.now < t.end {
		s.put(backLayer, rect("tl-future", box{30, t.now, s.width - 30, s.height - t.now}, 0, "p-future"))
	}
	var thin, thick, lanes path
	major, minor := s.axis.steps(50)
	if major >= clock.Instant(time.Second) {
		minor = major / 2
	}
	for at := s.axis.first(minor); at <= s.axis.end; at += minor {
		y := s.axis.at(at)
		if at%major != 0 {
			thin.move(30, y).h(s.width)
			continue
		}
		thick.move(30, y).h(s.width)
		if y < t.now-14 || y > t.now+14 {
			s.put(backLayer, label("tl-tick", 22, y+4, right, tick(at)))
		}
	}
	s.put(backLayer, thin.node("tl-grid")...)
	s.put(backLayer, thick.node("tl-grid tl-grid--major")...)
	if t.ledger > 0 {
		lanes.move(t.ledger, 0).v(s.height)
	}
	s.put(backLayer, lanes.move(t.partner, 0).v(s.height).move(t.effects, 0).v(s.height).node("tl-lane")...)
	name := func(x, room float64, text string) {
		s.put(backLayer, label("tl-name", x, 12, left, clip(text, strong, room)))
	}
	name(tallLeft, t.partner-tallLeft-8, s.in.clientName(s.in.Client))
	name(t.partner+8, t.wordsEnd()-t.partner-10, s.in.say("lane.partner"))
	if t.ledger > 0 {
		name(t.ledger+4, ledgerWidth-4, s.in.say("lane.ledger"))
	}
	name(t.effects+8, s.width-t.effects-6, s.in.say("lane.effects"))
	if !s.axis.sees(s.in.Now) {
		return
	}
	var now path
	s.put(nowLayer, now.move(28, t.now).h(s.width).node("tl-now")...)
	text := short(s.in.Now)
	s.put(tokenLayer, pill(max(16, textWidth(text, strong)/2+5), t.now, max(32, textWidth(text, strong)+10), 18, text))
}

// short writes an instant for the narrow gutter: hundredths are enough, as the clock below says it exactly.
func short(t clock.Instant) string { return tick(t / 1e7 * 1e7) }

func (t *tall) following(rest []tallBox, b tallBox) *tallBox {
	for i := range rest {
		if rest[i].call == b.call {
			return &rest[i]
		}
	}
	return nil
}

func (t *tall) drawAttempt(b tallBox) {
	mid := b.x + t.barW/2
	if from, to, ok := b.waiting(t.in.Now); ok && t.axis.meets(from, to) {
		at := vertical(mid-4, 8, t.axis.in(from), t.axis.in(to))
		var p path
		p.rect(at)
		t.put(barLayer, p.node("mt mt--queued", view.A("fill", "url(#p-queued)"), t.click(b.waits.Seq))...)
		t.take(at)
	}
	if b.sent == nil && b.notSent == nil {
		t.also(b.call.start, mid, b.top)
	}
	if b.sent != nil {
		t.token(b.sent, mid, b.top-8)
		t.also(b.call.start, mid, b.top-8)
		t.drawBar(b)
		t.drawLinks(b)
	}
	if b.notSent != nil {
		t.mark(b.notSent, "local", mid, b.top)
		t.also(b.call.start, mid, b.top)
	}
	if b.decided != nil {
		t.mark(b.decided, "decision", b.x+t.barW+10, t.axis.in(b.decided.At))
	}
}

func (t *tall) drawBar(b tallBox) {
	at := box{b.x, b.top, t.barW, max(b.bottom-b.top, 1)}
	if kind := b.outcome(); b.barSeen && kind == flight {
		var p path
		p.move(b.x, b.bottom).v(b.top).h(b.x + t.barW).v(b.bottom)
		t.put(barLayer, p.node("bar bar--flight", t.click(b.sent.Seq))...)
	} else if b.barSeen {
		t.put(barLayer, bar(kind, at, min(3, at.h/3), t.click(b.sent.Seq)))
	}
	if b.barSeen {
		t.take(at)
	}
	if e := b.timedOut; e != nil {
		y := b.bottom - 12
		if at.h < 26 {
			y = b.top + at.h/2
		}
		t.mark(e, "timeout", b.x+t.barW/2, y)
	}
	t.also(b.reply, b.x+t.barW/2, b.bottom)
	if b.ignored != nil {
		t.mark(b.ignored, "ignored", b.x+t.barW+10, t.axis.in(b.ignored.At))
	}
}

func (t *tall) drawLinks(b tallBox) {
	from := b.x + t.barW
	var there, back, lost path
	if e := b.requestLost; e != nil {
		x := from + (t.partnerX-from)*0.4
		t.link(&lost, end{b.sent.At, 0, from}, end{b.sent.At, 4, x - 6})
		t.mark(e, "lost", x, b.top+6)
	}
	if b.arrived != nil {
		y := t.axis.in(b.arrived.At)
		door := end{b.arrived.At, 0, t.partnerX}
		t.link(&there, end{b.sent.At, 0, from}, door)
		switch e := b.replyLost; {
		case e != nil:
			t.link(&lost, door, end{b.arrived.At, 9, t.partnerX - 26})
			t.mark(e, "lost", t.partnerX-31, y+11)
		case b.reply != nil:
			t.link(&back, door, end{b.reply.At, 0, from + 9})
		case b.crash != nil && b.timedOut != nil:
			t.link(&lost, door, end{b.timedOut.At, 0, from + 9})
		case b.ignored != nil:
			t.link(&back, door, end{b.ignored.At, 0, from + 10})
		}
	}
	t.put(linkLayer, there.node("tl-link")...)
	t.put(linkLayer, back.node("tl-link tl-link--reply")...)
	t.put(linkLayer, lost.node("tl-link tl-link--lost")...)
}

// drawNotices draws what the partner told the client.
func (t *tall) drawNotices() {
	for _, n := range t.story.notices {
		if !t.axis.sees(n.told.At) {
			continue
		}
		x, y := t.attemptsEnd-12, t.axis.in(n.told.At)
		var p path
		t.put(linkLayer, p.move(t.partnerX, y).h(x).node("tl-link tl-link--notice")...)
		t.mark(n.told, kindMark[event.Notified], x, y)
		t.say(strong, place{t.in.say("notified"), x - 11, y + 4, right}, place{t.in.say("notified"), x - 11, y + 17, right})
	}
}

// drawNotes marks what a person ordered, on the edge of the partner's column.
func (t *tall) drawNotes() {
	for _, e := range t.story.notes {
		if !t.axis.sees(e.At) {
			continue
		}
		y := t.axis.in(e.At)
		switch {
		case e.Kind == event.FaultInjected:
			t.mark(e, "injected", t.partner, y)
		case (e.Kind == event.PolicyChanged || e.Kind == event.GuardsChanged) && e.Request.Client == t.in.Client:
			t.mark(e, "policy", 30, y)
		case e.Kind == event.LimitChanged || e.Kind == event.LimitRefused:
			t.mark(e, kindMark[e.Kind], t.partner, y)
			t.say(strong, place{limitText(t.in, e), t.partner - 11, y - 4, right}, place{limitText(t.in, e), t.partner + 11, y - 4, left})
		case e.Kind == event.RunStopped:
			t.mark(e, "stopped", t.width-10, y)
		}
	}
}

func (t *tall) drawDeadline() {
	var c *callStory
	for _, each := range t.story.calls {
		c = each
	}
	if c == nil || !t.axis.sees(c.deadline) {
		return
	}
	y := t.axis.at(c.deadline)
	var p path
	t.put(nowLayer, p.move(36, y).h(t.partner-4).node("tl-deadline")...)
	t.say(plain, place{t.in.say("deadline"), 38, y - 5, left}, place{t.in.say("deadline"), t.partner - 6, y - 5, right})
}

func (t *tall) drawInvitation() {
	if len(t.story.calls) > 0 {
		return
	}
	word := "hint.fireShort"
	if t.in.Due {
		word = "hint.next"
	}
	t.say(strong, place{t.in.say(word), tallLeft, t.axis.from + 40, left})
}

// vertical returns the box of a track: from one instant to another, at a place across.
func vertical(x, w, from, to float64) box { return box{x, from, w, to - from} }

func group(class string, nodes []view.Node) view.Node { return view.El("g", view.Class(class), nodes) }
