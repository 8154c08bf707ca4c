package progress

import "encoding/json"

// File is a lesson's file that the browser keeps: one that was opened, or the author's draft.
type File struct {
	Name string `json:"name"`
	Text string `json:"text"`
}

// The keys under which the browser keeps files.
const (
	// OpenedKey keeps the lesson that was opened from a file.
	OpenedKey = Files + "lesson"
	// DraftKey keeps what the author writes.
	DraftKey = "retrylab.draft"
)

// ReadFile reads a kept file; ok is false if there is none that can be read.
func ReadFile(stored string) (f File, ok bool) {
	if stored == "" || json.Unmarshal([]byte(stored), &f) != nil || f.Name == "" {
		return File{}, false
	}
	return f, true
}

// Write returns the file as a text that ReadFile reads.
func (f File) Write() string {
	data, err := json.Marshal(f)
	if err != nil {
		panic(err) // texts always encode
	}
	return string(data)
}
