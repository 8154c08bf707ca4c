//go:build e2e

package e2e

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// click clicks the middle of the first element that a CSS selector finds, when it is visible.
func (p *tab) click(selector string) {
	p.t.Helper()
	p.waitFor("document.querySelector(" + quote(selector) + ")")
	p.must(p.do(chromedp.Click(chromedp.CSS(selector), chromedp.NodeVisible)), "clicking %s", selector)
}

// focus moves the focus to an element.
func (p *tab) focus(selector string) {
	p.t.Helper()
	p.must(p.do(chromedp.Focus(chromedp.CSS(selector))), "focusing %s", selector)
}

// keys are the names of keys that do not write a character.
var keys = map[string]string{
	"ArrowLeft": kb.ArrowLeft, "ArrowRight": kb.ArrowRight, "ArrowUp": kb.ArrowUp, "ArrowDown": kb.ArrowDown,
	"Home": kb.Home, "End": kb.End, "PageUp": kb.PageUp, "PageDown": kb.PageDown, "Enter": kb.Enter, "Tab": kb.Tab,
	"Escape": kb.Escape, "Backspace": kb.Backspace, "Delete": kb.Delete, "Space": " ",
}

var modifiers = map[string]chromedp.Modifier{
	"Shift": chromedp.ModifierShift, "Ctrl": chromedp.ModifierCtrl, "Alt": chromedp.ModifierAlt, "Meta": chromedp.ModifierMeta,
}

// press presses keys one after the other, where the focus is: press("Tab", "Shift+ArrowRight", "n", "Ctrl+z").
func (p *tab) press(names ...string) {
	p.t.Helper()
	for _, name := range names {
		parts := strings.Split(name, "+")
		var held []chromedp.Modifier
		for _, m := range parts[:len(parts)-1] {
			modifier, ok := modifiers[m]
			if !ok {
				p.t.Fatalf("there is no modifier %q in %q", m, name)
			}
			held = append(held, modifier)
		}
		key := parts[len(parts)-1]
		if key == "Enter" {
			p.enter(held...)
			continue
		}
		if special, ok := keys[key]; ok {
			key = special
		} else if utf8.RuneCountInString(key) != 1 {
			p.t.Fatalf("there is no key %q", name)
		}
		p.must(p.do(chromedp.KeyEvent(key, chromedp.KeyModifiers(held...))), "pressing %s", name)
	}
}

// enter presses Enter as one event, as a real keyboard does: who does something with the key can keep it from writing a
// line as well.
func (p *tab) enter(held ...chromedp.Modifier) {
	p.t.Helper()
	key := input.DispatchKeyEventParams{Type: input.DispatchKeyEventTypeKeyDown, Key: "Enter", Code: "Enter", WindowsVirtualKeyCode: 13, Text: "\r"}
	for _, m := range held {
		key.Modifiers |= int64(m)
		if m != chromedp.ModifierShift {
			key.Text = ""
		}
	}
	call(p, input.DispatchKeyEvent, key)
	key.Type, key.Text = input.DispatchKeyEventTypeKeyUp, ""
	call(p, input.DispatchKeyEvent, key)
}

// typeInto replaces what an input holds by typing.
func (p *tab) typeInto(selector, text string) {
	p.t.Helper()
	p.focus(selector)
	p.press("Ctrl+a")
	p.must(p.do(chromedp.KeyEvent(text)), "typing into %s", selector)
}

// choose sets a select to a value, as a choice with the mouse does.
func (p *tab) choose(selector, value string) {
	p.t.Helper()
	eval[bool](p, `((s, v) => { s.value = v; s.dispatchEvent(new Event("input", {bubbles: true}));
		s.dispatchEvent(new Event("change", {bubbles: true})); return true; })(document.querySelector(`+quote(selector)+`), `+quote(value)+`)`)
}

