//go:build e2e

package e2e

import (
	"strings"
	"testing"

	"retrylab.example/core/text"
	"retrylab.example/wasm/view/frame"
)

// A look is something that a reader can have in front of them: a page, or a page in a state.
type look struct {
	name, hash string
	// opens brings the page into its state once it is shown; nil leaves it as it comes.
	opens func(p *tab)
}

// dialogLook is a page with one of its dialogs open.
func dialogLook(name, hash, id string) look {
	return look{name, hash, func(p *tab) {
		eval[bool](p, `(document.querySelector("#`+id+`").showModal(), true)`)
	}}
}

// looks are all of them. Steps that are played stand in the middle of a run.
var looks = []look{
	{name: "course", hash: "#/"},
	{name: "explain", hash: "#/lesson/lost-replies/screen"},
	{name: "start", hash: "#/lesson/retry-budget/methods-and-keys"},
	{name: "mid-run", hash: "#/lesson/lost-replies/lost-reply"},
	{name: "policy", hash: "#/lesson/retry-budget/spread-the-herd"},
	{name: "breaker", hash: "#/lesson/circuit-breaker/half-of-ten"},
	{name: "summary", hash: "#/lesson/lost-replies/end"},
	{name: "sandbox", hash: "#/sandbox", opens: func(p *tab) { p.waitFor(`document.querySelector(".sb__form")`) }},
	{name: "comparison", hash: "#/lesson/retry-budget/whole-executor", opens: func(p *tab) {
		if p.count(".lab--cmp") == 0 { // the second time it opens so by itself
			p.choose(".cmp__pick select", "contract-c")
		}
		p.waitFor(`document.querySelector(".lab--cmp")`)
	}},
	{name: "author", hash: "#/author"},
	{name: "open", hash: "#/open"},
	{name: "glossary", hash: "#/glossary", opens: func(p *tab) { p.waitFor(`document.querySelector(".gl__list")`) }},
	{name: "watch", hash: "#/watch"},
	{name: "nothing", hash: "#/lesson/none/none"},
	{name: "code", hash: "#/lesson/code-retry-budget/retryable"},
	dialogLook("help", "#/lesson/retry-budget/retry-after", frame.HelpID),
	dialogLook("menu", "#/", frame.MenuID),
	dialogLook("reset", "#/", frame.ResetID),
	{name: "share", hash: "#/lesson/lost-replies/lost-reply", opens: func(p *tab) {
		eval[bool](p, `(document.querySelector('button:has([href="#i-share"])').click(), true)`) // on a phone it is in the menu
		p.waitFor(`document.querySelector("#share").open && document.querySelector("#share-link").value`)
	}},
	{name: "tour", hash: "#/lesson/lost-replies/lost-request", opens: func(p *tab) {
		eval[bool](p, `(document.querySelector("#help").showModal(), document.querySelector("#help button.btn--s:not(.dialog__head *)").click(), true)`)
		p.waitFor(`document.querySelector("#tour")`)
	}},
}

// A manner is how a page is looked at.
type manner struct {
	lang          text.Lang
	theme         string // light, dark, contrast
	width, height int64
}

func (m manner) name() string {
	if m.width < 840 {
		return string(m.lang) + "-" + m.theme + "-phone"
	}
	return string(m.lang) + "-" + m.theme
}

// manners are all, in an order in which neighbours have little in common.
func manners() (all []manner) {
	for i, theme := range []string{"light", "dark", "contrast"} {
		for k := range text.Langs() {
			l := text.Langs()[(k+i)%3]
			sizes := [][2]int64{{1440, 900}, {360, 740}}
			if (i+k)%2 == 1 {
				sizes[0], sizes[1] = sizes[1], sizes[0]
			}
			for _, size := range sizes {
				all = append(all, manner{l, theme, size[0], size[1]})
			}
		}
	}
	return all
}

// beheld is a tab that shows looks one after the other.
func beheld(t *testing.T) *tab {
	t.Helper()
	p := open(t, "")
	for _, l := range course(t) {
		for i := range l.Steps {
			for _, look := range looks {
				if look.name != "start" && look.hash == hashOf(l.ID, l.Steps[i].ID) && l.Steps[i].Plays() {
					p.keep(l, i, true)
				}
			}
		}
	}
	return p
}

// behold shows a look in a manner.
func (p *tab) behold(l look, m manner) {
	p.t.Helper()
	dark, more := "light", "no-preference"
	switch m.theme {
	case "dark":
		dark = "dark"
	case "contrast":
		more = "more"
	}
	p.prefer("prefers-color-scheme", dark, "prefers-contrast", more, "prefers-reduced-motion", "reduce")
	p.viewport(m.width, m.height)
	p.goTo("#/?lang=" + string(m.lang)) // a look begins from another page, so that nothing of the last one is left
	p.goTo(l.hash + map[bool]string{true: "?lang=" + string(m.lang)}[!strings.Contains(l.hash, "?")])
	if l.opens != nil {
		l.opens(p)
	}
	p.drawn()
}

// leaveLook closes what a look has opened.
func (p *tab) leaveLook() {
	p.t.Helper()
	eval[bool](p, `([...document.querySelectorAll("dialog[open]")].forEach((d) => d.close()), document.querySelector("#tour .btn")?.click(), document.activeElement.blur(), true)`)
}
