//go:build e2e

package e2e

import (
	"net/http"
	"strings"
	"sync"
	"testing"

	"retrylab.example/core/text"
)

// TestBeforeTheProgram: as long as the program is on its way, the page shows the step's text in the language of the
// address, and a timeline; when it comes, the same heading stands at the same place.
func TestBeforeTheProgram(t *testing.T) {
	for _, tt := range []struct {
		lesson, step string
		lang         text.Lang
		phone        bool
	}{
		{"lost-replies", "with-a-key", text.English, false},
		{"lost-replies", "screen", text.Korean, false},
		{"retry-budget", "whole-executor", text.Japanese, false},
		{"retry-budget", "retry-after", text.Korean, true},
	} {
		t.Run(tt.step, func(t *testing.T) {
			h, release := holdProgram(t)
			p := openBlank(t, h.url)
			if tt.phone {
				p.viewport(360, 740)
			}
			st := stepOf(t, tt.lesson, tt.step)
			p.load(hashOf(tt.lesson, tt.step) + "?lang=" + string(tt.lang))
			p.waitFor(`document.querySelector("#boot-text h2#lesson-h")`)
			want(p, "document.documentElement.lang", string(tt.lang))
			want(p, "document.documentElement.dataset.ready === undefined", true)
			want(p, `document.querySelector("#lesson-h").innerText`, in(st.Title, tt.lang))
			body, _, _ := strings.Cut(in(st.Body, tt.lang), "\n")
			plain := strings.NewReplacer("**", "", "`", "").Replace(body)
			want(p, `[...document.querySelectorAll("#boot-text .prose p")].some((e) => e.textContent === `+quote(plain)+`)`, true)
			if st.Plays() {
				want(p, `document.querySelector("#boot-text #timeline svg.tl") !== null`, true)
				want(p, `document.querySelectorAll("#boot-text :is(button, input, select):enabled").length`, 0)
				if !tt.phone {
					want(p, `document.querySelector("#boot-text #timeline svg.tl").getBoundingClientRect().width > 300`, true)
				}
			}
			p.speaks(t, "before the program", tt.lang, english(t, tt.lang))
			p.axe()
			p.shot("before-" + tt.step)
			place := `((r) => [r.left, r.top].map(Math.round).join())(document.querySelector("#lesson-h").getBoundingClientRect())`
			before := eval[string](p, place)
			release()
			p.ready()
			want(p, `document.querySelector("#lesson-h").innerText`, in(st.Title, tt.lang))
			want(p, `document.querySelector("#boot-text") === null`, true)
			want(p, place, before)
			if st.Plays() {
				want(p, `document.querySelector("#timeline svg.tl") !== null`, true)
				want(p, `document.querySelector("#fire").disabled`, false)
			}
		})
	}
}

// holdProgram serves the site, but keeps the program back until release is called.
func holdProgram(t *testing.T) (h *host, release func()) {
	t.Helper()
	good, gate := labHandler(t), make(chan struct{})
	release = sync.OnceFunc(func() { close(gate) })
	t.Cleanup(release)
	return newHost(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, ".wasm") {
			select {
			case <-gate:
			case <-r.Context().Done():
				return
			}
		}
		good.ServeHTTP(w, r)
	})), release
}
