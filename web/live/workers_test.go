//go:build e2e

package live_test

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"retrylab.example/web/live/conformance"
)

// built is what make edge-worker wrote.
const built = "../../build/edge/worker"

// TestWorkers runs the suite against the Worker on workerd, the engine of Cloudflare Workers. A restart kills it and
// starts it again with its disk as it was.
func TestWorkers(t *testing.T) {
	w := startWorkerd(t, map[string]string{"LABS_PER_ADDRESS": "1000"})
	conformance.Run(t, &conformance.Home{URL: w.url, Restart: func(t *testing.T) string {
		w.kill()
		w.start(t)
		return w.url
	}})
}

// TestWorkersSettings: a setting that makes no sense is answered for in one sentence, and the log says what is wrong.
func TestWorkersSettings(t *testing.T) {
	w := startWorkerd(t, map[string]string{"LABS": "none"})
	status, _, body := w.get(t, "/v1/labs")
	w.kill() // before the log is read, or it may still grow
	if status != 503 || !strings.Contains(body, "The program does not start.") {
		t.Errorf("got %d %s", status, body)
	}
	if want := `the variable LABS is "none"`; !strings.Contains(w.says.String(), want) {
		t.Errorf("the log does not say %q:\n%s", want, &w.says)
	}
}

// TestWorkersCrash: when the Go program of a lab crashes, who waits for it is cut off, and the next one finds another
// program that knows as much.
func TestWorkersCrash(t *testing.T) {
	w := &worker{config: configure(t, nil, `(name = "front.mjs"`, `(name = "crash.mjs", esModule = embed "../../../web/live/testdata/crash.mjs"),
    (name = "front.mjs"`)}
	w.begin(t)
	status, body := w.post(t, "/v1/labs", `{}`)
	var made struct{ ID string }
	if err := json.Unmarshal([]byte(body), &made); err != nil || status != 201 {
		t.Fatalf("no lab: %d %s", status, body)
	}
	lab := "/v1/labs/" + made.ID
	if status, body := w.post(t, lab+"/add", `{"amount":10}`, "Idempotency-Key", "k"); status != 200 {
		t.Fatalf("got %d %s", status, body)
	}
	waits := make(chan int)
	go func() {
		status, _ := w.post(t, lab+"/add", `{"amount":10}`, "Prefer", "fault=none;delay=20s")
		waits <- status
	}()
	for arrived := false; !arrived; { // until it waits
		_, _, body := w.get(t, lab+"/totals")
		arrived = strings.Contains(body, `"arrived":2`)
	}
	if status, body := w.post(t, lab+"/add", "", "X-Crash", "now"); status != 200 || body != "crashed\n" {
		t.Errorf("got %d %s", status, body)
	}
	if status := <-waits; status != 0 {
		t.Errorf("who waited got %d, want no answer", status)
	}
	if status, body := w.post(t, lab+"/add", `{"amount":10}`, "Idempotency-Key", "k"); status != 200 || body != `{"total":10}` {
		t.Errorf("the key again: got %d %s, want what it got first", status, body)
	}
}

// TestWorkersPlayground: the files of the playground come from beside the labs, with their types.
func TestWorkersPlayground(t *testing.T) {
	w := startWorkerd(t, nil)
	for path, want := range map[string]string{
		"/": "200 text/html; charset=utf-8 page", "/index.html": "200 text/html; charset=utf-8 page", "/b/1/app.wasm": "200 application/wasm program",
		"/b/1/boot.js": "200 text/javascript; charset=utf-8 script", "/nothing": "404",
	} {
		status, header, body := w.get(t, path)
		got := fmt.Sprint(status)
		if status == 200 {
			got += " " + header.Get("Content-Type") + " " + body
		}
		if got != want {
			t.Errorf("%s: got %s, want %s", path, got, want)
		}
	}
}

// TestWorkersSize: what is uploaded fits the strictest limit that the platform ever had.
func TestWorkersSize(t *testing.T) {
	const most = 3_000_000
	program, err := os.ReadFile(filepath.Join(built, "app.wasm"))
	if err != nil {
		t.Fatalf("the Worker is not built; make edge-worker does so: %v", err)
	}
	var packed bytes.Buffer
	w, err := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write(program); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	fmt.Printf("edge: app.wasm %d bytes, %d as gzip, at most %d\n", len(program), packed.Len(), most)
	if packed.Len() > most {
		t.Errorf("app.wasm has %d bytes as gzip, at most %d are allowed", packed.Len(), most)
	}
}

// TestWorkersGlue: the generated wasm_exec.js is this Go's own, but for the global that each program gets of its own.
// A new Go release may change the file, and a program must run with its own release's.
func TestWorkersGlue(t *testing.T) {
	generated, err := os.ReadFile(filepath.Join(built, "wasm_exec.js"))
	if err != nil {
		t.Fatalf("the Worker is not built; make edge-worker does so: %v", err)
	}
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	own, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(root)), "lib", "wasm", "wasm_exec.js"))
	if err != nil {
		t.Fatal(err)
	}
	text := strings.Replace(string(generated), "run(instance, context)", "run(instance)", 1)
	if before, rest, ok := strings.Cut(text, "\t\t\tconst globalProxy = "); ok {
		_, after, _ := strings.Cut(rest, "\t\t\t})\n")
		text = before + strings.ReplaceAll(after, "globalProxy", "globalThis")
	}
	if text != string(own) {
		t.Error("the wasm_exec.js that github.com/syumai/workers generates is not that of this Go release: take the version of " +
			"workers that follows it, or build with the release that it follows")
	}
}

