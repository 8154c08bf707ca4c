package timeline

import (
	"retrylab.example/core/call"
	"retrylab.example/core/decision"
	"retrylab.example/core/event"
	"retrylab.example/wasm/view"
)

// marks are the shapes, one for each meaning. Their names are classes too: mk--applied.
var marks = []string{
	"call", "sent", "local", "lost", "arrived", "admitted", "throttled", "refused", "applied", "dup", "answered",
	"replayed", "crash", "timeout", "ignored", "decision", "injected", "policy", "stopped",
	"trip", "mend", "probe", "held", "left", "queued", "began", "ended", "passed", "failed", "uncounted",
}

// Marks lists the names of all shapes.
func Marks() []string { return marks }

// MarkFor returns the name of the shape that stands for an event in tables.
func MarkFor(e *event.Event) string {
	switch e.Kind {
	case event.RequestRefused:
		return refusalMark(e)
	case event.ReplyArrived:
		switch (call.Outcome{Response: e.Response}).Class() {
		case call.Success:
			if e.Response.Replayed {
				return "replayed"
			}
			return "answered"
		}
		return refusalMark(e)
	case event.ResultRecorded:
		return resultMark(&e.Decision)
	case event.AttemptAdmitted:
		if e.Decision.Reason == decision.ProbeAdmitted {
			return "probe"
		}
	case event.CallGaveUp:
		if e.Decision.Reason == decision.CallerLeft {
			return "left"
		}
	}
	return kindMark[e.Kind]
}

var kindMark = map[event.Kind]string{
	event.CallStarted: "call", event.AttemptSent: "sent", event.SendRefused: "local", event.RequestLost: "lost",
	event.RequestArrived: "arrived", event.RequestAdmitted: "admitted", event.EffectApplied: "applied",
	event.RequestAnswered: "answered", event.ReplyReplayed: "replayed", event.PartnerCrashed: "crash",
	event.RequestQueued: "queued", event.WorkBegan: "began", event.ReplyTruncated: "lost",
	event.ReplyLost: "lost", event.ReplyIgnored: "ignored", event.AttemptFailed: "timeout",
	event.RetryScheduled: "decision", event.CallSucceeded: "decision", event.CallGaveUp: "decision",
	event.TaskQueued: "queued", event.TaskStarted: "began", event.TaskEnded: "ended", event.AttemptAdmitted: "admitted",
	event.AttemptHeld: "held", event.CircuitOpened: "trip", event.CircuitHalfOpened: "probe",
	event.CircuitClosed: "mend", event.FallbackUsed: "answered", event.Notified: "answered",
	event.FaultInjected: "injected", event.PolicyChanged: "policy", event.GuardsChanged: "policy",
	event.LimitChanged: "policy", event.LimitRefused: "refused", event.RunStopped: "stopped",
}

// MarkIcon returns a shape at the size of text, 14 pixels, for tables and totals. The page must hold Defs.
func MarkIcon(name string) view.Node {
	return view.El("svg", view.Class("ic-mark"), view.A("viewBox", "-8 -8 16 16"), view.A("width", "14"),
		view.A("height", "14"), view.A("aria-hidden", "true"), view.El("use", view.A("href", "#ms-"+name)))
}

// shape returns a mark around the origin with the radius r.
func shape(name string, r float64) view.Node {
	k := func(v float64) float64 { return v * r / 8 }
	d := func(class string, p *path) view.Node { return p.node(class)[0] }
	p := func() *path { return new(path) }
	closed := func(q *path) *path { q.b = append(q.b, 'Z'); return q }
	disc := func(class string, radius float64) view.Node {
		return view.El("circle", view.A("r", num(radius)), view.If(class != "", view.Class(class)))
	}
	cross := func(class string) view.Node {
		c := k(5.2)
		return d(class, p().move(-c, -c).line(c, c).move(c, -c).line(-c, c))
	}
	var parts []view.Node
	switch name {
	case "applied":
		parts = []view.Node{disc("", r), d("mk__in", p().move(k(-4), 0).h(k(4)).move(0, k(-4)).v(k(4)))}
	case "replayed":
		parts = []view.Node{disc("", r), disc("mk__in", k(3.36))}
	case "throttled":
		parts = []view.Node{octagon(r), d("mk__in", p().move(k(-2.4), k(-3.6)).v(k(3.6)).move(k(2.4), k(-3.6)).v(k(3.6)))}
	case "refused":
		parts = []view.Node{disc("", k(7.4)), d("mk__in", p().move(k(-4), 0).h(k(4)))}
	case "lost", "timeout":
		parts = []view.Node{cross("mk__halo"), cross("")}
	case "local":
		s := k(6.8)
		parts = []view.Node{
			rect("", box{-s, -s, 2 * s, 2 * s}, 0, ""), d("mk__in", p().move(-s, s).line(s, -s)),
		}
	case "dup":
		parts = []view.Node{
			d("", closed(p().move(0, -r).line(r, k(6.4)).line(-r, k(6.4)))),
			d("mk__in", p().move(0, k(-2.4)).v(k(2)).move(0, k(4)).v(k(4)+0.1)),
		}
	case "decision", "decision-sel":
		s := k(6)
		if r < 8 {
			s = r
		}
		parts = []view.Node{d("", closed(p().move(0, -s).line(s, 0).line(0, s).line(-s, 0)))}
	case "admitted":
		parts = []view.Node{disc("", 3.2+k(1.2))}
	default:
		parts = []view.Node{strokeShape(name, k)}
	}
	class := "mk mk--" + name
	if name == "decision-sel" {
		class = "mk mk--decision is-sel"
	}
	return view.El("g", view.Class(class), parts)
}

