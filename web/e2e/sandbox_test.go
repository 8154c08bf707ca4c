//go:build e2e

package e2e

import (
	"strings"
	"testing"
)

// TestSandbox: a step opens in the sandbox with the same events; the form changes it, a fault stands at its field and the
// last good run stays; what is saved is there after a reload; a broken file is told of, and undone.
func TestSandbox(t *testing.T) {
	from := inTheMiddle(t)
	const events = `document.querySelector("#events").innerText`
	shown := eval[string](from.tab, events)
	from.click(`.top__tools [href="#i-sliders"]`)
	from.waitFor(`document.documentElement.dataset.page === "#/sandbox" && document.querySelector(".sb__form")`)
	want(from.tab, events, shown)
	from.axe()
	from.shot("sandbox-1440")

	p := open(t, "#/sandbox")
	p.waitFor(`document.querySelector(".sb__form")`)
	p.click("#sandbox-starters > summary")
	want(p, `document.querySelectorAll("#sandbox-starters li").length`, 8)
	p.click("#sandbox-starters li:nth-child(3) button")
	p.waitFor(`document.querySelector("#at\\/clients\\/0\\/name")?.value === "shop"`)
	set := func(pointer, value string) {
		t.Helper()
		eval[bool](p, `((e) => { e.value = `+quote(value)+`; e.dispatchEvent(new Event("change", {bubbles: true})); return true; })(document.getElementById("at`+pointer+`"))`)
	}
	set("/clients/0/policy/attempts", "many")
	p.waitFor(`document.getElementById("at/clients/0/policy/attempts").getAttribute("aria-invalid") === "true"`)
	want(p, `document.getElementById(document.getElementById("at/clients/0/policy/attempts").getAttribute("aria-describedby")) !== null`, true)
	p.axe()
	set("/clients/0/policy/attempts", "2")
	p.waitFor(`!document.querySelector(".sb__faults .notice")`)
	set("/clients/0/name", "till")
	p.waitFor(`document.querySelector("#at\\/clients\\/0\\/name").value === "till"`)
	p.typeInto("#sandbox-name", "mine")
	eval[bool](p, `([...document.querySelectorAll(".sb__tools button")].find((b) => b.textContent === "Save").click(), true)`)
	p.waitFor(`localStorage.getItem("retrylab.sandbox.saved.mine")?.includes("till")`)
	p.reload()
	p.waitFor(`document.querySelector("#at\\/clients\\/0\\/name")?.value === "till"`)
	p.pickFile("#sandbox-file", "broken.json", []byte(`{"clients": [{"name": "a b"}`))
	p.waitFor(`document.querySelector("#sandbox-json")`)
	if s := p.text(".sb__faults"); !strings.Contains(s, "JSON") && !strings.Contains(s, "1:") {
		t.Errorf("of a broken file it says %q", s)
	}
	p.axe()
	eval[bool](p, `(document.querySelector('.sb__tools [href="#i-undo"]').closest("button").click(), true)`)
	p.waitFor(`document.querySelector("#at\\/clients\\/0\\/name")?.value === "till"`)
	p.viewport(360, 780)
	p.prefer("prefers-color-scheme", "dark")
	p.choose("select.select--quiet", "ko")
	p.shot("sandbox-dark-ko-360")
}
