package timeline

import (
	"slices"
	"strings"

	"retrylab.example/core/call"
	"retrylab.example/core/clock"
	"retrylab.example/core/decision"
	"retrylab.example/core/event"
	"retrylab.example/wasm/view"
)

// attemptBox is where an attempt of the wide drawing stands.
type attemptBox struct {
	*attemptStory
	top  float64 // of its row
	x, r float64 // ends of its bar
	bar  box
	// over says that the attempt has ended, barSeen that some of its bar lies in the part that is drawn.
	over, barSeen bool
}

func (w *wide) place(a *attemptStory) attemptBox {
	b := attemptBox{attemptStory: a}
	l := w.clients[min(a.req.Client, len(w.clients)-1)]
	b.top = l.top + float64(a.row)*w.m.pitch
	b.x = w.axis.in(a.start())
	end, over := a.end()
	b.over = over
	if !over {
		end = max(w.in.Now, a.start())
	}
	b.r = w.axis.in(end)
	b.barSeen = w.axis.meets(a.start(), end)
	b.bar = box{b.x, b.top + w.m.bar, max(b.r-b.x, 1), w.m.barH}
	return b
}

func (w *wide) drawClient(i int) {
	attempts := w.attemptsOf(i)
	boxes := make([]attemptBox, len(attempts))
	for j, a := range attempts {
		boxes[j] = w.place(a)
		w.drawAttempt(boxes[j])
	}
	// Labels come last, when all that they must not meet is known; the important ones first.
	w.drawDeadlines(i)
	for j, b := range boxes {
		w.drawWait(b, w.following(boxes[j+1:], b))
	}
	for _, b := range boxes {
		if w.crowded(b) {
			w.sayWait(b)
		}
		w.sayRequest(b)
	}
	for _, b := range boxes {
		if !w.crowded(b) {
			w.sayWait(b)
		}
		w.sayUnused(b)
		w.sayOutcome(b)
		w.sayQueue(b)
	}
	w.drawNotices(i)
}

// drawNotices draws what the partner told a client, from the effect that it told of.
func (w *wide) drawNotices(client int) {
	if w.in.Versus != nil {
		return
	}
	for _, n := range w.story.notices {
		if min(n.told.Request.Client, len(w.clients)-1) != client || !w.axis.sees(n.told.At) {
			continue
		}
		x, y := w.axis.in(n.told.At), w.clients[client].bottom()-10
		from := n.told
		if n.of != nil {
			from = n.of
		}
		var p path
		w.link(&p, end{from.At, 0, w.partnerY}, end{n.told.At, 0, y})
		w.put(linkLayer, p.node("tl-link tl-link--notice")...)
		w.mark(n.told, kindMark[event.Notified], x, y)
		text := w.in.say("notified")
		w.say(strong, place{text, x + 12, y + 4, left}, place{text, x - 12, y + 4, right})
	}
}

// following returns the next attempt of the same call.
func (w *wide) following(rest []attemptBox, b attemptBox) *attemptBox {
	for i := range rest {
		if rest[i].call == b.call {
			return &rest[i]
		}
	}
	return nil
}

func (w *wide) drawAttempt(b attemptBox) {
	w.drawQueue(b)
	if b.sent != nil {
		w.token(b.sent, b.x, b.top+w.m.token)
		w.also(b.call.start, b.x, b.top+w.m.token)
		w.drawBar(b)
		w.drawLinks(b)
	}
	if b.notSent != nil {
		w.mark(b.notSent, "local", b.x, b.top+w.m.bar+w.m.barH/2)
		w.also(b.call.start, b.x, b.top+w.m.bar+w.m.barH/2)
	}
	if b.decided != nil {
		w.mark(b.decided, "decision", w.axis.in(b.decided.At), b.top+w.m.diamond)
	}
}

