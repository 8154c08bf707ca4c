package frame

import (
	"strconv"

	"retrylab.example/core/document"
	"retrylab.example/core/text"
	"retrylab.example/wasm/view"
)

// Watched is what the page knows of the folder of lessons that the server watches. The zero value has nothing to tell.
type Watched struct {
	// Faults are of files whose last version without faults is shown, Unproven of lessons that can be played as they are.
	Faults, Unproven document.Faults
	// Lost: the server does not answer.
	Lost bool
}

// mostFaults bounds what the banner lists of each kind.
const mostFaults = 20

// banner says what is wrong in the watched folder, nothing if nothing is.
func (w *Watched) banner(s Settings) any {
	if !w.Lost && len(w.Faults)+len(w.Unproven) == 0 {
		return nil
	}
	parts := []any{view.Class("watched"), view.A("id", "watched"), view.A("role", "status"), view.A("tabindex", "0")}
	if w.Lost {
		parts = append(parts, view.El("p", s.Lang.Say("watch.lost")))
	}
	for _, kind := range []struct {
		name   string
		faults document.Faults
	}{{"watch.faults", w.Faults}, {"watch.unproven", w.Unproven}} {
		if len(kind.faults) == 0 {
			continue
		}
		rows := []any{}
		for _, f := range kind.faults[:min(mostFaults, len(kind.faults))] {
			rows = append(rows, faultRow(s.Lang, f))
		}
		parts = append(parts, view.El("p", s.Lang.Say(kind.name)), view.El("ul", rows...))
		if more := len(kind.faults) - mostFaults; more > 0 {
			parts = append(parts, view.El("p", s.Lang.Say("watch.more", "n", strconv.Itoa(more))))
		}
	}
	return view.El("div", parts...)
}

// faultRow writes a fault as `retrylab lint` does, with its place set apart.
func faultRow(l text.Lang, f document.Fault) view.Node {
	place := document.Visible(f.File)
	if f.Line > 0 {
		place += ":" + strconv.Itoa(f.Line) + ":" + strconv.Itoa(f.Column)
	}
	problem, mend, lang := l.FileFault(f)
	if mend != "" {
		problem += "; " + mend
	}
	if f.Pointer != "" {
		problem = document.Visible(f.Pointer) + ": " + problem
	}
	return view.El("li", view.If(lang != l, view.A("lang", string(lang))), view.Code(place), " ", problem)
}
