//go:build e2e

package e2e

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// TestPaintNeverDrifts: after any series of actions, what was patched step by step is what the program writes anew for the
// same state.
func TestPaintNeverDrifts(t *testing.T) { paintNeverDrifts(t, rand.Uint32(), 100) }

func paintNeverDrifts(t *testing.T, seed uint32, actions int) {
	t.Logf("seed %d", seed)
	var places []string
	for _, l := range course(t) {
		for i := range l.Steps {
			if l.Steps[i].Plays() {
				places = append(places, l.ID+"/"+l.Steps[i].ID)
			}
		}
	}
	r := rand.New(rand.NewPCG(uint64(seed), 3))
	compared := 0
	const batch = 25
	for done := 0; done < actions; done += batch {
		p := open(t, "#/lesson/"+places[r.IntN(len(places))])
		eval[bool](p, "("+anyhow+fmt.Sprintf(`, window.chance = any.random(%d), %s, true)`, r.Uint32(), repaint))
		did := eval[[]string](p, fmt.Sprintf(`any.act(%d)`, batch))
		for _, d := range eval[[][3]string](p, `repaint()`) {
			if compared++; d[1] != d[2] {
				t.Errorf("with seed %d, after %s, #%s is\n%s\nand anew\n%s", seed, strings.Join(did, ", "), d[0], d[1], d[2])
			}
		}
	}
	if compared == 0 {
		t.Error("nothing was compared")
	}
}

// repaint defines a function that tells of each part that a run changes its id, what is in it, and what the program writes
// there when it finds its page empty. What only a person opens in it, and the order of attributes, do not count.
const repaint = `window.repaint = async () => {
	const inside = (n) => [...n.childNodes].map((k) => k.nodeType === 3 ? k.data : k.nodeType !== 1 ? "" :
		"\n<" + [k.localName, ...[...k.attributes].filter((a) => !["value", "checked", "selected", "open", "style"].includes(a.name)).map((a) => a.name + "=" + a.value).sort(),
			...(k.localName === "input" || k.localName === "select" ? ["value:" + k.value, "checked:" + !!k.checked] : [])].join(" ") + ">" + inside(k)).join("");
	const frames = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
	if (!document.querySelector("#timeline")) { return []; }
	// A step back, which ends what plays by itself.
	document.querySelector("#timeline").dispatchEvent(new KeyboardEvent("keydown", {key: "ArrowLeft", bubbles: true, cancelable: true}));
	await frames();
	const page = document.body.firstElementChild;
	const parts = () => [...page.children].map((e, i) => [e.id || e.className || e.localName + i, inside(e)]);
	const before = parts();
	page.replaceChildren();
	` + touched + `;
	await frames();
	const anew = parts();
	return before.map(([id, was], i) => [id, was, i in anew ? anew[i][1] : "nothing"]);
}`

// touched makes the program draw, though nothing has happened.
const touched = `dispatchEvent(new StorageEvent("storage", {key: "of nobody"}))`

// TestTranslatedPage: a page whose texts a browser's translator has replaced is drawn anew at the next change, and goes on.
func TestTranslatedPage(t *testing.T) {
	p := open(t, "#/lesson/lost-replies/lost-reply")
	eval[bool](p, `(() => {
		const texts = document.createTreeWalker(document.body.firstElementChild, NodeFilter.SHOW_TEXT), all = [];
		while (texts.nextNode()) all.push(texts.currentNode);
		for (const text of all) {
			const font = document.createElement("font");
			font.append("[" + text.data + "]");
			text.replaceWith(font);
		}
		return document.querySelectorAll("font").length > 100;
	})()`)
	p.choose(".field--lang select", "ja")
	want(p, `document.querySelectorAll("font").length`, 0)
	want(p, `document.querySelector("#now").textContent.includes("[")`, false)
	p.press("?")
	want(p, `document.querySelector("dialog[open]") !== null`, true)
}
