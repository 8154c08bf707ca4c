package lab

import (
	"strconv"

	"retrylab.example/core/lesson"
	"retrylab.example/core/scenario"
	"retrylab.example/wasm/effect"
	"retrylab.example/wasm/job"
	"retrylab.example/wasm/view"
	"retrylab.example/wasm/view/frame"
)

// Messages of the trial on many seeds.
type (
	// TrySeeds tries what was done on many seeds, StopSeeds ends that.
	TrySeeds  struct{}
	StopSeeds struct{}
)

// manySeeds is on how many seeds a run is tried.
const manySeeds = 1000

// seedsID is the button that begins the trial, and ends it.
const seedsID = "try-seeds"

// seedsPartID is the part of the page about it, which is scrolled into view when there is something new in it.
const seedsPartID = "seeds"

// trial is how far the worker is with trying a run on many seeds, or what it found.
type trial struct {
	id      int
	running bool
	end     int // the last node of the run that is tried
	so      lesson.Swept
	problem string
}

// trialNow returns the trial of the run that is shown, nil if there is none.
func (m *Model) trialNow() *trial {
	if t := m.trial; t != nil && t.end == m.tree.End() {
		return t
	}
	return nil
}

// triable reports whether what is asked for can be tried on other seeds here. A prediction is about the one run.
func (m *Model) triable() bool {
	st := m.current()
	return len(st.Checks) > 0 && st.Kind != lesson.Predict && m.shared == nil && m.canCompare() &&
		(st.Kind == lesson.Policy || m.draws())
}

// draws reports whether another seed could give another run.
func (m *Model) draws() bool { return m.current().Scenario.NeedsDraw(m.tree.PathOf(m.tree.End())) }

// seeds does the messages of the trial.
func (m *Model) seeds(msg any) ([]effect.Effect, bool) {
	switch msg := msg.(type) {
	case TrySeeds:
		return m.trySeeds(), true
	case StopSeeds:
		return append(m.stopSeeds(), effect.Announce{Text: m.lang().Say("sweep.stopped")}), true
	case frame.Answer:
		return m.answered(msg), true
	case frame.OpenSeed:
		return m.openSeed(msg.Seed), true
	}
	return nil, false
}

func (m *Model) trySeeds() []effect.Effect {
	if !m.triable() || !m.draws() || len(m.played.Events) == 0 {
		return nil
	}
	m.trials++
	m.trial = &trial{id: m.trials, running: true, end: m.tree.End(), so: lesson.Swept{Count: manySeeds}}
	a := lesson.Answer{Inputs: m.tree.PathOf(m.trial.end)}
	request := job.Request{ID: m.trial.id, Kind: job.Sweep, Text: string(m.current().WriteTrial(a, manySeeds))}
	return []effect.Effect{effect.Job{Request: string(request.Write())}, effect.Reveal{ID: seedsPartID}, effect.Announce{Text: m.lang().Say("sweep.begun", "count", strconv.Itoa(manySeeds))}}
}

// stopSeeds ends the worker. What it has found so far stays.
func (m *Model) stopSeeds() []effect.Effect {
	if m.trial == nil || !m.trial.running {
		return nil
	}
	m.trial.running = false
	if m.trial.so.Done == 0 {
		m.trial = nil
	}
	return []effect.Effect{effect.Job{}}
}

// answered takes a message of the worker. One of an earlier trial comes too late.
func (m *Model) answered(msg frame.Answer) []effect.Effect {
	a, err := job.Read([]byte(msg.Message))
	t := m.trial
	if err != nil || t == nil || !t.running || a.ID != t.id && a.Refused == "" {
		return nil
	}
	if a.Swept == nil {
		t.running, t.problem = false, a.Refused
		return []effect.Effect{effect.Job{}, effect.Announce{Text: t.problem}}
	}
	t.so = *a.Swept
	if t.so.Done < t.so.Count {
		return nil
	}
	t.running = false
	return []effect.Effect{effect.Job{}, effect.Reveal{ID: seedsPartID}, effect.Announce{Text: m.lang().Sweep(&t.so)}}
}

