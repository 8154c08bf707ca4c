package bridge

import (
	"context"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
)

// took is a Sink that remembers what it got.
type took struct {
	status int
	header http.Header
	body   strings.Builder
	chunks int
	most   int // after so many chunks nobody takes any more; 0 is never
	end    string
}

func (s *took) Full(status int, header []string, body []byte) {
	s.Head(status, header)
	s.body.Write(body)
	s.end += "full"
}

func (s *took) Head(status int, header []string) {
	s.status, s.header = status, http.Header{}
	for i := 0; i < len(header); i += 2 {
		s.header.Add(header[i], header[i+1])
	}
}

func (s *took) Chunk(p []byte) bool {
	s.chunks++
	s.body.Write(p)
	return s.chunks != s.most
}

func (s *took) End() { s.end += "end" }
func (s *took) Cut() { s.end += "cut" }

// take lets a handler answer.
func take(h http.HandlerFunc, r Request) *took {
	s := &took{}
	Serve(context.Background(), h, r, s)
	return s
}

func TestMain(m *testing.M) {
	log.SetOutput(io.Discard)
	os.Exit(m.Run())
}

// echo tells what a handler sees of a request.
func echo(w http.ResponseWriter, r *http.Request) {
	text, err := io.ReadAll(r.Body)
	fmt.Fprintf(w, "%s|%s|%s|%s|%s|%s|%q|%d|%q|%v", r.Method, r.URL, r.URL.Path, r.RequestURI, r.Proto, r.Host,
		r.Header.Values("X-Client-ID"), r.ContentLength, text, err)
	if _, ok := r.Header["Host"]; ok {
		fmt.Fprint(w, "|Host among the fields")
	}
}

// TestLikeNetHTTP sends the same requests through the bridge and through net/http: the handler sees the same, and the
// client gets the same.
func TestLikeNetHTTP(t *testing.T) {
	handlers := map[string]http.HandlerFunc{
		"echo": echo,
		"implicit 200": func(w http.ResponseWriter, _ *http.Request) {
			fmt.Fprint(w, "<!DOCTYPE html>")
			w.WriteHeader(500) // too late
			w.Header().Set("X-Late", "1")
		},
		"first status": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Add("X-Two", "a")
			w.Header().Add("X-Two", "b")
			w.WriteHeader(103)
			w.WriteHeader(201)
			w.WriteHeader(500)
		},
		"no content": func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(204)
			_, err := fmt.Fprint(w, "x")
			if err != http.ErrBodyNotAllowed {
				panic(err)
			}
		},
		"nothing": func(http.ResponseWriter, *http.Request) {},
	}
	for name, h := range handlers {
		server := httptest.NewServer(h)
		for _, c := range []struct{ method, path, body string }{
			{"GET", "/work?a=b%20c", ""}, {"GET", "/%77ork/%2F", ""}, {"POST", "//x", `{"amount":1}`}, {"HEAD", "/", ""},
		} {
			t.Run(name+" "+c.method+" "+c.path, func(t *testing.T) { compare(t, server, h, c.method, c.path, c.body) })
		}
		server.Close()
	}
}

func compare(t *testing.T, server *httptest.Server, h http.Handler, method, path, content string) {
	out, err := http.NewRequest(method, server.URL+path, strings.NewReader(content))
	if err != nil {
		t.Fatal(err)
	}
	out.Header.Set("X-Client-ID", "c-1, c-2")
	res, err := server.Client().Do(out)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	want, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	in := Request{Method: method, URL: server.URL + path, Header: []string{"x-client-id", "c-1, c-2", "host", "h"}}
	if content != "" {
		in.Body = []byte(content)
		in.Header = append(in.Header, "content-length", fmt.Sprint(len(content)))
	}
	got := take(h.ServeHTTP, in)
	if got.status != res.StatusCode || got.body.String() != string(want) {
		t.Errorf("got %d %s, want %d %s", got.status, &got.body, res.StatusCode, want)
	}
	for _, name := range []string{"Content-Type", "X-Two", "X-Late"} {
		if got, want := got.header.Values(name), res.Header.Values(name); fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
}

// TestPanic: the client gets a 500, and what had been written is not mixed into it; half of what is under way already is cut.
func TestPanic(t *testing.T) {
	for _, c := range []struct {
		p       any
		flushes bool
		status  int
		end     string
	}{
		{"oops", false, 500, "full"}, {"oops", true, 200, "cut"}, {http.ErrAbortHandler, false, 0, "cut"}, {http.ErrAbortHandler, true, 200, "cut"},
	} {
		h := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("X-Half", "1")
			fmt.Fprint(w, "half")
			if c.flushes {
				w.(http.Flusher).Flush()
			}
			panic(c.p)
		})
		got := &took{}
		p := Serve(t.Context(), h, Request{Method: "GET", URL: "http://h/work"}, got)
		if (p == nil) != (c.p == http.ErrAbortHandler) {
			t.Errorf("panic(%v): told of %v", c.p, p)
		}
		if got.status != c.status || got.end != c.end {
			t.Errorf("panic(%v), flushes %v: got %d and %s, want %d and %s", c.p, c.flushes, got.status, got.end, c.status, c.end)
		}
		if half := strings.Contains(fmt.Sprint(got.header, got.body.String()), "alf"); half != c.flushes {
			t.Errorf("panic(%v), flushes %v: got %v %s", c.p, c.flushes, got.header, &got.body)
		}
	}
}

