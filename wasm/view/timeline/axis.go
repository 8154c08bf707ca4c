package timeline

import (
	"strconv"
	"strings"
	"time"

	"retrylab.example/core/clock"
)

// axis maps instants to pixels.
type axis struct {
	end  clock.Instant
	from float64 // pixel of the start
	span float64 // pixels from the start to the end
}

func (a axis) at(t clock.Instant) float64 {
	return a.from + a.span*float64(t)/float64(a.end)
}

// in returns the pixel of t, and the nearest end for an instant outside.
func (a axis) in(t clock.Instant) float64 {
	return a.at(min(max(t, clock.Start), a.end))
}

// emptyEnd is the axis of a run that has no end yet.
const emptyEnd = clock.Instant(5 * time.Second)

// AxisEnd returns the right end of the axis: a little room after what was asked for, on a round instant. A scrubber
// with this range lies exactly under the plot.
func AxisEnd(in Input) clock.Instant {
	want := max(in.End, in.Now)
	if want <= 0 {
		want = emptyEnd
	}
	step := roundStep(want, 50)
	return (want + want/26 + step - 1) / step * step
}

// roundStep returns the smallest of 1, 2, 5 times a power of ten nanoseconds of which at most n fit into t.
func roundStep(t clock.Instant, n int64) clock.Instant {
	for p := clock.Instant(1); ; p *= 10 {
		for _, f := range []clock.Instant{1, 2, 5} {
			if t/(p*f) <= clock.Instant(n) || p > clock.Max/100 {
				return p * f
			}
		}
	}
}

// steps returns the distance of the labelled grid lines, and of those between them.
func (a axis) steps(minPixels float64) (major, minor clock.Instant) {
	major = roundStep(a.end, max(int64(a.span/minPixels), 1))
	minor = major / 4
	if major%5 == 0 && leading(major) == 5 {
		minor = major / 5
	}
	return major, minor
}

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
