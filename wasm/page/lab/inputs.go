package lab

import (
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

// do adds an input at this instant, and moves to just after it.
func (m *Model) do(a sim.Action) {
	if m.played.Stopped {
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
	if st.Kind == lesson.Predict && !m.kept && !m.fired() {
		m.notice = m.lang().Say("lab.predict-first")
		return []effect.Effect{effect.Focus{ID: predictID}}
	}
	m.do(sim.Action{Kind: sim.Fire, Client: m.form.client, Request: m.request()})
	if m.Size.Narrow {
		m.pane = "timeline"
	}
	return nil
}

// fired reports whether any request has been sent.
func (m *Model) fired() bool { return m.pos.Count > 0 || len(m.played.Events) > 0 }

// request returns what Fire would send now. A method that takes no amount sends none.
func (m *Model) request() call.Request {
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

// undo moves in the tree of inputs; the clock stays where it is.
func (m *Model) undo(move func(*scenario.Tree) bool) {
	if move(&m.tree) {
		m.replay()
		m.pos = m.played.At(m.pos.Now)
		m.selectLatest()
	}
}

// restart begins anew. Fields that are empty again must be told so: what was typed would stay in them.
func (m *Model) restart() []effect.Effect {
	m.tree.Restart()
	m.replay()
	m.pos, m.selected = scenario.Position{}, 0
	m.kept, m.prediction = false, ""
	m.form = newForm(m.current())
	return []effect.Effect{effect.SetValue{ID: "key", Value: m.form.key}, effect.SetValue{ID: "retry-after"}}
}

func (m *Model) showBranch(id int) {
	m.tree.Show(id)
	m.replay()
	m.pos = m.played.End(scenario.Position{})
	m.selectLatest()
}

// showSolution puts the reference's inputs at the start of the timeline; they count as seen, not solved.
func (m *Model) showSolution() []effect.Effect {
	st := m.current()
	m.shown = true
	m.tree.Replace(st.Solution.Inputs)
	if st.Kind == lesson.Predict {
		m.prediction, m.kept = st.Solution.Prediction, true
	}
	m.replay()
	m.pos = scenario.Position{}
	m.notice = m.lang().Say("lab.solution-ready")
	return []effect.Effect{effect.Focus{ID: nextID}}
}

// setClient chooses who fires next; the form takes that client's request and policy.
func (m *Model) setClient(i int) {
	sc := &m.current().Scenario
	if i < 0 || i >= len(sc.Clients) {
		return
	}
	r := sc.Requests[i]
	m.form.client, m.form.method, m.form.key, m.form.keyed, m.form.amount = i, r.Method, r.Key, r.Keyed, int(r.Amount)
	m.form.setPolicy(sc.Clients[i].Policy)
}

// applyPolicy sets what the knobs say: from now on, or in the whole run from its start.
func (m *Model) applyPolicy(fromStart bool) {
	p, ok := m.knobPolicy()
	if !ok {
		m.problem = m.lang().Say("lab.bad-knob")
		return
	}
	m.form.setPolicy(p)
	a := sim.Action{Kind: sim.SetPolicy, Client: m.form.client, Policy: p}
	if !fromStart {
		m.do(a)
		return
	}
	path := []scenario.Input{{At: clock.Start, Action: a}}
	for _, in := range m.tree.Path() {
		if in.At > clock.Start || in.Action.Kind != sim.SetPolicy || in.Action.Client != m.form.client {
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
