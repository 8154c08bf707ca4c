package timeline

import (
	"sync"

	"retrylab.example/core/text"
	"retrylab.example/wasm/view"
)

// Defs returns the patterns and shapes that the timeline, the totals and the event table refer to. A page holds it
// once. It is always the same tree.
var Defs = sync.OnceValue(drawDefs)

func drawDefs() view.Node {
	defs := []view.Node{
		pattern("p-jitter", 5, "rotate(45)", line("p-jitter-ln", "M0 0V5")),
		pattern("p-failure", 7, "rotate(-45)", line("p-failure-ln", "M0 0V7")),
		pattern("p-throttled", 4, "", line("p-throttled-ln", "M1 0V4")),
		pattern("p-replayed", 5, "", circle("p-replayed-ln", 2.5, 2.5, 1)),
		pattern("p-open", 5, "rotate(45)", line("p-open-ln", "M0 0V5")),
		pattern("p-half-open", 6, "", line("p-half-open-ln", "M3 0V6")),
		pattern("p-queued", 4, "rotate(-45)", line("p-queued-ln", "M0 0V4")),
		pattern("p-diff", 8, "rotate(45)", line("p-diff-ln", "M0 0V8")),
		view.El("pattern", view.A("id", "p-future"), view.A("width", "9"), view.A("height", "9"),
			view.A("patternUnits", "userSpaceOnUse"), view.A("patternTransform", "rotate(60)"),
			line("p-future-ln", "M0 0V9")),
	}
	for _, name := range append([]string{"decision-sel"}, marks...) {
		defs = append(defs, named("mk-"+name, shape(name, 8)), named("ms-"+name, shape(name, 6)))
	}
	return view.El("svg", view.Class("defs"), view.A("id", "defs"), view.A("width", "0"), view.A("height", "0"),
		view.A("aria-hidden", "true"), view.A("focusable", "false"), view.El("defs", defs))
}

func named(id string, n view.Node) view.Node {
	n.Attrs = append(n.Attrs, *view.A("id", id))
	return n
}

func line(class, d string) view.Node { return view.El("path", view.Class(class), view.A("d", d)) }

func pattern(id string, size float64, transform string, over view.Node) view.Node {
	parts := []any{
		view.A("id", id), view.A("width", num(size)), view.A("height", num(size)),
		view.A("patternUnits", "userSpaceOnUse"),
	}
	if transform != "" {
		parts = append(parts, view.A("patternTransform", transform))
	}
	ground := view.El("rect", view.Class(id+"-bg"), view.A("width", num(size)), view.A("height", num(size)))
	return view.El("pattern", append(parts, ground, over)...)
}

// Legend explains the tracks of a wait.
func Legend(lang text.Lang) view.Node {
	item := func(kind, message string, parts ...view.Node) view.Node {
		icon := view.El("svg", view.Class("lg", "lg--"+kind), view.A("width", "22"), view.A("height", "12"),
			view.A("viewBox", "0 0 22 12"), view.A("aria-hidden", "true"), parts)
		return view.El("li", icon, lang.Say("timeline.legend."+message))
	}
	return view.El("ul", view.Class("legend"), view.A("aria-label", lang.Say("timeline.legend")),
		item("range", "range", rect("tr-range", box{1, 3, 20, 6}, 0, "")),
		item("jit", "jitter", rect("tr-jitter", box{1, 3, 15, 6}, 0, "p-jitter"), line("tr-tick", "M16 0V12")),
		item("wall", "retryAfter", line("tr-after", "M1 4.5H15V7.5H1Z"), line("tr-heavy tr-heavy--thin", "M17 1V12"),
			line("lg-flag", "M17 .5H8.5L11 3L8.5 5.5H17Z")),
		item("heavy", "decided", line("tr-heavy", "M11 0V12")),
	)
}
