//go:build e2e

package e2e

import (
	"net/http"
	"testing"
)

// handsPage writes down what is done to it.
const handsPage = `<!doctype html><html lang="en" data-ready="1"><title>Hands</title><main><h1>Hands</h1>
<label>Text <input id="in" value="old" data-kind="field"></label>
<label>Choice <select id="sel"><option>a</option><option>b</option></select></label>
<button id="b">Button</button><p id="log"></p></main>
<script>
const log = document.querySelector("#log");
const say = (x) => { log.textContent += x + ";"; };
addEventListener("keydown", (e) => say((e.ctrlKey ? "C-" : "") + (e.shiftKey ? "S-" : "") + e.key));
document.querySelector("#b").addEventListener("click", () => { log.textContent = ""; });
document.querySelector("#sel").addEventListener("change", (e) => say("chose " + e.target.value));
</script></html>`

// TestHands: the harness's own hands do what they say.
func TestHands(t *testing.T) {
	p := openBlank(t, newHost(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/" {
			w.WriteHeader(http.StatusNoContent) // the browser asks for an icon
			return
		}
		w.Header().Set("Content-Type", "text/html")
		if _, err := w.Write([]byte(handsPage)); err != nil {
			t.Error(err)
		}
	})).url)
	p.visit("")
	p.click("#b")
	p.focus("#b")
	p.press("ArrowRight", "Shift+ArrowRight", "n", "Ctrl+z", "End")
	if got, want := p.text("#log"), "ArrowRight;S-ArrowRight;n;C-z;End;"; got != want {
		t.Errorf("keys: got %q, want %q", got, want)
	}
	p.click("#b")
	p.choose("#sel", "b")
	if got, want := p.text("#log"), "chose b;"; got != want {
		t.Errorf("choice: got %q, want %q", got, want)
	}
	p.typeInto("#in", "new")
	want(p, `document.querySelector("#in").value`, "new")
	if got := p.attr("#in", "data-kind"); got != "field" {
		t.Errorf("attribute: got %q, want field", got)
	}
	p.viewport(360, 740)
	want(p, "innerWidth", 360)
	p.prefer("prefers-reduced-motion", "reduce")
	want(p, `matchMedia("(prefers-reduced-motion: reduce)").matches`, true)
	p.slowCPU(2)
	p.axe()
}
