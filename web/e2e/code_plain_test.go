//go:build e2e

package e2e

import (
	"net/http"
	"strings"
	"testing"
)

// codeField is the plain field of the step's editor, "" or null where there is the real one.
const codeField = `document.querySelector("#code > textarea")`

// TestPlainField: the switch brings a field as of any form, with what was typed, and is kept; the field tells the page
// what is typed, and Ctrl+Enter runs it. The way back keeps the text too.
func TestPlainField(t *testing.T) {
	p := open(t, retryableStep)
	p.writeCode("def retryable(status):", "return status >= 500")
	p.click("#code-plain")
	p.waitFor(codeField)
	want(p, codeField+`.value`, "def retryable(status):\n    return status >= 500")
	if label := p.attr("#code > textarea", "aria-label"); label == "" {
		t.Error("the field has no name")
	}
	p.axe()
	p.shot("code-plain")
	p.reload()
	p.waitFor(codeField)
	p.focus("#code > textarea")
	p.press("Ctrl+a", "Delete")
	p.typeInto("#code > textarea", "def retryable(status): return status in (429, 502, 503, 504)")
	p.press("Ctrl+Enter")
	p.waitFor(verdictSays + `.includes("Solved")`)
	p.click("#code-plain")
	p.waitFor(`document.querySelector("#code > div").shadowRoot`)
	want(p, codeText, "def retryable(status): return status in (429, 502, 503, 504)")
}

// TestEditorDoesNotCome: where the editor's script cannot be loaded the step is played in the field.
func TestEditorDoesNotCome(t *testing.T) {
	real := labHandler(t)
	p := openBlank(t, newHost(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/editor.js") {
			http.NotFound(w, r)
			return
		}
		real.ServeHTTP(w, r)
	})).url)
	p.tolerate("404|MIME type|editor.js")
	p.visit(retryableStep)
	p.waitFor(codeField)
	p.typeInto("#code > textarea", "def retryable(status): return status in (429, 502, 503, 504)")
	p.press("Ctrl+Enter")
	p.waitFor(verdictSays + `.includes("Solved")`)
	p.viewport(360, 740)
	p.drawn()
	p.fits(t, "a code step with the plain field")
	p.shot("code-plain-phone")
}
