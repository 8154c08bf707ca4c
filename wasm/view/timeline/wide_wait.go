package timeline

import (
	"time"

	"retrylab.example/core/clock"
	"retrylab.example/core/decision"
	"retrylab.example/core/event"
	"retrylab.example/wasm/view"
)

// drawsWait reports whether a decision chose between waits: it took one, or found none that fits.
func drawsWait(e *event.Event) bool {
	return e.Kind == event.RetryScheduled || e.Decision.Reason == decision.BudgetTooShort
}

// drawWait draws the three tracks of the wait after an attempt: how long it could have been, what was drawn, and what
// the partner asked for. The winner has the heavy end. A wait that was not taken has none.
func (w *wide) drawWait(b attemptBox, next *attemptBox) {
	e := b.decided
	if e == nil || !drawsWait(e) {
		return
	}
	t := waitOf(e)
	taken := e.Kind == event.RetryScheduled
	from, y := w.axis.in(e.At), b.bar.y
	x := func(d time.Duration) float64 { return w.axis.in(e.At.Add(d)) }
	var nodes []any
	add := func(n ...view.Node) { nodes = append(nodes, n) }

	if r := x(t.longest); r > from {
		add(rect("tr-range", box{from, y + w.m.rangeY, r - from, w.m.rangeH}, 0, ""))
		w.take(box{from, y, r - from, w.m.jitterY})
	}
	if r := x(t.local); t.drawn && w.axis.meets(e.At, e.At.Add(t.local)) {
		if r > from {
			add(rect("tr-jitter", box{from, y + w.m.jitterY, r - from, w.m.jitterH}, 0, "p-jitter"))
			w.take(box{from, y + w.m.jitterY, r - from + 2, w.m.jitterH})
		}
		if w.axis.sees(e.At.Add(t.local)) && r < w.plotEnd() {
			var p path
			add(p.move(r, y+w.m.tickFrom).v(y + w.m.tickTo).node("tr-tick")...)
		}
	}
	add(w.afterTrack(t, taken, from, x(t.asked), y)...)
	if end := x(t.chosen); taken && w.axis.sees(e.Until) {
		var p path
		add(p.move(end, y+w.m.heavyFrom).v(y + w.m.heavyT).node("tr-heavy")...)
		w.take(box{end - 3, y + w.m.heavyFrom, 6, w.m.heavyT - w.m.heavyFrom})
		w.drawDrop(end, y+w.m.heavyT, next)
	}
	class := "wait wait--jitter"
	if t.by == decision.RetryAfter {
		class = "wait wait--after"
	}
	w.put(trackLayer, view.El("g", append([]any{view.Class(class)}, nodes...)...))
	if t.sent && !w.unused(b, t) && w.axis.meets(e.At, e.At.Add(t.asked)) {
		w.drawFlag(b, t, x(t.asked))
	}
}

// unused reports whether a Retry-After that was sent did not make the wait.
func (w *wide) unused(b attemptBox, t wait) bool {
	return t.ignored || b.decided.Kind != event.RetryScheduled || t.asked <= 0
}

// afterTrack draws what Retry-After asked for: solid, or dashed where it was not used.
func (w *wide) afterTrack(t wait, taken bool, from, to, y float64) []view.Node {
	if !t.sent || to <= from {
		return nil
	}
	w.take(box{from, y + w.m.afterY, to - from, w.m.afterH})
	mid := y + w.m.afterY + w.m.afterH/2
	if t.ignored || !taken {
		var p path
		p.move(from, mid).h(to)
		if to < w.plotEnd() {
			p.move(to, y+w.m.heavyFrom).v(y + w.m.heavyT)
		}
		return p.node("tr-ignored")
	}
	nodes := []view.Node{rect("tr-after", box{from, y + w.m.afterY, to - from, w.m.afterH}, 0, "")}
	if t.by != decision.RetryAfter {
		var wall path
		nodes = append(nodes, wall.move(to, y+w.m.heavyFrom).v(y+w.m.afterY+w.m.afterH).node("tr-heavy tr-heavy--thin")...)
	}
	return nodes
}

// drawDrop leads from the end of a wait to the attempt after it.
func (w *wide) drawDrop(x, y float64, next *attemptBox) {
	if next == nil {
		return
	}
	to := next.top + w.m.token - 9
	if next.sent == nil {
		to = next.bar.y
	}
	var p path
	p.move(x, y)
	if to < y {
		to = next.top + w.m.token + 9 // folded back to a row above
	}
	p.v((y + to) / 2).h(next.x).v(to)
	if next.x == x {
		p = path{}
		p.move(x, y).v(to)
	}
	w.put(trackLayer, p.node("tl-drop")...)
}

