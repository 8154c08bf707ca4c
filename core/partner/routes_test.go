package partner

import (
	"strings"
	"testing"
	"time"

	"retrylab.example/core/bulkhead"
	"retrylab.example/core/call"
	"retrylab.example/core/clock"
	"retrylab.example/core/decision"
	"retrylab.example/core/event"
	"retrylab.example/core/ledger"
	"retrylab.example/core/limit"
)

// Contract D: 3 in each whole second, whoever asks, with its own words, and beside the limit of the other routes.
func TestRate(t *testing.T) {
	s := serve(t, Config{Limit: limit.Config{Limit: 1, Window: time.Hour}})
	for i, c := range []struct {
		at     time.Duration
		status int
	}{{900, 200}, {901, 200}, {902, 200}, {903, 429}, {999, 429}, {1000, 200}, {1000, 200}, {1999, 200}, {1999, 429}} {
		s.now = clock.Start.Add(c.at * time.Millisecond)
		got := s.ask(call.Request{ClientID: []string{"", "a", "not valid"}[i%3], Method: "GET", Path: "/rate"}).Response
		want := call.Response{Status: 200, Body: call.Body{Text: `{"status":"ok"}`}}
		if c.status == 429 {
			want = call.Response{Status: 429, RetryAfter: "1", HasRetryAfter: true, Body: call.Body{Code: "rate limit"}}
		}
		if got != want {
			t.Errorf("at %d: got %+v, want %+v", c.at, got, want)
		}
	}
	if got := (call.Body{Code: "rate limit"}).String(); got != `{"error":"rate limit"}` {
		t.Errorf("got %s", got)
	}
}

// A look-up says how many requests of its caller are counted. It takes no place, adds no client, and says what it says
// in a full window too; where there is no sliding log there is nothing to look up.
func TestLookingUpChangesNothing(t *testing.T) {
	s := serve(t, Config{Limit: limit.Config{Limit: 2, Window: 10 * time.Second}})
	for i, c := range []struct {
		at         time.Duration
		by, method string
		path       string
		status     int
		body       string
		clients    int
	}{
		{0, "bob", "GET", "/window", 200, `{"counted":0,"limit":2}`, 0},
		{0, "alice", "GET", "/work", 200, `{"ok":true}`, 1},
		{1, "alice", "get", "/window", 200, `{"counted":1,"limit":2}`, 1},
		{1, "bob", "GET", "/window", 200, `{"counted":0,"limit":2}`, 1},
		{2, "alice", "GET", "/work", 200, `{"ok":true}`, 1},
		{3, "alice", "GET", "/work", 429, `{"error":"rate_limited"}`, 1},
		{3, "alice", "GET", "/window", 200, `{"counted":2,"limit":2}`, 1},
		{3, "not valid", "GET", "/window", 400, `{"error":"invalid_client"}`, 1},
		{10, "alice", "GET", "/window", 200, `{"counted":1,"limit":2}`, 1},
		{10, "alice", "POST", "/window", 404, `{"error":"not_found"}`, 1},
		{10, "alice", "GET", "/window", 200, `{"counted":2,"limit":2}`, 1},
	} {
		s.now = clock.Start.Add(c.at * time.Second)
		got := s.ask(call.Request{ClientID: c.by, Method: c.method, Path: c.path}).Response
		if got.Status != c.status || got.Body.String() != c.body || s.p.Clients() != c.clients {
			t.Errorf("%d: got %d %s, %d clients; want %d %s, %d", i, got.Status, got.Body, s.p.Clients(), c.status, c.body, c.clients)
		}
	}
	s = serve(t, Config{Bucket: limit.BucketConfig{Capacity: 1, Period: time.Second}})
	if got := s.ask(call.Request{ClientID: "a", Method: "GET", Path: "/window"}).Response.Status; got != 404 {
		t.Errorf("without a sliding log: got %d", got)
	}
}

