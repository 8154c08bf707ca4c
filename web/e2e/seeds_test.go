//go:build e2e

package e2e

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"retrylab.example/core/clock"
	"retrylab.example/core/lesson"
	"retrylab.example/core/scenario"
)

// luckyRun returns a goal step of the course, and a wrong answer to it that holds on some seeds and not on others.
func luckyRun(t *testing.T) (where string, st *lesson.Step, wrong lesson.Answer, first uint64) {
	t.Helper()
	for _, l := range course(t) {
		for i := range l.Steps {
			st := &l.Steps[i]
			for _, w := range st.Wrong {
				if st.Kind != lesson.Policy || !st.Scenario.NeedsDraw(w.Answer.Inputs) {
					continue
				}
				s := st.Sweep(w.Answer, 1000)
				s.Run(1000)
				if so := s.So(); so.Failed && len(w.Answer.Inputs) > 0 {
					return l.ID + "/" + st.ID, st, w.Answer, so.FailedSeed
				}
			}
		}
	}
	t.Fatal("no goal step draws")
	return "", nil, wrong, 0
}

// TestManySeeds: a run is tried on a thousand seeds in the worker while the page can be used; it can be stopped, says what
// came of it, and the first seed that fails opens with its back leading to the learner's own run.
func TestManySeeds(t *testing.T) {
	where, st, wrong, failed := luckyRun(t)
	p := open(t, "")
	var tree scenario.Tree
	tree.Replace(wrong.Inputs)
	history, _ := json.Marshal(map[string]any{"tree": json.RawMessage(st.Scenario.WriteTree(&tree, clock.Start.Add(9*time.Second)))})
	eval[bool](p, fmt.Sprintf(`(localStorage.setItem(%s, %s), true)`, quote("retrylab.history."+where), quote(string(history))))
	p.goTo("#/lesson/" + where)
	p.click("#try-seeds")
	p.waitFor(`document.querySelector(".seeds progress")`)
	p.shot("seeds-running")
	p.click("#try-seeds")
	p.waitFor(`!document.querySelector(".seeds progress")`)
	p.click("#try-seeds")
	p.waitFor(`document.querySelector(".seeds progress")`)
	want(p, `document.activeElement.id`, "try-seeds")
	p.waitFor(`document.querySelector(".seeds__m")`)
	want(p, `document.querySelector(".seeds__n").innerText.includes("`+strconv.FormatUint(failed, 10)+`")`, true)
	want(p, `document.querySelector("#live").innerText`, p.text(".seeds__n"))
	p.axe()
	p.shot("seeds-1440")
	p.click(".seeds .jump")
	p.waitFor(`location.hash.startsWith("#/open/") && document.querySelector("#shared")`)
	want(p, `document.querySelector("#events summary").innerText.includes("`+strconv.FormatUint(failed, 10)+`")`, true)
	want(p, `document.querySelector(".check--fail") !== null`, true)
	p.axe()
	p.shot("seeds-opened")
	eval[bool](p, `(history.back(), true)`)
	p.waitFor(`document.documentElement.dataset.page === "#/lesson/` + where + `"`)
	want(p, `document.querySelector("#shared") === null`, true)
	p.viewport(360, 780)
	p.choose(".field--lang select", "ja")
	want(p, "document.documentElement.lang", "ja")
	p.shot("seeds-ja-360")
}

// TestSandboxGoals: a goal that is set in the sandbox is judged there, tried on many seeds, and the seed that fails becomes
// the scenario's; the axis stays in sight above a drawing that is scrolled.
func TestSandboxGoals(t *testing.T) {
	p := open(t, "")
	var clients []string
	for i := range 8 {
		clients = append(clients, fmt.Sprintf(`{"name": "c%d", "policy": {"preset": "contract-a", "attempts": 4, "jitter": {"kind": "full"}}, "request": {"key": "k%d"}}`, i, i))
	}
	text := `{"seed": 1, "clients": [` + strings.Join(clients, ", ") + `], "script": [{"reply": 503}, {"reply": 503}, {"reply": 503}],
		"inputs": [{"at": "0s", "fire": {}}, {"at": "0s", "fire": {"client": "c1"}}], "goals": [{"kind": "ends", "max": "1s"}]}`
	bench, _ := json.Marshal(map[string]string{"name": "many", "text": text})
	eval[bool](p, `(localStorage.setItem("retrylab.sandbox", `+quote(string(bench))+`), true)`)
	p.goTo("#/sandbox")
	p.waitFor(`document.querySelector(".sb__form") && document.querySelector("#add-goal")`)
	want(p, `document.querySelectorAll(".sb__goal").length`, 1)
	p.click("#add-goal")
	p.waitFor(`document.querySelectorAll(".sb__goal").length === 2`)
	want(p, `document.activeElement.id`, "at/goals/1/what")
	eval[bool](p, `(document.querySelector("#timeline").focus(), true)`)
	for range 12 {
		p.press("End")
	}
	p.waitFor(`document.querySelectorAll(".checks .check--wait").length === 0`)
	p.shot("goals-1440")
	p.axe()
	p.click("#try-seeds")
	p.waitFor(`document.querySelector(".seeds__m")`)
	p.shot("goals-seeds-1440")
	seed := eval[string](p, `document.querySelector(".seeds .jump")?.innerText.match(/\d+/)[0] || ""`)
	if seed == "" {
		t.Fatal("the goal holds on every seed: ", p.text(".seeds"))
	}
	p.click(".seeds .jump")
	p.waitFor(`document.getElementById("at/seed").value === "` + seed + `"`)
	eval[bool](p, `((b) => { b.scrollTop = b.scrollHeight; return true; })(document.querySelector("#timeline"))`)
	want(p, `((b, h) => b.scrollTop > 40 && Math.abs(b.getBoundingClientRect().top - h.getBoundingClientRect().top) < 3)(document.querySelector("#timeline"), document.querySelector(".tl-head"))`, true)
	p.shot("axis-sticks")
	p.viewport(360, 780)
	p.choose("select.select--quiet", "ko")
	p.shot("goals-ko-360")
}
