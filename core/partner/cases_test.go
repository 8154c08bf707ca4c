package partner

import (
	"testing"
	"time"

	"retrylab.example/core/call"
	"retrylab.example/core/clock"
	"retrylab.example/core/decision"
	"retrylab.example/core/event"
	"retrylab.example/core/idemkey"
	"retrylab.example/core/ledger"
)

// server is a partner that is asked in turn, at instants that its test chooses.
type server struct {
	t   *testing.T
	p   Partner
	now clock.Instant
}

func serve(t *testing.T, c Config) *server {
	t.Helper()
	p, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	return &server{t: t, p: p}
}

// ask brings one request that ends at once.
func (s *server) ask(r call.Request) Result {
	return s.fated(r, Fate{})
}

func (s *server) fated(r call.Request, f Fate) Result {
	s.t.Helper()
	var res Result
	s.p, res = s.p.Arrive(s.now, Arrival{Request: r, Fate: f})
	s.check()
	return res
}

// begin brings one request whose work takes time.
func (s *server) begin(r call.Request) (job uint64) {
	s.t.Helper()
	res := s.ask(r)
	if res.Work.Job == 0 {
		s.t.Fatalf("%+v was answered at once: %+v", r, res.Response)
	}
	return res.Work.Job
}

func (s *server) complete(job uint64) Result {
	s.t.Helper()
	var res Result
	s.p, res = s.p.Complete(s.now, job)
	s.check()
	return res
}

func (s *server) check() {
	s.t.Helper()
	if err := s.p.Check(); err != nil {
		s.t.Fatal(err)
	}
}

func (s *server) total(want int64) {
	s.t.Helper()
	if s.p.Total() != want {
		s.t.Errorf("the total is %d, want %d", s.p.Total(), want)
	}
}

func expect(t *testing.T, what string, got Result, reason decision.Reason, status int) {
	t.Helper()
	if got.Answer.Reason != reason || got.Response.Status != status {
		t.Errorf("%s: got %s %d, want %s %d", what, got.Answer.Reason, got.Response.Status, reason, status)
	}
}

func add(key string, amount int64) call.Request {
	return call.Request{ClientID: "a", Method: "POST", Path: "/add", Key: key, Keyed: key != "", Amount: amount}
}

// working is a partner whose work takes 100 ms, with leases.
var working = Config{Work: Work{Least: 100 * time.Millisecond}, Ledger: ledger.Config{Lease: ledger.DefaultLease}}

