//go:build e2e

package e2e

import (
	"encoding/base64"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/runtime"

	"retrylab.example/core/text"
)

// setFile chooses a file in a field, as its dialog does.
func (p *tab) setFile(selector, name string, data []byte) {
	p.t.Helper()
	file := filepath.Join(p.t.TempDir(), name)
	if err := os.WriteFile(file, data, 0o644); err != nil {
		p.t.Fatal(err)
	}
	p.waitFor(one(selector))
	object := call(p, runtime.Evaluate, runtime.EvaluateParams{Expression: one(selector)})
	call(p, dom.SetFileInputFiles, dom.SetFileInputFilesParams{Files: []string{file}, ObjectID: object.Result.ObjectID})
}

// keepsFiles makes the page keep what it hands out, as files.
const keepsFiles = `
	window.files = [];
	const createURL = URL.createObjectURL;
	URL.createObjectURL = (blob) => { window.blob = blob; return createURL.call(URL, blob); };
	HTMLAnchorElement.prototype.click = function () {
		const name = this.download, reader = new FileReader();
		reader.onload = () => files.push({name, data: reader.result.split(",")[1]});
		reader.readAsDataURL(window.blob);
	};`

const (
	aStep, anotherStep = "#/lesson/lost-replies/third-attempt", "#/lesson/lost-replies/with-a-key"
	historyOfAStep     = `localStorage.getItem("retrylab.history.lost-replies/third-attempt")`
	inputsOfAStep      = `JSON.parse(` + historyOfAStep + `).tree.inputs.length`
	branchesOfAStep    = `new Set(JSON.parse(` + historyOfAStep + `).tree.parents.map((p, i, all) => i + 1).filter((id, i, all) => !JSON.parse(` + historyOfAStep + `).tree.parents.includes(id))).size`
)

// fires plays a request in the step that is shown, when the clock shows that many seconds more.
func (p *tab) fires(after int) {
	p.t.Helper()
	for range after {
		mouse{}.press(p, by(".advance button", text.English.Say("lab.plus-1000")))
	}
	before := p.rows()
	p.click("#fire")
	p.waitFor(rows + " > " + strconv.Itoa(before))
	p.drawn()
}

// TestProgressAsAFile: progress and runs go from one browser to another as a file; there they are added to what is there,
// or take its place, which can be undone. A file that is none changes nothing and says so.
func TestProgressAsAFile(t *testing.T) {
	from := openBlank(t, lab.url)
	from.onNewDocument(keepsFiles)
	from.visit(aStep)
	st := stepOf(t, "lost-replies", "third-attempt")
	play := newPlayer(from, mouse{}, st)
	play.answer(st.Solution)
	play.finish()
	play.solved()
	from.goTo("#/")
	mouse{}.press(from, by("section button", text.English.Say("backup.save")))
	from.waitFor("files.length === 1")
	data, err := base64.StdEncoding.DecodeString(eval[string](from, "files[0].data"))
	from.must(err, "reading the file")
	want(from, `/^retry-lab-\d{4}-\d\d-\d\d\.progress\.json$/.test(files[0].name)`, true)
	exported := eval[string](from, historyOfAStep)

	to := open(t, "?lang=ja"+anotherStep)
	to.click("#fire")
	to.waitFor(rows + " > 0")
	to.goTo(aStep)
	to.click("#fire")
	to.waitFor(rows + " > 0")
	own := eval[string](to, historyOfAStep)
	to.goTo("#/")
	for _, bad := range []struct{ data, says string }{
		{"", "backup.other"}, {"{}", "backup.other"}, {string(data[:len(data)/2]), "backup.broken"}, {"\xff\xfe<script>", "backup.other"},
	} {
		to.setFile("#take-progress", "bad.json", []byte(bad.data))
		want(to, `(document.querySelector("#progress-said") || {textContent: ""}).textContent`, text.Japanese.Say(bad.says))
		want(to, historyOfAStep, own)
	}
	to.axe()
	to.setFile("#take-progress", "good.json", data)
	to.waitFor(`document.querySelector("#take").open`)
	to.axe()
	to.shot("progress-take-ja")
	mouse{}.press(to, by("#take button", text.Japanese.Say("backup.merge")))
	to.waitFor(`document.querySelector("#undoable")`)
	want(to, branchesOfAStep, 2)
	want(to, `JSON.parse(localStorage.getItem("retrylab.progress")).steps["lost-replies/third-attempt"]`, "solved")
	want(to, `Object.keys(localStorage).filter((k) => k.startsWith("retrylab.history")).length`, 2)

	to.setFile("#take-progress", "good.json", data)
	to.waitFor(`document.querySelector("#take").open`)
	mouse{}.press(to, by("#take button", text.Japanese.Say("backup.replace")))
	want(to, historyOfAStep, exported)
	want(to, `Object.keys(localStorage).filter((k) => k.startsWith("retrylab.history")).length`, 1)
	want(to, `document.querySelector("#undoable").innerText.includes(`+quote(text.Japanese.Say("backup.replaced"))+`)`, true)
	mouse{}.press(to, one("#undoable button"))
	want(to, branchesOfAStep, 2)
	want(to, `Object.keys(localStorage).filter((k) => k.startsWith("retrylab.history")).length`, 2)
}

