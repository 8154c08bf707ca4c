//go:build e2e

package e2e

import (
	"encoding/base64"
	"strings"
	"testing"

	"retrylab.example/core/text"
)

const openBench = `JSON.parse(localStorage.getItem("retrylab.sandbox"))`

// bench opens the sandbox with its form.
func (p *tab) bench() {
	p.t.Helper()
	p.goTo("#/sandbox")
	p.waitFor(`document.querySelector(".sb__form")`)
}

// tool presses a button of the editor by its words.
func (p *tab) tool(message string) {
	p.t.Helper()
	mouse{}.press(p, by(".sb__tools button", text.English.Say(message)))
}

// tabTo presses Tab until an element has the focus.
func (p *tab) tabTo(selector string) {
	p.t.Helper()
	for range 300 {
		if eval[bool](p, `document.activeElement.matches(`+quote(selector)+`)`) {
			return
		}
		p.press("Tab")
	}
	p.t.Fatalf("Tab never comes to %s", selector)
}

// TestSandboxByKeyboard: from an empty scenario to a goal that is met, without a pointer.
func TestSandboxByKeyboard(t *testing.T) {
	p := open(t, "")
	p.bench()
	p.focus(".top a")
	p.tabTo("#sandbox-name")
	p.write("by hand")
	p.tabTo(`[id="part/goals"] > summary`)
	p.press("Enter")
	p.tabTo("#add-goal")
	p.press("Enter")
	p.waitFor(`document.activeElement.id === "at/goals/0/what"`)
	p.press("Home") // applied
	p.tabTo(`[id="at/goals/0/value"]`)
	eval[bool](p, `(document.activeElement.select(), true)`)
	p.write("1")
	p.tabTo(`[id="at/seed"]`)
	p.waitFor(openBench + `.text.includes('"applied", "equals": 1')`)
	p.tabTo("#fire")
	p.press("Enter")
	p.waitFor(rows + " > 0")
	p.tabTo("#timeline")
	for range 4 {
		p.press("End")
	}
	p.waitFor(`document.querySelector(".check--pass")`)
	p.focus("#sandbox-name")
	p.tabTo(".sb__tools .btn")
	p.press("Enter")
	p.waitFor(`localStorage.getItem("retrylab.sandbox.saved.by hand")`)
	p.axe()
}

// TestSandboxCrowd: many clients like one are drawn together; a client that is taken out takes its own inputs along, and
// only those; the run is shared whole.
func TestSandboxCrowd(t *testing.T) {
	p := open(t, "")
	p.bench()
	p.click("#fire")
	p.waitFor(rows + " > 0")
	p.setField("/clients/0/name", "till")
	p.waitFor(openBench + `.text.includes('"till"')`)
	eval[bool](p, `((e) => { e.value = "15"; return e.dispatchEvent(new Event("change", {bubbles: true})); })(document.querySelector("#sandbox-crowd"))`)
	p.drawn()
	eval[bool](p, `(document.querySelector("#sandbox-crowd").closest("p").querySelector("button").click(), true)`)
	p.waitFor(`document.querySelector("#timeline .cw, #timeline .tl-sub") && ` + openBench + `.text.includes('"till-16"')`)
	want(p, rows+" > 0", true)
	p.shot("sandbox-crowd")
	p.axe()
}

// TestSandboxFiles: a dropped file is opened; what was there, its name too, comes back; what is saved goes along in the file
// of progress.
func TestSandboxFiles(t *testing.T) {
	p := openBlank(t, lab.url)
	p.onNewDocument(keepsFiles)
	p.visit("")
	p.bench()
	p.typeInto("#sandbox-name", "mine")
	p.tool("sandbox.save")
	p.waitFor(`localStorage.getItem("retrylab.sandbox.saved.mine")`)
	p.dropFile("given.json", []byte(`{"seed": 77, "clients": [{"name": "a", "policy": {"preset": "contract-a"}}]}`))
	p.waitFor(`document.getElementById("at/seed")?.value === "77" && document.querySelector("#sandbox-name").value === "given"`)
	eval[bool](p, `(document.querySelector('.sb__tools [href="#i-undo"]').closest("button").click(), true)`)
	p.waitFor(`document.getElementById("at/seed").value === "1" && document.querySelector("#sandbox-name").value === "mine"`)
	p.goTo("#/")
	mouse{}.press(p, by("section button", text.English.Say("backup.save")))
	p.waitFor("files.length === 1")
	data, err := base64.StdEncoding.DecodeString(eval[string](p, "files[0].data"))
	p.must(err, "reading the file")
	to := open(t, "")
	eval[bool](to, `(localStorage.setItem("retrylab.sandbox.saved.mine", JSON.stringify({name: "mine", text: "{}"})), true)`)
	to.setFile("#take-progress", "good.json", data)
	to.waitFor(`document.querySelector("#take").open`)
	mouse{}.press(to, by("#take button", text.English.Say("backup.merge")))
	to.waitFor(`localStorage.getItem("retrylab.sandbox.saved.mine 2")?.includes("contract-a")`)
	want(to, `JSON.parse(localStorage.getItem("retrylab.sandbox.saved.mine")).text`, "{}")
}

// TestSandboxInTwoTabs: neither tab loses what the other has open, and both list what either saves.
func TestSandboxInTwoTabs(t *testing.T) {
	p := open(t, "")
	p.bench()
	q := p.sibling()
	q.visit("#/sandbox")
	q.waitFor(`document.querySelector(".sb__form")`)
	p.setField("/seed", "5")
	p.waitFor(openBench + `.text.includes('"seed": 5')`)
	q.setField("/seed", "6")
	q.waitFor(openBench + `.text.includes('"seed": 6')`)
	const aside = `(JSON.parse(localStorage.getItem("retrylab.sandbox.saved.From the other tab") || "{}").text || "")`
	want(q, aside+`.includes('"seed": 5')`, true)
	want(q, `document.querySelector("#root, body").innerText.includes("From the other tab")`, true)
	q.typeInto("#sandbox-name", "six")
	q.tool("sandbox.save")
	p.waitFor(`document.querySelector("#sandbox-saved").innerText.includes("2")`)
	p.setField("/seed", "7")
	p.waitFor(aside + `.includes('"seed": 6')`)
}

// TestSandboxStorageFull: what the browser has no room for is said where it was pressed, and the page goes on.
func TestSandboxStorageFull(t *testing.T) {
	p := open(t, "")
	p.bench()
	eval[bool](p, `(Storage.prototype.setItem = () => { throw new DOMException("full", "QuotaExceededError"); }, true)`)
	p.typeInto("#sandbox-name", "big")
	p.tool("sandbox.save")
	p.waitFor(`document.querySelector(".lesson").innerText.includes(` + quote(text.English.Say("sandbox.no-room")) + `)`)
	p.setField("/seed", "9")
	p.click("#fire")
	p.waitFor(rows + " > 0")
	if s := p.text(".top"); !strings.Contains(s, text.English.Say("shell.quota")) {
		t.Errorf("the bar says %q", s)
	}
	p.axe()
}
