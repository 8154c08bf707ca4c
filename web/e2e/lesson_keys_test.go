//go:build e2e

package e2e

import (
	"testing"
)

const focused = `(document.activeElement.id || document.activeElement.className || document.activeElement.tagName)`

// clockShows is what the clock shows.
const clockShows = `document.querySelector("#now").textContent`

// TestKeys: each key of the list does what it says, where it should, and nowhere else.
func TestKeys(t *testing.T) {
	p := open(t, "#/lesson/lost-replies/lost-request")
	k := keyboard{}
	skipTheBar(p, k)
	all := playByKeys(p, k)
	ownKeys(p, k, all)
	helpByKeys(p, k, all)
}

// skipTheBar: the skip link leads past the bar, and keys of the clock do nothing outside of it.
func skipTheBar(p *tab, k keyboard) {
	// The first Tab of a page reaches the skip link, which leads past the bar.
	p.press("Tab")
	want(p, focused, "skip")
	p.press("Enter")
	want(p, focused, "stage")
	want(p, "location.hash", "#/lesson/lost-replies/lost-request")

	// Keys of the clock do nothing outside of it.
	k.reach(p, one("#lesson"))
	p.press("f", "ArrowRight", "End", "i", "n")
	p.drawn()
	want(p, rows, 0)
}

// playByKeys orders, undoes, fires, steps and runs; it returns how many events the run has.
func playByKeys(p *tab, k keyboard) int {
	// I leads to what can be ordered, and the focus goes on from there.
	k.reach(p, one("#timeline"))
	p.press("i")
	want(p, focused, "inject")
	p.press("Tab", "Tab")
	want(p, `document.activeElement.innerText`, "lost request")
	p.press("Space")
	p.waitRows(1)
	want(p, `document.activeElement.getAttribute("aria-pressed")`, "true")

	// Undo and redo act everywhere on the page.
	p.press("Ctrl+z")
	p.waitRows(0)
	p.press("Ctrl+Shift+Z")
	p.waitRows(1)

	k.reach(p, one("#timeline"))
	p.press("f")
	p.waitFor(rows + " > 1")
	fired := p.rows()
	p.press("ArrowRight")
	p.waitRows(fired + 1)
	p.press("ArrowLeft")
	p.waitRows(fired)
	p.press("Shift+ArrowRight") // the timeout, and the decision after it
	want(p, `document.querySelector("#why .verdict strong") !== null || document.querySelector("#why .rc") !== null`, true)
	want(p, clockShows, "1.500\u00a0s")
	p.press("n")
	want(p, clockShows, "2.500\u00a0s")
	p.press("Home")
	want(p, clockShows, "0.000\u00a0s")
	p.waitRows(0)
	for p.press("r"); !eval[bool](p, one("#run")+".ariaDisabled === `true`"); p.press("r") {
		p.drawn()
	}
	all := p.rows()
	p.waitFor(`document.querySelector("#solved")`)
	p.press("Home")
	p.waitRows(0)
	for p.press("End"); !eval[bool](p, one("#run")+".ariaDisabled === `true`"); p.press("End") {
		p.drawn()
	}
	p.waitRows(all)
	return all
}

// ownKeys: a field and the scrubber keep their own keys.
func ownKeys(p *tab, k keyboard, all int) {
	k.reach(p, one("#amount"))
	p.press("Home", "f", "n", "r", "ArrowRight")
	p.drawn()
	want(p, `document.querySelector("#amount").value.startsWith("fnr")`, true)
	p.waitRows(all)
	k.reach(p, one("#scrub"))
	p.press("Home")
	want(p, clockShows, "0.000\u00a0s")
	p.press("ArrowRight")
	p.waitFor(clockShows + ` !== "0.000\u00a0s"`)
	p.press("End")
	p.waitRows(all)
}

// helpByKeys: the help opens and closes by key, and its switch lets the keys act on the whole page.
func helpByKeys(p *tab, k keyboard, all int) {
	// The help opens with ?, keeps the focus, and gives it back when Escape closes it.
	p.press("Tab")
	before := eval[string](p, `document.activeElement.outerHTML`)
	p.press("?")
	p.waitFor(`document.querySelector("#help").open`)
	p.press("Tab")
	want(p, `!!document.activeElement.closest("#help")`, true)
	p.press("f", "Home") // keys of the page do nothing behind a dialog
	p.drawn()
	p.waitRows(all)
	p.press("Escape")
	want(p, `document.querySelector("#help").open`, false)
	want(p, `document.activeElement.outerHTML`, before)

	// With the switch the keys act on the whole page, also after the next visit.
	p.press("?")
	p.waitFor(`document.querySelector("#help").open`)
	k.reach(p, one("#help input[type=checkbox]"))
	p.press("Space", "Escape")
	k.reach(p, one("#lesson"))
	p.press("Home")
	p.waitRows(0)
	p.reload()
	p.press("ArrowRight")
	p.waitRows(1)
	p.press("?")
	p.waitFor(`document.querySelector("#help").open`)
	want(p, `document.querySelector("#help input[type=checkbox]").checked`, true)
}

// TestHintsByKeyboard: hints come one at a time and take the focus; then the solution, which counts as seen.
func TestHintsByKeyboard(t *testing.T) {
	st := stepOf(t, "lost-replies", "third-attempt")
	p := open(t, "#/lesson/lost-replies/third-attempt")
	k := keyboard{}
	for i := range st.Hints {
		name := "Show a hint"
		if i > 0 {
			name = "Next hint"
		}
		k.press(p, by("button", name))
		want(p, `document.querySelectorAll(".hint").length`, i+1)
		want(p, focused, "hint-"+string(rune('1'+i)))
	}
	k.press(p, by("button", "Show the solution"))
	want(p, focused, "next")
	for !eval[bool](p, one("#next")+".ariaDisabled === `true`") {
		before := p.rows()
		p.press("Enter")
		p.waitRows(before + 1)
	}
	p.waitFor(`document.querySelector("#solved h2")?.innerText.includes("Seen")`)
	want(p, `document.querySelector(".pip.is-here").classList.contains("is-seen")`, true)
	p.reload()
	want(p, `document.querySelectorAll(".hint").length`, len(st.Hints))
	want(p, `document.querySelector("#solved h2").innerText.includes("Seen")`, true)
}
