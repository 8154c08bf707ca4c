package lab

import (
	"slices"

	"retrylab.example/core/clock"
	"retrylab.example/core/compare"
	"retrylab.example/core/event"
	"retrylab.example/core/retry"
	"retrylab.example/core/scenario"
	"retrylab.example/core/sim"
	"retrylab.example/core/text"
	"retrylab.example/wasm/effect"
	"retrylab.example/wasm/view/timeline"
)

// Messages of the comparison.
type (
	// Compare sets the run that is shown beside another one; CloseCompare goes back to it.
	Compare      struct{}
	CloseCompare struct{}
	// PickSide chooses the run of one side, 0 or 1, by its letter.
	PickSide struct {
		Side   int
		Letter byte
	}
	// OpenSide shows an event in the run of one side, alone.
	OpenSide struct{ Side, Seq int }
	// ComparePolicy compares the run with the same inputs under a ready policy.
	ComparePolicy struct{ Name string }
)

// versus is that two runs are shown above each other. Their events stand in one list, in the order of time, in which the
// clients of the second come after those of the first: so one clock steps both.
type versus struct {
	ends    [2]int // the last nodes of the runs in the tree
	letters [2]byte
	runs    [2]scenario.Played
	found   compare.Comparison
	// names are those of the two runs where they are of no scenario.
	names []string
	// places hold for each event of a run its place in the list, from 0.
	places [2][]int
}

// Compares reports whether two runs are shown.
func (m *Model) Compares() bool { return m.versus != nil }

// canCompare reports whether the page has room for two runs: a part of another page has none.
func (m *Model) canCompare() bool { return !m.place.Part && !m.Settings.Embed }

// otherTab returns a tab beside the shown one, nil if there is none.
func (m *Model) otherTab() *tab {
	shown := m.shownTab()
	for i := len(m.tabs) - 1; i >= 0; i-- {
		if m.tabs[i].letter != shown {
			return &m.tabs[i]
		}
	}
	return nil
}

// compareShown sets the shown run beside another.
func (m *Model) compareShown() []effect.Effect {
	here, other := m.tabOf(m.shownTab()), m.otherTab()
	if here == nil || other == nil {
		return nil
	}
	pair := [2]tab{*here, *other}
	if pair[0].letter > pair[1].letter {
		slices.Reverse(pair[:])
	}
	m.setVersus(pair)
	return []effect.Effect{effect.Focus{ID: titleID}}
}

// compareAgain compares what was compared when the page was left.
func (m *Model) compareAgain() {
	letters := m.versusKept
	m.versusKept = ""
	if len(letters) != 2 || letters[0] == letters[1] || !m.canCompare() {
		return
	}
	if a, b := m.tabOf(letters[0]), m.tabOf(letters[1]); a != nil && b != nil {
		m.setVersus([2]tab{*a, *b})
	}
}

// setVersus shows two runs above each other, at the instant that the clock shows.
func (m *Model) setVersus(pair [2]tab) {
	v := &versus{}
	for s, t := range pair {
		p, err := m.current().Scenario.Play(m.tree.PathOf(t.end))
		if err != nil {
			m.problem = err.Error()
			return
		}
		v.ends[s], v.letters[s], v.runs[s] = t.end, t.letter, p
	}
	v.found = compare.Of(v.runs[0].Events, v.runs[1].Events)
	m.versus, m.played, m.selected = v, v.merged(len(m.current().Scenario.Clients)), 0
	m.playing.on, m.rowsIn = false, ""
	m.pos = m.played.At(m.pos.Now)
	m.aside = m.lang().Parting(v.found.Parting)
}

// merged puts the events of both runs into one list.
func (v *versus) merged(clients int) scenario.Played {
	var all scenario.Played
	next := [2]int{}
	for {
		s := -1
		for i, run := range v.runs {
			if next[i] < len(run.Events) && (s < 0 || run.Events[next[i]].At < v.runs[s].Events[next[s]].At) {
				s = i
			}
		}
		if s < 0 {
			return all
		}
		e := v.runs[s].Events[next[s]]
		v.places[s] = append(v.places[s], len(all.Events))
		e.Seq = len(all.Events) + 1
		e.Request.Client += s * clients
		all.Events = append(all.Events, e)
		next[s]++
	}
}

// side returns of which run an event of the list is, and its number there.
func (v *versus) side(place int) (s, seq int) {
	for s := range v.places {
		if i, ok := slices.BinarySearch(v.places[s], place); ok {
			return s, i + 1
		}
	}
	return 0, 0
}

// seenOf returns the events of one run that have happened.
func (m *Model) seenOf(s int) []event.Event {
	n, _ := slices.BinarySearch(m.versus.places[s], m.pos.Count)
	return m.versus.runs[s].Events[:n]
}

// sideNames returns the names of the clients of both runs, each with the letter of its run.
func (m *Model) sideNames() text.Names {
	if m.versus.names != nil {
		return m.versus.names
	}
	var names text.Names
	for _, letter := range m.versus.letters {
		for _, name := range m.current().Scenario.Names() {
			names = append(names, string(letter)+" "+name)
		}
	}
	return names
}

// endVersus goes back to the one run.
func (m *Model) endVersus() {
	now := m.pos.Now
	m.versus, m.playing.on = nil, false
	m.replay()
	m.pos = m.played.At(now)
	m.judge()
	m.selectLatest()
}

