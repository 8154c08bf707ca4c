package lesson

import (
	"fmt"
	"os"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"retrylab.example/core/event"
)

// Each file of testdata/malformed and testdata/proof says what lint tells of a bad lesson: `change` takes
// testdata/base.json with the lines after - replaced by those after +, `read` the text itself, and `read quoted` Go
// string literals. `answer STEP` reads a learner's answer to a step of the base.
func TestLint(t *testing.T) {
	base := readFile(t, "testdata/base.json")
	for _, dir := range []string{"testdata/malformed", "testdata/proof"} {
		datadriven.Walk(t, dir, func(t *testing.T, path string) {
			datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
				text := d.Input
				switch {
				case d.Cmd == "change":
					text = change(t, d, base)
				case d.Cmd == "answer":
					return answer(t, d, base)
				case d.HasArg("quoted"):
					text = unquote(t, d.Input)
				}
				l, proven, faults := Lint("lesson.json", []byte(text))
				if len(faults) == 0 {
					return fmt.Sprintf("%s: ok, %d steps proven\n", l.ID, proven)
				}
				// Lists that grow with every mechanism are not what these tests are about.
				return strings.NewReplacer(strings.Join(reasonNames(), ", "), "(every reason)",
					strings.Join(namesOf(event.Kinds()), ", "), "(every event)").Replace(faults.Error()) + "\n"
			})
		})
	}
}

func answer(t *testing.T, d *datadriven.TestData, base string) string {
	l, err := Read("base.json", []byte(base))
	if err != nil {
		t.Fatal(err)
	}
	s := l.step(d.CmdArgs[0].Key)
	a, err := s.ReadPlay("inputs.json", []byte(d.Input))
	if err != nil {
		return err.Error() + "\n"
	}
	if f := s.Forbidden(a); len(f) > 0 {
		return strings.Join(f, "\n") + "\n"
	}
	again, err := s.ReadPlay("written.json", s.WritePlay(a))
	if err != nil || !reflect.DeepEqual(again, a) {
		t.Errorf("%s\nreads back as %+v, want %+v, %v", s.WritePlay(a), again, a, err)
	}
	g, _ := s.Grade(a)
	if g.Solved {
		return "solved\n"
	}
	return "not solved: " + s.describe(g).String() + "\n"
}

func (l *Lesson) step(id string) *Step {
	for i := range l.Steps {
		if l.Steps[i].ID == id {
			return &l.Steps[i]
		}
	}
	return nil
}

func readFile(t testing.TB, name string) string {
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// change replaces what stands exactly once.
func change(t *testing.T, d *datadriven.TestData, text string) string {
	var from, to []string
	apply := func() {
		old := strings.Join(from, "\n")
		if n := strings.Count(text, old); n != 1 || old == "" {
			d.Fatalf(t, "%q stands %d times in the base", old, n)
		}
		text = strings.Replace(text, old, strings.Join(to, "\n"), 1)
		from, to = nil, nil
	}
	for line := range strings.Lines(d.Input) {
		line = strings.TrimSuffix(line, "\n")
		switch {
		case strings.HasPrefix(line, "- "):
			if len(to) > 0 {
				apply()
			}
			from = append(from, line[2:])
		case strings.HasPrefix(line, "+ "):
			to = append(to, line[2:])
		default:
			d.Fatalf(t, "a line begins with - or +, not as in %q", line)
		}
	}
	apply()
	return text
}

func unquote(t *testing.T, lines string) string {
	var b strings.Builder
	for line := range strings.Lines(lines) {
		s, err := strconv.Unquote(strings.TrimSpace(line))
		if err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		b.WriteString(s)
	}
	return b.String()
}

func TestBaseIsProven(t *testing.T) {
	l, proven, faults := Lint("base.json", []byte(readFile(t, "testdata/base.json")))
	if len(faults) > 0 || proven != 4 || len(l.Steps) != 6 {
		t.Errorf("%d steps, %d proven, faults:\n%v", len(l.Steps), proven, faults)
	}
}
