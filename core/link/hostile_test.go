package link

import (
	"bytes"
	"compress/flate"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"retrylab.example/core/clock"
	"retrylab.example/core/lesson"
	"retrylab.example/core/scenario"
	"retrylab.example/core/trace"
)

// deflated packs without a bound.
func deflated(t testing.TB, data string) []byte {
	t.Helper()
	var b bytes.Buffer
	w, err := flate.NewWriterDict(&b, flate.BestCompression, dictionary)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write([]byte(data)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// forged is a link with a right checksum around anything.
func forged(t testing.TB, data string) string {
	text, ok := seal(deflated(t, data), 1)
	if !ok {
		t.Fatalf("%d characters do not fit into a link", len(text))
	}
	return text
}

// Whoever makes a link by hand gets its faults told, and nothing is opened.
func TestForgedLinks(t *testing.T) {
	const tree = `"tree":{"format":1,"at":0,"now":"0s"}`
	fires := func(n int) string { return strings.TrimSuffix(strings.Repeat(`{"at":"0s","fire":{}},`, n), ",") }
	step := `{"lesson":"a","step":"b",`
	for _, c := range []struct{ data, want string }{
		{``, "the document is empty"},
		{`[]`, "this is a list, not an object"},
		{`{}`, `there is "lesson" with "step", or else "scenario"`},
		{`{"lesson":"a",` + tree + `}`, `there is "lesson" with "step"`},
		{`{"lesson":"a","step":"b","scenario":{},` + tree + `}`, `there is "lesson" with "step"`},
		{`{"lesson":"<b>","step":"b",` + tree + `}`, `"<b>" cannot be an id`},
		{`{"lesson":"a","step":"b"}`, `the field "tree" is missing`},
		{step + tree + `,"more":1}`, `the field "more" is not known`},
		{step + tree + `,"count":-1}`, "-1 is out of range"},
		{step + tree + `,"count":99999}`, "99999 is out of range"},
		{step + tree + `,"seed":1e3}`, "1e3 is not a whole number"},
		{step + tree + `,"lang":"` + strings.Repeat("x", 5000) + `"}`, "is no language"},
		{`{"scenario":{"clients":[]},` + tree + `}`, "there is no client"},
		{strings.Repeat("[", 1000), "values nest deeper than 32"},
		{step + `"tree":` + varied(100_000) + `}`, "the document holds more than 100000 values"},
		{step + `"tree":[],"tree":[]}`, "the field stands twice"},
		{step + tree + "}\xff", "this byte is not UTF-8"},
	} {
		_, err := Read(forged(t, c.data))
		var e *Error
		if !errors.As(err, &e) || e.Problem != Invalid || len(e.Faults) == 0 || !strings.Contains(e.Faults.Error(), c.want) {
			t.Errorf("%.60q: got %v, want %q", c.data, err, c.want)
		}
	}
	s := world(t)
	for _, c := range []struct{ tree, want string }{
		{`[]`, "this is a list"},
		{`{"format":2}`, "2 is out of range"},
		{`{"parents":[1],"next":[0],"inputs":[` + fires(1) + `]}`, "1 is out of range"},
		{`{"parents":[0,0],"next":[2,0],"inputs":[` + fires(2) + `]}`, "is not a child of this one"},
		{`{"inputs":[` + fires(1) + `]}`, "no place in the tree"},
		{`{"parents":[],"next":[],"inputs":[` + fires(2001) + `]}`, "the list has 2001 elements"},
		{`{"at":3}`, "3 is out of range"}, {`{"now":"9999h"}`, "is out of range"},
		{`{"parents":[0],"next":[0],"inputs":[{"at":"0s","fire":{"times":101}}]}`, "101 is out of range"},
	} {
		sealed, err := Read(forged(t, step+`"tree":`+c.tree+`}`))
		if err != nil {
			t.Errorf("%.60s: %v", c.tree, err)
			continue
		}
		_, err = sealed.Open(lesson.Step{Scenario: s})
		var e *Error
		if !errors.As(err, &e) || !strings.Contains(e.Faults.Error(), c.want) {
			t.Errorf("%.60s: got %v, want %q", c.tree, err, c.want)
		}
	}
}

// A place that the run does not have becomes the one that its clock shows.
func TestAPlaceThatTheRunHasNot(t *testing.T) {
	s := world(t)
	p, err := s.Play(nil)
	if err != nil {
		t.Fatal(err)
	}
	last := len(p.Events)
	for _, c := range []struct {
		count int
		now   string
		want  scenario.Position
	}{
		{0, "0s", scenario.Position{}},
		{1, "500ms", scenario.Position{Count: 1, Now: p.Events[0].At}}, // two events are at that instant
		{1, "0s", scenario.Position{}},
		{0, "1h", scenario.Position{Count: last, Now: 3600e9}},
		{last + 1, "1h", scenario.Position{Count: last, Now: 3600e9}},
		{last, "500ms", p.At(p.Events[0].At)},
	} {
		text := forged(t, `{"lesson":"a","step":"b","seed":11,"tree":{"format":1,"at":0,"now":"`+c.now+`"},"count":`+strconv.Itoa(c.count)+`,"run":"0"}`)
		if o := open(t, text, s); o.At != c.want || o.Same {
			t.Errorf("%d at %s: got %+v, want %+v; same run: %t", c.count, c.now, o.At, c.want, o.Same)
		}
	}
}

// Neither a bomb nor as many values as fit take more memory than is said.
func TestMemoryIsBounded(t *testing.T) {
	bomb := deflated(t, strings.Repeat("[", 10<<20))
	if len(bomb) > MaxLength/2 {
		t.Fatalf("the bomb takes %d bytes", len(bomb))
	}
	packedBomb, _ := seal(bomb, 1)
	const valid = `{"lesson":"a","step":"b","tree":{}}`
	if _, err := Read(forged(t, valid)); err != nil {
		t.Fatal(err)
	}
	var most uint64
	for _, c := range []struct {
		name, text string
		want       Problem
	}{
		{"a bomb", packedBomb, TooLarge},
		{"a ratio", forged(t, strings.Repeat(" ", FreeBytes+MaxRatio*300)), TooLarge},
		{"a bomb in base64 that is none", "1.32768." + strings.Repeat("A", MaxLength), Damaged},
		{"values", forged(t, varied(90_000)), Invalid},
		{"objects", forged(t, `{"lesson":"a","step":"b","tree":{"inputs":[`+strings.Repeat(`{"a":{"b":{}}},`, 15_000)+`{}]}}`), TooLarge},
		{"something after the end", sealed(append(deflated(t, valid), 0)), Invalid},
		{"no end", sealed(deflated(t, "{}")[:2]), Invalid},
		{"nothing", sealed(nil), Invalid},
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		wantProblem(t, c.text, c.want)
		runtime.ReadMemStats(&after)
		took := after.TotalAlloc - before.TotalAlloc
		if most = max(most, took); took > MaxAlloc {
			t.Errorf("%s takes %d bytes", c.name, took)
		}
	}
	if most < MaxAlloc/8 {
		t.Errorf("the largest takes %d bytes: the bound of %d says little", most, MaxAlloc)
	}
}

func sealed(packed []byte) string {
	text, _ := seal(packed, 1)
	return text
}

// varied is a list of so many numbers that do not deflate too well.
func varied(n int) string {
	b := []byte{'['}
	for i := range n {
		b = append(b, byte('0'+i*i%7919%10), ',')
	}
	return string(b) + "0]"
}

// Links of format 1 open for ever. Each line of the file is a link and what it holds: lesson and step or none, language,
// how many inputs, other runs, and the place. Lines are added, never changed.
func TestFormat1OpensForEver(t *testing.T) {
	data, err := os.ReadFile("testdata/format1.txt")
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSuffix(string(data), "\n"), "\n")
	for _, line := range lines {
		text, want, _ := strings.Cut(line, " ")
		o := open(t, text, world(t))
		if got := held(&o); got != want {
			t.Errorf("%.60s…\ngot  %s\nwant %s", text, got, want)
		}
	}
	if len(lines) < 3 {
		t.Errorf("there are %d links", len(lines))
	}
}

func held(o *Opened) string {
	return strings.Join([]string{
		"lesson=" + o.Lesson, "step=" + o.Step, "seed=" + strconv.FormatUint(o.Scenario.Seed, 10),
		"clients=" + strings.Join(o.Scenario.Names(), ","), "lang=" + o.Lang,
		"inputs=" + strconv.Itoa(len(o.Tree.Path())), "runs=" + strconv.Itoa(len(o.Tree.Branches())),
		"count=" + strconv.Itoa(o.At.Count), "now=" + trace.Seconds(o.At.Now.Sub(clock.Start)),
	}, " ")
}

// TestCodeInLinks: what was written in a step goes along in format 2, and in nothing older.
func TestCodeInLinks(t *testing.T) {
	l := Link{Lesson: "code-retry-budget", Step: "backoff", Lang: "ja", Code: "def backoff(attempt):\n\treturn 0.5 # é\n"}
	text, err := l.Fragment()
	if err != nil || !strings.HasPrefix(text, Route+"2.") {
		t.Fatalf("%v: %s", err, text)
	}
	s, err := Read(text)
	if err != nil || s.Lesson != l.Lesson || s.Step != l.Step || s.Lang != l.Lang || s.Code != l.Code {
		t.Errorf("got %+v, %v", s, err)
	}
	if _, err := s.Open(lesson.Step{Scenario: world(t)}); err.(*Error).Problem != NoStep {
		t.Errorf("opened as a run: %v", err)
	}
	l.Code = strings.Repeat("x", MaxCode+1)
	if _, err := l.Fragment(); err.(*Error).Problem != TooMuch {
		t.Errorf("too long: %v", err)
	}
	step := `{"lesson":"a","step":"b",`
	for data, want := range map[string]string{
		step + `"code":"x","tree":{}}`:                            `the field "tree" is not known`,
		step + `"lang":"en"}`:                                     `the field "code" is missing`,
		step + `"code":""}`:                                       "there is no code of a step",
		`{"scenario":{},"code":"x"}`:                              "there is no code of a step",
		step + `"code":"a\u202eb"}`:                               "the code holds a hidden character",
		step + `"code":"a\u0000"}`:                                "hidden",
		step + `"code":"` + strings.Repeat("x", MaxCode+1) + `"}`: "more than 20000",
	} {
		forged, _ := seal(deflated(t, data), 2)
		if _, err := Read(forged); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.60s: got %v, want %s", data, err, want)
		}
	}
	old, _ := seal(deflated(t, step+`"code":"x","tree":{"format":1,"at":0,"now":"0s"}}`), 1)
	if _, err := Read(old); err == nil || !strings.Contains(err.Error(), `the field "code" is not known`) {
		t.Errorf("code in format 1: %v", err)
	}
}

