package export

import (
	"strconv"
	"strings"

	"retrylab.example/core/lesson"
	"retrylab.example/core/measure"
	"retrylab.example/core/trace"
)

// Name returns the name of the run's Go test: another run has another one, so that many fit into one folder.
func (r *Run) Name() string { return "TestRun" + r.short() }

// TestFile returns the name of the file that GoTest is meant for.
func (r *Run) TestFile() string { return "run_" + r.short() + "_test.go" }

func (r *Run) short() string { return trace.Digest(r.Events)[:8] }

// GoTest returns a Go test that plays the run against the core, and holds it to its digest, its totals, the reason of each
// of its decisions, and whether each goal is met. It needs no other file; its first lines say where it is put and how it is
// run. The error is ErrTooManyInputs.
func (r *Run) GoTest() ([]byte, error) {
	file, err := r.File()
	if err != nil {
		return nil, err
	}
	decisions := ""
	for i := range r.Events {
		if e := &r.Events[i]; e.Decides() {
			decisions += number(int64(e.Seq)) + " " + e.Kind.String() + ": " + e.Decision.Verdict.String() + ", " +
				e.Decision.Reason.String() + "\n"
		}
	}
	return []byte(strings.NewReplacer(
		"{name}", r.Name(), "{file}", r.TestFile(), "{scenario}", strings.TrimSuffix(escaped(file), "\n"),
		"{totals}", totals(measure.Of(r.Events)), "{decisions}", strings.TrimSuffix(decisions, "\n"),
		"{digest}", trace.Digest(r.Events), "{goals}", r.met(file),
	).Replace(testSource)), nil
}

// met returns whether each goal of the run's file holds, as the elements of a literal.
func (r *Run) met(file []byte) string {
	st, err := lesson.ReadFreeFile("", file)
	if err != nil {
		panic(err) // File wrote it
	}
	holds := make([]string, len(st.Checks))
	for i := range st.Checks {
		holds[i] = strconv.FormatBool(st.Checks[i].Evaluate(r.Events).State == lesson.Holds)
	}
	return strings.Join(holds, ", ")
}

// totals returns the totals as fields of a literal, one on a line, as gofmt has them.
func totals(t measure.Totals) string {
	var b strings.Builder
	for _, f := range [...]struct {
		name  string
		value int64
	}{
		{"Calls", int64(t.Calls)}, {"Sent", int64(t.Sent)}, {"Arrived", int64(t.Arrived)}, {"Applied", int64(t.Applied)},
		{"Replayed", int64(t.Replayed)}, {"Refused", int64(t.Refused)}, {"RefusedLocally", int64(t.RefusedLocally)},
		{"Duplicates", int64(t.Duplicates)}, {"Succeeded", int64(t.Succeeded)}, {"GaveUp", int64(t.GaveUp)},
		{"Fallbacks", int64(t.Fallbacks)}, {"Naive", t.Naive}, {"Deduped", t.Deduped}, {"Actual", t.Actual},
	} {
		b.WriteString("\n\t\t" + f.name + ":" + strings.Repeat(" ", len("RefusedLocally ")-len(f.name)) + strconv.FormatInt(f.value, 10) + ",")
	}
	return b.String()
}

// testSource is the test, with {names} for what is filled in.
const testSource = `// This Go test repeats a run of Retry Lab. Put it into a folder of its own in a checkout of Retry Lab, as
//
//	exported/{file}
//
// and run it from the root of the checkout:
//
//	go test ./exported -run {name} -v
//
// It needs no other file, and other exported runs may lie beside it. It fails if the core does not do any more what it
// did when this was exported; the first difference says what is other.
package exported_test

import (
	"fmt"
	"strings"
	"testing"

	"retrylab.example/core/lesson"
	"retrylab.example/core/measure"
	"retrylab.example/core/trace"
)

func {name}(t *testing.T) {
	const file = ` + "`{scenario}`" + `
	step, err := lesson.ReadFreeFile("scenario", []byte(file))
	if err != nil {
		t.Fatal(err)
	}
	run, err := step.Scenario.Play(nil)
	if err != nil {
		t.Fatal(err)
	}

	const wantDecisions = ` + "`{decisions}`" + `
	want := strings.FieldsFunc(wantDecisions, func(r rune) bool { return r == '\n' })
	var got []string
	for _, e := range run.Events {
		if e.Decides() {
			got = append(got, fmt.Sprintf("%d %s: %s, %s", e.Seq, e.Kind, e.Decision.Verdict, e.Decision.Reason))
		}
	}
	for i := range max(len(got), len(want)) {
		if i >= len(got) || i >= len(want) || got[i] != want[i] {
			t.Errorf("decision %d of %d is not as it was:\ngot  %q\nwant %q", i+1, len(want), got[min(i, len(got)):min(i+1, len(got))], want[min(i, len(want)):min(i+1, len(want))])
			break
		}
	}

	wantTotals := measure.Totals{{totals}
	}
	if totals := measure.Of(run.Events); totals != wantTotals {
		t.Errorf("totals:\ngot  %+v\nwant %+v", totals, wantTotals)
	}

	wantGoals := []bool{{goals}}
	for i := range step.Checks {
		if holds := step.Checks[i].Evaluate(run.Events).State == lesson.Holds; holds != wantGoals[i] {
			t.Errorf("goal %d holds: %t, want %t", i+1, holds, wantGoals[i])
		}
	}

	const wantDigest = "{digest}"
	if digest := trace.Digest(run.Events); digest != wantDigest {
		t.Errorf("the digest of the %d events is %s, want %s", len(run.Events), digest, wantDigest)
	}
}
`
