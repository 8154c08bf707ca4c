package frame

import (
	"slices"
	"strings"
	"testing"

	"retrylab.example/core/document"
	"retrylab.example/core/text"
)

// TestBanner: every fault stands there as lint prints it, within bounds; nothing is shown where nothing is wrong.
func TestBanner(t *testing.T) {
	for _, l := range text.Langs() {
		draw := func(w Watched) string { return Bar(Settings{Lang: l, Watched: w}).HTML() }
		if got := draw(Watched{}); strings.Contains(got, "watched") {
			t.Errorf("%s: a banner without a reason: %s", l, got)
		}
		if got := draw(Watched{Lost: true}); !strings.Contains(got, l.Say("watch.lost")) {
			t.Errorf("%s: a lost server is not told: %s", l, got)
		}
		f := document.Fault{File: "a.json", Line: 3, Column: 7, Pointer: "/id", Problem: "it is <b>", Mend: "mend it\u202e"}
		known := document.NewFault("c.json", "remove it", "%s is not a whole number", "1.5")
		if problem, _, lang := l.FileFault(known); lang != l || !strings.Contains(draw(Watched{Faults: document.Faults{known}}), "<li><code lang=\"en\" translate=\"no\">c.json</code> "+problem) {
			t.Errorf("%s: a fault that has words is told as %q in %s: %s", l, problem, lang, draw(Watched{Faults: document.Faults{known}}))
		}
		whole := document.Fault{File: "b.json", Problem: "it cannot be read"}
		got := draw(Watched{Faults: document.Faults{f, whole}})
		for _, want := range []string{">a.json:3:7</code> /id: it is &lt;b&gt;; mend it\\u202e</li>", ">b.json</code> it cannot be read</li>", l.Say("watch.faults")} {
			if !strings.Contains(got, want) {
				t.Errorf("%s: there is no %q in %s", l, want, got)
			}
		}
		got = draw(Watched{Unproven: slices.Repeat(document.Faults{f}, mostFaults+3)})
		if n := strings.Count(got, "<li"); n != mostFaults || !strings.Contains(got, l.Say("watch.more", "n", "3")) || !strings.Contains(got, l.Say("watch.unproven")) {
			t.Errorf("%s: %d of many faults are listed: %s", l, n, got)
		}
	}
}
