package timeline

import (
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"retrylab.example/core/clock"
	"retrylab.example/wasm/view"
)

const sec = clock.Instant(time.Second)

func TestASpanStaysOnTheAxis(t *testing.T) {
	end := 5 * sec
	part := Span{sec, 2 * sec}
	for _, c := range []struct {
		name string
		got  Span
		want Span
	}{
		{"all of it", Span{}.Of(end), Span{0, end}},
		{"an end before its beginning is all of it", Span{3 * sec, sec}.Of(end), Span{0, end}},
		{"longer than the axis is all of it", Span{sec, 9 * sec}.Of(end), Span{0, end}},
		{"past the end moves back", Span{4 * sec, 6 * sec}.Of(end), Span{3 * sec, end}},
		{"before the start moves on", Span{-sec, sec}.Of(end), Span{0, sec}},
		{"from anywhere to anywhere is all of it", Span{clock.Min, clock.Max}.Of(end), Span{0, end}},
		{"twice as near, about a place", Span{}.Zoom(end, sec, 50), Span{sec / 2, 3 * sec}},
		{"and as far as before", Span{sec / 2, 3 * sec}.Zoom(end, sec, 200), Span{}},
		{"about what is not drawn: the middle", part.Zoom(end, 4*sec, 50), Span{5 * sec / 4, 7 * sec / 4}},
		{"as near as it goes", part.Zoom(end, sec, 1).Zoom(end, sec, 1).Zoom(end, sec, 1), Span{sec - leastSpan/2, sec + leastSpan/2}},
		{"further than the axis", part.Zoom(end, sec, 10_000), Span{}},
		{"moved", part.Move(end, time.Second), Span{2 * sec, 3 * sec}},
		{"moved to the end", part.Move(end, clock.MaxDuration), Span{4 * sec, end}},
		{"moved to the start", part.Move(end, clock.MinDuration), Span{0, sec}},
		{"all of it does not move", Span{}.Move(end, time.Second), Span{}},
		{"what is drawn moves nothing", part.Reach(end, 2*sec), part},
		{"what is not drawn is moved to the middle", part.Reach(end, 4*sec), Span{7 * sec / 2, 9 * sec / 2}},
		{"as far as there is room", part.Reach(end, end), Span{4 * sec, end}},
		{"around what is drawn", part.Around(end, 2*sec), Span{3 * sec / 2, 5 * sec / 2}},
	} {
		if c.got != c.want {
			t.Errorf("%s: got %v, want %v", c.name, c.got, c.want)
		}
	}
}

// The steps of the axis are good at every length: 1, 2 or 5 of a power of ten, some of them in sight, none too close.
func TestTicksAtEveryZoom(t *testing.T) {
	in := Input{End: 40 * 24 * 3600 * sec, Width: 640}
	whole := AxisEnd(in)
	for length := whole; length >= leastSpan; length = length * 7 / 10 {
		in.Span = Span{whole / 3, whole/3 + length}
		a := newSheet(in).axis
		major, minor := a.steps(70)
		n := 0
		for at := a.first(major); at <= a.end; at += major {
			if n++; at%major != 0 || !a.sees(at) {
				t.Errorf("a length of %v: a tick at %v, with %v between ticks", time.Duration(length), at, major)
			}
		}
		lead := leading(major)
		if n < 2 || n > 9 || lead != 1 && lead != 2 && lead != 5 || major%minor != 0 || a.at(a.start+major)-a.from < 60 {
			t.Errorf("a length of %v: %d ticks, %v apart, with lines %v apart", time.Duration(length), n, major, minor)
		}
	}
}

// parts calls f with parts of every run, chosen at random from a seed that the name of a failure says.
func parts(t *testing.T, f func(t *testing.T, in Input)) {
	forms(t, func(t *testing.T, in Input) {
		draw := rand.New(rand.NewPCG(uint64(len(in.Events)), 7))
		for range 12 {
			from := clock.Instant(draw.Int64N(int64(AxisEnd(in))))
			in.Span = Span{from, from + 1 + clock.Instant(draw.Int64N(int64(AxisEnd(in))/(1+draw.Int64N(200))))}
			in := prefix(in, draw.IntN(len(in.Events)+1))
			if f(t, in); t.Failed() {
				t.Fatalf("in the part %v, after %d events", in.Span, len(in.Events))
			}
		}
	})
}

