//go:build e2e

package e2e

import (
	"strconv"
	"testing"

	"retrylab.example/core/clock"
	"retrylab.example/core/lesson"
	"retrylab.example/core/text"
)

// TestEveryLesson plays each lesson of the course by mouse, from its first step to its last page, with the reference's
// solutions. On the way one check is failed on purpose, and in the middle of a run the language is changed and the page
// loaded anew. The course page then says that all is finished.
func TestEveryLesson(t *testing.T) {
	learner := open(t, "")
	lessons := course(t)
	finished := 0
	for i, l := range lessons {
		t.Run(l.ID, func(t *testing.T) {
			p := learner.another(t)
			p.visit(hashOf(l.ID, l.Steps[0].ID))
			tour := tour{l: l}
			tour.play(p, mouse{})
			if !tour.failed || !tour.moved {
				t.Errorf("no check of it was failed on purpose (%t), or no run was left and found again (%t)", tour.failed, tour.moved)
			}
			lastPage(p, l, i == len(lessons)-1)
			finished++
		})
	}
	overview := learner.another(t)
	overview.visit("")
	want(overview, `document.querySelectorAll(".les--done").length`, finished)
	want(overview, `document.querySelector("#lessons .note").innerText.includes(`+quote(text.English.Say("course.finished"))+`)`, finished == len(lessons))
}

// TestLessonsByKeyboard plays the first lessons from the course page on with nothing but the keyboard.
func TestLessonsByKeyboard(t *testing.T) {
	p := open(t, "")
	k := keyboard{}
	k.press(p, one(".cont a"))
	const most = 2 // they have fields, selects, options and buttons of every kind
	for i, l := range course(t)[:most] {
		tour := tour{l: l, failed: true, moved: true, entered: i > 0}
		tour.play(p, k)
		lastPage(p, l, false)
		k.press(p, by(".onward a", text.English.Say("lab.next-lesson")))
	}
	p.goTo("#/")
	want(p, `document.querySelectorAll(".les--done").length`, most)
}

// tour is the way through a lesson.
type tour struct {
	l       *lesson.Lesson
	entered bool // without naming a step, from the lesson before
	failed  bool // a check was failed on purpose
	moved   bool // a run was left in its middle, and found again
}

// play solves each step and goes on to the next one, until the last page shows.
func (v *tour) play(p *tab, h hands) {
	p.t.Helper()
	for k := range v.l.Steps {
		st := &v.l.Steps[k]
		if k == 0 && v.entered {
			p.shows("#/lesson/" + v.l.ID)
		} else {
			p.shows(hashOf(v.l.ID, st.ID))
		}
		want(p, `document.querySelector("#lesson-h").innerText`, in(st.Title, text.English))
		if k > 0 {
			want(p, `document.activeElement.id`, "lesson-h")
		}
		if st.Plays() {
			v.solve(p, h, st)
		}
		want(p, `document.querySelector(".pip.is-here").classList.contains("is-solved")`, st.Plays()) // reading is done by going on
		h.press(p, one(".onward a"))
		if p.t.Failed() {
			p.t.Fatalf("in %s/%s", v.l.ID, st.ID)
		}
	}
	p.shows(hashOf(v.l.ID, "end"))
}

func (v *tour) solve(p *tab, h hands, st *lesson.Step) {
	p.t.Helper()
	before := v.failed
	if !v.failed {
		v.failed = failOnPurpose(p, h, st)
	}
	play := newPlayer(p, h, st)
	play.answer(st.Solution)
	if before && !v.moved && play.pos.Count > 0 && play.pos.Count < len(play.played.Events) {
		v.moved = true
		play.leaveAndReturn()
	}
	play.finish()
	play.solved()
}

// leaveAndReturn changes the language, and loads the page anew: the place, the run and what is explained stay.
func (p *player) leaveAndReturn() {
	p.t.Helper()
	p.drawn()
	selected := `(document.querySelector("#events tr.is-sel") || {id: ""}).id`
	before, runs, n := eval[string](p.tab, selected), p.count(".tries li"), p.rows()
	same := func(l text.Lang) {
		p.t.Helper()
		want(p.tab, "document.documentElement.lang", string(l))
		p.waitRows(n)
		want(p.tab, selected, before)
		want(p.tab, clockShows, l.Seconds(p.pos.Now.Sub(clock.Start)))
		want(p.tab, `document.querySelector("#lesson-h").innerText`, in(p.step.Title, l))
		want(p.tab, `document.querySelectorAll(".tries li").length`, runs)
	}
	for _, l := range []text.Lang{text.Korean, text.Japanese} {
		p.h.pick(p.tab, one(".field--lang select"), l.Name())
		same(l)
	}
	p.reload()
	same(text.Japanese)
	p.h.pick(p.tab, one(".field--lang select"), text.English.Name())
	same(text.English)
}

// lastPage: the summary counts the steps, and leads on.
func lastPage(p *tab, l *lesson.Lesson, last bool) {
	p.t.Helper()
	say := func(name string, args ...string) string { return text.English.Say(name, args...) }
	count := strconv.Itoa(len(l.Steps))
	want(p, `document.querySelector("#lesson-h").innerText`, say("lab.end-done"))
	want(p, `document.querySelector("#lesson-h + p").innerText`, say("lab.end-count", "n", count, "count", count))
	onward := "lab.next-lesson"
	if last {
		onward = "lab.back-to-course"
	}
	p.waitFor(by(".onward a", say(onward)))
}
