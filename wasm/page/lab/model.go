// Package lab is the page on which a step of a lesson is read and played.
package lab

import (
	"time"

	"retrylab.example/core/clock"
	"retrylab.example/core/event"
	"retrylab.example/core/lesson"
	"retrylab.example/core/retry"
	"retrylab.example/core/scenario"
	"retrylab.example/core/sim"
	"retrylab.example/core/text"
	"retrylab.example/wasm/progress"
	"retrylab.example/wasm/view"
	"retrylab.example/wasm/view/frame"
	"retrylab.example/wasm/view/timeline"
)

// Place says where the lesson stands in the course.
type Place struct {
	Number, Count int
	// Next is the id of the lesson after this one, empty after the last.
	Next string
	// Base is how the addresses of the steps begin; empty for a lesson of the course.
	Base string
	// Mark names the message that says that the lesson is not part of the course; empty for one that is.
	Mark string
	// Alone: the step is no part of a lesson, so that there is nowhere to go on to.
	Alone bool
	// Free: the step is the sandbox, which draws its editor in the place of the text.
	Free bool
	// Part: the page is drawn inside of another one, which has the bar and the dialogs.
	Part bool
	// Kept returns what the browser has kept of another step of the lesson; nil where nothing is kept.
	Kept func(step string) string
}

// Size is what the shell has measured of the page.
type Size struct {
	// Stage is the width of the timeline's box in px; Narrow says that the page is as narrow as a phone.
	Stage  int
	Narrow bool
}

// Model is everything that the page shows. Update changes it, View draws it.
type Model struct {
	Settings frame.Settings
	Size     Size

	place  Place
	lesson *lesson.Lesson
	// step is the index of the step; len(lesson.Steps) is the lesson's last page.
	step int
	book *progress.Book

	tree   scenario.Tree
	played scenario.Played
	pos    scenario.Position
	// part is what is drawn of the time axis, opened the client whose lane is drawn in a crowd, counted from 1; 0 is none.
	part   timeline.Span
	opened int
	// selected is the Seq of the event that is explained, 0 for none.
	selected int
	grade    lesson.Grade

	form        form
	prediction  string
	kept        bool // the prediction was said, before the run
	hints       int
	shown       bool // the solution was opened
	follow      bool
	playing     playing
	gliding     glide
	pane        string
	sheetOpen   bool
	clockOpen   bool    // on a phone, where the clock has the next event alone else
	problem     string  // what is wrong with what was sent or typed last
	knobTrouble string  // what is wrong with the policy that was to be set
	notice      string  // what the page has to say apart from the run
	aside       string  // what is only spoken: it is seen anyway
	versusKept  string  // the letters of the runs that were compared when the page was left
	versus      *versus // two runs that are compared, nil for one that is shown
	tabs        []tab   // the runs that stand beside each other, in the order of their letters
	shared      *shared
	lost        []int  // the inputs of the history that could not be done any more, by their numbers in it
	whole       *whole // what those were taken from, nil if none was
	trial       *trial // of a run on many seeds, nil for none
	trials      int    // how many there were
	share       share
	// judged holds how each branch ended; a branch never changes, so it is graded once. Looked up only.
	judged map[int]judged
	editor []view.Node // of the sandbox, as it draws it
	code   *coding     // of a step that asks for a function
	// keptRows are the rows of the event table that were drawn in the language rowsIn. Looked up only.
	keptRows map[keptRow]view.Node
	rowsIn   text.Lang
	indexed  *index
}

// judged is how the run of a branch ended: whether every check holds, on every seed, and when. The prediction is no part
// of a run, so it does not count.
type judged struct {
	holds bool
	end   clock.Instant
}

// form is what the learner has set up for the next request and reply, and typed into the knobs.
type form struct {
	client, amount int
	offer, times   int // the place of the request that is chosen, and how many are fired; 0 where none are offered
	method, key    string
	keyed          bool
	retryAfter     string
	advance        string
	knobs          map[knob]string // what was typed and is not in the run yet; looked up only
}

// knob is a knob of a client's policy.
type knob struct {
	client int
	name   string
}

// New returns the page of a step. history is what the browser kept of it, or empty.
func New(s frame.Settings, size Size, place Place, l *lesson.Lesson, step int, book *progress.Book, history string) *Model {
	m := &Model{Settings: s, Size: size, place: place, lesson: l, step: step, book: book, follow: true, pane: "lesson", judged: map[int]judged{}}
	st := m.current()
	if st != nil && st.Kind == lesson.Code {
		m.lesson = asScenario(l, step)
		m.form = form{knobs: map[knob]string{}, advance: "250 ms"}
		m.code = m.newCoding()
		if k, ok := readCode(history); ok {
			m.takeCode(k)
		}
	}
	if st != nil && st.Plays() {
		m.form = newForm(st)
		m.restore(history)
		m.replay()
		m.selectLatest()
		m.compareAgain()
	}
	return m
}

func newForm(st *lesson.Step) form {
	r := st.Scenario.Requests[0]
	f := form{
		method: r.Method, key: r.Key, keyed: r.Keyed, amount: int(r.Amount), advance: "250 ms", knobs: map[knob]string{},
	}
	f.start(st)
	return f
}

