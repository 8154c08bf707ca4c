package timeline

import (
	"time"

	"retrylab.example/core/clock"
	"retrylab.example/core/decision"
	"retrylab.example/core/event"
	"retrylab.example/wasm/view"
)

// drawWait draws the three tracks of a wait below its attempt, side by side.
func (t *tall) drawWait(b tallBox, next *tallBox) {
	e := b.decided
	if e == nil || !drawsWait(e) {
		return
	}
	w, taken := waitOf(e), e.Kind == event.RetryScheduled
	from := t.axis.in(e.At)
	y := func(d time.Duration) float64 { return t.axis.in(e.At.Add(d)) }
	x := func(v float64) float64 { return b.x + v*t.unit }
	var nodes []view.Node
	if to := y(w.longest); to > from {
		nodes = append(nodes, rect("tr-range", vertical(x(0.75), 5*t.unit, from, to), 0, ""))
		t.take(vertical(x(0), 7*t.unit, from, to))
	}
	if to := y(w.local); w.drawn && t.axis.meets(e.At, e.At.Add(w.local)) {
		if to > from {
			nodes = append(nodes, rect("tr-jitter", vertical(x(8), 5*t.unit, from, to), 0, "p-jitter"))
		}
		var p path
		nodes = append(nodes, p.move(x(5.5), to).h(x(15.5)).node("tr-tick")...)
		t.take(vertical(x(7), 8*t.unit, from, to+2))
	}
	nodes = append(nodes, t.afterTrack(w, taken, x, from, y(w.asked))...)
	if taken && t.axis.sees(e.Until) {
		end := y(w.chosen)
		var p path
		nodes = append(nodes, p.move(x(-3), end).h(x(22)).node("tr-heavy")...)
		t.take(box{x(-3), end - 3, 25 * t.unit, 6})
		t.drawDrop(x(22), end, next)
	}
	class := "wait wait--jitter"
	if w.by == decision.RetryAfter {
		class = "wait wait--after"
	}
	t.put(trackLayer, group(class, nodes))
}

func (t *tall) afterTrack(w wait, taken bool, x func(float64) float64, from, to float64) []view.Node {
	if !w.sent || to <= from {
		return nil
	}
	t.take(vertical(x(16), 3, from, to))
	if w.ignored || !taken {
		var p path
		return p.move(x(17.5), from).v(to).move(x(12), to).h(x(22)).node("tr-ignored")
	}
	nodes := []view.Node{rect("tr-after", vertical(x(16), 3, from, to), 0, "")}
	if w.by != decision.RetryAfter {
		var wall path
		nodes = append(nodes, wall.move(x(12), to).h(x(22)).node("tr-heavy tr-heavy--thin")...)
	}
	return nodes
}

// drawDrop leads from the end of a wait to the attempt after it.
func (t *tall) drawDrop(x, y float64, next *tallBox) {
	if next == nil {
		return
	}
	to := next.x
	if to < x {
		to = next.x + t.barW
	}
	var p path
	p.move(x, y).h(to)
	if next.top != y {
		p.v(next.top)
	}
	t.put(trackLayer, p.node("tl-drop")...)
}

// sayAttempt writes what belongs to an attempt; each label only if there is room.
func (t *tall) sayAttempt(b tallBox) {
	x := b.x + t.barW + 7
	if b.decided != nil && b.decided.Kind == event.RetryScheduled && t.axis.meets(b.decided.At, b.decided.Until) {
		t.drawFlag(b)
		t.sayWait(b)
	}
	if e := b.timedOut; e != nil && b.barSeen {
		word := t.in.say("bar." + e.Failure.String() + ".short")
		t.say(plain, place{word, x, b.bottom - 9, left}, place{word, x, b.bottom - 24, left})
	}
	if b.replyLost != nil {
		t.sayLost(b.replyLost, "replyLost")
	}
	if b.requestLost != nil {
		t.sayLost(b.requestLost, lostText(b.requestLost))
	}
	if !b.over && b.sent != nil && t.axis.sees(t.in.Now) {
		word := t.in.say("onItsWay")
		t.say(plain, place{word, b.x, b.bottom + 16, left}, place{word, b.x + t.barW + 8, b.bottom + 4, left})
	}
	if e := b.decided; e != nil && e.Kind != event.RetryScheduled && t.axis.sees(e.At) {
		y := t.axis.in(e.At)
		var places []place
		for _, text := range endTexts(t.in, e) {
			places = append(places, place{text, x - 2, y + 20, left}, place{text, x + 14, y + 4, left},
				place{text, tallLeft, y + 22, left}, place{text, b.x - 6, y + 4, right})
		}
		t.say(strong, places...)
	}
}

func (t *tall) sayLost(e *event.Event, word string) {
	for _, sp := range t.spots {
		if sp.seq == e.Seq {
			text := t.in.say(word)
			t.say(failure, place{text, sp.x - 11, sp.y + 4, right}, place{text, sp.x + 11, sp.y + 4, left},
				place{text, sp.x, sp.y + 20, middle})
		}
	}
}

// drawFlag hangs the header on the track of Retry-After, above its wall.
func (t *tall) drawFlag(b tallBox) {
	w := waitOf(b.decided)
	if !w.sent {
		return
	}
	text := "Retry-After: " + clip(w.text, plain, 60)
	from, wall := t.axis.in(b.decided.At), t.axis.in(b.decided.At.Add(w.asked))
	x := b.x + 16*t.unit
	if w.ignored || wall-from < 26 {
		t.say(plain, place{t.in.say("flag.ignored", "header", text), x + 8, wall + 4, left}, place{text, x + 8, wall + 4, left})
		return
	}
	short := clip(w.text, plain, 60)
	for _, f := range []string{text, short} {
		width := textWidth(f, plain)*0.96 + 14
		for _, up := range []float64{46, 30, 70, 96} {
			at := box{x, wall - up, width, 18}
			if at.y < from+10 || !t.free(box{at.x + 4, at.y, at.w - 4, at.h}) {
				continue
			}
			t.put(trackLayer, pennant(at, true, f))
			t.take(at)
			return
		}
	}
}

// sayWait writes how long a wait is beside its tracks, in two lines where the wait is long enough.
func (t *tall) sayWait(b tallBox) {
	w := waitOf(b.decided)
	from := t.axis.in(b.decided.At)
	x := b.x + 26*t.unit
	at := t.in.seconds(clock.Instant(w.chosen))
	word := t.in.say("waitWord")
	for _, down := range []float64{38, 26, 52} {
		width := max(textWidth(at, strong), textWidth(word, plain))
		two := box{x, from + down - 11, width, 29}
		if two.y+two.h < t.axis.in(b.decided.Until) && t.free(two) {
			t.put(textLayer, label(faceClass[plain], x, from+down, left, word), label(faceClass[strong], x, from+down+15, left, at))
			t.take(two)
			return
		}
	}
	t.say(strong, place{at, x, from + 26, left}, place{at, b.x - 6, from + 14, right})
}
