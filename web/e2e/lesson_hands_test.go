//go:build e2e

package e2e

import (
	"strconv"

	"github.com/chromedp/chromedp"
)

// hands are a way to use the page: with the mouse, or with the keyboard alone. What is used is a JavaScript expression
// that finds it, as by and one give it.
type hands interface {
	// press presses a button, follows a link or chooses an option of a question.
	press(p *tab, what string)
	// pick chooses an option of a select by its label.
	pick(p *tab, what, option string)
	// write replaces what a field holds.
	write(p *tab, what, text string)
	// tick uses the key of the clock, or the button that does the same.
	tick(p *tab, key, button string)
}

// one finds the first element that a selector matches.
func one(selector string) string { return "document.querySelector(" + quote(selector) + ")" }

// by finds the visible element that a selector matches and that has this name.
func by(selector, name string) string {
	return `[...document.querySelectorAll(` + quote(selector) + `)].find((e) => e.checkVisibility({checkVisibilityCSS: true}) && (
		e.getAttribute("aria-label") || (e.labels && e.labels.length
			? [...e.labels[0].childNodes].filter((n) => !n.contains(e)).map((n) => n.textContent).join("") : e.innerText)
		).replace(/\s+/g, " ").trim() === ` + quote(name) + `)`
}

// drawn waits until the page has drawn what it was told: nothing of it has changed for some frames.
func (p *tab) drawn() {
	p.t.Helper()
	eval[bool](p, `new Promise((done) => {
		let left = 3;
		const watch = new MutationObserver(() => { left = 3; });
		watch.observe(document, {subtree: true, childList: true, attributes: true, characterData: true});
		const frame = () => { if (left-- > 0) { requestAnimationFrame(frame); } else { watch.disconnect(); done(true); } };
		requestAnimationFrame(frame);
	})`)
}

// mouse uses the page with the pointer, and with the keys where something is to be written.
type mouse struct{}

// press clicks the middle of what is meant, which nothing may cover.
func (mouse) press(p *tab, what string) {
	p.t.Helper()
	p.waitFor(`((e) => e && e.checkVisibility() && !e.disabled && !e.ariaDisabled)(` + what + `)`)
	at := eval[[]float64](p, `((e) => {
		e = e.matches("input[type=radio]") ? e.closest("label") : e;
		e.scrollIntoView({block: "nearest", inline: "nearest", behavior: "instant"});
		const r = e.getBoundingClientRect(), x = r.left + r.width / 2, y = r.top + r.height / 2;
		return e.contains(document.elementFromPoint(x, y)) ? [x, y] : [];
	})(`+what+`)`)
	if len(at) < 2 {
		p.t.Fatalf("something covers %s%s", what, p.state())
	}
	p.must(p.do(chromedp.MouseClickXY(at[0], at[1])), "clicking %s", what)
}

func (mouse) pick(p *tab, what, option string) {
	p.t.Helper()
	p.waitFor(what)
	ok := eval[bool](p, `((e) => {
		const i = [...e.options].findIndex((o) => o.label === `+quote(option)+`);
		if (i < 0 || e.disabled || e.ariaDisabled) { return false; }
		e.selectedIndex = i;
		e.dispatchEvent(new Event("input", {bubbles: true}));
		return e.dispatchEvent(new Event("change", {bubbles: true}));
	})(`+what+`)`)
	if !ok {
		p.t.Fatalf("%s does not offer %q%s", what, option, p.state())
	}
	p.drawn()
}

func (m mouse) write(p *tab, what, text string) {
	p.t.Helper()
	m.press(p, what)
	p.write(text)
}

func (m mouse) tick(p *tab, _, button string) {
	p.t.Helper()
	m.press(p, one(button))
}

// write types over what the field with the focus holds.
func (p *tab) write(text string) {
	p.t.Helper()
	p.press("Ctrl+a", "Backspace")
	if text != "" {
		p.must(p.do(chromedp.KeyEvent(text)), "typing %s", text)
	}
	p.drawn()
}

// keyboard uses the page with the keyboard alone: it goes to what is meant with Tab and Shift+Tab.
type keyboard struct{}

