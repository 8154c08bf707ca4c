// Package receipt draws why a decision fell as it did: its rows, what would change it, the raw exchange that it is
// about, and the state around it.
package receipt

import (
	"math"
	"strconv"
	"strings"

	"retrylab.example/core/call"
	"retrylab.example/core/clock"
	"retrylab.example/core/decision"
	"retrylab.example/core/event"
	"retrylab.example/core/text"
	"retrylab.example/wasm/view"
)

// Draw draws the terms of a decision, grouped by the questions that they answer, on one scale.
func Draw(l text.Lang, e *event.Event) view.Node {
	groups, total := l.Receipt(e)
	scale := scaleOf(e)
	parts := []any{view.Class("rc"), view.El("caption", view.Class("vh"), l.Say("lab.receipt"))}
	for _, g := range groups {
		body := view.El("tbody", view.El("tr", view.Class("rc__q"),
			view.El("th", view.A("colspan", "2"), view.A("scope", "rowgroup"), g.Question), view.El("td", view.Class("num"), g.Answer)))
		for _, r := range g.Rows {
			body.Kids = append(body.Kids, row(l, e, r, scale))
		}
		parts = append(parts, body)
	}
	if total.Label != "" {
		parts = append(parts, view.El("tfoot", view.El("tr",
			view.El("th", view.A("colspan", "2"), view.A("scope", "row"), view.El("b", total.Label), " ", view.El("small", total.Note)),
			view.El("td", view.Class("num"), view.El("b", total.Value)))))
	}
	return view.El("div", view.Class("slip"), view.El("table", parts...))
}

func row(l text.Lang, e *event.Event, r text.Row, scale int64) view.Node {
	head := []any{view.A("scope", "row"), r.Label}
	if r.Note != "" {
		head = append(head, " ", view.El("small", r.Note))
	}
	class := ""
	switch r.Mark {
	case decision.Decided:
		class = "is-decided"
		head = append(head, " ", view.El("em", view.Class("decided"), l.Say("lab.decided")))
	case decision.Ignored, decision.Off:
		class = "is-off"
	}
	value := view.El("td", view.Class("num"), r.Value)
	if r.Code {
		value = view.El("td", view.Class("num"), view.Code(r.Value))
	}
	return view.El("tr", view.Class(class), view.El("th", head...), view.El("td", view.Class("rc__bar"), miniBar(e, r.Name, scale)), value)
}

// scaleOf returns the duration that fills a bar of the receipt: the longest that counts in the decision.
func scaleOf(e *event.Event) int64 {
	scale := int64(0)
	for _, n := range []decision.Name{decision.Exponential, decision.Raw} {
		if t, ok := e.Decision.Term(n); ok {
			scale = max(scale, min(t.Value, 2*capOf(e))) // of what the cap cut off, as much as was left
		}
	}
	for _, n := range []decision.Name{decision.Jitter, decision.RetryAfter} {
		if t, ok := e.Decision.Term(n); ok && t.Mark != decision.Off {
			scale = max(scale, t.Value)
		}
	}
	if t, ok := e.Decision.Term(decision.DeadlineLeft); ok && t.Mark != decision.Off {
		scale = max(scale, t.Value)
	}
	return scale
}

// capOf returns the cap of the decision's wait, a very long time where there is none.
func capOf(e *event.Event) int64 {
	if t, ok := e.Decision.Term(decision.Cap); ok && t.Mark != decision.Off {
		return t.Value
	}
	return math.MaxInt64 / 2
}

// barWidth is the width of a receipt's bar in px.
const barWidth = 64

// miniBar repeats the drawing of a track in the receipt.
func miniBar(e *event.Event, n decision.Name, scale int64) any {
	t, ok := e.Decision.Term(n)
	if !ok || scale <= 0 || t.Mark == decision.Off || t.Value <= 0 {
		return nil
	}
	width := func(v int64) string {
		return strconv.FormatFloat(.75+float64(min(v, scale))/float64(scale)*barWidth, 'f', 1, 64)
	}
	var marks []any
	switch n {
	case decision.Exponential, decision.Raw:
		most := capOf(e)
		marks = []any{bar("tr-range", 3.5, 5, width(min(t.Value, most)))}
		if t.Value > most { // dashed, beyond the cap's edge: what was cut off
			marks = append(marks, view.El("path", view.Class("tr-left"), view.A("d", "M"+width(most)+" 6H"+width(t.Value))),
				view.El("path", view.Class("tr-edge"), view.A("d", "M"+width(most)+" 1V11")))
		}
	case decision.Jitter:
		marks = []any{bar("tr-jitter", 3.5, 5, width(t.Value)), view.El("path", view.Class("tr-tick"), view.A("d", "M"+width(t.Value)+" 1V11"))}
	case decision.RetryAfter:
		marks = []any{bar("tr-after", 4.5, 3, width(t.Value)), view.El("path", view.Class("tr-heavy"), view.A("d", "M"+width(t.Value)+" 0V12"))}
	case decision.DeadlineLeft:
		marks = []any{view.El("path", view.Class("tr-left"), view.A("d", "M.75 6H"+width(t.Value))), view.El("path", view.Class("tr-edge"), view.A("d", "M"+width(t.Value)+" 1V11"))}
	default:
		return nil
	}
	return view.El("svg", append([]any{view.Class("mini"), view.A("viewBox", "0 0 68 12"), view.A("width", "68"), view.A("height", "12"), view.A("aria-hidden", "true")}, marks...)...)
}

