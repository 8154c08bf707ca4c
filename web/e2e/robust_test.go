//go:build e2e

package e2e

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"

	"retrylab.example/core/link"
	"retrylab.example/core/text"
)

// TestReadingsWithoutTheProgram: without WebAssembly, and without scripts, the page says what is missing and leads to
// the texts of all lessons, which need neither; with WebAssembly alone missing the step's text stands there already.
func TestReadingsWithoutTheProgram(t *testing.T) {
	for _, l := range text.Langs() {
		p := openBlank(t, lab.url)
		p.onNewDocument("delete globalThis.WebAssembly")
		p.load("?lang=" + string(l) + "#/lesson/lost-replies/third-attempt")
		p.waitFor(`!document.querySelector("#boot-fail").hidden && document.querySelector("#boot-text #lesson-h")`)
		want(p, `document.querySelector("#boot-text #lesson-h").innerText`, in(stepOf(t, "lost-replies", "third-attempt").Title, l))
		p.axe()
		p.shot("no-wasm-" + string(l))
		p.click("#boot-fail a.btn")
		p.waitFor(`document.readyState === "complete" && document.querySelector(".reading h2")`)
		// All lessons, and the words.
		want(p, `document.documentElement.lang + document.querySelectorAll(".reading h2").length`, string(l)+strconv.Itoa(listed(t)+1))
		p.axe()
		p.shot("readings-" + string(l))
	}
	p := openBlank(t, lab.url)
	call(p, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true})
	p.load("")
	want(p, `document.querySelector("noscript p").checkVisibility() && document.querySelectorAll("noscript a").length`, 3)
	p.shot("no-scripts")
	p.load(eval[string](p, `document.querySelector("noscript a[lang=ko]").getAttribute("href")`))
	want(p, `document.documentElement.lang + document.querySelectorAll(".reading h2").length`, "ko"+strconv.Itoa(listed(t)+1))
}

// TestOfflineEverywhere: after one visit every kind of page opens without the server.
func TestOfflineEverywhere(t *testing.T) {
	data, err := os.ReadFile(filepath.Join(root, "core", "link", "testdata", "format1.txt"))
	if err != nil {
		t.Fatal(err)
	}
	shared := ""
	for line := range strings.Lines(string(data)) {
		if strings.Contains(line, "lesson= ") {
			shared, _, _ = strings.Cut(line, " ")
		}
	}
	h := newHost(t, labHandler(t))
	p := openBlank(t, h.url)
	p.visit("")
	p.waitFor(keptOffline)
	h.stop()
	for _, rest := range []string{
		"", "#/lesson/rate-windows", "#/lesson/lost-replies/end", "#/author", "#/open", "#" + shared,
		"embed.html#/lesson/lost-replies/third-attempt", "embed.html#" + shared,
	} {
		p.visit(rest)
		p.reload()
		if n := p.count("[role=alert].notice"); n != 0 {
			t.Errorf("%q offline: %s", rest, p.text("[role=alert].notice"))
		}
	}
	p.load(eval[string](p, `document.documentElement.dataset.build`) + "/read.ja.html")
	want(p, `document.documentElement.lang + document.querySelectorAll(".reading h2").length`, "ja"+strconv.Itoa(listed(t)+1))
}

// TestUpdateInTheMiddle: a newer build takes over while two pages are in the middle of a run with something typed: run,
// clock and what stands in the fields are there again, in the one where it was chosen and in the other.
func TestUpdateInTheMiddle(t *testing.T) {
	next, nextHash := otherBuild(t)
	h := newHost(t, labHandler(t))
	p := openBlank(t, h.url)
	p.visit(aStep)
	p.waitFor(keptOffline)
	other := p.sibling()
	other.visit(anotherStep)
	shown := map[*tab]string{}
	for _, page := range []*tab{p, other} {
		page.fires(1)
		for range 3 {
			page.click("#next")
			page.drawn()
		}
		page.typeInto("#amount", "1234 ms")
		page.drawn()
		shown[page] = eval[string](page, place)
	}
	h.use(handlerOf(t, next))
	eval[bool](p, askForUpdate)
	p.waitFor(`!document.querySelector("#update").hidden`)
	p.click("#update .btn")
	for _, page := range []*tab{p, other} {
		page.waitFor(buildOfPage + ` === "` + nextHash + `" && document.documentElement.dataset.ready === "1"`)
		page.wholly(nextHash)
		want(page, place, shown[page])
		want(page, `document.querySelector("#amount").value`, "1234 ms")
		want(page, `sessionStorage.getItem("retrylab.fields") === null`, true)
		before := eval[string](page, `document.querySelector("#now").textContent`)
		mouse{}.press(page, by(".advance button", text.English.Say("lab.go"))) // the program knows of it too
		page.waitFor(`document.querySelector("#now").textContent !== ` + quote(before))
	}
}

