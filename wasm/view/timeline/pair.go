package timeline

import (
	"strconv"

	"retrylab.example/core/call"
	"retrylab.example/core/event"
	"retrylab.example/core/ledger"
	"retrylab.example/core/measure"
	"retrylab.example/core/text"
	"retrylab.example/wasm/view"
)

// block is one arrival in the pair of totals.
type block struct {
	amount int64
	// kept says that the deduped total counts it too; replay that the partner answered it from its ledger.
	kept, replay bool
}

// The pair's size, and the length of its bars.
const (
	pairWidth, pairHeight = 172.0, 58.0
	pairLength            = 170.0
	mostBlocks            = 20
)

// Pair returns the two bars of the totals over the same arrivals: naive counts each, deduped counts a key once. A bar's
// length is its amount; what naive counts too much is hatched, and stands below as an empty block. A line marks what
// the partner's total really is.
func Pair(totals measure.Totals, events []event.Event, lang text.Lang) view.Node {
	parts := []any{
		view.Class("pair__bars"), view.A("preserveAspectRatio", "xMinYMid meet"),
		view.A("viewBox", "0 0 "+num(pairWidth)+" "+num(pairHeight)), view.A("width", num(pairWidth)),
		view.A("height", num(pairHeight)), view.A("role", "img"), view.A("aria-label", lang.Say("timeline.pair",
			"naive", amount(totals.Naive), "deduped", amount(totals.Deduped), "actual", amount(totals.Actual))),
	}
	longest := max(totals.Naive, totals.Deduped, totals.Actual)
	if longest <= 0 {
		var p path
		return view.El("svg", append(parts, p.move(1, 0).v(pairHeight).node("pr__actual"))...)
	}
	unit := pairLength / float64(longest)
	pos := int64(0)
	for _, b := range blocks(totals, events) {
		x, w := 1+float64(pos)*unit, max(float64(b.amount)*unit-2, 0.5)
		parts = append(parts, b.draw(x, w))
		pos += b.amount
	}
	var p path
	p.move(float64(totals.Actual)*unit, 0).v(pairHeight)
	return view.El("svg", append(parts, p.node("pr__actual"))...)
}

func amount(n int64) string { return strconv.FormatInt(n, 10) }

// draw returns the block in both bars.
func (b block) draw(x, w float64) []view.Node {
	text := func(y float64) []view.Node {
		s := signed(b.amount)
		if textWidth(s, strong) > w-4 {
			return nil
		}
		return []view.Node{label("pr__t", x+w/2, y, middle, s)}
	}
	r := min(3, w/2)
	if b.kept {
		nodes := append([]view.Node{rect("pr pr--applied", box{x, 2, w, 22}, r, "")}, text(17)...)
		return append(append(nodes, rect("pr pr--applied", box{x, 34, w, 22}, r, "")), text(49)...)
	}
	nodes := append([]view.Node{rect("pr pr--over", box{x, 2, w, 22}, r, "p-failure")}, text(17)...)
	nodes = append(nodes, rect("pr pr--ghost", box{x + 0.75, 34.75, max(w-1.5, 0.5), 20.5}, r, ""))
	if w < 18 {
		return nodes
	}
	name := "dup"
	if b.replay {
		name = "replayed"
	}
	mark := shape(name, 7)
	mark.Attrs = append(mark.Attrs, *view.A("transform", "translate("+num(x+w/2-0.5)+" 45)"))
	return append(nodes, mark)
}

// blocks returns the arrivals that count, those that both totals count first. Where they are too many, where a request
// sets the total instead of adding to it, or where the events are not all that the totals were counted from, one block
// stands for each kind.
func blocks(totals measure.Totals, events []event.Event) []block {
	var kept, over []block
	var sum, deduped int64
	seen := map[ledger.Scope]bool{} // looked up, never ranged over
	simple := true
	for i := range events {
		e := &events[i]
		if e.Kind != event.EffectApplied && e.Kind != event.ReplyReplayed {
			continue
		}
		r := e.Request
		simple = simple && r.Op() == call.Add
		sum += r.Amount
		scope := ledger.ScopeOf(r)
		if r.HasKey() && seen[scope] {
			over = append(over, block{amount: r.Amount, replay: e.Kind == event.ReplyReplayed})
			continue
		}
		seen[scope] = true
		deduped += r.Amount
		kept = append(kept, block{amount: r.Amount, kept: true})
	}
	simple = simple && sum == totals.Naive && deduped == totals.Deduped
	if all := append(kept, over...); simple && len(all) <= mostBlocks {
		return all
	}
	merged := []block{{amount: totals.Deduped, kept: true}}
	if surplus := totals.Naive - totals.Deduped; surplus > 0 {
		merged = append(merged, block{amount: surplus, replay: totals.Actual == totals.Deduped})
	}
	return merged
}