func bar(class string, y, height float64, width string) view.Node {
	parts := []any{view.Class(class), view.A("x", ".75"), view.A("y", strconv.FormatFloat(y, 'f', 1, 64)),
		view.A("width", width), view.A("height", strconv.FormatFloat(height, 'f', -1, 64))}
	if class == "tr-jitter" {
		parts = append(parts, view.A("fill", "url(#p-jitter)"))
	}
	return view.El("rect", parts...)
}

// Flips says what would change a decision, nil if nothing near would.
func Flips(l text.Lang, e *event.Event) any {
	lines := l.Flips(e)
	if len(lines) == 0 {
		return nil
	}
	items := []any{}
	for _, line := range lines {
		items = append(items, view.El("li", view.El("p", view.Bold(line))))
	}
	return view.El("section", view.Class("flips"), view.A("aria-labelledby", "flips-h"),
		view.El("h3", view.A("id", "flips-h"), l.Say("lab.what-would-change")), view.El("ul", items...))
}

// Exchange shows the request of the attempt that an event is about as it was sent, and the response if it has come.
func Exchange(l text.Lang, events []event.Event, e *event.Event) any {
	if e.Request.Call == 0 || e.Request.Attempt == 0 {
		return nil
	}
	parts := []any{view.Class("http"), view.A("lang", "en"), view.A("translate", "no"), view.A("tabindex", "0")}
	for k := range events {
		o := &events[k]
		if o.Request.Client != e.Request.Client || o.Request.Call != e.Request.Call || o.Request.Attempt != e.Request.Attempt {
			continue
		}
		at := l.Seconds(o.At.Sub(clock.Start))
		switch o.Kind {
		case event.AttemptSent:
			parts = append(parts, httpMark("→ "+l.Say("lab.http-sent", "at", at)), "\n"+strings.TrimRight(call.RequestHTTP(o.Request), "\r\n")+"\n")
		case event.ReplyArrived, event.ReplyIgnored:
			parts = append(parts, "\n", httpMark("← "+l.Say("lab.http-arrived", "at", at)), "\n"+strings.TrimRight(call.ResponseHTTP(o.Response), "\r\n")+"\n")
		case event.AttemptFailed:
			parts = append(parts, "\n", httpMark("× "+l.Say("lab.http-"+o.Failure.String(), "at", at)), "\n")
		}
	}
	if len(parts) == 4 {
		return nil
	}
	return view.El("details", view.Class("fold"), view.A("id", "exchange"),
		view.El("summary", l.Say("lab.exchange"), view.El("span", view.Class("note"), l.Say("lab.attempt-n", "n", strconv.Itoa(e.Request.Attempt)))),
		view.El("pre", parts...))
}

func httpMark(s string) view.Node { return view.El("span", view.Class("http__m"), s) }

// State compares what was known before and after an event, nil where it changes nothing.
func State(l text.Lang, events []event.Event, i int) any {
	rows := l.State(events, i)
	if len(rows) == 0 {
		return nil
	}
	body := view.El("tbody")
	for _, r := range rows {
		body.Kids = append(body.Kids, view.El("tr", view.El("th", view.A("scope", "row"), r.Label),
			view.El("td", view.Class("num"), r.Before), view.El("td", view.Class("num"), r.After)))
	}
	return view.El("details", view.Class("fold"), view.A("id", "state"), view.El("summary", l.Say("lab.state")),
		view.El("table", view.Class("state"), view.El("thead", view.El("tr", view.El("td"),
			view.El("th", view.A("scope", "col"), l.Say("lab.before")), view.El("th", view.A("scope", "col"), l.Say("lab.after")))), body))
}
