package golden

import (
	"flag"
	"os"
	"testing"

	"retrylab.example/core/decision"
	"retrylab.example/core/event"
	"retrylab.example/core/sim"
	"retrylab.example/core/trace"
)

var rewrite = flag.Bool("rewrite", false, "rewrite the committed digests")

const digests = "testdata/digests.txt"

// A digest that differs on one platform only is a float, a map's order or an overflow. One that differs everywhere is
// a changed rule: look at the trace, then `go test ./core/golden -rewrite`, and say so in the commit.
func TestDigests(t *testing.T) {
	got := Table()
	if *rewrite {
		if err := os.WriteFile(digests, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(digests)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	if first, again := Digest(), Digest(); len(first) != 64 || first != again {
		t.Errorf("one digest for all: first %s, then %s", first, again)
	}
}

// Together the runs have every kind of event, every fault and every reason, so that nothing escapes the digests.
func TestRunsShowEverything(t *testing.T) {
	kinds, reasons, faults := map[event.Kind]bool{}, map[decision.Reason]bool{}, map[event.Fault]bool{}
	for _, r := range Runs() {
		events := r.Events()
		for _, e := range events {
			kinds[e.Kind], reasons[e.Decision.Reason], faults[e.Fault] = true, true, true
		}
		if last := events[len(events)-1]; len(events) >= sim.DefaultMaxEvents {
			t.Errorf("%s stops at its bound: %s", r.Name, trace.Columns(&last))
		}
	}
	for _, k := range event.Kinds() {
		if !kinds[k] {
			t.Errorf("no run has the event %s", k)
		}
	}
	for _, r := range decision.Reasons() {
		if !reasons[r] {
			t.Errorf("no run has the reason %s", r)
		}
	}
	for _, f := range event.Faults() {
		if !faults[f] {
			t.Errorf("no run has the fault %s", f)
		}
	}
}

// TestRunsReadBack: a trace is as good as its run: read back and written again, every line is what it was.
func TestRunsReadBack(t *testing.T) {
	for _, r := range Runs() {
		for _, e := range r.Events() {
			line := trace.AppendJSON(nil, &e)
			got, err := trace.Read(line)
			if err != nil {
				t.Fatalf("%s: %v\n%s", r.Name, err, line)
			}
			if again := trace.AppendJSON(nil, &got); string(again) != string(line) {
				t.Fatalf("%s: read back as\n%s, want\n%s", r.Name, again, line)
			}
		}
	}
}
