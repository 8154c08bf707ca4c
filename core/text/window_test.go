package text_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"retrylab.example/core/call"
	"retrylab.example/core/event"
	"retrylab.example/core/limit"
	"retrylab.example/core/partner"
	"retrylab.example/core/retry"
	"retrylab.example/core/sim"
	"retrylab.example/core/text"
)

// What a sliding log counted before and after a request: one more when it admits, and the same when it refuses or is only
// looked at. A log with the mistake of recording refusals counts one more then too, and the next place moves away.
func TestStateOfAWindow(t *testing.T) {
	work := call.Request{Method: "GET", Path: "/work"}
	look := call.Request{Method: "GET", Path: "/window"}
	for _, c := range []struct {
		record bool
		want   string
	}{
		{false, "0 of 1 → 0 of 1; 0 of 1 → 1 of 1, open now → 10.000 s; 1 of 1 → 1 of 1, 10.000 s → 10.000 s; 1 of 1 → 1 of 1"},
		{true, "0 of 1 → 0 of 1; 0 of 1 → 1 of 1, open now → 10.000 s; 1 of 1 → 2 of 1, 10.000 s → 13.000 s; 2 of 1 → 2 of 1"},
	} {
		events, _ := run(t, sim.Config{
			Partner: partner.Config{Limit: limit.Config{Limit: 1, Window: 10 * time.Second, RecordRefused: c.record}},
			Clients: []sim.Client{{Name: "alice", Policy: retry.Policy{Attempts: 1}}},
		}, []sim.Action{fire(0, look), fire(0, work), until(3000), fire(0, work), until(4000), fire(0, look)})
		var got []string
		for i := range events {
			k := events[i].Kind
			if k != event.RequestAdmitted && k != event.RequestRefused && (k != event.RequestAnswered || events[i].Request.Path != look.Path) {
				continue
			}
			var rows []string
			for _, r := range text.English.State(events, i) {
				rows = append(rows, fmt.Sprintf("%s → %s", r.Before, r.After))
			}
			got = append(got, strings.Join(rows, ", "))
		}
		if s := strings.ReplaceAll(strings.Join(got, "; "), "\u00a0", " "); s != c.want {
			t.Errorf("recording %t:\ngot  %s\nwant %s", c.record, s, c.want)
		}
	}
}