// TestNoRoomForAFile: where the browser has no room for a file of progress, everything is as it was.
func TestNoRoomForAFile(t *testing.T) {
	p := open(t, aStep)
	p.fires(0)
	own := eval[string](p, `JSON.stringify(localStorage)`)
	big := `{"kind":"retry-lab-progress","format":1,"book":{"format":1,"steps":{"a/b":"solved"}},"histories":{"a/b":"` + strings.Repeat("x", 6_000_000) + `"}}`
	p.goTo("#/")
	for _, label := range []string{"backup.merge", "backup.replace"} {
		p.setFile("#take-progress", "big.json", []byte(big))
		p.waitFor(`document.querySelector("#take").open`)
		mouse{}.press(p, by("#take button", text.English.Say(label)))
		want(p, `(document.querySelector("#progress-said") || {textContent: ""}).textContent`, text.English.Say("backup.no-room"))
		want(p, `JSON.stringify(localStorage)`, own)
	}
}

// TestReset: a step, a lesson, all: what goes is said and asked for first, and it can be undone.
func TestReset(t *testing.T) {
	p := open(t, aStep)
	p.fires(0)
	p.goTo(anotherStep)
	p.fires(0)
	p.goTo("#/lesson/retry-budget/statuses")
	p.fires(0)
	kept := func(want_ int) {
		t.Helper()
		want(p, `Object.keys(localStorage).filter((k) => k.startsWith("retrylab.history")).length`, want_)
	}
	kept(3)
	p.goTo(aStep)
	for _, c := range []struct{ scope, left int }{{0, 2}, {1, 1}} {
		mouse{}.press(p, one(".resetrow button"))
		p.waitFor(`document.querySelector("#reset").open`)
		p.axe()
		p.shot("reset-step")
		mouse{}.press(p, one("#reset li:nth-child("+strconv.Itoa(c.scope+1)+") button"))
		kept(c.left)
		want(p, rows, 0)
		mouse{}.press(p, one("#undoable button"))
		kept(3)
		p.waitFor(rows + " > 0")
	}
	p.goTo("#/")
	mouse{}.press(p, by("section button", text.English.Say("reset.open")))
	p.waitFor(`document.querySelector("#reset").open`)
	p.axe()
	p.viewport(360, 740)
	p.shot("reset-all-360")
	p.viewport(1440, 900)
	mouse{}.press(p, one("#reset li:first-child button"))
	kept(0)
	p.shot("reset-done")
	mouse{}.press(p, one("#undoable button"))
	kept(3)
}

// TestTwoTabs: two tabs play one step, and each has and keeps the runs of both, also when the other had not been heard.
// A reset in one is one in the other.
func TestTwoTabs(t *testing.T) {
	a := open(t, aStep)
	b := a.sibling()
	b.visit(aStep)
	a.fires(0)
	want(b, `document.querySelector("#live").textContent`, text.English.Say("lab.elsewhere"))
	b.fires(1) // b still shows a run of its own
	want(a, branchesOfAStep, 2)
	want(a, inputsOfAStep, 2)
	a.fires(2)
	want(b, inputsOfAStep, 3)
	b.goTo("#/")
	b.goTo(aStep)
	want(b, inputsOfAStep, 3)

	// What was kept while this tab was not listening is found when it keeps something itself.
	eval[bool](a, `(window.addEventListener("storage", (e) => e.stopImmediatePropagation(), true), true)`)
	b.fires(2)
	n := eval[int](b, inputsOfAStep)
	a.fires(1)
	if got := eval[int](a, inputsOfAStep); got != n+1 {
		t.Errorf("there are %d inputs, want %d", got, n+1)
	}
	c := a.sibling()
	c.visit(aStep)
	mouse{}.press(b, one(".resetrow button"))
	b.waitFor(`document.querySelector("#reset").open`)
	mouse{}.press(b, one("#reset li button"))
	want(b, `String(`+historyOfAStep+`)`, "null")
	want(c, rows, 0)
	want(c, `document.querySelector("#live").textContent`, text.English.Say("reset.elsewhere"))
	want(c, `String(`+historyOfAStep+`)`, "null")
}
