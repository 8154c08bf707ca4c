package glossary

import (
	"errors"
	"slices"
	"strings"

	"retrylab.example/core/text"
)

// File is the name of the file that the page fetches: all terms in all languages.
const File = "words.txt"

// Words is a text in each language, in the order of text.Langs.
type Words [3]string

// In returns the text in a language.
func (w Words) In(l text.Lang) string { return w[slices.Index(text.Langs(), l)] }

// Section is a group of terms.
type Section struct {
	Title Words
	Terms []Term
}

// Term is a word with what it means, where that is from, and the steps ("lesson/step") where it is met.
type Term struct {
	ID               string
	Met              []string
	Source, Word, Is Words
}

// Write returns the terms as the page reads them: a line for each section and each term, with tabs between its fields.
func Write(sections []Section) string {
	var b strings.Builder
	for _, s := range sections {
		b.WriteString("#\t" + strings.Join(s.Title[:], "\t") + "\n")
		for _, t := range s.Terms {
			b.WriteString(t.ID + "\t" + strings.Join(t.Met, " ") + "\t" +
				strings.Join(slices.Concat(t.Source[:], t.Word[:], t.Is[:]), "\t") + "\n")
		}
	}
	return b.String()
}

var errBroken = errors.New(File)

// Read reads what Write wrote.
func Read(data string) (sections []Section, err error) {
	for line := range strings.Lines(data) {
		f := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		switch {
		case len(f) == 4 && f[0] == "#":
			sections = append(sections, Section{Title: Words(f[1:4])})
		case len(f) == 11 && len(sections) > 0:
			s := &sections[len(sections)-1]
			s.Terms = append(s.Terms, Term{ID: f[0], Met: strings.Fields(f[1]), Source: Words(f[2:5]), Word: Words(f[5:8]), Is: Words(f[8:11])})
		default:
			return nil, errBroken
		}
	}
	return sections, nil
}
