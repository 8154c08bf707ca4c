package lesson

import (
	_ "embed"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// template is a small lesson in every language of TemplateLanguages. In it each text of a language stands on a line of
// its own.
//
//go:embed template.json
var template string

// TemplateLanguages returns the languages in which New can write a lesson.
func TemplateLanguages() []string { return []string{"en", "ko", "ja"} }

// New returns a small proven lesson to begin with: one step to read, one to play, one to predict. id is that of the
// lesson, 1 to 40 lower-case letters, digits and hyphens; languages are some of TemplateLanguages, the lesson's own
// first. The error says what is wrong with them and how to mend it.
func New(id string, languages []string) ([]byte, error) {
	known := TemplateLanguages()
	if !validID(id) {
		return nil, fmt.Errorf("%q cannot be the id of a lesson; %s", id, mendID)
	}
	if len(languages) == 0 {
		return nil, errors.New("the lesson has no language; use some of: " + strings.Join(known, ", "))
	}
	for i, lang := range languages {
		switch {
		case !slices.Contains(known, lang):
			return nil, fmt.Errorf("a new lesson cannot be written in %q; use some of: %s, and add others in the file",
				lang, strings.Join(known, ", "))
		case slices.Contains(languages[:i], lang):
			return nil, fmt.Errorf("the language %q stands twice; name it once", lang)
		}
	}
	var out []string
	for line := range strings.Lines(template) {
		text := strings.TrimSpace(line)
		switch lang, ok := translated(text); {
		case strings.HasPrefix(text, `"languages":`):
			line = `  "languages": ["` + strings.Join(languages, `", "`) + "\"],\n"
		case strings.HasPrefix(text, `"id": "my-lesson"`):
			line = `  "id": "` + id + "\",\n"
		case ok && !slices.Contains(languages, lang):
			continue
		case strings.HasPrefix(text, "}") && len(out) > 0:
			last := &out[len(out)-1]
			*last = strings.TrimRight(*last, ",\n") + "\n" // the languages that came after it are gone
		}
		out = append(out, line)
	}
	return []byte(strings.Join(out, "")), nil
}

// translated returns the language of a line that holds a text in one.
func translated(line string) (lang string, ok bool) {
	for _, lang := range TemplateLanguages() {
		if strings.HasPrefix(line, `"`+lang+`": `) {
			return lang, true
		}
	}
	return "", false
}
