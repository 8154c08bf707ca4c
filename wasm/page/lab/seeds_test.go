package lab

import (
	"strings"
	"testing"

	"retrylab.example/core/lesson"
	"retrylab.example/wasm/effect"
	"retrylab.example/wasm/job"
	"retrylab.example/wasm/view/frame"
)

// drawing returns a goal step of the course in which something is drawn, and an answer that fails on some seeds.
func drawingStep(t *testing.T) (l *lesson.Lesson, st *lesson.Step, wrong lesson.Answer) {
	t.Helper()
	for _, l := range course(t) {
		for i := range l.Steps {
			st := &l.Steps[i]
			if st.Kind != lesson.Policy || !st.Scenario.NeedsDraw(st.Solution.Inputs) {
				continue
			}
			for _, w := range st.Wrong {
				if st.Scenario.NeedsDraw(w.Answer.Inputs) && len(w.Answer.Inputs) > 0 {
					return l, st, w.Answer
				}
			}
		}
	}
	t.Fatal("no goal step of the course draws anything")
	return nil, nil, wrong
}

// requests returns what the worker was asked for, "" for that it was ended.
func requests(p *person) (list []string) {
	for _, e := range p.effects {
		if j, ok := e.(effect.Job); ok {
			list = append(list, j.Request)
		}
	}
	return list
}

// work lets the worker do a request, and gives the page what it answers.
func (p *person) work(request string) *person {
	p.t.Helper()
	job.Serve([]byte(request), nil, func(m []byte) { p.send(frame.Answer{Message: string(m)}) })
	return p
}

// TestManySeeds: a run that was done is tried on a thousand seeds by the worker; how far that is, what came of it and what
// the checks measured are said, and the first seed that fails opens as a run of its own.
func TestManySeeds(t *testing.T) {
	l, st, wrong := drawingStep(t)
	p := at(t, l, st.ID)
	if !strings.Contains(p.View().HTML(), `aria-disabled="true" class="btn btn--s" id="try-seeds"`) && p.send(TrySeeds{}).trial != nil {
		t.Fatal("nothing was done, and it is tried")
	}
	if !p.tree.Replace(wrong.Inputs) {
		t.Fatal("the answer does not fit")
	}
	p.replay()
	p.send(Run{}, TrySeeds{})
	asked := requests(p)
	if len(asked) != 1 || asked[0] == "" || !strings.Contains(p.View().HTML(), "<progress") {
		t.Fatalf("the worker was asked for %.80q", asked)
	}
	p.work(asked[0])
	w := st.Sweep(wrong, manySeeds)
	w.Run(manySeeds)
	so := w.So()
	if !so.Failed || so.Done != manySeeds {
		t.Fatalf("the wrong answer: %+v", so)
	}
	if html := p.View().HTML(); !strings.Contains(html, p.lang().Sweep(&so)) || !strings.Contains(html, p.lang().SweepNumbers(&so.Numbers[0])) {
		t.Errorf("the page does not say %q", p.lang().Sweep(&so))
	}
	p.use(frame.OpenSeed{Seed: so.FailedSeed})
	var opened *person
	for _, e := range p.effects {
		if g, ok := e.(effect.Go); ok {
			opened = follow(t, l, address+g.Hash, "")
		}
	}
	if opened == nil {
		t.Fatal("the seed does not open")
	}
	opened.send(Run{})
	if opened.current().Scenario.Seed != so.FailedSeed || opened.grade.Solved || !opened.otherSeed() {
		t.Errorf("what opens has the seed %d, solved %v", opened.current().Scenario.Seed, opened.grade.Solved)
	}
}

// TestSeedsAreOfTheirRun: a trial that was stopped says what it found so far; one of another run is not shown with this
// one; an answer that comes too late is left aside.
func TestSeedsAreOfTheirRun(t *testing.T) {
	l, st, wrong := drawingStep(t)
	p := at(t, l, st.ID)
	p.tree.Replace(wrong.Inputs)
	p.replay()
	p.send(Run{}, TrySeeds{})
	late := requests(p)[0]
	p.send(StopSeeds{})
	if got := requests(p); got[len(got)-1] != "" || p.trial != nil {
		t.Fatal("the worker was not ended")
	}
	p.work(late)
	if p.trial != nil {
		t.Error("an answer of a trial that was stopped is shown")
	}
	p.send(TrySeeds{})
	first := requests(p)
	p.work(late)
	if p.trial == nil || p.trial.so.Done != 0 {
		t.Fatal("an answer of an earlier trial is taken for one of this")
	}
	p.work(first[len(first)-1])
	p.tree.Replace(st.Solution.Inputs)
	p.replay()
	if p.trialNow() != nil {
		t.Error("what was found of another run is shown with this one")
	}
	p.tree.Replace(wrong.Inputs)
	p.replay()
	if p.trialNow() == nil {
		t.Error("what was found is lost")
	}
	p.send(TrySeeds{}, frame.Answer{Message: `{"refused": "no room"}`})
	if p.trial.running || !strings.Contains(p.View().HTML(), "no room") {
		t.Error("a refusal of the worker is not said")
	}
}