// TestStream: pieces go out when they are flushed, and by themselves when there is much; the header is that of the first.
func TestStream(t *testing.T) {
	got := take(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		flush := w.(http.Flusher).Flush
		flush() // the head alone
		for i := range 3 {
			fmt.Fprintf(w, "data: %d\n", i)
			fmt.Fprintln(w)
			flush()
		}
		w.Header().Set("X-Late", "1")
		flush()
	}, Request{Method: "GET", URL: "http://h/trace"})
	if got.chunks != 3 || got.end != "end" || got.body.String() != "data: 0\n\ndata: 1\n\ndata: 2\n\n" {
		t.Errorf("got %d chunks, %s, %q", got.chunks, got.end, &got.body)
	}
	if got.status != 200 || len(got.header) != 1 {
		t.Errorf("got %d %v", got.status, got.header)
	}
	long := func(w http.ResponseWriter, _ *http.Request) {
		for range 10 {
			if _, err := w.Write(make([]byte, held/2)); err != nil {
				panic(http.ErrAbortHandler)
			}
		}
	}
	if got := take(long, Request{Method: "GET", URL: "http://h/"}); got.chunks != 5 || got.body.Len() != 5*held || got.end != "end" {
		t.Errorf("got %d chunks, %d bytes, %s", got.chunks, got.body.Len(), got.end)
	}
	if got := take(long, Request{Method: "HEAD", URL: "http://h/"}); got.chunks != 0 || got.body.Len() != 0 || got.end != "full" {
		t.Errorf("HEAD: got %d chunks, %d bytes, %s", got.chunks, got.body.Len(), got.end)
	}
	s := &took{most: 2}
	if Serve(t.Context(), http.HandlerFunc(long), Request{Method: "GET", URL: "http://h/"}, s); s.chunks != 2 || s.end != "cut" {
		t.Errorf("who left: got %d chunks, %s", s.chunks, s.end)
	}
}

func TestMalformed(t *testing.T) {
	for _, r := range []Request{
		{Method: "GET", URL: "http://h/%zz"},
		{Method: "GET", URL: "http://h/", Header: []string{"content-length", "-1"}},
		{Method: "GET", URL: "http://h/", Header: []string{"content-length", "1, 1"}},
	} {
		if got := take(echo, r); got.status != 400 {
			t.Errorf("%v: got %d, want 400", r, got.status)
		}
	}
}

// TestUnknownLength: a body in chunks has no length, and a longer one than was read keeps the one it said.
func TestUnknownLength(t *testing.T) {
	r, err := Request{Method: "POST", URL: "http://h/", Body: []byte("ab"), Header: []string{"transfer-encoding", "chunked"}}.parse()
	if err != nil || r.ContentLength != -1 || len(r.Header) != 0 {
		t.Errorf("in chunks: %v, length %d, header %v", err, r.ContentLength, r.Header)
	}
	r, err = Request{Method: "POST", URL: "http://h/", Body: []byte("ab"), Header: []string{"content-length", "99999"}}.parse()
	if err != nil || r.ContentLength != 99999 || r.RemoteAddr != ":0" {
		t.Errorf("cut: %v, length %d, from %q", err, r.ContentLength, r.RemoteAddr)
	}
}
