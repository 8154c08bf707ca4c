package partner

import (
	"testing"

	"retrylab.example/core/call"
)

// Who waits is told in the order of the line, as far as the places reach; nobody overtakes, and who takes no notices is
// passed over.
func TestTheLineIsTold(t *testing.T) {
	p, err := New(Config{Slots: Slots{Count: 2, Places: 3}})
	if err != nil {
		t.Fatal(err)
	}
	ask := func(method, path string, slot, amount int64, listens bool) (told []int64) {
		t.Helper()
		r := call.Request{ClientID: "a", Method: method, Path: path, Slot: slot, Amount: amount}
		next, res := p.Arrive(0, Arrival{Request: r, Listens: listens})
		if res.Response.Status >= 300 {
			t.Fatalf("%s %s: %d", method, path, res.Response.Status)
		}
		p = next
		for _, n := range res.Notices {
			told = append(told, n.Amount)
		}
		return told
	}
	for _, amount := range []int64{1, 1, 1} {
		ask("POST", "/reservations", 1, amount, true)
	}
	ask("POST", "/waitlist", 1, 1, false)
	ask("POST", "/waitlist", 2, 1, true)
	ask("POST", "/waitlist", 1, 2, true)
	ask("POST", "/waitlist", 1, 1, true)
	for i, c := range []struct {
		path string
		want []int64
	}{
		{"/reservations/1", nil}, // one place, and the first waits for two
		{"/reservations/2", []int64{2}},
		{"/reservations/3", []int64{1}},
		{"/reservations/3", nil}, // given back before
	} {
		before := p.Clone()
		got := ask("DELETE", c.path, 0, 0, true)
		if len(got) != len(c.want) || len(got) > 0 && got[0] != c.want[0] {
			t.Errorf("step %d: told %v, want %v", i, got, c.want)
		}
		if i == 1 && len(before.book.line) != 3 {
			t.Errorf("the line of a clone changed: %v", before.book.line)
		}
	}
}
