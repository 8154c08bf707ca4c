package measure

import (
	"testing"

	"retrylab.example/core/call"
	"retrylab.example/core/event"
)

func add(client, number int, key string, amount int64) call.Request {
	return call.Request{
		Client: client, Call: number, Attempt: 1, ClientID: string('a' + rune(client)), Method: "POST", Path: "/add",
		Key: key, Keyed: key != "", Amount: amount,
	}
}

func applied(r call.Request, total int64) event.Event {
	return event.Event{Kind: event.EffectApplied, Request: r, Delta: r.Amount, Total: total}
}

func replayed(r call.Request, total int64) event.Event {
	return event.Event{Kind: event.ReplyReplayed, Request: r, Total: total}
}

func of(kinds ...event.Kind) []event.Event {
	var list []event.Event
	for _, k := range kinds {
		list = append(list, event.Event{Kind: k, Request: add(0, 1, "", 10)})
	}
	return list
}

func TestTotals(t *testing.T) {
	order := add(0, 1, "order-1", 10)
	for _, c := range []struct {
		name   string
		events []event.Event
		want   Totals
	}{
		{"nothing", nil, Totals{}},
		{
			"each count",
			of(event.CallStarted, event.AttemptSent, event.AttemptSent, event.SendRefused, event.RequestLost,
				event.RequestArrived, event.RequestRefused, event.CallSucceeded, event.CallGaveUp, event.FallbackUsed),
			Totals{Calls: 1, Sent: 2, RefusedLocally: 1, Arrived: 1, Refused: 1, Succeeded: 1, GaveUp: 1, Fallbacks: 1},
		},
		{
			"what changes nothing",
			of(event.RequestAdmitted, event.RequestAnswered, event.PartnerCrashed, event.ReplyLost, event.ReplyArrived,
				event.ReplyIgnored, event.AttemptFailed, event.RetryScheduled, event.FaultInjected, event.PolicyChanged,
				event.RunStopped, event.TaskQueued, event.TaskStarted, event.TaskEnded, event.AttemptAdmitted,
				event.AttemptHeld, event.CircuitOpened, event.CircuitHalfOpened, event.CircuitClosed,
				event.ResultRecorded, event.GuardsChanged, event.LimitChanged, event.LimitRefused, event.Notified),
			Totals{},
		},
		{
			"10 twice without a key is 20 for all three",
			[]event.Event{applied(add(0, 1, "", 10), 10), applied(add(0, 1, "", 10), 20)},
			Totals{Applied: 2, Duplicates: 1, Naive: 20, Deduped: 20, Actual: 20},
		},
		{
			"a blank key is none",
			[]event.Event{applied(add(0, 1, " ", 10), 10), applied(add(0, 1, " ", 10), 20)},
			Totals{Applied: 2, Duplicates: 1, Naive: 20, Deduped: 20, Actual: 20},
		},
		{
			"a replay counts for naive only",
			[]event.Event{applied(order, 10), replayed(order, 10)},
			Totals{Applied: 1, Replayed: 1, Naive: 20, Deduped: 10, Actual: 10},
		},
		{
			"a partner that ignores keys is the naive one",
			[]event.Event{applied(order, 10), applied(order, 20)},
			Totals{Applied: 2, Duplicates: 1, Naive: 20, Deduped: 10, Actual: 20},
		},
		{
			"the same key of another client, or elsewhere, is another key",
			[]event.Event{applied(order, 10), applied(add(1, 1, "order-1", 10), 20)},
			Totals{Applied: 2, Naive: 20, Deduped: 20, Actual: 20},
		},
		{
			"two calls with one effect each are no duplicates",
			[]event.Event{applied(add(0, 1, "", 10), 10), applied(add(0, 2, "", 10), 20)},
			Totals{Applied: 2, Naive: 20, Deduped: 20, Actual: 20},
		},
		{
			"what sets or clears the total",
			[]event.Event{
				{Kind: event.EffectApplied, Request: call.Request{Call: 1, Method: "PUT", Amount: 7}, Delta: 7, Total: 7},
				{Kind: event.EffectApplied, Request: call.Request{Call: 1, Method: "put", Amount: 7}, Delta: 0, Total: 7},
				{Kind: event.EffectApplied, Request: call.Request{Call: 2, Method: "DELETE"}, Delta: -7, Total: 0},
			},
			Totals{Applied: 3, Naive: 0, Deduped: 0, Actual: 0},
		},
	} {
		if got := Of(c.events); got != c.want {
			t.Errorf("%s:\ngot  %+v\nwant %+v", c.name, got, c.want)
		}
	}
}

// What a partner's saved errors and cancelled reservations do to the totals.
func TestTotalsOfAPartnerThatSavesErrors(t *testing.T) {
	order := add(0, 1, "order-1", 10)
	reserve := func(number int, amount int64) call.Request {
		return call.Request{Call: number, Method: "POST", Path: "/reservations", Amount: amount, Slot: 1}
	}
	for _, c := range []struct {
		name   string
		events []event.Event
		want   Totals
	}{
		{
			"a saved error that is replayed is no valid request",
			[]event.Event{{Kind: event.ReplyReplayed, Request: order, Response: call.Response{Status: 409}}, applied(order, 10)},
			Totals{Applied: 1, Replayed: 1, Naive: 10, Deduped: 10, Actual: 10},
		},
		{
			"a cancelled reservation takes back what it added",
			[]event.Event{
				{Kind: event.EffectApplied, Request: reserve(1, 2), Delta: 2, Total: 2},
				{Kind: event.EffectApplied, Request: reserve(2, 3), Delta: 3, Total: 5},
				{Kind: event.EffectApplied, Request: call.Request{Call: 3, Method: "DELETE", Path: "/reservations/1"}, Delta: -2, Total: 3},
			},
			Totals{Applied: 3, Naive: 3, Deduped: 3, Actual: 3},
		},
	} {
		if got := Of(c.events); got != c.want {
			t.Errorf("%s:\ngot  %+v\nwant %+v", c.name, got, c.want)
		}
	}
}

func TestAFoldCanBeReadAtEveryEvent(t *testing.T) {
	var f Fold
	events := []event.Event{applied(add(0, 1, "k", 1), 1), replayed(add(0, 1, "k", 1), 1), applied(add(0, 2, "l", 4), 5)}
	for i := range events {
		f.Event(&events[i])
		if got, want := f.Totals(), Of(events[:i+1]); got != want {
			t.Errorf("after %d events: got %+v, want %+v", i+1, got, want)
		}
	}
}
