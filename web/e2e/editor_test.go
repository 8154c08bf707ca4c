//go:build e2e

package e2e

import "testing"

// mountEditor puts the real editor into a shadow root on the page, with what it tells in window.told and window.runs.
const mountEditor = `import(new URL(document.documentElement.dataset.build + "/editor.js", document.baseURI)).then(() => {
	const main = document.querySelector("main");
	const box = document.createElement("div");
	box.className = "code";
	box.innerHTML = '<button id="before">Before</button><div id="place" class="code__place"><div id="host"></div></div><button id="after">After</button>';
	main.replaceChildren(box);
	window.told = 0;
	window.runs = 0;
	const inside = document.querySelector("#host").attachShadow({mode: "open"});
	window.editor = retrylabEditor(inside, "def f(x):\n    return x\n", () => window.told++, () => window.runs++);
	editor.describe("The function f", "Tab moves on", false);
	return true;
})`

const inEditor = `document.querySelector("#host").shadowRoot.querySelector`

// TestEditor: the editor stands in a shadow root under the page's policy, colours Python, takes keys and leaves Tab alone,
// marks lines, and undoes what was typed and what was set.
func TestEditor(t *testing.T) {
	p := open(t, "")
	eval[bool](p, mountEditor)
	want(p, inEditor+`(".cm-content").getAttribute("aria-label")`, "The function f")
	colour := func() string {
		return eval[string](p, `getComputedStyle([...document.querySelector("#host").shadowRoot.querySelectorAll(".cm-line span")].find((s) => s.textContent === "def")).color`)
	}
	light := colour()
	if plain := eval[string](p, `getComputedStyle(`+inEditor+`(".cm-content")).color`); light == plain {
		t.Errorf("a keyword has the colour %s of any text", plain)
	}
	p.axe()
	p.shot("editor-light")
	p.prefer("prefers-color-scheme", "dark")
	if colour() == light {
		t.Error("a keyword has the same colour on dark ground")
	}
	p.axe()
	p.shot("editor-dark")
	p.focus("#before")
	p.press("Tab")
	want(p, `document.activeElement.id`, "host")
	p.press("Ctrl+End", "a", "=", "1", "Enter")
	want(p, `editor.text()`, "def f(x):\n    return x\na=1\n")
	p.press("Ctrl+]")
	want(p, `editor.text()`, "def f(x):\n    return x\na=1\n    ")
	p.press("Ctrl+[", "Ctrl+Enter")
	want(p, `editor.text() + window.runs`, "def f(x):\n    return x\na=1\n1")
	want(p, `window.told > 4`, true)
	eval[bool](p, `(editor.mark([2, 99]), true)`)
	want(p, inEditor+`(".cm-problem").textContent`, "    return x")
	p.press("Ctrl+Home", "Enter") // the mark moves along
	want(p, inEditor+`All(".cm-problem").length`, 1)
	want(p, inEditor+`(".cm-problem").textContent`, "    return x")
	p.shot("editor-marked")
	p.axe()
	eval[bool](p, `(editor.set("x = 2\n", false), true)`)
	p.press("Ctrl+z")
	want(p, `editor.text()`, "\ndef f(x):\n    return x\na=1\n")
	eval[bool](p, `(editor.set("y = 3\n", true), true)`)
	p.press("Ctrl+z")
	want(p, `editor.text()`, "y = 3\n")
	p.press("Ctrl+End", "#") // typed and replaced at once: still two changes to undo
	eval[bool](p, `(editor.set("z = 4\n", false), true)`)
	p.press("Ctrl+z")
	want(p, `editor.text()`, "y = 3\n#")
	p.press("Tab")
	want(p, `document.activeElement.id`, "after")
	p.viewport(360, 740)
	p.fits(t, "the editor")
	p.shot("editor-phone")
}
