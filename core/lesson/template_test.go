package lesson

import (
	"slices"
	"strings"
	"testing"
)

// A new lesson is proven at once, in every set of languages, in any order, and holds no text of another language.
func TestNewLessonsAreProven(t *testing.T) {
	for _, languages := range [][]string{
		{"en"}, {"ko"}, {"ja"}, {"en", "ko"}, {"ko", "en"}, {"en", "ja"}, {"ja", "ko"}, {"en", "ko", "ja"}, {"ja", "ko", "en"},
	} {
		data, err := New("a-lesson", languages)
		if err != nil {
			t.Fatal(err)
		}
		l, proven, faults := Lint("a-lesson.json", data)
		if len(faults) > 0 || proven != 2 || l.ID != "a-lesson" || !slices.Equal(l.Languages, languages) {
			t.Errorf("%v: %d proven, id %q, languages %v, faults\n%v", languages, proven, l.ID, l.Languages, faults)
		}
		var kinds []string
		for _, s := range l.Steps {
			kinds = append(kinds, s.Kind.String())
		}
		if got := strings.Join(kinds, " "); got != "explain play predict" {
			t.Errorf("%v: the steps are %s", languages, got)
		}
	}
}

func TestNewLessonsWholeIsTheTemplate(t *testing.T) {
	data, err := New("my-lesson", TemplateLanguages())
	if err != nil || string(data) != template {
		t.Errorf("%v: what is new in every language is not the template:\n%s", err, data)
	}
}

func TestNewRefuses(t *testing.T) {
	for _, c := range []struct {
		id        string
		languages []string
		want      string
	}{
		{"", []string{"en"}, `"" cannot be the id of a lesson; use 1 to 40 lower-case letters, digits and hyphens`},
		{"My Lesson", []string{"en"}, `"My Lesson" cannot be the id of a lesson; use 1 to 40 lower-case letters, digits and hyphens`},
		{"a/../b", []string{"en"}, `"a/../b" cannot be the id of a lesson; use 1 to 40 lower-case letters, digits and hyphens`},
		{"a", nil, "the lesson has no language; use some of: en, ko, ja"},
		{"a", []string{"en", "fr"}, `a new lesson cannot be written in "fr"; use some of: en, ko, ja, and add others in the file`},
		{"a", []string{"en", "en"}, `the language "en" stands twice; name it once`},
	} {
		if data, err := New(c.id, c.languages); err == nil || err.Error() != c.want || data != nil {
			t.Errorf("%q in %v: got %v, want %s", c.id, c.languages, err, c.want)
		}
	}
}
