//go:build e2e

package e2e

import (
	"context"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"

	"retrylab.example/web/server"
	"retrylab.example/web/site"
)

// host is a running server whose answers can be exchanged, as a deployment does.
type host struct {
	url     string // without a slash at the end
	handler atomic.Pointer[http.Handler]
	cancel  context.CancelFunc
	done    chan error
}

// serve starts the real server on a free port.
func serve(h http.Handler) (*host, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(context.Background())
	s := &host{url: "http://" + l.Addr().String(), cancel: cancel, done: make(chan error, 1)}
	s.use(h)
	current := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { (*s.handler.Load()).ServeHTTP(w, r) })
	go func() { s.done <- server.Run(ctx, l, current, log.New(io.Discard, "", 0)) }()
	return s, nil
}

// use exchanges the answers.
func (s *host) use(h http.Handler) { s.handler.Store(&h) }

// stop ends the server; a page that asks it afterwards is offline.
func (s *host) stop() {
	s.cancel()
	s.done <- <-s.done // a second stop finds it too
}

// serveSite serves a built site.
func serveSite(dir string) (*host, error) {
	h, err := server.New(os.DirFS(dir))
	if err != nil {
		return nil, err
	}
	return serve(h)
}

// newHost serves for one test.
func newHost(t *testing.T, h http.Handler) *host {
	t.Helper()
	s, err := serve(h)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.stop)
	return s
}

// labHandler gives a handler of its own for the site that most tests use, for a test that stops or exchanges it.
func labHandler(t *testing.T) http.Handler {
	t.Helper()
	return handlerOf(t, filepath.Join(root, "build", "e2e", "site"))
}

func handlerOf(t *testing.T, dir string) http.Handler {
	t.Helper()
	h, err := server.New(os.DirFS(dir))
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// buildSite builds a site that differs from the common one in what change sets, and gives its folder and hash.
func buildSite(t *testing.T, change func(*site.Config)) (dir, hash string) {
	t.Helper()
	c := site.Config{Root: root, Out: t.TempDir()}
	change(&c)
	r, err := site.Build(c)
	if err != nil {
		t.Fatal(err)
	}
	return c.Out, r.Hash
}
