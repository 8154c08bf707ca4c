package open

import (
	"os"
	"strings"
	"testing"

	"retrylab.example/core/link"
	"retrylab.example/core/text"
	"retrylab.example/wasm/effect"
	"retrylab.example/wasm/view/frame"
)

// What was pasted is opened, be it a link or a report that holds one; else the page says why not, in each language.
func TestOpen(t *testing.T) {
	data, err := os.ReadFile("../../../core/link/testdata/format1.txt")
	if err != nil {
		t.Fatal(err)
	}
	good, _, _ := strings.Cut(string(data), " ")
	report := link.ReportTitle + "\nbuild: b/0\n" + link.ReportLine + "https://lab.example/#" + good + "\n\npanic: x\n#/open/1.2.ab\n"
	for _, pasted := range []string{good, "https://lab.example/#" + good + "\n", report} {
		m := New(frame.Settings{Lang: text.English})
		m.Update(Write{pasted})
		if got := m.Update(Open{}); len(got) != 1 || got[0] != any(effect.Go{Hash: "#" + good}) {
			t.Errorf("%.60s: got %v", pasted, got)
		}
	}
	for pasted, problem := range map[string]link.Problem{
		"": link.Empty, "hello": link.NoLink, good[:len(good)-3]: link.Cut, "\x00\xff": link.NoLink,
		link.ReportTitle + "\nnothing": link.Empty, strings.Repeat("x", 100_000): link.TooLarge,
	} {
		for _, l := range text.Langs() {
			m := New(frame.Settings{Lang: l})
			m.Update(Write{pasted})
			effects := m.Update(Open{})
			if len(effects) == 0 || effects[0] != any(effect.Focus{ID: fieldID}) || m.trouble == "" || !strings.Contains(m.View().HTML(), troubleID) {
				t.Errorf("%s: %.30q (%s): got %v, %q", l, pasted, problem, effects, m.trouble)
			}
			if _, err := link.Read(pasted); l.LinkProblem(err.(*link.Error)) != m.trouble || err.(*link.Error).Problem != problem {
				t.Errorf("%s: %.30q: the page says %q, want that of %s, which is %v", l, pasted, m.trouble, problem, err)
			}
		}
	}
}
