package lab

import (
	"slices"
	"strconv"
	"strings"

	"retrylab.example/core/call"
	"retrylab.example/core/clock"
	"retrylab.example/core/event"
	"retrylab.example/core/lesson"
	"retrylab.example/core/scenario"
	"retrylab.example/core/sim"
	"retrylab.example/wasm/effect"
)

// do adds an input at this instant, and moves to just after it. What is due at this instant comes before it.
func (m *Model) do(a sim.Action) {
	if m.played.Stopped && m.pos.Count == len(m.played.Events) {
		m.problem = m.lang().Say("lab.run-stopped")
		return
	}
	done := m.played.Done(m.pos)
	if !m.tree.Act(done, scenario.Input{At: m.pos.Now, Action: a}) {
		m.problem = m.lang().Say("lab.tree-full")
		return
	}
	m.replay()
	if done < len(m.played.Ends) {
		m.pos = scenario.Position{Count: m.played.Ends[done], Now: m.pos.Now}
	}
}

// fire sends a request with what the form says.
func (m *Model) fire() []effect.Effect {
	st := m.current()
	if !st.Allow.Fire {
		return nil
	}
	if st.Kind == lesson.Predict && !m.kept {
		m.notice, m.pane = m.lang().Say("lab.predict-first"), "lesson"
		return []effect.Effect{effect.Focus{ID: predictID}}
	}
	if m.form.keyed && !scenario.Sendable(m.form.key) {
		m.problem = m.lang().Say("lab.bad-header")
		return nil
	}
	if !m.takeKnobs() {
		m.pane = "lesson"
		return []effect.Effect{effect.Focus{ID: replayID}}
	}
	m.do(sim.Action{Kind: sim.Fire, Client: m.form.client, Request: m.request(), Times: m.times()})
	m.leaveText()
	return nil
}

// leaveText shows the timeline where a phone shows the lesson; the events explain themselves.
func (m *Model) leaveText() {
	if m.Size.Narrow && m.pane == "lesson" {
		m.pane = "timeline"
	}
}

// request returns what Fire would send now. A method that takes no amount sends none.
func (m *Model) request() call.Request {
	if o := m.offer(); o != nil {
		return m.offered(o)
	}
	r := m.current().Scenario.Requests[m.form.client]
	if r.Method != m.form.method {
		r.Path = pathOf(m.form.method, r.Path)
	}
	r.Method, r.Key, r.Keyed, r.Amount = m.form.method, m.form.key, m.form.keyed, int64(m.form.amount)
	if op := r.Op(); op == call.Read || op == call.Clear {
		r.Amount = 0
	}
	return r
}

// pathOf returns the partner's route of a method: POST adds on /add, the others act on /total.
func pathOf(method, own string) string {
	switch {
	case own == "/work":
		return own
	case strings.EqualFold(method, "POST"):
		return "/add"
	}
	return "/total"
}

// inject orders what befalls the next request.
func (m *Model) inject(name string) {
	st := m.current()
	mishap, ok := m.mishap(name)
	if !ok {
		return
	}
	if !scenario.Sendable(mishap.Response.RetryAfter) {
		m.problem = m.lang().Say("lab.bad-header")
		return
	}
	for _, allowed := range st.Allow.Inject {
		if allowed == name {
			m.do(sim.Action{Kind: sim.Inject, Mishap: mishap})
		}
	}
}

func (m *Model) mishap(name string) (sim.Mishap, bool) {
	if status, err := strconv.Atoi(name); err == nil {
		r := scenario.ScriptedResponse(status)
		if after := strings.TrimSpace(m.form.retryAfter); after != "" && takesRetryAfter(status) {
			r.RetryAfter, r.HasRetryAfter = after, true
		}
		return sim.Mishap{Fault: event.Reply, Response: r}, true
	}
	f, ok := event.ParseFault(name)
	return sim.Mishap{Fault: f}, ok
}