// Contract E's routes in their order: what each answers, and what is taken after it.
func TestReservations(t *testing.T) {
	s := serve(t, Config{Slots: Slots{Count: 2, Places: 3}})
	conflict := `{"error":{"code":"conflict","message":"The slot has too few places left. Read the slots again and ask for another one.","retryable":false}}`
	unknown := `{"error":{"code":"not_found","message":"There is nothing at this path.","retryable":false}}`
	for i, c := range []struct {
		method, path string
		by           string
		amount, slot int64
		status       int
		body         string
		total        int64
	}{
		{"POST", "/reservations", "a", 2, 1, 201, `{"reservation":1,"slot":1,"amount":2}`, 2},
		{"POST", "/reservations", "b", 2, 1, 409, conflict, 2},
		{"POST", "/reservations", "b", 1, 1, 201, `{"reservation":2,"slot":1,"amount":1}`, 3},
		{"POST", "/reservations", "b", 4, 2, 409, conflict, 3},
		{"post", "/reservations", "b", 0, 2, 400, `{"error":{"code":"invalid_amount","message":"The amount is out of range.","retryable":false}}`, 3},
		{"POST", "/reservations", "b", 1, 0, 404, unknown, 3},
		{"POST", "/reservations", "b", 1, 3, 404, unknown, 3},
		{"GET", "/reservations", "b", 0, 0, 200, `{"slots":[{"slot":1,"free":0},{"slot":2,"free":3}]}`, 3},
		{"GET", "/reservations/1", "a", 0, 0, 200, `{"reservation":1,"slot":1,"amount":2}`, 3},
		{"GET", "/reservations/1", "b", 0, 0, 404, unknown, 3},
		{"POST", "/estimate", "b", 1, 1, 200, `{"slot":1,"amount":1,"free":0}`, 3},
		{"POST", "/waitlist", "b", 1, 1, 201, `{"slot":1,"ahead":0}`, 4},
		{"POST", "/waitlist", "a", 2, 1, 201, `{"slot":1,"ahead":1}`, 6},
		{"DELETE", "/reservations/1", "b", 0, 0, 404, unknown, 6},
		{"DELETE", "/reservations/1", "a", 0, 0, 200, `{"reservation":1,"cancelled":true}`, 4},
		{"DELETE", "/reservations/1", "a", 0, 0, 200, `{"reservation":1,"cancelled":true}`, 4},
		{"DELETE", "/reservations/3", "a", 0, 0, 404, unknown, 4},
		{"DELETE", "/reservations/01", "a", 0, 0, 404, unknown, 4},
		{"DELETE", "/reservations/-1", "a", 0, 0, 404, unknown, 4},
		{"PATCH", "/reservations/2", "b", 1, 1, 404, unknown, 4},
		{"POST", "/reservations", "b", 2, 1, 201, `{"reservation":3,"slot":1,"amount":2}`, 6},
		{"GET", "/reservations", "b", 0, 0, 200, `{"slots":[{"slot":1,"free":0},{"slot":2,"free":3}]}`, 6},
	} {
		got := s.ask(call.Request{ClientID: c.by, Method: c.method, Path: c.path, Amount: c.amount, Slot: c.slot})
		if got.Response.Status != c.status || !strings.Contains(got.Response.Body.String(), c.body) && c.body != "" || s.p.Total() != c.total {
			t.Errorf("%d, %s %s: got %d %s, total %d; want %d %s, total %d", i, c.method, c.path,
				got.Response.Status, got.Response.Body, s.p.Total(), c.status, c.body, c.total)
		}
		if made := strings.Contains(c.body, `"reservation"`) && c.status == 201; made != (got.Response.Location != "") {
			t.Errorf("%d: Location is %q", i, got.Response.Location)
		}
	}
}

