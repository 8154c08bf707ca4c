package lab

import (
	"strings"
	"testing"
	"time"

	"retrylab.example/core/clock"
	"retrylab.example/core/text"
	"retrylab.example/wasm/effect"
	"retrylab.example/wasm/view/timeline"
)

// shows returns the part that is drawn, in milliseconds.
func (p *person) shows() (from, to int64) {
	o := p.part.Of(timeline.AxisEnd(p.drawing()))
	return int64(o.From) / 1e6, int64(o.To) / 1e6
}

// ran returns a person whose run has come to its end.
func ran(t *testing.T) *person {
	return at(t, small(t), "total").use(SetAmount{20}, Inject{"503"}, Fire{}).send(Run{}, Run{}, Run{}, Run{})
}

func TestTheAxisIsZoomedAndMoved(t *testing.T) {
	p := ran(t)
	end := timeline.AxisEnd(p.drawing())
	if p.overview() != nil {
		t.Error("of a whole axis there is an overview")
	}
	keys := func(names ...string) *person {
		for _, name := range names {
			p.send(Key{Name: name})
		}
		return p
	}
	keys("Home", "+")
	if from, to := p.shows(); from != 0 || to != int64(end)/2e6 {
		t.Errorf("zoomed in at the start: got %d to %d ms, want half of the axis", from, to)
	}
	keys("]", "]")
	if from, _ := p.shows(); from != int64(end)/4e6 {
		t.Errorf("two quarters later: got a part from %d ms", from)
	}
	keys("[", "+", "-", "0")
	if !p.part.Whole() {
		t.Errorf("0 draws %v", p.part)
	}
	keys("c")
	if from, to := p.shows(); p.part.Whole() || from > 0 || to < 1 {
		t.Errorf("around the clock: got %d to %d ms", from, to)
	}
	if p.overview() == nil || p.PartValue() == "" {
		t.Error("of a part there is no overview")
	}
}

// The part goes along with a clock that leaves it, and to an event that is chosen in the table.
func TestThePartFollowsTheClockAndTheSelection(t *testing.T) {
	p := ran(t).send(Start{})
	for p.part.Whole() || p.part.To > clock.Start.Add(20*time.Millisecond) {
		p.send(Zoom{nearer})
	}
	last := &p.played.Events[len(p.played.Events)-1]
	see := func(what string, at clock.Instant, want bool) {
		t.Helper()
		if got := p.part.Sees(timeline.AxisEnd(p.drawing()), at); got != want {
			t.Errorf("%s: the part %v shows %v: %v, want %v", what, p.part, at, got, want)
		}
	}
	for p.pos.Count < len(p.played.Events) {
		p.send(Next{})
		see("a step", p.pos.Now, true)
	}
	p.send(Follow{false}, Start{})
	see("a clock that is not followed", p.pos.Now, false)
	p.send(Scrub{float64(last.At) / 1e6}, Select{1})
	see("a selection", p.played.Events[0].At, true)
	p.send(Select{last.Seq})
	see("another selection", last.At, true)
	p.send(Drag{-1e6}, AroundNow{})
	see("around the clock", p.pos.Now, true)
}

func TestAGestureZoomsAboutItsPlace(t *testing.T) {
	p := ran(t)
	in := p.drawing()
	x := 300.0
	at := timeline.InstantAt(in, x, 0)
	for range 5 {
		p.send(ZoomAt{X: x, Percent: 70})
	}
	if now := timeline.InstantAt(p.drawing(), x, 0); now < at-2000 || now > at+2000 {
		t.Errorf("at the place of the pointer %v became %v", at, now)
	}
	from, _ := p.shows()
	p.send(Drag{50})
	if after, _ := p.shows(); after <= from {
		t.Errorf("dragged to later: the part begins at %d ms, and began at %d ms", after, from)
	}
	if stored := p.Update(Drag{1}); len(stored) > 0 {
		t.Errorf("in the middle of a gesture: %v", stored)
	}
	stored := p.Update(KeepPart{})
	if len(stored) != 1 || !strings.Contains(stored[0].(effect.Store).Value, `"from":`) {
		t.Errorf("at the end of a gesture: %v, want the part kept", stored)
	}
}

// A reload and another language keep the part. What a stranger may have written into the history is held to the axis.
func TestThePartIsKept(t *testing.T) {
	p := ran(t).send(Start{}, Zoom{nearer}, Zoom{nearer}, Shift{2}).speak(text.Japanese)
	again := New(p.Settings, p.Size, p.place, p.lesson, p.step, p.book, p.History())
	if again.part != p.part || again.part.Whole() {
		t.Errorf("after a reload: %v, want %v", again.part, p.part)
	}
	bad := strings.Replace(p.History(), `"from":`, `"from":-9223372036854775807,"x":`, 1)
	hurt := New(p.Settings, p.Size, p.place, p.lesson, p.step, p.book, bad)
	if o := hurt.part.Of(timeline.AxisEnd(hurt.drawing())); o.From < 0 || o.To <= o.From {
		t.Errorf("from a broken history: %v", o)
	}
	if html := hurt.View().HTML(); strings.Contains(html, "NaN") {
		t.Error("a broken history draws what is no number")
	}
}

// A part says in words what it is, to who cannot see it.
func TestThePartIsSpoken(t *testing.T) {
	p := ran(t).send(Start{})
	for _, msg := range []any{Zoom{nearer}, Shift{1}, ShowAll{}, AroundNow{}} {
		effects := p.Update(msg)
		if said, ok := effects[len(effects)-1].(effect.Announce); !ok || said.Text != p.partText() {
			t.Errorf("%T: got %v, want %q", msg, effects, p.partText())
		}
	}
	if html := p.View().HTML(); !strings.Contains(html, `aria-valuetext="`+p.partText()+`"`) {
		t.Errorf("no control says %q", p.partText())
	}
}