// takesRetryAfter reports whether a reply of the status goes out with the Retry-After of the form.
func takesRetryAfter(status int) bool { return status == 429 || status == 503 }

// undo takes the last input back. The clock stays where it is, and so do the events, unless the input was done.
func (m *Model) undo() {
	last := len(m.played.Begins) - 1
	if !m.tree.Undo() {
		return
	}
	done := m.played.Begins[last] < m.pos.Count
	m.replay()
	if done {
		m.pos = m.played.At(m.pos.Now)
	}
	m.selectLatest()
}

// redo does it again; the clock stays where it is.
func (m *Model) redo() {
	if m.tree.Redo() {
		m.replay()
		m.pos = m.played.At(m.pos.Now)
		m.selectLatest()
	}
}

// fields tells the fields that may be empty again what they hold: what was typed would stay in them.
func (m *Model) fields() []effect.Effect {
	return []effect.Effect{
		effect.SetValue{ID: "key", Value: m.form.key}, effect.SetValue{ID: "retry-after", Value: m.form.retryAfter},
	}
}

// restart begins anew.
func (m *Model) restart() []effect.Effect {
	if m.tree.Full() {
		m.tree, m.judged, m.trial = scenario.Tree{}, map[int]judged{}, nil // the earlier runs make room
	}
	m.tree.Restart()
	m.replay()
	m.pos, m.selected = scenario.Position{}, 0
	m.kept, m.prediction = false, ""
	m.form = newForm(m.current())
	return m.fields()
}

func (m *Model) showBranch(id int) {
	m.tree.Show(id)
	m.form.knobs = map[knob]string{}
	m.replay()
	m.pos = m.played.End(scenario.Position{})
	m.selectLatest()
}

// showSolution puts the reference's inputs at the start of the timeline; they count as seen, not solved.
func (m *Model) showSolution() []effect.Effect {
	st := m.current()
	m.shown = true
	if !m.tree.Replace(st.Solution.Inputs) {
		m.problem = m.lang().Say("lab.tree-full")
		return nil
	}
	m.form.knobs = map[knob]string{}
	if st.Kind == lesson.Predict {
		m.prediction, m.kept = st.Solution.Prediction, true
	}
	m.replay()
	m.pos = scenario.Position{}
	m.notice = m.lang().Say("lab.solution-ready")
	return []effect.Effect{effect.Focus{ID: nextID}}
}

// setClient chooses who fires next; the form takes that client's request and policy.
func (m *Model) setClient(i int) []effect.Effect {
	sc := &m.current().Scenario
	if i < 0 || i >= len(sc.Clients) {
		return nil
	}
	if m.offer() != nil { // the requests are the same for every client
		m.form.client = i
		return nil
	}
	r := sc.Requests[i]
	m.form.client, m.form.method, m.form.key, m.form.keyed, m.form.amount = i, r.Method, r.Key, r.Keyed, int(r.Amount)
	return m.fields()
}

// applyPolicy sets what the knobs say: from now on, or in the whole run from its start.
func (m *Model) applyPolicy(fromStart bool) {
	list, ok := m.changes(false)
	if ok && len(list) == 0 {
		list, ok = m.changes(true)
	}
	if !ok {
		m.knobTrouble = m.lang().Say("lab.bad-knob")
		return
	}
	for _, name := range lesson.Knobs() {
		delete(m.form.knobs, knob{m.form.client, name})
	}
	if !fromStart {
		for _, a := range list {
			m.do(a)
		}
		return
	}
	var path []scenario.Input
	for _, a := range list {
		path = append(path, scenario.Input{At: clock.Start, Action: a})
	}
	for _, in := range m.tree.Path() {
		if !slices.ContainsFunc(list, func(a sim.Action) bool { return sets(&in, &a) }) {
			path = append(path, in)
		}
	}
	if !m.tree.Replace(path) {
		m.problem = m.lang().Say("lab.tree-full")
		return
	}
	m.replay()
	m.pos = m.played.At(m.pos.Now)
	m.selectLatest()
}