// drawQueue draws how long an attempt waited for a place or a token before it was sent.
func (w *wide) drawQueue(b attemptBox) {
	from, to, ok := b.waiting(w.in.Now)
	if b.sent == nil && b.notSent == nil {
		w.also(b.call.start, b.x, b.top+w.m.token)
	}
	if !ok || !w.axis.meets(from, to) {
		return
	}
	at := box{w.axis.in(from), b.bar.y + b.bar.h/2 - 4, w.axis.in(to) - w.axis.in(from), 8}
	var p path
	p.rect(at)
	w.put(barLayer, p.node("mt mt--queued", view.A("fill", "url(#p-queued)"), w.click(b.waits.Seq))...)
	w.take(at)
}

// sayQueue names that wait, above its bar.
func (w *wide) sayQueue(b attemptBox) {
	if from, to, ok := b.waiting(w.in.Now); ok && w.axis.meets(from, to) {
		text := b.waitText(w.in)
		if room := w.axis.in(to) - w.axis.in(from); textWidth(text, plain) < room-10 || b.sent == nil {
			w.say(plain, place{text, w.axis.in(from) + 2, b.top + w.m.token + 4, left})
		}
	}
}

func (w *wide) drawBar(b attemptBox) {
	kind := b.outcome()
	if b.barSeen {
		w.take(b.bar)
	}
	switch {
	case !b.barSeen:
	case kind == flight:
		var p path
		p.move(b.r, b.bar.y).h(b.x).v(b.bar.y + b.bar.h).h(b.r)
		w.put(barLayer, p.node("bar bar--flight", w.click(b.sent.Seq))...)
	default:
		r := 3.0
		if b.bar.w < 12 {
			r = min(2, b.bar.w/2)
		}
		w.put(barLayer, bar(kind, b.bar, r, w.click(b.sent.Seq)))
	}
	if e := b.timedOut; e != nil {
		x := b.r - 14
		if b.bar.w < 28 {
			x = b.x + b.bar.w/2
		}
		w.mark(e, "timeout", x, b.bar.y+b.bar.h/2)
	}
	w.also(b.reply, b.r, b.bar.y+b.bar.h/2)
	if b.ignored != nil {
		w.mark(b.ignored, "ignored", w.axis.in(b.ignored.At), b.top+w.m.diamond)
	}
}

// bar returns the bar of an ended attempt.
func bar(kind outcome, b box, r float64, click any) view.Node {
	fill := ""
	if kind != succeeded {
		fill = "p-" + string(kind)
	}
	n := rect("bar bar--"+string(kind), b, r, fill)
	if h, ok := click.(*view.Handler); ok {
		n.On = append(n.On, *h)
	}
	return n
}

// drawLinks joins the attempt to the partner, and the reply to the decision that it caused.
func (w *wide) drawLinks(b attemptBox) {
	if w.in.Versus != nil { // there is no partner to join it to
		return
	}
	from := b.bar.y + b.bar.h
	var there, back, lost path
	if e := b.requestLost; e != nil {
		y := w.inLane(b, from, from+(w.partnerY-from)*0.4)
		w.link(&lost, end{b.sent.At, 0, from}, end{b.sent.At, 4, y - 6})
		w.mark(e, "lost", b.x+6, y)
	}
	if b.arrived != nil {
		x := w.axis.in(b.arrived.At)
		w.link(&there, end{b.sent.At, 0, from}, end{b.arrived.At, 0, w.partnerY})
		switch e := b.replyLost; {
		case e != nil:
			y := w.inLane(b, from, w.partnerY-(w.partnerY-from)*0.55)
			w.link(&lost, end{b.arrived.At, 0, w.partnerY}, end{b.arrived.At, 6, y + 6})
			w.mark(e, "lost", x+7, y)
		case b.reply != nil:
			w.link(&back, end{b.arrived.At, 0, w.partnerY}, end{b.reply.At, 0, b.top + w.m.diamond})
		case b.crash != nil && b.timedOut != nil && b.timedOut.Failure == call.Reset:
			w.link(&lost, end{b.arrived.At, 0, w.partnerY}, end{b.timedOut.At, 0, b.top + w.m.diamond})
		case b.ignored != nil:
			w.link(&back, end{b.arrived.At, 0, w.partnerY}, end{b.ignored.At, 0, b.top + w.m.diamond})
		}
	}
	w.put(linkLayer, there.node("tl-link")...)
	w.put(linkLayer, back.node("tl-link tl-link--reply")...)
	w.put(linkLayer, lost.node("tl-link tl-link--lost")...)
}

