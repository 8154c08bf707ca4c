//go:build e2e

package e2e

import (
	"encoding/base64"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"retrylab.example/core/lesson"
	"retrylab.example/core/text"
)

// pickFile chooses a file in a field, as the browser's own dialog would.
func (p *tab) pickFile(input, name string, data []byte) {
	p.t.Helper()
	p.waitFor("document.querySelector(" + quote(input) + ")")
	eval[bool](p, `((input) => {
		const bytes = Uint8Array.from(atob("`+base64.StdEncoding.EncodeToString(data)+`"), (c) => c.charCodeAt(0));
		const files = new DataTransfer();
		files.items.add(new File([bytes], `+quote(name)+`));
		input.files = files.files;
		return input.dispatchEvent(new Event("change", {bubbles: true}));
	})(document.querySelector(`+quote(input)+`))`)
}

// dropFile drops a file on the page.
func (p *tab) dropFile(name string, data []byte) {
	p.t.Helper()
	stays := eval[bool](p, `(() => {
		const bytes = Uint8Array.from(atob("`+base64.StdEncoding.EncodeToString(data)+`"), (c) => c.charCodeAt(0));
		const files = new DataTransfer();
		files.items.add(new File([bytes], `+quote(name)+`));
		const event = (type) => new DragEvent(type, {dataTransfer: files, bubbles: true, cancelable: true});
		return !document.body.dispatchEvent(event("dragover")) && !document.body.dispatchEvent(event("drop"));
	})()`)
	if !stays {
		p.t.Error("the browser would leave the page for a dropped file")
	}
}

// setField writes a field of the form as typing does.
func (p *tab) setField(pointer, value string) {
	p.t.Helper()
	at := "document.getElementById(" + quote("at"+pointer) + ")"
	p.waitFor(at)
	eval[bool](p, `((e) => {
		e.focus();
		e.value = `+quote(value)+`;
		e.dispatchEvent(new Event("input", {bubbles: true}));
		return e.dispatchEvent(new Event("change", {bubbles: true}));
	})(`+at+`)`)
}

const jsonText = `document.querySelector("#json").value`

// keepDownloads lets the page hand out files to the test instead of to a folder.
func (p *tab) keepDownloads() {
	p.t.Helper()
	p.onNewDocument(`
		const createURL = URL.createObjectURL;
		URL.createObjectURL = (blob) => { window.downloaded = blob.text(); return createURL.call(URL, blob); };
		HTMLAnchorElement.prototype.click = function () { window.downloadName = this.download; };`)
}

// TestAuthor: a lesson of two steps is written in the page, its solution recorded by playing it, proven in the worker,
// downloaded, found good by the core, opened from the file and played to its end.
func TestAuthor(t *testing.T) {
	p := openBlank(t, lab.url)
	p.keepDownloads()
	p.visit("")
	say := func(name string, args ...string) string { return text.English.Say(name, args...) }
	h := mouse{}
	h.press(p, by("aside a", say("course.to-author")))
	p.shows("#/author")
	data := writeTwoSteps(p, h)
	r := lesson.Inspect("my-lesson.json", data)
	l, proven, faults := lesson.Lint("my-lesson.json", data)
	if len(faults) > 0 || proven != 1 || len(l.Steps) != 2 {
		t.Fatalf("%d of %d steps are proven: %v\n%s", proven, len(l.Steps), faults, data)
	}
	if n := len(r.Lesson.Steps[1].Wrong); n != 2 {
		t.Errorf("the step has %d wrong answers, want 2", n)
	}
	h.press(p, by(".place a", say("frame.course")))
	p.shows("#/")
	p.pickFile("#open-file", "my-lesson.json", data)
	p.waitFor(`location.hash.startsWith("#/file")`)
	p.waitFor(`document.querySelector(".eyebrow").innerText.includes(` + quote(say("file.mark")) + `)`)
	h.press(p, one(".onward a"))
	play := newPlayer(p, h, &l.Steps[1])
	play.answer(l.Steps[1].Solution)
	play.finish()
	play.solved()
	p.reload()
	want(p, `document.querySelector(".pip.is-here").classList.contains("is-solved")`, true)
	if eval[bool](p, `JSON.stringify(localStorage["retrylab.progress"] || "").includes("my-lesson")`) {
		t.Error("progress of the file stands among that of the course")
	}
	p.goTo("#/")
	h.press(p, by("aside button", say("file.remove")))
	want(p, `Object.keys(localStorage).filter((k) => k.startsWith("retrylab.file.")).length`, 0)
	p.axe()
}