// openSeed shows what was done on another seed: as a run that was shared, for the draws of this step are others. The
// sandbox sets its seed instead.
func (m *Model) openSeed(seed uint64) []effect.Effect {
	st := m.current()
	if m.place.Free {
		return nil
	}
	l := m.asLink(st)
	l.Scenario.Seed = seed
	l.Tree = scenario.Tree{}
	if !l.Tree.Replace(m.tree.PathOf(m.tree.End())) {
		panic("lab: a run of one tree does not fit into another")
	}
	p, err := l.Scenario.Play(l.Tree.Path())
	if err == nil {
		l.At = p.End(scenario.Position{})
		var fragment string
		if fragment, err = l.Fragment(); err == nil {
			return []effect.Effect{effect.Go{Hash: "#" + fragment}}
		}
	}
	m.problem = m.trouble(err)
	return nil
}

// seedsPart offers the trial, and says how far it is and what came of it.
func (m *Model) seedsPart() any {
	if !m.triable() {
		return nil
	}
	l, t := m.lang(), m.trialNow()
	row := []any{view.Class("row")}
	if t != nil && t.running {
		row = append(row, button("btn btn--s", StopSeeds{}, view.A("id", seedsID), l.Say("author.cancel")),
			view.El("progress", view.A("max", strconv.Itoa(t.so.Count)), view.A("value", strconv.Itoa(t.so.Done)), view.A("aria-label", l.Say("sweep.title"))),
			view.El("span", view.Class("note"), l.Say("sweep.so-far", "n", strconv.Itoa(t.so.Done), "count", strconv.Itoa(t.so.Count))))
	} else {
		off := len(m.played.Events) == 0 || !m.draws()
		row = append(row, button("btn btn--s", TrySeeds{}, view.A("id", seedsID), idle(off), l.Say("sweep.try", "count", strconv.Itoa(manySeeds))))
	}
	parts := []any{view.Class("seeds"), view.A("id", seedsPartID), view.A("aria-label", l.Say("sweep.title")), view.El("p", row...)}
	switch {
	case t != nil:
		parts = append(parts, m.trialFound(t))
	case len(m.played.Events) > 0 && !m.draws():
		parts = append(parts, view.El("p", view.Class("note"), l.Say("sweep.no-draw")))
	}
	return view.El("section", parts...)
}

// trialFound says on how many seeds it holds, leads to the first on which it does not, and lists what the checks measured.
func (m *Model) trialFound(t *trial) []view.Node {
	l := m.lang()
	if t.problem != "" {
		return []view.Node{problem(t.problem)}
	}
	if t.so.Done == 0 {
		return nil
	}
	nodes := []view.Node{view.El("p", view.Class("seeds__n", ifName(t.so.Failed, "is-failed")), l.Sweep(&t.so))}
	if t.so.Failed {
		nodes = append(nodes, view.El("p", m.seedButton(t.so.FailedSeed)))
	}
	if t.running {
		return nodes
	}
	rows := []any{}
	for i := range t.so.Numbers {
		if n := l.SweepNumbers(&t.so.Numbers[i]); n != "" {
			rows = append(rows, view.El("div", view.El("dt", m.goalText(&m.current().Checks[i])), view.El("dd", n)))
		}
	}
	if len(rows) > 0 {
		nodes = append(nodes, view.El("dl", append([]any{view.Class("seeds__m")}, rows...)...))
	}
	return nodes
}

// seedButton opens the run on another seed.
func (m *Model) seedButton(seed uint64) view.Node {
	return button("jump", frame.OpenSeed{Seed: seed}, m.lang().Say("sweep.open", "seed", strconv.FormatUint(seed, 10)), view.Icon("right"))
}

// goalText is a check in words: a goal of the sandbox has none of its own.
func (m *Model) goalText(c *lesson.Check) view.Node {
	if len(c.Text) == 0 {
		return view.Text(m.lang().Goal(c, m.current().Scenario.Names()))
	}
	return m.written(c.Text)
}

// otherSeed says of an opened run that it is one on another seed than the step's.
func (m *Model) otherSeed() bool {
	s := m.shared
	return s != nil && s.own != nil && !m.keepable()
}
