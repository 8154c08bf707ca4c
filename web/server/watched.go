package server

import (
	"bytes"
	_ "embed"
	"errors"
	"net/http"
	"regexp"
	"strings"
)

// retire is the service worker of a site with a watched folder. A worker of an earlier visit to this address would go on
// answering with its own build.
//
//go:embed retire.js
var retire []byte

// fragments are the texts that the page shows before the program runs; those of a watched folder are not made.
var fragments = regexp.MustCompile(`data-fragments="[^"]*"`)

// Watch serves what h has to say of a watched folder under watch/, and a page that asks there. Call it before serving.
func (s *Site) Watch(h http.Handler) error {
	const mark = "<html "
	page := s.files["/index.html"].variants["identity"]
	if !bytes.Contains(page, []byte(mark)) {
		return errors.New("index.html of the site cannot be told that a folder is watched; build the site anew")
	}
	page = bytes.Replace(page, []byte(mark), []byte(mark+`data-watch="watch" `), 1)
	page = fragments.ReplaceAll(page, []byte(`data-fragments=""`))
	s.files["/index.html"] = newFile("index.html", page)
	s.files["/"] = s.files["/index.html"]
	s.files["/sw.js"] = newFile("sw.js", retire)
	s.watched = http.StripPrefix("/watch", h)
	return nil
}

// isWatched reports whether a request is for the watched folder.
func (s *Site) isWatched(r *http.Request) bool {
	return s.watched != nil && strings.HasPrefix(r.URL.Path, "/watch/")
}
