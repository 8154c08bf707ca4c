package timeline

import (
	"retrylab.example/core/clock"
	"retrylab.example/core/measure"
	"retrylab.example/wasm/view"
)

// legendItem is one fate, or the line of what can be done, with its place in the legend.
type legendItem struct {
	fate  int // −1 for the line
	text  string
	x     float64
	row   int
	width float64
}

// legendItems lists the fates that occur, and sets them out in rows.
func (c *crowd) legendItems() []legendItem {
	var items []legendItem
	x, row := 0.0, 0
	add := func(fate int, text string) {
		width := 46 + textWidth(text, plain)
		if x > 0 && x+width > c.width {
			x, row = 0, row+1
		}
		items = append(items, legendItem{fate, text, x, row, width})
		x += width
	}
	for f, n := range c.fates {
		if n > 0 {
			add(f, c.in.say("crowd."+measure.Fate(f).String(), "n", count(n)))
		}
	}
	if c.places > 0 {
		add(-1, c.in.say("crowd.places", "n", count(int(c.places)), "time", c.in.say("seconds", "n", tick(clock.Instant(c.load.Width())))))
	}
	return items
}

func (c *crowd) legendRows() int {
	rows := 0
	for _, it := range c.legendItems() {
		rows = it.row + 1
	}
	return rows
}

// drawLegend names the fates with their pattern, their shape and how many there were.
func (c *crowd) drawLegend() {
	for _, it := range c.legendItems() {
		y := c.legend + 4 + legendPitch*float64(it.row)
		if it.fate < 0 {
			var p path
			c.put(textLayer, p.move(it.x, y+6).h(it.x+30).node("cw-limit")...)
		} else {
			look := fateLooks[it.fate]
			c.put(barLayer, rect(look.class, box{it.x + 0.5, y + 0.5, 13, 11}, 0, look.pattern))
			c.put(markLayer, view.El("use", view.A("href", "#ms-"+look.shape), view.A("transform", "translate("+num(it.x+25)+" "+num(y+6)+")")))
		}
		c.put(textLayer, label(faceClass[plain], it.x+36, y+10, left, it.text))
	}
}

// fact is one number of the crowd with its name.
type fact struct{ value, name string }

// factsOf returns the numbers of the whole run so far, not of the part that is drawn.
func (c *crowd) factsOf() []fact {
	t := measure.Of(c.in.Events)
	last := "–"
	if n, at := c.load.Calls(); n > 0 {
		last = c.in.seconds(at)
	}
	return []fact{
		{tenths(t.Amplification()), c.in.say("crowd.amplification")},
		{count(t.Sent), c.in.say("crowd.sent")},
		{count(t.Refused), c.in.say("crowd.refused")},
		{count(t.GaveUp), c.in.say("crowd.never")},
		{last, c.in.say("crowd.last")},
	}
}

// tenths writes a number of tenths.
func tenths(n int64) string { return amount(n/10) + "." + amount(n%10) }

// drawFacts writes the numbers below the drawing, in as many columns as there is room for.
func (c *crowd) drawFacts() {
	facts := c.factsOf()
	columns := min(len(facts), max(int(c.width/104), 1))
	width := c.width / float64(columns)
	for i, f := range facts {
		x, y := width*float64(i%columns), c.facts+factsHeight*float64(i/columns)
		c.put(textLayer, label("cw-fact", x, y+14, left, f.value),
			label("tl-sub", x, y+30, left, clip(f.name, plain, width-6)))
	}
	c.sheet.height = c.facts + factsHeight*float64((len(facts)+columns-1)/columns)
}

// crowdSpoken sums a crowd up in words.
func crowdSpoken(in Input) string {
	t := measure.Of(in.Events)
	l := measure.LoadOf(in.Events, clock.Start, clock.MaxDuration, 1)
	args := []string{
		"clients", count(len(in.Clients)), "calls", count(t.Calls), "sent", count(t.Sent), "per", tenths(t.Amplification()),
		"never", count(t.GaveUp),
	}
	for f, n := range l.Buckets()[0] {
		args = append(args, measure.Fate(f).String(), count(n))
	}
	s := in.say("say.crowd", args...)
	if n, at := l.Calls(); n > 0 {
		s += " " + in.say("say.crowd-last", "n", count(n), "at", in.seconds(at))
	}
	return s
}
