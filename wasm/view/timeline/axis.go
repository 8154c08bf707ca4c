package timeline

import (
	"strconv"
	"strings"
	"time"

	"retrylab.example/core/clock"
	"retrylab.example/core/measure"
)

// axis maps instants to pixels.
type axis struct {
	start, end clock.Instant // what is drawn
	from       float64       // pixel of the start
	span       float64       // pixels from the start to the end
}

// axisOf returns the axis of a drawing, on so many pixels.
func axisOf(in Input, from, span float64) axis {
	s := in.Span.Of(AxisEnd(in))
	return axis{s.From, s.To, from, span}
}

// at returns the pixel of t, wherever that is.
func (a axis) at(t clock.Instant) float64 {
	return a.from + a.span*float64(t-a.start)/float64(a.end-a.start)
}

// in returns the pixel of t, and the nearest end for an instant outside.
func (a axis) in(t clock.Instant) float64 {
	return a.at(min(max(t, a.start), a.end))
}

// sees reports whether an instant is drawn, meets whether some of a stretch of time is.
func (a axis) sees(t clock.Instant) bool         { return a.start <= t && t <= a.end }
func (a axis) meets(from, to clock.Instant) bool { return from <= a.end && a.start <= to }

// instant returns the instant at a pixel, and the nearest end for a pixel outside.
func (a axis) instant(px float64) clock.Instant {
	part := min(max((px-a.from)/a.span, 0), 1)
	return a.start + clock.Instant(part*float64(a.end-a.start))
}

// time returns how long so many pixels are.
func (a axis) time(px float64) clock.Instant {
	return clock.Instant(px / a.span * float64(a.end-a.start))
}

// emptyEnd is the axis of a run that has no end yet.
const emptyEnd = clock.Instant(5 * time.Second)

// AxisEnd returns the right end of the whole axis: a little room after what was asked for, on a round instant. A
// scrubber with this range lies exactly under the plot of all of it.
func AxisEnd(in Input) clock.Instant {
	want := max(in.End, in.Now)
	if want <= 0 {
		want = emptyEnd
	}
	step := roundStep(want, 50)
	return (want + want/26 + step - 1) / step * step
}

// InstantAt returns the instant at a place of the drawing, the nearest that is drawn.
func InstantAt(in Input, x, y float64) clock.Instant {
	a := newSheet(in).axis
	if in.Down() {
		x = y
	}
	return a.instant(x)
}

// TimeOf returns how long so many pixels of the drawing are, along its axis.
func TimeOf(in Input, px float64) time.Duration { return time.Duration(newSheet(in).axis.time(px)) }

// roundStep returns the smallest of 1, 2, 5 times a power of ten nanoseconds of which at most n fit into t.
func roundStep(t clock.Instant, n int64) clock.Instant {
	return clock.Instant(measure.RoundWidth(t.Sub(clock.Start), int(n)))
}

// steps returns the distance of the labelled grid lines, and of those between them.
func (a axis) steps(minPixels float64) (major, minor clock.Instant) {
	major = roundStep(a.end-a.start, max(int64(a.span/minPixels), 1))
	minor = major / 4
	if major%5 == 0 && leading(major) == 5 {
		minor = major / 5
	}
	return major, max(minor, 1)
}

// first returns the first instant that is drawn of those that a step divides.
func (a axis) first(step clock.Instant) clock.Instant { return (a.start + step - 1) / step * step }

func leading(t clock.Instant) clock.Instant {
	for t >= 10 {
		t /= 10
	}
	return t
}

// tick returns an instant of the axis in seconds, with no more decimals than it needs.
func tick(t clock.Instant) string {
	s := strconv.FormatFloat(float64(t)/1e9, 'f', 9, 64)
	return strings.TrimSuffix(strings.TrimRight(s, "0"), ".")
}
