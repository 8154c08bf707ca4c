package lab

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"retrylab.example/core/bulkhead"
	"retrylab.example/core/call"
	"retrylab.example/core/clock"
	"retrylab.example/core/event"
	"retrylab.example/core/ledger"
	"retrylab.example/core/limit"
	"retrylab.example/core/partner"
	"retrylab.example/core/trace"
)

// kept is a sink that keeps everything as text.
type kept struct{ lines []byte }

func (k *kept) Event(e *event.Event) { k.lines = trace.AppendJSON(k.lines, e) }

func (k *kept) Answered(n int64, o *Outcome) {
	k.lines = fmt.Appendf(k.lines, "answered %d: %d %q %v %d %s\n", n, o.Response.Status, o.Response.Body.String(), o.Cut, o.Leaves, o.Fault)
}

// configs are labs of every kind.
func configs() []Config {
	lease := ledger.Config{Lifetime: 20 * time.Second, Lease: 3 * time.Second}
	work := partner.Work{Least: 100 * time.Millisecond, Most: 2 * time.Second}
	script := []partner.Fate{
		{Fault: event.LostReply}, {}, {Fault: event.Reply, Response: call.Response{Status: 503, RetryAfter: "2", HasRetryAfter: true}},
		{Fault: event.Slow, Delay: 700 * time.Millisecond}, {Fault: event.CrashAfter}, {Fault: event.LostRequest},
		{Fault: event.TruncatedReply}, {Fault: event.CrashBefore}, {Fault: event.CrashBetween},
		{Fault: event.Fail, Response: call.Response{Status: 502}},
	}
	return []Config{
		{},
		{Partner: partner.Config{Limit: limit.Config{Limit: 2, Window: 3 * time.Second}}},
		{Partner: partner.Config{Limit: limit.Config{Limit: 2, Window: 3 * time.Second, RecordRefused: true}}, Script: script},
		{Partner: partner.Config{Fixed: limit.FixedConfig{Limit: 2, Period: time.Second}, Ledger: lease}, Script: script},
		{Partner: partner.Config{Bucket: limit.BucketConfig{Capacity: 2, Period: 3 * time.Second, Mode: limit.Continuous}}},
		{Partner: partner.Config{Bucket: limit.BucketConfig{Capacity: 2, Period: 3 * time.Second}}, Script: script, RepeatLast: true},
		{Partner: partner.Config{GCRA: limit.GCRAConfig{Limit: 3, Period: 2 * time.Second, Burst: 2}}},
		{
			Partner: partner.Config{Concurrency: limit.ConcurrencyConfig{Limit: 2}, Work: work, Ledger: lease},
			Script:  script, Seed: 3,
		},
		{
			Partner: partner.Config{
				Work: work, Capacity: bulkhead.Config{Running: 2, Queue: 2}, Ledger: lease, SplitRecord: true,
				Slots: partner.Slots{Count: 2, Places: 3},
			},
			Script: script, Seed: 7,
		},
		{Partner: partner.Config{Work: work, IgnoreKeys: true}, Script: script},
		{Partner: partner.Config{RequireKeys: true, Paths: []partner.PathWork{{Path: "/reservations", Work: work}}}},
	}
}

