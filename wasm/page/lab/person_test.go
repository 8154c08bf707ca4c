package lab

import (
	"io/fs"
	"os"
	"reflect"
	"slices"
	"strconv"
	"testing"

	"retrylab.example/core/call"
	"retrylab.example/core/clock"
	"retrylab.example/core/document"
	"retrylab.example/core/lesson"
	"retrylab.example/core/retry"
	"retrylab.example/core/sim"
	"retrylab.example/core/text"
	"retrylab.example/lessons"
	"retrylab.example/wasm/effect"
	"retrylab.example/wasm/progress"
	"retrylab.example/wasm/view"
	"retrylab.example/wasm/view/frame"
)

// course returns the lessons of the course.
func course(t testing.TB) []*lesson.Lesson {
	t.Helper()
	names, err := fs.Glob(lessons.Files, "*.json")
	if err != nil {
		t.Fatal(err)
	}
	var all []*lesson.Lesson
	for _, name := range names {
		data, err := lessons.Files.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		l, err := lesson.Read(name, data)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, &l)
	}
	return all
}

// small is a lesson with one step of each kind, in English and Korean.
func small(t testing.TB) *lesson.Lesson {
	t.Helper()
	data, err := os.ReadFile("testdata/lesson.json")
	if err != nil {
		t.Fatal(err)
	}
	l, err := lesson.Read("lesson.json", data)
	if err != nil {
		t.Fatal(err)
	}
	return &l
}

// person is somebody at the page: everything goes through what the page shows, and its effects are kept.
type person struct {
	t testing.TB
	*Model
	effects []effect.Effect
}

// at opens a step of a lesson in English on a wide screen, with nothing kept.
func at(t testing.TB, l *lesson.Lesson, step string) *person {
	t.Helper()
	return &person{t: t, Model: New(frame.Settings{Lang: text.English}, Size{Stage: 640}, Place{Number: 1, Count: 2, Next: "next"},
		l, stepIndex(t, l, step), &progress.Book{}, "")}
}

func stepIndex(t testing.TB, l *lesson.Lesson, id string) int {
	t.Helper()
	if id == End {
		return len(l.Steps)
	}
	i := slices.IndexFunc(l.Steps, func(s lesson.Step) bool { return s.ID == id })
	if i < 0 {
		t.Fatalf("there is no step %s", id)
	}
	return i
}

// send gives messages to the page, as keys do; it keeps the effects of the last.
func (p *person) send(msgs ...any) *person {
	for _, msg := range msgs {
		p.effects = p.Update(msg)
	}
	return p
}

// use does messages as a person can: by a control that is shown, and is not off.
func (p *person) use(msgs ...any) *person {
	p.t.Helper()
	for _, msg := range msgs {
		if !offers(p.View(), msg) {
			p.t.Fatalf("%s: nothing on the page does %T%+v", p.StepID(), msg, msg)
		}
		p.send(msg)
	}
	return p
}

// offers reports whether a control in the tree sends the message.
func offers(n view.Node, msg any) bool {
	for _, name := range []string{"disabled", "aria-disabled"} {
		if _, off := n.Get(name); off {
			return false
		}
	}
	for _, h := range n.On {
		if h.With == nil && h.Msg == msg {
			return true
		}
		for _, value := range values(n, msg) {
			if h.With != nil && h.With(value) == msg {
				return true
			}
		}
	}
	return slices.ContainsFunc(n.Kids, func(k view.Node) bool { return offers(k, msg) })
}

// values returns what a person can choose or write in a control: for a field, what the message holds.
func values(n view.Node, msg any) []string {
	var list []string
	switch kind, _ := n.Get("type"); {
	case n.Tag == "select":
		for _, option := range n.Kids {
			value, _ := option.Get("value")
			list = append(list, value)
		}
	case kind == "checkbox" || kind == "radio":
		list = []string{"true", "false"}
	case n.Tag == "input":
		for v, i := reflect.ValueOf(msg), 0; i < v.NumField(); i++ {
			if v.Field(i).Kind() == reflect.String {
				list = append(list, v.Field(i).String())
			}
		}
	}
	return list
}

// play does an answer as a person would: it moves the clock, sets fields and knobs, presses buttons, and runs to the end.
func (p *person) play(a lesson.Answer) *person {
	p.t.Helper()
	if a.Prediction != "" {
		p.use(Predict{a.Prediction}, KeepPrediction{})
	}
	for _, in := range a.Inputs {
		if wait := in.At.Sub(p.pos.Now); wait > 0 {
			p.use(SetAdvance{document.FormatDuration(wait)}, AdvanceTyped{})
		}
		switch in.Action.Kind {
		case sim.Inject:
			p.inject(in.Action.Mishap)
		case sim.SetPolicy:
			p.turn(in.Action)
		case sim.SetGuards, sim.SetLimit:
			p.set(in.Action)
		default:
			p.fire(in.Action)
		}
	}
	for p.pos.Count < len(p.played.Events) {
		p.use(Run{})
	}
	return p
}

func (p *person) inject(m sim.Mishap) {
	p.t.Helper()
	if m.Response.RetryAfter != p.form.retryAfter {
		p.use(SetRetryAfter{m.Response.RetryAfter})
	}
	p.use(Inject{lesson.InjectName(m)})
}

func (p *person) turn(a sim.Action) {
	p.t.Helper()
	if a.Client != p.form.client {
		p.use(SetClient{a.Client})
	}
	for _, knob := range lesson.Turned(p.policyNow(), a.Policy) {
		p.use(SetKnob{knob, knobOf(p.t, &a.Policy, knob)})
	}
	if p.pos.Count == 0 {
		p.use(ReplayPolicy{})
		return
	}
	p.use(ApplyPolicy{})
}

