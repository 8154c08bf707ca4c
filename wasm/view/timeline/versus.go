package timeline

import (
	"math"

	"retrylab.example/core/clock"
)

// Versus says that the clients are those of two runs on one axis: first all of the one, then all of the other.
type Versus struct {
	// Parts says that the runs differ, At from when on, and End until when they do.
	Parts   bool
	At, End clock.Instant
	// Same says in words how long they are the same.
	Same string
	// Moved are the instants, in the one and in the other, of what Apart says; Apart is empty where nothing has moved.
	Moved [2]clock.Instant
	Apart string
}

// bandHeight is the room between the two runs.
const bandHeight = 56

// drawVersus draws two runs above each other: the callers alone, and between them the band of what is the same and what
// is not.
func drawVersus(s *sheet) {
	s.story = tell(s.in)
	w := &wide{sheet: s, top: wideTop}
	w.now = s.axis.in(s.in.Now)
	band := w.layVersus()
	s.cull()
	w.drawNow()
	w.drawGrid()
	for i, l := range w.clients {
		w.drawLane(l, w.in.clientName(i), w.in.say("lane.client"))
	}
	w.drawBand(band)
	for i := range w.clients {
		w.drawClient(i)
	}
}

// layVersus gives every caller a lane, and returns the band between the two runs.
func (w *wide) layVersus() lane {
	w.m = tight
	var band lane
	y := w.top
	for i := range w.in.Clients {
		if i == len(w.in.Clients)/2 {
			band = lane{y, bandHeight}
			y = band.bottom()
		}
		rows := max(assignRows(w.attemptsOf(i), w.gap(14)), 1)
		l := lane{y, float64(rows)*w.m.pitch + laneFoot + 6}
		w.clients = append(w.clients, l)
		y = l.bottom()
	}
	w.height = y
	w.bounds = box{w.axis.from, w.top - 2, w.width - w.axis.from + 4, w.height}
	w.take(box{0, band.top, w.width, band.height})
	return band
}

// drawBand draws two plain lines as long as the runs are the same, and from where they part to now a highlighted band with
// the dimension of what has moved.
func (w *wide) drawBand(b lane) {
	v := w.in.Versus
	mid := b.top + b.height/2
	same := w.now
	if v.Parts {
		same = min(same, w.axis.in(v.At))
	}
	var lines path
	lines.move(w.axis.from, mid-2).h(same).move(w.axis.from, mid+2).h(same)
	w.put(backLayer, lines.node("df-same")...)
	end := min(w.now, w.axis.in(v.End))
	if v.Parts && end > same {
		w.put(backLayer, rect("df-band", box{same, mid - 18, end - same, 36}, 0, "p-diff"))
	}
	if v.Parts && w.in.Now >= v.At && w.axis.sees(v.At) {
		var edge path
		w.put(backLayer, edge.move(same, mid-22).v(mid+22).node("df-edge")...)
	}
	w.sign("plate", v.Same, plain, w.axis.from, same, mid)
	if v.Apart == "" || max(v.Moved[0], v.Moved[1]) > w.in.Now {
		return
	}
	from, to := w.axis.in(min(v.Moved[0], v.Moved[1])), w.axis.in(max(v.Moved[0], v.Moved[1]))
	var dim path
	dim.move(from, mid-12).v(mid+12).move(to, mid-12).v(mid+12).move(from, mid).h(to)
	if to-from > 16 {
		dim.move(from+6, mid-4).line(from, mid).line(from+6, mid+4).move(to-6, mid-4).line(to, mid).line(to-6, mid+4)
	}
	w.put(textLayer, dim.node("df-dim")...)
	if !w.sign("plate plate--mark", v.Apart, strong, from+8, to-8, mid) {
		w.sign("plate plate--mark", v.Apart, strong, to+6, w.plotEnd()+w.width*0.02, mid)
	}
}

// sign writes a text on a ground of its own in the middle between two places, if it has room there.
func (w *wide) sign(class, text string, f face, from, to, mid float64) bool {
	width := textWidth(text, f) + 16
	if text == "" || width > to-from {
		return false
	}
	x := math.Round((from + to) / 2)
	w.put(textLayer, rect(class, box{x - width/2, mid - 9, width, 18}, 0, ""), label(faceClass[f], x, mid+4, middle, text))
	return true
}
