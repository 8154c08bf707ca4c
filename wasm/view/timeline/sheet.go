package timeline

import (
	"iter"
	"strconv"

	"retrylab.example/core/clock"
	"retrylab.example/core/event"
	"retrylab.example/wasm/view"
)

// layer is the order in which things lie on each other, from below.
type layer uint8

const (
	backLayer layer = iota
	linkLayer
	trackLayer
	barLayer
	nowLayer
	textLayer
	ringLayer
	markLayer
	tokenLayer
	numLayers
)

// sheet is a drawing in the making.
type sheet struct {
	in            Input
	story         *story
	axis          axis
	class         string
	width, height float64
	layers        [numLayers][]view.Node
	// bounds is where labels may stand, taken what they must not meet.
	bounds box
	taken  []box
	missed []place // of labels that had no room
	counts []spot  // where those are counted, and the event to which a click there leads
	spots  []spot
	// dense says that paths draw the marks, and finish only the selected one; batches have spots of their own.
	dense   bool
	batches []*batch
	// all says that every event is to have its place, also where nothing is drawn.
	all bool
}

// hidden is the mark of an event that is seen in a line or a bar, and can be hit there.
const hidden = "hidden"

// spot is where an event is in the drawing.
type spot struct {
	seq  int
	x, y float64
	// mark names the shape; empty for an event that shares the place of another and is only ringed there.
	mark string
	// number is the attempt on a token.
	number int
	// painted says that one path draws all marks of this shape.
	painted bool
}

func newSheet(in Input) *sheet {
	s := &sheet{in: in, class: "tl--wide", width: float64(max(in.Width, 200))}
	s.axis = axisOf(in, s.width/8, s.width*0.85)
	if in.Vertical || in.Versus != nil && s.width < 592 { // time runs to the right, and the names need more than an eighth of a phone
		s.axis.from = max(s.axis.from, 74)
		s.axis.span = s.width*0.975 - s.axis.from
	}
	if in.Vertical {
		s.class = "tl--tall"
	}
	if in.Down() {
		s.axis = tallAxis(in)
	}
	return s
}

func (s *sheet) put(l layer, nodes ...view.Node) { s.layers[l] = append(s.layers[l], nodes...) }

// say returns a message in the language of the drawing.
func (in Input) say(name string, args ...string) string {
	return in.Lang.Say("timeline."+name, args...)
}

// seconds returns an instant or a duration with its unit.
func (in Input) seconds(t clock.Instant) string { return in.say("seconds", "n", decimals(t)) }

// decimals returns seconds with three decimals, rounded down.
func decimals(t clock.Instant) string {
	ms := int64(t) / 1e6
	return strconv.FormatInt(ms/1000, 10) + "." + strconv.FormatInt(1000+ms%1000, 10)[1:]
}

func (in Input) clientName(i int) string {
	if i >= 0 && i < len(in.Clients) {
		return in.Clients[i]
	}
	return strconv.Itoa(i + 1)
}

// mark puts an event's shape at a place.
func (s *sheet) mark(e *event.Event, shape string, x, y float64) {
	if e == nil || !s.axis.sees(e.At) {
		return
	}
	s.spots = append(s.spots, spot{seq: e.Seq, x: x, y: y, mark: shape})
	r := 9.0
	if shape == "admitted" {
		r = 5
	}
	s.take(box{x - r, y - r, 2 * r, 2 * r})
}

// token puts the numbered disc of an attempt at a place.
func (s *sheet) token(e *event.Event, x, y float64) {
	if !s.axis.sees(e.At) {
		return
	}
	s.spots = append(s.spots, spot{seq: e.Seq, x: x, y: y, mark: "token", number: e.Request.Attempt})
	s.take(box{x - 10, y - 10, 20, 20})
}

// also says that an event has no shape of its own and is found at a place.
func (s *sheet) also(e *event.Event, x, y float64) {
	if e != nil && s.axis.sees(e.At) {
		s.spots = append(s.spots, spot{seq: e.Seq, x: x, y: y})
	}
}

