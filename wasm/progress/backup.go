package progress

import (
	"encoding/json"
	"strings"

	"retrylab.example/core/limit"
)

// Backup is everything that the browser keeps of the course, as a file: the book, and what was done in each step.
type Backup struct {
	Book Book
	// Histories maps "lesson/step" to what HistoryKey keeps, in JSON.
	Histories map[string]json.RawMessage
	// Saved are the scenarios that were saved in the sandbox, in the order of their names.
	Saved []Bench
}

// Bounds of a backup. Browsers keep less than MaxBytes in all.
const (
	// MaxBytes is the most that a file may have.
	MaxBytes = 12 << 20
	// MaxPlaces is the most steps that it may tell of.
	MaxPlaces = 5000
)

// Problem is why a file cannot be taken up; it is the name of the message that says so.
type Problem string

const (
	// NoBackup: the file is something else.
	NoBackup Problem = "backup.other"
	// BrokenBackup: it is one, and its end is missing or something in it was changed.
	BrokenBackup Problem = "backup.broken"
	// NewerBackup: a newer program has written it.
	NewerBackup Problem = "backup.newer"
	// LargeBackup: it is larger than any that is written.
	LargeBackup Problem = "backup.large"
)

// Error returns the name.
func (p Problem) Error() string { return string(p) }

// backupKind tells a backup from every other JSON file. It stands first, so that even a file that was cut says what it is.
const backupKind = "retry-lab-progress"

type backupJSON struct {
	Kind      string                     `json:"kind"`
	Format    int                        `json:"format"`
	Book      json.RawMessage            `json:"book"`
	Histories map[string]json.RawMessage `json:"histories,omitempty"`
	Saved     []Bench                    `json:"sandbox,omitempty"`
}

// Write returns the file.
func (b *Backup) Write() string {
	data, err := json.Marshal(backupJSON{backupKind, 1, json.RawMessage(b.Book.Write()), b.Histories, b.Saved})
	if err != nil {
		panic(err) // what was kept is JSON: Keep takes nothing else
	}
	return string(data)
}

// Keep adds what was done in a step. What is no JSON could not be read back by the step, and stays out.
func (b *Backup) Keep(place, history string) {
	if !json.Valid([]byte(history)) {
		return
	}
	if b.Histories == nil {
		b.Histories = map[string]json.RawMessage{}
	}
	b.Histories[place] = json.RawMessage(history)
}

// ReadBackup reads a file that Write wrote. It may come from anywhere: the error is always a Problem, and of what is read
// only steps with a possible name are left. A history is read, and refused, by its step.
func ReadBackup(text string) (Backup, error) {
	if len(text) > MaxBytes {
		return Backup{}, LargeBackup
	}
	var j backupJSON
	if err := json.Unmarshal([]byte(text), &j); err != nil {
		if strings.Contains(text[:min(len(text), 100)], backupKind) {
			return Backup{}, BrokenBackup
		}
		return Backup{}, NoBackup
	}
	switch {
	case j.Kind != backupKind:
		return Backup{}, NoBackup
	case j.Format > 1:
		return Backup{}, NewerBackup
	}
	book, err := Read(string(j.Book))
	switch {
	case err != nil || len(j.Book) == 0 || j.Format < 1:
		return Backup{}, BrokenBackup
	case len(book.Steps)+len(j.Histories) > MaxPlaces:
		return Backup{}, LargeBackup
	}
	b := Backup{Book: book}
	for place := range book.Steps {
		if !isPlace(place) {
			delete(book.Steps, place)
		}
	}
	if !isPlace(book.Last) {
		b.Book.Last = ""
	}
	for place, history := range j.Histories {
		if isPlace(place) {
			b.Keep(place, string(history))
		}
	}
	for _, saved := range j.Saved[:min(len(j.Saved), MaxSaved)] {
		if saved.Valid() {
			b.Saved = append(b.Saved, Bench{Name: saved.Name, Text: saved.Text})
		}
	}
	return b, nil
}

// isPlace reports whether a text can name a step: two ids.
func isPlace(place string) bool {
	lesson, step, _ := strings.Cut(place, "/")
	return limit.ValidClientKey(lesson) && limit.ValidClientKey(step)
}

// Count returns how many steps of a book are in a state.
func (b *Book) Count(s State) int {
	n := 0
	for _, is := range b.Steps {
		if is == s {
			n++
		}
	}
	return n
}
