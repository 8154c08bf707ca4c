//go:build e2e

package e2e

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"retrylab.example/core/clock"
	"retrylab.example/core/lesson"
	"retrylab.example/core/text"
)

// picture gives what the page shows as a text: elements with their attributes in order, and what fields hold. What is
// left out is no part of a position: which buttons can be undone, and the list of runs.
const picture = `(() => {
	const write = (n) => {
		if (n.nodeType === Node.TEXT_NODE) { return n.data; }
		if (n.nodeType !== Node.ELEMENT_NODE || n.matches(LEFT_OUT)) { return ""; }
		const attrs = [...n.attributes].filter((a) => a.name !== "value" && a.name !== "data-mark").map((a) => " " + a.name + "=" + JSON.stringify(a.value)).sort().join("");
		const state = n.matches("input, select") ? " holds=" + JSON.stringify(n.type === "checkbox" || n.type === "radio" ? n.checked : n.value) : "";
		return "<" + n.localName + attrs + state + ">\n" + [...n.childNodes].map(write).join("") + "</" + n.localName + ">\n";
	};
	return ["#now", "#stage", "#why", "#totals", "#lesson"].map((s) => write(document.querySelector(s))).join("\n");
})()`

func (p *tab) picture(leftOut string) string {
	p.t.Helper()
	p.drawn()
	return eval[string](p, strings.ReplaceAll(picture, "LEFT_OUT", quote(leftOut)))
}

// differ says where two pictures differ first.
func differ(a, b string) string {
	x, y := strings.Split(a, "\n"), strings.Split(b, "\n")
	for i := range min(len(x), len(y)) {
		if x[i] != y[i] {
			from := max(i-4, 0)
			return "got\n" + strings.Join(x[from:min(i+3, len(x))], "\n") + "\nwant\n" + strings.Join(y[from:min(i+3, len(y))], "\n")
		}
	}
	return "one is longer"
}

// noPlace is what a picture leaves out when two are compared that stand at the same place of a run.
const noPlace = ".no-such-thing"

// TestBackIsExact: at every position of a run, forward and back shows the same picture, and so do the way from the end
// back to the start, and the scrubber at the same instant.
func TestBackIsExact(t *testing.T) {
	for _, where := range [][2]string{{"lost-replies", "with-a-key"}, {"retry-budget", "retry-after"}} {
		t.Run(where[1], func(t *testing.T) {
			st := stepOf(t, where[0], where[1])
			p := newPlayer(open(t, hashOf(where[0], where[1])), mouse{}, st)
			p.answer(st.Solution)
			p.finish()
			p.solved()
			p.focus("#timeline")
			p.press("Home")
			p.waitRows(0)
			end := len(p.played.Events)
			pictures := []string{p.tab.picture(noPlace)}
			for n := 1; n <= end; n++ {
				p.press("ArrowRight")
				p.waitRows(n)
				pictures = append(pictures, p.tab.picture(noPlace))
				p.press("ArrowLeft")
				p.waitRows(n - 1)
				if got := p.tab.picture(noPlace); got != pictures[n-1] {
					t.Fatalf("event %d, forward and back: %s", n-1, differ(got, pictures[n-1]))
				}
				p.press("ArrowRight")
				p.waitRows(n)
				if got := p.tab.picture(noPlace); got != pictures[n] {
					t.Fatalf("event %d, back and forward: %s", n, differ(got, pictures[n]))
				}
			}
			for n := end - 1; n >= 0; n-- {
				p.press("ArrowLeft")
				p.waitRows(n)
				if got := p.tab.picture(noPlace); got != pictures[n] {
					t.Fatalf("from the end back to event %d: %s", n, differ(got, pictures[n]))
				}
			}
			tried := 0
			for _, n := range []int{end, 0, end / 2, end / 4, end - 1, 1} {
				at := clock.Start
				if n > 0 {
					at = p.played.Events[n-1].At
				}
				if int64(at)/int64(time.Millisecond)%eval[int64](p.tab, `+document.querySelector("#scrub").step`) != 0 {
					continue // the scrubber does not stop there
				}
				tried++
				same := p.played.At(at)
				eval[bool](p.tab, `((e) => { e.value = `+quote(millis(at))+`; return e.dispatchEvent(new Event("input", {bubbles: true})); })(document.querySelector("#scrub"))`)
				p.waitRows(same.Count)
				if got := p.tab.picture(noPlace); got != pictures[same.Count] {
					t.Fatalf("the scrubber at %s ms, event %d: %s", millis(at), same.Count, differ(got, pictures[same.Count]))
				}
			}
			if tried < 3 {
				t.Errorf("the scrubber stops at %d of the events only", tried)
			}
		})
	}
}

