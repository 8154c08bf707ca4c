//go:build e2e

package e2e

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

const retryableStep = "#/lesson/code-retry-budget/retryable"

// codeText is what stands in the editor.
const codeText = `[...document.querySelector("#code > div").shadowRoot.querySelectorAll(".cm-line")].map((l) => l.textContent).join("\n")`

// writeCode replaces what stands in the editor, by the keyboard.
func (p *tab) writeCode(lines ...string) {
	p.t.Helper()
	p.waitFor(`document.querySelector("#code > div") && document.querySelector("#code > div").shadowRoot`)
	p.click("#code")
	p.press("Ctrl+a", "Delete")
	for i, line := range lines {
		if i > 0 {
			p.press("Enter") // which indents as Python does
		}
		p.must(p.do(chromedp.KeyEvent(strings.TrimLeft(line, " "))), "typing %s", line)
	}
}

// verdictSays is what the page says of the program.
const verdictSays = `document.querySelector("#code-verdict").textContent`

// TestCodeStep: a function is written, judged, mended and judged again; marks, cases and the next step tell of it, and a
// reload forgets nothing.
func TestCodeStep(t *testing.T) {
	p := open(t, retryableStep)
	p.waitFor(`document.querySelector("#code > div") && document.querySelector("#code > div").shadowRoot`)
	p.writeCode("def retryable(status):", "    return status >= 500")
	p.press("Ctrl+Enter")
	p.waitFor(verdictSays + `.includes("returns")`)
	p.shot("code-wrong")
	p.writeCode("def retryable(status):", "    return status >= 500 +")
	p.press("Ctrl+Enter")
	p.waitFor(verdictSays + `.includes("cannot be read")`)
	p.shot("code-syntax")
	p.writeCode("def retryable(status):", "    return status in (429, 502, 503, 504)")
	p.press("Ctrl+Enter")
	p.waitFor(verdictSays + `.includes("Solved")`)
	p.shot("code-solved")
	p.axe()
	p.reload()
	p.waitFor(`document.querySelector("#code > div") && document.querySelector("#code > div").shadowRoot`)
	if got := eval[string](p, codeText); !strings.Contains(got, "in (429, 502, 503, 504)") {
		t.Errorf("after a reload there is %q", got)
	}
	p.goTo("#/lesson/code-retry-budget/execute")
	p.waitFor(`document.querySelector("#code > div") && document.querySelector("#code > div").shadowRoot`)
	p.click("#code-see")
	p.waitFor(`document.querySelector("#timeline svg")`)
	p.shot("code-run")
	p.axe()
}
