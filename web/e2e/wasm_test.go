//go:build e2e

package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/chromedp/chromedp"

	"retrylab.example/web/server"
)

// TestGoldenInChromium: the runs whose digests are committed have the same digests in Chromium, by the same test as
// everywhere else. That the test can fail there is tried too.
func TestGoldenInChromium(t *testing.T) {
	digests, err := os.ReadFile(filepath.Join(root, "core", "golden", "testdata", "digests.txt"))
	if err != nil {
		t.Fatal(err)
	}
	p := testPage(t, "./core/golden")
	output := p.runTests(string(digests), "-test.v", "-test.run=^TestDigests$")
	for _, want := range []string{"--- PASS: TestDigests", "\nPASS\n", "exit 0"} {
		if !strings.Contains(output, want) {
			t.Errorf("the tests in Chromium do not print %q:\n%s", want, output)
		}
	}
	if strings.Contains(output, "FAIL") {
		t.Errorf("the tests in Chromium fail:\n%s", output)
	}
	t.Log(output)
	wrong := strings.Replace(string(digests), "a", "b", 1)
	if output := p.runTests(wrong, "-test.run=^TestDigests$"); !strings.Contains(output, "--- FAIL: TestDigests") || !strings.Contains(output, "exit 1") {
		t.Errorf("with a wrong digest the tests in Chromium print:\n%s", output)
	}
}

// testPage opens a page, under the policy of the real one, that can run the tests of a package.
func testPage(t testing.TB, pkg string) *tab {
	t.Helper()
	name := filepath.Join(t.TempDir(), "test.wasm")
	cmd := exec.Command("go", "test", "-c", "-o", name, pkg)
	cmd.Dir = root
	cmd.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	if msg, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("building the tests of %s: %v\n%s", pkg, err, msg)
	}
	program, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	goroot, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	glue, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(goroot)), "lib", "wasm", "wasm_exec.js"))
	if err != nil {
		t.Fatal(err)
	}
	handler, err := server.New(fstest.MapFS{
		"index.html":       {Data: []byte(`<!doctype html><html lang="en"><title>Tests</title><link rel="icon" href="data:,"><script src="b/0/wasm_exec.js"></script>`)},
		"b/0/wasm_exec.js": {Data: glue},
		"b/0/test.wasm":    {Data: program},
	})
	if err != nil {
		t.Fatal(err)
	}
	h, err := serve(handler)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(h.stop)
	p := openBlank(t, h.url)
	p.onNewDocument(oneFile)
	p.load("")
	return p
}

// oneFile gives Go's tests a file system that holds one file, and keeps what they print. It must come before the glue.
const oneFile = `
	window.file = {name: "", bytes: new Uint8Array()};
	window.printed = "";
	const error = (code) => Object.assign(new Error(code), {code});
	const stat = (size) => ({dev: 0, ino: 0, mode: 0o100644, nlink: 1, uid: 0, gid: 0, rdev: 0, size, blksize: 512, blocks: 1,
		atimeMs: 0, mtimeMs: 0, ctimeMs: 0, isDirectory: () => false});
	const decoder = new TextDecoder();
	let at = 0;
	window.fs = {
		constants: {O_WRONLY: 1, O_RDWR: 2, O_CREAT: 64, O_TRUNC: 512, O_APPEND: 1024, O_EXCL: 128, O_DIRECTORY: 65536},
		writeSync(fd, bytes) { window.printed += decoder.decode(bytes, {stream: true}); return bytes.length; },
		write(fd, bytes, offset, length, position, done) { done(null, this.writeSync(fd, bytes.subarray(offset, offset + length))); },
		open(path, flags, mode, done) { if (path !== window.file.name) { return done(error("ENOENT")); } at = 0; done(null, 9); },
		fstat(fd, done) { done(null, stat(window.file.bytes.length)); },
		stat(path, done) { path === window.file.name ? done(null, stat(window.file.bytes.length)) : done(error("ENOENT")); },
		lstat(path, done) { this.stat(path, done); },
		read(fd, buffer, offset, length, position, done) {
			const part = window.file.bytes.subarray(position ?? at, (position ?? at) + length);
			buffer.set(part, offset);
			at = (position ?? at) + part.length;
			done(null, part.length);
		},
		close(fd, done) { done(null); },
		fsync(fd, done) { done(null); },
	};
`

// runTests runs the tests with these arguments, and gives what they print and their exit status.
func (p *tab) runTests(digests string, args ...string) string {
	p.t.Helper()
	quoted := ""
	for _, a := range args {
		quoted += ", " + quote(a)
	}
	output, err := chromedp.Run(p.ctx, chromedp.Evaluate[string](`(async () => {
		window.printed = "";
		window.file = {name: "testdata/digests.txt", bytes: new TextEncoder().encode(`+quote(digests)+`)};
		const go = new Go();
		go.argv = ["test"`+quoted+`];
		go.exit = (status) => {
			window.printed += "exit " + status + "\n";
			for (const id of go._scheduledTimeouts.values()) { clearTimeout(id); } // one would wake what has ended
		};
		const program = await WebAssembly.instantiateStreaming(fetch("b/0/test.wasm"), go.importObject);
		await go.run(program.instance);
		return window.printed;
	})()`, chromedp.EvalAwaitPromise))
	p.must(err, "running tests in the page")
	return output
}
