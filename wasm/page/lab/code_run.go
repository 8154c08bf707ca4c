package lab

import (
	"errors"
	"strconv"

	"retrylab.example/core/codelab"
	"retrylab.example/core/compare"
	"retrylab.example/core/scenario"
	"retrylab.example/wasm/effect"
	"retrylab.example/wasm/job"
	"retrylab.example/wasm/view/frame"
)

// caseRun is one case, run by the learner's program and by the core.
type caseRun struct {
	// spec is the case that is set up, counter that of the verdict.
	spec, counter codelab.Spec
	// of is what ran last, nil if nothing did; ran is the case of it.
	of  *codelab.Trial
	ran codelab.Spec
	// trouble says which part cannot be set so, and to what it can.
	trouble string
}

// tried does a message about the case and its two runs.
func (m *Model) tried(msg any) []effect.Effect {
	t := &m.code.trial
	switch msg := msg.(type) {
	case ShowRun:
		if !m.Settings.Python {
			return nil
		}
		return m.ask(job.Request{Kind: job.Try, Case: t.spec}, trying)
	case ShowCounter:
		t.spec, t.trouble = t.counter, ""
		return m.tried(ShowRun{})
	case SeedCase:
		n, err := strconv.Atoi(msg.Number)
		if err != nil || n < 1 || n > codelab.Generated {
			return m.caseTrouble(m.lang().Say("code.bad-seed", "most", strconv.Itoa(codelab.Generated)))
		}
		t.spec, t.trouble = m.code.function.Seeded(n), ""
		return m.keep()
	case SetCase:
		return m.setCase(codelab.Setting(msg))
	}
	if m.versus == nil {
		return nil
	}
	return m.stepped(msg)
}

// stepped does a message of the clock over both runs.
func (m *Model) stepped(msg any) []effect.Effect {
	if k, ok := msg.(Key); ok {
		if msg = keyMessage(k); msg == nil {
			return nil
		}
	}
	if tick, ok := msg.(frame.Tick); ok {
		return m.tick(tick)
	}
	if effects, ok := m.zoom(msg); ok {
		return effects
	}
	m.problem, m.notice, m.aside = "", "", ""
	before := m.pos
	var effects []effect.Effect
	switch msg.(type) {
	case Play, SetSpeed, SetAdvance, Select, Point, SelectDecision:
		effects = m.compared(msg)
	default:
		if !m.clockwork(msg) {
			return nil
		}
		m.playing.on = false
	}
	return append(effects, m.settle(before)...)
}

// setCase sets a part of the case. All parts are kept then, in their order, so that the number of replies comes first.
func (m *Model) setCase(s codelab.Setting) []effect.Effect {
	f, t := &m.code.function, &m.code.trial
	next := t.spec
	next.Set = append(next.Set[:len(next.Set):len(next.Set)], s)
	c, err := f.Make(next)
	if err != nil {
		var part *codelab.PartError
		if errors.As(err, &part) {
			return m.caseTrouble(m.partTrouble(&part.Part))
		}
		return nil
	}
	next.Set = nil
	for _, p := range f.Parts(&c) {
		next.Set = append(next.Set, codelab.Setting{Name: p.Name, Text: p.Text})
	}
	t.spec, t.trouble = next, ""
	return m.keep()
}

func (m *Model) caseTrouble(why string) []effect.Effect {
	m.code.trial.trouble = why
	return []effect.Effect{effect.Announce{Text: why}}
}

// partTrouble says to what a part can be set.
func (m *Model) partTrouble(p *codelab.Part) string {
	l := m.lang()
	label := m.partLabel(p.Name)
	switch p.Kind {
	case codelab.Seconds, codelab.SecondsList:
		return l.Say("code.bad-seconds", "part", label, "low", plainSeconds(p.Low), "high", plainSeconds(p.High))
	case codelab.Count:
		return l.Say("code.bad-count", "part", label, "low", strconv.FormatInt(p.Low, 10), "high", strconv.FormatInt(p.High, 10))
	}
	return l.Say("code.bad-words", "part", label, "most", strconv.FormatInt(p.High, 10))
}

func plainSeconds(ns int64) string {
	s := codelab.Decimal(ns)
	if whole := len(s) - 2; whole > 0 && s[whole:] == ".0" {
		return s[:whole]
	}
	return s
}

// ran shows what the program did in the case above what the core does.
func (m *Model) ran(r *job.Ran) []effect.Effect {
	c := m.code
	made, err := c.function.Make(c.trial.spec)
	if err != nil {
		return nil
	}
	of, err := c.function.Trial(&made, []byte(r.Line), r.Stopped)
	if err != nil {
		c.failed = err.Error()
		return nil
	}
	c.trial.of, c.trial.ran = &of, c.trial.spec
	yours, wanted := of.Events()
	v := &versus{runs: [2]scenario.Played{{Events: yours}, {Events: wanted}}, found: compare.Of(yours, wanted)}
	v.names = []string{m.lang().Say("code.run-yours"), m.lang().Say("code.run-core")}
	m.versus, m.played, m.selected = v, v.merged(1), 0
	m.playing.on, m.rowsIn, m.indexed = false, "", nil
	m.pos = m.played.End(scenario.Position{})
	said := m.lang().Say("code.run-same")
	if !of.Verdict.Passed() {
		said = m.lang().CodeVerdict(m.mapped(&of.Verdict))
	}
	return []effect.Effect{effect.Announce{Text: said}}
}