// finish draws the marks: at one place only the last, and a ring around the selected one.
func (s *sheet) finish() {
	if !s.dense && !s.in.Crowded() {
		s.countMissed()
	}
	selected := s.selected()
	if selected != nil {
		r := 11.0
		if selected.mark == "token" {
			r = 13
		} else if selected.mark == hidden {
			r = 7
		}
		s.put(ringLayer, circle("tl-sel", selected.x, selected.y, r))
	}
	s.paintMarks()
	for sp := range s.own() {
		if sp.mark == hidden || (s.dense || sp.painted) && (selected == nil || sp.seq != selected.seq) {
			continue
		}
		at := view.A("transform", "translate("+num(sp.x)+" "+num(sp.y)+")")
		if sp.mark == "token" {
			s.put(tokenLayer, view.El("g", view.Class("token"), at, s.click(sp.seq),
				view.El("circle", view.A("r", "9")), view.El("text", view.A("y", "4"), strconv.Itoa(sp.number))))
			continue
		}
		name := sp.mark
		if selected != nil && sp.x == selected.x && sp.y == selected.y && name == "decision" {
			name += "-sel"
		}
		s.put(markLayer, view.El("use", view.Class("tl-mk"), view.A("href", "#mk-"+name), at, s.click(sp.seq)))
	}
}

// paintMarks draws one path for the marks of each shape. A dense drawing has done so already.
func (s *sheet) paintMarks() {
	if s.dense {
		return
	}
	shapes := map[string]*path{} // looked up in the order of the shapes
	for sp := range s.own() {
		if sp.painted {
			paintOn(shapes, sp)
		}
	}
	s.put(markLayer, shapeNodes(shapes)...)
}

// paintOn adds a mark to the path of its shape.
func paintOn(shapes map[string]*path, sp spot) {
	p := shapes[sp.mark]
	if p == nil {
		p = &path{}
		shapes[sp.mark] = p
	}
	glyph(p, sp.mark, sp.x, sp.y)
}

// shapeNodes returns the paths of the shapes.
func shapeNodes(shapes map[string]*path) (nodes []view.Node) {
	for _, name := range marks {
		if p := shapes[name]; p != nil {
			nodes = append(nodes, p.node("dn dn--"+name)...)
		}
	}
	return nodes
}

func (s *sheet) selected() *spot {
	if s.in.Selected == 0 {
		return nil
	}
	for _, b := range s.batches {
		if sp := spotOf(b.spots, s.in.Selected); sp != nil {
			return sp
		}
	}
	return spotOf(s.spots, s.in.Selected)
}

func spotOf(spots []spot, seq int) *spot {
	for i := range spots {
		if spots[i].seq == seq {
			return &spots[i]
		}
	}
	return nil
}

// own goes through the marks that are drawn, which are those that can be hit.
func (s *sheet) own() iter.Seq[spot] {
	return func(yield func(spot) bool) {
		for _, b := range s.batches {
			for _, sp := range b.own {
				if !yield(sp) {
					return
				}
			}
		}
		for _, sp := range own(s.spots) {
			if !yield(sp) {
				return
			}
		}
	}
}

// own returns the marks that are drawn: of several at one place the last.
func own(spots []spot) []spot {
	type point struct{ x, y float64 }
	last := make(map[point]int, len(spots)) // looked up, never ranged over
	for i, sp := range spots {
		if sp.mark != "" {
			last[point{sp.x, sp.y}] = i
		}
	}
	var own []spot
	for i, sp := range spots {
		if j, ok := last[point{sp.x, sp.y}]; ok && i == j {
			own = append(own, sp)
		}
	}
	return own
}

// click returns the attributes and the handler of something that selects an event.
func (s *sheet) click(seq int) any {
	if s.in.Select == nil {
		return nil
	}
	return view.Click(s.in.Select(seq))
}

// reach is how far from a mark a pointer still hits it, in pixels.
const reach = 16

// HitTest returns the event whose mark is nearest to a place of the drawing.
func HitTest(in Input, x, y float64) (seq int, ok bool) {
	best := float64(reach * reach)
	hit := func(sp *spot) {
		d := (sp.x-x)*(sp.x-x) + (sp.y-y)*(sp.y-y)
		if d <= best {
			best, seq, ok = d, sp.seq, true
		}
	}
	s := plan(in)
	for sp := range s.own() {
		hit(&sp)
	}
	for i := range s.counts {
		hit(&s.counts[i])
	}
	return seq, ok
}
