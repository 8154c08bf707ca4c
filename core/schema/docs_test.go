package schema

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"retrylab.example/core/document"
	"retrylab.example/core/lesson"
)

const docsFile = "../../docs/LESSONS.md"

// The reference in docs/LESSONS.md is the table: no field, kind, knob or order is missing.
func TestReferenceIsTheTable(t *testing.T) {
	docs := read(t, docsFile)
	const mark = "writes it anew.\n\n"
	head, got, ok := strings.Cut(docs, mark)
	if !ok {
		t.Fatalf("docs/LESSONS.md does not hold %q", mark)
	}
	want := Markdown()
	if *update {
		if err := os.WriteFile(docsFile, []byte(head+mark+want), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if got != want {
		t.Error("the reference in docs/LESSONS.md is not what the table says; write it with -update")
	}
}

// homes are where examples of a kind of object stand in a lesson that new writes.
var homes = map[string]string{
	"scenario": "/steps/1/scenario", "check": "/steps/1/checks/1", "answer": "/steps/1/solution",
	"wrong answer": "/steps/1/wrong/0", "question": "/steps/2/question", "step": "/steps/0",
}

// Each example in docs/LESSONS.md is read: a whole lesson is proven, a part is put into a lesson that new writes, which
// is then proven, and a schema library takes it.
func TestExamplesInTheDocsAreProven(t *testing.T) {
	examples := regexp.MustCompile("(?s)```json ([a-z ]+)\n(.*?)```").FindAllStringSubmatch(read(t, docsFile), -1)
	if len(examples) < 6 {
		t.Fatalf("there are %d examples", len(examples))
	}
	if n := strings.Count(read(t, docsFile), "```json"); n != len(examples) {
		t.Errorf("%d of %d examples say what they are", len(examples), n)
	}
	j := newJudge(t)
	for _, e := range examples {
		kind, text := e[1], e[2]
		if kind != "lesson" {
			text = inLesson(t, kind, text)
		}
		_, proven, faults := lesson.Lint("lesson.json", []byte(text))
		if len(faults) > 0 || proven == 0 {
			t.Errorf("the example of a %s: %d steps proven, %v", kind, proven, faults)
		}
		j.lesson("the example of a "+kind, text)
	}
}

// inLesson puts an example in its place in a new lesson.
func inLesson(t *testing.T, kind, example string) string {
	host, err := lesson.New("host", []string{"en"})
	if err != nil {
		t.Fatal(err)
	}
	_, root, err := document.Read("host.json", host)
	home := homes[kind]
	if err != nil || home == "" {
		t.Fatalf("an example of a %s has no place, %v", kind, err)
	}
	n := root.Find(home)
	if n.Pointer() != home {
		t.Fatalf("a new lesson has no %s", home)
	}
	return n.Replace(strings.TrimSpace(example)).Apply(string(host))
}

// Fields that a tool reads stand in the documentation.
func TestReportIsDocumented(t *testing.T) {
	docs := read(t, docsFile)
	for _, field := range []string{
		"file", "ok", "lesson", "proven", "skipped", "faults", "line", "column", "pointer", "problem", "mend",
		"step", "plays", "code", "start", "solution", "wrong", "wrongAnswers", "seeds",
	} {
		if !strings.Contains(docs, field+"`") {
			t.Errorf("docs/LESSONS.md does not name the field %s", field)
		}
	}
}
