package lab

import (
	"strconv"

	"retrylab.example/core/event"
	"retrylab.example/core/measure"
	"retrylab.example/wasm/view"
	"retrylab.example/wasm/view/timeline"
)

// totalsStrip draws the counts, and the two totals beside the partner's own.
func (m *Model) totalsStrip() view.Node {
	parts := []any{view.Class("totals"), view.A("id", "totals"), view.A("aria-label", m.lang().Say("lab.totals"))}
	return view.El("section", append(parts, m.totalsOf(m.seen(), "")...)...)
}

// totalsOf draws the counts and the totals of events. The ending tells the ids of two such strips apart.
func (m *Model) totalsOf(events []event.Event, ending string) []any {
	l := m.lang()
	t, words := measure.Of(events), l.Totals()
	counts := []any{view.Class("counts")}
	for _, c := range []struct {
		class, mark, word string
		n                 int
	}{
		{"sent", "sent", words.Sent, t.Sent}, {"arrived", "arrived", words.Arrived, t.Arrived},
		{"applied", "applied", words.Applied, t.Applied}, {"replayed", "replayed", words.Replayed, t.Replayed},
		{"refused", "throttled", words.Refused, t.Refused}, {"local", "local", words.RefusedLocally, t.RefusedLocally},
		{"dup", "dup", words.Duplicates, t.Duplicates},
	} {
		counts = append(counts, view.El("div", view.Class("count count--"+c.class, ifName(c.n == 0, "is-zero")),
			view.El("dt", timeline.MarkIcon(c.mark), view.El("span", view.Class("only-wide"), c.word), view.El("span", view.Class("only-phone"), l.Say("lab.count-"+c.class))), view.El("dd", strconv.Itoa(c.n))))
	}
	return []any{
		view.El("dl", counts...),
		view.El("div", view.Class("pair"),
			view.El("div", view.Class("pair__l"), pairLabel(words.Naive, words.NaiveNote), pairLabel(words.Deduped, words.DedupedNote)),
			timeline.Pair(t, events, l),
			view.El("p", view.Class("pair__n"),
				view.El("span", view.Class("pair__big", ifName(t.Naive != t.Deduped, "pair__big--naive")), view.A("id", "naive"+ending), amount(t.Naive)),
				view.El("span", view.Class("pair__big"), view.A("id", "deduped"+ending), amount(t.Deduped))),
			view.El("p", view.Class("pair__fact"),
				view.El("span", view.El("span", view.Class("only-wide"), words.Actual), view.El("span", view.Class("only-phone"), l.Say("lab.actual-short"))),
				view.El("b", view.A("id", "actual"+ending), amount(t.Actual)), view.El("small", l.SameAs(t.Naive, t.Deduped, t.Actual)))),
	}
}

func pairLabel(name, note string) view.Node {
	return view.El("p", view.Class("pair__k"), view.El("b", name), " ", view.El("small", note))
}

func amount(n int64) string { return strconv.FormatInt(n, 10) }