// The two 409 and the two 422 differ by their codes, and only the one in flight is worth the same request again.
func TestCodesTellWhatIsWorthARepeat(t *testing.T) {
	c := working
	c.Slots = Slots{Count: 1, Places: 1}
	s := serve(t, c)
	ask := func(key string, slot int64, f Fate) call.Response {
		return s.fated(call.Request{Method: "POST", Path: "/reservations", Key: key, Keyed: true, Amount: 1, Slot: slot}, f).Response
	}
	ask("k", 1, Fate{})
	flight := ask("k", 1, Fate{}).Body
	s.now = s.now.Add(time.Second)
	s.complete(1)
	ask("l", 1, Fate{})
	conflict := s.complete(2).Response
	other := s.ask(call.Request{Method: "POST", Path: "/reservations", Key: "k", Keyed: true, Amount: 2, Slot: 1}).Response
	ask("m", 1, Fate{Fault: event.Fail, Response: call.Response{Status: 422, Body: call.Body{Code: "rejected"}}})
	rejected := s.complete(3).Response
	ask("n", 1, Fate{Fault: event.Fail, Response: call.Response{Status: 502, Body: call.Body{Code: "bad_gateway"}}})
	unavailable := s.complete(4).Response
	for _, c := range []struct {
		got  call.Body
		code string
		flag call.Flag
	}{
		{flight, "key_in_flight", call.FlagTrue}, {conflict.Body, "conflict", call.FlagFalse},
		{other.Body, "key_mismatch", call.FlagFalse}, {rejected.Body, "provider_rejected", call.FlagFalse},
		{unavailable.Body, "provider_unavailable", call.FlagTrue},
	} {
		if c.got.Code != c.code || c.got.Flag != c.flag || c.got.Message == "" || c.got.Message == message("") {
			t.Errorf("got %+v, want %s", c.got, c.code)
		}
	}
	ordered := Ordered(call.Request{Path: "/waitlist"}, call.Response{Status: 429, Body: call.Body{Code: "rate_limited"}})
	if ordered.Body.Flag != call.FlagTrue || ordered.Body.Message == "" {
		t.Errorf("ordered: %+v", ordered)
	}
	if flat := (call.Response{Status: 429, Body: call.Body{Code: "rate_limited"}}); Ordered(call.Request{Path: "/add"}, flat) != flat {
		t.Error("an ordered reply outside of contract E has an envelope")
	}
}

// Each limiter counts each client by itself, and gives its places back.
func TestLimiters(t *testing.T) {
	for name, c := range map[string]Config{
		"log": {Limit: limit.Config{Limit: 1, Window: time.Second}}, "fixed": {Fixed: limit.FixedConfig{Limit: 1, Period: time.Second}},
		"bucket": {Bucket: limit.BucketConfig{Capacity: 1, Period: time.Second, Mode: limit.Continuous}},
		"gcra":   {GCRA: limit.GCRAConfig{Limit: 1, Period: time.Second}},
	} {
		s := serve(t, c)
		ask := func(client string) int {
			return s.ask(call.Request{ClientID: client, Method: "GET", Path: "/work"}).Response.Status
		}
		got := []int{ask("a"), ask("a"), ask("b"), ask("not valid")}
		if kept := s.p.Clone(); !kept.Knows("a") || kept.Knows("c") || kept.Clients() != 2 {
			t.Errorf("%s knows %d clients", name, kept.Clients())
		}
		s.now = s.now.Add(time.Second)
		s.p = s.p.Sweep(s.now)
		if s.p.Clients() != 0 {
			t.Errorf("%s still knows %d clients", name, s.p.Clients())
		}
		if got = append(got, ask("a")); got[0] != 200 || got[1] != 429 || got[2] != 200 || got[3] != 400 || got[4] != 200 {
			t.Errorf("%s: got %v", name, got)
		}
	}
	two := Config{Limit: limit.Config{Limit: 1, Window: 1}, Concurrency: limit.ConcurrencyConfig{Limit: 1}}
	if _, err := New(two); err != ErrLimiters {
		t.Errorf("two limiters: %v", err)
	}
}

