package text

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"retrylab.example/core/document"
	"retrylab.example/core/lesson"
	"retrylab.example/core/scenario"
)

// TestFileFaults: the English words of a fault are those of the reader, and every language says it with the same parameters:
// for each malformed text that the readers and proofs are tested with.
func TestFileFaults(t *testing.T) {
	told := 0
	for dir, read := range map[string]func([]byte) error{
		"../document/testdata/faults":    func(data []byte) error { _, err := scenario.Read("a", data); return err },
		"../scenario/testdata/malformed": func(data []byte) error { _, err := scenario.Read("a", data); return err },
		"../lesson/testdata/proof":       func(data []byte) error { _, _, faults := lesson.Lint("a", data); return faults },
		"../lesson/testdata/malformed":   func(data []byte) error { _, err := lesson.Read("a", data); return err },
	} {
		base, _ := os.ReadFile(filepath.Join(filepath.Dir(dir), "base.json"))
		datadriven.Walk(t, dir, func(t *testing.T, path string) {
			datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
				for _, f := range document.FaultsOf(read(textOf(d, string(base)))) {
					told++
					saidInEveryLanguage(t, f)
				}
				return d.Expected
			})
		})
	}
	many := `{"clients": [` + strings.Repeat(`{"name": 1},`, document.MaxFaults) + `{}]}`
	for _, data := range []string{many, strings.Repeat(" ", document.MaxBytes+1)} {
		_, err := scenario.Read("a", []byte(data))
		faults := document.FaultsOf(err)
		saidInEveryLanguage(t, faults[len(faults)-1])
	}
	if told < 300 {
		t.Errorf("only %d faults were told", told)
	}
	odd := document.Fault{Problem: "nobody has written this", Mend: "as it is\u202e"}
	if problem, mend, lang := Korean.FileFault(odd); problem != odd.Problem || mend == odd.Mend || lang != English {
		t.Errorf("an unknown fault is said %q; %q in %s", problem, mend, lang)
	}
}

// textOf returns the text that a test of a reader reads: it is written out, or says what to change in a good one.
func textOf(d *datadriven.TestData, base string) []byte {
	if d.Cmd != "change" {
		if s, err := strconv.Unquote(d.Input); err == nil && d.HasArg("quoted") {
			return []byte(s)
		}
		return []byte(d.Input)
	}
	var from, to []string
	apply := func() {
		base = strings.Replace(base, strings.Join(from, "\n"), strings.Join(to, "\n"), 1)
		from, to = nil, nil
	}
	for line := range strings.SplitSeq(d.Input, "\n") {
		switch {
		case strings.HasPrefix(line, "-"):
			from = append(from, line[1:])
		case strings.HasPrefix(line, "+"):
			to = append(to, line[1:])
		default:
			apply()
		}
	}
	apply()
	return []byte(base)
}

func saidInEveryLanguage(t *testing.T, f document.Fault) {
	t.Helper()
	if problem, mend, known := English.faultWords(f); !known || problem != f.Problem || mend != f.Mend {
		t.Errorf("the reader says %q; %q, in English it is said %q; %q", f.Problem, f.Mend, problem, mend)
	}
	for _, l := range Langs() {
		problem, mend, lang := l.FileFault(f)
		if lang != l {
			t.Errorf("%s has no words for %q; %q", l, f.Problem, f.Mend)
			continue
		}
		for _, a := range strings.Split(f.Args, "\x00") {
			if !Has("value."+a) && !strings.Contains(problem, document.Visible(a)) {
				t.Errorf("%s says %q without %s", l, problem, a)
			}
		}
		if strings.Contains(problem+mend, "{a}") || strings.Contains(mend, "%s") {
			t.Errorf("%s says %q; %q", l, problem, mend)
		}
	}
}
