package ledger

import (
	"testing"
	"time"

	"retrylab.example/core/call"
	"retrylab.example/core/clock"
	"retrylab.example/core/decision"
)

// slowLedger keeps everything that ever happened under a key in a list, and looks from the end for what still counts.
type slowLedger struct {
	config  Config
	history []slowEntry
	made    int
}

type slowEntry struct {
	request     call.Request
	began, done clock.Instant
	running     bool
	forgotten   bool
	status      int
}

// last returns the last thing that counts for a request, −1 for none.
func (l *slowLedger) last(r call.Request) int {
	for i := len(l.history) - 1; i >= 0; i-- {
		a := l.history[i].request
		if !l.history[i].forgotten && a.ClientID == r.ClientID && a.Path == r.Path && a.Key == r.Key {
			return i
		}
	}
	return -1
}

func (l *slowLedger) begin(now clock.Instant, r call.Request) (reason decision.Reason, status int) {
	reason = decision.KeyNew
	if i := l.last(r); i >= 0 {
		e := &l.history[i]
		since := e.done
		if e.running {
			since = e.began
		}
		age := now.Sub(since)
		same := e.request.Amount == r.Amount && e.request.Slot == r.Slot
		switch {
		case e.running && age < l.config.Lease && !same, !e.running && age < l.config.Lifetime && !same:
			return decision.KeyMismatch, 0
		case e.running && age < l.config.Lease:
			return decision.KeyInFlight, 0
		case e.running && age < l.config.Lifetime:
			reason = decision.LeaseOver
			e.forgotten = l.config.Lease > 0 // the new execution takes its place
		case !e.running && age < l.config.Lifetime:
			return decision.KeyKnown, e.status
		}
	}
	if l.config.Lease > 0 {
		l.history = append(l.history, slowEntry{request: r, began: now, running: true})
	}
	return reason, 0
}

// finish ends the request that began as the n-th, or one without a lease if n is −1.
func (l *slowLedger) finish(now clock.Instant, n int, r call.Request, status int, effect bool) bool {
	kept := effect || l.config.Errors == All || status < 300 || l.config.Errors == Not5xx && status < 500
	if n >= 0 {
		e := &l.history[n]
		if !e.running || e.forgotten || l.last(e.request) != n || now.Sub(e.began) >= l.config.Lease {
			return false
		}
		e.running, e.done, e.status, e.forgotten = false, now, status, !kept
	} else if kept {
		l.history = append(l.history, slowEntry{request: r, done: now, status: status})
	}
	if kept && effect {
		l.made++
	}
	return kept
}

func (l *slowLedger) abandon(n int) {
	if n >= 0 && l.history[n].running && l.last(l.history[n].request) == n {
		l.history[n].forgotten = true
	}
}

// execution is one request that may run, in both ledgers.
type execution struct {
	ticket  Ticket
	slow    int
	request call.Request
}

// twins do the same in both ledgers.
type twins struct {
	t       fataler
	now     clock.Instant
	real    Ledger
	slow    slowLedger
	running []execution
}

type fataler interface {
	Helper()
	Fatalf(format string, args ...any)
}

func newTwins(t fataler, c Config) *twins {
	c.Lifetime = max(c.Lifetime, 1)
	return &twins{t: t, real: New(c), slow: slowLedger{config: c}}
}

func (w *twins) begin(r call.Request) decision.Reason {
	w.t.Helper()
	reason, status := w.slow.begin(w.now, r)
	next, ticket, saved, d := w.real.Begin(w.now, r)
	w.real = next
	if d.Reason != reason || saved.Status != status || saved.Replayed != (reason == decision.KeyKnown) {
		w.t.Fatalf("at %d, %+v: got %s %d, want %s %d", w.now, r, d.Reason, saved.Status, reason, status)
	}
	if d.Verdict == decision.Apply {
		e := execution{ticket, -1, r}
		if w.slow.config.Lease > 0 {
			e.slow = len(w.slow.history) - 1
		}
		w.running = append(w.running, e)
	}
	return d.Reason
}

// finish ends the i-th execution; several times changes nothing, unless there are no leases.
func (w *twins) finish(i, status int, effect bool) {
	w.t.Helper()
	e := w.running[i]
	holds := w.real.Holds(w.now, e.ticket)
	want := w.slow.finish(w.now, e.slow, e.request, status, effect)
	next, saved := w.real.Finish(w.now, e.ticket, call.Response{Status: status}, effect)
	w.real = next
	if saved != want || saved && !holds || w.real.Made() != w.slow.made {
		w.t.Fatalf("at %d, %+v ends in %d: saved %t, want %t, held %t; %d effects, want %d",
			w.now, e.request, status, saved, want, holds, w.real.Made(), w.slow.made)
	}
}

