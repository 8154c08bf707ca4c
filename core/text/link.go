package text

import (
	"strconv"

	"retrylab.example/core/clock"
	"retrylab.example/core/link"
)

// LinkProblem says what is wrong with a link and what to do about it.
func (l Lang) LinkProblem(e *link.Error) string {
	name := "link." + e.Problem.String()
	if e.Problem == link.Cut && e.Want > 0 {
		name += ".counted"
	}
	return l.Say(name, "have", strconv.Itoa(e.Have), "want", strconv.Itoa(e.Want), "extra", strconv.Itoa(e.Have-e.Want),
		"format", strconv.Itoa(e.Format), "known", strconv.Itoa(link.Format), "lesson", e.Lesson, "step", e.Step)
}

// LinkHolds says what a link holds, in three or four lines: the place, what was done, where the clock stands, and
// whether the run is another one than was shared.
func (l Lang) LinkHolds(o *link.Opened) []string {
	where := l.Say("link.holds.scenario")
	if o.Lesson != "" {
		where = l.Say("link.holds.lesson", "lesson", o.Lesson, "step", o.Step)
	}
	others := 0
	for _, id := range o.Tree.Branches() {
		if !o.Tree.Shown(id) {
			others++
		}
	}
	lines := []string{
		where,
		l.Say("link.holds.more", "seed", strconv.FormatUint(o.Scenario.Seed, 10),
			"inputs", strconv.Itoa(len(o.Tree.Path())), "others", strconv.Itoa(others)),
		l.Say("link.holds.place", "now", Seconds(o.At.Now.Sub(clock.Start)),
			"count", strconv.Itoa(o.At.Count), "all", strconv.Itoa(len(o.Played.Events))),
	}
	if !o.Same {
		lines = append(lines, l.Say("link.changed"))
	}
	return lines
}
