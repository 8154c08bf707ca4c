package lab

import (
	"slices"
	"strings"

	"retrylab.example/core/lesson"
	"retrylab.example/core/scenario"
	"retrylab.example/wasm/effect"
	"retrylab.example/wasm/progress"
	"retrylab.example/wasm/view/frame"
	"retrylab.example/wasm/view/timeline"
)

// Update does what a message says, and returns what is to be done outside of the page.
func (m *Model) Update(msg any) []effect.Effect {
	if m.glides(msg) {
		return nil
	}
	return append(m.land(), m.update(msg)...)
}

func (m *Model) update(msg any) []effect.Effect {
	if effects, ok := m.around(msg); ok {
		return effects
	}
	if effects, ok := m.sharing(msg); ok {
		return effects
	}
	if effects, ok := m.embedding(msg); ok {
		return effects
	}
	switch st := m.current(); {
	case m.code != nil:
		return m.coded(msg)
	case st == nil || !st.Plays():
		return nil
	}
	if effects, ok := m.seeds(msg); ok {
		return effects
	}
	switch special := msg.(type) {
	case frame.Tick:
		return m.tick(special)
	case Key:
		if msg = keyMessage(special); msg == nil {
			return nil
		}
	}
	if effects, ok := m.zoom(msg); ok {
		return effects
	}
	m.problem, m.knobTrouble, m.notice, m.aside = "", "", "", ""
	before, selected := m.pos, m.selected
	do := m.act
	if m.versus != nil {
		do = m.compared
	}
	compared := m.versus != nil
	effects := do(msg)
	if m.playing.on {
		m.aim() // what was done may have changed what lies ahead
	}
	if e, _ := m.selectedEvent(); e != nil && m.pos == before && m.selected != selected {
		m.reach(e.At)
	}
	effects = append(effects, m.settle(before)...)
	if open, ok := msg.(OpenSide); ok && compared && m.versus == nil {
		m.selected = open.Seq // and not the latest choice, which a move of the clock selects
	}
	if m.pos == before && m.selected != selected && m.selected > 0 {
		effects = append(effects, effect.Reveal{ID: rowID(m.selected)})
	}
	return effects
}

// around does a message about what is around the run, and reports whether it was one.
func (m *Model) around(msg any) (effects []effect.Effect, ok bool) {
	switch msg := msg.(type) {
	case Resize:
		m.Size = msg.Size
	case Elsewhere:
		return m.elsewhere(msg), true
	case Pane:
		m.pane = msg.Name
		if m.pane == "lesson" {
			return []effect.Effect{effect.Reveal{ID: m.lessonTop()}}, true
		}
		return m.reveal(), true
	case Sheet:
		m.sheetOpen = !m.sheetOpen
	case More:
		m.clockOpen = !m.clockOpen
	case Follow:
		m.follow = msg.On
	default:
		return nil, false
	}
	return nil, true
}

// act does a message of a step that is played.
func (m *Model) act(msg any) []effect.Effect {
	if m.clockwork(msg) {
		m.playing.on = false
		return nil
	}
	if m.choose(msg) {
		return nil
	}
	switch msg := msg.(type) {
	case Play:
		return m.togglePlay()
	case Fire:
		return m.fire()
	case Inject:
		m.inject(msg.Name)
	case SetClient:
		return m.setClient(msg.Index)
	case Undo:
		m.undo()
	case Redo:
		m.redo()
	case Restart:
		return m.restart()
	case ShowBranch:
		m.showBranch(msg.ID)
	case ShowTab:
		m.showTab(msg.Letter)
	case CloseTab:
		return m.closeTab(msg.Letter)
	case ApplyPolicy:
		return m.answerFrom(false)
	case ReplayPolicy:
		return m.answerFrom(true)
	case LeaveKnobs:
		return m.leaveKnobs()
	case Compare:
		return m.compareShown()
	case ComparePolicy:
		return m.comparePolicy(msg.Name)
	case AnswerAgain:
		return append(m.restart(), effect.Focus{ID: predictID}) // the button is gone
	case KeepPrediction:
		m.kept = m.prediction != ""
		m.judge()
		return []effect.Effect{effect.Focus{ID: predictID}} // the button is gone
	case Hint:
		m.hints = min(m.hints+1, len(m.current().Hints))
		return []effect.Effect{effect.Focus{ID: hintID(m.hints)}}
	case ShowSolution:
		return m.showSolution()
	case ToInject:
		return []effect.Effect{effect.Focus{ID: injectID}}
	}
	return nil
}

