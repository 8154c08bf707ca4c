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
	if err := s.tell(`data-watch="watch"`); err != nil {
		return err
	}
	page := fragments.ReplaceAll(s.files["/index.html"].variants["identity"], []byte(`data-fragments=""`))
	s.setPage(page)
	s.files["/sw.js"] = newFile("sw.js", retire)
	s.watched = http.StripPrefix("/watch", h)
	return nil
}

// tell writes into the page what this server has beside the files.
func (s *Site) tell(attribute string) error {
	const mark = "<html "
	page := s.files["/index.html"].variants["identity"]
	if !bytes.Contains(page, []byte(mark)) {
		return errors.New("index.html of the site cannot be told what this server has; build the site anew")
	}
	s.setPage(bytes.Replace(page, []byte(mark), []byte(mark+attribute+" "), 1))
	return nil
}

func (s *Site) setPage(page []byte) {
	s.files["/index.html"] = newFile("index.html", page)
	s.files["/"] = s.files["/index.html"]
}

// isWatched reports whether a request is for the watched folder.
func (s *Site) isWatched(r *http.Request) bool {
	return s.watched != nil && strings.HasPrefix(r.URL.Path, "/watch/")
}