func millis(at clock.Instant) string {
	return strings.TrimSuffix(strings.ReplaceAll(text.Seconds(at.Sub(clock.Start)), ".", ""), "\u00a0s")
}

// TestReloadKeepsThePlace: after a reload in the middle of a run the page shows the same place, the same runs and the
// same form; another language shows the same place too, and back again the same picture.
func TestReloadKeepsThePlace(t *testing.T) {
	st := stepOf(t, "lost-replies", "other-amount")
	p := newPlayer(open(t, "#/lesson/lost-replies/other-amount"), mouse{}, st)
	p.answer(st.Solution)
	for range 3 {
		before := p.rows()
		p.h.press(p.tab, one("#next"))
		p.waitRows(before + 1)
	}
	before := p.tab.picture(".notice")
	p.reload()
	if got := p.tab.picture(".notice"); got != before {
		t.Fatalf("after a reload: %s", differ(got, before))
	}
	p.goTo("#/")
	p.goTo("#/lesson/lost-replies/other-amount")
	if got := p.tab.picture(".notice"); got != before {
		t.Fatalf("after another page: %s", differ(got, before))
	}
	n, selected := p.rows(), eval[string](p.tab, `document.querySelector("#events tr.is-sel").id`)
	for _, l := range []text.Lang{text.Korean, text.Japanese, text.English} {
		p.h.pick(p.tab, one(".field--lang select"), l.Name())
		want(p.tab, "document.documentElement.lang", string(l))
		p.waitRows(n)
		want(p.tab, `document.querySelector("#events tr.is-sel").id`, selected)
		want(p.tab, `document.querySelector("#lesson-h").innerText`, in(st.Title, l))
		want(p.tab, "location.hash", "#/lesson/lost-replies/other-amount")
	}
	if got := p.tab.picture(".notice"); got != before {
		t.Fatalf("after three languages: %s", differ(got, before))
	}
}

func in(t lesson.Text, l text.Lang) string { s, _ := t.In(string(l)); return s }

// TestUndoAndRuns: an input is taken back and done again; acting after a rewind keeps the earlier run, which can be
// shown again, also after a reload.
func TestUndoAndRuns(t *testing.T) {
	st := stepOf(t, "lost-replies", "new-key")
	p := newPlayer(open(t, "#/lesson/lost-replies/new-key"), mouse{}, st)
	say := func(name string) string { return text.English.Say(name) }
	undo, redo := by(".undo button", say("lab.undo")), by(".undo button", say("lab.redo"))
	want(p.tab, undo+".ariaDisabled && "+redo+".ariaDisabled", "true")
	p.answer(st.Solution) // two requests, the second after a second
	p.finish()
	p.solved()
	first := p.tab.picture(".undo, .try__b")
	all := p.rows()

	p.h.press(p.tab, undo)
	p.waitFor(rows + " < " + strconv.Itoa(all))
	one1 := p.rows()
	p.h.press(p.tab, redo)
	p.waitRows(all)
	if got := p.tab.picture(".undo, .try__b"); got != first {
		t.Fatalf("after undo and redo: %s", differ(got, first))
	}
	p.h.press(p.tab, undo)
	p.waitRows(one1)
	p.h.press(p.tab, undo)
	p.waitRows(0)
	want(p.tab, undo+".ariaDisabled", "true")
	p.h.press(p.tab, redo)
	p.h.press(p.tab, redo)
	p.waitRows(all)
	want(p.tab, redo+".ariaDisabled", "true")

	// From the start, another request: a second run, and the first one stays.
	p.focus("#timeline")
	p.press("Home")
	p.waitRows(0)
	p.setSelect("lab.key", p.keyLabel(""))
	p.h.press(p.tab, one("#fire"))
	want(p.tab, `document.querySelectorAll(".tries li").length`, 2)
	for !eval[bool](p.tab, one("#run")+".ariaDisabled === `true`") {
		p.h.press(p.tab, one("#run"))
		p.drawn()
	}
	second := p.rows()
	want(p.tab, `document.querySelectorAll(".tries [aria-current]").length`, 1)
	p.h.press(p.tab, `document.querySelector(".tries li:nth-child(2) button")`)
	p.waitRows(all)
	want(p.tab, `document.querySelector(".tries li:nth-child(2) button").getAttribute("aria-current")`, "true")
	p.reload()
	p.waitRows(all)
	want(p.tab, `document.querySelectorAll(".tries li").length`, 2)
	p.h.press(p.tab, `document.querySelector(".tries li:nth-child(1) button")`)
	p.waitRows(second)

	// Start over keeps both.
	p.h.press(p.tab, by(".undo button", say("lab.restart")))
	p.waitRows(0)
	want(p.tab, `document.querySelectorAll(".tries li").length`, 2)
}
