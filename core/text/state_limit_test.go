package text_test

import (
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

// What a limiter counts is told in the window that holds now, also after that was changed.
func TestTheCountFollowsAChangedWindow(t *testing.T) {
	c := sim.Config{
		Partner: partner.Config{Limit: limit.Config{Limit: 1, Window: 10 * time.Second}},
		Clients: []sim.Client{{Name: "a", Policy: retry.Policy{Attempts: 1}}},
	}
	work := fire(0, call.Request{Method: "GET", Path: "/work"})
	events, _ := run(t, c, []sim.Action{
		work, until(2000), {Kind: sim.SetLimit, Limit: limit.Setting{Count: "1", Window: "1.5"}}, work, until(3000), work,
	})
	var told []string
	for i := range events {
		if k := events[i].Kind; k == event.RequestAdmitted || k == event.RequestRefused {
			rows := text.Lang("en").State(events, i)
			told = append(told, rows[0].Before+" "+rows[0].After)
		}
	}
	want := []string{"0 of 1 1 of 1", "0 of 1 1 of 1", "1 of 1 1 of 1"}
	if len(told) != len(want) {
		t.Fatalf("got %q", told)
	}
	for i := range want {
		if told[i] != want[i] {
			t.Errorf("request %d: got %q, want %q", i+1, told[i], want[i])
		}
	}
}