// A request in flight holds its slot until it is answered, also by a crash; one that is refused holds none.
func TestRequestsInFlight(t *testing.T) {
	c := working
	c.Concurrency = limit.ConcurrencyConfig{Limit: 1}
	for _, f := range []event.Fault{event.NoFault, event.CrashBefore, event.CrashBetween, event.CrashAfter, event.Fail} {
		s := serve(t, c)
		first := s.fated(add("k", 10), Fate{Fault: f})
		if got := s.ask(add("l", 10)).Response; got.Status != 429 || got.RetryAfter != "1" {
			t.Errorf("%s: the second got %+v", f, got)
		}
		s.now = s.now.Add(time.Second)
		s.complete(first.Work.Job)
		if got := s.ask(add("l", 0)).Response; got.Status != 400 {
			t.Errorf("%s: one that is not valid got %+v", f, got)
		}
		if got := s.ask(add("l", 10)); got.Work.Job == 0 {
			t.Errorf("%s: then %+v", f, got.Response)
		}
	}
}

// The time of work: constant, by draw within both ends, by load; the same draw gives the same time.
func TestTheTimeOfWork(t *testing.T) {
	const s = time.Second
	for _, c := range []struct {
		work Work
		draw uint64
		busy int
		want time.Duration
	}{
		{Work{}, 1 << 63, 9, 0}, {Work{Least: s}, 1 << 63, 9, s}, {Work{Least: s, Most: 3 * s}, 0, 0, s},
		{Work{Least: s, Most: 3 * s}, 1 << 63, 0, 2 * s}, {Work{Least: s, Most: 3 * s}, 1<<64 - 1, 0, 3*s - 1},
		{Work{Least: 2 * s, Most: s}, 1 << 63, 0, 2 * s}, {Work{Least: s, PerBusy: s / 2}, 0, 3, 5 * s / 2},
		{Work{Least: clock.MaxDuration, PerBusy: s}, 0, 3, clock.MaxDuration},
	} {
		if got := c.work.time(c.draw, c.busy); got != c.want {
			t.Errorf("%+v, draw %d, busy %d: got %s, want %s", c.work, c.draw, c.busy, got, c.want)
		}
	}
}

// Case 79 (apache/hertzbeat PR#4328): 25 monitors that start together, a serial server, 200 ms each: 5 s of work, and a
// mean wait of 2.6 s.
func TestAlignedMonitorsWaitForEachOther(t *testing.T) {
	s := serve(t, Config{Work: Work{Least: 200 * time.Millisecond}, Capacity: bulkhead.Config{Running: 1, Queue: 24}})
	var next Began
	for i := range 25 {
		res := s.ask(call.Request{ClientID: "m", Client: i, Method: "GET", Path: "/work"})
		if i == 0 {
			next = res.Work
		} else if !res.Work.Queued || res.Work.Ends != clock.Max || res.Place.Reason != decision.PlaceQueued {
			t.Fatalf("monitor %d: %+v", i, res.Work)
		}
	}
	if got := s.ask(call.Request{Method: "GET", Path: "/work"}); got.Response.Status != 503 || got.Response.Body.Code != "overloaded" {
		t.Errorf("one more: %+v", got.Response)
	}
	sum, served := time.Duration(0), 0
	for next.Job != 0 {
		s.now = next.Ends
		res := s.complete(next.Job)
		if res.Request.Client != served || res.Response.Status != 200 {
			t.Errorf("%d was served as number %d with %d", res.Request.Client, served, res.Response.Status)
		}
		sum += s.now.Sub(clock.Start)
		served, next = served+1, res.Next
	}
	if mean := sum / 25; served != 25 || s.now != clock.Start.Add(5*time.Second) || mean != 2600*time.Millisecond {
		t.Errorf("%d served until %d, mean %s", served, s.now, mean)
	}
}

