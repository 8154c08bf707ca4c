package site

import (
	"regexp"
	"strings"
	"testing"

	"retrylab.example/core/lesson"
	"retrylab.example/core/text"
)

// realLessons reads the course.
func realLessons(t *testing.T) (files map[string][]byte, lessons []*lesson.Lesson) {
	t.Helper()
	root, err := FindRoot(".")
	if err != nil {
		t.Fatal(err)
	}
	if files, err = readLessons(root + "/lessons"); err != nil {
		t.Fatal(err)
	}
	if _, lessons, err = readCourse(files); err != nil {
		t.Fatal(err)
	}
	return files, lessons
}

// The pages to read hold every step of every lesson in their language, and nothing that a browser without scripts, or
// with the policy, would not show.
func TestReadings(t *testing.T) {
	files, lessons := realLessons(t)
	all, err := pages{}.Readings(files)
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range text.Langs() {
		page := string(all[readingName(string(l))])
		for _, les := range lessons {
			for i := range les.Steps {
				title, _ := les.Steps[i].Title.In(string(l))
				if !strings.Contains(page, strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;").Replace(title)) {
					t.Errorf("%s: %s/%s is missing", l, les.ID, les.Steps[i].ID)
				}
			}
		}
		for _, bad := range []string{`<script`, `<style`, ` style=`, `src=`, `<img`, `<button`, ` href="(https?:|/)`} {
			if m := regexp.MustCompile(bad).FindString(page); m != "" {
				t.Errorf("%s: the page has %q", l, m)
			}
		}
	}
}

// What is shown before the program comes has the timeline of every step that is played, in every language.
func TestFragmentsHaveTheTimeline(t *testing.T) {
	files, lessons := realLessons(t)
	all, err := pages{}.Fragments(files)
	if err != nil {
		t.Fatal(err)
	}
	played := 0
	for _, l := range text.Langs() {
		for _, les := range lessons {
			for i := range les.Steps {
				st := &les.Steps[i]
				html := string(all["fragments/"+les.ID+"/"+st.ID+"."+string(l)+".html"])
				title, _ := st.Title.In(string(l))
				if !strings.Contains(html, `id="lesson-h"`) || title == "" {
					t.Errorf("%s: %s/%s has no heading", l, les.ID, st.ID)
				}
				if has := strings.Contains(html, `<svg`) && strings.Contains(html, `id="timeline"`); has != st.Plays() {
					t.Errorf("%s: %s/%s has a timeline: %t", l, les.ID, st.ID, has)
				}
				if st.Plays() {
					played++
				}
			}
		}
	}
	if played < 30 {
		t.Errorf("only %d steps are played", played)
	}
}