// drawFlag hangs the header on the wall: left of it, right of it, or shortened.
func (w *wide) drawFlag(b attemptBox, t wait, wall float64) {
	text := header(t)
	y := b.bar.y + w.m.heavyFrom - w.m.flagH
	width := textWidth(text, plain)*0.96 + 16
	short := clip(t.text, plain, 60)
	small := textWidth(short, plain) + 16
	for _, f := range []struct {
		text  string
		width float64 // negative: to the right of the wall
	}{{text, width}, {text, -width}, {short, small}, {short, -small}} {
		at := box{wall + 2 - f.width, y, f.width, w.m.flagH}
		if f.width < 0 {
			at = box{wall - 2, y, -f.width, w.m.flagH}
		}
		if at.x > w.axis.from && w.free(at) {
			w.put(trackLayer, pennant(at, f.width < 0, f.text))
			var p path
			w.put(trackLayer, p.move(wall, y).v(b.bar.y+w.m.heavyFrom).node(w.wallClass(t))...)
			w.take(at)
			return
		}
	}
}

// header is what the partner sent, not too long.
func header(t wait) string { return "Retry-After: " + clip(t.text, plain, 84) }

// sayUnused names a Retry-After that did not make the wait.
func (w *wide) sayUnused(b attemptBox) {
	if b.decided == nil {
		return
	}
	t := waitOf(b.decided)
	if !drawsWait(b.decided) || !t.sent || !w.unused(b, t) {
		return
	}
	if !w.axis.meets(b.decided.At, b.decided.At.Add(t.asked)) {
		return
	}
	text, wall := header(t), w.axis.in(b.decided.At.Add(t.asked))
	texts := []string{text}
	if t.ignored {
		texts = []string{w.in.say("flag.ignored", "header", text), text}
	}
	mid, above := b.bar.y+w.m.afterY+3, b.bar.y-3
	var places []place
	for _, s := range texts {
		places = append(places, place{s, wall + 9, mid, left}, place{s, wall + 9, above, left},
			place{s, wall - 8, b.bar.y + 10, right})
		if d := w.axis.in(b.call.deadline) - 6; d-textWidth(s, plain) < wall { // the line of the deadline may be in the way
			places = append(places, place{s, d, mid + 15, right})
		}
	}
	w.say(plain, places...)
}

func (w *wide) wallClass(t wait) string {
	if t.by == decision.RetryAfter {
		return "tr-heavy"
	}
	return "tr-heavy tr-heavy--thin"
}

// pennant returns a flag with a text; it flies to the left of its pole, or to the right.
func pennant(b box, rightwards bool, text string) view.Node {
	var p path
	mid := b.y + b.h/2
	if rightwards {
		p.move(b.x, b.y).h(b.x+b.w).line(b.x+b.w-5, mid).line(b.x+b.w, b.y+b.h).h(b.x)
	} else {
		p.move(b.x+b.w, b.y).h(b.x).line(b.x+5, mid).line(b.x, b.y+b.h).h(b.x + b.w)
	}
	return view.El("g", view.Class("tl-flag"), p.node(""), label("tl-flag__t", b.x+b.w/2, mid+4, middle, text))
}

// A bar up to narrowBar has what is said of its wait beside its disc, a wider one at its end.
const (
	narrowBar = 30
	labelGap  = 8
)

// sayWait writes how long the wait is, above its tracks.
func (w *wide) sayWait(b attemptBox) {
	if b.decided == nil || b.decided.Kind != event.RetryScheduled || !w.axis.meets(b.decided.At, b.decided.Until) {
		return
	}
	y := b.top + w.m.token + 4
	x := waitLabelX(b)
	var places []place
	for _, t := range waitTexts(w.in, waitOf(b.decided)) {
		places = append(places, place{t, x, y, left}, place{t, w.clearOf(x, y), y, left})
	}
	w.say(strong, places...)
}

func waitLabelX(b attemptBox) float64 {
	if b.bar.w > narrowBar {
		return b.r + labelGap
	}
	return b.x + 15
}

// clearOf returns where the first label right of x on the line y ends.
func (w *wide) clearOf(x, y float64) float64 {
	for _, t := range w.taken {
		if t.y < y-4 && y-4 < t.y+t.h && t.x <= x+2 && t.x+t.w > x {
			return t.x + t.w + labelGap
		}
	}
	return x
}

// waitTexts says how long a wait is and what made it, the long form first.
func waitTexts(in Input, t wait) []string {
	at := in.seconds(clock.Instant(t.chosen))
	texts := []string{in.say("wait", "wait", at), at}
	switch t.by {
	case decision.Jitter:
		texts = append([]string{in.say("wait.drawn", "wait", at)}, texts...)
	case decision.Cap:
		texts = append([]string{in.say("wait.cap", "wait", at)}, texts...)
	}
	return texts
}