// A request that found no place was never executed: its key is new, and its lease is gone.
func TestNoPlaceStoresNothing(t *testing.T) {
	c := working
	c.Capacity = bulkhead.Config{Running: 1}
	s := serve(t, c)
	job := s.begin(add("k", 10))
	expect(t, "no place", s.ask(add("l", 10)), decision.BulkheadFull, 503)
	s.now = s.now.Add(100 * time.Millisecond)
	s.complete(job)
	expect(t, "later", s.complete(s.begin(add("l", 10))), decision.KeyNew, 200)
}

// Whoever lost the lease over its work has no effect without asking again: one effect, whatever ends first.
func TestALeaseShorterThanTheWork(t *testing.T) {
	s := serve(t, Config{Work: Work{Least: 2 * time.Second}, Ledger: ledger.Config{Lease: time.Second}})
	first := s.begin(add("k", 10))
	s.now = s.now.Add(1500 * time.Millisecond)
	second := s.begin(add("k", 10))
	s.now = s.now.Add(500 * time.Millisecond)
	expect(t, "the first", s.complete(first), decision.KeyInFlight, 409)
	s.now = s.now.Add(1500 * time.Millisecond)
	expect(t, "the second, whose lease is over too", s.complete(second), decision.LeaseOver, 200)
	expect(t, "a third", s.ask(add("k", 10)), decision.KeyKnown, 200)
	s.total(10)
	if again := s.complete(first); again.Response.Status != 0 || again.Answer.Verdict != decision.NoVerdict {
		t.Errorf("work that has ended ended again: %+v", again)
	}
}

// Handle answers in one step, whatever time the work takes: for whoever carries the time in another way.
func TestHandleAnswersInOneStep(t *testing.T) {
	c := working
	c.Fixed = limit.FixedConfig{Limit: 9, Period: time.Second}
	c.Capacity = bulkhead.Config{Running: 1}
	s := serve(t, c)
	for i, want := range []decision.Reason{decision.KeyNew, decision.KeyKnown} {
		var got Result
		s.p, got = s.p.Handle(s.now, add("k", 10))
		expect(t, "handled", got, want, 200)
		if got.Admission.Verdict != decision.Admit || s.p.Working() != 0 {
			t.Errorf("%d: %s, %d at work", i, got.Admission.Verdict, s.p.Working())
		}
	}
}

func TestBadSettingsAreRefused(t *testing.T) {
	for _, c := range []Config{
		{Fixed: limit.FixedConfig{Limit: 1}}, {Bucket: limit.BucketConfig{Period: 1}}, {GCRA: limit.GCRAConfig{Limit: 1}},
		{Concurrency: limit.ConcurrencyConfig{Limit: -1}}, {Work: Work{Least: -1}}, {Work: Work{PerBusy: -1}}, {Paths: []PathWork{{Path: "/rate", Work: Work{Least: -1}}}},
		{Capacity: bulkhead.Config{Queue: 1}}, {Slots: Slots{Count: -1}}, {Slots: Slots{Count: MaxSlots + 1}},
		{Slots: Slots{Places: -1}}, {Slots: Slots{Places: MaxAmount + 1}},
	} {
		if _, err := New(c); err == nil {
			t.Errorf("%+v was taken", c)
		}
	}
}

// A clone shares nothing: what happens to it never shows in the original.
func TestClonesShareNothing(t *testing.T) {
	c := working
	c.Capacity = bulkhead.Config{Running: 1, Queue: 1}
	s := serve(t, c)
	job := s.begin(call.Request{Method: "POST", Path: "/reservations", Key: "k", Keyed: true, Amount: 1, Slot: 1})
	kept := s.p.Clone()
	other := server{t: t, p: s.p.Clone(), now: s.now}
	other.complete(job)
	other.complete(other.begin(call.Request{Method: "DELETE", Path: "/reservations/1"}))
	if s.p.Working() != 1 || kept.Working() != 1 || kept.Total() != 0 || kept.Records() != 1 || other.p.Records() != 1 {
		t.Errorf("%d at work, %d in the clone, total %d", s.p.Working(), kept.Working(), kept.Total())
	}
	expect(t, "the original goes on", s.complete(job), decision.KeyNew, 201)
}