// semantics are the 24 situations of the page on standards, section 6, each with what the lab does. Where the page's
// default and the contracts differ, the contracts hold; the case says so.
var semantics = []struct {
	id, says string
	test     func(t *testing.T)
}{
	{"I01", "a first request is processed", func(t *testing.T) {
		s := serve(t, Config{})
		expect(t, "first", s.ask(add("k", 10)), decision.KeyNew, 200)
		s.total(10)
	}},
	{"I02", "the same, finished: the same status and body, marked as replayed", func(t *testing.T) {
		s := serve(t, Config{})
		first := s.ask(add("k", 10))
		again := s.ask(add("k", 10))
		expect(t, "again", again, decision.KeyKnown, 200)
		want := first.Response
		if want.Replayed = true; again.Response != want {
			t.Errorf("got %+v, want %+v", again.Response, want)
		}
		s.total(10)
	}},
	{"I03", "the same, running: 409 with a code of its own and Retry-After 1", func(t *testing.T) {
		s := serve(t, working)
		s.begin(add("k", 10))
		got := s.ask(add("k", 10))
		expect(t, "while it runs", got, decision.KeyInFlight, 409)
		if got.Response.RetryAfter != "1" || got.Response.Body.Code != "key_in_flight" {
			t.Errorf("got %+v", got.Response)
		}
	}},
	{"I04", "the same key with another body: 422", func(t *testing.T) {
		s := serve(t, Config{})
		s.ask(add("k", 10))
		got := s.ask(add("k", 11))
		expect(t, "other amount", got, decision.KeyMismatch, 422)
		if got.Response.Body.Code != "key_mismatch" {
			t.Errorf("got %+v", got.Response)
		}
		s.total(10)
	}},
	{"I05", "the same key with another body, running: 422, because it can never succeed", func(t *testing.T) {
		s := serve(t, working)
		s.begin(add("k", 10))
		expect(t, "other amount", s.ask(add("k", 11)), decision.KeyMismatch, 422)
	}},
	{"I06", "a required key that is missing: 400", func(t *testing.T) {
		s := serve(t, Config{RequireKeys: true})
		got := s.ask(add("", 10))
		expect(t, "no key", got, decision.KeyMissing, 400)
		if got.Response.Body.Code != "key_missing" {
			t.Errorf("got %+v", got.Response)
		}
		s.total(0)
	}},
	{"I07", "a key that cannot be read is a missing one", func(t *testing.T) {
		key := idemkey.Read(idemkey.Draft, []string{`"k`})
		r := add("", 10)
		r.Key, r.Keyed = key.Text, key.Result == idemkey.Given
		expect(t, "unparseable", serve(t, Config{RequireKeys: true}).ask(r), decision.KeyMissing, 400)
	}},
	{"I08", "a 500 after the execution began is replayed, or forgotten so that the key executes anew", func(t *testing.T) {
		for errors, want := range map[ledger.Errors]decision.Reason{
			ledger.All: decision.KeyKnown, ledger.Not5xx: decision.KeyNew, ledger.NoErrors: decision.KeyNew,
		} {
			s := serve(t, Config{Ledger: ledger.Config{Errors: errors}})
			expect(t, "fails", s.fated(add("k", 10), Fate{Fault: event.Fail}), decision.WorkFailed, 500)
			status := map[decision.Reason]int{decision.KeyKnown: 500, decision.KeyNew: 200}[want]
			expect(t, errors.String(), s.ask(add("k", 10)), want, status)
		}
	}},
	{"I09", "a 429 is not stored", func(t *testing.T) {
		c := Config{}
		c.Limit.Limit, c.Limit.Window = 1, time.Second
		s := serve(t, c)
		s.ask(call.Request{ClientID: "a", Method: "GET", Path: "/work"})
		if got := s.ask(add("k", 10)); got.Response.Status != 429 {
			t.Errorf("got %+v", got.Response)
		}
		s.now = s.now.Add(time.Second)
		expect(t, "later", s.ask(add("k", 10)), decision.KeyNew, 200)
	}},
	{"I10", "a 400 of validation is not stored", func(t *testing.T) {
		s := serve(t, working)
		expect(t, "not valid", s.ask(add("k", 0)), decision.AmountInvalid, 400)
		s.begin(add("k", 10))
	}},
	{"I11", "a server that dies while it works leaves a lease; after it, the key executes anew (contract, rule 2)", func(t *testing.T) {
		s := serve(t, Config{Ledger: ledger.Config{Lease: time.Minute}})
		if got := s.fated(add("k", 10), Fate{Fault: event.CrashBefore}); !got.Cut || got.Response.Status != 0 {
			t.Errorf("got %+v", got)
		}
		s.now = s.now.Add(time.Minute - 1)
		expect(t, "under the lease", s.ask(add("k", 10)), decision.KeyInFlight, 409)
		s.now++
		expect(t, "after it", s.ask(add("k", 10)), decision.LeaseOver, 200)
		s.total(10)
	}},
	{"I12", "an expired key executes again", func(t *testing.T) {
		s := serve(t, Config{})
		s.ask(add("k", 10))
		s.now = s.now.Add(25 * time.Hour)
		expect(t, "expired", s.ask(add("k", 10)), decision.KeyNew, 200)
		s.total(20)
	}},
	{"I13", "an expired key executes another body too", func(t *testing.T) {
		s := serve(t, Config{})
		s.ask(add("k", 10))
		s.now = s.now.Add(24 * time.Hour)
		expect(t, "expired", s.ask(add("k", 11)), decision.KeyNew, 200)
	}},
	{"I14", "the same key of another account is another key", func(t *testing.T) {
		s := serve(t, Config{})
		s.ask(add("k", 10))
		other := add("k", 11)
		other.ClientID = "b"
		expect(t, "other account", s.ask(other), decision.KeyNew, 200)
	}},
	{"I15", "the same key elsewhere is another key: the contracts' scope, where the page has 422", func(t *testing.T) {
		s := serve(t, Config{})
		s.ask(add("k", 10))
		other := add("k", 10)
		other.Method, other.Path = "PATCH", "/total"
		expect(t, "other path", s.ask(other), decision.KeyNew, 200)
	}},
	{"I16", "other white space is the same request: the fingerprint is of what the body says", func(t *testing.T) {
		// Whoever reads a body gives the partner an amount and a slot, so its bytes cannot make a difference.
		s := serve(t, Config{})
		s.ask(call.Request{Method: "POST", Path: "/reservations", Key: "k", Keyed: true, Amount: 1, Slot: 1})
		got := s.ask(call.Request{Method: "POST", Path: "/reservations", Key: "k", Keyed: true, Slot: 1, Amount: 1})
		expect(t, "same meaning", got, decision.KeyKnown, 201)
	}},
	{"I17", "other header fields are the same request", func(t *testing.T) {
		s := serve(t, Config{})
		s.ask(add("k", 10))
		other := add("k", 10)
		other.IfMatch, other.Attempt = `"v2"`, 2
		expect(t, "other fields", s.ask(other), decision.KeyKnown, 200)
	}},
	{"I18", "a key on a request that reads is not looked at; on PUT and DELETE it counts, as the draft allows", func(t *testing.T) {
		s := serve(t, Config{})
		for _, method := range []string{"GET", "GET"} {
			r := call.Request{Method: method, Path: "/total", Key: "k", Keyed: true}
			expect(t, method, s.ask(r), decision.ReadOnly, 200)
		}
		r := call.Request{Method: "PUT", Path: "/total", Key: "k", Keyed: true, Amount: 5}
		expect(t, "PUT", s.ask(r), decision.KeyNew, 200)
		expect(t, "PUT", s.ask(r), decision.KeyKnown, 200)
	}},
	{"I19", "quoted, then unquoted: to the draft the second has no key", func(t *testing.T) {
		s := serve(t, Config{RequireKeys: true})
		for i, line := range []string{`"k"`, `k`} {
			key := idemkey.Read(idemkey.Draft, []string{line})
			r := add("", 10)
			r.Key, r.Keyed = key.Text, key.Result == idemkey.Given
			want, status := decision.KeyNew, 200
			if i == 1 {
				want, status = decision.KeyMissing, 400
			}
			expect(t, line, s.ask(r), want, status)
		}
	}},
	{"I20", "upper and lower case are two keys", func(t *testing.T) {
		s := serve(t, Config{})
		s.ask(add("2b7e-AB", 10))
		expect(t, "lower case", s.ask(add("2b7e-ab", 10)), decision.KeyNew, 200)
		s.total(20)
	}},
	{"I21", "a client that retries with a new key executes twice", func(t *testing.T) {
		s := serve(t, Config{})
		s.ask(add("k-1", 10))
		expect(t, "new key", s.ask(add("k-2", 10)), decision.KeyNew, 200)
		s.total(20)
	}},
	{"I22", "a replayed 201 keeps its status, body and Location, and has no old Retry-After", func(t *testing.T) {
		s := serve(t, Config{})
		r := call.Request{Method: "POST", Path: "/reservations", Key: "k", Keyed: true, Amount: 1, Slot: 2}
		first := s.ask(r)
		again := s.ask(r)
		if want := first.Response; first.Response.Status != 201 || again.Response.Location != "/reservations/1" ||
			again.Response.Body != want.Body || !again.Response.Replayed {
			t.Errorf("first %+v\nagain %+v", first.Response, again.Response)
		}
		failed := call.Response{Status: 503, RetryAfter: "9", HasRetryAfter: true}
		s.fated(add("f", 1), Fate{Fault: event.Fail, Response: failed})
		if got := s.ask(add("f", 1)).Response; got.Status != 503 || got.HasRetryAfter || !got.Replayed {
			t.Errorf("got %+v", got)
		}
	}},
	{"I23", "a retry at the lifetime and later executes again; before it, it does not", func(t *testing.T) {
		for _, c := range []struct {
			age  time.Duration
			want decision.Reason
		}{
			{ledger.DefaultLifetime - 1, decision.KeyKnown}, {ledger.DefaultLifetime, decision.KeyNew},
			{ledger.DefaultLifetime + time.Second, decision.KeyNew},
		} {
			s := serve(t, Config{})
			s.ask(add("k", 10))
			s.now = s.now.Add(c.age)
			expect(t, c.age.String(), s.ask(add("k", 10)), c.want, 200)
		}
	}},
	{"I24", "two lines of the field are no key", func(t *testing.T) {
		for _, p := range []idemkey.Profile{idemkey.Draft, idemkey.Lab} {
			if key := idemkey.Read(p, []string{`"a"`, `"b"`}); key.Result == idemkey.Given {
				t.Errorf("%s: got the key %q", p, key.Text)
			}
		}
	}},
}

