//go:build e2e

package e2e

import (
	"encoding/json"
	"testing"

	"retrylab.example/core/lesson"
	"retrylab.example/core/text"
)

// TestSandboxIsShared: what was built in the sandbox goes in a link, with its goals and what was done; whoever opens it sees
// the same, takes it into a sandbox of their own, and hands it out as a file that a sandbox opens again.
func TestSandboxIsShared(t *testing.T) {
	from := open(t, "")
	bench, _ := json.Marshal(map[string]string{"name": "twice", "text": `{"seed": 7, "clients": [{"name": "till", "policy": {"preset": "contract-a"}}],
		"script": [{"fault": "lost-reply"}], "goals": [{"kind": "count", "of": "duplicates", "equals": 0}]}`})
	eval[bool](from, `(localStorage.setItem("retrylab.sandbox", `+quote(string(bench))+`), true)`)
	from.goTo("#/sandbox")
	from.waitFor(`document.querySelector(".sb__form") && document.querySelectorAll(".sb__goal").length === 1`)
	from.focus("#timeline")
	from.press("f", "End", "f", "ArrowRight")
	from.drawn()
	shown := eval[string](from, place)
	goal := from.text(".checks")
	from.click(shareButton)
	from.waitFor(`document.querySelector("#share").open && ` + shareLink + ` !== ""`)
	address := eval[string](from, shareLink)
	from.axe()

	to := openBlank(t, lab.url)
	to.onNewDocument(keepsFiles)
	to.visit(fragmentOf(t, address))
	want(to, place, shown)
	want(to, `document.querySelector(".checks").innerText`, goal)
	to.axe()
	to.viewport(360, 780)
	to.choose("select.select--quiet", "ja")
	to.shot("shared-sandbox-ja-360")
	to.choose("select.select--quiet", "en")
	to.viewport(1440, 900)
	mouse{}.press(to, one(".sharedrun button"))
	to.waitFor(`document.documentElement.dataset.page === "#/sandbox" && document.querySelectorAll(".sb__goal").length === 1`)
	want(to, place, shown)

	mouse{}.press(to, one(shareButton))
	to.waitFor(`document.querySelector("#share").open`)
	_, file := to.exportAs(text.English.Say("share.as-scenario"))
	st, err := lesson.ReadFreeFile("the file", file)
	if err != nil || len(st.Checks) != 1 || len(st.Scenario.Inputs) != 2 {
		t.Fatalf("%v, %d goals, %d inputs in %s", err, len(st.Checks), len(st.Scenario.Inputs), file)
	}
}
