package timeline

import (
	"time"

	"retrylab.example/core/clock"
	"retrylab.example/core/event"
	"retrylab.example/core/measure"
	"retrylab.example/wasm/view"
)

// crowdAbove is how many clients have a lane of their own. More are drawn together: a thin row for each call, and what
// came to the partner per bucket of time.
const crowdAbove = 12

// Crowded reports whether the clients are drawn together.
func (in Input) Crowded() bool { return in.Versus == nil && len(in.Clients) > crowdAbove }

// crowd is the drawing of many clients: one path for all marks of an outcome, and one for all buckets of a fate. One client
// may be opened: its lane stands between the calls and the partner.
type crowd struct {
	*wide
	load          *measure.Load
	fates         [len(fateLooks)]int
	calls         lane
	pitch         float64
	first, shown  int // of the calls: which has the first row, and how many have one
	bottom, tall  float64
	peak, places  int64 // the most that one bucket holds, and how many it could be done in; 0 for no bound
	legend, facts float64
}

// Sizes of the crowd's drawing, in px.
const (
	callsHeight    = 150
	mostPitch      = 5
	leastPitch     = 2.5
	arrivalsHeight = 96
	bucketLeast    = 7 // of a bucket
	legendPitch    = 20
	factsHeight    = 40
)

// fateLook is how a fate is drawn: its class, its pattern and the shape beside its name.
type fateLook struct{ class, pattern, shape string }

var fateLooks = [...]fateLook{
	measure.Served:       {"bar bar--ok", "", "applied"},
	measure.Repeated:     {"bar bar--replayed", "p-replayed", "replayed"},
	measure.Waiting:      {"bar bar--flight", "", "queued"},
	measure.TurnedAway:   {"bar bar--throttled", "p-throttled", "throttled"},
	measure.Broken:       {"bar bar--failure", "p-failure", "crash"},
	measure.ReplyMissing: {"bar cw--missing", "", "lost"},
	measure.NeverArrived: {"bar cw--never", "", "lost"},
}

// Peak returns the most arrivals that one bucket of a crowd's drawing holds.
func Peak(in Input) int64 {
	c := &crowd{wide: &wide{sheet: newSheet(in)}}
	c.count()
	return c.peak
}

func drawCrowd(s *sheet) {
	s.story = tell(s.in)
	c := &crowd{wide: &wide{sheet: s, top: wideTop}}
	c.now = s.axis.in(s.in.Now)
	c.m = tight
	c.count()
	c.layCrowd()
	c.drawNow()
	c.drawGrid()
	c.drawCalls()
	c.drawOpened()
	c.drawGuards()
	c.drawArrivals()
	c.drawLegend()
	c.drawFacts()
	c.placeRest()
}

// count counts the arrivals in buckets that are wide enough to be seen, and as long as the partner's work where that is
// known: what it can do in one is then its places.
func (c *crowd) count() {
	least := time.Duration(c.axis.time(bucketLeast))
	width := measure.RoundWidth(time.Duration(c.axis.end-c.axis.start), int(c.axis.span/bucketLeast))
	if w := c.in.Work; c.in.Places > 0 && w >= least && w <= 8*least {
		width = w
	}
	from := c.axis.start / clock.Instant(width) * clock.Instant(width)
	n := int((c.axis.end-from)/clock.Instant(width)) + 1
	c.load = measure.LoadOf(c.in.Events, from, width, n)
	c.peak = max(c.in.Peak, 1)
	for _, b := range c.load.Buckets() {
		sum := 0
		for f, n := range b {
			c.fates[f] += n
			sum += n
		}
		c.peak = max(c.peak, int64(sum))
	}
	if c.in.Places > 0 && c.in.Work > 0 {
		c.places = int64(clock.Times(width, uint64(c.in.Places)) / c.in.Work)
	}
}

