package timeline

import (
	"slices"

	"retrylab.example/core/clock"
	"retrylab.example/wasm/view"
)

// strip is where one mechanism is drawn, in either direction of time.
type strip struct {
	*sheet
	circuit *circuit
	meter   *meter
	works   bool // the partner's work
	// low and high are across the strip's time: y from the bottom up, or x from left to right.
	low, high float64
}

// point returns the pixel of an instant and of a part of the strip's height, 0 to 1.
func (s *strip) point(t clock.Instant, part float64) (x, y float64) {
	along, across := s.axis.in(t), s.low+(s.high-s.low)*part
	if s.in.Down() {
		return across, along
	}
	return along, across
}

// to goes on to a point.
func (s *strip) to(p *path, t clock.Instant, part float64) {
	if x, y := s.point(t, part); len(p.b) == 0 {
		p.move(x, y)
	} else {
		p.line(x, y)
	}
}

// band adds a rectangle from one instant to another.
func (s *strip) band(p *path, from, to clock.Instant) {
	if !s.axis.meets(from, to) {
		return
	}
	x, y := s.point(from, 0)
	r, b := s.point(to, 1)
	p.rect(box{min(x, r), min(y, b), max(x, r) - min(x, r), max(y, b) - min(y, b)})
}

// clientStrips returns the mechanisms of one client of which something has happened, in the order in which an attempt
// meets them.
func (s *sheet) clientStrips(client int) (list []strip) {
	g := &s.story.guards
	for _, c := range g.circuits {
		if c.client == client {
			list = append(list, strip{sheet: s, circuit: c})
		}
	}
	for _, m := range g.buckets {
		if m.client == client && len(m.levels) > 0 {
			list = append(list, strip{sheet: s, meter: m})
		}
	}
	return list
}

// mostStrips is how many clients have strips of their own at most. Of more, only the chosen one has.
const mostStrips = 4

// ownStrips returns the strips below the lane of a client.
func (s *sheet) ownStrips(client int) []strip {
	if len(s.in.Clients) > mostStrips && client != s.in.Client {
		return nil
	}
	return s.clientStrips(client)
}

// poolStrips returns the pools, on a phone that of the client.
func (s *sheet) poolStrips() (list []strip) {
	mine := 0
	if s.in.Client < len(s.in.InPool) {
		mine = s.in.InPool[s.in.Client]
	}
	if pool, ok := s.story.guards.moved[s.in.Client]; ok {
		mine = pool
	}
	for _, m := range s.story.guards.pools {
		if len(m.levels) > 0 && (!s.in.Vertical || mine > 0 && m.name == s.in.Pools[mine-1]) {
			list = append(list, strip{sheet: s, meter: m})
		}
	}
	return list
}

// mostKeys is how many clients' limits are drawn beside each other. Of more, only the one is that the selected event is
// about, else the latest.
const mostKeys = 3

// limitStrips returns the partner's limits.
func (s *sheet) limitStrips() (list []strip) {
	limits := s.story.guards.limits
	if len(limits) > mostKeys {
		limits = limits[len(limits)-1:]
		for _, m := range s.story.guards.limits {
			if slices.ContainsFunc(m.marks, func(n noted) bool { return n.e.Seq == s.in.Selected }) {
				limits = []*meter{m}
			}
		}
	}
	for _, m := range limits {
		list = append(list, strip{sheet: s, meter: m})
	}
	return list
}

// mostRunning is how many works are drawn as bars at the same time. More are a step area.
const mostRunning = 6

// workStrips returns the partner's work: bars, or how many run and wait.
func (s *sheet) workStrips() []strip {
	g := &s.story.guards
	n := g.workRows()
	switch {
	case n == 0 && g.capacity == nil:
		return nil
	case g.capacity != nil && (n > mostRunning || n == 0 || s.dense || s.in.Down()):
		return []strip{{sheet: s, meter: g.capacity, works: true}}
	case n > mostRunning:
		return []strip{{sheet: s, meter: g.load(s.in.Now), works: true}}
	}
	return []strip{{sheet: s, works: true}}
}

// draw draws everything but the words.
func (s *strip) draw() {
	switch {
	case s.circuit != nil:
		s.drawCircuit()
	case s.meter != nil:
		s.drawMeter()
	}
}

// stateNames are the states of a circuit, in the order of drawing.
var stateNames = [...]string{"closed", "half-open", "open"}