// TestLinkOfThePreviousBuild: a link that one build made opens in the next one, in which the lesson was edited: it says
// that the run may be another; where the inputs do not fit any more it says that, and leads to the lesson.
func TestLinkOfThePreviousBuild(t *testing.T) {
	from := inTheMiddle(t)
	mouse{}.press(from.tab, one(shareButton))
	from.waitFor(shareLink + ` !== ""`)
	fragment := fragmentOf(t, eval[string](from.tab, shareLink))
	next, nextHash := otherBuild(t)
	for _, edit := range []struct{ old, replacement, says string }{
		{`"script": [{"fault": "lost-reply"}],`, `"latency": "70ms", "script": [{"fault": "lost-reply"}],`, "link.changed"},
		{`"shop"`, `"store"`, text.English.LinkProblem(&link.Error{Problem: link.Outdated})},
	} {
		data, err := os.ReadFile(filepath.Join(root, "lessons", "010-lost-replies.json"))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Contains(data, []byte(edit.old)) {
			t.Fatalf("the lesson holds no %s", edit.old)
		}
		data = bytes.ReplaceAll(data, []byte(edit.old), []byte(edit.replacement))
		built := handlerOf(t, next)
		p := openBlank(t, newHost(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if strings.HasSuffix(r.URL.Path, "/lessons/010-lost-replies.json") {
				w.Header().Set("Content-Type", "application/json")
				w.Write(data) //nolint:errcheck // a browser that goes away
				return
			}
			built.ServeHTTP(w, r)
		})).url)
		p.visit(fragment)
		p.wholly(nextHash)
		says := edit.says
		if says == "link.changed" {
			says = text.English.Say(says)
		}
		want(p, `document.body.innerText.includes(`+quote(says)+`)`, true)
		p.axe()
	}
}

// TestAnyFragment: whatever stands behind the #, the page works and says something, without an error anywhere.
func TestAnyFragment(t *testing.T) {
	data, err := os.ReadFile(filepath.Join(root, "core", "link", "testdata", "format1.txt"))
	if err != nil {
		t.Fatal(err)
	}
	var good []string
	for line := range strings.Lines(string(data)) {
		fragment, _, _ := strings.Cut(line, " ")
		good = append(good, fragment)
	}
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 1))
	p := open(t, "")
	for i := range 50 {
		fragment := mutated(r, good)
		eval[bool](p, `(location.hash = "", location.hash = `+quote(fragment)+`, true)`)
		want(p, `document.querySelectorAll("main h1, header h1, h2").length > 0 && document.querySelector("#crash").hidden`, true)
		p.drawn()
		if i%10 == 9 {
			p.goTo("#/")
			want(p, `document.querySelectorAll(".les").length`, listed(t))
		}
	}
	p.goTo(aStep)
	p.fires(0)
}

// mutated returns a fragment that somebody might come with: a link with faults, an address of the page with faults, noise.
func mutated(r *rand.Rand, good []string) string {
	b := []byte(good[r.IntN(len(good))])
	switch r.IntN(6) {
	case 0:
		b = b[:r.IntN(len(b))]
	case 1:
		for range 1 + r.IntN(5) {
			b[r.IntN(len(b))] = byte(33 + r.IntN(90))
		}
	case 2:
		at := r.IntN(len(b))
		b = append(b[:at:at], append([]byte(fmt.Sprintf("%d", r.IntN(1_000_000))), b[at:]...)...)
	case 3:
		b = append(b, b...)
	case 4:
		words := []string{"/", "lesson", "open", "lost-replies", "with-a-key", "author", "file", "end", "..", "?lang=ja", "%2F", "%00", "한글", "<b>", "\"", " ", "1.4.abcd", "sandbox"}
		b = nil
		for range 1 + r.IntN(7) {
			b = append(b, words[r.IntN(len(words))]+"/"...)
		}
	default:
		b = nil
		for range r.IntN(60) {
			b = append(b, byte(32+r.IntN(95)))
		}
	}
	return "#" + strings.ReplaceAll(string(b), "%", "%25")
}

// TestCrashReplays: what stops the program leaves a report whose link brings back what was shown, in the page, pasted
// there whole, and on the command line; and the page starts again where it was.
func TestCrashReplays(t *testing.T) {
	p := openBlank(t, lab.url)
	// No build has a way to crash on demand: here the browser itself fails under the program.
	p.onNewDocument(`const byId = Document.prototype.getElementById;
		Document.prototype.getElementById = function (id) { if (window.broken && id === "live") { throw new Error("the browser failed"); } return byId.call(this, id); };`)
	p.visit(aStep)
	p.fires(1)
	p.click("#next")
	p.drawn()
	shown := eval[string](p, place)
	p.tolerate("the browser failed|panic|exited|goroutine|the program stopped")
	eval[bool](p, "window.broken = true")
	p.click("#next")
	p.waitFor(`!document.querySelector("#crash").hidden`)
	report := eval[string](p, `document.querySelector("#crash textarea").value`)
	for _, want := range []string{link.ReportTitle, "\n" + link.ReportLine + lab.url + "/#/open/", "build: b/", "the browser failed"} {
		if !strings.Contains(report, want) {
			t.Errorf("the report lacks %q:\n%s", want, report)
		}
	}
	eval[bool](p, "(window.broken = false, true)")
	p.click("#crash .btn--primary")
	p.ready()
	p.waitFor(rows + " > 0")

	to := open(t, "?lang=ko#/open")
	to.axe()
	to.shot("open-ko")
	to.typed("#open-text", "hello")
	to.click("main .btn--primary")
	to.waitFor(`document.querySelector("#open-trouble")`)
	to.axe()
	to.typed("#open-text", report)
	to.click("main .btn--primary")
	to.waitFor(`document.querySelector("#now")`)
	to.click("#back")
	to.drawn()
	want(to, place, shown)

	sealed, err := link.Read(report)
	if err != nil || sealed.Lesson != "lost-replies" {
		t.Fatalf("the report does not read: %v", err)
	}
}

// typed puts a long text into a field, as pasting does.
func (p *tab) typed(selector, text string) {
	p.t.Helper()
	eval[bool](p, `((e) => { e.value = `+quote(text)+`; return e.dispatchEvent(new Event("input", {bubbles: true})); })(`+one(selector)+`)`)
	p.drawn()
}