func (c *crowd) layCrowd() {
	n := max(len(c.story.calls), 1)
	c.pitch = min(max(callsHeight/float64(n), leastPitch), mostPitch)
	c.shown = min(n, int(callsHeight/c.pitch))
	for i, call := range c.story.calls {
		if e := c.selectedEvent(); e != nil && call.start.Request.Client == e.Request.Client && call.start.Request.Call == e.Request.Call && i >= c.shown {
			c.first = min(i-c.shown/2, n-c.shown)
		}
	}
	c.calls = lane{c.top, max(float64(c.shown)*c.pitch, 34) + 10}
	y := c.calls.bottom()
	c.clients = make([]lane, len(c.in.Clients))
	if i := c.in.Opened - 1; i >= 0 && i < len(c.clients) {
		rows := max(assignRows(c.attemptsOf(i), c.gap(14)), 2)
		c.clients[i] = lane{y, float64(rows)*c.m.pitch + laneFoot}
		y = c.layGuards(c.clients[i].bottom(), c.clientStrips(i))
	}
	c.partner = lane{y, arrivalsHeight + 40}
	c.partnerY = y + 14
	c.bottom, c.tall = y+30+arrivalsHeight, arrivalsHeight
	c.legend = c.partner.bottom()
	c.facts = c.legend + legendPitch*float64(c.legendRows()) + 6
	c.height = c.partner.bottom()
	c.bounds = box{c.axis.from, c.top - 2, c.width - c.axis.from + 4, c.partner.bottom() - c.top}
}

func (c *crowd) selectedEvent() *event.Event {
	if i := c.in.Selected - 1; i >= 0 && i < len(c.in.Events) && c.in.Events[i].Seq == c.in.Selected {
		return &c.in.Events[i]
	}
	return nil
}

// rowOf returns the middle of a call's row, and whether it has one.
func (c *crowd) rowOf(i int) (y float64, ok bool) {
	i -= c.first
	return c.calls.top + 5 + (float64(i)+0.5)*c.pitch, i >= 0 && i < c.shown
}

// drawCalls draws the attempts of each call in its row, by what the caller knows of them.
func (c *crowd) drawCalls() {
	n := len(c.story.calls)
	sub := ""
	if c.shown < n {
		sub = c.in.say("crowd.rows", "from", count(c.first+1), "to", count(c.first+c.shown))
	}
	c.drawLane(c.calls, c.in.say("crowd.calls", "n", count(n)), sub)
	row := make(map[*callStory]int, n) // looked up, never ranged over
	for i, call := range c.story.calls {
		row[call] = i
	}
	bars := map[outcome]*path{} // looked up in the order of outcomes
	for _, o := range outcomes {
		bars[o] = &path{}
	}
	var local path
	for _, a := range c.story.attempts {
		y, ok := c.rowOf(row[a.call])
		if !ok || !c.axis.sees(a.start()) {
			continue
		}
		x, h := c.axis.in(a.start()), max(c.pitch-1, 1.5)
		o := a.outcome()
		if a.refused != nil {
			o = throttled
		}
		switch {
		case a.sent == nil:
			local.move(x-2, y-h/2).line(x+2, y+h/2).move(x+2, y-h/2).line(x-2, y+h/2)
		case o == succeeded || o == replayed:
			dot(bars[o], x, y, min(h/2+0.4, 2))
		case o == failed:
			bars[o].move(x-2.5, y-h/2).line(x+2.5, y+h/2).move(x+2.5, y-h/2).line(x-2.5, y+h/2)
		default:
			bars[o].rect(box{x - 2.5, y - h/2, 5, h})
		}
	}
	for _, o := range outcomes {
		c.put(barLayer, bars[o].node("cw cw--"+string(o))...)
	}
	c.put(barLayer, local.node("cw cw--local")...)
	c.sayEnd()
}

// dot adds a small disc to a path.
func dot(p *path, x, y, r float64) {
	p.move(x-r, y).op('A', r, r, 0, 1, 0, x+r, y).op('A', r, r, 0, 1, 0, x-r, y)
}