// text gives the visible text of an element.
func (p *tab) text(selector string) string {
	p.t.Helper()
	p.waitFor("document.querySelector(" + quote(selector) + ")")
	return eval[string](p, "document.querySelector("+quote(selector)+").innerText")
}

// attr gives an attribute of an element, "" where it has none.
func (p *tab) attr(selector, name string) string {
	p.t.Helper()
	p.waitFor("document.querySelector(" + quote(selector) + ")")
	return eval[string](p, "document.querySelector("+quote(selector)+").getAttribute("+quote(name)+") || ''")
}

// count gives how many elements a selector finds.
func (p *tab) count(selector string) int {
	p.t.Helper()
	return eval[int](p, "document.querySelectorAll("+quote(selector)+").length")
}

// viewport sets the size of the page.
func (p *tab) viewport(width, height int64) {
	p.t.Helper()
	p.must(p.do(chromedp.EmulateViewport(width, height)), "setting the viewport")
}

// prefer sets the reader's preferences as pairs: prefer("prefers-color-scheme", "dark").
func (p *tab) prefer(pairs ...string) {
	p.t.Helper()
	var features []*emulation.MediaFeature
	for i := 0; i < len(pairs); i += 2 {
		features = append(features, &emulation.MediaFeature{Name: pairs[i], Value: pairs[i+1]})
	}
	call(p, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: features})
}

// slowCPU makes the page's processor slower by a factor.
func (p *tab) slowCPU(factor float64) {
	p.t.Helper()
	call(p, emulation.SetCPUThrottlingRate, emulation.SetCPUThrottlingRateParams{Rate: factor})
}

// offline takes the page and its service worker off the network, or brings them back.
func (p *tab) offline(off bool) {
	p.t.Helper()
	p.network(network.Conditions{Offline: off, DownloadThroughput: -1, UploadThroughput: -1})
}

func (p *tab) network(c network.Conditions) {
	p.t.Helper()
	call(p, network.EmulateNetworkConditionsByRule, network.EmulateNetworkConditionsByRuleParams{
		EmulateOfflineServiceWorker: new(c.Offline), MatchedNetworkConditions: []*network.Conditions{&c},
	})
}

// axe fails the test for each serious finding of axe-core in the page as it is.
func (p *tab) axe() {
	p.t.Helper()
	for _, finding := range p.axeFindings("serious") {
		p.t.Errorf("axe: %s", finding)
	}
}

// axeFindings returns what axe-core finds in the page as it is, from an impact on.
func (p *tab) axeFindings(least string) []string {
	p.t.Helper()
	if !eval[bool](p, "!!window.axe") {
		p.loadAxe()
	}
	// Colours on their way from one theme to the other belong to neither.
	return eval[[]string](p, `Promise.race([
		Promise.allSettled(document.getAnimations().map((a) => a.finished)), new Promise((done) => setTimeout(done, 1000)),
	]).then(() => axe.run(document, {runOnly: ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa", "best-practice"]}))
		.then((r) => ((kinds) => r.violations.filter((v) => kinds.indexOf(v.impact) >= kinds.indexOf(`+quote(least)+`)).flatMap((v) =>
			v.nodes.map((n) => v.impact + " " + v.id + ": " + v.help + "\n" + n.html.slice(0, 300) + "\n" + n.failureSummary)))(["minor", "moderate", "serious", "critical"]))`)
}

func (p *tab) loadAxe() {
	p.t.Helper()
	source, err := os.ReadFile(filepath.Join(root, "web", "npm", "node_modules", "axe-core", "axe.min.js"))
	if err != nil {
		p.t.Fatalf("axe-core is not installed (make npm installs it): %v", err)
	}
	p.must(p.do(chromedp.Evaluate[chromedp.Void](string(source)+"; void 0")), "loading axe")
}

// quote writes a Go string as JavaScript.
func quote(s string) string {
	b, err := json.Marshal(s)
	if err != nil {
		panic(err) // a string always has a JSON form
	}
	return string(b)
}