func (w *twins) abandon(i int) {
	w.slow.abandon(w.running[i].slow)
	w.real = w.real.Abandon(w.running[i].ticket)
}

var fuzzConfigs = []Config{
	{Lifetime: 4 * time.Second},
	{Lifetime: 4 * time.Second, Lease: 3 * time.Second},
	{Lifetime: 4 * time.Second, Lease: 3 * time.Second, Errors: Not5xx},
	{Lifetime: 3 * time.Second, Lease: 6 * time.Second, Errors: NoErrors},
}

func FuzzLedger(f *testing.F) {
	f.Add([]byte{0, 0, 0, 0})
	f.Add([]byte{0, 0, 1, 0, 0, 64, 0, 1, 1, 128, 0, 192, 0, 255})
	f.Add([]byte{1, 0, 8, 1, 0, 0, 8, 64, 8, 128, 8, 1, 1, 0, 8, 192, 8})
	f.Add([]byte{2, 0, 0, 1, 2, 0, 0, 1, 4, 64, 0, 2, 0, 0, 0, 3, 0})
	f.Add([]byte{3, 0, 0, 128, 0, 3, 0, 192, 0, 1, 0, 1, 1})
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) == 0 {
			return
		}
		w := newTwins(t, fuzzConfigs[int(data[0])%len(fuzzConfigs)])
		for i := 1; i+1 < len(data); i += 2 {
			op, b := data[i], data[i+1]
			w.now = w.now.Add(time.Duration(op>>6) * time.Second)
			kept := w.real.Clone()
			r := call.Request{
				ClientID: string('a' + rune(b&1)), Method: []string{"POST", "post"}[b>>1&1], Path: "/add",
				Key: string('k' + rune(b>>2&1)), Amount: int64(b >> 3 & 1), Slot: int64(b >> 4 & 1), Keyed: true,
			}
			_, _, _, before := kept.Clone().Begin(w.now, r)
			switch n := len(w.running); {
			case op&3 == 1 && n > 0:
				status := []int{200, 409, 500}[b>>1%3]
				w.finish(int(b)%n, status, status == 200)
			case op&3 == 2 && n > 0:
				w.abandon(int(b) % n)
			case op&3 == 3:
				w.real = w.real.Sweep(w.now)
				if _, _, _, after := w.real.Clone().Begin(w.now, r); after != before {
					t.Fatalf("step %d: before the sweep %s, after it %s", i, before.Reason, after.Reason)
				}
			default:
				w.begin(r)
			}
			if _, _, _, again := kept.Begin(w.now, r); again != before {
				t.Fatalf("step %d: a clone decides %s, before it was %s", i, again.Reason, before.Reason)
			}
		}
	})
}

func keyed(amount int64) call.Request {
	return call.Request{Method: "POST", Path: "/add", Key: "k", Keyed: true, Amount: amount}
}

func TestAKeyIsNewAtExactlyItsLifetime(t *testing.T) {
	for _, c := range []struct {
		age  time.Duration
		want decision.Reason
	}{{0, decision.KeyKnown}, {DefaultLifetime - 1, decision.KeyKnown}, {DefaultLifetime, decision.KeyNew}} {
		w := newTwins(t, Config{Lifetime: DefaultLifetime})
		w.now = 5
		w.begin(keyed(10))
		w.finish(0, 201, true)
		w.now = w.now.Add(c.age)
		if got := w.begin(keyed(10)); got != c.want {
			t.Errorf("after %s: got %s, want %s", c.age, got, c.want)
		}
	}
}

// A lease that ran out without a record executes anew, from exactly its end on, and whoever held it has lost it.
func TestALeaseIsOverAtExactlyItsEnd(t *testing.T) {
	for _, c := range []struct {
		age  time.Duration
		want decision.Reason
	}{{0, decision.KeyInFlight}, {DefaultLease - 1, decision.KeyInFlight}, {DefaultLease, decision.LeaseOver}} {
		w := newTwins(t, Config{Lifetime: DefaultLifetime, Lease: DefaultLease})
		w.begin(keyed(10))
		w.now = w.now.Add(c.age)
		for _, when := range []string{"before", "after"} {
			if got, want := w.real.Holds(w.now, w.running[0].ticket), c.want == decision.KeyInFlight; got != want {
				t.Errorf("after %s, %s another asks: the first holds its lease: %t", c.age, when, got)
			}
			if got := w.begin(keyed(10)); when == "before" && got != c.want {
				t.Errorf("after %s: got %s, want %s", c.age, got, c.want)
			}
		}
	}
}

