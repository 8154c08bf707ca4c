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
	cmd := exec.Command("go", "build", "-trimpath", "-buildvcs=false", "-ldflags=-s -w", "-o", out, "./wasm/app")
	cmd.Dir = root
	cmd.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm", "CGO_ENABLED=0")
	if msg, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("building the browser program: %w\n%s", err, bytes.TrimSpace(msg))
	}
	return os.ReadFile(out)
}

// wasmExec gives the JavaScript side of Go's runtime. It must be of the very Go release that builds the program.
func wasmExec() ([]byte, error) {
	goroot, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return nil, fmt.Errorf("asking go for its folder: %w", err)
	}
	return os.ReadFile(filepath.Join(string(bytes.TrimSpace(goroot)), "lib", "wasm", "wasm_exec.js"))
}
