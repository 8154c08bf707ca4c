// Package http is what the browser program links in place of net/http: the few names that go-app mentions in its server,
// which the program never runs. The real package brings TLS, certificates and HTTP/2 along, a fifth of what a visitor
// downloads, to a page that asks for files with the browser's fetch. See docs/adr/0011-no-server-in-the-page.md.
package http

import (
	"errors"
	"io"
	"net/url"
)

// The codes that go-app's server answers with.
const (
	StatusOK                  = 200
	StatusNotModified         = 304
	StatusNotFound            = 404
	StatusInternalServerError = 500
)

var errNoServer = errors.New("this program neither serves nor fetches through net/http")

// Handler, ResponseWriter, Header, Request and Response have the members that go-app uses.
type Handler interface {
	ServeHTTP(ResponseWriter, *Request)
}

// ResponseWriter is never implemented here.
type ResponseWriter interface {
	Header() Header
	Write([]byte) (int, error)
	WriteHeader(statusCode int)
}

// Header holds nothing.
type Header struct{}

// Get returns the empty text.
func (Header) Get(string) string { return "" }

// Set does nothing.
func (Header) Set(_, _ string) {}

// Request is never made here.
type Request struct {
	URL    *url.URL
	Header Header
	Host   string
	TLS    *struct{}
}

// Response is never made here.
type Response struct {
	StatusCode int
	Header     Header
	Body       io.ReadCloser
}

// Get returns an error: the page fetches through the browser.
func Get(string) (*Response, error) { return nil, errNoServer }

// NotFound does nothing.
func NotFound(ResponseWriter, *Request) {}

// Dir is a folder's name.
type Dir string

// FileServer returns no handler.
func FileServer(Dir) Handler { return nil }
