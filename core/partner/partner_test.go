package partner

import (
	"testing"
	"time"

	"retrylab.example/core/call"
	"retrylab.example/core/clock"
	"retrylab.example/core/decision"
	"retrylab.example/core/limit"
)

func TestRoutes(t *testing.T) {
	for _, c := range []struct {
		method, path string
		amount       int64
		want         decision.Reason
		status       int
	}{
		{"GET", "/work", 0, decision.ReadOnly, 200}, {"get", "/work", 0, decision.ReadOnly, 200},
		{"HEAD", "/work", 0, decision.Unroutable, 404}, {"POST", "/work", 1, decision.Unroutable, 404},
		{"POST", "/add", 1, decision.KeyAbsent, 200}, {"post", "/add", MaxAmount, decision.KeyAbsent, 200},
		{"POST", "/add", 0, decision.AmountInvalid, 400}, {"POST", "/add", -1, decision.AmountInvalid, 400},
		{"POST", "/add", MaxAmount + 1, decision.AmountInvalid, 400}, {"GET", "/add", 1, decision.Unroutable, 404},
		{"GET", "/total", 0, decision.ReadOnly, 200}, {"HEAD", "/total", 9, decision.ReadOnly, 200},
		{"PUT", "/total", 5, decision.KeyAbsent, 200}, {"PUT", "/total", 0, decision.AmountInvalid, 400},
		{"PATCH", "/total", 5, decision.KeyAbsent, 200}, {"DELETE", "/total", 0, decision.KeyAbsent, 200},
		{"POST", "/total", 5, decision.Unroutable, 404}, {"GET", "", 0, decision.Unroutable, 404},
		{"BREW", "/total", 0, decision.Unroutable, 404},
	} {
		p, err := New(Config{})
		if err != nil {
			t.Fatal(err)
		}
		_, got := p.Handle(0, call.Request{Method: c.method, Path: c.path, Amount: c.amount})
		if got.Answer.Reason != c.want || got.Response.Status != c.status {
			t.Errorf("%s %s %d: got %s %d, want %s %d", c.method, c.path, c.amount, got.Answer.Reason, got.Response.Status, c.want, c.status)
		}
	}
}

// The order of the questions: the client's key, the limiter, the route, the ledger. A refused key takes no place, and
// a request without a route does.
func TestTheLimiterComesBeforeTheRoute(t *testing.T) {
	p, err := New(Config{Limit: limit.Config{Limit: 1, Window: time.Second}})
	if err != nil {
		t.Fatal(err)
	}
	for i, c := range []struct {
		client, path string
		status       int
	}{{"", "/work", 400}, {"a b", "/nowhere", 400}, {"a", "/nowhere", 404}, {"a", "/work", 429}, {"b", "/work", 200}} {
		var got Result
		p, got = p.Handle(clock.Instant(i), call.Request{Method: "GET", Path: c.path, ClientID: c.client})
		if got.Response.Status != c.status {
			t.Errorf("request %d: got %d, want %d", i, got.Response.Status, c.status)
		}
	}
}

func TestABadLimitIsRefused(t *testing.T) {
	for _, c := range []limit.Config{{Limit: 1}, {Window: 1}, {Limit: -1, Window: 1}, {Limit: 1, Window: -1}} {
		if _, err := New(Config{Limit: c}); err == nil {
			t.Errorf("%+v was taken", c)
		}
	}
}

// A new limit changes how many requests count and for how long, not whether refused ones do.
func TestALimitThatIsSetKeepsWhatIsRecorded(t *testing.T) {
	for _, record := range []bool{false, true} {
		p, err := New(Config{Limit: limit.Config{Limit: 2, Window: 10 * time.Second, RecordRefused: record}})
		if err != nil {
			t.Fatal(err)
		}
		p, _ = p.SetLimit(limit.Setting{Count: "1", Window: "10"})
		status := 0
		for _, second := range []time.Duration{0, 5, 10} { // admitted, refused, and at 10 s only the refused one is left
			var got Result
			p, got = p.Handle(clock.Start.Add(second*time.Second), call.Request{Method: "GET", Path: "/work", ClientID: "a"})
			status = got.Response.Status
		}
		if want := map[bool]int{false: 200, true: 429}[record]; status != want {
			t.Errorf("refused requests recorded: %t: got %d at 10 s, want %d", record, status, want)
		}
	}
}
