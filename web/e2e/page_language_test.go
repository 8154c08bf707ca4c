//go:build e2e

package e2e

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"retrylab.example/core/lesson"
	"retrylab.example/core/text"
	"retrylab.example/wasm/effect"
	pagelab "retrylab.example/wasm/page/lab"
	"retrylab.example/wasm/progress"
	"retrylab.example/wasm/view/frame"
)

// kept is what the browser keeps of a step in which the reference's solution was played, up to the end or to the middle.
func kept(l *lesson.Lesson, step int, middle bool) (key, value string) {
	m := pagelab.New(frame.Settings{Lang: text.English}, pagelab.Size{Stage: 640}, pagelab.Place{Number: 1, Count: 1}, l, step, &progress.Book{}, "")
	do := func(msg any) {
		for _, e := range m.Update(msg) {
			if s, ok := e.(effect.Store); ok && s.Key != progress.Key {
				key, value = s.Key, s.Value
			}
		}
	}
	do(pagelab.ShowSolution{})
	do(pagelab.Hint{})
	for range 9 {
		do(pagelab.Next{})
	}
	for range 20 {
		if !middle {
			do(pagelab.Run{})
		}
	}
	return key, value
}

// keep puts a played solution into the browser's storage, for the next visit of the step.
func (p *tab) keep(l *lesson.Lesson, step int, middle bool) {
	p.t.Helper()
	key, value := kept(l, step, middle)
	eval[bool](p, `(localStorage.setItem(`+quote(key)+`, `+quote(value)+`), true)`)
}

// english are patterns of all messages that say something else in a language.
func english(t *testing.T, other text.Lang) []*regexp.Regexp {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(root, "core", "text", "messages", "*.json"))
	if err != nil || len(files) == 0 {
		t.Fatal("there are no messages: ", err)
	}
	parameter := regexp.MustCompile(`\\\{[a-zA-Z]+\\\}`)
	var all []*regexp.Regexp
	for _, f := range files {
		data, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		messages := map[string]map[text.Lang]string{}
		if err := json.Unmarshal(data, &messages); err != nil {
			t.Fatal(err)
		}
		for _, m := range messages {
			words := regexp.MustCompile(`\{[a-zA-Z]+\}`).ReplaceAllString(m[text.English], "")
			if m[text.English] != m[other] && regexp.MustCompile(`[A-Za-z]{2}`).MatchString(words) {
				all = append(all, regexp.MustCompile(`^`+parameter.ReplaceAllString(regexp.QuoteMeta(m[text.English]), `(.+)`)+`$`))
			}
		}
	}
	return all
}

// phrase is what no Korean or Japanese text holds: two words of English, one after the other.
var phrase = regexp.MustCompile(`\b[A-Za-z][a-z]+,? [a-z]{2,}\b`)

// texts are all texts of the page that are not marked as English, and not code.
const texts = `(() => {
	const out = new Set(), own = document.documentElement.lang;
	const ours = (e) => e.closest("[lang]").lang === own && !e.closest("code, kbd, script, style, noscript, [translate=no], #crash, #boot, #update, #boot-fail");
	const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
	for (let n = walk.nextNode(); n; n = walk.nextNode()) {
		if (n.data.trim() && ours(n.parentElement)) { out.add(n.data.trim()); }
	}
	for (const e of document.body.querySelectorAll("*")) {
		for (const a of ["aria-label", "title", "placeholder", "aria-valuetext", "alt", "aria-description"]) {
			if (e.getAttribute(a) && ours(e)) { out.add(e.getAttribute(a)); }
		}
	}
	out.add(document.title);
	return [...out];
})()`

// speaks checks that the whole page is in one language.
func (p *tab) speaks(t *testing.T, where string, l text.Lang, forbidden []*regexp.Regexp) {
	t.Helper()
	want(p, `document.documentElement.lang`, string(l))
	all := eval[[]string](p, texts)
	if len(all) < 10 {
		t.Errorf("%s: there are only %d texts", where, len(all))
	}
	for _, s := range all {
		if l == text.English {
			if regexp.MustCompile(`\p{Hangul}|\p{Hiragana}|\p{Katakana}`).MatchString(s) {
				t.Errorf("%s: %q is not English", where, s)
			}
			continue
		}
		if phrase.MatchString(s) {
			t.Errorf("%s: %q is English", where, s)
			continue
		}
		for _, r := range forbidden {
			if s != "Retry Lab" && r.MatchString(s) { // the product's name, which "Retry {n}" matches
				t.Errorf("%s: %q is the English of a message", where, s)
				break
			}
		}
	}
}

// pageState is a page as a learner sees it at some time.
type pageState struct {
	name, hash     string
	played, dialog bool
}

var pageStates = []pageState{
	{name: "course", hash: "#/"},
	{name: "explain", hash: "#/lesson/lost-replies/screen"},
	{name: "mid-run", hash: "#/lesson/lost-replies/lost-reply", played: true},
	{name: "policy", hash: "#/lesson/retry-budget/whole-executor", played: true},
	{name: "summary", hash: "#/lesson/lost-replies/end"},
	{name: "help", hash: "#/lesson/retry-budget/retry-after", dialog: true},
}

