//go:build e2e

package e2e

import (
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/page"

	"retrylab.example/core/text"
	"retrylab.example/wasm/guide"
)

// firstUse opens the page as somebody who has never been there.
func firstUse(t testing.TB, rest string) *tab {
	t.Helper()
	p := openBlank(t, lab.url)
	p.keepsTour()
	p.visit(rest)
	return p
}

// keepsTour leaves it to the page whether the tour is over.
func (p *tab) keepsTour() {
	p.t.Helper()
	call(p, page.RemoveScriptToEvaluateOnNewDocument, page.RemoveScriptToEvaluateOnNewDocumentParams{Identifier: p.guideless})
}

// stopFaults says what is wrong with the card of the tour: it must be in the window, cover nothing of what the ring is
// around, and that must be a part of what it is about that one can see.
func (p *tab) stopFaults(n int) []string {
	p.t.Helper()
	return eval[[]string](p, `(() => {
		const out = [], shown = (s) => [...document.querySelectorAll(s)].find((e) => e.checkVisibility());
		const card = document.querySelector("#tour").getBoundingClientRect(), ring = document.querySelector("#tour-ring").getBoundingClientRect();
		const about = [`+quotedList(guide.Targets(n))+`].map(shown).find(Boolean), box = about.getBoundingClientRect();
		const say = (r) => [r.left, r.top, r.right, r.bottom].map(Math.round).join(" ");
		if (card.left < 0 || card.top < 0 || card.right > innerWidth || card.bottom > innerHeight) { out.push("the card is at " + say(card)); }
		if (card.left < ring.right && card.right > ring.left && card.top < ring.bottom && card.bottom > ring.top) { out.push("the card " + say(card) + " covers " + say(ring)); }
		if (ring.left < box.left - 1 || ring.top < box.top - 1 || ring.right > box.right + 1 || ring.bottom > box.bottom + 1) { out.push("the ring " + say(ring) + " leaves " + say(box)); }
		if (ring.width < 60 || ring.height < 30) { out.push("the ring is " + say(ring) + ", of " + say(box)); }
		for (const [x, y] of [[0.5, 0.5], [0.1, 0.1], [0.9, 0.9]]) {
			const over = document.elementFromPoint(ring.left + ring.width * x, ring.top + ring.height * y);
			if (!about.contains(over)) { out.push("over the ring lies " + over.outerHTML.slice(0, 100)); }
		}
		if (document.documentElement.scrollWidth > innerWidth) { out.push("the page is " + document.documentElement.scrollWidth + " px wide"); }
		return out;
	})()`)
}

func quotedList(list []string) string {
	var all []string
	for _, s := range list {
		all = append(all, quote(s))
	}
	return strings.Join(all, ", ")
}

// tourAt waits until the tour is at a stop and can be read.
func (p *tab) tourAt(n int) {
	p.t.Helper()
	p.waitFor(`document.querySelector("#tour-h small")?.textContent.match(/\d/)[0] === ` + quote(strconv.Itoa(n)))
	want(p, `document.activeElement.id`, guide.TitleID)
	p.drawn()
}

// TestTour: whoever comes first is shown around in five stops, in each language and at each size; the card never covers
// what it explains.
func TestTour(t *testing.T) {
	for _, size := range []struct {
		name          string
		width, height int64
	}{{"wide", 1440, 900}, {"tablet", 1024, 768}, {"twice as large", 720, 450}, {"phone", 360, 740}} {
		t.Run(size.name, func(t *testing.T) {
			for _, l := range text.Langs() {
				p := firstUse(t, "?lang="+string(l)+"#/")
				p.viewport(size.width, size.height)
				want(p, `document.querySelector("#tour") === null`, true) // nothing to show here yet
				p.goTo("#/lesson/lost-replies/lost-reply")
				forbidden := english(t, l)
				for n := 1; n <= guide.Stops(); n++ {
					p.tourAt(n)
					for _, fault := range p.stopFaults(n) {
						t.Errorf("%s, stop %d: %s", l, n, fault)
					}
					if n == 1 {
						p.speaks(t, "tour", l, forbidden)
					}
					p.click("#tour .tour__on")
				}
				p.waitFor(`!document.querySelector("#tour")`)
				want(p, `document.activeElement.id`, "lesson-h")
				p.reload()
				want(p, `document.querySelector("#tour") === null`, true)
			}
		})
	}
}

// TestTourByKeyboard: the tour begins by itself only once, is left and taken up again by keyboard alone, and the page
// can be used beside it.
func TestTourByKeyboard(t *testing.T) {
	p := firstUse(t, "#/lesson/lost-replies/lost-request")
	p.tourAt(1)
	p.reload() // it was neither finished nor skipped
	p.tourAt(1)
	k := keyboard{}
	k.press(p, by("#tour button", "Next"))
	p.tourAt(2)
	k.press(p, by("#tour button", "Back"))
	p.tourAt(1)
	k.reach(p, one("#timeline"))
	p.press("f")
	p.waitFor(rows + " > 0")
	want(p, `document.querySelector("#tour") !== null`, true)
	for _, fault := range p.stopFaults(1) {
		t.Errorf("after a request: %s", fault)
	}
	p.press("Escape")
	p.waitFor(`!document.querySelector("#tour")`)
	p.reload()
	want(p, `document.querySelector("#tour") === null`, true)

	// From the help it begins again, also on a page that has nothing to show.
	p.press("?")
	p.waitFor(`document.querySelector("#help").open`)
	k.press(p, by("#help button", "Show me around"))
	p.tourAt(1)
	want(p, `document.querySelector("#help").open`, false)
	k.press(p, by("#tour button", "Skip the tour"))
	p.waitFor(`!document.querySelector("#tour")`)
	p.goTo("#/author")
	p.press("?")
	p.waitFor(`document.querySelector("#help").open`)
	k.press(p, by("#help button", "Show me around"))
	p.tourAt(1)
	want(p, `location.hash.startsWith("#/lesson/")`, true)
	p.goTo("#/sandbox")
	want(p, `document.querySelector("#tour") === null`, true)
}