// policyNow returns the policy of the client of the form at the instant that the clock shows: the scenario's, or what
// an input of this run has set since. So undoing, another branch and the solution show the limits that hold there.
func (m *Model) policyNow() retry.Policy {
	if a := m.latest(func(a *sim.Action) bool { return a.Kind == sim.SetPolicy && a.Client == m.form.client }); a != nil {
		return a.Policy
	}
	return m.current().Scenario.Clients[m.form.client].Policy
}

// current returns the step that is shown, nil on the lesson's last page.
func (m *Model) current() *lesson.Step {
	if m.step < len(m.lesson.Steps) {
		return &m.lesson.Steps[m.step]
	}
	return nil
}

// Lesson and StepID name what is shown, for the shell.
func (m *Model) Lesson() string { return m.lesson.ID }

// StepID returns the id of the step, "end" on the lesson's last page.
func (m *Model) StepID() string {
	if st := m.current(); st != nil {
		return st.ID
	}
	return End
}

// End is the id of a lesson's last page in addresses.
const End = "end"

// Title returns what the browser's tab shows.
func (m *Model) Title() string {
	title, _ := m.lesson.Title.In(string(m.lang()))
	if st := m.current(); st != nil {
		step, _ := st.Title.In(string(m.lang()))
		title = step + " · " + title
	}
	return title + " · Retry Lab"
}

func (m *Model) lang() text.Lang { return m.Settings.Lang }

func (m *Model) names() text.Names {
	if m.versus != nil {
		return m.sideNames()
	}
	return m.current().Scenario.Names()
}

// seen returns the events that have happened.
func (m *Model) seen() []event.Event { return m.played.Events[:m.pos.Count] }

// replay makes the run of the inputs again and judges it.
func (m *Model) replay() {
	p, err := m.current().Scenario.Play(m.tree.Path())
	if err != nil {
		m.problem = err.Error()
		return
	}
	m.played, m.versus, m.rowsIn = p, nil, ""
	m.keepTabs()
	m.pos.Count = min(m.pos.Count, len(p.Events))
	m.judge()
}

// judge grades what has happened so far. A policy that holds here is tried on the hidden seeds too.
func (m *Model) judge() {
	if m.versus != nil { // each run is judged by itself
		return
	}
	st := m.current()
	m.grade = st.Judge(m.seen(), m.played.Settled(m.pos), m.said())
	m.grade.Solved = m.grade.Solved && !m.place.Alone // nothing is kept of it there
	if m.grade.Solved && st.Kind == lesson.Policy {
		m.grade, _ = st.Grade(lesson.Answer{Inputs: m.tree.Path(), Prediction: m.said()})
	}
}

// said returns the prediction once it was kept.
func (m *Model) said() string {
	if m.kept {
		return m.prediction
	}
	return ""
}

// selectedEvent returns the event that is explained and its index, nil if none is.
func (m *Model) selectedEvent() (*event.Event, int) {
	if m.selected > 0 && m.selected <= m.pos.Count {
		return &m.played.Events[m.selected-1], m.selected - 1
	}
	return nil, 0
}

// selectLatest explains the latest choice that has happened.
func (m *Model) selectLatest() {
	m.selected = 0
	for i := m.pos.Count - 1; i >= 0 && m.selected == 0; i-- {
		if m.played.Events[i].Decides() {
			m.selected = m.played.Events[i].Seq
		}
	}
}

// timer returns the pending timer that ends first: its event and when it ends.
func (m *Model) timer() (*event.Event, clock.Instant) {
	var first *event.Event
	for _, i := range before(m.index().timers, m.pos.Count) {
		if e := &m.played.Events[i]; e.Until > m.pos.Now && (first == nil || e.Until < first.Until) && m.pending(e) {
			first = e
		}
	}
	if first == nil {
		return nil, 0
	}
	return first, first.Until
}

// pending reports whether nothing has ended what an event began.
func (m *Model) pending(began *event.Event) bool {
	for i := began.Seq; i < m.pos.Count; i++ {
		e := &m.played.Events[i]
		if e.Request.Client != began.Request.Client || e.Request.Call != began.Request.Call {
			continue
		}
		switch e.Kind {
		case event.ReplyArrived, event.AttemptFailed, event.AttemptSent, event.CallSucceeded, event.CallGaveUp:
			return false
		}
	}
	return true
}

// end returns the right end of the time axis: all that is known of the run, and the deadlines in it.
func (m *Model) end() clock.Instant {
	end := clock.Start.Add(defaultSpan)
	if p := m.current().Scenario.Clients[0].Policy; p.Deadline > 0 && len(m.played.Events) == 0 {
		end = clock.Start.Add(p.Deadline)
	}
	if n := len(m.played.Events); n > 0 {
		end = m.played.Events[n-1].At
	}
	for _, i := range before(m.index().calls, m.pos.Count) {
		end = max(end, m.played.Events[i].Until)
	}
	return max(end, m.pos.Now)
}

// defaultSpan is how much time an empty timeline shows.
const defaultSpan = 5 * time.Second
