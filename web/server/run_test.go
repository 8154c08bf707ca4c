package server

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"
)

// start runs a server on a free port; stop ends it and gives what Run returned.
func start(t *testing.T, h http.Handler) (addr string, stop func() error) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- Run(ctx, l, h, log.New(io.Discard, "", 0)) }()
	t.Cleanup(cancel)
	return l.Addr().String(), func() error { cancel(); return <-done }
}

// TestRunFinishesAnswers: an answer under way is finished after the wish to stop, and no new connection is taken.
func TestRunFinishesAnswers(t *testing.T) {
	begun, release := make(chan bool), make(chan bool)
	addr, stop := start(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		close(begun)
		<-release
		fmt.Fprint(w, "whole")
	}))
	answer := make(chan string, 1)
	go func() {
		r, err := http.Get("http://" + addr)
		if err != nil {
			answer <- err.Error()
			return
		}
		defer r.Body.Close()
		b, _ := io.ReadAll(r.Body)
		answer <- string(b)
	}()
	<-begun
	stopped := make(chan error, 1)
	go func() { stopped <- stop() }()
	for { // until the listener is closed
		c, err := net.DialTimeout("tcp", addr, time.Second)
		if err != nil {
			break
		}
		c.Close()
	}
	close(release)
	if got := <-answer; got != "whole" {
		t.Errorf("the running answer: got %q, want %q", got, "whole")
	}
	if err := <-stopped; err != nil {
		t.Errorf("Run: got %v, want nil", err)
	}
}

// TestRunLimits: a request with a megabyte of headers is refused, and the server goes on.
func TestRunLimits(t *testing.T) {
	addr, stop := start(t, testSite(t))
	c, err := net.Dial("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	go fmt.Fprintf(c, "GET / HTTP/1.1\r\nHost: x\r\nX: %s\r\n\r\n", strings.Repeat("a", 1<<20))
	line, err := bufio.NewReader(c).ReadString('\n')
	if err != nil || !strings.Contains(line, "431") {
		t.Errorf("got %q, %v; want status 431", line, err)
	}
	r, err := http.Get("http://" + addr + "/")
	if err != nil || r.StatusCode != 200 {
		t.Fatalf("afterwards: got %v, %v; want 200", r, err)
	}
	r.Body.Close()
	if err := stop(); err != nil {
		t.Errorf("Run: got %v, want nil", err)
	}
}