func newLab(t testing.TB, c Config) *Lab {
	t.Helper()
	l, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// arrivals are random requests of a few clients, who repeat themselves a lot.
func arrivals(r *rand.Rand, n int) []Arrival {
	at := clock.Start
	list := make([]Arrival, n)
	for i := range list {
		at = at.Add(time.Duration(r.IntN(900)) * time.Millisecond)
		q := call.Request{ClientID: []string{"a", "b", "c", ""}[r.IntN(4)], Method: "POST", Path: "/add", Amount: int64(r.IntN(2))}
		switch r.IntN(8) {
		case 0:
			q = call.Request{ClientID: q.ClientID, Method: "GET", Path: []string{"/work", "/rate", "/reservations", "/window"}[r.IntN(4)]}
		case 1:
			q.Path, q.Slot = []string{"/reservations", "/waitlist", "/estimate"}[r.IntN(3)], int64(r.IntN(4))
		case 2:
			q = call.Request{ClientID: q.ClientID, Method: "DELETE", Path: fmt.Sprintf("/reservations/%d", 1+r.IntN(3))}
		}
		if r.IntN(2) == 0 {
			q.Keyed, q.Key = true, fmt.Sprintf("key %d", r.IntN(6))
		}
		a := Arrival{At: at, Request: q}
		if r.IntN(10) == 0 {
			a.Asked, a.Fate = true, partner.Fate{Fault: event.LostReply}
		}
		list[i] = a
	}
	return list
}

// TestCutAnywhere: a lab that is written down and read back at any place goes on as if nothing had been.
func TestCutAnywhere(t *testing.T) {
	for n, c := range configs() {
		for seed := range uint64(20) {
			list := arrivals(rand.New(rand.NewPCG(seed, 1)), 60)
			whole, cut := newLab(t, c), newLab(t, c)
			var want, got kept
			r := rand.New(rand.NewPCG(seed, 2))
			for i := range list {
				if r.IntN(4) == 0 { // time passes without an arrival
					whole.Advance(list[i].At, &want)
				}
				whole.Apply(&list[i], &want)
				a, err := ReadRecord(list[i].Record())
				if err != nil {
					t.Fatal(err)
				}
				cut.Apply(&a, &got)
				if err := whole.Check(); err != nil {
					t.Fatalf("lab %d, seed %d, arrival %d: %v", n, seed, i, err)
				}
				if r.IntN(5) == 0 {
					state := cut.State()
					if cut, err = Read(c, state); err != nil {
						t.Fatalf("lab %d, seed %d, after arrival %d: %v\n%s", n, seed, i, err, state)
					}
					if again := cut.State(); !bytes.Equal(again, state) {
						t.Fatalf("lab %d, seed %d, after arrival %d: read back it is another:\n%s", n, seed, i, firstOther(state, again))
					}
				}
			}
			whole.Advance(clock.Max, &want)
			cut.Advance(clock.Max, &got)
			if !bytes.Equal(got.lines, want.lines) {
				t.Fatalf("lab %d, seed %d: cut, it goes on otherwise:\n%s", n, seed, firstOther(want.lines, got.lines))
			}
			if a, b := whole.State(), cut.State(); !bytes.Equal(a, b) {
				t.Fatalf("lab %d, seed %d: the ends differ:\n%s", n, seed, firstOther(a, b))
			}
			if a, b := fmt.Sprint(whole.Report()), fmt.Sprint(cut.Report()); a != b {
				t.Fatalf("lab %d, seed %d: the reports differ:\n%s\n%s", n, seed, a, b)
			}
			if answers := strings.Count(string(want.lines), "answered "); answers != len(list) {
				t.Fatalf("lab %d, seed %d: %d arrivals had %d answers", n, seed, len(list), answers)
			}
		}
	}
}

func firstOther(a, b []byte) string {
	x, y := strings.Split(string(a), "\n"), strings.Split(string(b), "\n")
	for i := range min(len(x), len(y)) {
		if x[i] != y[i] {
			return x[i] + "\n" + y[i]
		}
	}
	return "one is longer"
}

// TestEveryEventIsReached keeps the random arrivals honest: they reach every kind of event that a lab has.
func TestEveryEventIsReached(t *testing.T) {
	var k kept
	for _, c := range configs() {
		list := arrivals(rand.New(rand.NewPCG(5, 5)), 300)
		l := newLab(t, c)
		for i := range list {
			l.Apply(&list[i], &k)
		}
	}
	for _, kind := range []event.Kind{
		event.CallStarted, event.AttemptSent, event.RequestArrived, event.RequestLost, event.RequestAdmitted,
		event.RequestRefused, event.RequestQueued, event.WorkBegan, event.EffectApplied, event.RequestAnswered,
		event.ReplyReplayed, event.PartnerCrashed, event.ReplyLost, event.ReplyTruncated, event.ReplyArrived,
	} {
		if !bytes.Contains(k.lines, []byte(`"event":"`+kind.String()+`"`)) {
			t.Errorf("no %s", kind)
		}
	}
}

func TestWaitsAreBounded(t *testing.T) {
	long := partner.Work{Least: 2 * time.Minute}
	for _, c := range []Config{
		{Partner: partner.Config{Work: long}}, {Partner: partner.Config{Paths: []partner.PathWork{{Path: "/add", Work: long}}}},
		{Script: []partner.Fate{{Fault: event.Slow, Delay: 2 * time.Minute}}},
	} {
		if _, err := New(c); err != ErrWait {
			t.Errorf("%+v: got %v", c, err)
		}
	}
}

// TestFaultsOfASnapshot: each is named with its place.
func TestFaultsOfASnapshot(t *testing.T) {
	c := configs()[8]
	l := newLab(t, c)
	list := arrivals(rand.New(rand.NewPCG(1, 1)), 40)
	for i := range list {
		l.Apply(&list[i], &kept{})
	}
	state := string(l.State())
	for _, f := range []struct{ old, new, says string }{
		{`["lab",1,`, `["lab",2,`, "line 1, value 2: this is of a newer Retry Lab: format 2"},
		{`["lab",`, `["lap",`, `line 1, value 1: here should be a line of "lab"`},
		{"[\"totals\",", "[\"totals\",-", "line 2, value 2: -"},
		{"[\"totals\",", "[\"totals\",0", "line 2, value 2: this is not a whole number"},
		{"[\"totals\",", "[\"totals\",1,", "line 2, value 12: the line has too many values"},
		{"[\"partner\",", "[\"partner\"", ": the line breaks off"},
	} {
		broken := strings.Replace(state, f.old, f.new, 1)
		if _, err := Read(c, []byte(broken)); err == nil || !strings.Contains(err.Error(), f.says) {
			t.Errorf("%s: got %v, want %s", f.new, err, f.says)
		}
	}
	for i := 0; i < len(state); i += 11 {
		if _, err := Read(c, []byte(state[:i])); err == nil && !strings.HasSuffix(state[:i], "\n") {
			t.Fatalf("cut after %d bytes it is read", i)
		}
	}
	if _, err := Read(Config{}, []byte(state)); err == nil {
		t.Error("the snapshot of another lab is read")
	}
}

// TestHostileSnapshots: one value, or one line, of a snapshot is another. What is read of it goes on without a panic.
func TestHostileSnapshots(t *testing.T) {
	values := []string{"0", "1", "2", "-1", "7", "9223372036854775807", "18446744073709551615", `""`, `"a"`, `"POST"`, `"/add"`}
	read := 0
	for n, c := range configs() {
		l := newLab(t, c)
		list := arrivals(rand.New(rand.NewPCG(4, 1)), 40)
		for i := range list {
			l.Apply(&list[i], &kept{})
		}
		state := strings.SplitAfter(string(l.State()), "\n")
		r := rand.New(rand.NewPCG(uint64(n), 6))
		for range 600 {
			lines := slices.Clone(state)
			at := r.IntN(len(lines) - 1)
			switch tokens := strings.Split(lines[at], ","); r.IntN(8) {
			case 0:
				lines = slices.Delete(lines, at, at+1)
			case 1:
				lines = slices.Insert(lines, at, lines[r.IntN(len(lines)-1)])
			default:
				i := r.IntN(len(tokens))
				end := ""
				if i == len(tokens)-1 {
					end = "]\n"
				}
				tokens[i] = values[r.IntN(len(values))] + end
				lines[at] = strings.Join(tokens, ",")
			}
			changed, err := Read(c, []byte(strings.Join(lines, "")))
			if err != nil {
				continue
			}
			read++
			goOn(changed, r.Uint64())
		}
	}
	if read < 300 {
		t.Errorf("only %d were read at all", read)
	}
}

// goOn lets further requests arrive at a lab.
func goOn(l *Lab, seed uint64) {
	list := arrivals(rand.New(rand.NewPCG(seed, 3)), 10)
	for i := range list {
		list[i].At = list[i].At.Add(time.Duration(l.Now()))
		l.Apply(&list[i], &kept{})
	}
	l.Advance(clock.Max, &kept{})
	l.Report()
}

// FuzzSnapshot: whatever bytes are read, what comes of them is refused, or is a lab that keeps every invariant.
func FuzzSnapshot(f *testing.F) {
	all := configs()
	for i, c := range all {
		l := newLab(f, c)
		list := arrivals(rand.New(rand.NewPCG(9, 1)), 25)
		for k := range list {
			l.Apply(&list[k], &kept{})
		}
		f.Add(byte(i), l.State(), uint64(i))
	}
	f.Fuzz(func(t *testing.T, which byte, state []byte, seed uint64) {
		l, err := Read(all[int(which)%len(all)], state)
		if err != nil {
			return
		}
		again, err := Read(all[int(which)%len(all)], l.State())
		if err != nil || !slices.Equal(again.State(), l.State()) {
			t.Fatalf("what was read is not read again: %v", err)
		}
		goOn(l, seed)
	})
}

// FuzzRecord: a record is refused, or is read as what writes the same line.
func FuzzRecord(f *testing.F) {
	for _, a := range arrivals(rand.New(rand.NewPCG(2, 2)), 20) {
		f.Add(a.Record())
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		a, err := ReadRecord(line)
		if err != nil {
			return
		}
		if again, err := ReadRecord(a.Record()); err != nil || again != a {
			t.Errorf("%q is read as %+v, and that as %+v: %v", line, a, again, err)
		}
	})
}