// choose does a message that only changes what is set up or looked at.
func (m *Model) choose(msg any) bool {
	switch msg := msg.(type) {
	case SetMethod:
		m.form.method = msg.Method
	case SetKey:
		m.form.key, m.form.keyed = msg.Key, msg.Key != ""
	case SetOffer:
		m.form.setOffer(m.current(), msg.ID)
	case SetTimes:
		m.form.times = msg.Times
	case SetAmount:
		m.form.amount = msg.Amount
	case SetRetryAfter:
		m.form.retryAfter = msg.Value
	case SetAdvance:
		m.form.advance = msg.Value
	case SetSpeed:
		m.playing.faster = min(max(msg.Place, 0), len(speeds)-1) - realTime
	case SetKnob:
		m.setKnob(msg.Name, msg.Value)
	case Predict:
		if !m.kept {
			m.prediction = msg.Option
		}
	case Select:
		m.selected = msg.Seq
		m.leaveText()
	case Point:
		if seq, ok := timeline.HitTest(m.drawing(), msg.X, msg.Y); ok {
			m.selected = seq
			m.openSelected()
		}
	case SelectDecision:
		m.selectDecision(msg.By)
	default:
		return false
	}
	return true
}

// settle keeps what has changed: selection, progress, history, and what is spoken. All that is spoken is one text: of
// two, the second would silence the first.
func (m *Model) settle(before scenario.Position) []effect.Effect {
	var effects []effect.Effect
	var spoken []string
	if m.pos != before {
		m.judge()
		m.followClock()
		if m.pos.Count > 0 && m.pos.Count != before.Count {
			last := &m.played.Events[m.pos.Count-1]
			if m.pos.Count < before.Count || m.newChoice(before.Count) {
				m.selectLatest()
			}
			n, count := m.nthAt(m.pos.Count - 1)
			spoken = append(spoken, m.lang().Announce(last, n, count, m.names()))
		}
		if m.pos.Count == 0 {
			m.selected = 0
		}
		spoken = append(spoken, m.failedSeed())
		effects = append(effects, m.reveal()...)
	}
	if m.shared == nil && m.grade.Solved && m.book.Set(m.lesson.ID, m.StepID(), m.reached()) {
		effects = append(effects, effect.Store{Key: m.book.Key(), Value: m.book.Write()})
		spoken = append(spoken, m.lang().Say("lab."+string(m.reached())))
		if !m.Size.Narrow { // there the clock leads on
			effects = append(effects, effect.Reveal{ID: solvedID})
		}
	}
	spoken = slices.DeleteFunc(append(spoken, m.aside, m.notice), func(s string) bool { return s == "" })
	if len(spoken) > 0 {
		effects = append(effects, effect.Announce{Text: strings.Join(spoken, " ")})
	}
	return append(effects, m.keep()...)
}

// reveal scrolls to where the clock is: in the events, and on a phone in the timeline.
func (m *Model) reveal() []effect.Effect {
	st := m.current()
	if st == nil || !st.Plays() || !m.follow || m.pos.Count == 0 {
		return nil
	}
	if m.Size.Narrow && m.pane != "events" {
		return []effect.Effect{effect.Reveal{ID: timeline.NowID}}
	}
	return []effect.Effect{effect.Reveal{ID: rowID(m.played.Events[m.pos.Count-1].Seq)}}
}