// worker is a Worker on workerd, with a disk of its own for its objects and one for the playground.
type worker struct {
	url          string
	cmd          *exec.Cmd
	config, disk string
	says         bytes.Buffer
}

// startWorkerd starts a Worker on a free port, with other variables than those of config.capnp where some are given. It
// ends with the test.
func startWorkerd(t *testing.T, vars map[string]string) *worker {
	t.Helper()
	w := &worker{config: configure(t, vars)}
	w.begin(t)
	return w
}

// begin lays the disk and starts workerd for the first time.
func (w *worker) begin(t *testing.T) {
	t.Helper()
	w.disk = t.TempDir()
	for name, content := range map[string]string{
		"public/index.html": "page", "public/b/1/app.wasm": "program", "public/b/1/boot.js": "script", "objects/.keep": "",
	} {
		name = filepath.Join(w.disk, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Cleanup(func() {
		w.kill()
		if t.Failed() {
			t.Logf("workerd: %s", &w.says)
		}
	})
	w.start(t)
}

// start starts workerd and waits until it listens.
func (w *worker) start(t *testing.T) {
	t.Helper()
	port, told, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer port.Close()
	config, err := filepath.Abs(w.config)
	if err != nil {
		t.Fatal(err)
	}
	w.cmd = exec.Command(workerdPath(t), "serve", config, "--socket-addr=http=127.0.0.1:0", "--control-fd=3")
	w.cmd.Dir = w.disk // its folders are named relative to where it runs
	w.cmd.Stdout, w.cmd.Stderr, w.cmd.ExtraFiles = &w.says, &w.says, []*os.File{told}
	err = w.cmd.Start()
	told.Close() // the other end is workerd's now; when it ends, reading does
	if err != nil {
		t.Fatal(err)
	}
	for line := bufio.NewScanner(port); line.Scan(); {
		var event struct {
			Event, Socket string
			Port          int
		}
		if json.Unmarshal(line.Bytes(), &event) == nil && event.Event == "listen" && event.Socket == "http" {
			w.url = fmt.Sprintf("http://127.0.0.1:%d", event.Port)
			return
		}
	}
	w.kill()
	t.Fatalf("workerd does not start: %s", &w.says)
}

// kill ends workerd as a power cut does.
func (w *worker) kill() {
	if w.cmd != nil && w.cmd.Process != nil {
		_ = w.cmd.Process.Kill()
		_ = w.cmd.Wait()
		w.cmd = nil
	}
}

// post sends JSON with header fields; status 0 is no answer.
func (w *worker) post(t *testing.T, path, content string, header ...string) (status int, body string) {
	t.Helper()
	r, err := http.NewRequest("POST", w.url+path, strings.NewReader(content))
	if err != nil {
		t.Fatal(err)
	}
	r.Close = true // on a connection of its own nothing is sent twice
	r.Header.Set("Content-Type", "application/json")
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	res, err := patient.Do(r)
	if err != nil {
		return 0, ""
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		return 0, ""
	}
	return res.StatusCode, string(text)
}

var patient = http.Client{Timeout: time.Minute}

// get asks once.
func (w *worker) get(t *testing.T, path string) (status int, header http.Header, body string) {
	t.Helper()
	res, err := patient.Get(w.url + path)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		t.Error(err)
	}
	return res.StatusCode, res.Header, string(text)
}

// configure writes the configuration, with other variables and other texts in the place of some, beside the one that make
// edge-worker wrote, and gives its path.
func configure(t *testing.T, vars map[string]string, changes ...string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(built, "config.capnp"))
	if err != nil {
		t.Fatalf("the Worker is not built; make edge-worker does so: %v", err)
	}
	config := strings.NewReplacer(changes...).Replace(string(text))
	for name, value := range vars {
		before, rest, ok := strings.Cut(config, `(name = "`+name+`", text = "`)
		_, after, closed := strings.Cut(rest, `"`)
		if !ok || !closed {
			t.Fatalf("config.capnp has no variable %s", name)
		}
		config = before + `(name = "` + name + `", text = "` + value + `"` + after
	}
	f, err := os.CreateTemp(built, "test-*.capnp") // here, because it names its files by their place beside it
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.Remove(f.Name()) })
	if _, err := f.WriteString(config); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	return f.Name()
}

// workerdPath gives the engine that npm has installed for this machine. It is the program itself, not the script
// around it, so that no Node runs.
func workerdPath(t *testing.T) string {
	t.Helper()
	arch := map[string]string{"amd64": "64", "arm64": "arm64"}[runtime.GOARCH]
	path := filepath.Join("web/npm/node_modules/@cloudflare", "workerd-"+runtime.GOOS+"-"+arch, "bin", "workerd")
	whole, err := filepath.Abs(filepath.Join("../..", path))
	if err == nil {
		_, err = os.Stat(whole)
	}
	if err != nil {
		t.Fatalf("the test of the Worker needs workerd, and %s is missing; make npm installs it", path)
	}
	return whole
}
