//go:build e2e

package e2e

import (
	"strconv"
	"testing"

	"retrylab.example/core/text"
	"retrylab.example/web/glossary"
)

// TestGlossary: the words are a click away, are found by typing in any language, and lead to where they are met.
func TestGlossary(t *testing.T) {
	all := 0
	for _, s := range glossary.Sections() {
		all += len(s.Terms)
	}
	terms := `document.querySelectorAll(".gl__list dt").length`
	p := open(t, "#/lesson/lost-replies/lost-reply")
	k := keyboard{}
	k.press(p, one(".top a[href='#/glossary']"))
	p.shows("#/glossary")
	want(p, terms, all)
	k.write(p, one("#glossary-find"), "lost rep")
	p.waitFor(terms + ` < 6 && document.querySelector("#term-lost-reply")`)
	k.press(p, by("#term-lost-reply ~ dd a", "Lost replies: Two losses that look the same"))
	p.shows("#/lesson/lost-replies/lost-reply")

	for _, l := range text.Langs() {
		p.goTo("#/glossary/jitter?lang=" + string(l))
		p.waitFor(`document.activeElement.id === "term-jitter"`)
		p.speaks(t, "glossary", l, english(t, l))
		k.write(p, one("#glossary-find"), "지터")
		p.waitFor(terms + ` > 3 && ` + terms + ` < 20`)
		k.write(p, one("#glossary-find"), "")
		want(p, terms, all)
	}
	p.viewport(360, 740)
	p.goTo("#/glossary?lang=ja")
	want(p, terms, all)
	p.fits(t, "glossary")
	if !eval[bool](p, `document.querySelector(".top a[href='#/glossary']").checkVisibility()`) {
		t.Error("on a phone the words are not a click away")
	}
	p.load(eval[string](p, `document.documentElement.dataset.build`) + "/read.ko.html#glossary")
	p.waitFor(`document.querySelectorAll("#glossary ~ dl dt").length === ` + strconv.Itoa(all))
}
