package lab

import (
	"slices"
	"strconv"

	"retrylab.example/core/lesson"
	"retrylab.example/core/link"
	"retrylab.example/core/text"
	"retrylab.example/wasm/effect"
	"retrylab.example/wasm/progress"
	"retrylab.example/wasm/view"
	"retrylab.example/wasm/view/frame"
)

// shared is that the run came in a link. Nothing of it is kept unless the learner says so.
type shared struct {
	same bool           // it is the very run that was shared
	own  *lesson.Lesson // the lesson as it is here, nil for a scenario of its own
	// history is the learner's own of this step.
	history string
}

// NewShared returns the page of a step with the run of a link. The learner's own history of the step is only read.
func NewShared(s frame.Settings, size Size, place Place, l *lesson.Lesson, step int, book *progress.Book, history string, o *link.Opened) *Model {
	own := l
	copied := *l
	copied.Steps = slices.Clone(l.Steps)
	copied.Steps[step].Scenario.Seed = o.Scenario.Seed
	m := New(s, size, place, &copied, step, book, "")
	m.shared = &shared{same: o.Same, own: own, history: history}
	m.showOpened(o)
	return m
}

// NewSharedCode returns the page of a step with the code of a link. It runs only when the reader says so; the learner's own
// is only read.
func NewSharedCode(s frame.Settings, size Size, place Place, l *lesson.Lesson, step int, book *progress.Book, history, code string) *Model {
	m := New(s, size, place, l, step, book, "")
	m.shared = &shared{same: true, own: l, history: history}
	m.code.text = code
	return m
}

// keepSharedCode makes the code of a link the learner's own; what they had is among the earlier versions.
func (m *Model) keepSharedCode() []effect.Effect {
	own := New(m.Settings, m.Size, m.place, m.shared.own, m.step, m.book, m.shared.history)
	own.code.put(m.code.text)
	return []effect.Effect{effect.Store{Key: m.HistoryKey(), Value: own.History()}, effect.Go{Hash: m.hash(m.step)}}
}

// NewScenario returns the page of a scenario that came in a link.
func NewScenario(s frame.Settings, size Size, o *link.Opened) *Model {
	l := lessonOf(o)
	m := New(s, size, Place{Mark: "share.alone", Alone: true}, l, 0, &progress.Book{}, "")
	m.shared = &shared{same: o.Same}
	m.showOpened(o)
	return m
}

func (m *Model) showOpened(o *link.Opened) {
	m.tree, m.played, m.pos = o.Tree, o.Played, o.At
	m.form.recall(o.Played.Inputs)
	m.form.recallOffer(m.current(), o.Played.Inputs)
	m.leaveText()
	m.judge()
	m.selectLatest()
}

// lessonOf puts a scenario of its own into a lesson of one step in which everything may be sent and broken.
func lessonOf(o *link.Opened) *lesson.Lesson {
	st := o.Of
	st.ID, st.Allow = "shared-scenario", lesson.Allow{Fire: true, FreeKey: true, Inject: []string{
		"503", "429", "400", "slow", "lost-request", "lost-reply", "crash-before", "crash-after",
	}}
	l := &lesson.Lesson{ID: "scenario", Steps: []lesson.Step{st}}
	for _, lang := range text.Langs() {
		tag := string(lang)
		l.Languages = append(l.Languages, tag)
		l.Title = append(l.Title, lesson.Translation{Lang: tag, Text: lang.Say("share.scenario-title")})
		l.Steps[0].Body = append(l.Steps[0].Body, lesson.Translation{Lang: tag, Text: lang.Say("share.scenario-body")})
	}
	l.Steps[0].Title = l.Title
	return l
}

// Shared reports whether the run came in a link.
func (m *Model) Shared() bool { return m.shared != nil }

// keepable reports whether the shared run could be one of the learner's: it has the draws of the step.
func (m *Model) keepable() bool {
	s := m.shared
	if s != nil && m.code != nil {
		return true
	}
	return s != nil && s.own != nil && s.own.Steps[m.step].Scenario.Seed == m.current().Scenario.Seed
}

// keepShared adds the run to the learner's own of this step, as a branch beside them, and goes there.
func (m *Model) keepShared() []effect.Effect {
	if !m.keepable() {
		return nil
	}
	if m.code != nil {
		return m.keepSharedCode()
	}
	own := New(m.Settings, m.Size, m.place, m.shared.own, m.step, m.book, m.shared.history)
	if !own.tree.Replace(m.tree.Path()) {
		m.problem = m.lang().Say("lab.tree-full")
		return nil
	}
	own.pos = m.pos
	return []effect.Effect{
		effect.Store{Key: m.book.HistoryKey(m.lesson.ID, m.StepID()), Value: own.History()}, effect.Go{Hash: m.hash(m.step)},
	}
}

// sharedNotice says whose run is shown.
func (m *Model) sharedNotice() string {
	if m.code != nil {
		return m.lang().Say("share.code-notice")
	}
	s := m.lang().Say("share.notice")
	if m.otherSeed() {
		s = m.lang().Say("share.other-seed", "seed", strconv.FormatUint(m.current().Scenario.Seed, 10))
	}
	if !m.shared.same {
		s += " " + m.lang().Say("link.changed")
	}
	return s
}

// sharedBanner says so below the bar, with the ways on.
func (m *Model) sharedBanner() any {
	if m.shared == nil {
		return nil
	}
	l := m.lang()
	row := []any{view.Class("row")}
	keep, mine, word := "share.keep", "share.mine", "share.run"
	if m.code != nil {
		keep, mine, word = "share.keep-code", "share.mine-code", "share.code"
	}
	switch {
	case m.place.Alone:
		row = append(row, button("btn btn--s", ToSandbox{}, l.Say("sandbox.open")),
			view.El("a", view.Class("btn btn--s"), view.A("href", "#/"), l.Say("lab.back-to-course")))
	default:
		if m.keepable() {
			row = append(row, button("btn btn--s", KeepShared{}, l.Say(keep)))
		}
		row = append(row, view.El("a", view.Class("btn btn--s"), view.A("href", m.hash(m.step)), l.Say(mine)))
	}
	return view.El("section", view.Class("sharedrun"), view.A("id", "shared"), view.A("aria-labelledby", "shared-p"),
		view.El("p", view.A("id", "shared-p"), view.El("b", l.Say(word)), " ", m.sharedNotice()), view.El("p", row...))
}