// reach goes on with Tab, or back with Shift+Tab, until what is meant has the focus. Any option of a group of radio
// buttons will do: the arrow keys go on from there.
func (keyboard) reach(p *tab, what string) {
	p.t.Helper()
	p.waitFor(`((e) => e && !e.disabled && !e.ariaDisabled)(` + what + `)`)
	const most = 150
	turns, last := 0, ""
	for range most {
		where := eval[string](p, `((e) => {
			const a = document.activeElement;
			if (a === e || a.type === "radio" && e.type === "radio" && a.name === e.name) { return "here"; }
			return a.compareDocumentPosition(e) & Node.DOCUMENT_POSITION_FOLLOWING ? "Tab" : "Shift+Tab";
		})(`+what+`)`)
		if where == "here" {
			p.focusShows()
			return
		}
		if last != "" && last != where {
			turns++
		}
		if turns > 2 {
			break
		}
		last = where
		p.press(where)
	}
	p.t.Fatalf("the keyboard does not reach %s%s", what, p.state())
}

// focusShows fails the test if one cannot see where the focus is.
func (p *tab) focusShows() {
	p.t.Helper()
	lack := eval[string](p, `(() => {
		let a = document.activeElement;
		const lacks = [];
		const shown = (e) => { const s = getComputedStyle(e); return s.outlineStyle !== "none" && s.outlineWidth !== "0px" || s.boxShadow !== "none"; };
		if (!a.matches(":focus-visible")) { lacks.push("is not :focus-visible"); }
		if (!shown(a) && !(a.closest("label") && shown(a.closest("label")))) { lacks.push("has no outline"); }
		const r = (a.type === "radio" ? a.closest("label") : a).getBoundingClientRect();
		if (r.bottom <= 0 || r.top >= innerHeight || r.right <= 0 || r.left >= innerWidth) { lacks.push("is out of sight"); }
		return lacks.length ? a.outerHTML.slice(0, 150) + " " + lacks.join(", ") : "";
	})()`)
	if lack != "" {
		p.t.Errorf("the focus: %s", lack)
	}
}

func (k keyboard) press(p *tab, what string) {
	p.t.Helper()
	k.reach(p, what)
	if !eval[bool](p, what+`.type === "radio"`) {
		p.press("Enter")
		return
	}
	for range 20 {
		if eval[bool](p, what+` === document.activeElement`) {
			p.press("Space")
			return
		}
		p.press("ArrowDown")
	}
	p.t.Fatalf("the arrow keys do not reach %s%s", what, p.state())
}

func (k keyboard) pick(p *tab, what, option string) {
	p.t.Helper()
	k.reach(p, what)
	by := eval[int](p, `[...(`+what+`).options].findIndex((o) => o.label === `+quote(option)+`) - (`+what+`).selectedIndex`)
	key := "ArrowDown"
	if by < 0 {
		key, by = "ArrowUp", -by
	}
	for range by {
		p.press(key)
	}
	p.drawn()
	want(p, `((e) => e.options[e.selectedIndex].label)(`+what+`)`, option)
}

func (k keyboard) write(p *tab, what, text string) {
	p.t.Helper()
	k.reach(p, what)
	p.write(text)
}

// tick presses a key of the clock; the focus must be where those act.
func (k keyboard) tick(p *tab, key, _ string) {
	p.t.Helper()
	if !eval[bool](p, `!!document.activeElement.closest("[data-keys]") && !document.activeElement.matches("input, select")`) {
		k.reach(p, one("#timeline"))
	}
	p.press(key)
}

// rows is how many events have happened, by the head of the table: of a long run the table shows a part.
const rows = `(document.querySelector("#events tbody tr") ? Number(document.querySelector("#events summary .note").textContent.match(/\d+/)[0]) : 0)`

func (p *tab) rows() int { p.t.Helper(); return eval[int](p, rows) }

// waitRows waits until so many events have happened.
func (p *tab) waitRows(n int) {
	p.t.Helper()
	p.waitFor(rows + " === " + strconv.Itoa(n))
}
