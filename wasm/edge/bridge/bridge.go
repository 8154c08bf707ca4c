// Package bridge carries a request of a Workers host to an http.Handler and its response back, as net/http's server
// does it: the same handler must see the same request and be answered for in the same way in both homes. It knows
// nothing of JavaScript; the program's main turns values into these ones.
package bridge

import (
	"bytes"
	"fmt"
	"log"
	"net"
	"net/http"
	"net/url"
	"runtime/debug"
	"strconv"

	"retrylab.example/web/live"
)

// Request is a request as a host knows it.
type Request struct {
	Method string
	// URL is absolute.
	URL string
	// Header holds names and values in turn.
	Header []string
	// Body is what was read of the body; nil where there is none.
	Body []byte
}

// Response is what a host sends. The header is complete; the body is empty where none may be sent.
type Response struct {
	Status int
	Header []string // names and values in turn
	Body   []byte
}

// Serve lets h answer r. A panic of h, which would end the whole program and with it every request under way, becomes a
// 500.
func Serve(h http.Handler, r Request) (res Response) {
	w := &writer{header: http.Header{}}
	defer func() {
		if p := recover(); p != nil {
			log.Printf("panic while answering %s %s: %v\n%s", r.Method, r.URL, p, debug.Stack())
			w = &writer{header: http.Header{}}
			live.Problem(w, http.StatusInternalServerError, "The program made a mistake; the next request starts afresh.")
		}
		res = w.response(r.Method)
	}()
	in, err := r.parse()
	if err != nil {
		live.Problem(w, http.StatusBadRequest, "The request's URL or header is malformed.")
		return
	}
	h.ServeHTTP(w, in)
	return
}

// parse makes the request that net/http's server would make.
func (r Request) parse() (*http.Request, error) {
	u, err := url.Parse(r.URL)
	if err != nil {
		return nil, err
	}
	in := &http.Request{
		Method: r.Method, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: http.Header{}, Body: http.NoBody, Host: u.Host,
		URL:        &url.URL{Path: u.Path, RawPath: u.RawPath, RawQuery: u.RawQuery, ForceQuery: u.ForceQuery},
		RequestURI: u.RequestURI(),
	}
	for i := 0; i+1 < len(r.Header); i += 2 {
		in.Header.Add(r.Header[i], r.Header[i+1])
	}
	in.RemoteAddr = net.JoinHostPort(in.Header.Get("Cf-Connecting-Ip"), "0") // the host does not tell the port
	in.Header.Del("Host")
	in.Header.Del("Transfer-Encoding")
	if r.Body != nil {
		in.Body = body{bytes.NewReader(r.Body)}
		in.ContentLength = -1
	}
	if length := in.Header.Get("Content-Length"); length != "" {
		// Not the length of what was read: the host stops reading where the handler would refuse.
		if in.ContentLength, err = strconv.ParseInt(length, 10, 64); err != nil || in.ContentLength < 0 {
			return nil, fmt.Errorf("malformed Content-Length %q", length)
		}
	}
	return in, nil
}

// body is a request's body in memory.
type body struct{ *bytes.Reader }

func (body) Close() error { return nil }

// writer is an http.ResponseWriter that keeps the response in memory.
type writer struct {
	header http.Header
	sent   http.Header // the header as it was when the status was written; nil before
	status int
	body   bytes.Buffer
}

func (w *writer) Header() http.Header { return w.header }

func (w *writer) WriteHeader(status int) {
	if w.sent != nil || status < 200 { // the first one counts; informational ones have no way through
		return
	}
	w.status, w.sent = status, w.header.Clone()
}

func (w *writer) Write(p []byte) (int, error) {
	if w.sent == nil && w.header.Get("Content-Type") == "" {
		w.header.Set("Content-Type", http.DetectContentType(p))
	}
	w.WriteHeader(http.StatusOK)
	if w.bodiless() {
		return 0, http.ErrBodyNotAllowed
	}
	return w.body.Write(p)
}

func (w *writer) bodiless() bool {
	return w.status == http.StatusNoContent || w.status == http.StatusNotModified
}

// response gives what to send in answer to a request of that method.
func (w *writer) response(method string) Response {
	w.WriteHeader(http.StatusOK)
	res := Response{Status: w.status}
	for name, values := range w.sent {
		for _, value := range values {
			res.Header = append(res.Header, name, value)
		}
	}
	if method != http.MethodHead {
		res.Body = w.body.Bytes()
	}
	return res
}
