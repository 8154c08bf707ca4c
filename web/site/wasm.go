package site

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// buildWasm builds the browser program. Go's own build cache makes a second time quick. The paths are trimmed and the
// commit left out, so that the same source gives the same bytes, and with them the same name of the build, everywhere.
func buildWasm(root string) ([]byte, error) {
	out := filepath.Join(root, "build", "app.wasm")
	args := append([]string{"build", "-trimpath", "-buildvcs=false", "-tags=browser", "-ldflags=-s -w", "-o", out}, smaller()...)
	cmd := exec.Command("go", append(args, "./wasm/app")...)
	cmd.Dir = root
	cmd.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm", "CGO_ENABLED=0")
	if msg, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("building the browser program: %w\n%s", err, bytes.TrimSpace(msg))
	}
	return os.ReadFile(out)
}

// smaller returns the compiler flags that inline only where time is spent: in the runtime, in what it stands on, and in
// the simulation. The rest runs a few times for each key press, or never, as most of net/http, which go-app links. It
// saves a twentieth of what a visitor waits for.
func smaller() []string {
	flags := []string{"-gcflags=all=-l"}
	for _, fast := range []string{
		"runtime", "internal/...", "syscall/js", "reflect", "strconv", "strings", "unicode/utf8", "slices", "sort",
		"sync/atomic", "retrylab.example/core/...",
	} {
		flags = append(flags, "-gcflags="+fast+"=")
	}
	for _, slow := range []string{"text", "lesson", "scenario", "document"} {
		flags = append(flags, "-gcflags=retrylab.example/core/"+slow+"=-l")
	}
	return flags
}

// wasmExec gives the JavaScript side of Go's runtime. It must be of the very Go release that builds the program.
func wasmExec() ([]byte, error) {
	goroot, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return nil, fmt.Errorf("asking go for its folder: %w", err)
	}
	return os.ReadFile(filepath.Join(string(bytes.TrimSpace(goroot)), "lib", "wasm", "wasm_exec.js"))
}
