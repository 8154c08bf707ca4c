// Package progress keeps what a learner has done: which steps were solved or seen. It is kept by the ids of lessons and
// steps, so that it survives the editing of lessons.
package progress

import (
	"encoding/json"
	"fmt"
	"strings"
)

// Key is where the browser keeps the book; Broken is where a book goes that could not be read, so that nothing is lost.
const (
	Key    = "retrylab.progress"
	Broken = "retrylab.progress.broken"
)

// Files is where the browser keeps what belongs to a lesson that was opened from a file: all its keys begin so.
const Files = "retrylab.file."

// State is how far a step is. The zero value is open.
type State string

const (
	// Open: not solved.
	Open State = ""
	// Seen: its solution was opened before it was solved.
	Seen State = "seen"
	// Solved: the learner met its goal, or read it where there is nothing to meet.
	Solved State = "solved"
)

// Book holds the state of every step that was begun. The zero value is empty.
type Book struct {
	// Steps maps "lesson/step" to its state.
	Steps map[string]State
	// Last is the place where the learner was last, as "lesson/step".
	Last string
	// Era counts how often something was reset. A book of a later era takes the place of one of an earlier era instead of
	// being joined with it, or another tab would bring back what was reset here.
	Era int
	// OfFile: the book is of a lesson from a file, and kept apart from the course, which may have a lesson of that id.
	OfFile bool
}

// Key is where the browser keeps this book.
func (b *Book) Key() string {
	if b.OfFile {
		return Files + "progress"
	}
	return Key
}

// Histories is how the keys begin under which the histories of the course are kept; "lesson/step" follows.
const Histories = "retrylab.history."

// HistoryKey is where the browser keeps the inputs that a learner made in a step.
func (b *Book) HistoryKey(lesson, step string) string {
	if b.OfFile {
		return Files + "history." + lesson + "/" + step
	}
	return Histories + lesson + "/" + step
}

type stored struct {
	Format int              `json:"format"`
	Era    int              `json:"era,omitempty"`
	Last   string           `json:"last,omitempty"`
	Steps  map[string]State `json:"steps"`
}

// Read reads a stored book; an empty text is an empty book.
func Read(text string) (Book, error) {
	if text == "" {
		return Book{}, nil
	}
	var s stored
	if err := json.Unmarshal([]byte(text), &s); err != nil {
		return Book{}, fmt.Errorf("the stored progress cannot be read: %w", err)
	}
	if s.Format != 1 {
		return Book{}, fmt.Errorf("the stored progress has format %d; this program reads format 1", s.Format)
	}
	for place, st := range s.Steps {
		if st != Seen && st != Solved || strings.Count(place, "/") != 1 {
			delete(s.Steps, place)
		}
	}
	return Book{Steps: s.Steps, Last: s.Last, Era: max(s.Era, 0)}, nil
}

// Write returns the book as a text that Read reads.
func (b *Book) Write() string {
	data, err := json.Marshal(stored{Format: 1, Era: b.Era, Last: b.Last, Steps: b.Steps})
	if err != nil {
		panic(err) // texts and maps of texts always encode
	}
	return string(data)
}

// Of returns the state of a step.
func (b *Book) Of(lesson, step string) State { return b.Steps[lesson+"/"+step] }

// Set records a state. A step that was solved or seen first stays as it was: the first counts.
func (b *Book) Set(lesson, step string, s State) (changed bool) {
	place := lesson + "/" + step
	if b.Steps[place] != Open {
		return false
	}
	if b.Steps == nil {
		b.Steps = map[string]State{}
	}
	b.Steps[place] = s
	return true
}

// Merge takes up what another tab has recorded meanwhile: what is known here stays, unless the other has reset something.
func (b *Book) Merge(other Book) {
	switch {
	case other.Era > b.Era:
		b.Steps, b.Last, b.Era = other.Steps, other.Last, other.Era
	case other.Era == b.Era:
		b.Add(other)
	}
}

// Add adds the steps of another book, whatever its era; what is known here stays.
func (b *Book) Add(other Book) {
	for place, s := range other.Steps {
		if b.Steps[place] == Open {
			if b.Steps == nil {
				b.Steps = map[string]State{}
			}
			b.Steps[place] = s
		}
	}
}

// Reset makes a step open again; all steps of the lesson if step is empty, and all there are if lesson is too.
func (b *Book) Reset(lesson, step string) {
	for place := range b.Steps {
		if Within(place, lesson, step) {
			delete(b.Steps, place)
		}
	}
	if lesson == "" {
		b.Last = ""
	}
	b.Era++
}

// Within reports whether a place, "lesson/step", is the step; or one of the lesson, or any, as for Reset.
func Within(place, lesson, step string) bool {
	return lesson == "" || place == lesson+"/"+step || step == "" && strings.HasPrefix(place, lesson+"/")
}
