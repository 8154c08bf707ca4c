package timeline

import (
	"strconv"

	"retrylab.example/core/event"
	"retrylab.example/core/measure"
	"retrylab.example/core/text"
	"retrylab.example/wasm/view"
)

// Totals draws the counts and the totals of a run, whose latest events are these. The ending tells the ids of two such
// strips apart.
func Totals(l text.Lang, t measure.Totals, events []event.Event, ending string) []any {
	words := l.Totals()
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
		counts = append(counts, view.El("div", view.Class("count count--"+c.class, view.Name(c.n == 0, "is-zero")),
			view.El("dt", MarkIcon(c.mark), view.El("span", view.Class("only-wide"), c.word), view.El("span", view.Class("only-phone"), l.Say("lab.count-"+c.class))), view.El("dd", strconv.Itoa(c.n))))
	}
	return []any{
		view.El("dl", counts...),
		view.El("div", view.Class("pair"),
			view.El("div", view.Class("pair__l"), pairLabel(words.Naive, words.NaiveNote), pairLabel(words.Deduped, words.DedupedNote)),
			Pair(t, events, l),
			view.El("p", view.Class("pair__n"),
				view.El("span", view.Class("pair__big", view.Name(t.Naive != t.Deduped, "pair__big--naive")), view.A("id", "naive"+ending), amount(t.Naive)),
				view.El("span", view.Class("pair__big"), view.A("id", "deduped"+ending), amount(t.Deduped))),
			view.El("p", view.Class("pair__fact"),
				view.El("span", view.El("span", view.Class("only-wide"), words.Actual), view.El("span", view.Class("only-phone"), l.Say("lab.actual-short"))),
				view.El("b", view.A("id", "actual"+ending), amount(t.Actual)), view.El("small", l.SameAs(t.Naive, t.Deduped, t.Actual)))),
	}
}

func pairLabel(name, note string) view.Node {
	return view.El("p", view.Class("pair__k"), view.El("b", name), " ", view.El("small", note))
}
