package site

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// buildWasm builds the browser program. Go's own build cache makes a second time quick. The paths are trimmed and the
// commit left out, so that the same source gives the same bytes, and with them the same name of the build, everywhere.
func buildWasm(root string) ([]byte, error) {
	out := filepath.Join(root, "build", "app.wasm")
	overlay, err := writeOverlay(root)
	if err != nil {
		return nil, err
	}
	args := append([]string{
		"build", "-trimpath", "-buildvcs=false", "-tags=browser", "-ldflags=-s -w", "-overlay", overlay, "-o", out,
	}, smaller()...)
	cmd := exec.Command("go", append(args, "./wasm/app")...)
	cmd.Dir = root
	cmd.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm", "CGO_ENABLED=0")
	if msg, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("building the browser program: %w\n%s", err, bytes.TrimSpace(msg))
	}
	program, err := os.ReadFile(out)
	if err != nil {
		return nil, err
	}
	if small, err := shrink(program); err == nil {
		return small, nil
	}
	return program, nil // of another release of Go: larger, and as good
}

// smaller returns the compiler flags that inline only where time is spent: in the runtime, in what it stands on, and in
// the simulation. The rest runs a few times for each key press, or never. It saves a twentieth of what a visitor waits
// for.
func smaller() []string {
	flags := []string{"-gcflags=all=-l"}
	for _, fast := range []string{
		"runtime", "internal/...", "syscall/js", "strconv", "strings", "unicode/utf8", "slices",
		"sync/atomic", "retrylab.example/core/...",
	} {
		flags = append(flags, "-gcflags="+fast+"=")
	}
	for _, slow := range []string{
		"text", "lesson", "scenario", "document", "link", "compare", "export", "problem", "sfv", "ratelimit", "retryafter", "field",
		"codelab",
	} {
		flags = append(flags, "-gcflags=retrylab.example/core/"+slow+"=-l")
	}
	return flags
}

// standIns says which packages of Go are replaced in the browser program, and by which folder of web/site/standin.
var standIns = map[string]string{
	"net/http":      "http",
	"crypto/aes":    "aes",
	"crypto/cipher": "cipher",
	"crypto/md5":    "md5",
	"crypto/rand":   "rand",
	"crypto/sha1":   "sha1",
	"regexp":        "regexp",
}

// writeOverlay writes the overlay under which the program is built, and returns its path: in it the files of each package
// that has a stand-in are those of the stand-in. What go-app's server and storage would link is never run by the page.
func writeOverlay(root string) (string, error) {
	goroot, err := goroot()
	if err != nil {
		return "", err
	}
	replace := map[string]string{}
	for pkg, folder := range standIns {
		real := filepath.Join(goroot, "src", filepath.FromSlash(pkg))
		files, err := filepath.Glob(filepath.Join(real, "*.go"))
		if err != nil || len(files) == 0 {
			return "", fmt.Errorf("the sources of %s are not in %s: install Go with its sources", pkg, real)
		}
		for _, f := range files {
			replace[f] = "" // no such file
		}
		ours, err := filepath.Glob(filepath.Join(root, "web", "site", "standin", folder, "*.go"))
		if err != nil || len(ours) == 0 {
			return "", fmt.Errorf("the stand-in for %s is missing", pkg)
		}
		for _, f := range ours {
			if !strings.HasSuffix(f, "_test.go") {
				replace[filepath.Join(real, filepath.Base(f))] = f
			}
		}
	}
	data, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", err
	}
	name := filepath.Join(root, "build", "overlay.json")
	return name, writeFile(name, data)
}

// goroot returns the folder of the Go that builds the program.
func goroot() (string, error) {
	out, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return "", fmt.Errorf("asking go for its folder: %w", err)
	}
	return string(bytes.TrimSpace(out)), nil
}

// wasmExec gives the JavaScript side of Go's runtime. It must be of the very Go release that builds the program.
func wasmExec() ([]byte, error) {
	goroot, err := goroot()
	if err != nil {
		return nil, err
	}
	return os.ReadFile(filepath.Join(goroot, "lib", "wasm", "wasm_exec.js"))
}
