package lab

import (
	"strconv"
	"strings"
	"time"

	"retrylab.example/core/clock"
	"retrylab.example/core/document"
	"retrylab.example/core/lesson"
	"retrylab.example/core/scenario"
)

// clockwork moves the clock, and nothing else; it reports whether the message was one of the clock.
func (m *Model) clockwork(msg any) bool {
	switch msg := msg.(type) {
	case Next:
		m.pos = m.played.After(m.pos.Count+1, m.pos)
	case Back:
		m.back()
	case NextDecision:
		if i := m.nextDecision(); i >= 0 {
			m.pos = m.played.After(i+1, m.pos)
		}
	case NextTimer:
		if e, until := m.timer(); e != nil {
			m.pos = m.at(until)
		}
	case Start:
		m.pos = scenario.Position{}
	case Run:
		m.run()
	case Advance:
		m.advance(msg.By)
	case AdvanceTyped:
		m.advanceTyped()
	case Scrub:
		m.pos = m.at(clock.Start.Add(time.Duration(msg.Ms * 1e6)))
	case Glide: // where nothing glides
		return m.clockwork(Scrub(msg))
	default:
		return false
	}
	return true
}

// back goes one event back; the clock then shows the event before it.
func (m *Model) back() {
	if m.pos.Count > 0 {
		m.pos = m.played.After(m.pos.Count-1, m.pos)
		return
	}
	m.pos = scenario.Position{}
}

// nextDecision returns the index of the next event that chose something, -1 if there is none.
func (m *Model) nextDecision() int {
	for i := m.pos.Count; i < len(m.played.Events); i++ {
		if m.played.Events[i].Decides() {
			return i
		}
	}
	return -1
}

func (m *Model) advance(by time.Duration) { m.pos = m.at(m.pos.Now.Add(by)) }

// at returns the position after all that is due at an instant; the clock stays within the scenario's time.
func (m *Model) at(now clock.Instant) scenario.Position {
	return m.played.At(min(max(now, clock.Start), clock.Start.Add(m.current().Scenario.MaxTime)))
}

func (m *Model) advanceTyped() {
	by, ok := document.ParseDuration(strings.ReplaceAll(strings.TrimSpace(m.form.advance), " ", ""))
	if !ok || by <= 0 {
		m.problem = m.lang().Say("lab.bad-duration")
		return
	}
	m.advance(by)
}

// run goes on event by event until a check changes, else to the end.
func (m *Model) run() {
	count, changed := m.changeAhead()
	if !changed {
		m.pos = m.played.End(m.pos)
		return
	}
	m.pos = m.played.After(count, m.pos)
	m.noteChange()
}

// changeAhead returns after how many events a check changes next, or how many there are if none does.
func (m *Model) changeAhead() (count int, changed bool) {
	st := m.current()
	if m.versus != nil {
		return len(m.played.Events), false
	}
	judges := make([]lesson.Judge, len(st.Checks))
	for i := range judges {
		judges[i] = st.Checks[i].Judge()
	}
	for i := range m.played.Events {
		for k := range judges {
			judges[k].Event(&m.played.Events[i])
			changed = changed || i >= m.pos.Count && judges[k].Result().State != m.grade.Results[k].State
		}
		if changed {
			return i + 1, true
		}
	}
	return len(m.played.Events), false
}

// nthAt returns which of the events at its instant an event is, counted from 1, and how many they are.
func (m *Model) nthAt(i int) (n, count int) {
	events := m.played.Events
	first, end := i, i+1
	for first > 0 && events[first-1].At == events[i].At {
		first--
	}
	for end < len(events) && events[end].At == events[i].At {
		end++
	}
	return i - first + 1, end - first
}

// nthNow says which of several events at one instant has just happened, where the clock shows that instant; empty
// where there is but one.
func (m *Model) nthNow() string {
	i := m.pos.Count - 1
	if i < 0 || m.played.Events[i].At != m.pos.Now {
		return ""
	}
	return m.nthText(i)
}

func (m *Model) nthText(i int) string {
	n, count := m.nthAt(i)
	if count < 2 {
		return ""
	}
	return m.lang().Say("lab.nth", "n", strconv.Itoa(n), "count", strconv.Itoa(count))
}
