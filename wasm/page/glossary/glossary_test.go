package glossary

import (
	"strings"
	"testing"

	"retrylab.example/core/lesson"
	"retrylab.example/core/text"
	"retrylab.example/wasm/catalog"
	"retrylab.example/wasm/effect"
	"retrylab.example/wasm/view/frame"
)

var some = []Section{
	{Title: Words{"Calls", "호출", "呼び出し"}, Terms: []Term{
		{ID: "lost-reply", Met: []string{"one/first", "gone/step"}, Source: Words{"contract C", "계약 C", "契約 C"}, Word: Words{"lost reply", "응답 유실", "応答消失"},
			Is: Words{"a response that never comes: `timed-out`", "오지 않는 응답: `timed-out`", "届かない応答: `timed-out`"}},
	}},
	{Title: Words{"Limits", "제한", "制限"}, Terms: []Term{
		{ID: "gcra", Source: Words{"ITU-T I.371", "ITU-T I.371", "ITU-T I.371"}, Word: Words{"GCRA", "GCRA", "GCRA"}, Is: Words{"an algorithm <b>", "알고리즘", "アルゴリズム"}},
	}},
}

func opened(l text.Lang, asked string) *Model {
	c := &catalog.Catalog{Lessons: []catalog.Entry{{ID: "one", Title: lesson.Text{{Lang: "en", Text: "One"}}, Steps: []catalog.Step{{ID: "first", Title: lesson.Text{{Lang: "en", Text: "First"}}}}}}}
	return New(frame.Settings{Lang: l}, c, asked)
}

// mainOf draws the main part of the page.
func mainOf(m *Model) string {
	_, html, _ := strings.Cut(m.View().HTML(), "<main")
	html, _, _ = strings.Cut(html, "</main>")
	return html
}

// TestGlossary: the page asks for its words once, shows them in the reader's language with source and steps, and goes to
// the one that was asked for.
func TestGlossary(t *testing.T) {
	m := opened(text.Korean, "gcra")
	if got := m.Visit(); len(got) != 1 || got[0] != (effect.Fetch{Name: File}) {
		t.Fatalf("it asks for %v", got)
	}
	if got := m.Update(frame.File{Name: File, Text: Write(some)}); len(got) != 1 || got[0] != (effect.Focus{ID: "term-gcra"}) {
		t.Errorf("the word that was asked for: %v", got)
	}
	if got := m.Visit(); len(got) != 0 {
		t.Errorf("it asks once more: %v", got)
	}
	html := mainOf(m)
	for _, want := range []string{
		`<dt id="term-lost-reply" tabindex="-1">응답 유실 <small lang="en">lost reply</small></dt>`, `오지 않는 응답: <code lang="en" translate="no">timed-out</code>`,
		`<span lang="ko">계약 C</span>`, `<span lang="en">ITU-T I.371</span>`, `<a href="#/lesson/one/first"><span lang="en">One</span>: <span lang="en">First</span></a>`,
		`<dt id="term-gcra" tabindex="-1">GCRA</dt>`,
	} {
		if !strings.Contains(html, want) {
			t.Errorf("there is no %s in %s", want, html)
		}
	}
	if strings.Contains(html, "gone") {
		t.Error("a step that is not there is linked")
	}
}

// TestFind: what is typed is looked for in every language, in words and meanings, in any case.
func TestFind(t *testing.T) {
	m := opened(text.Japanese, "")
	m.Update(frame.File{Name: File, Text: Write(some)})
	for query, want := range map[string]string{"": "2", " LOST ": "1", "유실": "1", "アルゴ": "1", "nothing of it": "0", "<b>": "1"} {
		m.Update(Find{query})
		if html := mainOf(m); !strings.Contains(html, m.Settings.Lang.Say("glossary.found", "n", want, "count", "2")) {
			t.Errorf("%q does not find %s of them: %s", query, want, html)
		}
	}
}

// TestNoWords: words that do not come, or are broken, are told; another file is not taken for them.
func TestNoWords(t *testing.T) {
	for _, file := range []frame.File{{Name: File, Trouble: "HTTP 503"}, {Name: File, Text: "x\ty\n"}, {Name: File, Text: Write(some)[1:]}} {
		m := opened(text.English, "")
		m.Update(file)
		if html := mainOf(m); !strings.Contains(html, `role="alert"`) {
			t.Errorf("%q: nothing is told in %s", file, html)
		}
	}
	m := opened(text.English, "")
	m.Update(frame.File{Name: "lesson.json", Text: Write(some)})
	if len(m.sections) > 0 {
		t.Error("a dropped file is taken for the words")
	}
}
