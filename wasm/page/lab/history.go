package lab

import (
	"encoding/json"
	"strconv"

	"retrylab.example/core/clock"
	"retrylab.example/core/lesson"
	"retrylab.example/core/scenario"
	"retrylab.example/core/sim"
	"retrylab.example/wasm/view/timeline"
)

// keptStep is what the browser keeps of a step beside its progress.
type keptStep struct {
	Tree json.RawMessage `json:"tree"`
	// Count is how many events had happened: at one instant there may be several.
	Count      int    `json:"count"`
	Prediction string `json:"prediction,omitempty"`
	Kept       bool   `json:"kept,omitempty"`
	Hints      int    `json:"hints,omitempty"`
	Shown      bool   `json:"shown,omitempty"`
	// Tabs are the runs in tabs: the last node of each, and its letter counted from A.
	Tabs [][2]int `json:"tabs,omitempty"`
	// Versus holds the letters of the two runs that are compared.
	Versus string `json:"versus,omitempty"`
	// From and To are the part of the axis that is drawn, in nanoseconds; both 0 for all of it.
	From clock.Instant `json:"from,omitempty"`
	To   clock.Instant `json:"to,omitempty"`
	// Opened is the client whose lane is drawn in a crowd, counted from 1.
	Opened int `json:"opened,omitempty"`
}

// Answer returns what was done in the branch that is shown, and the prediction once it was kept.
func (m *Model) Answer() lesson.Answer {
	return lesson.Answer{Inputs: m.tree.Path(), Prediction: m.said()}
}

// History returns the learner's inputs in this step, and how far hints and solution were opened; empty where nothing is
// played.
func (m *Model) History() string {
	if m.code != nil {
		k := m.keptCode()
		return k.write()
	}
	if st := m.current(); st == nil || !st.Plays() {
		return ""
	}
	return m.historyIn(&m.current().Scenario)
}

// historyIn is History of a run, in the names of a scenario.
func (m *Model) historyIn(sc *scenario.Scenario) string {
	versus := ""
	if m.versus != nil {
		versus = string(m.versus.letters[:])
	}
	k := keptStep{
		Versus: versus,
		Tree:   sc.WriteTree(&m.tree, m.pos.Now), Count: m.pos.Count,
		Prediction: m.prediction, Kept: m.kept, Hints: m.hints, Shown: m.shown,
		Tabs: m.writeTabs(), From: m.part.From, To: m.part.To, Opened: m.opened,
	}
	return k.write()
}

func (k *keptStep) write() string {
	data, err := json.Marshal(k)
	if err != nil {
		panic(err) // texts and numbers always encode
	}
	return string(data)
}

// readKept reads what write wrote. Hints and prediction are not held against the step yet.
func readKept(st *lesson.Step, history string) (k keptStep, tree scenario.Tree, now clock.Instant, err error) {
	if err = json.Unmarshal([]byte(history), &k); err == nil {
		tree, now, err = st.Scenario.ReadTree("history", k.Tree)
	}
	return k, tree, now, err
}

// restore reads what History wrote. Inputs that do not fit the step any more, as after the scenario was edited, are set
// aside; a history that cannot be read at all lets the step begin anew.
func (m *Model) restore(history string) {
	var k keptStep
	if history == "" || json.Unmarshal([]byte(history), &k) != nil {
		return
	}
	st := m.current()
	m.hints, m.shown = min(max(k.Hints, 0), len(st.Hints)), k.Shown
	tree, now, lost, err := st.Scenario.FitTree("history", k.Tree)
	if err != nil {
		m.notice = m.lang().Say("lab.history-lost")
		return
	}
	if m.lost = lost; len(lost) > 0 {
		m.notice = m.lang().Say("lab.inputs-lost", "n", strconv.Itoa(len(lost)))
		k.Tabs, k.Versus = nil, "" // they name runs that are others now
	}
	p, err := st.Scenario.Play(tree.Path())
	if err != nil {
		return
	}
	m.tree, m.played, m.part = tree, p, timeline.Span{From: k.From, To: k.To}
	m.opened = min(max(k.Opened, 0), len(st.Scenario.Clients))
	m.readTabs(k.Tabs)
	m.pos = p.At(now)
	if k.Count < m.pos.Count && k.Count >= p.At(now-1).Count { // in the middle of an instant
		m.pos.Count = k.Count
	}
	if st.Offers(k.Prediction) {
		m.prediction, m.kept = k.Prediction, k.Kept
	}
	m.form.recall(p.Inputs)
	m.form.recallOffer(st, p.Inputs)
	m.versusKept = k.Versus
}

// recall sets the form to what was fired last, and to the client that was touched last.
func (f *form) recall(inputs []scenario.Input) {
	for _, in := range inputs {
		switch a := in.Action; a.Kind {
		case sim.SetPolicy, sim.SetGuards:
			f.client = a.Client
		case sim.Fire:
			f.client, f.method, f.key, f.keyed = a.Client, a.Request.Method, a.Request.Key, a.Request.Keyed
			if a.Request.Amount > 0 {
				f.amount = int(a.Request.Amount)
			}
		}
	}
}
