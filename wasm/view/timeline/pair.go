package timeline

import (
	"retrylab.example/core/event"
	"retrylab.example/core/measure"
	"retrylab.example/core/text"
	"retrylab.example/wasm/view"
)

func Pair(totals measure.Totals, events []event.Event, lang text.Lang) view.Node {
	return view.El("svg")
}
