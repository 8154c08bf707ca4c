// Package server serves a built site over HTTP, and stops cleanly.
package server

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"net/http"
	"path"
	"strconv"
	"strings"
	"time"
)

// types are the content types by extension. The table is complete on purpose: the machine's own mime tables differ,
// and a program that goes out as text/plain does not start.
var types = map[string]string{
	".css":         "text/css; charset=utf-8",
	".html":        "text/html; charset=utf-8",
	".js":          "text/javascript; charset=utf-8",
	".json":        "application/json",
	".png":         "image/png",
	".py":          "text/plain; charset=utf-8",
	".svg":         "image/svg+xml",
	".txt":         "text/plain; charset=utf-8",
	".wasm":        "application/wasm",
	".webmanifest": "application/manifest+json",
}

// file is one file of the site in memory, with its variants by coding.
type file struct {
	contentType string
	cache       string
	etag        string            // of the content, without the coding
	variants    map[string][]byte // "identity", "br", "gzip"
}

// Site is an http.Handler for the files of one build. It reads all of them when it is made (some twelve megabytes), so
// that a build under way never shows through. The zero Site has no files.
type Site struct {
	files   map[string]*file // by path in the URL, "/" for the page
	next    http.Handler
	watched http.Handler // of a watched folder, nil without one
	labs    http.Handler // of live labs, nil without them
}

// New reads a built site.
func New(built fs.FS) (*Site, error) {
	s := &Site{files: map[string]*file{}}
	err := fs.WalkDir(built, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		return s.add(built, name)
	})
	if err != nil {
		return nil, fmt.Errorf("reading the site: %w", err)
	}
	page, ok := s.files["/index.html"]
	if !ok {
		return nil, fmt.Errorf("reading the site: there is no index.html")
	}
	s.files["/"] = page
	s.next = secure(http.HandlerFunc(s.serve))
	return s, nil
}

// add takes up one file unless it is a variant of another, which that one takes up itself.
func (s *Site) add(built fs.FS, name string) error {
	for _, e := range encodings {
		if plain := strings.TrimSuffix(name, e.suffix); plain != name {
			if _, err := fs.Stat(built, plain); err == nil {
				return nil
			}
		}
	}
	data, err := fs.ReadFile(built, name)
	if err != nil {
		return err
	}
	f := newFile(name, data)
	for _, e := range encodings {
		if packed, err := fs.ReadFile(built, name+e.suffix); err == nil {
			f.variants[e.coding] = packed
		}
	}
	s.files["/"+name] = f
	return nil
}

// newFile gives a file without compressed variants.
func newFile(name string, data []byte) *file {
	sum := sha256.Sum256(data)
	f := &file{contentType: types[path.Ext(name)], cache: "no-cache", etag: hex.EncodeToString(sum[:12])}
	if f.contentType == "" {
		f.contentType = "application/octet-stream"
	}
	if strings.HasPrefix(name, "b/") {
		f.cache = "public, max-age=31536000, immutable"
	}
	f.variants = map[string][]byte{"identity": data}
	return f
}

// ServeHTTP answers GET and HEAD for the files of the site, and what is asked of live labs, if there are any.
func (s *Site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if s.labs != nil && strings.HasPrefix(r.URL.Path, "/v1/") {
		s.labs.ServeHTTP(w, r)
		return
	}
	s.next.ServeHTTP(w, r)
}

func (s *Site) serve(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		refuse(w, r, http.StatusMethodNotAllowed, "This address can only be read.")
		return
	}
	if s.isWatched(r) {
		s.watched.ServeHTTP(w, r)
		return
	}
	f, ok := s.files[r.URL.Path] // an exact match: no path can lead out of the site
	if !ok {
		refuse(w, r, http.StatusNotFound, "There is nothing at this address.")
		return
	}
	f.serve(w, r)
}

func (f *file) serve(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	if len(f.variants) > 1 {
		h.Set("Vary", "Accept-Encoding")
	}
	has := func(coding string) bool { return f.variants[coding] != nil }
	coding, ok := choose(strings.Join(r.Header.Values("Accept-Encoding"), ","), has)
	if !ok {
		refuse(w, r, http.StatusNotAcceptable, "None of the encodings of this file is accepted.")
		return
	}
	data := f.variants[coding]
	h.Set("Content-Type", f.contentType)
	h.Set("Cache-Control", f.cache)
	h.Set("ETag", `"`+f.etag+"-"+coding+`"`)
	if coding != "identity" {
		h.Set("Content-Encoding", coding)
		h.Set("Content-Length", strconv.Itoa(len(data))) // ServeContent leaves it out next to an encoding
	}
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(data))
}

// refuse answers with a small page. It is never stored: the address may exist in the next build.
func refuse(w http.ResponseWriter, r *http.Request, status int, sentence string) {
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	if r.Method == http.MethodHead {
		return
	}
	up := strings.Repeat("../", max(0, strings.Count(r.URL.Path, "/")-1))
	fmt.Fprintf(w, `<!doctype html><html lang="en"><meta charset="utf-8"><title>%[1]d · Retry Lab</title>`+
		`<h1>%[1]d %[2]s</h1><p>%[3]s</p><p><a href="./%[4]s">Retry Lab</a></p></html>`+"\n",
		status, http.StatusText(status), sentence, up)
}
