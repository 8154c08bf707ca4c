package lessons

import (
	"io/fs"
	"strings"
	"testing"
	"unicode"

	"retrylab.example/core/lesson"
	"retrylab.example/core/text"
)

// each runs a test for every lesson file of the course.
func each(t *testing.T, test func(t *testing.T, l *lesson.Lesson)) {
	files, err := fs.Glob(Files, "[0-9]*.json")
	if err != nil || len(files) == 0 {
		t.Fatalf("the course has no lessons: %v", err)
	}
	for _, name := range files {
		t.Run(name, func(t *testing.T) {
			data, err := Files.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			l, err := lesson.Read(name, data)
			if err != nil {
				t.Fatal(err)
			}
			test(t, &l)
		})
	}
}

// The start fails, the solution passes, each wrong answer fails with its named check, other seeds hold.
func TestEveryLessonIsProven(t *testing.T) {
	each(t, func(t *testing.T, l *lesson.Lesson) {
		plays := 0
		for i := range l.Steps {
			if l.Steps[i].Plays() {
				plays++
			}
		}
		if plays == 0 {
			t.Fatal("no step is played")
		}
		for _, p := range l.Prove() {
			t.Error(p)
		}
	})
}

func TestEveryLessonSpeaksEveryLanguage(t *testing.T) {
	each(t, func(t *testing.T, l *lesson.Lesson) {
		for _, lang := range text.Langs() {
			if _, got := l.Title.In(string(lang)); got != string(lang) {
				t.Errorf("the lesson has no %s", lang)
			}
		}
	})
}

// A solution may use no more than the step offers: what is shown on the timeline must be in the learner's reach.
func TestSolutionsStayWithinWhatIsAllowed(t *testing.T) {
	each(t, func(t *testing.T, l *lesson.Lesson) {
		for i := range l.Steps {
			for _, p := range l.Steps[i].Forbidden(l.Steps[i].Solution) {
				t.Errorf("step %s: %s", l.Steps[i].ID, p)
			}
			for _, w := range l.Steps[i].Wrong {
				for _, p := range l.Steps[i].Forbidden(w.Answer) {
					t.Errorf("step %s, wrong answer %s: %s", l.Steps[i].ID, w.ID, p)
				}
			}
		}
	})
}

// Lines of a lesson stay short, so no paragraph may be a wall; and nothing in it names a colour.
func TestTextsAreReadable(t *testing.T) {
	colours := []string{" red ", " green ", " blue ", " orange ", "빨간", "초록", "파란", "赤い", "緑の", "青い"}
	each(t, func(t *testing.T, l *lesson.Lesson) {
		for i := range l.Steps {
			s := &l.Steps[i]
			for _, tr := range append(append(lesson.Text{}, s.Body...), s.Explanation...) {
				for _, c := range colours {
					if strings.Contains(tr.Text, c) {
						t.Errorf("step %s, %s: the text names a colour: %q", s.ID, tr.Lang, c)
					}
				}
				for _, p := range strings.Split(tr.Text, "\n\n") {
					if n := width(p); n > 700 {
						t.Errorf("step %s, %s: a paragraph is %d columns long", s.ID, tr.Lang, n)
					}
				}
			}
		}
	})
}

// width counts CJK characters twice.
func width(s string) int {
	n := 0
	for _, r := range s {
		n++
		if unicode.In(r, unicode.Han, unicode.Hangul, unicode.Hiragana, unicode.Katakana) {
			n++
		}
	}
	return n
}