// inLane keeps the cross of a lost message inside the lane of its client, and off the bar.
func (w *wide) inLane(b attemptBox, bottom, y float64) float64 {
	l := w.clients[min(b.req.Client, len(w.clients)-1)]
	return max(min(y, l.bottom()-12), bottom+13)
}

// drawDeadlines draws the deadline of every running call of a client, and of its latest where it is the only client.
func (w *wide) drawDeadlines(client int) {
	var last *callStory
	for _, c := range w.story.calls {
		if c.start.Request.Client == client {
			last = c
		}
	}
	l := w.clients[client]
	var drawn []*callStory // one of all that have the same deadline
	for _, c := range w.story.calls {
		past := c.ended && (c != last || len(w.clients) > 1) || !w.axis.sees(c.deadline)
		same := func(d *callStory) bool { return d.deadline == c.deadline }
		if c.start.Request.Client != client || past || slices.ContainsFunc(drawn, same) {
			continue
		}
		drawn = append(drawn, c)
		x := w.axis.at(c.deadline)
		var p path
		w.put(nowLayer, p.move(x, l.top).v(l.bottom()-8).node("tl-deadline")...)
		w.take(box{x - 1, l.top, 2, l.height - 8})
	}
	for _, c := range drawn { // when all the lines are known, which no label may cross
		w.sayDeadline(c, w.axis.at(c.deadline), l.top)
	}
}

func (w *wide) sayDeadline(c *callStory, x, top float64) {
	word, at := w.in.say("deadline"), w.in.seconds(c.deadline)
	width := max(textWidth(word, strong), textWidth(at, plain))
	for _, y := range []float64{top, top + 30} {
		for _, end := range []struct {
			x  float64
			at anchor
		}{{x - 6, right}, {x + 6, left}} {
			b := box{end.x, y + 4, width, 28}
			if end.at == right {
				b.x -= width
			}
			if w.free(b) {
				w.put(textLayer, label(faceClass[strong], end.x, y+14, end.at, word))
				w.put(textLayer, label(faceClass[plain], end.x, y+28, end.at, at))
				w.take(b)
				return
			}
		}
	}
}

// sayRequest writes what the call asks for, beside the disc of its first attempt.
func (w *wide) sayRequest(b attemptBox) {
	if b.sent == nil || b.req.Attempt > 1 || !w.axis.sees(b.sent.At) {
		return
	}
	x, y := b.x+14, b.top+w.m.token+4
	var places []place
	for _, t := range []string{requestText(b.req, true), requestText(b.req, false), b.req.Key} {
		places = append(places, place{t, x, y, left}, place{t, w.clearOf(x, y), y, left}, place{t, b.x - 14, y, right})
	}
	w.say(mono, places...)
}

// crowded reports whether the request would push what is said of the wait after the attempt away from it.
func (w *wide) crowded(b attemptBox) bool {
	if b.decided == nil || b.decided.Kind != event.RetryScheduled || b.req.Attempt > 1 {
		return false
	}
	request := place{text: requestText(b.req, true), x: b.x + 14}.box(mono)
	from := request.x + request.w + labelGap
	if b.bar.w > narrowBar {
		return from > waitLabelX(b) && from > w.axis.in(b.decided.Until)
	}
	return from+textWidth(waitTexts(w.in, waitOf(b.decided))[0], strong) > w.axis.in(b.decided.Until)
}

// requestText writes a request as code.
func requestText(r call.Request, key bool) string {
	parts := []string{r.Method + " " + r.Path}
	if r.Amount != 0 {
		parts = append(parts, count(int(r.Amount)))
	}
	if key && r.HasKey() {
		parts = append(parts, r.Key)
	}
	return strings.Join(parts, ", ")
}

