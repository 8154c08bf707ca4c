package lab

import (
	"strings"
	"testing"

	"retrylab.example/core/link"
	"retrylab.example/core/text"
	"retrylab.example/wasm/effect"
	"retrylab.example/wasm/view"
)

// In a frame the run, its clock and its totals are shown, the explanation is folded, and the one link leads to the same
// state on a page of its own.
func TestEmbedded(t *testing.T) {
	l := small(t)
	for _, lang := range text.Langs() {
		p := at(t, l, "total").use(Inject{"503"}, Fire{}).send(Next{}, Next{}).speak(lang)
		p.Settings.Embed, p.Settings.Address = true, address
		page := p.View()
		checkPage(t, "embed", page)
		for _, id := range []string{"timeline", "clock", "why", "totals", openID} {
			if !has(page, id) {
				t.Errorf("%s: there is no %s", lang, id)
			}
		}
		leads := 0
		visit(page, func(n view.Node) {
			if href, ok := n.Get("href"); ok && n.Tag == "a" && !strings.HasPrefix(href, "#i-") {
				if target, _ := n.Get("target"); target != "_blank" {
					t.Errorf("%s: a link leads away inside of the frame: %s", lang, n.HTML())
				}
				leads++
			}
		})
		if leads != 1 || offers(page, Share{}) {
			t.Errorf("%s: %d links, or the share dialog, in a frame", lang, leads)
		}
		p.use(OpenInLab{})
		set, ok := p.effects[0].(effect.SetLink)
		if !ok || set.ID != openID {
			t.Fatalf("%s: got %v", lang, p.effects)
		}
		if got := follow(t, l, set.Address, ""); got.pos != p.pos || got.totals() != p.totals() {
			t.Errorf("%s: the link leads to %+v, want %+v", lang, got.pos, p.pos)
		}
		if read := at(t, l, "read").speak(lang); read.Settings.Lang == lang {
			read.Settings.Embed = true
			checkPage(t, "embed", read.View())
		}
	}
}

// The code for other pages shows what was shared, and nothing in it ends an attribute too early.
func TestTheCodeForOtherPages(t *testing.T) {
	p := at(t, small(t), "total").use(Fire{})
	p.lesson.Title[0].Text = `A "title" & <more>`
	shared := p.sharedLink()
	code := p.frameOf(shared)
	want := `<iframe src="` + strings.Replace(shared, "#", "embed.html#", 1) + `" title="`
	if !strings.HasPrefix(code, want) || !strings.Contains(code, "A &quot;title&quot; &amp; &lt;more&gt;") || strings.Count(code, `"`)%2 != 0 {
		t.Errorf("the code is %s", code)
	}
	if !strings.Contains(shared, "#"+link.Route) || !strings.Contains(plain(p.shareDialog()), p.lang().Say("embed.note")) {
		t.Error("the dialog does not offer it")
	}
	if p.use(CopyEmbed{}); !p.did(effect.Copy{ID: embedID, Text: code}) {
		t.Errorf("got %v", p.effects)
	}
}

// A link for a report of a crash leads back to what was shown.
func TestReplay(t *testing.T) {
	l := small(t)
	p := at(t, l, "total").use(Inject{"503"}, Fire{}).send(Next{}, Next{})
	if got := follow(t, l, "#"+p.Replay(), ""); got.pos != p.pos || got.totals() != p.totals() || !got.shared.same {
		t.Errorf("it leads to %+v, want %+v", got.pos, p.pos)
	}
	if at(t, l, "read").Replay() != "" {
		t.Error("a page to read has a run")
	}
}