// Of a part, what is in it has its place there, and can be hit and ringed; nothing else is to be seen.
func TestAPartShowsWhatIsInIt(t *testing.T) {
	parts(t, func(t *testing.T, in Input) {
		s := plan(in)
		placed := map[int]spot{}
		for _, sp := range s.spots {
			placed[sp.seq] = sp
			along := sp.x
			if in.Vertical {
				along = sp.y
			}
			if along < s.axis.from-nudge-4 || along > s.axis.from+s.axis.span+nudge+4 {
				t.Errorf("event %d stands at %.0f, outside of %.0f to %.0f", sp.seq, along, s.axis.from, s.axis.from+s.axis.span)
			}
		}
		for _, e := range in.Events {
			other := in.Vertical && e.Request.Client != in.Client
			if _, ok := placed[e.Seq]; ok != s.axis.sees(e.At) && !other {
				t.Errorf("event %d, %s, at %v: placed is %v", e.Seq, e.Kind, e.At, ok)
			}
		}
		for sp := range s.own() {
			if seq, ok := HitTest(in, sp.x, sp.y); !ok || seq != sp.seq {
				t.Errorf("at the mark of event %d: got %d, %v", sp.seq, seq, ok)
			}
		}
		html := Draw(in).HTML()
		if strings.Contains(html, "NaN") || strings.Contains(html, "Inf") || strings.Contains(html, `width="-`) || strings.Contains(html, `height="-`) {
			t.Error("a coordinate is not a number, or a size is negative")
		}
	})
}

// Everything that is drawn of a part lies on the plot, give or take a mark's breadth.
func TestAPartEndsAtItsEdges(t *testing.T) {
	parts(t, func(t *testing.T, in Input) {
		if in.Vertical {
			return
		}
		s := plan(in)
		edge := s.axis.from + s.axis.span + nudge
		for _, l := range []layer{linkLayer, trackLayer, barLayer, nowLayer} {
			for _, n := range s.layers[l] {
				for _, n := range append([]view.Node{n}, n.Kids...) {
					if right := rightEnd(t, n); right > edge {
						t.Errorf("%s ends at %.0f, after the edge at %.0f", n.HTML(), right, edge)
					}
				}
			}
		}
	})
}

// Zooming into a run of many events shows those that are left one by one.
func TestAPartOfALongRunIsDrawnOneByOne(t *testing.T) {
	in := manyEvents(t, 3000)
	if !in.many() || in.seen() != 3000 {
		t.Fatalf("of the whole run %d events are seen, many is %v", in.seen(), in.many())
	}
	in.Span = Span{5 * sec, 7 * sec}
	n := 0
	for _, e := range in.Events {
		if in.Span.Sees(AxisEnd(in), e.At) {
			n++
		}
	}
	if in.seen() != n || in.many() || n < 20 || n > denseAbove {
		t.Errorf("got %d events in the part, many is %v; want %d one by one", in.seen(), in.many(), n)
	}
	if html := Draw(in).HTML(); !strings.Contains(html, "tl-flag") && !strings.Contains(html, `class="token"`) {
		t.Error("the part is not drawn one by one")
	}
}

func TestAPlaceOfTheDrawingIsAnInstant(t *testing.T) {
	in := runs(t)["lost-reply"]
	in.Span = Span{sec, 2 * sec}
	s := newSheet(in)
	for at := sec; at <= 2*sec; at += sec / 8 {
		if got := InstantAt(in, s.axis.at(at), 0); got < at-1000 || got > at+1000 {
			t.Errorf("at the pixel of %v: got %v", at, got)
		}
	}
	if got := InstantAt(in, -50, 0); got != sec {
		t.Errorf("left of the plot: got %v, want its start", got)
	}
	if got := TimeOf(in, s.axis.span/4); got != time.Second/4 {
		t.Errorf("a quarter of the plot: got %v", got)
	}
}

func BenchmarkPart(b *testing.B) {
	in := manyEvents(b, 10_000)
	in.Span = Span{50 * sec, 52 * sec}
	for b.Loop() {
		Draw(in)
	}
}
