package timeline

import (
	"retrylab.example/core/event"
	"retrylab.example/wasm/view"
)

// The columns of mechanisms stand between the attempts and the partner. Each has a line of words above the drawing, which
// a thin line joins to it; a circuit has one more, for its results.
const (
	headLine     = 16.0
	circuitWidth = 13.0
	meterWidth   = 24.0
	columnGap    = 6.0
)

// guardColumn is one of them.
type guardColumn struct {
	strip
	head  float64 // the baseline of its words
	cells []cell
}

// layGuards sets the columns out, and makes room above for their words.
func (t *tall) layGuards() {
	s := t.sheet
	strips := append(s.ownStrips(s.in.Client), s.poolStrips()...)
	for _, m := range append(s.limitStrips(), s.workStrips()...) {
		if m.meter != nil && (m.works || m.meter.name == t.key() || m.meter.name != "" && m.meter.name[0] == '/') {
			strips = append(strips, m)
		}
	}
	x := t.partner - columnGap
	head := 30.0
	for i := len(strips) - 1; i >= 0; i-- {
		c := guardColumn{strip: strips[i], head: head}
		width := meterWidth
		if c.circuit != nil {
			width = circuitWidth
			if c.cells = c.circuit.window(); c.cells != nil {
				head += headLine
			}
		}
		c.low, c.high = x-width, x
		head += headLine
		x -= width + columnGap
		t.guards = append(t.guards, c)
	}
	t.attemptsEnd = t.partner
	if len(strips) > 0 {
		t.attemptsEnd = x
		s.axis.from += head - 24
	}
}

// key is the name under which the partner counts the requests of the client that is shown.
func (t *tall) key() string {
	for _, a := range t.story.attempts {
		return a.req.ClientID
	}
	return ""
}

func (t *tall) drawGuards() {
	for i := range t.guards {
		c := &t.guards[i]
		c.draw()
		t.take(box{c.low, t.axis.from, c.high - c.low, t.axis.span}) // words would hide it
		mid := (c.low + c.high) / 2
		var p path
		t.put(linkLayer, p.move(mid, c.head+4).v(t.axis.from).node("tl-leader")...)
		t.sayHead(c, mid)
	}
	if t.story.guards.capacity == nil && t.story.guards.workRows() <= mostRunning && !t.in.HasLimit {
		t.drawWorks()
	}
}

// sayHead writes what the mechanism shows now left of the line that leads to its column.
func (t *tall) sayHead(c *guardColumn, mid float64) {
	name, _ := c.names()
	var texts []string
	if m := c.meter; m != nil {
		texts = []string{name + ": " + m.say(t.in), name + " " + m.brief(t.in), name}
	} else {
		last := c.circuit.spans[len(c.circuit.spans)-1]
		state := t.in.Lang.Say("circuit." + last.state)
		if last.state == "open" {
			texts = append(texts, name+": "+t.in.say("breaker.until", "until", decimals(last.until)))
		}
		texts = append(texts, name+": "+state, state)
	}
	for _, text := range texts {
		if textWidth(text, strong) <= mid-4 {
			t.put(textLayer, label(faceClass[strong], mid+4, c.head+4, right, text))
			break
		}
	}
	if c.cells == nil {
		return
	}
	x := max(mid-6-cellsWidth(c.cells), 4)
	t.drawCells(c.cells, x, c.head+10)
	if text := c.circuit.say(t.in); text != "" && textWidth(text, plain) < x-10 {
		t.put(textLayer, label(faceClass[plain], x-6, c.head+18, right, text))
	}
}

// drawWorks draws the partner's work in its column.
func (t *tall) drawWorks() {
	var queued, began path
	n := max(t.story.guards.workRows(), 1)
	width := 14 / float64(n)
	for _, k := range t.story.guards.works {
		x := t.partnerX - 7 + width*float64(k.row)
		if k.queued != nil {
			end := t.in.Now
			if k.began != nil && t.axis.meets(k.began.At, k.end) {
				end = k.began.At
			}
			if t.axis.meets(k.queued.At, end) {
				queued.rect(vertical(x, width, t.axis.in(k.queued.At), t.axis.in(end)))
			}
			t.paint(noted{k.queued, ""}, x+width/2, t.axis.in(k.queued.At))
		}
		if k.began != nil {
			from := t.axis.in(k.began.At)
			began.rect(vertical(x, width, from, max(t.axis.in(min(k.end, t.axis.end)), from+1)))
			t.paint(noted{k.began, ""}, x+width/2, from)
		}
	}
	t.put(barLayer, queued.node("mt mt--queued", view.A("fill", "url(#p-queued)"))...)
	t.put(barLayer, began.node("pl-place pl-work")...)
}

// drawLoose finds a place for events that no column shows.
func (t *tall) drawLoose() {
	for _, c := range t.story.calls {
		if c.last == nil {
			t.also(c.start, tallLeft, t.axis.in(c.start.At))
		}
	}
	for _, e := range t.story.loose {
		x := t.partnerX
		if e.Who == event.Client {
			x = tallLeft
		}
		t.also(e, x, t.axis.in(e.At))
	}
}
