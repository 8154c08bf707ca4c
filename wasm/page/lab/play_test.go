package lab

import (
	"strings"
	"testing"
	"time"

	"retrylab.example/core/scenario"
	"retrylab.example/core/text"
	"retrylab.example/wasm/effect"
	"retrylab.example/wasm/view/frame"
)

// frames lets so many frames of a length pass, as long as the page asks for them; it returns how many that were.
func (p *person) frames(most int, passed time.Duration, still bool) int {
	for n := range most {
		if !p.did(effect.Frame{}) && !p.did(effect.Frame{First: true}) {
			return n
		}
		p.send(frame.Tick{Passed: passed, Still: still})
	}
	return most
}

// Playing moves the clock by the time that passes, at the speed that was chosen, and stops where a check changes.
func TestPlaying(t *testing.T) {
	for place, speed := range map[int]float64{0: .25, 2: 1, 6: 16} { // each by itself
		p := sent(t)
		p.use(SetSpeed{place}, Play{})
		p.frames(10, time.Duration(4e6/speed), false)
		if want := p.played.At(ms(40)); p.pos != want {
			t.Errorf("ten frames at the speed %v came to %+v, want %+v", speed, p.pos, want)
		}
	}
	p, stepped := sent(t), sent(t).send(Run{})
	if p.use(Play{}); !strings.Contains(plain(p.View()), "Pause") {
		t.Error("the button does not say that it stops")
	}
	p.frames(10_000, 16*time.Millisecond, false)
	if p.pos != stepped.pos || p.playing.on || len(p.spoken()) != 1 {
		t.Errorf("it stopped at %+v, want %+v, where a check changes; spoken %q", p.pos, stepped.pos, p.spoken())
	}
	for range len(p.played.Events) {
		p.send(Play{}).frames(10_000, 50*time.Millisecond, false)
	}
	if p.pos.Count != len(p.played.Events) || offers(p.View(), Play{}) {
		t.Errorf("it ends at %+v of %d events", p.pos, len(p.played.Events))
	}
	if p.send(Play{}); p.playing.on || p.did(effect.Frame{First: true}) {
		t.Error("it plays on at the end")
	}
}

// A frame that comes too late does nothing; the clock's own buttons stop it, and what is sent meanwhile does not.
func TestPlayingIsStoppedAndGoesOn(t *testing.T) {
	p := sent(t)
	p.send(Key{Name: " "}).frames(3, 16*time.Millisecond, false)
	at := p.pos
	if p.send(Key{Name: " "}, frame.Tick{Passed: time.Second}); p.pos != at {
		t.Errorf("after it was stopped it went on to %+v", p.pos)
	}
	if p.send(Play{}, Next{}); p.playing.on {
		t.Error("a step does not stop it")
	}
	p.send(Play{}).use(Fire{})
	if p.frames(2, 16*time.Millisecond, false); !p.playing.on || len(p.tree.Path()) != 2 {
		t.Errorf("a request in the middle stops it: %+v", p.playing)
	}
	if p.use(Restart{}); p.playing.on {
		t.Error("it plays a run in which nothing is done")
	}
}

// Readers who asked for less motion get one event after the other, each for a second at the speed of real time, spoken.
func TestPlayingWithoutMotion(t *testing.T) {
	p := sent(t)
	start := p.pos.Count
	p.send(Play{}).frames(9, 100*time.Millisecond, true)
	if p.pos.Count != start {
		t.Errorf("after 0.9 s there are %d events", p.pos.Count)
	}
	if p.frames(1, 100*time.Millisecond, true); p.pos.Count != start+1 || len(p.spoken()) != 1 {
		t.Errorf("after 1 s there are %d events, spoken %q", p.pos.Count, p.spoken())
	}
	p.send(SetSpeed{6})
	p.send(frame.Tick{Passed: 62500 * time.Microsecond, Still: true})
	if p.pos.Count != start+2 {
		t.Errorf("at 16× after 1/16 s there are %d events", p.pos.Count)
	}
}

// Events at one instant are numbered in the table, at the clock and in what is spoken.
func TestEventsAtOneInstantAreNumbered(t *testing.T) {
	p := sent(t).send(Start{}, Next{}, Next{})
	if p.pos != (scenario.Position{Count: 2}) {
		t.Fatalf("at %+v", p.pos)
	}
	if got := plain(find(t, p.View(), "nth")); got != " 2 of 2" {
		t.Errorf("the clock says %q", got)
	}
	if got := plain(find(t, p.View(), rowID(1))); !strings.Contains(got, "1 of 2") {
		t.Errorf("the table says %q", got)
	}
	if got := p.spoken(); len(got) != 1 || !strings.HasPrefix(got[0], "2 of 2 at 0.000") {
		t.Errorf("spoken %q", got)
	}
	p.speak(text.Japanese)
	if p.send(Back{}, Next{}); !strings.HasPrefix(p.spoken()[0], "0.000秒、2 件中 2 件目、") {
		t.Errorf("spoken %q", p.spoken())
	}
	if p.send(Advance{time.Millisecond}); has(p.View(), "nth") {
		t.Error("between two instants the clock still numbers an event")
	}
}
