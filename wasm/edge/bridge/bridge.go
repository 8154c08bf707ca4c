// Package bridge carries a request of a Workers host to an http.Handler and its response back, as net/http's server
// does it: the same handler must see the same request and be answered for in the same way in both homes. It knows
// nothing of JavaScript; the program's main turns values into these ones.
package bridge

import (
	"bytes"
	"context"
	"crypto/tls"
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

// Sink is where a host takes a response. It gets the whole of one with Full; or a beginning with Head, pieces, and the
// end; and it may be told at any time before the end to Cut. A header is names and values in turn.
type Sink interface {
	Full(status int, header []string, body []byte)
	Head(status int, header []string)
	// Chunk sends a piece on; false says that nobody takes any more.
	Chunk(p []byte) bool
	End()
	// Cut ends the connection without an answer, or in the middle of one.
	Cut()
}

// Serve lets h answer r into s. The context ends when nobody takes the answer any more. It returns what h panicked with, if
// it was not http.ErrAbortHandler: the client then gets a 500, or half an answer, and what h guards may be broken.
func Serve(ctx context.Context, h http.Handler, r Request, s Sink) (panicked any) {
	w := &writer{header: http.Header{}, sink: s, head: r.Method == http.MethodHead}
	in, err := r.parse()
	if err != nil {
		live.Problem(w, http.StatusBadRequest, "malformed", "The request's URL or header is malformed.")
		w.end()
		return nil
	}
	defer func() {
		switch panicked = recover(); panicked {
		case nil:
			w.end()
			return
		case http.ErrAbortHandler:
			panicked = nil
			s.Cut()
			return
		}
		log.Printf("panic while answering %s %s: %v\n%s", r.Method, r.URL, panicked, debug.Stack())
		if w.streams {
			s.Cut()
			return
		}
		w = &writer{header: http.Header{}, sink: s, head: w.head}
		live.Problem(w, http.StatusInternalServerError, "mistake", "The program made a mistake; the next request starts afresh.")
		w.end()
	}()
	h.ServeHTTP(w, in.WithContext(ctx))
	return nil
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
	if u.Scheme == "https" {
		in.TLS = &tls.ConnectionState{Version: tls.VersionTLS13, HandshakeComplete: true, ServerName: u.Hostname()}
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
