package timeline

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"retrylab.example/core/backoff"
	"retrylab.example/core/bulkhead"
	"retrylab.example/core/measure"
	"retrylab.example/core/partner"
	"retrylab.example/core/retry"
	"retrylab.example/core/sim"
	"retrylab.example/core/text"
)

// herd returns a run of so many clients that all send at 0 s to a partner that does six at once, 100 ms each.
func herd(t testing.TB, n, attempts int, jitter backoff.Jitter) Input {
	c := sim.Config{
		Seed: 7, MaxEvents: 50_000,
		Partner: partner.Config{Work: partner.Work{Least: 100 * ms}, Capacity: bulkhead.Config{Running: 6}},
	}
	p := retry.Policy{
		Attempts: attempts, Backoff: backoff.Config{Base: 500 * ms, Cap: 8 * time.Second}, Jitter: jitter,
		Safety: retry.LessonA, Statuses: retry.LessonStatuses(),
	}
	var steps []step
	for i := range n {
		c.Clients = append(c.Clients, sim.Client{Name: fmt.Sprint("c", i+1), Policy: p})
		steps = append(steps, fire(0, i, fmt.Sprint("k-", i)))
	}
	in := simulate(t, c, 20*time.Second, steps...)
	in.End, in.Now = 0, in.Events[len(in.Events)-1].At
	in.Places, in.Work = 6, 100*ms
	return in
}

func TestACrowdIsDrawnTogether(t *testing.T) {
	if in := runs(t)["three-clients"]; in.Crowded() {
		t.Error("three clients are a crowd")
	}
	in := herd(t, 30, 4, backoff.Full)
	in.Selected = 13
	golden(t, "crowd.html", lines(Draw(in)))
	in.Opened, in.Lang = 8, text.Korean
	golden(t, "crowd-opened-ko.html", lines(Draw(in)))
	in.Vertical, in.Width = true, 328
	golden(t, "crowd-phone.html", lines(Draw(in)))
}

// The size of the drawing does not depend on how many clients and events there are.
func TestACrowdStaysSmall(t *testing.T) {
	for _, n := range []int{30, 100, 1000} {
		in := herd(t, n, 7, backoff.Full)
		if n == 1000 && len(in.Events) < 10_000 {
			t.Fatalf("got %d events", len(in.Events))
		}
		for _, in.Vertical = range []bool{false, true} {
			if count := nodes(Draw(in)); count > 130 {
				t.Errorf("%d clients, vertical=%v: got %d elements and texts, want at most 130", n, in.Vertical, count)
			}
		}
	}
}

func TestEveryEventOfACrowdHasAPlace(t *testing.T) {
	in := herd(t, 40, 4, backoff.Equal)
	for _, in.Opened = range []int{0, 9} {
		for _, in.Vertical = range []bool{false, true} {
			placed := map[int]bool{}
			s := plan(in)
			for _, sp := range s.spots {
				placed[sp.seq] = true
			}
			for _, e := range in.Events {
				if !placed[e.Seq] {
					t.Errorf("opened %d: event %d, %s, is nowhere", in.Opened, e.Seq, e.Kind)
				}
			}
			for sp := range s.own() {
				if seq, ok := HitTest(in, sp.x, sp.y); !ok || seq != sp.seq {
					t.Errorf("opened %d: at the mark of event %d: got %d, %v", in.Opened, sp.seq, seq, ok)
				}
			}
			in.Selected = in.Events[len(in.Events)/2].Seq
			if n := strings.Count(Draw(in).HTML(), "tl-sel"); n != 1 {
				t.Errorf("opened %d: got %d rings, want 1", in.Opened, n)
			}
		}
	}
}

// What the buckets show is what core counted: as many px as arrivals, up to the most of one bucket.
func TestBucketsAreAsHighAsTheirCounts(t *testing.T) {
	in := herd(t, 30, 4, backoff.NoJitter)
	s := newSheet(in)
	s.story = tell(in)
	c := &crowd{wide: &wide{sheet: s, top: wideTop}}
	c.count()
	if got := c.load.Width(); got != 100*ms || c.places != 6 {
		t.Errorf("buckets of %v that could do %d, want those of the work, 100 ms, and 6", got, c.places)
	}
	if c.peak != 30 {
		t.Errorf("the most of a bucket is %d, want all 30 at once", c.peak)
	}
	total := 0
	for _, n := range c.fates {
		total += n
	}
	if want := measure.Of(in.Events).Arrived; total != want || c.fates[measure.Served] == 0 || c.fates[measure.TurnedAway] == 0 {
		t.Errorf("got the fates %v of %d arrivals", c.fates, want)
	}
}

// A step back draws what the step before drew, and a part of the axis ends at its edges.
func TestACrowdIsAFunctionOfItsInput(t *testing.T) {
	in := herd(t, 20, 3, backoff.Full)
	in.Opened = 3
	for k := 1; k < len(in.Events); k += 7 {
		before := Draw(prefix(in, k)).HTML()
		Draw(prefix(in, k+1))
		if Draw(prefix(in, k)).HTML() != before {
			t.Fatalf("after %d events the drawing differs", k)
		}
		part := prefix(in, k)
		part.Span = Span{sec / 4, sec / 2}
		s := plan(part)
		for _, l := range []layer{linkLayer, barLayer, trackLayer} {
			for _, n := range s.layers[l] {
				if y, _ := n.Get("y"); y == "" && rightEnd(t, n) > s.axis.from+s.axis.span+nudge {
					t.Errorf("after %d events: %s reaches over the edge", k, n.HTML())
				}
			}
		}
	}
}

// Who cannot see the drawing hears its numbers.
func TestACrowdIsSpoken(t *testing.T) {
	in := herd(t, 30, 4, backoff.NoJitter)
	for _, in.Lang = range text.Langs() {
		said, _ := Draw(in).Get("aria-label")
		sum := measure.Of(in.Events)
		for _, want := range []int{30, sum.Sent, sum.Refused, sum.GaveUp} {
			if !strings.Contains(said, count(want)) {
				t.Errorf("in %s: %d is not said in %q", in.Lang, want, said)
			}
		}
		if strings.Contains(said, "{") {
			t.Errorf("in %s: a parameter was not given: %s", in.Lang, said)
		}
	}
}

func TestTheLegendFits(t *testing.T) {
	in := herd(t, 30, 4, backoff.Full)
	for _, width := range []int{328, 640, 960} {
		in.Width = width
		s := newSheet(in)
		s.story = tell(in)
		c := &crowd{wide: &wide{sheet: s}}
		c.count()
		c.fates = [len(fateLooks)]int{1, 2, 3, 4, 5, 6, 1000}
		for _, it := range c.legendItems() {
			if it.x+it.width > c.width && it.x > 0 {
				t.Errorf("at %d px: %q ends at %.0f", width, it.text, it.x+it.width)
			}
		}
	}
}

func BenchmarkCrowd(b *testing.B) {
	in := herd(b, 1000, 7, backoff.Full)
	b.ReportMetric(float64(len(in.Events)), "events")
	for b.Loop() {
		Draw(in)
	}
}