// Links of format 2 open for ever, too: each line is a link, and what it holds.
func TestFormat2OpensForEver(t *testing.T) {
	data, err := os.ReadFile("testdata/format2.txt")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(data)) {
		text, want, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		s, err := Read(text)
		if err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprintf("lesson=%s step=%s lang=%s code=%q", s.Lesson, s.Step, s.Lang, s.Code); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
}

// Another dictionary would make every old link unreadable.
func TestTheDictionaryNeverChanges(t *testing.T) {
	sum := sha256.Sum256(dictionary)
	if got := hex.EncodeToString(sum[:]); got != "3d5fb0b7b66635c5b67a205e5d60e373075862fbdc00e46d857245935686a95b" {
		t.Errorf("the dictionary of format 1 has the digest %s", got)
	}
}

// Any text is read, or refused with a problem; and what is read is written to a link that opens again.
func FuzzFragment(f *testing.F) {
	s := world(f)
	l := Link{Scenario: s, Lang: "ko"}
	text := fragment(f, &l)
	f.Add([]byte(text), uint8(0))
	f.Add([]byte(text[:100]), uint8(0))
	f.Add([]byte("4.4.abcd"), uint8(0))
	f.Add([]byte(`{"lesson":"a","step":"b","tree":{"parents":[0],"next":[0],"inputs":[{"at":"0s","fire":{}}]},"count":3,"run":""}`), uint8(1))
	f.Add([]byte(`{"scenario":`+string(s.Write())+`,"tree":{},"seed":4}`), uint8(1))
	f.Add([]byte(`{"lesson":"a","step":"b","code":"print(1)"}`), uint8(2))
	f.Add([]byte(`{"scenario":`+string(lesson.WriteFree(&s, oneGoal))+`,"tree":{},"seed":4}`), uint8(3))
	f.Fuzz(func(t *testing.T, data []byte, format uint8) {
		text := string(data)
		if format > 0 { // packed as a link of that format
			text, _ = seal(deflated(t, text), int(format))
		}
		link, err := Read(text)
		if err == nil {
			var o Opened
			if o, err = link.Open(lesson.Step{Scenario: s}); err == nil {
				again(t, &o)
				return
			}
		}
		var e *Error
		if !errors.As(err, &e) || e.Problem == 0 || e.Error() == "" {
			t.Errorf("got %v", err)
		}
	})
}

func again(t *testing.T, o *Opened) {
	text, err := o.Fragment()
	var e *Error
	if errors.As(err, &e) && e.Problem == TooMuch {
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	second := open(t, text, o.Scenario)
	if !second.Same || second.At != o.At || trace.Digest(second.Played.Events) != trace.Digest(o.Played.Events) {
		t.Errorf("opened again: %t, at %+v instead of %+v", second.Same, second.At, o.At)
	}
}