func (s *strip) drawCircuit() {
	c := s.circuit
	var bands [len(stateNames)]path
	for i, sp := range c.spans {
		to := s.in.Now
		if i+1 < len(c.spans) {
			to = c.spans[i+1].from
		}
		s.band(&bands[slices.Index(stateNames[:], sp.state)], sp.from, to)
	}
	for i, name := range stateNames {
		fill := []any{view.A("fill", "url(#p-"+name+")")}
		if name == "closed" {
			fill = nil
		}
		s.put(barLayer, bands[i].node("br br--"+name, fill...)...)
	}
	if last := c.spans[len(c.spans)-1]; last.state == "open" && last.until > s.in.Now && last.until < clock.Max {
		var p path
		s.band(&p, s.in.Now, last.until)
		s.put(trackLayer, p.node("br-until")...)
	}
	for _, n := range c.marks {
		x, y := s.point(n.e.At, 0.5)
		s.paint(n, x, y)
	}
}

func (s *strip) drawMeter() {
	m := s.meter
	tall := m.tallest()
	var all, area path
	queued := false
	from, to := max(m.levels[0].at, s.axis.start), min(s.in.Now, s.axis.end)
	if to < from {
		from = to // nothing of it is drawn
	}
	s.to(&area, from, 0)
	s.to(&all, from, 0)
	m.outline(from, to, func(t clock.Instant, n, waiting float64) {
		s.to(&area, t, n/tall)
		s.to(&all, t, (n+waiting)/tall)
		queued = queued || waiting > 0
	})
	for _, p := range []*path{&area, &all} {
		s.to(p, to, 0)
		p.b = append(p.b, 'Z')
	}
	if queued {
		s.put(barLayer, all.node("mt mt--queued", view.A("fill", "url(#p-queued)"))...)
	}
	s.put(barLayer, area.node("mt mt--"+meterNames[m.kind])...)
	if m.kind != loadMeter {
		var limit path
		s.to(&limit, s.axis.start, m.most/tall)
		s.to(&limit, s.axis.end, m.most/tall)
		s.put(trackLayer, limit.node("mt-limit")...)
	}
	for _, n := range m.marks {
		part := 1.0
		switch n.shape {
		case "":
			part = 0
		case "throttled", "refused", "held", "local":
			if m.kind.fills() {
				part = 0.25
			}
		}
		x, y := s.point(n.e.At, part)
		s.paint(n, x, y)
	}
}

// paint notes the mark of an event, which a path draws together with the others of its shape.
func (s *sheet) paint(n noted, x, y float64) {
	if !s.axis.sees(n.e.At) {
		return
	}
	if n.shape == "" {
		n.shape = hidden
	}
	s.spots = append(s.spots, spot{seq: n.e.Seq, x: x, y: y, mark: n.shape, painted: true})
	if n.shape != hidden && !s.dense {
		s.take(box{x - 5, y - 5, 10, 10})
	}
}

// The size of a cell of a circuit's window, and from one to the next.
const cellSize, cellPitch = 8.0, 10.0

// drawCells draws the results that decide now in a row: full cells are failures, with a cross;
// open ones successes, with a dot; dashed ones are still empty.
func (s *sheet) drawCells(cells []cell, x, y float64) {
	var empty, passed, failed, cross, dot path
	for i, c := range cells {
		b := box{x + float64(i)*cellPitch + 0.5, y + 0.5, cellSize - 1, cellSize - 1}
		switch c {
		case emptyCell:
			empty.rect(b)
		case passedCell:
			passed.rect(b)
			dot.rect(box{b.x + 2.5, b.y + 2.5, 2, 2})
		case failedCell:
			failed.rect(b)
			cross.move(b.x+1.5, b.y+1.5).line(b.x+b.w-1.5, b.y+b.h-1.5).move(b.x+b.w-1.5, b.y+1.5).line(b.x+1.5, b.y+b.h-1.5)
		}
	}
	s.put(textLayer, empty.node("cl cl--empty")...)
	s.put(textLayer, passed.node("cl cl--passed")...)
	s.put(textLayer, dot.node("cl-dot")...)
	s.put(textLayer, failed.node("cl cl--failed")...)
	s.put(textLayer, cross.node("cl-cross")...)
	s.take(box{x, y, cellsWidth(cells), cellSize})
}

func cellsWidth(cells []cell) float64 { return float64(len(cells)) * cellPitch }
