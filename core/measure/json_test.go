package measure

import (
	"encoding/json"
	"testing"
)

// Every number has its own name, and reads back.
func TestTotalsAsJSON(t *testing.T) {
	want := Totals{
		Sent: 1, Arrived: 2, Applied: 3, Replayed: 4, Refused: 5, RefusedLocally: 6, Duplicates: 7, Succeeded: 8, GaveUp: 9,
		Calls: 10, Fallbacks: 11, Naive: -11, Deduped: 1<<63 - 1, Actual: -1 << 63,
	}
	text := want.AppendJSON(nil)
	var got Totals // its fields are the names, whatever their case
	if err := json.Unmarshal(text, &got); err != nil || got != want {
		t.Errorf("%s reads back as %+v, %v; want %+v", text, got, err, want)
	}
}