// lessonTop is where a person goes on who comes back to the text: what is said when the step is done, or its title.
func (m *Model) lessonTop() string {
	if m.book.Of(m.lesson.ID, m.StepID()) != progress.Open {
		return solvedID
	}
	return titleID
}

// newChoice reports whether a choice is among the events after so many.
func (m *Model) newChoice(count int) bool {
	for i := count; i < m.pos.Count; i++ {
		if m.played.Events[i].Decides() {
			return true
		}
	}
	return false
}

// reached is what solving the step now counts as.
func (m *Model) reached() progress.State {
	if m.shown {
		return progress.Seen
	}
	return progress.Solved
}

// Visit records that a step was opened. A step to read is solved once the learner goes on from it.
func (m *Model) Visit() []effect.Effect {
	if m.code != nil && m.shared != nil {
		return append(m.warm(), effect.Announce{Text: m.sharedNotice()})
	}
	if m.shared != nil {
		return append(m.fields(), append(m.reveal(), effect.Announce{Text: m.sharedNotice()})...)
	}
	for i := range m.lesson.Steps[:min(m.step, len(m.lesson.Steps))] {
		if st := &m.lesson.Steps[i]; st.Kind == lesson.Explain && m.book.Last == m.lesson.ID+"/"+st.ID {
			m.book.Set(m.lesson.ID, st.ID, progress.Solved)
		}
	}
	m.book.Last = m.lesson.ID + "/" + m.StepID()
	if m.current() == nil {
		m.book.Set(m.lesson.ID, m.StepID(), progress.Solved)
	}
	effects := []effect.Effect{effect.Store{Key: m.book.Key(), Value: m.book.Write()}}
	if m.code != nil {
		return append(effects, m.warm()...)
	}
	if st := m.current(); st != nil && st.Plays() {
		effects = append(effects, m.fields()...) // the browser may have kept the fields of the step before
		effects = append(effects, m.reveal()...)
	}
	return effects
}

// keyMessage returns what a key does, nil for a key without a meaning.
func keyMessage(k Key) any {
	switch {
	case k.Ctrl && (k.Name == "z" || k.Name == "Z") && k.Shift:
		return Redo{}
	case k.Ctrl && (k.Name == "z" || k.Name == "Z"):
		return Undo{}
	case k.Ctrl:
		return nil
	case k.Name == "ArrowRight" && k.Shift:
		return NextDecision{}
	case k.Name == "ArrowRight":
		return Next{}
	case k.Name == "ArrowLeft":
		return Back{}
	case k.Name == "Home":
		return Start{}
	case k.Name == "End":
		return Run{}
	}
	switch k.Name {
	case "n", "N":
		return NextTimer{}
	case "r", "R":
		return Run{}
	case "f", "F":
		return Fire{}
	case "i", "I":
		return ToInject{}
	case " ":
		return Play{}
	}
	return axisKey(k)
}

// axisKey returns what a key does to the axis, nil for a key without a meaning.
func axisKey(k Key) any {
	switch k.Name {
	case "+", "=":
		return Zoom{nearer}
	case "-", "_":
		return Zoom{further}
	case "0":
		return ShowAll{}
	case "[":
		return Shift{-1}
	case "]":
		return Shift{1}
	case "c", "C":
		return AroundNow{}
	case "o", "O":
		return OpenSelected{}
	}
	return nil
}

// selectDecision explains the nearest choice in a direction, among those that have happened.
func (m *Model) selectDecision(by int) {
	if i := m.decisionFrom(by); i >= 0 {
		m.selected = m.played.Events[i].Seq
	}
}

func (m *Model) decisionFrom(by int) int {
	for i := m.selected - 1 + by; i >= 0 && i < m.pos.Count; i += by {
		if m.played.Events[i].Decides() {
			return i
		}
	}
	return -1
}
