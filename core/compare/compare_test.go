package compare_test

import (
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"retrylab.example/core/compare"
	"retrylab.example/core/decision"
	"retrylab.example/core/event"
	"retrylab.example/core/golden"
)

// runs returns the fixed runs of the project, which hold events of every kind.
func runs(t testing.TB) [][]event.Event {
	t.Helper()
	var all [][]event.Event
	for _, r := range golden.Runs() {
		all = append(all, r.Events())
	}
	return all
}

// A run does not differ from itself, and swapping two runs swaps what is said of them.
func TestComparingIsSymmetric(t *testing.T) {
	all := runs(t)
	for i, a := range all {
		if c := compare.Of(a, a); !c.Same() || len(c.Attempts)+len(c.Calls) > 0 || c.Parting != (compare.Parting{}) {
			t.Errorf("run %d differs from itself: %+v", i, c.Parting)
		}
		b := all[(i+1)%len(all)]
		checkMirrored(t, compare.Of(a, b), compare.Of(b, a))
		checkParting(t, a, b, compare.Of(a, b).Parting)
	}
}

// failer is a test of any kind, a random one too.
type failer interface {
	Helper()
	Errorf(format string, args ...any)
	Fatalf(format string, args ...any)
}

func checkMirrored(t failer, ab, ba compare.Comparison) {
	t.Helper()
	slices.Reverse(ba.Parting.Index[:])
	slices.Reverse(ba.Totals[:])
	slices.Reverse(ba.Ends[:])
	slices.Reverse(ba.Load[:])
	for i := range ba.Attempts {
		slices.Reverse(ba.Attempts[i].Sides[:])
	}
	for i := range ba.Calls {
		slices.Reverse(ba.Calls[i].Sides[:])
	}
	if !reflect.DeepEqual(ab, ba) {
		t.Errorf("swapped, two runs compare otherwise:\n%+v\n%+v", ab.Parting, ba.Parting)
	}
}

// plainly returns an event as far as it is compared, told anew: without its number, and with three parts of its receipt.
func plainly(e event.Event) event.Event {
	d := e.Decision
	e.Seq, e.Pool, e.Decision = 0, 0, decision.Decision{Verdict: d.Verdict, Reason: d.Reason, Wait: d.Wait}
	return e
}

func happened(run []event.Event) []event.Event {
	var list []event.Event
	for i := range run {
		if compare.Happens(&run[i]) {
			list = append(list, plainly(run[i]))
		}
	}
	return list
}

// checkParting holds the first difference to a search that knows nothing of fields.
func checkParting(t failer, a, b []event.Event, p compare.Parting) {
	t.Helper()
	x, y := happened(a), happened(b)
	n := 0
	for n < len(x) && n < len(y) && x[n] == y[n] {
		n++
	}
	if same := n == len(x) && n == len(y); p.Differs == same {
		t.Fatalf("differs %v, the search says %v", p.Differs, !same)
	} else if same {
		return
	}
	if len(happened(a[:p.Index[0]])) != n || len(happened(b[:p.Index[1]])) != n {
		t.Errorf("parts at %v, the search says after %d events", p.Index, n)
	}
	if p.Field == compare.NoField || (p.Field == compare.Missing) != (n == len(x) || n == len(y)) {
		t.Errorf("parts by %v", p.Field)
	}
}

// Each part of an event that is compared makes a difference, and is named; what is not compared makes none.
func TestEachFieldIsFound(t *testing.T) {
	changes := map[compare.Field]func(e *event.Event){ // each by itself
		compare.Instant:  func(e *event.Event) { e.At++ },
		compare.Kind:     func(e *event.Event) { e.Kind = event.ReplyLost },
		compare.Actor:    func(e *event.Event) { e.Who = event.Network },
		compare.Request:  func(e *event.Event) { e.Request.Key = "other" },
		compare.Response: func(e *event.Event) { e.Response.RetryAfter = "9" },
		compare.Failure:  func(e *event.Event) { e.Failure++ },
		compare.Verdict:  func(e *event.Event) { e.Decision.Verdict++ },
		compare.Reason:   func(e *event.Event) { e.Decision.Reason++ },
		compare.Wait:     func(e *event.Event) { e.Decision.Wait++ },
		compare.Until:    func(e *event.Event) { e.Until++ },
		compare.Effect:   func(e *event.Event) { e.Total++ },
		compare.Fault:    func(e *event.Event) { e.Fault++ },
	}
	a := runs(t)[0]
	for _, f := range compare.Fields() {
		if f == compare.Missing {
			continue
		}
		b := slices.Clone(a)
		changes[f](&b[len(b)/2])
		if p := compare.Of(a, b).Parting; p.Field != f || p.Index != [2]int{len(b) / 2, len(b) / 2} || f.String() == "" {
			t.Errorf("a change of %v is found as %+v", f, p)
		}
	}
	if p := compare.Of(a, a[:len(a)-1]).Parting; p.Field != compare.Missing || p.At != a[len(a)-1].At {
		t.Errorf("a run that ends earlier is found as %+v", p)
	}
	b := slices.Clone(a)
	b[1].Seq, b[1].Pool = 999, 9
	b = slices.Insert(b, 1, event.Event{Kind: event.PolicyChanged, Who: event.Person})
	if c := compare.Of(a, b); !c.Same() {
		t.Errorf("an order alone makes a difference: %+v", c.Parting)
	}
}

// Two random cuts and changes of fixed runs: the first difference is really the first, and comparing is symmetric.
func TestRandomRuns(t *testing.T) {
	all := runs(t)
	rapid.Check(t, func(t *rapid.T) {
		pick := func(name string) []event.Event {
			run := slices.Clone(all[rapid.IntRange(0, len(all)-1).Draw(t, name)])
			run = run[:rapid.IntRange(0, len(run)).Draw(t, name+" length")]
			for range rapid.IntRange(0, 3).Draw(t, name+" changes") {
				if len(run) == 0 {
					break
				}
				e := &run[rapid.IntRange(0, len(run)-1).Draw(t, "event")]
				switch rapid.IntRange(0, 3).Draw(t, "part") {
				case 0:
					e.Decision.Wait += 1000
				case 1:
					e.Request.Attempt++
				case 2:
					e.Response.Status = 500
				default:
					e.Kind = event.PolicyChanged
				}
			}
			return run
		}
		a, b := pick("a"), pick("b")
		ab, ba := compare.Of(a, b), compare.Of(b, a)
		checkParting(t, a, b, ab.Parting)
		checkMirrored(t, ab, ba)
		if ab.Same() && len(ab.Calls)+len(ab.Attempts) > 0 {
			t.Errorf("the same runs have different attempts: %+v", ab.Attempts)
		}
	})
}

// FuzzParting compares two runs that bytes cut and change.
func FuzzParting(f *testing.F) {
	f.Add([]byte{0, 9, 3, 1, 200, 4})
	all := runs(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) < 2 {
			return
		}
		a := all[int(data[0])%len(all)]
		b := slices.Clone(a)
		for i := 1; i+1 < len(data); i += 2 {
			if len(b) == 0 {
				break
			}
			at := int(data[i]) % len(b)
			switch data[i+1] % 4 {
			case 0:
				b = slices.Delete(b, at, at+1)
			case 1:
				b[at].Decision.Wait++
			case 2:
				b[at].Kind = event.FaultInjected
			default:
				b = b[:at]
			}
		}
		c := compare.Of(a, b)
		checkParting(t, a, b, c.Parting)
		checkMirrored(t, c, compare.Of(b, a))
	})
}
