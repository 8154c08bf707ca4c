//go:build e2e

package e2e

import (
	"bytes"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"retrylab.example/core/text"
)

// badLesson serves the site with another text as the first lesson's file.
func badLesson(t *testing.T, data []byte) *host {
	t.Helper()
	good := labHandler(t)
	return newHost(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/lessons/010-lost-replies.json") {
			w.Header().Set("Content-Type", "application/json")
			w.Write(data) //nolint:errcheck // a browser that goes away
			return
		}
		good.ServeHTTP(w, r)
	}))
}

// TestBadLesson: a lesson with faults shows each of them with its place, and the rest of the page works.
func TestBadLesson(t *testing.T) {
	data, err := os.ReadFile(filepath.Join(root, "lessons", "010-lost-replies.json"))
	if err != nil {
		t.Fatal(err)
	}
	change := func(old, replacement string) []byte {
		if !bytes.Contains(data, []byte(old)) {
			t.Fatalf("the lesson holds no %s", old)
		}
		return bytes.Replace(data, []byte(old), []byte(replacement), 1)
	}
	for _, bad := range []struct {
		name  string
		data  []byte
		place string // how the first fault begins
		says  string
	}{
		{"unknown field", change(`"kind": "explain"`, `"kind": "explain", "colour": "red"`), placed(data, `"kind": "explain"`, `"kind": "explain", `), "colour"},
		{"wrong type", change(`"minutes": 25`, `"minutes": "long"`), placed(data, `"minutes"`, `"minutes": `), "number"},
		{"negative time", change(`{"at": "0s", "fire": {}}`, `{"at": "-1s", "fire": {}}`), `010-lost-replies.json:`, "-1s"},
		{"a billion attempts", change(`{"preset": "contract-c"}`, `{"preset": "contract-c", "attempts": 1000000000}`), `010-lost-replies.json:`, "1000000000"},
		{"a huge number", change(`"minutes": 25`, `"minutes": 1e400`), placed(data, `"minutes"`, `"minutes": `), "1e400"},
		{"a missing language", change(`"ja": "消えた応答"`, `"fr": "x"`), placed(data, `"title": {`, `"title": `), `"ja"`},
		{"bad UTF-8", change(`"ja": "消えた応答"`, "\"ja\": \"\xff\xfe\""), placed(data, `"ja": "消えた応答"`, `"ja": "`), "UTF-8"},
		{"half a file", data[:len(data)/2], `010-lost-replies.json:`, ""},
		{"another format", []byte(`<!doctype html><title>Login</title>`), `010-lost-replies.json:1:1:`, ""},
		{"nothing", nil, `010-lost-replies.json:1:1:`, ""},
		{"deep", bytes.Repeat([]byte("["), 100_000), `010-lost-replies.json:1:`, ""},
		{"100 MB", append(bytes.Repeat([]byte(" "), 100_000_000), data...), `010-lost-replies.json::`, "longer"},
	} {
		t.Run(bad.name, func(t *testing.T) {
			p := openBlank(t, badLesson(t, bad.data).url)
			p.visit("#/lesson/lost-replies/third-attempt")
			p.waitFor(`document.querySelector(".notice[role=alert]")`)
			faults := eval[[]string](p, `[...document.querySelectorAll("main li")].map((e) => [e.closest("div").querySelector("code").textContent, e.querySelector("code").textContent, e.querySelector("p").textContent].join(":"))`)
			if len(faults) == 0 || !strings.HasPrefix(faults[0], bad.place) || !strings.Contains(strings.Join(faults, "\n"), bad.says) {
				t.Errorf("the page says %q, want %q … %q", faults, bad.place, bad.says)
			}
			if bad.name == "wrong type" {
				p.axe()
				p.shot("bad-lesson")
			}
			p.click("main a.btn")
			p.shows("#/")
			want(p, `document.querySelectorAll(".les").length`, listed(t))
			if bad.name == "wrong type" {
				p.goTo("#/lesson/retry-budget/statuses")
				p.click("#fire")
				p.waitFor(rows + " > 0")
			}
		})
	}
}

// placed gives how a fault begins that stands behind some text.
func placed(data []byte, find, behind string) string {
	at := bytes.Index(data, []byte(find))
	line := bytes.Count(data[:at], []byte("\n")) + 1
	column := at - bytes.LastIndexByte(data[:at], '\n') + len(behind)
	return fmt.Sprintf("010-lost-replies.json:%d:%d", line, column)
}