// keepStates prepares the states: the played ones stand in the middle of a run.
func (p *tab) keepStates() {
	p.t.Helper()
	for _, l := range course(p.t) {
		for i := range l.Steps {
			for _, s := range pageStates {
				if s.hash == hashOf(l.ID, l.Steps[i].ID) && l.Steps[i].Plays() {
					p.keep(l, i, s.name != "policy")
				}
			}
		}
	}
}

// TestLanguages: each page is in one language as a whole, and accessible, in either theme, wide and on a phone.
func TestLanguages(t *testing.T) {
	for _, l := range text.Langs() {
		t.Run(string(l), func(t *testing.T) {
			forbidden := english(t, l)
			p := open(t, "")
			p.keepStates()
			for _, s := range pageStates {
				p.goTo(s.hash + "?lang=" + string(l))
				if s.dialog {
					p.press("?")
					p.waitFor(`document.querySelector("#help").open`)
				}
				p.drawn()
				if s.played && p.rows() == 0 {
					t.Errorf("%s: nothing is played", s.name)
				}
				p.speaks(t, s.name, l, forbidden)
				for _, theme := range []string{"light", "dark"} {
					p.prefer("prefers-color-scheme", theme)
					p.axe()
					p.viewport(360, 740)
					p.drawn()
					p.axe()
					if s.played && theme == "light" {
						p.pane("timeline")
						eval[bool](p, `(document.querySelector(".grip").click(), true)`)
						p.drawn()
						p.axe()
						p.speaks(t, s.name+" on a phone", l, forbidden)
						eval[bool](p, `(document.querySelector(".grip").click(), true)`)
						p.pane("lesson")
					}
					p.viewport(1440, 900)
				}
				if s.dialog {
					p.press("Escape")
				}
			}
		})
	}
}

// TestForeignTexts: the search for English finds it.
func TestForeignTexts(t *testing.T) {
	p := open(t, "#/lesson/lost-replies/lost-reply")
	found := 0
	for _, s := range eval[[]string](p, texts) {
		for _, r := range english(t, text.Korean) {
			if r.MatchString(s) {
				found++
				break
			}
		}
	}
	if found < 60 {
		t.Errorf("only %d texts of the English page are known as English", found)
	}
}

// pane shows a part of the page on a phone.
func (p *tab) pane(name string) {
	p.t.Helper()
	i := map[string]string{"lesson": "0", "timeline": "1", "events": "2"}[name]
	eval[bool](p, `([...document.querySelectorAll(".panes__b")][`+i+`].click(), true)`)
	p.waitFor(`document.querySelector(".lab").dataset.pane === ` + quote(name))
}

// TestPhoneWidth: at 360 px no page of any lesson is wider than the screen, in any language, with all that a solved step
// shows, and the totals stay in sight.
func TestPhoneWidth(t *testing.T) {
	p := open(t, "")
	p.viewport(360, 740)
	for _, l := range course(t) {
		for i := range l.Steps {
			if l.Steps[i].Plays() {
				p.keep(l, i, false)
			}
		}
		for _, lang := range text.Langs() {
			for i := range l.Steps {
				p.goTo(hashOf(l.ID, l.Steps[i].ID) + "?lang=" + string(lang))
				where := string(lang) + " " + l.ID + "/" + l.Steps[i].ID
				p.fits(t, where)
				if !l.Steps[i].Plays() {
					continue
				}
				for _, pane := range []string{"timeline", "events", "lesson"} {
					p.pane(pane)
					p.fits(t, where+", "+pane)
				}
			}
			p.goTo(hashOf(l.ID, "end") + "?lang=" + string(lang))
			p.fits(t, string(lang)+" "+l.ID+"/end")
			p.goTo("#/?lang=" + string(lang))
			p.fits(t, string(lang)+" course")
		}
	}
}

// fits checks that nothing makes the page wider than the screen, and that the totals of a played step are in it.
func (p *tab) fits(t *testing.T, where string) {
	t.Helper()
	for _, problem := range eval[[]string](p, `(() => {
		const out = [], root = document.documentElement;
		if (root.scrollWidth > innerWidth || document.body.scrollWidth > innerWidth) {
			out.push("the page is " + root.scrollWidth + " px wide");
			for (const e of document.querySelectorAll("main *")) {
				if (e.checkVisibility() && e.getBoundingClientRect().right > innerWidth + 1) { out.push("too far right: " + e.outerHTML.slice(0, 160)); break; }
			}
		}
		const totals = document.querySelector("#totals");
		if (totals) {
			const r = totals.getBoundingClientRect();
			if (r.top < 0 || r.bottom > innerHeight + 1 || r.height < 20 || r.width > innerWidth) {
				out.push("the totals are not in sight: " + [r.left, r.top, r.right, r.bottom].map(Math.round));
			}
		} else if (document.querySelector("#timeline")) { out.push("there are no totals"); }
		return out;
	})()`) {
		t.Errorf("%s: %s", where, problem)
	}
}