// compared does the messages that there are while two runs are compared; all others do nothing.
func (m *Model) compared(msg any) []effect.Effect {
	if m.clockwork(msg) {
		m.playing.on = false
		return nil
	}
	switch msg := msg.(type) {
	case Play:
		return m.togglePlay()
	case Point:
		if _, crowds := m.crowds(); !crowds { // there is no mark for a single event
			m.choose(msg)
		}
	case SetSpeed, SetAdvance, Select:
		m.choose(msg)
	case SelectDecision:
		m.selectDecision(msg.By)
	case CloseCompare:
		m.endVersus()
		return []effect.Effect{effect.Focus{ID: compareID}}
	case PickSide:
		m.pickSide(msg)
	case OpenSide:
		return m.openSide(msg)
	}
	return nil
}

// pickSide puts another run on one side. The same run on both sides swaps them.
func (m *Model) pickSide(msg PickSide) {
	t := m.tabOf(msg.Letter)
	if t == nil || msg.Side < 0 || msg.Side > 1 {
		return
	}
	v := m.versus
	pair := [2]tab{{v.ends[0], v.letters[0]}, {v.ends[1], v.letters[1]}}
	if other := &pair[1-msg.Side]; other.letter == t.letter {
		*other = pair[msg.Side]
	}
	pair[msg.Side] = *t
	m.setVersus(pair)
}

// openSide shows the run of one side alone, with the clock at one of its events and that explained.
func (m *Model) openSide(msg OpenSide) []effect.Effect {
	if msg.Side < 0 || msg.Side > 1 || msg.Seq < 1 || msg.Seq > len(m.versus.runs[msg.Side].Events) {
		return nil
	}
	end := m.versus.ends[msg.Side]
	m.versus, m.playing.on = nil, false
	m.tree.Show(end)
	m.form.knobs = map[knob]string{}
	m.replay()
	m.pos = m.played.After(msg.Seq, scenario.Position{})
	m.judge()
	m.selected = msg.Seq
	m.leaveText()
	return append(m.fields(), effect.Focus{ID: "why"})
}

// comparesPolicies reports whether the step lets people choose another policy.
func (m *Model) comparesPolicies() bool {
	return m.place.Alone || slices.ContainsFunc(m.current().Allow.Knobs, isPolicyKnob)
}

// comparePolicy plays the inputs of the shown run with a ready policy for every client from the start, as a run of its own,
// and compares the two. In a step the policy is taken as far as its knobs go.
func (m *Model) comparePolicy(name string) []effect.Effect {
	ready, ok := scenario.Preset(name)
	if !ok || !m.comparesPolicies() {
		return nil
	}
	if m.shownTab() == 0 && !m.begin() {
		return nil
	}
	now := m.pos.Now
	here := *m.tabOf(m.shownTab())
	var path []scenario.Input
	for i, c := range m.current().Scenario.Clients {
		a := sim.Action{Kind: sim.SetPolicy, Client: i, Policy: m.within(c.Policy, ready)}
		path = append(path, scenario.Input{At: clock.Start, Action: a})
	}
	for _, in := range m.tree.PathOf(here.end) {
		if in.Action.Kind != sim.SetPolicy {
			path = append(path, in)
		}
	}
	if !m.tree.Replace(path) {
		m.problem = m.lang().Say("lab.tree-full")
		return nil
	}
	m.form.knobs = map[knob]string{}
	m.replay()
	m.pos = m.played.At(now)
	there := m.tabOf(m.shownTab())
	if there == nil || there.end == here.end {
		m.notice = m.lang().Say("lab.same-policy")
		return nil
	}
	if m.tabOf(here.letter) == nil { // its tab made room for the new one
		here.letter = 'A'
		m.tabs[0] = here
	}
	m.setVersus([2]tab{here, *there})
	return []effect.Effect{effect.Focus{ID: titleID}}
}

// begin makes the run in which nothing is done a run of the tree, where the scenario does something by itself.
func (m *Model) begin() bool {
	sc := &m.current().Scenario
	if len(sc.Inputs) == 0 {
		m.notice = m.lang().Say("lab.compare-fire")
		return false
	}
	m.do(sim.Action{Kind: sim.SetPolicy, Policy: sc.Clients[0].Policy})
	return m.shownTab() != 0
}

// within returns a ready policy, in a step as far as its knobs go from its own policy.
func (m *Model) within(own, ready retry.Policy) retry.Policy {
	if m.place.Alone {
		return ready
	}
	for _, name := range m.current().Allow.Knobs {
		if isPolicyKnob(name) {
			setKnob(&own, name, policyText(&ready, name))
		}
	}
	return own
}

// bandOf says what the band between the two runs shows.
func (m *Model) bandOf() *timeline.Versus {
	l, v := m.lang(), m.versus
	p := v.found.Parting
	out := &timeline.Versus{Parts: p.Differs, At: p.At, End: max(v.found.Ends[0], v.found.Ends[1]), Same: l.Parting(p)}
	for i := range v.found.Attempts {
		a := &v.found.Attempts[i]
		if out.Apart = l.Apart(a, m.current().Scenario.Names()); out.Apart != "" {
			out.Moved = [2]clock.Instant{a.Sides[0].At, a.Sides[1].At}
			break
		}
	}
	return out
}
