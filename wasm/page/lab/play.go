package lab

import (
	"strconv"
	"time"

	"retrylab.example/core/clock"
	"retrylab.example/wasm/effect"
	"retrylab.example/wasm/view"
	"retrylab.example/wasm/view/frame"
)

// Messages of playing.
type (
	// Play lets simulated time run by itself, or stops it.
	Play struct{}
	// SetSpeed chooses how fast, as a place in the list of speeds.
	SetSpeed struct{ Place int }
)

// speeds are how much simulated time runs in real time, in quarters.
var speeds = [...]int{1, 2, 4, 8, 16, 32, 64}

// playing is how simulated time runs by itself. The zero value stands still, at the speed of real time.
type playing struct {
	on bool
	// faster is the place of the speed in the list, counted from that of real time.
	faster int
	// until is how many events will have happened when it stops.
	until int
	// waited is how much time has passed since the last event, where it goes event by event.
	waited time.Duration
}

// realTime is the place of real time in the list of speeds.
const realTime = 2

// stepEvery is how long an event stays, at the speed of real time, where it goes event by event.
const stepEvery = time.Second

// togglePlay begins to play, as far as a check changes, or stops.
func (m *Model) togglePlay() []effect.Effect {
	m.playing.on, m.playing.waited = !m.playing.on, 0
	if m.playing.on {
		m.aim()
	}
	if !m.playing.on {
		return nil
	}
	return []effect.Effect{effect.Frame{First: true}}
}

// aim finds where playing stops. It ends where nothing is left to play.
func (m *Model) aim() {
	m.playing.until, _ = m.changeAhead()
	m.playing.on = m.playing.on && m.playing.until > m.pos.Count
}

// tick plays on by the time that has passed in the world. Readers who asked for less motion get whole events.
func (m *Model) tick(t frame.Tick) []effect.Effect {
	if !m.playing.on {
		return nil
	}
	before := m.pos
	passed := t.Passed * time.Duration(speeds[realTime+m.playing.faster]) / 4
	if t.Still {
		if m.playing.waited += passed; m.playing.waited < stepEvery {
			return []effect.Effect{effect.Frame{}}
		}
		m.playing.waited = 0
		m.pos = m.played.After(m.pos.Count+1, m.pos)
	} else {
		m.advance(passed)
	}
	if m.pos.Count >= m.playing.until {
		m.pos = m.played.After(m.playing.until, before)
		m.playing.on = false
		m.noteChange()
		return m.settle(before)
	}
	if t.Still {
		return append(m.settle(before), effect.Frame{})
	}
	m.followClock()
	effects := []effect.Effect{effect.Frame{}}
	if m.pos.Count != before.Count { // what is spoken and kept waits until it stops: it would be too much
		m.judge()
		if m.newChoice(before.Count) {
			m.selectLatest()
		}
		effects = append(effects, m.reveal()...)
	}
	return effects
}

// noteChange says that the clock stands where a check has changed, unless that is the end.
func (m *Model) noteChange() {
	if m.pos.Count < len(m.played.Events) {
		m.notice = m.lang().Say("lab.check-changed", "at", m.lang().Seconds(m.pos.Now.Sub(clock.Start)))
	}
}

// playButtons draws the button that plays, and the speed.
func (m *Model) playButtons() view.Node {
	l := m.lang()
	word, icon := "lab.play", "play"
	if m.playing.on {
		word, icon = "lab.pause", "pause"
	}
	values, labels := make([]string, len(speeds)), make([]string, len(speeds))
	for i, quarters := range speeds {
		values[i] = strconv.Itoa(i)
		labels[i] = speedText(quarters)
	}
	set := func(v string) any {
		i, _ := strconv.Atoi(v)
		return SetSpeed{min(max(i, 0), len(speeds)-1)}
	}
	speed := selectOf(values, labels, strconv.Itoa(realTime+m.playing.faster), set)
	speed.Attrs = append(speed.Attrs, *view.A("id", "speed"))
	return view.El("span", view.Class("advance__g play"),
		button("btn btn--s", Play{}, view.A("id", "play"), idle(!m.playing.on && m.pos.Count == len(m.played.Events)),
			view.Icon(icon), l.Say(word), view.El("kbd", "Space")),
		field(l.Say("lab.speed"), speed))
}

// speedText writes a speed as 0.25×, 0.5× or 16×.
func speedText(quarters int) string {
	return strconv.Itoa(quarters/4) + [...]string{"", ".25", ".5", ".75"}[quarters%4] + "×"
}