// Two executions of one key can overlap only where the lease of the first is over: then only the second may save.
func TestALateResultSavesNothing(t *testing.T) {
	w := newTwins(t, Config{Lifetime: time.Hour, Lease: time.Second})
	w.begin(keyed(10))
	w.now = w.now.Add(time.Second)
	w.begin(keyed(10))
	w.finish(0, 200, true)
	w.finish(1, 201, true)
	w.finish(0, 200, true)
	if got := w.begin(keyed(10)); got != decision.KeyKnown || w.real.Made() != 1 {
		t.Errorf("got %s after %d effects", got, w.real.Made())
	}
}

// A replay is the first response as it was, but for the Retry-After and further fields, which spoke of then.
func TestAReplayIsTheFirstResponse(t *testing.T) {
	first := call.Response{
		Status: 503, Location: "/reservations/1", RetryAfter: "7", HasRetryAfter: true, Fields: "Date: then\n",
		Body: call.Body{Code: "unavailable", Flag: call.FlagTrue, Message: "Later."},
	}
	l := New(Config{})
	l, ticket, _, _ := l.Begin(0, keyed(1))
	l, saved := l.Finish(0, ticket, first, false)
	_, _, got, d := l.Begin(9, keyed(1))
	want := first
	want.RetryAfter, want.HasRetryAfter, want.Fields, want.Replayed = "", false, "", true
	if !saved || got != want || d.Verdict != decision.Replay || l.Made() != 0 {
		t.Errorf("got %+v, %s, want %+v", got, d.Verdict, want)
	}
}

func TestWhichErrorsAreSaved(t *testing.T) {
	for _, c := range []struct {
		errors Errors
		saved  []int
		not    []int
	}{
		{All, []int{200, 201, 400, 409, 422, 429, 499, 500, 503}, nil},
		{Not5xx, []int{200, 404, 409, 499}, []int{500, 502, 503}},
		{NoErrors, []int{200, 299}, []int{300, 400, 409, 422, 500}},
	} {
		for _, status := range append(append([]int{}, c.saved...), c.not...) {
			want := status < 300
			for _, s := range c.saved {
				want = want || s == status
			}
			for _, lease := range []time.Duration{0, time.Second} {
				w := newTwins(t, Config{Lifetime: time.Hour, Lease: lease, Errors: c.errors})
				w.begin(keyed(1))
				w.finish(0, status, false)
				reason := map[bool]decision.Reason{true: decision.KeyKnown, false: decision.KeyNew}[want]
				if got := w.begin(keyed(1)); got != reason {
					t.Errorf("%s, lease %s, %d: then %s, want %s", c.errors, lease, status, got, reason)
				}
			}
		}
		if back, ok := ParseErrors(c.errors.String()); !ok || back != c.errors {
			t.Errorf("%s reads back as %s", c.errors, back)
		}
	}
	if _, ok := ParseErrors("some"); ok {
		t.Error("some is no name")
	}
}

// A sweep frees what is over, whatever the order in which it came.
func TestSweepFreesMemory(t *testing.T) {
	l := New(Config{Lifetime: time.Second, Lease: time.Second})
	now := clock.Start
	for i := range 1000 {
		now = now.Add(time.Millisecond)
		r := keyed(1)
		r.Key = string(rune('a' + i))
		next, ticket, _, _ := l.Begin(now, r)
		if l = next; i%2 == 0 {
			l, _ = l.Finish(now, ticket, call.Response{Status: 200}, true)
		}
	}
	if half := l.Sweep(now.Add(500 * time.Millisecond)); half.Len() != 500 || !half.Has(ScopeOf(call.Request{Method: "POST", Path: "/add", Key: string(rune('a' + 999))})) {
		t.Errorf("half a second later there are %d", half.Len())
	}
	if all := l.Sweep(now.Add(time.Second)); all.Len() != 0 || all.Made() != 500 {
		t.Errorf("a second later there are %d, %d made", all.Len(), all.Made())
	}
}