// sayOutcome says how the attempt or its call ended.
func (w *wide) sayOutcome(b attemptBox) {
	mid := b.bar.y + b.bar.h/2 + 4
	if !b.over && b.sent != nil && w.axis.sees(w.in.Now) {
		word := w.in.say("onItsWay")
		w.say(plain, place{word, b.r + 14, b.bar.y - 8, left}, place{word, b.r + 8, mid, left},
			place{word, b.x - 8, mid, right})
	}
	if e := b.timedOut; e != nil {
		w.sayInBar(b, w.in.say("bar."+e.Failure.String()), w.in.say("bar."+e.Failure.String()+".short"))
	} else if b.reply != nil {
		w.sayInBar(b, count(b.reply.Response.Status))
	}
	if e := b.replyLost; e != nil {
		w.sayLost(e, "replyLost")
	}
	if e := b.requestLost; e != nil {
		w.sayLost(e, lostText(e))
	}
	if b.decided != nil && b.decided.Kind != event.RetryScheduled && w.axis.sees(b.decided.At) {
		w.sayEnd(b)
	}
}

func (w *wide) sayLost(e *event.Event, word string) {
	for _, sp := range w.spots {
		if sp.seq == e.Seq {
			text := w.in.say(word)
			w.say(failure, place{text, sp.x + 13, sp.y + 4, left}, place{text, sp.x - 13, sp.y + 4, right},
				place{text, sp.x + 13, sp.y + 20, left})
		}
	}
}

// lostText is the name of the text beside the cross of a request that the partner never sees.
func lostText(e *event.Event) string {
	if e.Fault == event.NeverSent {
		return "neverSent"
	}
	return "requestLost"
}

// sayInBar writes the longest text that fits into a bar.
func (w *wide) sayInBar(b attemptBox, texts ...string) {
	room := b.bar.w - 14
	if b.timedOut != nil {
		room -= 18
	}
	if b.outcome() == throttled || !b.barSeen {
		return // the stripes leave no ground for text
	}
	for _, t := range texts {
		if textWidth(t, inBar) <= room {
			w.put(textLayer, label(faceClass[inBar], b.bar.x+10, b.bar.y+b.bar.h/2+4, left, t))
			return
		}
	}
}

// sayEnd says with what a call ended, beside its last attempt.
func (w *wide) sayEnd(b attemptBox) {
	mid := b.bar.y + b.bar.h/2 + 4
	x := b.r + 10
	if b.notSent != nil {
		x += 4
	}
	var places []place
	for _, t := range endTexts(w.in, b.decided) {
		places = append(places, place{t, x, mid, left}, place{t, b.x - 8, mid, right},
			place{t, x + 4, b.top + w.m.diamond + 4, left}, place{t, b.x + 14, b.top + w.m.token + 4, left})
	}
	w.say(strong, places...)
}

// endTexts says how a call ended, the long form first.
func endTexts(in Input, e *event.Event) []string {
	if e.Decision.Reason == decision.DeadlinePassed { // the last attempt was not sent: it has no result
		return []string{in.say("end.deadline-passed")}
	}
	result := count(e.Response.Status)
	switch {
	case e.Response.Status > 0:
	case e.Failure == call.None: // one of the client's own guards ended the call
		return []string{in.say("end." + e.Decision.Reason.String())}
	default:
		result = in.say("bar." + e.Failure.String() + ".short")
	}
	if e.Kind == event.CallSucceeded {
		if e.Response.Replayed {
			return []string{in.say("end.replayed", "status", result), result}
		}
		return []string{in.say("end.done", "status", result), result}
	}
	why := in.say("end." + e.Decision.Reason.String())
	if e.Decision.Reason == decision.BudgetTooShort {
		long := in.say("end.budget-too-short.long", "wait", in.seconds(clock.Instant(e.Decision.Wait)))
		return []string{result + ", " + long, result + ", " + why, why}
	}
	return []string{result + ", " + why, why}
}
