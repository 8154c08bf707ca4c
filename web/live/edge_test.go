//go:build e2e

package live

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// built is what make edge wrote.
const built = "../../build/edge"

// TestWorkers runs the suite against the Worker on workerd, the engine of Cloudflare Workers.
func TestWorkers(t *testing.T) { conform(t, startWorkerd) }

// TestWorkersSettings: a setting that makes no sense is answered for in one sentence, and the log says what is wrong.
func TestWorkersSettings(t *testing.T) {
	var says bytes.Buffer
	url, stop := workerd(t, "0", "10s", &says)
	got := ask(t, "GET", url+"/work", "", "a")
	stop() // before the log is read, or it may still grow
	if got.status != 503 || !strings.Contains(got.body, "The partner does not start.") {
		t.Errorf("got %d %s", got.status, got.body)
	}
	if want := `the limit "0" is not a whole number`; !strings.Contains(says.String(), want) {
		t.Errorf("the log does not say %q:\n%s", want, &says)
	}
}

// TestWorkersSize: what is uploaded fits the strictest limit that the platform ever had.
func TestWorkersSize(t *testing.T) {
	const most = 3_000_000
	program, err := os.ReadFile(filepath.Join(built, "app.wasm"))
	if err != nil {
		t.Fatalf("the Worker is not built; make edge does so: %v", err)
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
		t.Fatalf("the Worker is not built; make edge does so: %v", err)
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

func startWorkerd(t *testing.T, most, window string) string {
	var says bytes.Buffer
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("workerd: %s", &says)
		}
	})
	url, _ := workerd(t, most, window, &says)
	return url
}

// workerd starts the Worker on a free port. It ends with the test, or before when stop is called.
func workerd(t *testing.T, most, window string, says *bytes.Buffer) (url string, stop func()) {
	t.Helper()
	port, told, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer port.Close()
	cmd := exec.Command(workerdPath(t), "serve", configure(t, most, window), "--socket-addr=http=127.0.0.1:0", "--control-fd=3")
	cmd.Stdout, cmd.Stderr, cmd.ExtraFiles = says, says, []*os.File{told}
	err = cmd.Start()
	told.Close() // the other end is workerd's now; when it ends, reading does
	if err != nil {
		t.Fatal(err)
	}
	stop = sync.OnceFunc(func() { end(cmd) })
	t.Cleanup(stop)
	for line := bufio.NewScanner(port); line.Scan(); {
		var event struct {
			Event, Socket string
			Port          int
		}
		if json.Unmarshal(line.Bytes(), &event) == nil && event.Event == "listen" && event.Socket == "http" {
			return fmt.Sprintf("http://127.0.0.1:%d", event.Port), stop
		}
	}
	stop()
	t.Fatalf("workerd does not start: %s", says)
	return "", nil
}

// end asks workerd to end, and makes it: with requests that are not answered it does not by itself.
func end(cmd *exec.Cmd) {
	_ = cmd.Process.Signal(syscall.SIGTERM)
	kill := time.AfterFunc(2*time.Second, func() { _ = cmd.Process.Kill() })
	defer kill.Stop()
	_ = cmd.Wait()
}

// configure writes the configuration with other variables beside the one that make edge wrote, and gives its path.
func configure(t *testing.T, most, window string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(built, "config.capnp"))
	if err != nil {
		t.Fatalf("the Worker is not built; make edge does so: %v", err)
	}
	config := string(text)
	for _, v := range [][2]string{
		{`(name = "LIMIT", text = "2")`, `(name = "LIMIT", text = "` + most + `")`},
		{`(name = "WINDOW", text = "10s")`, `(name = "WINDOW", text = "` + window + `")`},
	} {
		if strings.Count(config, v[0]) != 1 {
			t.Fatalf("config.capnp does not say %s", v[0])
		}
		config = strings.Replace(config, v[0], v[1], 1)
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
	if _, err := os.Stat(filepath.Join("../..", path)); err != nil {
		t.Fatalf("the test of the Worker needs workerd, and %s is missing; make npm installs it", path)
	}
	return filepath.Join("../..", path)
}