// TestBadIndex: without the list of lessons the page says so, and loading again helps once it is there.
func TestBadIndex(t *testing.T) {
	good := labHandler(t)
	without := func(status int, body string) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if strings.HasSuffix(r.URL.Path, "/lessons/index.json") {
				w.Header().Set("Cache-Control", "no-store")
				w.WriteHeader(status)
				w.Write([]byte(body)) //nolint:errcheck // a browser that goes away
				return
			}
			good.ServeHTTP(w, r)
		})
	}
	broken := openBlank(t, newHost(t, without(http.StatusOK, "{")).url)
	broken.visit("#/lesson/lost-replies/screen")
	want(broken, `document.querySelector(".notice[role=alert]").innerText.includes("lessons/index.json")`, true)
	broken.axe()

	h := newHost(t, without(http.StatusServiceUnavailable, "later"))
	p := openBlank(t, h.url)
	p.tolerate("503")
	p.visit("")
	want(p, `document.querySelector(".notice[role=alert]").innerText.includes("lessons/index.json: HTTP 503")`, true)
	h.use(good)
	p.click("main button.btn--primary")
	p.waitFor(`document.documentElement.dataset.ready === "1" && document.querySelectorAll(".les").length > 0`)
}

// TestBadStorage: whatever the browser has kept, the page starts; progress that it cannot read is set aside.
func TestBadStorage(t *testing.T) {
	p := open(t, "")
	for i, bad := range []string{"{broken", "[]", "null", "7", `{"format":9,"steps":{}}`, `{"format":1,"steps":[]}`, "\x00\xff", strings.Repeat("[", 50_000)} {
		kept := eval[string](p, `(localStorage.clear(), localStorage.setItem("retrylab.progress", `+quote(bad)+`), localStorage.getItem("retrylab.progress"))`)
		p.visit("?" + strconv.Itoa(i) + "#/lesson/lost-replies/screen")
		want(p, `localStorage.getItem("retrylab.progress.broken")`, kept)
		want(p, `JSON.parse(localStorage.getItem("retrylab.progress")).last`, "lost-replies/screen")
		want(p, `document.body.innerText.includes(`+quote(text.English.Say("shell.progress-broken"))+`)`, true)
		if i == 0 {
			p.axe()
			p.reload() // which must not set the good one aside
			want(p, `localStorage.getItem("retrylab.progress.broken")`, kept)
			want(p, `JSON.parse(localStorage.getItem("retrylab.progress")).last`, "lost-replies/screen")
		}
	}
}

// TestBadHistory: a kept run that cannot be read, or not any more, leaves a step that works.
func TestBadHistory(t *testing.T) {
	p := open(t, "")
	for _, bad := range []string{
		"{broken", "null", "[]", `{"tree":null}`, `{"tree":{"format":7}}`,
		`{"tree":{"format":1,"at":99,"now":"1s","parents":[0],"next":[0],"inputs":[{"at":"0s","fire":{}}]},"count":1000000000}`,
		`{"tree":{"format":1,"at":1,"now":"0s","parents":[1],"next":[1],"inputs":[{"at":"0s","fire":{}}]},"count":-5}`,
		`{"tree":{"format":1,"at":1,"now":"99999999h","parents":[0],"next":[0],"inputs":[{"at":"0s","fire":{"client":"nobody","key":"a\nb"}}]}}`,
		`{"tree":{"format":1,"at":0,"now":"0s"},"hints":99,"prediction":"none","kept":true}`,
		strings.Repeat(`{"tree":`, 20_000),
	} {
		p.goTo("#/")
		eval[bool](p, `(localStorage.setItem("retrylab.history.lost-replies/third-attempt", `+quote(bad)+`), true)`)
		p.goTo("#/lesson/lost-replies/third-attempt")
		p.playsOn(t, bad)
	}
}

// playsOn plays a request in the step that is shown.
func (p *tab) playsOn(t *testing.T, bad string) {
	t.Helper()
	before := p.rows()
	p.click("#fire")
	p.waitFor(rows + " > 0")
	if before > 1 {
		t.Errorf("%.80s: %d events have happened", bad, before)
	}
	p.click("#next")
	want(p, `JSON.parse(localStorage.getItem("retrylab.history.lost-replies/third-attempt")).tree.inputs.length > 0`, true)
}

// TestStorageDenied: where the browser keeps nothing, or nothing more, the page works and says so.
func TestStorageDenied(t *testing.T) {
	for _, tt := range []struct{ name, script, says string }{
		{"denied", `Object.defineProperty(window, "localStorage", {configurable: true, get() { throw new DOMException("denied", "SecurityError"); }})`, "shell.storage-off"},
		{"none", `Object.defineProperty(window, "localStorage", {configurable: true, value: null})`, "shell.storage-off"},
		{"full", `Storage.prototype.setItem = () => { throw new DOMException("full", "QuotaExceededError"); }`, "shell.quota"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := openBlank(t, lab.url)
			p.onNewDocument(tt.script)
			p.visit("#/lesson/lost-replies/third-attempt")
			st := stepOf(t, "lost-replies", "third-attempt")
			play := newPlayer(p, mouse{}, st)
			play.answer(st.Solution)
			play.finish()
			play.solved()
			want(p, `document.body.innerText.includes(`+quote(text.English.Say(tt.says))+`)`, true)
			p.goTo("#/")
			p.goTo("#/lesson/lost-replies/third-attempt")
			want(p, `document.querySelector(".pip.is-here").classList.contains("is-solved")`, true) // as long as the page is open
			p.axe()
		})
	}
}