// set turns the knobs of the guards or of the limit.
func (p *person) set(a sim.Action) {
	p.t.Helper()
	if a.Kind == sim.SetLimit {
		p.use(SetKnob{"limit.count", a.Limit.Count}, SetKnob{"limit.window", a.Limit.Window})
	} else {
		if a.Client != p.form.client {
			p.use(SetClient{a.Client})
		}
		sc, now, to := &p.current().Scenario, p.guardsNow(), sim.Guards{}
		if a.Guards != nil {
			to = *a.Guards
		}
		for _, knob := range sc.TurnedGuards(p.own(), &now, a.Guards) {
			p.use(SetKnob{knob, sc.GuardText(to, knob)})
		}
	}
	if p.pos.Count == 0 {
		p.use(ReplayPolicy{})
		return
	}
	p.use(ApplyPolicy{})
}

func (p *person) fire(a sim.Action) {
	p.t.Helper()
	r := a.Request
	if a.Client != p.form.client {
		p.use(SetClient{a.Client})
	}
	offers := p.current().Allow.Requests
	if i := slices.IndexFunc(offers, func(o lesson.Offer) bool { return o.Sends(r) }); i >= 0 {
		p.use(SetOffer{offers[i].ID})
	} else if r.Method != p.form.method {
		p.use(SetMethod{r.Method})
	}
	if len(p.current().Allow.Times) > 1 {
		p.use(SetTimes{max(a.Times, 1)})
	}
	if r.Key != p.form.key {
		p.use(SetKey{r.Key})
	}
	if op := r.Op(); op != call.Read && op != call.Clear && r.Amount != p.request().Amount {
		p.use(SetAmount{int(r.Amount)})
	}
	p.use(Fire{})
}

// knobOf writes a part of a policy as a person writes it.
func knobOf(t testing.TB, p *retry.Policy, knob string) string {
	t.Helper()
	switch knob {
	case "attempts":
		return strconv.Itoa(p.Attempts)
	case "deadline":
		return spaced(p.Deadline)
	case "attemptTimeout":
		return spaced(p.AttemptTimeout)
	case "base":
		return spaced(p.Backoff.Base)
	case "cap":
		return spaced(p.Backoff.Cap)
	case "jitter":
		return p.Jitter.String()
	case "retryAfter":
		return p.RetryAfter.String()
	case "methods":
		return p.Safety.String()
	case "freshDeadline":
		return strconv.FormatBool(p.FreshDeadline)
	}
	t.Fatalf("nobody knows how to write the knob %s", knob)
	return ""
}

func (p *person) state() progress.State { return p.book.Of(p.lesson.ID, p.StepID()) }

// did reports whether the last message had an effect.
func (p *person) did(e effect.Effect) bool { return slices.Contains(p.effects, e) }

// stored returns what the last message kept under a key.
func (p *person) stored(key string) (value string, ok bool) {
	for _, e := range p.effects {
		if s, is := e.(effect.Store); is && s.Key == key {
			return s.Value, true
		}
	}
	return "", false
}

// spoken returns all that the last message had announced.
func (p *person) spoken() []string {
	var all []string
	for _, e := range p.effects {
		if a, is := e.(effect.Announce); is {
			all = append(all, a.Text)
		}
	}
	return all
}

func ms(n int64) clock.Instant { return clock.Instant(n * 1e6) }

// Every solution of every step, done by what the page offers, solves the step; every wrong answer leaves it open.
func TestAnswersAreJudgedThroughThePage(t *testing.T) {
	all := append(course(t), small(t))
	for _, l := range all {
		for i := range l.Steps {
			st := &l.Steps[i]
			if !st.Plays() {
				continue
			}
			t.Run(l.ID+"/"+st.ID, func(t *testing.T) {
				p := at(t, l, st.ID).play(st.Solution)
				if !p.grade.Solved || p.state() != progress.Solved {
					t.Errorf("the solution does not solve it: %+v", p.grade)
				}
				if got, want := st.Scenario.WriteInputs(p.tree.Path()), st.Scenario.WriteInputs(st.Solution.Inputs); string(got) != string(want) {
					t.Errorf("the page did\n%s\nthe solution is\n%s", got, want)
				}
				for _, w := range st.Wrong {
					p := at(t, l, st.ID).play(w.Answer)
					if p.grade.Solved || p.state() != progress.Open && !onTheWay(st, w.Answer) {
						t.Errorf("the wrong answer %s solves it", w.ID)
					}
					checkFailure(t, p, w)
				}
			})
		}
	}
}

// onTheWay reports whether an answer solves the step before it goes too far, as firing twice may do: then it is solved.
func onTheWay(st *lesson.Step, a lesson.Answer) bool {
	for n := range a.Inputs {
		if g, _ := st.Grade(lesson.Answer{Inputs: a.Inputs[:n], Prediction: a.Prediction}); g.Solved {
			return true
		}
	}
	return false
}

// checkFailure checks that a wrong answer fails by what it names.
func checkFailure(t *testing.T, p *person, w lesson.WrongAnswer) {
	t.Helper()
	if w.Fails == "prediction" {
		if p.grade.Right {
			t.Errorf("the wrong answer %s has the right prediction", w.ID)
		}
		return
	}
	for i := range p.current().Checks {
		if p.current().Checks[i].ID == w.Fails && p.grade.Results[i].State == lesson.Holds && p.grade.FailedSeed == 0 {
			t.Errorf("the wrong answer %s does not fail %s", w.ID, w.Fails)
		}
	}
}
