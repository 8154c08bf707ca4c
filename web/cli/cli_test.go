package cli

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"retrylab.example/web/site"
)

// runLine runs a command line and gives its status and what it wrote.
func runLine(ctx context.Context, args ...string) (status int, out, errs string) {
	var o, e bytes.Buffer
	status = run(ctx, args, Streams{In: strings.NewReader(""), Out: &o, Err: &e})
	return status, o.String(), e.String()
}

func TestUsage(t *testing.T) {
	for _, c := range []struct {
		args   string
		status int
		says   string
	}{
		{"help", statusOK, "serve"},
		{"--help", statusOK, "site"},
		{"help serve", statusOK, "--addr"},
		{"serv", statusUsage, `there is no command "serv"; did you mean "serve"?`},
		{"bogus", statusUsage, `there is no command "bogus"`},
		{"--bogus", statusUsage, "unknown flag: --bogus"},
		{"serve --bogus", statusUsage, "retrylab serve: unknown flag: --bogus"},
		{"serve extra", statusUsage, "retrylab serve:"},
		{"--addr 8080", statusUsage, `--addr: "8080" is no address`},
		{"--addr localhost:http", statusUsage, "is no address"},
		{"serve --addr :70000", statusUsage, "is no address"},
		{"serve --only", statusUsage, "--only: name a folder with --lessons too"},
		{"--addr 127.0.0.1:0 --lessons no-such-folder", statusFailed, "the folder of lessons: stat no-such-folder"},
	} {
		status, out, errs := runLine(t.Context(), strings.Fields(c.args)...)
		if status != c.status || !strings.Contains(out+errs, c.says) {
			t.Errorf("%s: got status %d, %q; want %d and %q", c.args, status, out+errs, c.status, c.says)
		}
	}
}

func TestAddress(t *testing.T) {
	for _, c := range []struct{ flag, port, want string }{
		{"", "", "localhost:8080"},
		{"", "9000", "localhost:9000"},
		{":1234", "9000", ":1234"},
		{"[::1]:0", "", "[::1]:0"},
		{"", "http", ""},
		{"", "-1", ""},
	} {
		got, err := address(c.flag, c.port)
		if got != c.want || (err != nil) != (c.want == "") {
			t.Errorf("--addr %q, PORT %q: got %q, %v; want %q", c.flag, c.port, got, err, c.want)
		}
	}
}

func TestTakenPort(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	status, _, errs := runLine(t.Context(), "--addr", l.Addr().String())
	want := "retrylab: " + l.Addr().String() + " is in use by another program; choose another address with --addr or PORT\n"
	if status != statusFailed || errs != want {
		t.Errorf("got status %d, %q; want %d, %q", status, errs, statusFailed, want)
	}
}

func TestWithoutSource(t *testing.T) {
	if _, ok := site.Embedded(); ok {
		t.Skip("this binary holds the site")
	}
	t.Chdir(t.TempDir())
	for _, args := range [][]string{{"--addr", "127.0.0.1:0"}, {"site"}} {
		status, _, errs := runLine(t.Context(), args...)
		if status != statusFailed || !strings.Contains(errs, "inside a checkout") {
			t.Errorf("%q: got status %d, %q; want %d and what to do", args, status, errs, statusFailed)
		}
	}
}

// TestServe: from a source tree to an answer, and a clean stop. The tree is a small one, so that nothing but the
// standard library is compiled for the browser.
func TestServe(t *testing.T) {
	if _, ok := site.Embedded(); ok {
		t.Skip("this binary holds the site")
	}
	real, err := site.FindRoot(".")
	if err != nil {
		t.Fatal(err)
	}
	root := t.TempDir()
	for _, part := range []string{"web/static", "web/site/standin"} {
		if err := os.CopyFS(filepath.Join(root, part), os.DirFS(filepath.Join(real, part))); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.MkdirAll(filepath.Join(root, "wasm", "app"), 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"go.mod": "module retrylab.example\n", "wasm/app/main.go": "package main\n\nfunc main() {}\n"} {
		if err := os.WriteFile(filepath.Join(root, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(root)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	out, printed := io.Pipe()
	var errs bytes.Buffer // read only after the command has ended
	status := make(chan int, 1)
	go func() {
		status <- run(ctx, []string{"--addr", "127.0.0.1:0", "--data", "labs.db"}, Streams{In: strings.NewReader(""), Out: printed, Err: &errs})
		printed.Close()
	}()
	line, err := bufio.NewReader(out).ReadString('\n')
	url := regexp.MustCompile(`http://\S+`).FindString(line)
	if err != nil || url == "" {
		t.Fatalf("no address was printed, but %q (%v); status %d, %s", line, err, <-status, errs.String())
	}
	r, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	r.Body.Close()
	if r.StatusCode != 200 || r.Header.Get("Content-Security-Policy") == "" {
		t.Errorf("GET %s: got %d, want 200 with a policy", url, r.StatusCode)
	}
	made, err := http.Post(url+"/v1/labs", "", nil)
	if err != nil {
		t.Fatal(err)
	}
	made.Body.Close()
	if made.StatusCode != 201 || made.Header.Get("Content-Security-Policy") == r.Header.Get("Content-Security-Policy") {
		t.Errorf("POST %s/v1/labs: got %d, want 201 with a policy of its own", url, made.StatusCode)
	}
	if _, err := os.Stat("labs.db"); err != nil {
		t.Error(err)
	}
	cancel()
	if got := <-status; got != statusOK {
		t.Errorf("after the stop: status %d, %s; want %d", got, errs.String(), statusOK)
	}
}