// sayEnd marks when the last call ended, and says whether all were served.
func (c *crowd) sayEnd() {
	t := measure.Of(c.in.Events)
	if t.Calls == 0 || t.Succeeded+t.GaveUp < t.Calls {
		return
	}
	var last clock.Instant
	for _, e := range c.in.Events {
		if e.Kind == event.CallSucceeded || e.Kind == event.CallGaveUp {
			last = e.At
		}
	}
	if !c.axis.sees(last) {
		return
	}
	text := c.in.say("crowd.served-all", "at", c.in.seconds(last))
	if t.GaveUp > 0 {
		text = c.in.say("crowd.gave-up", "n", count(t.GaveUp), "at", c.in.seconds(last))
	}
	x := c.axis.in(last)
	var p path
	c.put(linkLayer, p.move(x, c.calls.top).v(c.calls.bottom()).node("tl-drop")...)
	c.say(strong, place{text, x + 6, c.calls.top + 16, left}, place{text, x - 6, c.calls.top + 16, right})
}

// drawOpened draws the lane of the client that is opened, as the drawing of few clients does.
func (c *crowd) drawOpened() {
	i := c.in.Opened - 1
	if i < 0 || i >= len(c.clients) {
		return
	}
	c.drawLane(c.clients[i], c.in.clientName(i), c.in.say("lane.client"))
	all := c.story.attempts
	c.story.attempts = c.attemptsOf(i)
	c.cull()
	c.drawClient(i)
	for _, a := range c.story.attempts {
		c.drawDoor(a)
	}
	for _, a := range c.story.attempts {
		c.sayDoor(a)
	}
	c.story.attempts = all
}

// drawArrivals draws the buckets, and what the partner could do in one as a dashed line.
func (c *crowd) drawArrivals() {
	c.drawLane(c.partner, c.in.say("lane.partner"), c.in.PartnerNote)
	top := max(c.peak, c.places)
	y := func(n int64) float64 { return c.bottom - c.tall*float64(n)/float64(top) }
	var paths [len(fateLooks)]path
	for i, b := range c.load.Buckets() {
		from, to := c.load.Begins(i), c.load.Begins(i+1)
		if !c.axis.meets(from, to-1) {
			continue
		}
		x := c.axis.in(from)
		w := max(min((c.axis.in(to)-x)*0.86, c.now-x), 1)
		sum := int64(0)
		for f, n := range b {
			if n > 0 {
				paths[f].rect(box{x, y(sum + int64(n)), w, y(sum) - y(sum+int64(n))})
				sum += int64(n)
			}
		}
	}
	for f := range paths {
		c.put(barLayer, paths[f].node(fateLooks[f].class, view.If(fateLooks[f].pattern != "", view.A("fill", "url(#"+fateLooks[f].pattern+")")))...)
	}
	var base path
	c.put(backLayer, base.move(c.axis.from, c.bottom).h(c.plotEnd()).node("tl-grid tl-grid--major")...)
	scale := func(n int64) {
		c.put(backLayer, label("tl-tick", c.axis.from-6, y(n)+4, right, count(int(n))))
	}
	scale(top)
	if c.places > 0 {
		var p path
		c.put(markLayer, p.move(c.axis.from, y(c.places)).h(c.plotEnd()).node("cw-limit")...)
		if y(c.places)-y(top) > 12 {
			scale(c.places)
		}
	}
	c.take(box{c.axis.from, y(top), c.axis.span, c.bottom - y(top)})
}

// placeRest lets every event be found: in the row of its call, else above its bucket.
func (c *crowd) placeRest() {
	row := make(map[attemptID]int, len(c.story.calls)) // looked up, never ranged over
	for i, call := range c.story.calls {
		row[attemptID{client: call.start.Request.Client, call: call.start.Request.Call}] = i
	}
	placed := make(map[int]bool, len(c.spots)) // looked up, never ranged over
	for _, sp := range c.spots {
		placed[sp.seq] = true
	}
	for i := range c.in.Events {
		e := &c.in.Events[i]
		if placed[e.Seq] || !c.axis.sees(e.At) || !c.all && e.Seq != c.in.Selected {
			continue
		}
		x, y := c.axis.in(e.At), c.bottom
		if i, known := row[attemptID{client: e.Request.Client, call: e.Request.Call}]; known && e.Request.Call > 0 && e.Who != event.Partner {
			if rowY, ok := c.rowOf(i); ok {
				y = rowY
			}
		}
		c.spots = append(c.spots, spot{seq: e.Seq, x: x, y: y, mark: hidden, painted: true})
	}
}
