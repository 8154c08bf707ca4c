package progress

import (
	"strings"
	"testing"
)

func TestFileReadsBack(t *testing.T) {
	want := File{Name: "a.json", Text: "{\"<>&\": \"한국어\u2028\"}"}
	if got, ok := ReadFile(want.Write()); !ok || got != want {
		t.Errorf("got %+v, %t", got, ok)
	}
	for _, broken := range []string{"", "{", "[]", `{"name": 1}`, `{"text": "x"}`} {
		if got, ok := ReadFile(broken); ok || got != (File{}) {
			t.Errorf("%q gives %+v, %t", broken, got, ok)
		}
	}
}

// What belongs to a lesson from a file never stands where the course keeps its own, whatever the lesson calls itself.
func TestFilesAreKeptApart(t *testing.T) {
	course, file := &Book{}, &Book{OfFile: true}
	if course.Key() == file.Key() || course.HistoryKey("l", "s") == file.HistoryKey("l", "s") {
		t.Error("both keep in the same place")
	}
	for _, key := range []string{file.Key(), file.HistoryKey("l", "s"), OpenedKey} {
		if !strings.HasPrefix(key, Files) {
			t.Errorf("%s is not taken away with the file", key)
		}
	}
	for _, key := range []string{course.Key(), Broken, DraftKey, course.HistoryKey("l", "s")} {
		if strings.HasPrefix(key, Files) {
			t.Errorf("%s is taken away with the file", key)
		}
	}
}
