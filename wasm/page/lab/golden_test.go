package lab

import (
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"retrylab.example/core/lesson"
	"retrylab.example/core/text"
	"retrylab.example/wasm/view"
)

var update = flag.Bool("update", false, "write testdata anew")

// The page as HTML, one element a line, in states that people are in. Drawings are left out: they have golden pages of
// their own.
func TestGoldenPages(t *testing.T) {
	l := small(t)
	solution := func(id string) lesson.Answer { return l.Steps[stepIndex(t, l, id)].Solution }
	for name, p := range map[string]*person{
		"read":         at(t, l, "read"),
		"start":        at(t, l, "total"),
		"failing":      at(t, l, "total").use(SetAmount{20}, Inject{"503"}, Fire{}).send(Run{}, Run{}),
		"solved":       at(t, l, "total").play(solution("total")),
		"predict":      at(t, l, "guess").use(Predict{"two"}, KeepPrediction{}, Fire{}).send(Run{}, Run{}, Run{}, Run{}, Run{}),
		"policy":       at(t, l, "tune").use(SetKnob{"base", "soon"}).send(ReplayPolicy{}),
		"summary":      at(t, l, End),
		"failing-ko":   at(t, l, "total").speak(text.Korean).use(Fire{}).send(Run{}, Run{}, Run{}),
		"solution-ja":  at(t, l, "total").speak(text.Japanese).use(Hint{}).send(ShowSolution{}, Next{}),
		"requests":     at(t, offering(t), "total").use(SetOffer{"add"}, SetTimes{3}, Fire{}),
		"requests-ko":  at(t, offering(t), "total").speak(text.Korean).phone(),
		"phone-events": at(t, l, "total").phone().use(Fire{}, Pane{"events"}, Sheet{}),
	} {
		golden(t, name, p.View())
	}
}

// speak changes the language, phone the size.
func (p *person) speak(l text.Lang) *person { p.Settings.Lang = l; return p }

func (p *person) phone() *person { return p.send(Resize{Size{Stage: 328, Narrow: true}}) }

func golden(t *testing.T, name string, page view.Node) {
	t.Helper()
	got := strings.ReplaceAll(withoutDrawings(page).HTML(), "><", ">\n<") + "\n"
	path := filepath.Join("testdata", name+".html")
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got == string(want) {
		return
	}
	g, w := strings.Split(got, "\n"), strings.Split(string(want), "\n")
	for i := range g {
		if i >= len(w) || g[i] != w[i] {
			t.Errorf("%s:%d is not as before (-update writes it anew):\ngot  %s\nwant %s", path, i+1,
				strings.Join(g[i:min(i+3, len(g))], "\n     "), strings.Join(w[min(i, len(w)):min(i+3, len(w))], "\n     "))
			return
		}
	}
	t.Errorf("%s ends earlier than before (-update writes it anew)", path)
}

// withoutDrawings empties what is drawn.
func withoutDrawings(shown view.Node) view.Node {
	e := *shown // drawings that never change are one tree for all pages
	n := &e
	n.Kids = slices.Clone(n.Kids)
	if n.Tag == "svg" {
		n.Kids = nil
		n.Attrs = slices.DeleteFunc(slices.Clone(n.Attrs), func(a view.Attr) bool { return a.Name == "aria-label" })
	}
	for i := range n.Kids {
		n.Kids[i] = withoutDrawings(n.Kids[i])
	}
	return n
}
