//go:build e2e

package e2e

import (
	"strconv"
	"testing"

	"retrylab.example/core/text"
)

// TestLessonsByMouse: both lessons are played from the course page to their last pages, each step with the reference's
// solution, and the course then says that it is finished.
func TestLessonsByMouse(t *testing.T) { playCourse(t, mouse{}) }

// TestLessonsByKeyboard: the same with nothing but the keyboard.
func TestLessonsByKeyboard(t *testing.T) { playCourse(t, keyboard{}) }

func playCourse(t *testing.T, h hands) {
	p := open(t, "")
	lessons := course(t)
	say := func(name string, args ...string) string { return text.English.Say(name, args...) }
	h.press(p, one(".cont a"))
	for i, l := range lessons {
		for k := range l.Steps {
			step := &l.Steps[k]
			if k > 0 || i == 0 {
				p.shows(hashOf(l.ID, step.ID))
			} else {
				p.shows("#/lesson/" + l.ID)
			}
			title, _ := step.Title.In("en")
			want(p, `document.querySelector("#lesson-h").innerText`, title)
			want(p, `document.activeElement.id`, "lesson-h")
			if step.Plays() {
				play := newPlayer(p, h, step)
				play.answer(step.Solution)
				play.finish()
				play.solved()
			}
			want(p, `document.querySelector(".pip.is-here").classList.contains("is-solved")`, step.Plays()) // reading is done by going on
			h.press(p, one(".onward a"))
			if t.Failed() {
				t.Fatalf("in %s/%s", l.ID, step.ID)
			}
		}
		p.shows(hashOf(l.ID, "end"))
		count := strconv.Itoa(len(l.Steps))
		want(p, `document.querySelector("#lesson-h").innerText`, say("lab.end-done"))
		want(p, `document.querySelector("#lesson-h + p").innerText`, say("lab.end-count", "n", count, "count", count))
		name := "lab.next-lesson"
		if i == len(lessons)-1 {
			name = "lab.back-to-course"
		}
		h.press(p, by(".onward a", say(name)))
	}
	p.shows("#/")
	want(p, `document.querySelectorAll(".les--done").length`, len(lessons))
	want(p, `document.querySelector("#lessons .note").innerText.includes(`+quote(say("course.finished"))+`)`, true)
}
