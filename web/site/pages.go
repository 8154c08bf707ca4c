package site

import (
	"fmt"
	"maps"
	"slices"

	"retrylab.example/core/lesson"
	"retrylab.example/core/text"
	"retrylab.example/wasm/catalog"
	"retrylab.example/wasm/page/course"
	"retrylab.example/wasm/page/lab"
	"retrylab.example/wasm/progress"
	"retrylab.example/wasm/view"
	"retrylab.example/wasm/view/frame"
)

// pages renders the list of lessons, and each page with the View that the program itself draws it with: what is on the
// page before the program runs is what it will show.
type pages struct{}

// Index lists the lessons.
func (pages) Index(files map[string][]byte) ([]byte, error) {
	c, _, err := readCourse(files)
	if err != nil {
		return nil, err
	}
	return c.Write()
}

// Fragments renders the course and every step in every language.
func (pages) Fragments(files map[string][]byte) (map[string][]byte, error) {
	c, lessons, err := readCourse(files)
	if err != nil {
		return nil, err
	}
	fragments := map[string][]byte{}
	for _, lang := range text.Langs() {
		s := frame.Settings{Lang: lang}
		put := func(name string, n view.Node) {
			fragments["fragments/"+name+"."+string(lang)+".html"] = []byte(n.HTML())
		}
		put("course", course.New(s, c, &progress.Book{}).View())
		for i, l := range lessons {
			place := lab.Place{Number: i + 1, Count: len(lessons)}
			for k := range len(l.Steps) + 1 {
				m := lab.New(s, fragmentSize, place, l, k, &progress.Book{}, "")
				put(l.ID+"/"+m.StepID(), m.View())
			}
		}
	}
	return fragments, nil
}

// fragmentSize is for whom the static timeline is drawn; the program draws it again at the size that it finds.
var fragmentSize = lab.Size{Stage: 640}

func readCourse(files map[string][]byte) (*catalog.Catalog, []*lesson.Lesson, error) {
	c := &catalog.Catalog{}
	var lessons []*lesson.Lesson
	for _, name := range slices.Sorted(maps.Keys(files)) {
		l, err := lesson.Read(name, files[name])
		if err != nil {
			return nil, nil, err
		}
		if c.Find(l.ID) >= 0 {
			return nil, nil, fmt.Errorf("%s: there are two lessons with the id %q", name, l.ID)
		}
		c.Lessons = append(c.Lessons, catalog.Of(name, &l))
		lessons = append(lessons, &l)
	}
	return c, lessons, nil
}
