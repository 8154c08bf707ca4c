//go:build e2e

package e2e

import "testing"

// A step with a request and knobs of its policy.
const travelStep = "#/lesson/retry-budget/whole-executor"

// Space plays simulated time in the frames of the browser, and stops it; with less motion wanted it goes by events.
func TestPlayBySpace(t *testing.T) {
	p := open(t, travelStep)
	p.click("#fire")
	p.focus("#timeline")
	start := p.text("#now")
	p.press("Space")
	p.waitFor(`document.getElementById("now").textContent !== ` + quote(start))
	p.waitFor(`document.querySelector("#play").textContent.includes("Pause") || document.querySelectorAll("tr[id^=ev-]").length > 2`)
	p.choose("#speed", "6")
	for range 8 { // it stops wherever a check changes
		if eval[bool](p, `document.querySelector("#play").getAttribute("aria-disabled") !== null`) {
			break
		}
		p.waitFor(`document.querySelector("#play").textContent.includes("Play")`)
		p.focus("#timeline")
		p.press("Space")
		p.waitFor(`document.querySelector("#play").textContent.includes("Play")`)
	}
	want(p, `document.querySelector("#play").getAttribute("aria-disabled") !== null`, true)
}

// What was done before a rewind stays in a tab beside the new run; arrows go from tab to tab, and Delete closes one.
func TestTabsOfRuns(t *testing.T) {
	p := twoRuns(t)
	want(p, `[...document.querySelectorAll("[role=tab]")].map((e) => e.querySelector("b").textContent).join("")`, "AB")
	p.focus("#tab-b")
	p.press("ArrowLeft")
	p.waitFor(`document.querySelector("#tab-a").getAttribute("aria-selected") === "true"`)
	p.waitFor(`document.activeElement.id === "tab-a"`)
	p.reload()
	p.waitFor(`document.querySelector("#tab-a").getAttribute("aria-selected") === "true"`)
	p.focus("#tab-a")
	p.press("Delete")
	p.waitFor(`document.querySelectorAll("[role=tab]").length === 0`)
}

// twoRuns opens the step with the run of its policy in one tab, and that with another number of attempts in the next.
func twoRuns(t *testing.T) *tab {
	p := open(t, travelStep)
	p.click("#fire")
	p.focus("#timeline")
	p.press("End", "End", "End", "End")
	p.typeInto("#knob-attempts", "2")
	p.waitFor(`document.querySelector(".ask")`)
	p.click("#replay-policy")
	p.waitFor(`document.querySelectorAll("[role=tab]").length === 2 && document.activeElement.id === "pol-h"`)
	return p
}

// Two runs are compared under one clock, by keys, after a reload and in another language; a difference opens in its run.
func TestComparison(t *testing.T) {
	p := twoRuns(t)
	p.click("#compare")
	p.waitFor(`document.querySelector(".cmp .df-same")`)
	p.focus("#timeline")
	p.press("Home", "End")
	p.waitFor(`document.querySelector(".cmp .df-band")`)
	p.shot("comparison")
	p.reload()
	p.waitFor(`document.querySelector(".cmp .df-band")`)
	p.choose(".field--lang select", "ja")
	p.waitFor(`document.querySelector(".cmp__h").textContent.startsWith("2つの実行")`)
	p.viewport(360, 740)
	p.waitFor(`document.documentElement.scrollWidth <= 360 && document.querySelector(".cmp .df-band")?.getBoundingClientRect().width > 0`)
	p.shot("comparison-360-ja")
	p.click(".cmp__diffs button")
	p.waitFor(`!document.querySelector(".cmp") && document.querySelector("#why .why__at")`)
}
