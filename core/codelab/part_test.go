package codelab

import (
	"errors"
	"reflect"
	"testing"

	"retrylab.example/core/compare"
	"retrylab.example/core/event"
)

// TestPartsAreRead: each part of each case is set to what it is, and the case stays the same.
func TestPartsAreRead(t *testing.T) {
	runs := 0
	for _, f := range all() {
		if f.Runs() != (len(f.Parts(&f.fixed()[0])) > 0) {
			t.Errorf("%s: it runs: %t, but its parts are %v", f.Name, f.Runs(), f.Parts(&f.fixed()[0]))
		}
		if !f.Runs() {
			continue
		}
		runs++
		for n := range 40 {
			spec := f.Seeded(n + 1)
			c, err := f.Make(spec)
			if err != nil {
				t.Fatal(err)
			}
			for _, p := range f.Parts(&c) {
				spec.Set = append(spec.Set, Setting{p.Name, p.Text})
			}
			again, err := f.Make(spec)
			if err != nil || !reflect.DeepEqual(f.want(&again), f.want(&c)) {
				t.Errorf("%s, case %d: %v; %v became %v", f.Name, n+1, err, c.setup(), again.setup())
			}
		}
	}
	if runs != 5 {
		t.Errorf("%d functions run, want 5", runs)
	}
}

// TestAnyPartIsSafe: whatever a person sets, the core has an answer, or refuses the setting.
func TestAnyPartIsSafe(t *testing.T) {
	words := []string{"", "0", "-1", "1", "0.25", "0.05", "60", "8", "1e9", "NaN", "GET", "network", "temporary", "999", "1, 0.5, 0", ",", "k-1", "é", "/estimate", "30"}
	refused := 0
	for _, f := range all() {
		for n := range 60 {
			c := choices{seed: 5, number: n}
			spec := f.Seeded(n + 1)
			for range 6 {
				made, err := f.Make(spec)
				if err != nil {
					t.Fatal(err)
				}
				parts := f.Parts(&made)
				if len(parts) == 0 {
					break
				}
				next := spec
				next.Set = append(next.Set[:len(next.Set):len(next.Set)], Setting{parts[c.below(len(parts))].Name, words[c.below(len(words))]})
				if made, err = f.Make(next); err != nil {
					var part *PartError
					if !errors.As(err, &part) {
						t.Errorf("%s: %v", f.Name, err)
					}
					refused++
					continue
				}
				spec = next
				trial := Trial{Function: f.Name, Yours: f.want(&made), Wanted: f.want(&made), world: made, until: f.deadline(&made)}
				trial.Events()
			}
		}
	}
	if refused < 100 {
		t.Errorf("only %d settings were refused", refused)
	}
}

func TestSpecsOfStrangers(t *testing.T) {
	f, _ := Find("execute")
	for _, s := range []Spec{
		{Fixed: -1}, {Fixed: 1000}, {Made: true, Choices: make([]int, MaxChoices+1)}, {Set: make([]Setting, MaxSettings+1)},
		{Set: []Setting{{"nothing", "1"}}}, {Set: []Setting{{"maximum", "11"}}}, {Set: []Setting{{"status-9", "200"}}},
	} {
		if _, err := f.Make(s); err == nil {
			t.Errorf("%v was made", s)
		}
	}
	if _, err := f.Make(Spec{Made: true, Choices: []int{-5, 1 << 60, 3}}); err != nil {
		t.Errorf("choices beyond their bounds: %v", err)
	}
}

// TestTrialIsTwoRuns: what a program did, and what the core does, are runs that part where they differ.
func TestTrialIsTwoRuns(t *testing.T) {
	f, _ := Find("execute")
	c, err := f.Make(Spec{Fixed: 1})
	if err != nil {
		t.Fatal(err)
	}
	const early = `{"steps":[{"ok":{"r":2},"trace":[["send",0,[{"f":5000000000}]],["sleep",0,[{"f":250000000}]],["send",250000000,[{"f":4750000000}]]],"vars":[]}],"out":""}`
	trial, err := f.Trial(&c, []byte(early), "")
	if err != nil {
		t.Fatal(err)
	}
	if v := &trial.Verdict; v.Code != OtherCall || v.Number != 2 {
		t.Errorf("judged %s %d", v.Code, v.Number)
	}
	yours, wanted := trial.Events()
	found := compare.Of(yours, wanted)
	if p := found.Parting; !p.Differs || p.At != 0 || yours[p.Index[0]].Kind != event.RetryScheduled || p.Field != compare.Wait {
		t.Errorf("they part at %+v", p)
	}
	if last := wanted[len(wanted)-1]; last.Kind != event.CallSucceeded || last.At != 500_000_000 {
		t.Errorf("the core's run ends with %s at %d", last.Kind, last.At)
	}
	if trial, err = f.Trial(&c, nil, "time"); err != nil || trial.Verdict.Code != TooLong {
		t.Errorf("stopped: %v %s", err, trial.Verdict.Code)
	}
	if yours, _ = trial.Events(); len(yours) != 0 {
		t.Errorf("a program that was ended has %d events", len(yours))
	}
}

// TestExamples: every fixed case is shown with what is wanted of each of its calls.
func TestExamples(t *testing.T) {
	f, _ := Find("retryable")
	if e := f.Examples()[0]; len(e.Setup) != 0 || e.Calls[0].Call != "retryable(200)" || e.Calls[0].Wanted != "False" {
		t.Errorf("got %+v", e)
	}
	f, _ = Find("take")
	if e := f.Examples()[0]; e.Setup[0] != "bucket = {'period': 0, 'tokens': 3}" || e.Calls[0].Vars[0] != "bucket = {'period': 0, 'tokens': 2}" {
		t.Errorf("got %+v", e)
	}
	f, _ = Find("execute")
	if e := f.Examples()[1]; len(e.Calls[0].World) != 3 || e.Calls[0].World[1] != "sleep(0.5)  # 0.0" {
		t.Errorf("got %+v", e)
	}
	f, _ = Find("backoff")
	if e := f.Examples()[5]; !e.Calls[0].Raises || e.Calls[0].Wanted != "ValueError" {
		t.Errorf("got %+v", e)
	}
}
