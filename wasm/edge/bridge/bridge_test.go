package bridge

import (
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
)

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
	got := Serve(h, in)
	header := http.Header{}
	for i := 0; i < len(got.Header); i += 2 {
		header.Add(got.Header[i], got.Header[i+1])
	}
	if got.Status != res.StatusCode || string(got.Body) != string(want) {
		t.Errorf("got %d %s, want %d %s", got.Status, got.Body, res.StatusCode, want)
	}
	for _, name := range []string{"Content-Type", "X-Two", "X-Late"} {
		if got, want := header.Values(name), res.Header.Values(name); fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
}

// TestNoPanicGetsOut: the program lives on, and what had been written is not mixed into the answer.
func TestNoPanicGetsOut(t *testing.T) {
	for _, p := range []any{"oops", http.ErrAbortHandler} {
		h := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("X-Half", "1")
			fmt.Fprint(w, "half")
			panic(p)
		})
		got := Serve(h, Request{Method: "GET", URL: "http://h/work"})
		if got.Status != 500 || strings.Contains(fmt.Sprint(got.Header, string(got.Body)), "alf") {
			t.Errorf("panic(%v): got %d %q %s", p, got.Status, got.Header, got.Body)
		}
	}
}

func TestMalformed(t *testing.T) {
	for _, r := range []Request{
		{Method: "GET", URL: "http://h/%zz"},
		{Method: "GET", URL: "http://h/", Header: []string{"content-length", "-1"}},
		{Method: "GET", URL: "http://h/", Header: []string{"content-length", "1, 1"}},
	} {
		if got := Serve(http.HandlerFunc(echo), r); got.Status != 400 {
			t.Errorf("%v: got %d, want 400", r, got.Status)
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