// TestAuthorByKeyboard: the same is written, recorded, proven and downloaded without a pointer.
func TestAuthorByKeyboard(t *testing.T) {
	p := openBlank(t, lab.url)
	p.keepDownloads()
	p.visit("#/author")
	if l, proven, faults := lesson.Lint("my-lesson.json", writeTwoSteps(p, keyboard{})); len(faults) > 0 || proven != 1 || len(l.Steps) != 2 {
		t.Errorf("%d of %d steps are proven: %v", proven, len(l.Steps), faults)
	}
}

// writeTwoSteps writes a lesson from the new one: one step to read, one to play. It returns what was downloaded.
func writeTwoSteps(p *tab, h hands) []byte {
	p.t.Helper()
	say := func(name string, args ...string) string { return text.English.Say(name, args...) }
	p.waitFor(jsonText + `.length > 100`)
	for n := len(lesson.Inspect("", []byte(eval[string](p, jsonText))).Lesson.Steps); n > 1; n-- {
		h.press(p, `document.querySelectorAll(".au__step")[`+strconv.Itoa(n-1)+`].querySelector(".fm__row button:last-child")`)
		want(p, `document.querySelectorAll(".au__step").length`, n-1)
	}
	h.press(p, by(".au__part button", say("author.add-step")))
	want(p, `document.querySelectorAll(".au__step").length`, 2)
	for i, lang := range []string{"en", "ko", "ja"} {
		h.press(p, `document.querySelectorAll(".au__langs .chip")[`+strconv.Itoa(i)+`]`)
		p.drawn()
		for _, field := range []string{"title", "body", "goal", "hints/0", "checks/0/text"} {
			p.setField("/steps/1/"+field+"/"+lang, "A text, "+lang+". <b>raw</b>")
		}
		p.setField("/steps/1/explanation/"+lang, "It stays.")
	}
	p.setField("/steps/1/id", "charge")
	p.waitFor(`document.querySelector(".au__good") && !document.querySelector(".au__gap")`)
	p.reload() // the draft is kept
	p.waitFor(jsonText + `.includes('"charge"')`)
	h.press(p, `document.querySelectorAll(".au__pick")[1]`)
	h.press(p, by(".au button", say("author.record")))
	p.waitFor(`document.querySelector(".lab--part #fire")`)
	play := newPlayer(p, h, stepIn(p, 1))
	play.answer(stepIn(p, 1).Wrong[0].Answer)
	play.finish()
	h.press(p, by(".au__strip button", say("author.take-wrong")))
	p.waitFor(jsonText + `.includes('"wrong-1"')`)
	h.press(p, by(".au__strip button", say("lab.restart")))
	want(p, rows, 0)
	play = newPlayer(p, h, stepIn(p, 1))
	play.answer(stepIn(p, 1).Solution)
	play.finish()
	h.press(p, by(".au__strip button", say("author.take-solution")))
	want(p, `document.querySelector(".au .notice")?.innerText.startsWith(`+quote(say("author.took-solution", "n", "1")[:10])+`) === true`, true)
	h.press(p, one(".au__pane--form"))
	h.press(p, one("#prove"))
	p.waitFor(`document.querySelector(".au__verdict")`)
	want(p, `document.querySelector(".au__verdict").innerText`, say("author.proven"))
	h.press(p, by(".au button", say("author.download")))
	p.waitFor(`window.downloaded`)
	want(p, `window.downloadName`, "my-lesson.json")
	return []byte(eval[string](p, `window.downloaded`))
}

// stepIn reads a step of the text as it is in the page.
func stepIn(p *tab, i int) *lesson.Step {
	p.t.Helper()
	l, err := lesson.Read("page", []byte(eval[string](p, jsonText)))
	if err != nil {
		p.t.Fatalf("the text in the page has faults: %v", err)
	}
	return &l.Steps[i]
}