func octagon(r float64) view.Node {
	c := r * 0.42
	var p path
	p.move(-c, -r).h(c).line(r, -c).v(c).line(c, r).h(-c).line(-r, c).v(-c)
	p.b = append(p.b, 'Z')
	return p.node("")[0]
}

// strokeShape returns the shapes that are one path.
func strokeShape(name string, k func(float64) float64) view.Node {
	var p path
	strokes(&p, name, k)
	return p.node("")[0]
}

// strokes adds the lines of a shape around the origin.
func strokes(p *path, name string, k func(float64) float64) {
	switch name {
	case "trip": // a switch that is open
		p.move(k(-8), k(3)).h(k(-3.5)).line(k(4.5), k(-5.5)).move(k(3.5), k(3)).h(k(8)).move(k(3.5), k(0.5)).v(k(5.5))
	case "mend": // a switch that is closed
		p.move(k(-8), 0).h(k(8)).move(k(-3.5), k(-3.5)).v(k(3.5)).move(k(3.5), k(-3.5)).v(k(3.5))
	case "held": // an hourglass
		p.move(k(-5), k(-7)).h(k(5)).line(k(-5), k(7)).h(k(5))
		p.b = append(p.b, 'Z')
	case "left": // out of a door
		p.move(k(1), k(-7)).h(k(-6)).v(k(7)).h(k(1)).move(k(-2), 0).h(k(8)).move(k(4.5), k(-3.5)).line(k(8), 0).line(k(4.5), k(3.5))
	case "queued":
		p.move(k(-5), k(-5)).v(k(5)).move(0, k(-5)).v(k(5)).move(k(5), k(-5)).v(k(5))
	case "began":
		p.move(k(-6), k(-6)).v(k(6)).move(k(-2), k(-6)).line(k(6), 0).line(k(-2), k(6)).line(k(-2), k(-6))
	case "ended":
		p.move(k(6), k(-6)).v(k(6)).move(k(-6), k(-6)).line(k(2), 0).line(k(-6), k(6)).line(k(-6), k(-6))
	case "probe":
		p.move(k(-5.5), k(-6)).line(k(7), 0).line(k(-5.5), k(6))
		p.b = append(p.b, 'Z')
	case "passed", "failed", "uncounted":
		p.rect(box{k(-5), k(-5), k(10), k(10)})
		if name == "failed" {
			p.move(k(-5), k(-5)).line(k(5), k(5)).move(k(5), k(-5)).line(k(-5), k(5))
		} else if name == "uncounted" {
			p.move(k(-7), k(7)).line(k(7), k(-7))
		}
	case "call":
		p.move(k(-6), k(8)).v(k(-6.4)).h(k(5.6)).line(k(1.6), k(-2)).line(k(5.6), k(2.4)).h(k(-6))
	case "sent":
		p.move(k(-6.4), k(-6.4)).line(k(8), 0).line(k(-6.4), k(6.4))
		p.b = append(p.b, 'Z')
	case "arrived":
		p.move(k(5.6), k(-8)).v(k(8)).move(k(-8), 0).h(k(2.4)).move(k(-2.4), k(-4.4)).line(k(2.4), 0).line(k(-2.4), k(4.4))
	case "answered":
		p.move(k(-5.6), k(-8)).v(k(8)).move(k(8), 0).h(k(-2.4)).move(k(2.4), k(-4.4)).line(k(-2.4), 0).line(k(2.4), k(4.4))
	case "crash":
		p.move(k(3), k(-9)).line(k(-6), k(1.5)).h(k(-1)).line(k(-3), k(9)).line(k(6), k(-2)).h(k(1))
		p.b = append(p.b, 'Z')
	case "ignored":
		p.move(k(-7), 0).h(k(-3)).move(k(3), 0).h(k(7)).move(k(3), 0).op('A', k(3), k(3), 0, 1, 1, k(-3), 0)
		p.op('A', k(3), k(3), 0, 1, 1, k(3), 0).move(k(-5), k(6)).line(k(5), k(-6))
	case "injected":
		p.move(k(-6), k(-7)).h(k(6)).line(0, k(6))
		p.b = append(p.b, 'Z')
	case "policy":
		p.move(k(-7), k(-3.6)).h(k(7)).move(k(-7), k(3.6)).h(k(7)).move(k(3), k(-6.4)).v(k(-0.8)).move(k(-3), k(0.8)).v(k(6.4))
	case "stopped":
		p.rect(box{k(-5), k(-5), k(10), k(10)})
	}
}
