package server

import (
	"net/http"
	"strings"
)

// MetaPolicy is the Content-Security-Policy as a page can carry it in a meta element, for hosts that send no header.
// It allows the page's own files, WebAssembly, and nothing inline.
const MetaPolicy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data:; " +
	"font-src 'self'; connect-src 'self'; manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'"

// Policy is the same as a header. Only a header can forbid other sites to frame the page.
const Policy = MetaPolicy + "; frame-ancestors 'none'"

// EmbedPage is the one page that other sites may frame, and EmbedPolicy its policy.
const (
	EmbedPage   = "/embed.html"
	EmbedPolicy = MetaPolicy + "; frame-ancestors *"
)

// PythonWorker is how the path of the worker ends in which the Python of learners runs, and PythonPolicy its policy: it
// loads the engine's script from here, and reaches nothing else. A program that finds a way out of Python finds no other.
const (
	PythonWorker = "/python/worker.js"
	PythonPolicy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'"
)

// secure sets what every answer carries, errors included.
func secure(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", Policy)
		switch {
		case r.URL.Path == EmbedPage:
			h.Set("Content-Security-Policy", EmbedPolicy)
		case strings.HasSuffix(r.URL.Path, PythonWorker):
			h.Set("Content-Security-Policy", PythonPolicy)
		}
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		h.Set("Permissions-Policy", "camera=(), geolocation=(), microphone=(), payment=(), usb=()")
		next.ServeHTTP(w, r)
	})
}
