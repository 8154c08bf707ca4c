package guide

import (
	"strconv"

	"retrylab.example/wasm/view"
	"retrylab.example/wasm/view/frame"
)

// Ids of the tour: its card, the card's heading, and the ring around what the card is about.
const (
	TourID  = "tour"
	TitleID = "tour-h"
	RingID  = "tour-ring"
)

// A stop of the tour is about the first of some elements that is shown.
type stop struct {
	name    string
	targets []string
}

var stops = []stop{
	{"send", []string{".act", "#clock"}}, // some steps have nothing to send
	{"clock", []string{"#clock"}},
	{"timeline", []string{"#timeline"}},
	{"why", []string{"#why"}},
	{"totals", []string{"#totals"}},
}

// Stops is how many stops the tour has.
func Stops() int { return len(stops) }

// Targets returns selectors of what a stop is about, counted from 1: the first that finds something shown is meant.
func Targets(n int) []string { return stops[n-1].targets }

// Card draws the stop at which the tour is, nothing if it is over. The shell puts it beside what it is about.
func Card(s frame.Settings) []view.Node {
	if s.Tour < 1 || s.Tour > len(stops) {
		return nil
	}
	l, at := s.Lang, stops[s.Tour-1]
	word, class := "tour.next", "btn btn--s"
	if s.Tour == len(stops) {
		word = "tour.done"
	}
	to := func(n int, word string, class string) view.Node {
		return view.El("button", view.Class(class), view.A("type", "button"), view.Click(frame.Tour{Stop: n}), l.Say(word))
	}
	row := []any{view.Class("row")}
	if s.Tour < len(stops) {
		row = append(row, to(0, "tour.skip", class))
	}
	if s.Tour > 1 {
		row = append(row, to(s.Tour-1, "tour.back", class))
	}
	row = append(row, to((s.Tour+1)%(len(stops)+1), word, class+" tour__on"))
	return []view.Node{
		view.El("div", view.Class("tour__ring"), view.A("id", RingID), view.A("aria-hidden", "true")),
		view.El("section", view.Class("tour"), view.A("id", TourID), view.A("role", "dialog"), view.A("aria-labelledby", TitleID), view.A("aria-describedby", "tour-p"),
			view.El("h2", view.A("id", TitleID), view.A("tabindex", "-1"), l.Say("tour."+at.name),
				view.El("small", l.Say("lab.nth", "n", strconv.Itoa(s.Tour), "count", strconv.Itoa(len(stops))))),
			view.El("p", view.A("id", "tour-p"), l.Say("tour."+at.name+"-p")), view.El("p", row...)),
	}
}