func TestSemantics(t *testing.T) {
	if len(semantics) != 24 {
		t.Errorf("%d of 24 situations", len(semantics))
	}
	for _, c := range semantics {
		t.Run(c.id+" "+c.says, c.test)
	}
}

// Public bug reports about idempotency, each with its source; the ids are those of the page of cases.
func TestCases(t *testing.T) {
	t.Run("73a jcagarcia/grape-idempotency#10, square1-io/laravel-idempotency#1: two at once execute once", func(t *testing.T) {
		s := serve(t, working)
		job := s.begin(add("K", 10))
		s.now = s.now.Add(10 * time.Millisecond)
		expect(t, "the second", s.ask(add("K", 10)), decision.KeyInFlight, 409)
		s.now = s.now.Add(90 * time.Millisecond)
		expect(t, "the first", s.complete(job), decision.KeyNew, 200)
		s.total(10)
	})
	t.Run("73b idempot-js PR#186: the loser gets 409, or a replay afterwards, and never 503", func(t *testing.T) {
		s := serve(t, working)
		job := s.begin(add("K", 10))
		expect(t, "while it runs", s.ask(add("K", 10)), decision.KeyInFlight, 409)
		s.complete(job)
		expect(t, "afterwards", s.ask(add("K", 10)), decision.KeyKnown, 200)
	})
	t.Run("75 IdempotentAPI#37: a crash does not block a key for ever", func(t *testing.T) {
		s := serve(t, working)
		s.begin(add("K", 10)) // and never ends
		s.now = s.now.Add(ledger.DefaultLease)
		s.p = s.p.Sweep(s.now)
		job := s.begin(add("K", 10))
		expect(t, "anew", s.complete(job), decision.LeaseOver, 200)
		s.total(10)
	})
	t.Run("77 square/square-mcp-server#31: one key for all attempts has one effect, a new one for each has two", func(t *testing.T) {
		one, each := serve(t, Config{}), serve(t, Config{})
		for _, key := range []string{"K-1", "K-2"} {
			one.ask(add("K", 10))
			each.ask(add(key, 10))
		}
		one.total(10)
		each.total(20)
	})
	t.Run("49 apify/apify-client-python#990: a lost reply to a creation is replayed as 201, and no conflict with oneself", func(t *testing.T) {
		s := serve(t, Config{})
		r := call.Request{Method: "POST", Path: "/reservations", Amount: 1, Slot: 1}
		s.ask(r)
		expect(t, "without a key", s.ask(r), decision.SlotFull, 409)
		r.Key, r.Keyed, r.Slot = "K", true, 2
		s.ask(r)
		expect(t, "with one", s.ask(r), decision.KeyKnown, 201)
	})
}
