package schema

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"retrylab.example/core/document"
	"retrylab.example/core/lesson"
	"retrylab.example/core/scenario"
)

// beyond are the faults, by their words, of which JSON Schema says nothing, each with the reason. All others it must
// find too.
var beyond = []struct{ fault, why string }{
	{`there is no (client|pool|option|check) `, "the names stand elsewhere in the file"},
	{`the scenario has no pool`, "the names stand elsewhere in the file"},
	{`there are two |the id ".*" stands twice`, "only whole elements of a list can be held apart"},
	{`the language ".*" stands twice`, "the same, and a tag of a wrong form is told besides"},
	{`the text in ".*" is missing`, "the languages stand elsewhere in the file"},
	{`the field ".*" is not known; remove it, or use one of: [a-z, -]*$`, "a text's fields are the lesson's languages"},
	{`the text holds the hidden character`, "which characters are hidden is a list of Unicode"},
	{`the field stands twice`, "a parser keeps one of them before the schema looks"},
	{`this escape is half of a character`, "a parser has replaced it before the schema looks"},
	{`\d+(ns|us|ms|s|m|h) is out of range`, "durations are texts; their length cannot be compared"},
	{`".*" is not a duration`, "finer than a nanosecond, or longer than 292 years: only arithmetic tells"},
	{`[\d.]+[eE.][\d+-]*0* is not a whole number`, "1e3 and 1.0 are whole numbers to JSON Schema"},
	{`a time window is longer than 0 s and a whole number of tenths`, "durations are texts; their length cannot be divided"},
	{`this input comes earlier`, "the order of a list"},
	{`the numbers do not rise`, "the order of a list"},
	{`the step does not let the learner fire`, "a false is no missing field"},
	{`this is the event that should come first`, "two objects cannot be compared"},
	{`a check cannot have the id of the prediction`, "the same ids are allowed elsewhere"},
	{`this step asks for no prediction`, "the kind stands further out"},
	{`this rule does not look at the path|only the standard's rule asks for this`, "what the preset says is not known"},
	{`this policy ignores Retry-After|the backoff has no cap`, "what the preset says is not known"},
	{`the response says .* by itself|Retry-After has a member of its own`, "names of fields have no case"},
	{`orders that are all like this cannot be distinct|one of "reply" and "fault" is needed`, "it depends on the values of three fields"},
}

// Each fault of the tables of malformed files, and of samples that are broken at every field, is found by a JSON Schema
// library too, but for what is beyond it; and it finds no other.
func TestASchemaLibraryAgrees(t *testing.T) {
	j := newJudge(t)
	for _, name := range files(t, "../../lessons/[0-9]*.json") {
		j.lesson(name, read(t, name))
	}
	base := read(t, "../lesson/testdata/base.json")
	for _, dir := range []string{"malformed", "proof"} {
		walk(t, "../lesson/testdata/"+dir, base, func(where, text string) { j.lesson(where, text) })
	}
	base = read(t, "../scenario/testdata/base.json")
	walk(t, "../scenario/testdata/malformed", base, func(where, text string) { j.scenario(where, text) })
	w := walker{t: t, objects: Objects(), seen: map[string]bool{}}
	w.each = func(text string) { j.lesson("a broken sample", text) }
	for _, text := range steps(t) {
		j.lesson("a sample", text)
		_, root, err := document.Read("sample.json", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		w.text = text
		w.object(root, find(w.objects, "lesson"))
	}
	for i, b := range beyond {
		if j.used[i] == 0 {
			t.Errorf("no fault is %s; remove the entry", b.fault)
		}
	}
	t.Logf("%d files: %d refused by both, %d by the reader alone", j.all, j.both, j.alone)
}

type judge struct {
	t                *testing.T
	whole, part      *jsonschema.Schema
	beyond           []*regexp.Regexp
	used             []int
	all, both, alone int
}

func newJudge(t *testing.T) *judge {
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(JSON()))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("lesson.schema.json", doc); err != nil {
		t.Fatal(err)
	}
	j := &judge{t: t, used: make([]int, len(beyond))}
	if j.whole, err = c.Compile("lesson.schema.json"); err != nil {
		t.Fatal(err)
	}
	if j.part, err = c.Compile("lesson.schema.json#/$defs/scenario"); err != nil {
		t.Fatal(err)
	}
	for _, b := range beyond {
		j.beyond = append(j.beyond, regexp.MustCompile(b.fault))
	}
	return j
}

func (j *judge) lesson(where, text string) {
	faults := lesson.Inspect("lesson.json", []byte(text)).Faults()
	j.compare(where, text, faults, j.whole)
}

func (j *judge) scenario(where, text string) {
	_, err := scenario.Read("scenario.json", []byte(text))
	j.compare(where, text, document.FaultsOf(err), j.part)
}

func (j *judge) compare(where, text string, faults document.Faults, s *jsonschema.Schema) {
	value, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	if err == nil {
		err = s.Validate(value)
	}
	j.all++
	switch {
	case len(faults) == 0 && err != nil:
		j.t.Errorf("%s: the library refuses what the reader takes: %v", where, err)
	case len(faults) > 0 && err != nil:
		j.both++
	case len(faults) > 0:
		j.alone++
		for _, f := range faults {
			if !j.isBeyond(f.String()) {
				j.t.Errorf("%s: only the reader says: %s", where, f.String())
			}
		}
	}
}

func (j *judge) isBeyond(fault string) bool {
	for i, r := range j.beyond {
		if r.MatchString(fault) {
			j.used[i]++
			return true
		}
	}
	return false
}

func files(t *testing.T, pattern string) []string {
	names, err := filepath.Glob(pattern)
	if err != nil || len(names) == 0 {
		t.Fatalf("there is no %s, %v", pattern, err)
	}
	return names
}

func read(t *testing.T, name string) string {
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// walk goes through the tables of malformed files: `change` is the base with the lines after - replaced by those after
// +, `read` the text itself, and `read quoted` Go string literals.
func walk(t *testing.T, dir, base string, do func(where, text string)) {
	datadriven.Walk(t, dir, func(t *testing.T, path string) {
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			text := d.Input
			switch {
			case d.Cmd == "change":
				text = changed(d.Input, base)
			case d.Cmd != "read":
				return d.Expected
			case d.HasArg("quoted"):
				text = unquoted(t, d.Input)
			}
			do(d.Pos, text)
			return d.Expected
		})
	})
}

func changed(lines, text string) string {
	var from, to []string
	apply := func() {
		text = strings.Replace(text, strings.Join(from, "\n"), strings.Join(to, "\n"), 1)
		from, to = nil, nil
	}
	for line := range strings.Lines(lines + "\n") {
		line = strings.TrimSuffix(line, "\n")
		if strings.HasPrefix(line, "- ") {
			if len(to) > 0 {
				apply()
			}
			from = append(from, line[2:])
		} else if strings.HasPrefix(line, "+ ") {
			to = append(to, line[2:])
		}
	}
	apply()
	return text
}

func unquoted(t *testing.T, lines string) string {
	var b strings.Builder
	for line := range strings.Lines(lines) {
		s, err := strconv.Unquote(strings.TrimSpace(line))
		if err != nil {
			t.Fatal(err)
		}
		b.WriteString(s)
	}
	return b.String()
}
