//go:build e2e

package e2e

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"retrylab.example/core/lesson"
	"retrylab.example/core/scenario"
	"retrylab.example/core/sim"
	"retrylab.example/core/trace"
)

// TestRandomActions: somebody who does anything at all in the steps of the course meets no error, and every run that came
// of it keeps the engine's invariants.
func TestRandomActions(t *testing.T) { randomActions(t, rand.Uint32(), 200) }

// randomActions does so many actions. A failure is found again with its seed.
func randomActions(t *testing.T, seed uint32, actions int) {
	t.Logf("seed %d", seed)
	var places []string
	steps := map[string]*lesson.Step{}
	for _, l := range course(t) {
		for i := range l.Steps {
			if st := &l.Steps[i]; st.Plays() {
				places = append(places, l.ID+"/"+st.ID)
				steps[l.ID+"/"+st.ID] = st
			}
		}
	}
	r := rand.New(rand.NewPCG(uint64(seed), 2))
	p := open(t, "")
	eval[bool](p, "("+anyhow+fmt.Sprintf(`, window.chance = any.random(%d), true)`, seed))
	const batch = 25
	played := 0
	for done := 0; done < actions; done += batch {
		p.goTo("#/lesson/" + places[r.IntN(len(places))])
		did := eval[[]string](p, fmt.Sprintf(`any.act(%d)`, batch))
		if eval[bool](p, `!document.querySelector("#crash").hidden`) {
			t.Fatalf("after %d actions with seed %d the program stopped. The last ones: %s", done, seed, strings.Join(did, "\n"))
		}
		kept := eval[map[string]string](p, `Object.fromEntries(Object.entries(localStorage).filter(([k]) => k.startsWith("retrylab.history.")))`)
		eval[bool](p, `(Object.keys(localStorage).forEach((k) => localStorage.removeItem(k)), [...document.querySelectorAll("dialog[open]")].forEach((d) => d.close()), true)`)
		for key, history := range kept {
			played += checkHistory(t, steps[strings.TrimPrefix(key, "retrylab.history.")], key, history)
		}
	}
	t.Logf("%d actions made %d runs", actions, played)
	if played == 0 {
		t.Error("nothing was ever played")
	}
}

// checkHistory plays every run of a kept history and checks the world after each step.
func checkHistory(t *testing.T, st *lesson.Step, key, history string) (runs int) {
	t.Helper()
	var kept struct{ Tree json.RawMessage }
	if err := json.Unmarshal([]byte(history), &kept); err != nil || st == nil {
		t.Fatalf("%s cannot be read: %v\n%s", key, err, history)
	}
	tree, _, err := st.Scenario.ReadTree(key, kept.Tree)
	if err != nil {
		t.Fatalf("%s cannot be read: %v\n%s", key, err, history)
	}
	for _, id := range tree.Branches() {
		if err := checkRun(&st.Scenario, tree.PathOf(id)); err != nil {
			t.Errorf("%s: %v\n%s", key, err, history)
		}
		runs++
	}
	return runs
}

func checkRun(s *scenario.Scenario, inputs []scenario.Input) error {
	all := s.With(inputs)
	state, err := sim.New(all.Config)
	if err != nil {
		return err
	}
	var events trace.Keep
	step := func(a sim.Action) error {
		state = sim.Step(state, a, &events)
		return sim.Check(state)
	}
	for _, in := range all.Inputs {
		if err := step(sim.Action{Kind: sim.Advance, To: in.At}); err != nil {
			return err
		}
		if err := step(in.Action); err != nil {
			return err
		}
	}
	for {
		if _, due := state.Due(); !due {
			return nil
		}
		if err := step(sim.Action{Kind: sim.Next}); err != nil {
			return err
		}
	}
}

// anyhow defines any: what somebody does who tries everything that can be used, in an order that its seed gives. What
// hands out files, leaves the program, or would be the same as a reload is left out.
const anyhow = `window.any = {
	random(seed) { return (n) => { seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0; return Math.floor(seed / 2 ** 32 * n); }; },
	usable() {
		const open = [...document.querySelectorAll("dialog[open]")].at(-1);
		return [...(open || document.querySelector("#root, body > div") || document).querySelectorAll("button, select, input, textarea, summary, a[href^='#/lesson'], [data-keys]")]
			.filter((e) => e.checkVisibility() && !e.disabled && !e.readOnly && e.type !== "file" && e.target !== "_blank" &&
				!e.closest("#share, #crash, #update, .share__forms"));
	},
	keys: ["ArrowRight", "ArrowLeft", "Shift+ArrowRight", "n", "r", "End", "Home", "f", "i", "Ctrl+z", "Ctrl+Shift+z", "f", "ArrowRight"],
	texts: ["0", "1", "5 s", "250 ms", "-3", "1e9", "999999999999", "", "abc", "한", "2000", "120", "0.5"],
	use(e) {
		const pick = (list) => list[chance(list.length)];
		if (e.dataset.keys) {
			const parts = pick(any.keys).split("+"), key = parts.at(-1);
			e.dispatchEvent(new KeyboardEvent("keydown", {key, shiftKey: parts.includes("Shift"), ctrlKey: parts.includes("Ctrl"), bubbles: true, cancelable: true}));
			return "key " + parts.join("+");
		}
		if (e.tagName === "SELECT" || e.tagName === "TEXTAREA" || e.matches("input:not([type=checkbox], [type=radio])")) {
			e.value = e.tagName === "SELECT" ? pick([...e.options]).value : e.type === "range" ? chance(Number(e.max) + 1) : pick(any.texts);
			for (const type of ["input", "change"]) { e.dispatchEvent(new Event(type, {bubbles: true})); }
			return "set " + (e.id || e.className) + " to " + e.value;
		}
		e.click();
		return "press " + (e.id || e.className) + " " + e.textContent.trim().slice(0, 30);
	},
	async act(n) {
		const did = [];
		for (let i = 0; i < n && document.querySelector("#crash").hidden; i++) {
			const all = any.usable(), run = all.filter((e) => e.closest(".clock, .act, [data-keys]"));
			const from = run.length && chance(2) ? run : all; // half of what is done is done to the run
			if (from.length) { did.push(any.use(from[chance(from.length)])); }
			await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
		}
		return did;
	},
}`