// TestAuthorFindsProblems: a mistake is listed as it is typed, and its place is one press away; a form beside a broken
// text is shut; cancelling ends the proof; Tab leaves the field.
func TestAuthorFindsProblems(t *testing.T) {
	p := open(t, "#/author")
	h := mouse{}
	p.waitFor(jsonText + `.length > 100`)
	eval[bool](p, `((e) => {
		e.focus();
		e.setRangeText('"minutes": "long"', e.value.indexOf('"minutes"'), e.value.indexOf(",", e.value.indexOf('"minutes"')), "end");
		return e.dispatchEvent(new Event("input", {bubbles: true}));
	})(document.querySelector("#json"))`)
	h.press(p, one(".faults .jump"))
	want(p, `((e) => document.activeElement === e && e.value.slice(e.selectionStart).startsWith('"long"'))(document.querySelector("#json"))`, true)
	p.press("Tab")
	want(p, `document.activeElement.id === "json"`, false)
	p.focus("#json")
	p.press("Ctrl+z")
	p.waitFor(`document.querySelector(".au__good")`)
	h.press(p, one("#prove"))
	p.waitFor(`document.querySelector(".au__verdict")`)
	eval[bool](p, `((e) => { e.setRangeText("", 0, 1); return e.dispatchEvent(new Event("input", {bubbles: true})); })(document.querySelector("#json"))`)
	p.waitFor(`document.querySelector(".au__set").disabled`)
	p.axe()
}

// TestHostileFiles: whatever is opened, nothing of it runs, nothing is fetched, and the page says what is wrong.
func TestHostileFiles(t *testing.T) {
	data, err := os.ReadFile(filepath.Join(root, "lessons", "010-lost-replies.json"))
	if err != nil {
		t.Fatal(err)
	}
	good := string(data)
	evil := `<img src=//evil.example/x onerror=window.broken=1><script>window.broken=1</script><svg onload=window.broken=1> ` +
		`[a](javascript:window.broken=1) ![b](https://evil.example/p.png) <https://evil.example/> &lt;b&gt; \u0000`
	p := open(t, "")
	for name, file := range map[string]string{
		"deep.json": strings.Repeat("[", 10_000), "empty.json": "", "proto.json": `{"__proto__": {"x": 1}, "constructor": 2}`,
		"slash.json": strings.Replace(good, `"id": "lost-replies"`, `"id": "../../x"`, 1),
		"bidi.json":  strings.Replace(good, `"en": "Lost replies"`, `"en": "Lost \u202e replies"`, 1),
		"huge.json":  strings.Replace(good, `"en": "Lost replies"`, `"en": "`+strings.Repeat("x", 300<<10)+`"`, 1),
		"page.html":  "<!doctype html><script>window.broken=1</script>",
	} {
		p.pickFile("#open-file", name, []byte(file))
		p.waitFor(`document.querySelector("#file-faults h3") && document.querySelector("#file-faults h3").innerText.includes(` + quote(name) + `)`)
		if n := eval[int](p, `document.querySelectorAll("#file-faults li").length`); n == 0 || n > 21 {
			t.Errorf("%s: %d faults are listed", name, n)
		}
		want(p, `location.hash.startsWith("#/file")`, false)
	}
	p.shot("file-faults")
	p.axe()
	l := readLesson(t, "010-lost-replies.json")
	body, _ := l.Steps[0].Body.In("en")
	if !strings.Contains(good, quote(body)) {
		body, _ = l.Why.In("en")
	}
	harmless := strings.Replace(evil, `\u0000`, "", 1)
	p.dropFile("evil.json", []byte(strings.Replace(good, quote(body), quote(harmless), 1)))
	p.waitFor(`location.hash.startsWith("#/file") && document.querySelector(".lesson")`)
	want(p, `document.querySelectorAll(".lesson :is(img, script, iframe, object, a[href^=javascript], a[href*=evil])").length`, 0)
	want(p, `"broken" in window`, false)
}

// TestAuthorLooks: the page speaks every language, fits a phone, and has no serious finding of axe-core.
func TestAuthorLooks(t *testing.T) {
	for _, l := range text.Langs() {
		p := open(t, "#/author?lang="+string(l))
		p.waitFor(jsonText + `.length > 100`)
		p.axe()
		p.shot("author-" + string(l))
		mouse{}.press(p, `document.querySelectorAll(".au__pick")[1]`)
		mouse{}.press(p, one(".au__pane--preview"))
		p.waitFor(`document.querySelector(".lab--part #fire")`)
		p.axe()
		p.shot("author-preview-" + string(l))
	}
	p := open(t, "#/author")
	p.prefer("prefers-color-scheme", "dark")
	p.axe()
	p.shot("author-dark")
	p.viewport(360, 740)
	for _, pane := range []string{"form", "json", "preview"} {
		p.click(".au__pane--" + pane)
		p.drawn()
		p.axe()
		p.shot("author-phone-" + pane)
		p.fits(t, "the author's page, "+pane)
	}
	p.choose(".au__strip .select", "1")
	p.waitFor(`document.querySelector(".lab--part .clock")`)
	p.axe()
	p.shot("author-phone-played")
}
