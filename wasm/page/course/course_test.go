package course

import (
	"strings"
	"testing"

	"retrylab.example/core/lesson"
	"retrylab.example/core/text"
	"retrylab.example/lessons"
	"retrylab.example/wasm/catalog"
	"retrylab.example/wasm/progress"
	"retrylab.example/wasm/view/frame"
)

func twoLessons() *catalog.Catalog {
	title := func(s string) lesson.Text { return lesson.Text{{Lang: "en", Text: s}} }
	entry := func(id string) catalog.Entry {
		return catalog.Entry{
			ID: id, File: id + ".json", Title: title("Title of " + id), Summary: title("Sum"), Minutes: 10,
			Steps: []catalog.Step{{ID: "x", Title: title("Step X")}, {ID: "y", Title: title("Step Y")}},
		}
	}
	c := &catalog.Catalog{Lessons: []catalog.Entry{entry("one"), entry("two")}}
	c.Lessons[1].After = []string{"one", "gone"}
	return c
}

// The way on leads to where one stopped; after a lesson's last page, to the next step that is open.
func TestResume(t *testing.T) {
	for _, c := range []struct {
		last, solved, lesson, step string
		stopped                    bool
	}{
		{"", "", "one", "x", false},
		{"gone/x", "", "one", "x", false},
		{"one/y", "", "one", "y", true},
		{"one/y", "one/x one/y", "one", "y", true},
		{"one/end", "one/x", "one", "y", true},
		{"one/end", "one/x one/y", "two", "x", false},
		{"two/end", "two/x two/y", "one", "x", false},
		{"two/end", "one/x one/y two/x two/y", "two", "x", true},
		{"one/gone", "", "one", "x", true},
		{"/", "", "one", "x", false},
	} {
		book := progress.Book{Last: c.last}
		for _, place := range strings.Fields(c.solved) {
			l, s, _ := strings.Cut(place, "/")
			book.Set(l, s, progress.Solved)
		}
		m := New(frame.Settings{Lang: text.English}, twoLessons(), &book)
		e, step, stopped := m.resume()
		if e.ID != c.lesson || e.Steps[step].ID != c.step || stopped != c.stopped {
			t.Errorf("last %q, solved %q: %s/%s %t, want %s/%s %t", c.last, c.solved, e.ID, e.Steps[step].ID, stopped, c.lesson, c.step, c.stopped)
		}
		if html := m.View().HTML(); !strings.Contains(html, `href="#/lesson/`+c.lesson+"/"+c.step+`"`) {
			t.Errorf("last %q: the page does not lead to %s/%s", c.last, c.lesson, c.step)
		}
	}
}

// The counts tell solved from seen, and a finished course says so, in every language.
func TestCounts(t *testing.T) {
	book := progress.Book{}
	m := New(frame.Settings{Lang: text.English}, twoLessons(), &book)
	m.View()
	book.Set("one", "x", progress.Seen)
	book.Set("one", "y", progress.Solved)
	if html := m.View().HTML(); !strings.Contains(html, "les--done") || strings.Count(html, "is-seen") != 1 || strings.Count(html, "is-solved") != 1 {
		t.Errorf("one lesson done: %s", html)
	}
	book.Set("two", "x", progress.Solved)
	book.Set("two", "y", progress.Solved)
	for _, l := range text.Langs() {
		m.Settings.Lang = l
		if html := m.View().HTML(); !strings.Contains(html, l.Say("course.finished")) {
			t.Errorf("%s: the course is finished and does not say so", l)
		}
	}
	if m.Update(1) != nil || !strings.Contains(m.Title(), "Retry Lab") {
		t.Error("the overview does something")
	}
}

// Without a lesson there is a page that says so.
func TestNoLessons(t *testing.T) {
	m := New(frame.Settings{Lang: text.Korean}, &catalog.Catalog{}, &progress.Book{Last: "one/x"})
	if html := m.View().HTML(); !strings.Contains(html, text.Korean.Say("course.none")) {
		t.Error("it does not say that there is none")
	}
}

// The real course is shown in each language, and written and read it is the same.
func TestTheCourse(t *testing.T) {
	entries, err := lessons.Files.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	var c catalog.Catalog
	for _, e := range entries {
		data, err := lessons.Files.ReadFile(e.Name())
		if err != nil {
			t.Fatal(err)
		}
		l, err := lesson.Read(e.Name(), data)
		if err != nil {
			t.Fatal(err)
		}
		c.Lessons = append(c.Lessons, catalog.Of(e.Name(), &l))
	}
	data, err := c.Write()
	if err != nil {
		t.Fatal(err)
	}
	read, err := catalog.Read(data)
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range text.Langs() {
		book := &progress.Book{Last: c.Lessons[0].ID + "/" + c.Lessons[0].Steps[1].ID}
		s := frame.Settings{Lang: l, Theme: "dark", Contrast: "more"}
		if got, want := New(s, &read, book).View().HTML(), New(s, &c, book).View().HTML(); got != want {
			t.Errorf("%s: the course that was read is another", l)
		}
	}
	for _, bad := range []string{"", "[]", "{", `{"lessons":{}}`, `{"lessons":[{"steps":7}]}`} {
		if _, err := catalog.Read([]byte(bad)); err == nil {
			t.Errorf("%q was read", bad)
		}
	}
	if c.Find("nothing") != -1 || c.Find(c.Lessons[0].ID) != 0 || c.Lessons[0].Step("nothing") != -1 {
		t.Error("what is not there is found")
	}
}
