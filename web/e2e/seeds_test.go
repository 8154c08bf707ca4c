//go:build e2e

package e2e

import (
	"encoding/json"
	"fmt"
	"strconv"
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
	p.choose("select.select--quiet", "ja")
	p.shot("seeds-ja-360")
}
